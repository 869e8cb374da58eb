//! What a session needs of the way to a server, whatever the way is: pipes or HTTP.

use std::fmt;

use crate::codes::Failure;

/// The way to a server and back.
pub(crate) trait Connection {
    /// Sends one message.
    ///
    /// # Errors
    /// When it can not be sent. A server that does not read is no error yet.
    fn send(&mut self, message: &str) -> Result<(), Failure>;

    /// The next text that the server sends: a line, or the data of an event. `awaited` is what it is hoped to be.
    ///
    /// # Errors
    /// When the deadline passes, or when nothing more can come.
    fn receive(&mut self, awaited: &Awaited) -> Result<Vec<u8>, Failure>;

    /// What the server has sent by now beyond what was received; nothing is waited for but what is on its way already.
    fn at_hand(&mut self) -> Option<Vec<u8>>;

    /// Starts the server again after it has ended.
    ///
    /// # Errors
    /// When it does not start.
    fn restart(&mut self) -> Result<(), Failure>;

    /// What the server's messages come out of, as it is called in sentences.
    fn stream(&self) -> &'static str;
}

/// The answer that a session is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Awaited {
    /// The method of the request.
    pub(crate) method: &'static str,
    /// Which page of a list, counted from 1.
    pub(crate) page: usize,
}

impl Awaited {
    /// What opens a session until 2025-11-25.
    pub(crate) const INITIALIZE: Awaited = Awaited { method: "initialize", page: 1 };
    /// What tells about a server since 2026-07-28.
    pub(crate) const DISCOVER: Awaited = Awaited { method: "server/discover", page: 1 };

    /// A page of the list of tools.
    pub(crate) fn page(page: usize) -> Self {
        Awaited { method: "tools/list", page }
    }
}

impl fmt::Display for Awaited {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.page {
            1 => write!(out, "`{}`", self.method),
            page => write!(out, "`{}` (page {page})", self.method),
        }
    }
}
