//! Arguments -> plan: one plain value that says everything about the run. Nothing is read, opened or launched here.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{CommandFactory, Parser};

use crate::budgets::WrittenSource;
use crate::capture::file::is_standard_input;
use crate::cli::{
    AdviseArgs, AuditFormat, By, Ci, Cli, Color, Command, DeferArgs, DiffArgs, DocumentArgs, ExplainArgs, LaunchArgs,
    ReadyFile, ReportArgs, ScreenArgs, SourceArgs, StudyArgs,
};
use crate::clients::Client;
use crate::defer::Conversation;
use crate::explain::Detail;
use crate::render::{DiffFormat, Format};
use crate::report::SortKey;
use crate::view::View;

pub use crate::cli::StudyFormat;

/// Rows of an explanation without options: with its three lines above them, one screen of 24 lines.
const EXPLAINED_ROWS: usize = 21;

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
    Write(Vec<ReadyFile>),
    /// Prints completions for a shell.
    Completions(clap_complete::Shell),
    /// Prints the man page.
    Man,
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
    /// The budgets file; `None` for the nearest one.
    pub budgets: Option<PathBuf>,
    /// The servers of the budgets file in question; empty for all.
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
        /// The values of inputs, by id.
        inputs: Vec<(String, String)>,
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

impl Plan {
    /// Reads the arguments of a process, its own name first.
    ///
    /// # Errors
    /// clap's own, which is also how `--help` and `--version` come back.
    pub fn from_args(args: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let cli = Cli::try_parse_from(args)?;
        match cli.command.unwrap_or(Command::Report(cli.report)) {
            Command::Report(ReportArgs { source, launch, documents, sort, by, view }) => {
                let screen = screen(&documents.screen);
                let study = by.map(|By::Field| Study::Classes).or(view.map(Study::View));
                if let Some(study) = study {
                    let format = match documents.format {
                        Format::Table => StudyFormat::Table,
                        Format::Json => StudyFormat::Json,
                        _ => return Err(usage("--by and --view are shown as `table` or `json`")),
                    };
                    return measure(Goal::Study { study, format }, source, launch, screen);
                }
                measure(Goal::Report(documents_of(documents, sort)), source, launch, screen)
            }
            Command::Check(args) => {
                let screen = screen(&args.documents.screen);
                let documents = documents_of(args.documents, SortKey::default());
                let references = References { base: args.base, against: args.against };
                measure(Goal::Check(documents, references), args.source, args.launch, screen)
            }
            Command::Explain(ExplainArgs { tool, depth, threshold, study }) => {
                let detail = match (depth, threshold) {
                    (None, None) => Detail::Rows(EXPLAINED_ROWS),
                    _ => Detail::Parts { depth, threshold: threshold.unwrap_or(1) },
                };
                studied(Study::Explain { tool, detail }, study)
            }
            Command::Advise(AdviseArgs { top, study }) => studied(Study::Advise { top }, study),
            Command::Defer(DeferArgs { lookups, turns, suggest, usage, study }) => {
                let conversation = Conversation { lookups, turns };
                studied(Study::Defer { conversation, suggest, usage }, study)
            }
            Command::Pin(args) => {
                let goal = Goal::Pin { raise: args.reason, dry_run: args.dry_run };
                measure(goal, args.source, args.launch, screen(&args.screen))
            }
            Command::Init(args) => {
                let SourceArgs { command, url, from, config, server, .. } = &args.source;
                let nothing = command.is_empty() && url.is_none() && from.is_empty() && config.is_none();
                if nothing && args.source.name.is_none() && !args.write.is_empty() {
                    return Ok(Plan::Write(args.write));
                }
                if config.is_some() && server.len() != 1 {
                    return Err(usage("init adds one server at a time; choose it with --server NAME"));
                }
                if command.is_empty() && url.is_none() && config.is_none() && from.len() != 1 {
                    return Err(usage("init needs one SOURCE: -- COMMAND, --url URL, --from FILE or --config FILE"));
                }
                if args.source.from.iter().any(|file| is_standard_input(file)) {
                    return Err(usage(
                        "init writes down where the tools come from; save standard input to a file first",
                    ));
                }
                measure(Goal::Init { write: args.write }, args.source, args.launch, screen(&args.screen))
            }
            Command::Capture(args) => {
                let goal = Goal::Capture { file: args.output };
                measure(goal, args.source, args.launch, screen(&args.screen))
            }
            Command::Diff(DiffArgs { old, new, budgets, format, color }) => {
                Ok(Plan::Diff(Diff { old, new, budgets, format, color }))
            }
            Command::Audit(args) => Ok(Plan::Audit(Box::new(Audit {
                run: args.run,
                clients: args.client,
                inputs: args.input,
                format: args.format,
                top: args.top,
                context_window: args.context_window,
                launch: launching(args.launch),
                screen: screen(&args.screen),
            }))),
            Command::Completions { shell } => Ok(Plan::Completions(shell)),
            Command::Man => Ok(Plan::Man),
        }
    }
}

fn studied(study: Study, args: StudyArgs) -> Result<Plan, clap::Error> {
    let StudyArgs { source, launch, format, screen: look } = args;
    measure(Goal::Study { study, format }, source, launch, screen(&look))
}

fn measure(goal: Goal, source: SourceArgs, launch: LaunchArgs, screen: Screen) -> Result<Plan, clap::Error> {
    let nameless = source.command.is_empty() && source.url.is_none() && source.from.is_empty();
    if source.name.is_some() && nameless && source.config.is_none() {
        return Err(usage("--name names the server of a SOURCE; to choose one of budgets.toml, use --server"));
    }
    if source.name.is_some() && source.from.len() > 1 {
        return Err(usage("--name names one server, and several --from hold several"));
    }
    if source.name.is_some() && source.config.is_some() && source.server.len() != 1 {
        return Err(usage("--name names one server; choose one of the config with --server"));
    }
    let mut only = source.server;
    let mut words = source.command.into_iter();
    let from = match (words.next(), source.url) {
        (Some(command), _) => Source::Server(WrittenSource::Command {
            prepare: None,
            command,
            args: words.collect(),
            env: source.env,
            cwd: source.cwd,
        }),
        (None, Some(url)) => Source::Server(WrittenSource::Url { url, headers: source.header }),
        (None, None) if source.config.is_some() => Source::Config {
            file: source.config.unwrap_or_default(),
            servers: std::mem::take(&mut only),
            inputs: source.input,
        },
        (None, None) if source.from.is_empty() => Source::Budgets,
        (None, None) => Source::Files(source.from),
    };
    Ok(Plan::Measure(Box::new(Measure {
        goal,
        source: from,
        name: source.name,
        budgets: source.budgets,
        only,
        launch: launching(launch),
        screen,
    })))
}

fn launching(args: LaunchArgs) -> Launching {
    let LaunchArgs { timeout, protocol, capability: capabilities, jobs } = args;
    Launching { timeout, protocol, capabilities, jobs: jobs.map(usize::from) }
}

fn documents_of(args: DocumentArgs, sort: SortKey) -> Documents {
    let DocumentArgs { format, output: files, top, context_window, ci, .. } = args;
    Documents { format, files, sort, top, context_window, ci }
}

fn screen(args: &ScreenArgs) -> Screen {
    let talk = match (args.quiet, args.verbose) {
        (true, _) => Talk::Quiet,
        (_, true) => Talk::Verbose,
        _ => Talk::Normal,
    };
    Screen { color: args.color, talk }
}

fn usage(message: &str) -> clap::Error {
    Cli::command().error(clap::error::ErrorKind::MissingRequiredArgument, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(args: &str) -> Result<Plan, clap::Error> {
        Plan::from_args(std::iter::once("mcp-footprint").chain(args.split_whitespace()).map(OsString::from))
    }

    fn measured(args: &str) -> Measure {
        match plan(args) {
            Ok(Plan::Measure(measure)) => *measure,
            other => panic!("{args}: {other:?}"),
        }
    }

    #[test]
    fn clap_finds_no_fault_in_the_command_line() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_command_is_a_report_on_the_servers_of_the_budgets_file() {
        let bare = measured("");
        assert_eq!(bare.source, Source::Budgets);
        assert!(matches!(bare.goal, Goal::Report(_)));
        assert_eq!(bare, measured("report"));
    }

    #[test]
    fn everything_after_two_dashes_is_the_server() {
        let Source::Server(WrittenSource::Command { command, args, env, .. }) =
            measured("--env A=b=c -- npx -y --from x").source
        else {
            panic!("no command");
        };
        assert_eq!((command.as_str(), args), ("npx", vec!["-y".into(), "--from".into(), "x".into()]));
        assert_eq!(env, [("A".to_owned(), "b=c".to_owned())]);
    }

    #[test]
    fn sources_exclude_one_another() {
        for args in [
            "--url http://x -- y",
            "--from a --url http://x",
            "--from a -- y",
            "--server s -- y",
            "--config a --from b",
            "--config a -- y",
            "--config a --url http://x",
        ] {
            assert!(plan(args).is_err(), "{args}");
        }
    }

    #[test]
    fn what_belongs_to_another_flag_is_refused_alone() {
        for args in [
            "--env A=b",
            "--cwd x",
            "--header A:b",
            "pin --raise",
            "pin --reason x",
            "pin --raise --reason=",
            "init",
            "init --from -",
            "--name x",
            "--input a=b",
            "init --config a",
            "--config a --name x",
            "audit --run --client nobody",
            "init --write jenkins",
        ] {
            assert!(plan(args).is_err(), "{args}");
        }
    }

    #[test]
    fn ready_files_need_no_source_and_may_go_with_one() {
        assert_eq!(plan("init --write gitlab").unwrap(), Plan::Write(vec![ReadyFile::Gitlab]));
        assert_eq!(measured("init --write github -- x").goal, Goal::Init { write: vec![ReadyFile::Github] });
    }

    #[test]
    fn a_document_names_its_format_and_its_path() {
        let Goal::Check(documents, _) = measured("check --output json=a=b.json --output table=t").goal else {
            panic!("no check");
        };
        assert_eq!(documents.files, [(Format::Json, "a=b.json".into()), (Format::Table, "t".into())]);
        for args in ["check --output json", "check --output json=", "check --output yaml=x"] {
            assert!(plan(args).is_err(), "{args}");
        }
    }

    #[test]
    fn a_timeout_needs_a_unit_and_unknown_flags_are_errors() {
        assert_eq!(measured("--timeout 500ms").launch.timeout, Some(Duration::from_millis(500)));
        for args in ["--timeout soon", "--colour always", "check --sort name"] {
            assert!(plan(args).is_err(), "{args}");
        }
    }
}
