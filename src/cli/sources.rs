//! Where definitions come from, and how servers are measured.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::budgets::parse_timeout;
use crate::capture::offer::{parse_capability, parse_revision};

const SOURCE: &str = "Source (without one: the servers of budgets.toml)";
const LAUNCH: &str = "Measuring";

/// What every command takes that measures servers.
#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
}

/// Where definitions come from.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// The server to launch, after `--`, with its arguments
    #[arg(last = true, value_name = "COMMAND", help_heading = SOURCE, conflicts_with_all = ["from", "url", "config"])]
    pub(crate) command: Vec<String>,
    /// Add a variable to the server's environment; `${NAME}` takes one of yours
    #[arg(long, value_name = "K=V", requires = "command", value_parser = parse_variable, help_heading = SOURCE)]
    pub(crate) env: Vec<(String, String)>,
    /// Start the server in this directory
    #[arg(long, value_name = "DIR", requires = "command", help_heading = SOURCE)]
    pub(crate) cwd: Option<String>,
    /// The streamable HTTP endpoint to ask
    #[arg(long, value_name = "URL", conflicts_with_all = ["from", "config"], help_heading = SOURCE)]
    pub(crate) url: Option<String>,
    /// A header for every request; `${NAME}` takes a variable of yours
    #[arg(long, value_name = "K: V", requires = "url", value_parser = parse_header, help_heading = SOURCE)]
    pub(crate) header: Vec<(String, String)>,
    /// A capture, a tools/list result, an array of tools, or JSON lines of responses; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = SOURCE)]
    pub(crate) from: Vec<PathBuf>,
    /// The config of an MCP client, such as .mcp.json; its enabled servers, or those of --server
    #[arg(long, value_name = "FILE", conflicts_with = "from", help_heading = SOURCE)]
    pub(crate) config: Option<PathBuf>,
    /// The value of an `${input:ID}` of the config, or of the clients of budgets.toml (repeatable)
    #[arg(long, value_name = "ID=VALUE", conflicts_with_all = ["command", "url", "from"], value_parser = parse_input, help_heading = SOURCE)]
    pub(crate) input: Vec<(String, String)>,
    /// What to call the server of SOURCE, or the client that `init --config` adds
    #[arg(long, value_name = "NAME", value_parser = parse_name, help_heading = SOURCE)]
    pub(crate) name: Option<String>,
    /// The budgets file, instead of the nearest budgets.toml upward
    #[arg(long, value_name = "FILE", help_heading = SOURCE)]
    pub(crate) budgets: Option<PathBuf>,
    /// Only this server or client of budgets.toml, or server of the config (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["command", "url"], help_heading = SOURCE)]
    pub(crate) server: Vec<String>,
}

/// How servers are measured; each beats what budgets.toml says.
#[derive(Debug, Args)]
pub(crate) struct LaunchArgs {
    /// How long a server may take from its launch to its last page [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, help_heading = LAUNCH)]
    pub(crate) timeout: Option<Duration>,
    /// The revision of MCP to speak, such as 2025-11-25, or `auto`
    #[arg(long, value_name = "DATE", value_parser = parse_revision, help_heading = LAUNCH)]
    pub(crate) protocol: Option<String>,
    /// Declare a client capability, such as roots (repeatable); servers list other tools then
    #[arg(long, value_name = "NAME", value_parser = parse_capability, help_heading = LAUNCH)]
    pub(crate) capability: Vec<String>,
    /// How many servers to measure at the same time [default: the cores, at least 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = LAUNCH)]
    pub(crate) jobs: Option<u16>,
}

fn parse_name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("write a name that can be seen") } else { Ok(text.to_owned()) }
}

fn parse_variable(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE"),
    }
}

pub(super) fn parse_input(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((id, value)) if !id.is_empty() => Ok((id.to_owned(), value.to_owned())),
        _ => Err("write ID=VALUE"),
    }
}

fn parse_header(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write 'Name: value'"),
    }
}
