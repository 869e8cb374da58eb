//! What must hold for every sequence of bytes that a server may send: nothing panics, the way it comes in pieces makes
//! no difference, and a list is only ever what answers to the requests say.
//!
//! The first line of an input chooses: sizes of the pieces, the limit of a line, the revision that is spoken. What
//! follows is sent, once as lines, once as a stream of events, and once read as a file.

use std::io::{self, Read};

use mcp_footprint::capture::{Capture, save};
use mcp_footprint::fuzzing::{self, Session};

use super::json::Json;
use super::replay::{agrees, without_mark};

/// Long enough for every input.
const NO_LIMIT: usize = 1 << 24;

/// Reads the bytes in every way that a server's or a file's bytes are read.
pub fn check(data: &[u8]) {
    let (choices, sent) = super::first_line(data);
    let choice = |place: usize| choices.get(place).copied().map_or(0, usize::from);
    let limit = 1 + choice(0);
    let sizes: Vec<usize> = (1..8).map(|place| 1 + choice(place) % 32).collect();
    pieces_make_no_difference(sent, limit, &sizes);
    let lines = fuzzing::lines(sent, NO_LIMIT as u64).expect("no line is too long");
    assert_eq!(lines.concat(), sent, "the lines together");
    let events = fuzzing::events(sent, NO_LIMIT).expect("no event is too long");
    assert_eq!(events, events_by_the_book(sent), "the events of the stream");
    let protocol = [None, Some("2025-06-18"), Some("2026-07-28"), Some("auto")][choice(8) % 4];
    let capabilities: &[String] = if choice(9) % 2 == 0 { &[] } else { &["roots".to_owned()] };
    for messages in [lines, events] {
        let session = fuzzing::session(&messages, protocol, capabilities);
        session.sent.iter().for_each(|message| is_one_line_of_json(message));
        if let Session { outcome: Ok(capture), sent } = &session {
            agrees(&messages, sent, capture);
            is_read_back(capture);
        }
    }
    if let Ok(text) = std::str::from_utf8(sent) {
        for capture in fuzzing::captures(text).unwrap_or_default() {
            stands_in(without_mark(text), &capture);
            is_read_back(&capture);
        }
    }
}

fn pieces_make_no_difference(sent: &[u8], limit: usize, sizes: &[usize]) {
    let pieces = || Pieces { rest: sent, sizes: sizes.to_vec(), next: 0 };
    let kind = |error: io::Error| error.kind();
    for limit in [limit, NO_LIMIT] {
        let (whole, cut) = (fuzzing::lines(sent, limit as u64), fuzzing::lines(pieces(), limit as u64));
        assert_eq!(whole.map_err(kind), cut.map_err(kind), "the lines, up to {limit} bytes");
        let (whole, cut) = (fuzzing::events(sent, limit), fuzzing::events(pieces(), limit));
        assert_eq!(whole.map_err(kind), cut.map_err(kind), "the events, up to {limit} bytes");
    }
}

/// Bytes that come in pieces of these sizes, one after the other, over and over.
struct Pieces<'a> {
    rest: &'a [u8],
    sizes: Vec<usize>,
    next: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes[self.next % self.sizes.len()].min(self.rest.len()).min(buffer.len());
        self.next += 1;
        buffer[..size].copy_from_slice(&self.rest[..size]);
        self.rest = &self.rest[size..];
        Ok(size)
    }
}

/// WHATWG HTML, section 9.2.6, on a whole text instead of a stream; events of another type and those without data are
/// nothing to a client of MCP.
fn events_by_the_book(sent: &[u8]) -> Vec<Vec<u8>> {
    let sent = sent.strip_prefix("\u{feff}".as_bytes()).unwrap_or(sent);
    let (mut events, mut data, mut kind) = (Vec::new(), Vec::new(), Vec::new());
    for line in finished_lines(sent) {
        if line.is_empty() {
            data.pop();
            if !data.is_empty() && (kind.is_empty() || kind == b"message") {
                events.push(data.clone());
            }
            data.clear();
            kind.clear();
        }
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"event" => kind = value.to_vec(),
            b"data" => data.extend([value, b"\n"].concat()),
            _ => {}
        }
    }
    events
}

/// The lines that end in LF, CRLF or CR.
fn finished_lines(mut rest: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        lines.push(&rest[..end]);
        let length = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = &rest[end + length..];
    }
    lines
}

fn is_one_line_of_json(message: &str) {
    assert!(!message.contains(['\n', '\r']), "{message:?} is more than a line");
    assert_ne!(Json::read(message), Err(super::json::Refused::Invalid), "{message:?} is no JSON");
}

/// Every definition is an element of an array that is the file itself or a `tools` in it.
fn stands_in(text: &str, capture: &Capture) {
    let mut listed = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>() {
        let Ok(value) = Json::read(value.expect("the file was read").get()) else { return };
        if let Json::Array(elements) = &value {
            listed.extend(elements.clone());
        }
        gather_tools(&value, &mut listed);
    }
    for definition in &capture.definitions {
        let definition = Json::read(definition.compact()).expect("a definition is JSON");
        assert!(listed.contains(&definition), "{definition:?} does not stand in the file");
    }
}

fn gather_tools(value: &Json, into: &mut Vec<Json>) {
    match value {
        Json::Array(elements) => elements.iter().for_each(|element| gather_tools(element, into)),
        Json::Object(members) => {
            for (_, member) in members {
                gather_tools(member, into);
            }
            for tools in value.all("tools") {
                if let Json::Array(elements) = tools {
                    into.extend(elements.clone());
                }
            }
        }
        _ => {}
    }
}

/// What is saved is priced like what was listed.
fn is_read_back(capture: &Capture) {
    let mut saved = Vec::new();
    save(&[("saved".to_owned(), capture.clone())], &mut saved).expect("a capture can be saved");
    let saved = String::from_utf8(saved).expect("a capture is UTF-8");
    let again = fuzzing::captures(&saved).expect("a saved capture is read");
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].definitions, capture.definitions, "the definitions of a saved capture");
    assert_eq!(again[0].instructions, capture.instructions);
    assert_eq!(again[0].server, capture.server);
}
