//! Many servers at once: a thread each, as many as are allowed, every time budget beginning at its own launch.
//!
//! What is identical is done once: a `prepare` that several entries of budgets.toml share, and a launch whose command,
//! environment, protocol and capabilities are the same.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::asked::{self, Asked};
use super::connection::Connection;
use super::deadline::interrupted;
use super::ending::{Endings, Guard};
use super::http::Conversation;
use super::interrupt::{self, Interrupted};
use super::offer::Offer;
use super::session::{self, Listed};
use super::stdio::Server;
use super::{Capture, Endpoint, Identity, Launch, Outcome, Source, Target, Transport, file, http_notes, prepare};
use crate::codes::Failure;
use crate::secrets::Secrets;

/// What came of all targets.
#[derive(Debug)]
pub struct Captures {
    /// One a target, in the order of the targets.
    pub outcomes: Vec<Outcome>,
    /// The servers, which are being ended in the background: write the document first, then wait for them.
    pub endings: Endings,
}

/// How far one target has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Its `prepare` runs, or it waits for one that it shares.
    Preparing,
    /// Its `prepare` has written this line, secrets masked. Hostile text.
    Prepared(String),
    /// It was launched or called, and has not answered yet.
    Starting,
    /// It has answered, and is listing its tools.
    Listing,
    /// It has listed this many tools.
    Listed(usize),
    /// It is not measured.
    Failed,
}

/// Captures all targets, `jobs` of them at a time. `progress` is called from many threads, with the place of the
/// target and how far it has come.
///
/// # Errors
/// [`Interrupted`] when a signal came; every server is gone then.
pub fn capture_all(
    targets: &[Target],
    jobs: usize,
    progress: &(dyn Fn(usize, Stage) + Sync),
) -> Result<Captures, Interrupted> {
    let endings = Endings::begin();
    let firsts: Vec<usize> = (0..targets.len()).map(|place| first_of_its_kind(targets, place, same_capture)).collect();
    let work = Work {
        targets,
        endings: &endings,
        firsts: &firsts,
        progress,
        prepares: targets.iter().map(|_| OnceLock::new()).collect(),
        outcomes: targets.iter().map(|_| OnceLock::new()).collect(),
        next: AtomicUsize::new(0),
    };
    thread::scope(|scope| {
        for _ in 1..jobs.min(targets.len()) {
            // Fewer threads than wished for do the same work.
            let _ = thread::Builder::new().spawn_scoped(scope, || work.run());
        }
        work.run();
    });
    let outcomes = work.into_outcomes();
    if let Some(interrupted) = interrupt::raised() {
        return Err(interrupted);
    }
    Ok(Captures { outcomes, endings })
}

struct Work<'a> {
    targets: &'a [Target],
    endings: &'a Endings,
    firsts: &'a [usize],
    progress: &'a (dyn Fn(usize, Stage) + Sync),
    prepares: Vec<OnceLock<Result<Guard, Failure>>>,
    outcomes: Vec<OnceLock<Outcome>>,
    next: AtomicUsize,
}

impl Work<'_> {
    /// Takes one target after another until none is left.
    fn run(&self) {
        loop {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            if place >= self.targets.len() {
                return;
            }
            if self.firsts[place] == place {
                self.outcomes[place].get_or_init(|| self.outcome(place));
            }
        }
    }

    fn outcome(&self, place: usize) -> Outcome {
        let target = &self.targets[place];
        let outcome = match interrupt::raised() {
            Some(_) => Err(interrupted()),
            None => self.capture(place),
        };
        let outcome = outcome.map_err(|failure| failure.masked(&target.secrets));
        self.report(
            place,
            match &outcome {
                Ok(capture) => Stage::Listed(capture.definitions.len()),
                Err(_) => Stage::Failed,
            },
        );
        outcome
    }

    fn capture(&self, place: usize) -> Outcome {
        let target = &self.targets[place];
        match &target.source {
            Source::Stdio(launch) => {
                self.prepare(place, launch)?;
                self.launch(place, launch)
            }
            Source::File { path } => read(path, target),
            Source::Http(endpoint) => self.ask(place, endpoint),
        }
    }

    /// Runs the `prepare` of a launch, or waits for the same one of another target.
    fn prepare(&self, place: usize, launch: &Launch) -> Result<(), Failure> {
        let Some(words) = &launch.prepare else { return Ok(()) };
        self.report(place, Stage::Preparing);
        let first = first_of_its_kind(self.targets, place, same_prepare);
        let secrets = &self.targets[place].secrets;
        let wrote = |line| (self.progress)(place, Stage::Prepared(line));
        let prepared = self.prepares[first].get_or_init(|| prepare::run(launch, words, secrets, self.endings, &wrote));
        prepared.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn launch(&self, place: usize, launch: &Launch) -> Outcome {
        let target = &self.targets[place];
        self.report(place, Stage::Starting);
        let mut server = Server::launch(launch, target.timeout, self.endings)?;
        let offer = offer(target, &target.secrets);
        let listed = session::list(&mut server, offer, &|| self.report(place, Stage::Listing));
        let listed = listed.map_err(|failure| server.with_last_words(failure, &target.secrets))?;
        Ok(complete(target, listed, Transport::Stdio, stem(&launch.command)))
    }

    fn ask(&self, place: usize, endpoint: &Endpoint) -> Outcome {
        let target = &self.targets[place];
        self.report(place, Stage::Starting);
        let mut conversation = Conversation::begin(endpoint, target, self.endings)?;
        let secrets = conversation.secrets();
        let offer = offer(target, &secrets);
        let listing = || self.report(place, Stage::Listing);
        let mut listed = session::list(&mut conversation, offer, &listing);
        if conversation.session_was_lost() {
            // Once only, and from the first page on: pages of two sessions make no list.
            conversation.restart()?;
            listed = session::list(&mut conversation, offer, &listing);
        }
        let listed = listed.map_err(|failure| conversation.masked(failure))?;
        let fallback = target.origin.url.clone().unwrap_or_default();
        Ok(http_notes::add(complete(target, listed, Transport::Http, fallback)))
    }

    /// Tells the stage for every target that shares the outcome.
    fn report(&self, place: usize, stage: Stage) {
        let sharers = self.firsts.iter().enumerate().filter(|(_, first)| **first == place);
        sharers.for_each(|(sharer, _)| (self.progress)(sharer, stage.clone()));
    }

    fn into_outcomes(self) -> Vec<Outcome> {
        let mut outcomes: Vec<_> = self.outcomes.into_iter().map(OnceLock::into_inner).collect();
        // From the back, so that an outcome is shared before it is taken.
        let mut shared: Vec<Outcome> = (0..self.targets.len())
            .rev()
            .map(|place| {
                let first = self.firsts[place];
                let outcome = if first == place { outcomes[place].take() } else { outcomes[first].clone() };
                let origin = Some(self.targets[place].origin.clone());
                outcome.unwrap_or_else(|| Err(interrupted())).map(|capture| Capture { origin, ..capture })
            })
            .collect();
        shared.reverse();
        shared
    }
}

/// The capture in a file, which must have been made as the target asks. What the target leaves open, the file decides.
fn read(path: &Path, target: &Target) -> Outcome {
    let capture = file::read_one(path, target.name.as_deref())?;
    let capabilities = Some(target.capabilities.as_slice()).filter(|declared| !declared.is_empty());
    let asked = Asked { protocol: target.protocol.as_deref(), capabilities, origin: None };
    asked::refuse_other(&capture, asked).map(|()| capture)
}

fn offer<'a>(target: &'a Target, secrets: &'a Secrets) -> Offer<'a> {
    Offer { protocol: target.protocol.as_deref(), capabilities: &target.capabilities, secrets }
}

/// A complete list, with what is known about where it came from.
fn complete(target: &Target, listed: Listed, transport: Transport, fallback_name: String) -> Capture {
    let mask = |text: &str| target.secrets.mask(text);
    let server =
        listed.server.map(|Identity { name, version }| Identity { name: mask(&name), version: mask(&version) });
    let own_name = server.as_ref().map(|server| server.name.clone()).filter(|name| !name.trim().is_empty());
    let mut notes = listed.notes;
    notes.iter_mut().for_each(|note| note.message = mask(&note.message));
    Capture {
        suggested_name: own_name.unwrap_or(fallback_name),
        server,
        protocol: listed.protocol.as_deref().map(mask),
        asked_protocol: target.protocol.clone(),
        transport,
        capabilities: Some(target.capabilities.clone()),
        instructions: Some(listed.instructions),
        // Where a server behind a URL runs is not known.
        platform: (transport == Transport::Stdio)
            .then(|| format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)),
        origin: Some(target.origin.clone()),
        definitions: listed.definitions,
        notes,
    }
}

/// The first target that is the same as the one at `place`.
fn first_of_its_kind(targets: &[Target], place: usize, same: fn(&Target, &Target) -> bool) -> usize {
    targets.iter().position(|target| same(target, &targets[place])).unwrap_or(place)
}

fn same_capture(one: &Target, other: &Target) -> bool {
    one.source == other.source
        && one.protocol == other.protocol
        && one.capabilities == other.capabilities
        && one.timeout == other.timeout
}

fn same_prepare(one: &Target, other: &Target) -> bool {
    let (Source::Stdio(one), Source::Stdio(other)) = (&one.source, &other.source) else { return false };
    let key =
        |launch: &Launch| (launch.prepare.clone(), launch.prepare_timeout, launch.cwd.clone(), launch.env.clone());
    key(one) == key(other)
}

fn stem(command: &str) -> String {
    Path::new(command).file_stem().map_or_else(|| command.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
