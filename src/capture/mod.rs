//! Source -> capture: launch, open or ask, and come back with every definition that was listed, or with the reason
//! why the list is not complete. A partial list never leaves this folder, and no token is counted here, unless to choose
//! between two lists.

pub(crate) mod asked;
mod command;
pub(crate) mod connection;
mod deadline;
mod ending;
pub mod file;
mod fleet;
mod heard;
pub(crate) mod http;
mod http_notes;
mod interrupt;
pub(crate) mod listing;
mod message;
pub(crate) mod offer;
mod opening;
mod prepare;
mod process;
mod save;
pub(crate) mod session;
pub mod source;
pub(crate) mod stdio;
mod tail;

use crate::codes::{Failure, Note};
use crate::definition::Definition;

pub use ending::Endings;
pub use fleet::{Captures, Stage, capture_all};
pub use interrupt::Interrupted;
#[cfg(test)]
pub(crate) use save::Document as SavedDocument;
pub use save::save;
pub use source::{Endpoint, Launch, Source, Target};

/// Everything that one server listed, complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The name that the source itself suggests for the server: the server's own name or the file's stem.
    pub suggested_name: String,
    /// What the server says it is; `None` where unknown.
    pub server: Option<Identity>,
    /// The revision of the protocol that was spoken; `None` where unknown.
    pub protocol: Option<String>,
    /// The revision that was asked for: `None` where it was to be found out, or where that is unknown.
    pub asked_protocol: Option<String>,
    /// The way it came.
    pub transport: Transport,
    /// The client capabilities that were declared, by name; `None` where unknown.
    pub capabilities: Option<Vec<String>>,
    /// The server's instructions: `Some("")` where it sent none, `None` where the source cannot tell.
    pub instructions: Option<String>,
    /// Operating system and architecture that the server ran on, such as `linux-x86_64`; `None` where unknown.
    pub platform: Option<String>,
    /// Command line or address as it was written, `${NAME}` unexpanded; `None` where unknown.
    pub origin: Option<source::Origin>,
    /// The definitions in the order in which they were listed.
    pub definitions: Vec<Definition>,
    /// What happened on the way that does not change the list.
    pub notes: Vec<Note>,
}

/// What a server says it is. Hostile text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `serverInfo.name`
    pub name: String,
    /// `serverInfo.version`; empty where the server left it out.
    pub version: String,
}

/// The way a list came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Pipes to a child process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// A file, or standard input.
    File,
    /// The servers of a client's config, each its own way.
    Config,
}

impl Transport {
    /// The word that documents carry.
    pub fn as_str(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
            Transport::File => "file",
            Transport::Config => "config",
        }
    }
}

/// A complete list, or why there is none.
pub type Outcome = Result<Capture, Failure>;
