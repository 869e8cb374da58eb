//! Captures -> the document that [`super::file`] reads back: what was listed, to be priced another time or elsewhere.
//!
//! Definitions are written as they are priced. Nothing that was expanded from `${NAME}` is in it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::Capture;
use super::file::SCHEMA;
use super::source::Origin;
use crate::codes::{Note, NoteCode};

/// What MCP servers listed, as `mcp-footprint capture` saves it and `--from` reads it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-capture/1"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// The servers.
    servers: Vec<Entry<'a>>,
}

/// One server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Entry<'a> {
    /// The name by which it is known.
    name: &'a str,
    /// Where the definitions came from, as it was written, without any secret; `null` where unknown.
    source: Option<&'a Origin>,
    /// What the server says it is; `null` where unknown.
    server: Option<Server<'a>>,
    /// The revision of the protocol that was spoken; `null` where unknown.
    protocol: Option<&'a str>,
    /// The revision that was asked for, where one was: a server may answer with another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    asked_protocol: Option<&'a str>,
    /// The client capabilities that were declared; `null` where unknown.
    capabilities: Option<&'a [String]>,
    /// The instructions of the server; `null` where it has none or they are unknown.
    instructions: Option<&'a str>,
    /// Operating system and architecture of the capture; `null` where unknown.
    platform: Option<&'a str>,
    /// What wants saying beside the definitions; absent where nothing does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Said<'a>>,
    /// The definitions as they are priced, in the order in which they were listed.
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Value>"))]
    tools: Vec<&'a RawValue>,
}

/// Something to say of a capture.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Note"))]
struct Said<'a> {
    /// The word of the note.
    code: NoteCode,
    /// What there is to say.
    message: &'a str,
    /// The tool that it is about; `null` where it is about none.
    tool: Option<&'a str>,
}

/// What a server says it is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Server<'a> {
    /// Its name.
    name: &'a str,
    /// Its version.
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
        asked_protocol: capture.asked_protocol.as_deref(),
        capabilities: capture.capabilities.as_deref(),
        instructions: capture.instructions.as_deref(),
        platform: capture.platform.as_deref(),
        notes: capture.notes.iter().map(said).collect(),
        tools: tools.collect::<Result<_, _>>()?,
    })
}

fn said(note: &Note) -> Said<'_> {
    Said { code: note.code, message: &note.message, tool: note.tool.as_deref() }
}
