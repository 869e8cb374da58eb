//! The commands that look into a measurement: `explain`, `advise` and `defer`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::documents::{DOCUMENTS, ScreenArgs};
use super::sources::MeasureArgs;

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  mcp-footprint explain search_notes                    one screen of the heaviest parts
  mcp-footprint explain search_notes --depth 4 --threshold 20 -- node dist/index.js";

pub(super) const ADVISE_EXAMPLES: &str = "\
Examples:
  mcp-footprint advise                                  every server of the nearest budgets.toml
  mcp-footprint advise --top 5 -- node dist/index.js";

pub(super) const DEFER_EXAMPLES: &str = "\
Examples:
  mcp-footprint defer --lookups 3 --turns 20 -- node dist/index.js
  mcp-footprint defer --suggest 5 --usage calls.csv     with lines such as search_notes,0.4";

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The name of the tool, as `report` shows it
    #[arg(value_name = "TOOL")]
    pub(crate) tool: String,
    /// Show every part down to this depth; 0 is the definition itself
    #[arg(long, value_name = "N", help_heading = DOCUMENTS)]
    pub(crate) depth: Option<usize>,
    /// Show every part of at least so many tokens
    #[arg(long, value_name = "TOKENS", help_heading = DOCUMENTS)]
    pub(crate) threshold: Option<u64>,
    #[command(flatten)]
    pub(crate) study: StudyArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AdviseArgs {
    /// Show the N largest savings of a server only; the total is of all
    #[arg(long, value_name = "N", help_heading = DOCUMENTS)]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) study: StudyArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DeferArgs {
    /// How many tools are looked up in the conversation
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub(crate) lookups: u64,
    /// How many turns the conversation has
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) turns: u64,
    /// Name the N tools that are best deferred
    #[arg(long, value_name = "N", value_parser = parse_suggest)]
    pub(crate) suggest: Option<usize>,
    /// Calls per turn: CSV lines of tool,calls, or JSON lines of {"tool":…,"calls":…}
    #[arg(long, value_name = "FILE", requires = "suggest")]
    pub(crate) usage: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) study: StudyArgs,
}

/// What every look into a measurement takes.
#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    #[command(flatten)]
    pub(crate) measured: MeasureArgs,
    /// The format of standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = DOCUMENTS)]
    pub(crate) format: StudyFormat,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
}

/// The formats of what is looked into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StudyFormat {
    /// Aligned, for a person
    #[default]
    Table,
    /// JSON, for programs
    Json,
}

/// What the floor is parted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The fields of a definition, and what a schema spends its tokens on
    Field,
}

fn parse_suggest(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|number| *number > 0).ok_or("write how many tools to name, such as 5")
}
