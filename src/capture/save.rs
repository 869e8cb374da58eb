//! Captures -> the document that [`super::file`] reads back: what was listed, to be priced another time or elsewhere.
//!
//! Definitions are written as they are priced. Nothing that was expanded from `${NAME}` is in it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::Capture;
use super::file::SCHEMA;
use super::source::Origin;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    servers: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    source: Option<&'a Origin>,
    server: Option<Server<'a>>,
    protocol: Option<&'a str>,
    capabilities: &'a [String],
    instructions: Option<&'a str>,
    platform: Option<&'a str>,
    tools: Vec<&'a RawValue>,
}

#[derive(Serialize)]
struct Server<'a> {
    name: &'a str,
    version: &'a str,
}

/// Writes captures, each under the name it is known by.
///
/// # Errors
/// The writer's own.
pub fn save(captures: &[(String, Capture)], out: &mut dyn Write) -> io::Result<()> {
    let servers = captures.iter().map(|(name, capture)| entry(name, capture)).collect::<Result<_, _>>()?;
    let mut out = io::BufWriter::new(out);
    serde_json::to_writer(&mut out, &Document { schema: SCHEMA, servers })?;
    writeln!(out)?;
    out.flush()
}

fn entry<'a>(name: &'a str, capture: &'a Capture) -> serde_json::Result<Entry<'a>> {
    let tools = capture.definitions.iter().map(|definition| serde_json::from_str(definition.compact()));
    Ok(Entry {
        name,
        source: capture.origin.as_ref(),
        server: capture.server.as_ref().map(|server| Server { name: &server.name, version: &server.version }),
        protocol: capture.protocol.as_deref(),
        capabilities: &capture.capabilities,
        instructions: capture.instructions.as_deref(),
        platform: capture.platform.as_deref(),
        tools: tools.collect::<Result<_, _>>()?,
    })
}
