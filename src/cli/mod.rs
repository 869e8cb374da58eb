//! The command line as clap reads it: types and help, nothing else. Rules across flags that clap cannot state stand
//! in [`crate::plan`].

use clap::{Parser, Subcommand};

mod compare;
mod documents;
mod gate;
mod sources;
mod study;

use compare::{AUDIT_EXAMPLES, DIFF_EXAMPLES};
use gate::{CAPTURE_EXAMPLES, CHECK_EXAMPLES, INIT_EXAMPLES, PIN_EXAMPLES};
use study::{ADVISE_EXAMPLES, DEFER_EXAMPLES, EXPLAIN_EXAMPLES};

pub(crate) use compare::{AuditArgs, DiffArgs};
pub(crate) use documents::{Ci, Color, DocumentArgs, ScreenArgs};
pub(crate) use gate::{CaptureArgs, CheckArgs, InitArgs, PinArgs, ReadyFile, ReportArgs};
pub(crate) use sources::{LaunchArgs, MeasureArgs, SourceArgs};
pub(crate) use study::{AdviseArgs, By, DeferArgs, ExplainArgs, StudyArgs};

pub use study::StudyFormat;

/// Price the tool definitions of an MCP server in tokens, and hold them to a committed budget
#[derive(Debug, Parser)]
#[command(name = "mcp-footprint", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(
    long_about = "Every tool that an MCP server advertises is sent to the model with its full definition on every \
                  turn, called or not. mcp-footprint launches the server, captures tools/list, prices every \
                  definition in o200k_base tokens, offline, and holds the totals to budgets.toml: growth is refused, \
                  and so is a win that nobody banked.",
    after_help = EXAMPLES
)]
pub(crate) struct Cli {
    /// What to do; `report` where nothing is said.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  mcp-footprint -- npx -y @modelcontextprotocol/server-everything   price one server
  mcp-footprint init --name notes -- node dist/index.js             measure it and write budgets.toml
  mcp-footprint check                                               hold every server to its budget
  mcp-footprint pin --raise --reason 'search_notes, issue 41'       accept what grew, and say why

Exit codes:
  0  done; for check: every server is inside its bands
  1  the gate refused; or pin needs --raise; or there are no tools to pin
  2  wrong usage, a bad or missing budgets.toml, or a document that cannot be written
  3  at least one server was not measured";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Price and rank the definitions; never gates (the default)
    Report(ReportArgs),
    /// Hold every server and client of budgets.toml to its bands; never writes
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Write what was measured into budgets.toml: lowers freely, raises with --raise --reason
    #[command(after_help = PIN_EXAMPLES)]
    Pin(PinArgs),
    /// Measure a server, or all servers of a client's config, and add it to budgets.toml
    #[command(after_help = INIT_EXAMPLES)]
    Init(InitArgs),
    /// Save what a server lists, to price it again with --from
    #[command(after_help = CAPTURE_EXAMPLES)]
    Capture(CaptureArgs),
    /// Show where one definition's tokens sit, by JSON path; the parts add up exactly
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// Say what to trim, with savings measured by counting again; never gates
    #[command(after_help = ADVISE_EXAMPLES)]
    Advise(AdviseArgs),
    /// Price the same server under deferred loading
    #[command(after_help = DEFER_EXAMPLES)]
    Defer(DeferArgs),
    /// Tell what moved between two captures, reports, or git revisions of budgets.toml; never gates
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Find the servers of the MCP clients on this machine; with --run, launch and price them
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(AuditArgs),
    /// Print the JSON Schema of budgets.toml, for editors, or of a JSON document
    #[command(after_help = "Example:\n  mcp-footprint schema budgets > budgets.schema.json")]
    Schema {
        /// What it is the schema of
        #[arg(value_enum)]
        of: crate::schema::Schema,
    },
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  mcp-footprint completions bash > ~/.local/share/bash-completion/completions/mcp-footprint"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page, of the program or of one command
    #[command(
        after_help = "Examples:\n  mcp-footprint man | man -l -\n  mcp-footprint man check > ~/.local/share/man/man1/mcp-footprint-check.1"
    )]
    Man {
        /// The command; without one, the program
        command: Option<String>,
    },
}
