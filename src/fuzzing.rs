//! Ways in for the fuzz targets under `tests/fuzz`: what becomes of the bytes of a server, without a process or a
//! socket, and of a file that an entry is added to, without a file.
//!
//! No part of the library's interface: hidden from its documentation, and changed whenever the targets need it. The
//! program itself uses nothing of this.

use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::budgets::{Budgets, BudgetsError};
use crate::capture::connection::{Awaited, Connection};
use crate::capture::http::sse::Events;
use crate::capture::offer::Offer;
use crate::capture::session::{self, Listed};
use crate::capture::{Capture, Outcome, Transport, file, stdio};
use crate::codes::{ErrorCode, Failure};
use crate::secrets::Secrets;

/// A session with a server that says what it says whatever it is asked.
#[derive(Debug, PartialEq, Eq)]
pub struct Session {
    /// The messages that were sent, in order.
    pub sent: Vec<String>,
    /// The complete list, or why there is none.
    pub outcome: Outcome,
}

/// The lines of a server's standard output.
///
/// # Errors
/// `FileTooLarge` where a line is longer than `longest` bytes.
pub fn lines(stdout: impl Read, longest: u64) -> io::Result<Vec<Vec<u8>>> {
    let mut stdout = BufReader::new(stdout);
    all(|| stdio::next_line(&mut stdout, longest))
}

/// The data of the events of a stream.
///
/// # Errors
/// `FileTooLarge` where that of one is longer than `longest` bytes.
pub fn events(stream: impl Read, longest: usize) -> io::Result<Vec<Vec<u8>>> {
    let mut events = Events::new(stream, longest);
    all(|| events.next_data())
}

/// A session in which the server sends these messages, one after the other.
pub fn session(messages: &[Vec<u8>], protocol: Option<&str>, capabilities: &[String]) -> Session {
    let mut replay = Replay { messages: messages.iter(), sent: Vec::new() };
    let listed = session::list(&mut replay, Offer { protocol, capabilities, secrets: &Secrets::default() }, &|| ());
    let outcome = listed.map(|Listed { server, protocol, instructions, definitions, notes }| Capture {
        suggested_name: "fuzzed".to_owned(),
        server,
        protocol,
        asked_protocol: None,
        transport: Transport::Stdio,
        capabilities: Some(capabilities.to_vec()),
        instructions: Some(instructions),
        platform: None,
        origin: None,
        definitions,
        notes,
    });
    Session { sent: replay.sent, outcome }
}

/// The captures in the text of a file.
///
/// # Errors
/// What is wrong with it.
pub fn captures(text: &str) -> Result<Vec<Capture>, Failure> {
    file::captures(text, "fuzzed")
}

/// A budgets.toml that may have no server yet.
///
/// # Errors
/// What is wrong with it.
pub fn budgets(bytes: &[u8]) -> Result<Budgets, BudgetsError> {
    Budgets::parse_even_without_servers(Path::new("budgets.toml"), bytes)
}

fn all(mut next: impl FnMut() -> io::Result<Option<Vec<u8>>>) -> io::Result<Vec<Vec<u8>>> {
    std::iter::from_fn(|| next().transpose()).collect()
}

struct Replay<'a> {
    messages: std::slice::Iter<'a, Vec<u8>>,
    sent: Vec<String>,
}

impl Connection for Replay<'_> {
    fn send(&mut self, message: &str) -> Result<(), Failure> {
        self.sent.push(message.to_owned());
        Ok(())
    }

    fn receive(&mut self, awaited: &Awaited) -> Result<Vec<u8>, Failure> {
        let ended = || Failure::new(ErrorCode::Exited, format!("nothing more came before {awaited} was answered"));
        self.messages.next().cloned().ok_or_else(ended)
    }

    fn at_hand(&mut self) -> Option<Vec<u8>> {
        self.messages.next().cloned()
    }

    fn restart(&mut self) -> Result<(), Failure> {
        Err(Failure::new(ErrorCode::Exited, "there is no second start"))
    }

    fn stream(&self) -> &'static str {
        "standard output"
    }
}
