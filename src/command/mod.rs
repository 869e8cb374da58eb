//! What a measurement is for: one file a goal. Each takes what was captured and gives the code to exit with.

mod at_base;
mod at_revision;
mod audit;
mod collisions;
mod config_entry;
mod diff;
mod gate;
mod init;
mod manual;
mod matching;
mod pin;
mod ready;
mod save;
mod saved;
mod schema_file;
mod study;
mod variations;
mod written;

use std::io::Write;
use std::path::PathBuf;

use crate::budgets::Budgets;
use crate::captured::Captured;
use crate::documents::Documents;
use crate::kind::Kind;
use crate::members::client_of;
use crate::pending_file::PendingFile;
use crate::plan::{self, Goal, Measure, Source, Study, Talk};
use crate::report::{Measurement, Report, ServerReport};
use crate::snapshot::Snapshot;
use crate::usage::{self, Usage};
use crate::{base, defer, render, screen, sources};

pub(crate) use audit::audit;
pub(crate) use diff::diff;
pub(crate) use gate::{check, report};
pub(crate) use init::init;
pub(crate) use manual::{completions, man};
pub(crate) use pin::pin;
pub(crate) use ready::write as write_ready;
pub(crate) use save::capture;
pub(crate) use study::study;

/// What is read and opened before anything is launched.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The budgets file, where the goal or the source needs it.
    pub(crate) budgets: Option<Budgets>,
    /// Where a budgets file is or would be.
    budgets_path: PathBuf,
    /// budgets.toml beside what it said at the base, where one was named.
    base: Option<base::Comparison>,
    /// What was measured earlier, and the file that says so, where one was named.
    earlier: Option<(PathBuf, Vec<Snapshot>)>,
    /// How often tools are called; empty where no file says.
    usage: Usage,
    documents: Option<Documents>,
    capture: Option<PendingFile>,
}

impl Prepared {
    /// Reads the budgets file, checks that the goal can be reached with it, and opens what will be written.
    pub(crate) fn open(plan: &Measure) -> anyhow::Result<Self> {
        let budgets = match &plan.goal {
            Goal::Check(..) | Goal::Pin { .. } => Some(sources::budgets(plan)?),
            Goal::Init { write } => {
                ready::refuse(write, &sources::budgets_place(plan.budgets.as_deref())?)?;
                init::existing(plan)?
            }
            Goal::Report(_) | Goal::Study { .. } | Goal::Capture { .. } => match plan.source {
                Source::Budgets => Some(sources::budgets(plan)?),
                // What is captured elsewhere is looked at as the file says that named it.
                _ if plan.budgets.is_some() => Some(sources::budgets(plan)?),
                _ => None,
            },
        };
        if let (Some(budgets), Goal::Check(..) | Goal::Pin { .. }) = (&budgets, &plan.goal) {
            let named = plan.named_entries();
            let chosen = sources::chosen(budgets, &named)?;
            if matches!(plan.source, Source::Server(_) | Source::Config { .. }) {
                named.iter().try_for_each(|name| matching::refuse_client(budgets, name))?;
            }
            if matches!(plan.goal, Goal::Check(..)) {
                chosen.into_iter().try_for_each(|server| server.require_bands())?;
            }
        }
        let (base, earlier) = match (&plan.goal, &budgets) {
            (Goal::Check(_, references), Some(budgets)) => gate::references(plan, references, budgets)?,
            _ => (None, None),
        };
        let usage = match &plan.goal {
            Goal::Study { study: Study::Defer { usage: Some(path), .. }, .. } => usage::read(path)?,
            _ => Usage::new(),
        };
        collisions::refuse(plan, budgets.as_ref())?;
        let documents = match &plan.goal {
            Goal::Report(documents) | Goal::Check(documents, _) => Some(Documents::open(documents)?),
            _ => None,
        };
        let capture = match &plan.goal {
            Goal::Capture { file } if !crate::capture::file::is_standard_input(file) => Some(PendingFile::open(file)?),
            _ => None,
        };
        Ok(Prepared {
            budgets,
            budgets_path: sources::budgets_place(plan.budgets.as_deref())?,
            base,
            earlier,
            usage,
            documents,
            capture,
        })
    }
}

/// The captures that `--server` leaves; of a client that it names, those of all its servers.
fn only(plan: &Measure, servers: Vec<Captured>) -> Vec<Captured> {
    let is_named = |name: &str| plan.only.iter().any(|wanted| wanted == name);
    let wanted = |server: &Captured| {
        let of_client = client_of(&server.name).is_some_and(|(client, _)| is_named(client));
        plan.only.is_empty() || is_named(&server.name) || of_client || server.outcome.is_err()
    };
    servers.into_iter().filter(wanted).collect()
}

/// Prices what was captured.
fn priced(server: Captured) -> ServerReport {
    ServerReport { name: server.name, kind: Kind::Server, outcome: server.outcome.map(Measurement::of) }
}

/// Prices what was captured as its entry of the budgets file says that clients load it.
fn priced_as_loaded(server: Captured, budgets: Option<&Budgets>) -> ServerReport {
    let ServerReport { name, kind, outcome } = priced(server);
    let globs = budgets.and_then(|budgets| budgets.server(&name)?.defer.as_ref());
    let outcome = outcome.map(|measurement| match globs {
        Some(globs) => defer::split(&name, globs, measurement),
        None => measurement,
    });
    ServerReport { name, kind, outcome }
}

/// Says which servers were not measured, of how many; `true` when there are any.
fn tell_failures(servers: &[ServerReport], of: usize, plan: &Measure, err: &mut dyn Write) -> anyhow::Result<bool> {
    let failed: Vec<&ServerReport> = servers.iter().filter(|server| server.outcome.is_err()).collect();
    if !failed.is_empty() {
        render::failures(&failed, of, &screen::look(plan.screen.color), err)?;
    }
    Ok(!failed.is_empty())
}

/// Says what wants saying beside a measurement that no document shows.
fn tell_notes(server: &ServerReport, plan: &Measure, err: &mut dyn Write) -> anyhow::Result<()> {
    match &server.outcome {
        Ok(measurement) if plan.screen.talk != Talk::Quiet => {
            Ok(render::notes(&server.name, &measurement.notes, &screen::look(plan.screen.color), err)?)
        }
        _ => Ok(()),
    }
}

/// A report on servers that are not gated.
fn report_of(plan: &Measure, documents: &plan::Documents, servers: Vec<ServerReport>) -> Report {
    Report {
        servers,
        budgets: None,
        listed_in: None,
        budgets_in_repository: None,
        server_lines: Default::default(),
        base: None,
        against: None,
        repeat_args: repeat_args(plan),
        sort: documents.sort,
        top: documents.top,
        context_window: documents.context_window,
    }
}

/// The arguments by which a suggested command finds the same servers again.
fn repeat_args(plan: &Measure) -> Vec<String> {
    let budgets = plan.budgets.iter().flat_map(|path| ["--budgets".to_owned(), path.to_string_lossy().into_owned()]);
    let files = match &plan.source {
        Source::Files(paths) => paths.as_slice(),
        _ => &[],
    };
    let files = files.iter().flat_map(|path| ["--from".to_owned(), path.to_string_lossy().into_owned()]);
    let config = match &plan.source {
        Source::Config { file, .. } => vec!["--config".to_owned(), file.to_string_lossy().into_owned()],
        _ => Vec::new(),
    };
    budgets.chain(files).chain(config).collect()
}
