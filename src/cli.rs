//! The command line as clap reads it: types and help, nothing else. Rules across flags that clap cannot state stand
//! in [`crate::plan`].

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::budgets::parse_timeout;
use crate::clients::Client;
use crate::render::{DiffFormat, Format};
use crate::report::SortKey;
use crate::view::View;

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
    /// Hold every server of budgets.toml to its bands; never writes
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Write what was measured into budgets.toml: lowers freely, raises with --raise --reason
    #[command(after_help = PIN_EXAMPLES)]
    Pin(PinArgs),
    /// Measure a server and add it to budgets.toml
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
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  mcp-footprint completions bash > ~/.local/share/bash-completion/completions/mcp-footprint"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page
    #[command(after_help = "Example:\n  mcp-footprint man | man -l -")]
    Man,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  mcp-footprint check                                   every server of the nearest budgets.toml
  mcp-footprint check --server notes                    one of them
  mcp-footprint check --output json=footprint.json      a table to read and a document to keep, from one launch
  mcp-footprint check --from a.json --from b.json       gate what other jobs have captured
  mcp-footprint check --base origin/main                refuse what was raised or loosened without a new reason
  mcp-footprint check --against main.json               what this change adds, also when it passes";

const DIFF_EXAMPLES: &str = "\
Examples:
  mcp-footprint diff before.json after.json             two captures or two JSON reports
  mcp-footprint diff origin/main                        the budgets of a branch and of the work tree
  mcp-footprint diff v1.0 v1.1 --format json            the budgets of two tags";

const PIN_EXAMPLES: &str = "\
Examples:
  mcp-footprint pin                                     bank every win
  mcp-footprint pin --dry-run                           say what would be written
  mcp-footprint pin --server notes --raise --reason 'search_notes, issue 41'";

const INIT_EXAMPLES: &str = "\
Examples:
  mcp-footprint init -- node dist/index.js
  mcp-footprint init --name notes --env 'TOKEN=${NOTES_TOKEN:-dummy}' -- uvx notes-server
  mcp-footprint init --write github --write pre-commit
  mcp-footprint init --name docs --url https://example.com/mcp --header 'Authorization: Bearer ${DOCS_TOKEN}'";

const CAPTURE_EXAMPLES: &str = "\
Examples:
  mcp-footprint capture -o before.json -- node dist/index.js
  mcp-footprint --from before.json";

const AUDIT_EXAMPLES: &str = "\
Examples:
  mcp-footprint audit                        what each client would launch; launches nothing
  mcp-footprint audit --run                  what each client's servers cost
  mcp-footprint audit --run --client cursor --format json";

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

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  mcp-footprint explain search_notes                    one screen of the heaviest parts
  mcp-footprint explain search_notes --depth 4 --threshold 20 -- node dist/index.js";

const ADVISE_EXAMPLES: &str = "\
Examples:
  mcp-footprint advise                                  every server of the nearest budgets.toml
  mcp-footprint advise --top 5 -- node dist/index.js";

const DEFER_EXAMPLES: &str = "\
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
    #[arg(long, value_name = "N")]
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
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
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

/// The formats of an audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// For a person
    #[default]
    Table,
    /// Version 1 of the documented JSON, with the clients
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
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
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
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
pub(crate) struct PinArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
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
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
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
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
    /// Where to save the capture; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

const SOURCE: &str = "Source (without one: the servers of budgets.toml)";
const LAUNCH: &str = "Measuring";
const COMPARING: &str = "Comparing";
const DOCUMENTS: &str = "Documents";

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
    /// The value of an `${input:ID}` of the config (repeatable)
    #[arg(long, value_name = "ID=VALUE", requires = "config", value_parser = parse_input, help_heading = SOURCE)]
    pub(crate) input: Vec<(String, String)>,
    /// What to call the server of SOURCE
    #[arg(long, value_name = "NAME", help_heading = SOURCE)]
    pub(crate) name: Option<String>,
    /// The budgets file, instead of the nearest budgets.toml upward
    #[arg(long, value_name = "FILE", help_heading = SOURCE)]
    pub(crate) budgets: Option<PathBuf>,
    /// Only this server of budgets.toml, or of the config (repeatable)
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
    #[arg(long, value_name = "DATE", help_heading = LAUNCH)]
    pub(crate) protocol: Option<String>,
    /// Declare a client capability, such as roots (repeatable); servers list other tools then
    #[arg(long, value_name = "NAME", help_heading = LAUNCH)]
    pub(crate) capability: Vec<String>,
    /// How many servers to measure at the same time [default: the cores, at least 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = LAUNCH)]
    pub(crate) jobs: Option<u16>,
}

/// What documents are written, and how the screen looks.
#[derive(Debug, Args)]
pub(crate) struct DocumentArgs {
    /// The format of standard output
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = DOCUMENTS)]
    pub(crate) format: Format,
    /// Write one more document from the same launch (repeatable)
    #[arg(long, value_name = "FORMAT=PATH", value_parser = parse_output, help_heading = DOCUMENTS)]
    pub(crate) output: Vec<(Format, PathBuf)>,
    /// Show the N heaviest definitions only
    #[arg(long, value_name = "N", help_heading = DOCUMENTS)]
    pub(crate) top: Option<usize>,
    /// The context window, in tokens, that shares are told of
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = DOCUMENTS)]
    pub(crate) context_window: u64,
    /// Speak to a CI system as well: annotations on standard error, Markdown in the step summary
    #[arg(long, value_enum, default_value_t, value_name = "SYSTEM", help_heading = DOCUMENTS)]
    pub(crate) ci: Ci,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
}

/// How the screen looks.
#[derive(Debug, Args)]
pub(crate) struct ScreenArgs {
    /// When to use colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = DOCUMENTS)]
    pub(crate) color: Color,
    /// Nothing on standard error but errors
    #[arg(short, long, conflicts_with = "verbose", help_heading = DOCUMENTS)]
    pub(crate) quiet: bool,
    /// Tell every step on standard error
    #[arg(short, long, help_heading = DOCUMENTS)]
    pub(crate) verbose: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Which CI system a run speaks to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Ci {
    /// The one that the environment tells of
    #[default]
    Auto,
    /// GitHub Actions
    Github,
    /// None
    None,
}

fn parse_reason(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("say why the budgets rise") } else { Ok(text.to_owned()) }
}

fn parse_variable(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE"),
    }
}

fn parse_input(text: &str) -> Result<(String, String), &'static str> {
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

fn parse_output(text: &str) -> Result<(Format, PathBuf), String> {
    let (format, path) = text.split_once('=').filter(|(_, path)| !path.is_empty()).ok_or("write FORMAT=PATH")?;
    let known = Format::value_variants().iter().filter_map(|known| known.to_possible_value());
    let known: Vec<String> = known.map(|known| known.get_name().to_owned()).collect();
    let format = Format::from_str(format, false)
        .map_err(|_| format!("there is no format `{format}`; the formats are {}", known.join(", ")))?;
    Ok((format, PathBuf::from(path)))
}
