//! The commands that look at more than one measurement: `diff` and `audit`.

use std::path::PathBuf;

use clap::Args;

use super::documents::{Color, DOCUMENTS, ScreenArgs};
use super::sources::{LaunchArgs, parse_input};
use crate::clients::Client;
use crate::render::{AuditFormat, DiffFormat};

pub(super) const DIFF_EXAMPLES: &str = "\
Examples:
  mcp-footprint diff before.json after.json             two captures or two JSON reports
  mcp-footprint diff origin/main                        the budgets of a branch and of the work tree
  mcp-footprint diff v1.0 v1.1 --format json            the budgets of two tags";

pub(super) const AUDIT_EXAMPLES: &str = "\
Examples:
  mcp-footprint audit                        what each client would launch; launches nothing
  mcp-footprint audit --run                  what each client's servers cost
  mcp-footprint audit --run --client cursor --format json";

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// A capture, a JSON report, a budgets.toml, or a git revision of budgets.toml
    pub(crate) old: String,
    /// The same; without it, the budgets.toml of the work tree
    pub(crate) new: Option<String>,
    /// The budgets file whose revisions are meant, instead of the nearest budgets.toml upward
    #[arg(long, value_name = "FILE")]
    pub(crate) budgets: Option<PathBuf>,
    /// The format of standard output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: DiffFormat,
    /// When to use colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Launch the servers and price them, all at the same time unless --jobs says how many
    #[arg(long)]
    pub(crate) run: bool,
    /// Only this client (repeatable)
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) client: Vec<Client>,
    /// The value of an `${input:ID}` of VS Code (repeatable)
    #[arg(long, value_name = "ID=VALUE", value_parser = parse_input)]
    pub(crate) input: Vec<(String, String)>,
    /// The format of standard output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = DOCUMENTS)]
    pub(crate) format: AuditFormat,
    /// Show the N heaviest tools over all
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = DOCUMENTS)]
    pub(crate) top: usize,
    /// The context window, in tokens, that shares are told of
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = DOCUMENTS)]
    pub(crate) context_window: u64,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
}
