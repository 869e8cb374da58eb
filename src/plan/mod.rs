//! One plain value that says everything about the run. Nothing is read, opened or launched here.

use std::path::PathBuf;
use std::time::Duration;

use crate::budgets::WrittenSource;
use crate::cli::{Ci, Color, ReadyFile};
use crate::clients::Client;
use crate::defer::Conversation;
use crate::explain::Detail;
use crate::render::{AuditFormat, DiffFormat, Format};
use crate::report::SortKey;
use crate::schema::Schema;
use crate::view::View;

pub use crate::cli::StudyFormat;

mod arguments;
mod rules;
mod tips;

/// What one run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Measures servers, for some goal.
    Measure(Box<Measure>),
    /// Compares what was measured before.
    Diff(Diff),
    /// Finds the servers of MCP clients.
    Audit(Box<Audit>),
    /// Writes ready files.
    Write {
        /// Which.
        files: Vec<ReadyFile>,
        /// The budgets file that they check, instead of the nearest one.
        budgets: Option<PathBuf>,
    },
    /// Prints a JSON Schema.
    Schema(Schema),
    /// Prints completions for a shell.
    Completions(clap_complete::Shell),
    /// Prints the man page.
    Man(Option<String>),
}

/// A run that measures servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// What the measurement is for.
    pub goal: Goal,
    /// Where definitions come from.
    pub source: Source,
    /// What to call the server of the source.
    pub name: Option<String>,
    /// The values of inputs of client configs, by id.
    pub inputs: Vec<(String, String)>,
    /// The budgets file; `None` for the nearest one.
    pub budgets: Option<PathBuf>,
    /// The servers and clients of the budgets file in question; empty for all.
    pub only: Vec<String>,
    /// What beats the budgets file.
    pub launch: Launching,
    /// How the screen looks.
    pub screen: Screen,
}

/// A look at the servers of the MCP clients on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Whether the servers are launched.
    pub run: bool,
    /// The clients in question; empty for all.
    pub clients: Vec<Client>,
    /// The values of inputs, by id.
    pub inputs: Vec<(String, String)>,
    /// The format of standard output.
    pub format: AuditFormat,
    /// How many of the heaviest tools are shown.
    pub top: usize,
    /// Tokens of the context window.
    pub context_window: u64,
    /// How servers are measured.
    pub launch: Launching,
    /// How the screen looks.
    pub screen: Screen,
}

/// What a measurement is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To be read.
    Report(Documents),
    /// To be held to the budgets, and compared.
    Check(Documents, References),
    /// To be looked into.
    Study {
        /// The question.
        study: Study,
        /// The format of the answer.
        format: StudyFormat,
    },
    /// To become the budgets.
    Pin {
        /// Why budgets may rise; `None` where they may not.
        raise: Option<String>,
        /// Whether nothing is written.
        dry_run: bool,
    },
    /// To become a new entry of the budgets file.
    Init {
        /// The files to write beside it.
        write: Vec<ReadyFile>,
    },
    /// To be priced another time.
    Capture {
        /// Where it is saved; `-` is standard output.
        file: PathBuf,
    },
}

/// What is asked of a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Study {
    /// Where the tokens of one definition sit.
    Explain {
        /// The name of the tool.
        tool: String,
        /// How much of it is shown.
        detail: Detail,
    },
    /// What to trim.
    Advise {
        /// The most findings of a server.
        top: Option<usize>,
    },
    /// What deferred loading would cost.
    Defer {
        /// The conversation that is priced.
        conversation: Conversation,
        /// How many tools to suggest for deferral.
        suggest: Option<usize>,
        /// The file that says how often tools are called.
        usage: Option<PathBuf>,
    },
    /// What the floor is spent on.
    Classes,
    /// What a provider's request format carries.
    View(View),
}

/// What a check compares with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The git revision at whose merge base budgets.toml is read.
    pub base: Option<String>,
    /// A capture or report of an earlier measurement.
    pub against: Option<PathBuf>,
}

/// Two sides to compare, each a file or a git revision of budgets.toml.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// Before.
    pub old: String,
    /// After; `None` for the budgets.toml of the work tree.
    pub new: Option<String>,
    /// The budgets file whose revisions are meant; `None` for the nearest one.
    pub budgets: Option<PathBuf>,
    /// The format of standard output.
    pub format: DiffFormat,
    /// When to use colours.
    pub color: Color,
}

/// Where definitions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The servers of the budgets file.
    Budgets,
    /// One server, as it was written on the command line.
    Server(WrittenSource),
    /// Files; `-` is standard input.
    Files(Vec<PathBuf>),
    /// The servers of a client's config.
    Config {
        /// The file.
        file: PathBuf,
        /// The servers in question; empty for all that the client launches.
        servers: Vec<String>,
    },
}

/// How servers are measured, where the command line says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launching {
    /// How long a server may take.
    pub timeout: Option<Duration>,
    /// The revision to speak.
    pub protocol: Option<String>,
    /// Client capabilities to declare; empty where the command line names none.
    pub capabilities: Vec<String>,
    /// How many servers at the same time; `None` for the cores, at least 4.
    pub jobs: Option<usize>,
}

/// The documents of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documents {
    /// The format of standard output.
    pub format: Format,
    /// The files to write beside it.
    pub files: Vec<(Format, PathBuf)>,
    /// What ranks the rows.
    pub sort: SortKey,
    /// The most rows of a server.
    pub top: Option<usize>,
    /// Tokens of the context window.
    pub context_window: u64,
    /// Which CI system `check` speaks to.
    pub ci: Ci,
}

/// How the screen looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// When to use colours.
    pub color: Color,
    /// How much standard error tells.
    pub talk: Talk,
}

/// How much standard error tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Talk {
    /// Errors.
    Quiet,
    /// Errors, and progress on a terminal.
    Normal,
    /// Every step.
    Verbose,
}

impl Measure {
    /// The entries of the budgets file that the plan names, by `--server`, by `--name`, or as servers of a config.
    pub(crate) fn named_entries(&self) -> Vec<String> {
        let of_config = match (&self.source, &self.name) {
            (Source::Config { servers, .. }, None) => servers.as_slice(),
            _ => &[],
        };
        self.only.iter().chain(&self.name).chain(of_config).cloned().collect()
    }
}
