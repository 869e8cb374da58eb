//! Arguments -> plan: one plain value that says everything about the run. Nothing is read, opened or launched here.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{CommandFactory, Parser};

use crate::budgets::WrittenSource;
use crate::cli::{
    Cli, Color, Command, DiffArgs, DocumentArgs, LaunchArgs, ReadyFile, ReportArgs, ScreenArgs, SourceArgs,
};
use crate::render::{DiffFormat, Format};
use crate::report::SortKey;

/// What one run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Measures servers, for some goal.
    Measure(Box<Measure>),
    /// Compares what was measured before.
    Diff(Diff),
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

/// What a measurement is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To be read.
    Report(Documents),
    /// To be held to the budgets, and compared.
    Check(Documents, References),
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

impl Plan {
    /// Reads the arguments of a process, its own name first.
    ///
    /// # Errors
    /// clap's own, which is also how `--help` and `--version` come back.
    pub fn from_args(args: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let cli = Cli::try_parse_from(args)?;
        match cli.command.unwrap_or(Command::Report(cli.report)) {
            Command::Report(ReportArgs { source, launch, documents, sort }) => {
                let screen = screen(&documents.screen);
                measure(Goal::Report(documents_of(documents, sort)), source, launch, screen)
            }
            Command::Check(args) => {
                let screen = screen(&args.documents.screen);
                let documents = documents_of(args.documents, SortKey::default());
                let references = References { base: args.base, against: args.against };
                measure(Goal::Check(documents, references), args.source, args.launch, screen)
            }
            Command::Pin(args) => {
                let goal = Goal::Pin { raise: args.reason, dry_run: args.dry_run };
                measure(goal, args.source, args.launch, screen(&args.screen))
            }
            Command::Init(args) => {
                let has_source = !args.source.command.is_empty() || args.source.url.is_some();
                if !has_source && args.source.from.is_empty() && args.source.name.is_none() && !args.write.is_empty() {
                    return Ok(Plan::Write(args.write));
                }
                if !has_source && args.source.from.len() != 1 {
                    return Err(usage("init needs one SOURCE: -- COMMAND, --url URL or --from FILE"));
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
            Command::Completions { shell } => Ok(Plan::Completions(shell)),
            Command::Man => Ok(Plan::Man),
        }
    }
}

fn measure(goal: Goal, source: SourceArgs, launch: LaunchArgs, screen: Screen) -> Result<Plan, clap::Error> {
    if source.name.is_some() && source.command.is_empty() && source.url.is_none() && source.from.is_empty() {
        return Err(usage("--name names the server of a SOURCE; to choose one of budgets.toml, use --server"));
    }
    if source.name.is_some() && source.from.len() > 1 {
        return Err(usage("--name names one server, and several --from hold several"));
    }
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
        (None, None) if source.from.is_empty() => Source::Budgets,
        (None, None) => Source::Files(source.from),
    };
    Ok(Plan::Measure(Box::new(Measure {
        goal,
        source: from,
        name: source.name,
        budgets: source.budgets,
        only: source.server,
        launch: Launching {
            timeout: launch.timeout,
            protocol: launch.protocol,
            capabilities: launch.capability,
            jobs: launch.jobs.map(usize::from),
        },
        screen,
    })))
}

fn documents_of(args: DocumentArgs, sort: SortKey) -> Documents {
    let DocumentArgs { format, output: files, top, context_window, .. } = args;
    Documents { format, files, sort, top, context_window }
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
        for args in ["--url http://x -- y", "--from a --url http://x", "--from a -- y", "--server s -- y"] {
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
            "init",
            "--name x",
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
