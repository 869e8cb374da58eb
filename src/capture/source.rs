//! Where definitions come from, resolved: what to launch, ask or open, ready to use. No `${NAME}` is left in what is
//! used; what was written is kept beside it for the documents, so that no secret reaches them.

use std::path::PathBuf;
use std::time::Duration;

use crate::secrets::Secrets;

/// One server to capture.
#[derive(Clone, Debug)]
pub struct Target {
    /// The name that the user gave it, in budgets.toml or by `--name`; `None` to take the server's own.
    pub name: Option<String>,
    /// Where its definitions come from.
    pub source: Source,
    /// What is written into captures about the source.
    pub origin: Origin,
    /// The revision to speak: `None` or `"auto"` to find out.
    pub protocol: Option<String>,
    /// Client capabilities to declare, by name.
    pub capabilities: Vec<String>,
    /// How long everything from the launch to the last page may take.
    pub timeout: Duration,
    /// What must be masked in everything that is written.
    pub secrets: Secrets,
}

/// Where definitions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A process, spoken to over its pipes.
    Stdio(Launch),
    /// A streamable HTTP endpoint.
    Http(Endpoint),
    /// A file; `-` is standard input. `entry` chooses one server of a capture that holds several.
    File {
        /// The path.
        path: PathBuf,
    },
}

/// A command ready to be launched.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Launch {
    /// A command to run to its end before the launch, with its arguments.
    pub prepare: Option<Vec<String>>,
    /// How long `prepare` may take.
    pub prepare_timeout: Duration,
    /// The program: a bare name goes through `PATH`, one with a slash is relative to `cwd`.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables added to the inherited environment.
    pub env: Vec<(String, String)>,
    /// The working directory, absolute.
    pub cwd: PathBuf,
}

/// A streamable HTTP endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endpoint {
    /// The URL exactly as given, expanded.
    pub url: String,
    /// Header names and values, expanded.
    pub headers: Vec<(String, String)>,
}

/// A source as it was written, `${NAME}` unexpanded, in the words of client configs. Never holds an expanded secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Origin {
    /// The program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The names of the variables that were added to the environment; never their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The URL without user info and query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The config of a client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
}

impl Origin {
    /// The origin with every secret in its command line replaced by the name it is known by.
    pub fn masked(mut self, secrets: &Secrets) -> Self {
        self.command = self.command.map(|command| secrets.mask(&command));
        self.args = self.args.iter().map(|arg| secrets.mask(arg)).collect();
        self
    }
}
