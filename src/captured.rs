//! Sources -> captures with names: the stage that runs the servers, shows what is under way, and settles what each
//! one is called.

use std::io::Write;
use std::path::Path;
use std::thread;

use crate::capture::{self, Capture, Endings, Interrupted, Outcome, Source, Target, file};
use crate::codes::{Note, NoteCode};
use crate::plan::{Measure, Talk};
use crate::progress::Progress;
use crate::secrets::Secrets;
use crate::sources::Sources;

/// At least so many servers are measured at the same time: they wait for disks and networks more than for cores.
const FEWEST_JOBS: usize = 4;

/// One server, by the name it is known by.
#[derive(Debug)]
pub(crate) struct Captured {
    /// The name; may be hostile text.
    pub(crate) name: String,
    /// What it listed, or why there is nothing.
    pub(crate) outcome: Outcome,
}

/// Takes the one of a name out of what was captured.
pub(crate) fn take(servers: &mut Vec<Captured>, name: &str) -> Option<Captured> {
    let place = servers.iter().position(|server| server.name == name)?;
    Some(servers.remove(place))
}

/// Everything that was captured, and the servers that are still to end.
#[derive(Debug)]
pub(crate) struct All {
    /// In the order of the sources, those of a client each as `client/server`; last the clients that have none.
    pub(crate) servers: Vec<Captured>,
    /// `None` where nothing was launched.
    pub(crate) endings: Option<Endings>,
}

/// Captures all sources.
pub(crate) fn capture_all(plan: &Measure, sources: Sources, err: &mut (dyn Write + Send)) -> Result<All, Interrupted> {
    match sources {
        Sources::Files(paths) => {
            let servers = paths.iter().flat_map(|path| from_file(path, plan.name.as_deref())).collect();
            Ok(All { servers, endings: None })
        }
        Sources::Targets { targets, failed } => {
            let names: Vec<String> = targets.iter().map(fallback_name).collect();
            let mut all = capture_targets(&targets, &names, jobs(plan), plan.screen.talk, err)?;
            all.servers.extend(failed.into_iter().map(|(name, failure)| Captured { name, outcome: Err(failure) }));
            Ok(all)
        }
    }
}

/// Captures servers, so many at the same time; `names` is what progress calls them.
pub(crate) fn capture_targets(
    targets: &[Target],
    names: &[String],
    jobs: usize,
    talk: Talk,
    err: &mut (dyn Write + Send),
) -> Result<All, Interrupted> {
    let progress = Progress::new(names, talk, err);
    let captures = capture::capture_all(targets, jobs, &|place, stage| progress.tell(place, stage));
    progress.clear();
    let captures = captures?;
    let servers = targets.iter().zip(captures.outcomes).map(|(target, outcome)| named(target, outcome));
    Ok(All { servers: servers.collect(), endings: Some(captures.endings) })
}

/// How many servers are measured at the same time.
pub(crate) fn jobs(plan: &Measure) -> usize {
    let cores = || thread::available_parallelism().map_or(FEWEST_JOBS, usize::from).max(FEWEST_JOBS);
    plan.launch.jobs.unwrap_or_else(cores)
}

fn from_file(path: &Path, name: Option<&str>) -> Vec<Captured> {
    match file::read(path) {
        Ok(captures) => captures
            .into_iter()
            .map(|capture| Captured {
                name: name.map_or_else(|| capture.suggested_name.clone(), str::to_owned),
                outcome: Ok(capture),
            })
            .collect(),
        Err(failure) => {
            let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            vec![Captured { name: name.map_or(stem, str::to_owned), outcome: Err(failure) }]
        }
    }
}

fn named(target: &Target, outcome: Outcome) -> Captured {
    let name = match (&target.name, &outcome) {
        (Some(name), _) => name.clone(),
        (None, Ok(capture)) => capture.suggested_name.clone(),
        (None, Err(_)) => fallback_name(target),
    };
    Captured { name, outcome: outcome.map(|capture| with_secret_notes(capture, &target.secrets)) }
}

/// What a server is called before it has said its own name.
fn fallback_name(target: &Target) -> String {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let from_source = match &target.source {
        Source::Stdio(launch) => stem(Path::new(&launch.command)),
        Source::Http(_) => target.origin.url.clone(),
        Source::File { path } => stem(path),
    };
    target.name.clone().or(from_source).unwrap_or_default()
}

/// Definitions are never altered; where one holds a secret, a note says which.
fn with_secret_notes(mut capture: Capture, secrets: &Secrets) -> Capture {
    for definition in &capture.definitions {
        for name in secrets.found_in(definition.compact()) {
            let message = format!("the definition contains the value of {name}, and every document shows it");
            let label = secrets.mask(&definition.label().to_string());
            capture.notes.push(Note::about(&label, NoteCode::SecretInDefinition, message));
        }
    }
    capture
}
