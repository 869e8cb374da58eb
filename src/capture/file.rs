//! A file -> captures: what was listed once is read again, whole or not at all.
//!
//! Accepted are a capture, a `tools/list` result, a bare array of tools, a JSON-RPC response, and JSON lines of
//! responses (an `initialize` answer and one list, page after page).

use std::io::{self, Read};
use std::path::Path;

mod conversation;
mod document;

use serde_json::value::RawValue;

use super::listing::Listing;
use super::{Capture, Identity, Outcome, Transport};
use crate::codes::{ErrorCode, Failure};
use crate::json::{DuplicateKey, Kind, Text};
use conversation::Pages;

pub use document::SCHEMA;

/// Reads the captures in the file at `path`; `-` is standard input.
///
/// # Errors
/// Those of [`text`] and [`parse`].
pub fn read(path: &Path) -> Result<Vec<Capture>, Failure> {
    parse(path, &text(path)?)
}

/// The text of the file at `path`; `-` is standard input.
///
/// # Errors
/// `unreadable`, or `not_utf8` with the byte offset.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let name = shown(path);
    let bytes = bytes_of(path)
        .map_err(|error| Failure::new(ErrorCode::Unreadable, format!("{name} cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Failure::new(ErrorCode::NotUtf8, format!("{name} is not UTF-8 at byte {offset}"))
    })
}

/// The captures in the text of the file at `path`.
///
/// # Errors
/// `bad_capture`, with the byte offset where there is one.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Capture>, Failure> {
    let stem = path.file_stem().filter(|_| !is_standard_input(path));
    let stem = stem.map_or_else(|| "stdin".into(), |stem| stem.to_string_lossy().into_owned());
    captures(text, &stem)
        .map_err(|failure| Failure { message: format!("{}: {}", shown(path), failure.message), ..failure })
}

/// What a message calls the file.
pub(crate) fn shown(path: &Path) -> String {
    if is_standard_input(path) { "standard input".to_owned() } else { path.to_string_lossy().into_owned() }
}

/// The capture named `name` in the file, or its only one.
///
/// # Errors
/// Those of [`read`], and `bad_capture` when there is no telling which one is meant.
pub fn read_one(path: &Path, name: Option<&str>) -> Outcome {
    let mut captures = read(path)?;
    if let Some(place) = captures.iter().position(|capture| Some(capture.suggested_name.as_str()) == name) {
        return Ok(captures.swap_remove(place));
    }
    if captures.len() == 1 {
        return Ok(captures.swap_remove(0));
    }
    let known: Vec<&str> = captures.iter().map(|capture| capture.suggested_name.as_str()).collect();
    Err(bad(format!("{} holds several servers ({}), and none of this name", path.display(), known.join(", "))))
}

/// Whether the path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    if !is_standard_input(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The captures in a text; `stem` names a server that does not say its own name.
pub(crate) fn captures(whole: &str, stem: &str) -> Result<Vec<Capture>, Failure> {
    let text = whole.strip_prefix('\u{feff}').unwrap_or(whole);
    let before = whole.len() - text.len();
    let values = values(text, before)?;
    let values = match values.as_slice() {
        [batch] if is_batch(*batch) => batch.elements().collect(),
        _ => values,
    };
    if let [one] = values.as_slice() {
        if one.kind() == Kind::Array {
            let mut listing = Listing::default();
            listing.add_tools(*one)?;
            return Ok(vec![capture(stem, listing)]);
        }
        match one.get_all(["schema", "tools", "error"]) {
            [Some(_), ..] => return document::read(*one),
            [None, Some(_), None] => {
                let mut pages = Pages::default();
                pages.add(*one)?;
                return Ok(vec![pages.into_capture(stem)?]);
            }
            [None, ..] => {}
        }
    }
    if values.is_empty() {
        return Err(bad("is empty; a capture or a tools/list result is expected"));
    }
    let mut pages = Pages::default();
    for response in values {
        let at = before + response.as_str().as_ptr().addr() - text.as_ptr().addr();
        pages.read_response(response, at)?;
    }
    Ok(vec![pages.into_capture(stem)?])
}

/// Whether an array holds JSON-RPC messages: no definition of a tool has their keys.
fn is_batch(array: Text<'_>) -> bool {
    let is_message = |one: Text<'_>| one.get("jsonrpc").is_some() && one.get("name").is_none();
    array.kind() == Kind::Array && array.elements().next().is_some() && array.elements().all(is_message)
}

/// The JSON values of the text, one after the other. The file has `before` bytes before it.
fn values(text: &str, before: usize) -> Result<Vec<Text<'_>>, Failure> {
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        let raw = value.map_err(|error| {
            let offset = before + offset(text, error.line(), error.column());
            let what = if error.is_eof() { "ends in the middle of a JSON value" } else { "is no JSON" };
            bad(format!("{what} at byte {offset} (line {}, column {})", error.line(), error.column()))
        })?;
        values.push(Text::from(raw));
    }
    Ok(values)
}

/// The byte at a line and column, both from 1, as serde_json tells them.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let line_start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (line_start + column.saturating_sub(1)).min(text.len())
}

fn capture(name: &str, listing: Listing) -> Capture {
    Capture {
        suggested_name: name.to_owned(),
        server: None,
        protocol: None,
        asked_protocol: None,
        transport: Transport::File,
        capabilities: None,
        instructions: None,
        platform: None,
        origin: None,
        definitions: listing.into_definitions(),
        notes: Vec::new(),
    }
}

fn identity(info: Text<'_>) -> Identity {
    let text = |key: &str| info.get(key).and_then(Text::string).unwrap_or_default();
    Identity { name: text("name"), version: text("version") }
}

fn ambiguous(twice: DuplicateKey) -> Failure {
    bad(format!("is ambiguous: {twice}"))
}

fn bad(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::BadCapture, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<String>, String> {
        let captures = captures(text, "stem").map_err(|failure| failure.message)?;
        let names = captures.iter().flat_map(|capture| &capture.definitions);
        Ok(names.map(|definition| definition.label().to_string()).collect())
    }

    #[test]
    fn every_form_is_read() {
        for text in [
            r#"[{"name":"a"}]"#,
            "\u{feff} {\"tools\":[{\"name\":\"a\"}]}\n",
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}"#,
            r#"{"schema":"mcp-footprint-capture/1","servers":[{"name":"s","tools":[{"name":"a"}]}]}"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}]"#,
        ] {
            assert_eq!(names(text).unwrap(), ["a"], "{text}");
        }
    }

    #[test]
    fn json_lines_are_one_conversation() {
        let text = r#"{"id":0,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"srv","version":"2"},"instructions":"Hi"}}
            {"method":"notifications/message"}
            {"id":1,"result":{"tools":[{"name":"a"}],"nextCursor":"x"}}
            {"id":2,"result":{"tools":[{"name":"b"}]}}"#;
        assert_eq!(names(text).unwrap(), ["a", "b"]);
        let capture = captures(text, "stem").unwrap().remove(0);
        assert_eq!(capture.suggested_name, "srv");
        assert_eq!(capture.protocol.as_deref(), Some("2025-11-25"));
        assert_eq!(capture.instructions.as_deref(), Some("Hi"));
    }

    #[test]
    fn what_is_no_complete_list_is_refused_in_words() {
        for (text, message) in [
            ("", "is empty"),
            ("  \n", "is empty"),
            ("{\"tools\":[", "ends in the middle of a JSON value at byte 9"),
            ("{\"tools\":[]}\n{\"a\" 1}", "is no JSON at byte 18 (line 2"),
            ("7", "no list of tools"),
            ("{}", "no list of tools"),
            ("{\"result\":{\"tools\":[]}}\n {}", "no JSON-RPC answer at byte 25"),
            ("\u{feff}{\"tools\":[]}\n{\"a\" 1}", "is no JSON at byte 21 (line 2"),
            ("\u{feff}{\"result\":{\"tools\":[]}}\n {}", "no JSON-RPC answer at byte 28"),
            (r#"{"result":{"ok":true}}"#, "holds no list of tools"),
            (r#"{"tools":[],"nextCursor":"x"}"#, "part of a list"),
            (r#"{"result":{"tools":[]}} {"result":{"tools":[]}}"#, "more than one list"),
            (r#"{"error":{"code":-1,"message":"no"}}"#, "an error instead of a list: no"),
            (r#"{"schema":"mcp-footprint/1"}"#, "has the schema `mcp-footprint/1`"),
            (r#"{"schema":"mcp-footprint-capture/1","servers":[]}"#, "holds no server"),
            (r#"{"tools":[{"name":"a"}],"error":{"code":-1,"message":"no"}}"#, "an error instead of a list: no"),
            (r#"{"tools":null}"#, "`tools`"),
            (r#"{"tools":[],"tools":[]}"#, "`tools` stands twice"),
        ] {
            let said = names(text).unwrap_err();
            assert!(said.contains(message), "{text}: {said}");
        }
    }
}
