//! Arguments -> plan.

use std::ffi::OsString;

use clap::Parser;

use super::rules::{self, usage, usage_of_init};
use super::tips::with_tip;
use super::{
    Audit, Diff, Documents, Goal, Launching, Measure, Plan, References, Screen, Source, Study, StudyFormat, Talk,
};
use crate::budgets::WrittenSource;
use crate::capture::file::is_standard_input;
use crate::cli::{
    AdviseArgs, AuditArgs, By, Cli, Command, DeferArgs, DiffArgs, DocumentArgs, ExplainArgs, InitArgs, LaunchArgs,
    MeasureArgs, ReportArgs, ScreenArgs, SourceArgs, StudyArgs,
};
use crate::defer::Conversation;
use crate::explain::Detail;
use crate::render::Format;
use crate::report::SortKey;

/// Rows of an explanation without options: with its three lines above them, one screen of 24 lines.
const EXPLAINED_ROWS: usize = 21;

impl Plan {
    /// Reads the arguments of a process, its own name first.
    ///
    /// # Errors
    /// clap's own, which is also how `--help` and `--version` come back.
    pub fn from_args(args: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let cli = Cli::try_parse_from(args).map_err(with_tip)?;
        match cli.command.unwrap_or(Command::Report(cli.report)) {
            Command::Report(args) => report(args),
            Command::Check(args) => {
                let screen = screen(&args.documents.screen);
                let documents = documents_of(args.documents, SortKey::default());
                let references = References { base: args.base, against: args.against };
                measure(Goal::Check(documents, references), args.measured, screen)
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
                measure(goal, args.measured, screen(&args.screen))
            }
            Command::Init(args) => init(args),
            Command::Capture(args) => {
                let goal = Goal::Capture { file: args.output };
                measure(goal, args.measured, screen(&args.screen))
            }
            Command::Diff(DiffArgs { old, new, budgets, format, color }) => {
                Ok(Plan::Diff(Diff { old, new, budgets, format, color }))
            }
            Command::Audit(args) => Ok(Plan::Audit(Box::new(audit(args)))),
            Command::Schema { of } => Ok(Plan::Schema(of)),
            Command::Completions { shell } => Ok(Plan::Completions(shell)),
            Command::Man { command } => Ok(Plan::Man(command)),
        }
    }
}

fn report(args: ReportArgs) -> Result<Plan, clap::Error> {
    let ReportArgs { measured, documents, sort, by, view } = args;
    let screen = screen(&documents.screen);
    let study = by.map(|By::Field| Study::Classes).or(view.map(Study::View));
    let Some(study) = study else {
        return measure(Goal::Report(documents_of(documents, sort)), measured, screen);
    };
    let format = match documents.format {
        Format::Table => StudyFormat::Table,
        Format::Json => StudyFormat::Json,
        _ => return Err(usage("--by and --view are shown as `table` or `json`")),
    };
    measure(Goal::Study { study, format }, measured, screen)
}

fn init(args: InitArgs) -> Result<Plan, clap::Error> {
    let SourceArgs { command, url, from, config, server, .. } = &args.measured.source;
    let nothing = command.is_empty() && url.is_none() && from.is_empty() && config.is_none();
    if nothing && args.measured.source.name.is_none() && !args.write.is_empty() {
        return Ok(Plan::Write { files: args.write, budgets: args.measured.source.budgets });
    }
    if config.is_some() && server.len() > 1 {
        let message = "init adds one server of a config, chosen with --server NAME, or without --server all of them \
                       together as one client";
        return Err(usage_of_init(message));
    }
    if command.is_empty() && url.is_none() && config.is_none() && from.len() != 1 {
        return Err(usage_of_init("init needs one SOURCE: -- COMMAND, --url URL, --from FILE or --config FILE"));
    }
    if from.iter().any(|file| is_standard_input(file)) {
        return Err(usage_of_init("init writes down where the tools come from; save standard input to a file first"));
    }
    measure(Goal::Init { write: args.write }, args.measured, screen(&args.screen))
}

fn audit(args: AuditArgs) -> Audit {
    Audit {
        run: args.run,
        clients: args.client,
        inputs: args.input,
        format: args.format,
        top: args.top,
        context_window: args.context_window,
        launch: launching(args.launch),
        screen: screen(&args.screen),
    }
}

fn studied(study: Study, args: StudyArgs) -> Result<Plan, clap::Error> {
    let StudyArgs { measured, format, screen: look } = args;
    measure(Goal::Study { study, format }, measured, screen(&look))
}

fn measure(goal: Goal, measured: MeasureArgs, screen: Screen) -> Result<Plan, clap::Error> {
    rules::refuse_contradictions(&goal, &measured)?;
    let MeasureArgs { source, launch } = measured;
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
        (None, None) if source.config.is_some() => {
            Source::Config { file: source.config.unwrap_or_default(), servers: std::mem::take(&mut only) }
        }
        (None, None) if source.from.is_empty() => Source::Budgets,
        (None, None) => Source::Files(source.from),
    };
    Ok(Plan::Measure(Box::new(Measure {
        goal,
        source: from,
        name: source.name,
        inputs: source.input,
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::CommandFactory;

    use super::*;
    use crate::cli::ReadyFile;

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
            "--env A=b --env A=c -- x",
            "--url http://x --header A:b --header a:c",
            "--name= -- x",
            "--from a --protocol auto",
            "check --from a --capability roots",
            "--input a=b -- x",
            "init --config a --server b --server c",
            "--config a --name x",
            "audit --run --client nobody",
            "init --write jenkins",
        ] {
            assert!(plan(args).is_err(), "{args}");
        }
    }

    #[test]
    fn ready_files_need_no_source_and_may_go_with_one() {
        assert_eq!(plan("init --write gitlab").unwrap(), Plan::Write { files: vec![ReadyFile::Gitlab], budgets: None });
        assert_eq!(measured("init --write github -- x").goal, Goal::Init { write: vec![ReadyFile::Github] });
    }

    #[test]
    fn a_document_names_its_format_and_its_path() {
        let Goal::Check(documents, _) = measured("check --output json=a=b.json --output table=t").goal else {
            panic!("no check");
        };
        assert_eq!(documents.files, [(Format::Json, "a=b.json".into()), (Format::Table, "t".into())]);
        for args in ["check --output json", "check --output json=", "check --output yaml=x", "check --output json=-"] {
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
