//! budgets.toml: what each server may cost, committed beside the code.
//!
//! A file is read into checked values ([`Budgets::read`]), changed by splicing its own bytes ([`pin`],
//! [`add_server`]), and written back whole ([`Edit::write`]). Nothing here launches or measures anything.

mod arguments;
mod client;
mod edit;
mod expand;
mod fault;
mod fields;
mod find;
mod init;
mod inline;
mod layout;
mod parse;
mod pin;
mod schema;
mod section;
mod slack;
mod target;
#[cfg(test)]
mod tests;
mod timeout;
mod toml_text;
mod url;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::advice::Rule;
use crate::defer::Globs;
use crate::gate::{Band, Cost, Metric};
use crate::kind::Kind;

pub use arguments::argument_secrets;
pub use edit::Edit;
pub use expand::{ExpandError, Lookup, expand, header_secrets};
pub(crate) use expand::{has_variable, literal, needed_variables, variable_called};
pub(crate) use fault::place;
pub use fault::{BudgetsError, Place};
pub use find::{FILE_NAME, nearest, within_repository};
pub use init::{InitError, NewServer, SCHEMA_FILE, add_server};
pub(crate) use pin::meant_to_list_none;
pub use pin::{Move, Pin, PinError, pin};
pub(crate) use schema::is_variable_name;
pub use slack::Slack;
pub use target::Resolved;
pub(crate) use target::{literal_secrets, masked_origin, plain_target, source_secrets};
pub use timeout::{DEFAULT_TIMEOUT, PREPARE_TIMEOUT, parse_timeout};
pub use url::{url_secrets, url_without_secrets};
pub use write::WriteError;

/// A budgets.toml that was read and found sound.
#[derive(Clone, Debug)]
pub struct Budgets {
    /// The file, as it was named.
    pub path: PathBuf,
    /// The text of the file, byte for byte.
    pub text: String,
    /// What every number in it was counted with.
    pub estimator: String,
    /// Why the file as a whole last held less: a server was removed, or the estimator changed.
    pub reason: Option<String>,
    /// The servers and the clients, in the order of the file. No two have one name.
    pub servers: Vec<Server>,
}

/// One entry of the file: a server, or a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name in the file.
    pub name: String,
    /// Where its definitions come from.
    pub source: EntrySource,
    /// The revision to speak; `None` to find out.
    pub protocol: Option<String>,
    /// How long everything from the launch to the last page may take; `None` for [`DEFAULT_TIMEOUT`].
    pub timeout: Option<Duration>,
    /// Client capabilities to declare.
    pub capabilities: Vec<String>,
    /// The tools that clients load late; `None` where every definition is always sent.
    pub defer: Option<Globs>,
    /// The bands that the file has, in the order of [`Metric::ALL`].
    pub bands: Vec<WrittenBand>,
    /// What each name cost at the last pin; `None` without such a table.
    pub pins: Option<BTreeMap<String, Cost>>,
    /// What was measured at the last pin; `None` without such a table.
    pub pinned: Option<Pinned>,
    /// The rules of `advise` that are not asked, each with the reason why.
    pub silenced: BTreeMap<Rule, String>,
    /// Where the file says all this.
    pub(in crate::budgets) places: Places,
}

/// Where the definitions of an entry come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntrySource {
    /// One server.
    Server(WrittenSource),
    /// All enabled servers of a client's config, which is relative to the file.
    Config(String),
}

/// A source as it is written, `${NAME}` unexpanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenSource {
    /// A process to launch.
    Command {
        /// A command to run to its end before the launch, with its arguments. Never expanded.
        prepare: Option<Vec<String>>,
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables to add to the environment, in the order of the file.
        env: Vec<(String, String)>,
        /// The working directory, relative to the file; `None` for the file's folder.
        cwd: Option<String>,
    },
    /// A streamable HTTP endpoint.
    Url {
        /// Its address.
        url: String,
        /// Header names and values, in the order of the file.
        headers: Vec<(String, String)>,
    },
    /// A capture or list, relative to the file.
    From(String),
}

/// A band as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenBand {
    /// What it limits.
    pub metric: Metric,
    /// The most that may be measured.
    pub budget: u64,
    /// How far below it the measurement may sit.
    pub slack: Slack,
    /// Why the budget was last raised.
    pub reason: Option<String>,
    /// The line of the budget's number, from 1.
    pub line: usize,
}

/// What was measured at the last pin, for a reader who sees other numbers. Never a reason to refuse. Hostile text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// `serverInfo.name`
    pub server: Option<String>,
    /// `serverInfo.version`
    pub version: Option<String>,
    /// The revision that was spoken.
    pub protocol: Option<String>,
    /// Operating system and architecture.
    pub platform: Option<String>,
}

/// Where a server stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::budgets) struct Places {
    file: PathBuf,
    server: Place,
    /// By the key below the server, such as `env.TOKEN`.
    keys: BTreeMap<String, Place>,
}

impl Places {
    /// The places of a server that is not in the file yet.
    fn nowhere(file: &Path) -> Self {
        Places { file: file.to_owned(), server: Place { line: 0, column: 0 }, keys: BTreeMap::new() }
    }
}

/// The bands that every server must have.
pub const REQUIRED_BANDS: [Metric; 2] = [Metric::Floor, Metric::Descriptions];

impl Budgets {
    /// The folder that relative paths in the file are relative to.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// The server or client of a name.
    pub fn server(&self, name: &str) -> Option<&Server> {
        self.servers.iter().find(|server| server.name == name)
    }

    /// What the file says, without where it says it.
    fn values(&self) -> (&str, Vec<Server>) {
        let servers = self.servers.iter().cloned().map(|mut server| {
            server.bands.iter_mut().for_each(|band| band.line = 0);
            server.pinned = server.pinned.filter(|pinned| *pinned != Pinned::default());
            Server { places: Places::nowhere(Path::new("")), ..server }
        });
        (&self.estimator, servers.collect())
    }
}

impl EntrySource {
    /// Whether it is one server's.
    pub fn kind(&self) -> Kind {
        match self {
            EntrySource::Server(_) => Kind::Server,
            EntrySource::Config(_) => Kind::Client,
        }
    }
}

impl Server {
    /// Whether it is a server or a client.
    pub fn kind(&self) -> Kind {
        self.source.kind()
    }

    /// The bands with their slack resolved, in the order of [`Metric::ALL`].
    pub fn bands(&self) -> Vec<Band> {
        self.bands.iter().map(WrittenBand::band).collect()
    }

    /// The band of one metric.
    pub fn band(&self, metric: Metric) -> Option<&WrittenBand> {
        self.bands.iter().find(|band| band.metric == metric)
    }

    /// Whether a rule of `advise` is not asked.
    pub fn is_silenced(&self, rule: Rule) -> bool {
        self.silenced.contains_key(&rule)
    }

    /// The line that the server starts on, from 1.
    pub fn line(&self) -> usize {
        self.places.server.line
    }

    /// Says which band is missing without which a server cannot be gated.
    pub fn require_bands(&self) -> Result<(), BudgetsError> {
        let missing: Vec<String> = REQUIRED_BANDS
            .into_iter()
            .filter(|&metric| self.band(metric).is_none())
            .map(|metric| format!("`{metric}`"))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let bands = if missing.len() == 1 { "band" } else { "bands" };
        let message = format!(
            "{} `{}` has no {bands} {}; run `mcp-footprint pin{}` to measure and add what is missing",
            self.kind(),
            toml_text::key(&self.name),
            missing.join(" and "),
            server_flag(&self.name),
        );
        Err(BudgetsError::at(&self.places.file, self.places.server, message))
    }
}

impl WrittenBand {
    /// The band with its slack resolved.
    pub fn band(&self) -> Band {
        Band { metric: self.metric, budget: self.budget, slack: self.slack.resolve(self.metric, self.budget) }
    }
}

/// The line that defers what these globs name.
pub fn defer_key(globs: &[String]) -> String {
    format!("defer = {}", toml_text::strings(globs))
}

/// ` --server NAME` for a command that can be pasted; nothing for a name that no shell takes safely.
fn server_flag(name: &str) -> String {
    match toml_text::key(name) {
        bare if bare == name && !name.starts_with('-') => format!(" --server {name}"),
        _ if name.contains('\'') || name.starts_with('-') || name.chars().any(toml_text::is_invisible) => String::new(),
        _ => format!(" --server '{name}'"),
    }
}
