//! The document that [`super::super::save`] writes -> captures.

use super::{ambiguous, bad, capture, identity};
use crate::capture::listing::Listing;
use crate::capture::source::Origin;
use crate::capture::{Capture, Outcome};
use crate::codes::{Failure, Note, NoteCode};
use crate::json::{Kind, Text};

/// The schema of the captures that this version writes and reads.
pub const SCHEMA: &str = "mcp-footprint-capture/1";

/// A capture that this program wrote.
pub(super) fn read(document: Text<'_>) -> Result<Vec<Capture>, Failure> {
    let [schema, servers] = document.get_all_unique(["schema", "servers"]).map_err(ambiguous)?;
    let schema = schema.and_then(Text::string).unwrap_or_default();
    if schema != SCHEMA {
        return Err(bad(format!("has the schema `{schema}`; this version reads `{SCHEMA}`")));
    }
    let servers = servers.filter(|servers| servers.kind() == Kind::Array).ok_or_else(|| bad("has no `servers`"))?;
    let captures: Vec<Capture> = servers.elements().map(captured).collect::<Result<_, _>>()?;
    if captures.is_empty() { Err(bad("holds no server")) } else { Ok(captures) }
}

fn captured(entry: Text<'_>) -> Outcome {
    let keys = [
        "name",
        "tools",
        "server",
        "source",
        "protocol",
        "asked_protocol",
        "capabilities",
        "instructions",
        "platform",
        "notes",
    ];
    let [name, tools, server, source, protocol, asked_protocol, capabilities, instructions, platform, notes] =
        entry.get_all_unique(keys).map_err(ambiguous)?;
    let name = name.and_then(Text::string).ok_or_else(|| bad("holds a server without a name"))?;
    let tools = tools.ok_or_else(|| bad(format!("holds no `tools` for the server `{name}`")))?;
    let mut listing = Listing::default();
    listing.add_tools(tools)?;
    Ok(Capture {
        server: server.filter(|server| server.kind() == Kind::Object).map(identity),
        protocol: protocol.and_then(Text::string),
        asked_protocol: asked_protocol.and_then(Text::string),
        capabilities: capabilities
            .filter(|declared| declared.kind() == Kind::Array)
            .map(|declared| declared.elements().filter_map(Text::string).collect()),
        instructions: instructions.and_then(Text::string),
        platform: platform.and_then(Text::string),
        origin: source.map(origin),
        notes: notes.into_iter().flat_map(Text::elements).filter_map(note).collect(),
        ..capture(&name, listing)
    })
}

/// What was said of the capture; `None` for a word of a later version.
fn note(entry: Text<'_>) -> Option<Note> {
    let text = |key: &str| entry.get(key).and_then(Text::string);
    let word = text("code")?;
    let code = NoteCode::ALL.iter().find(|code| code.as_str() == word)?;
    Some(Note { code: *code, message: text("message")?, tool: text("tool") })
}

fn origin(source: Text<'_>) -> Origin {
    let text = |key: &str| source.get(key).and_then(Text::string);
    let list = |key: &str| source.get(key).into_iter().flat_map(Text::elements).filter_map(Text::string).collect();
    Origin {
        command: text("command"),
        args: list("args"),
        env: list("env"),
        cwd: text("cwd"),
        url: text("url"),
        from: text("from"),
        config: None,
    }
}
