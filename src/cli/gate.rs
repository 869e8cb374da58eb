//! The commands that measure: `report`, `check`, `pin`, `init` and `capture`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::documents::{DOCUMENTS, DocumentArgs, ScreenArgs};
use super::sources::MeasureArgs;
use super::study::By;
use crate::report::SortKey;
use crate::view::View;
use crate::visible::is_blank;

const COMPARING: &str = "Comparing";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  mcp-footprint check                                   every server and client of the nearest budgets.toml
  mcp-footprint check --server notes                    one of them
  mcp-footprint check --output json=footprint.json      a table to read and a document to keep, from one launch
  mcp-footprint check --from a.json --from b.json       gate what other jobs have captured
  mcp-footprint check --base origin/main                refuse what was raised or loosened without a new reason
  mcp-footprint check --against main.json               what this change adds, also when it passes";

pub(super) const PIN_EXAMPLES: &str = "\
Examples:
  mcp-footprint pin                                     bank every win
  mcp-footprint pin --dry-run                           say what would be written
  mcp-footprint pin --server notes --raise --reason 'search_notes, issue 41'";

pub(super) const INIT_EXAMPLES: &str = "\
Examples:
  mcp-footprint init -- node dist/index.js
  mcp-footprint init --name notes --env 'TOKEN=${NOTES_TOKEN:-dummy}' -- uvx notes-server
  mcp-footprint init --config .mcp.json                 all its servers, held to one budget
  mcp-footprint init --write github --write pre-commit
  mcp-footprint init --name docs --url https://example.com/mcp --header 'Authorization: Bearer ${DOCS_TOKEN}'";

pub(super) const CAPTURE_EXAMPLES: &str = "\
Examples:
  mcp-footprint capture -o before.json -- node dist/index.js
  mcp-footprint --from before.json";

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) measured: MeasureArgs,
    #[command(flatten)]
    pub(crate) documents: DocumentArgs,
    /// What to rank the definitions by
    #[arg(long, value_enum, default_value_t, value_name = "KEY", help_heading = DOCUMENTS)]
    pub(crate) sort: SortKey,
    /// Show what the floor is spent on instead of the tools
    #[arg(long, value_enum, value_name = "PART", conflicts_with_all = ["output", "top", "sort", "view"], help_heading = DOCUMENTS)]
    pub(crate) by: Option<By>,
    /// Show what a provider's request format carries, beside the gated figure
    #[arg(long, value_enum, value_name = "VIEW", conflicts_with_all = ["output", "top", "sort"], help_heading = DOCUMENTS)]
    pub(crate) view: Option<View>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) measured: MeasureArgs,
    #[command(flatten)]
    pub(crate) documents: DocumentArgs,
    /// Refuse what budgets.toml loosened without a new reason since this git revision's merge base
    #[arg(long, value_name = "REF", help_heading = COMPARING)]
    pub(crate) base: Option<String>,
    /// Show what moved since this capture or JSON report, also when every band passes
    #[arg(long, value_name = "FILE", help_heading = COMPARING)]
    pub(crate) against: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PinArgs {
    #[command(flatten)]
    pub(crate) measured: MeasureArgs,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
    /// Let budgets rise; needs --reason
    #[arg(long, requires = "reason")]
    pub(crate) raise: bool,
    /// Why they rise; written beside every budget that does
    #[arg(long, value_name = "TEXT", requires = "raise", value_parser = parse_reason)]
    pub(crate) reason: Option<String>,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    #[command(flatten)]
    pub(crate) measured: MeasureArgs,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
    /// Also write a ready file for CI or pre-commit, never over one that exists; needs no SOURCE (repeatable)
    #[arg(long, value_enum, value_name = "WHERE")]
    pub(crate) write: Vec<ReadyFile>,
}

/// The files that `init --write` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadyFile {
    /// .github/workflows/mcp-footprint.yml
    Github,
    /// .gitlab-ci.yml
    Gitlab,
    /// .pre-commit-config.yaml
    PreCommit,
}

#[derive(Debug, Args)]
pub(crate) struct CaptureArgs {
    #[command(flatten)]
    pub(crate) measured: MeasureArgs,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
    /// Where to save the capture; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

fn parse_reason(text: &str) -> Result<String, &'static str> {
    if is_blank(text) { Err("say why the budgets rise") } else { Ok(text.to_owned()) }
}
