//! Why `init` adds nothing, in words.

use std::path::PathBuf;

use crate::budgets::fault::{BudgetsError, Place};
use crate::budgets::{server_flag, toml_text};
use crate::kind::Kind;

/// Why no entry is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitError {
    /// The file has an entry of this name, which is left alone.
    Exists {
        /// The file.
        path: PathBuf,
        /// Where the entry stands.
        place: Place,
        /// Its name.
        name: String,
        /// Which of the two it is.
        kind: Kind,
    },
    /// A header's value is literal; a committed file is no place for it.
    LiteralHeader {
        /// The header's name.
        header: String,
        /// What to give instead.
        instead: String,
    },
    /// The server, or every server of the client, listed no tool.
    NothingMeasured(Kind, String),
    /// These servers of the client listed no tool.
    SilentMembers(String, Vec<String>),
    /// The file is not sound, or cannot be edited.
    File(BudgetsError),
}

impl std::fmt::Display for InitError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InitError::Exists { path, place: Place { line, column }, name, kind } => write!(
                out,
                "{}:{line}:{column}: {kind} `{}` is there already and was left alone; run `mcp-footprint pin{}` to measure \
                 it again, or choose another name with --name",
                path.display(),
                toml_text::key(name),
                server_flag(name),
            ),
            InitError::LiteralHeader { header, instead } => write!(
                out,
                "the value of the header {header} would be committed with the file; set a variable and give \
                 --header '{header}: {instead}' instead"
            ),
            InitError::NothingMeasured(kind, name) => write!(
                out,
                "{kind} `{}` listed no tool, and there is nothing to hold it to; nothing was written; find out why the \
                 list is empty",
                toml_text::key(name)
            ),
            InitError::SilentMembers(client, servers) => {
                let names: Vec<String> = servers.iter().map(|name| toml_text::key(name)).collect();
                let meant: Vec<String> =
                    names.iter().map(|name| format!("`{name} = {{ tokens = 0, description = 0 }}`")).collect();
                let (table, pins) = (Kind::Client.table(), "pins");
                write!(
                    out,
                    "client `{}`: {} listed no tool, and a measurement of nothing is never pinned; nothing was written; \
                     find out why, or turn it off in the config; where it is meant, write [{}] with its `config`, and {} \
                     under [{}], and run `mcp-footprint pin`",
                    toml_text::key(client),
                    names.join(", "),
                    toml_text::dotted(&[table, client]),
                    meant.join(" and "),
                    toml_text::dotted(&[table, client, pins]),
                )
            }
            InitError::File(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for InitError {}

impl From<BudgetsError> for InitError {
    fn from(error: BudgetsError) -> Self {
        InitError::File(error)
    }
}
