//! Captures -> the entries of budgets.toml that they are held to, by name, each priced. A client is one entry, and its
//! captures are those of all its servers.

use anyhow::Context;

use super::{priced, priced_as_loaded};
use crate::budgets::{Budgets, EntrySource, Lookup, Resolved, Server, WrittenSource, masked_origin};
use crate::capture::asked::{self, Asked};
use crate::capture::source::Origin;
use crate::captured::Captured;
use crate::codes::{ErrorCode, Failure, Note};
use crate::kind::Kind;
use crate::members::client_of;
use crate::plan::{Measure, Source};
use crate::report::ServerReport;
use crate::secrets::Secrets;
use crate::sources;
use crate::visible::visible;
use crate::{client_entry, client_sum};

/// What was captured in the order of the file, each with an entry there. Files must hold every entry in question: a
/// part of a fleet that was never captured is not measured, and no pass.
pub(super) fn matched(plan: &Measure, budgets: &Budgets, servers: Vec<Captured>) -> anyhow::Result<Vec<ServerReport>> {
    refuse_strangers(plan, budgets, &servers)?;
    match plan.source {
        Source::Budgets => {
            let mut rest = servers;
            let chosen = sources::chosen(budgets, &plan.only)?;
            let launched = chosen.into_iter().flat_map(|entry| launched(budgets, entry, &mut rest));
            Ok(launched.map(|report| with_asides(budgets, report)).collect())
        }
        Source::Files(_) => in_files(plan, budgets, servers),
        Source::Server(_) | Source::Config { .. } => {
            Ok(servers.into_iter().map(|server| priced_as_loaded(server, Some(budgets))).collect())
        }
    }
}

/// A client's measurement says what of its config it leaves out.
fn with_asides(budgets: &Budgets, mut report: ServerReport) -> ServerReport {
    let entry = budgets.server(&report.name).filter(|_| report.kind == Kind::Client);
    let resolved = entry.and_then(|entry| entry.resolve(budgets.folder(), &|name| std::env::var(name).ok()).ok());
    if let (Ok(measurement), Some(Resolved::Client(config, secrets))) = (&mut report.outcome, resolved) {
        let notes = client_entry::asides(&config, budgets.folder()).into_iter();
        measurement.notes.extend(notes.map(|note| Note { message: secrets.mask(&note.message), ..note }));
    }
    report
}

/// The captures that were made for one entry.
fn launched(budgets: &Budgets, entry: &Server, rest: &mut Vec<Captured>) -> Option<ServerReport> {
    match entry.kind() {
        Kind::Server => take(rest, &entry.name).map(|server| priced_as_loaded(server, Some(budgets))),
        Kind::Client => match take(rest, &entry.name) {
            // It could not even be launched.
            Some(failed) => Some(ServerReport { kind: Kind::Client, ..priced(failed) }),
            None => {
                let is_own =
                    |server: &Captured| client_of(&server.name).is_some_and(|(client, _)| client == entry.name);
                let (own, others) = std::mem::take(rest).into_iter().partition(is_own);
                *rest = others;
                Some(client_sum::report(entry, own))
            }
        },
    }
}

fn in_files(plan: &Measure, budgets: &Budgets, servers: Vec<Captured>) -> anyhow::Result<Vec<ServerReport>> {
    let (mut found, unreadable): (Vec<_>, Vec<_>) = servers.into_iter().partition(|server| server.outcome.is_ok());
    let mut ordered = Vec::new();
    let wanted: Vec<String> = plan.only.iter().chain(&plan.name).cloned().collect();
    for entry in sources::chosen(budgets, &wanted)? {
        if entry.kind() == Kind::Client {
            ordered.push(with_asides(budgets, saved_client(budgets, entry, &mut found)?));
        } else if !unreadable.iter().any(|server| server.name == entry.name) {
            ordered.push(priced_as_loaded(saved_server(entry, &mut found), Some(budgets)));
        }
    }
    ordered.extend(unreadable.into_iter().map(priced));
    Ok(ordered)
}

/// A client from files: its config says which servers they must hold.
fn saved_client(budgets: &Budgets, entry: &Server, found: &mut Vec<Captured>) -> anyhow::Result<ServerReport> {
    let lookup: Lookup<'_> = &|name| std::env::var(name).ok();
    let servers = match entry.resolve(budgets.folder(), lookup)? {
        Resolved::Client(config, secrets) => {
            client_entry::members(entry, &config, budgets.folder()).map_err(|failure| failure.masked(&secrets))
        }
        Resolved::Server(_) => Ok(Vec::new()),
    };
    let mut of_member = |(name, origin): &(String, Option<Origin>)| {
        let asked = Asked { origin: origin.as_ref(), capabilities: Some(&entry.capabilities), ..asked_of(entry) };
        as_asked(saved(found, name), asked)
    };
    Ok(match servers {
        Ok(servers) => client_sum::report(entry, servers.iter().map(&mut of_member).collect()),
        Err(failure) => ServerReport { name: entry.name.clone(), kind: Kind::Client, outcome: Err(failure) },
    })
}

/// A server from files, which must have been asked as its entry asks. An entry that names a file itself leaves open
/// what it does not say.
fn saved_server(entry: &Server, found: &mut Vec<Captured>) -> Captured {
    let captured = saved(found, &entry.name);
    match &entry.source {
        EntrySource::Server(WrittenSource::From(_)) => as_asked(captured, asked_of(entry)),
        EntrySource::Server(source) => {
            let origin = masked_origin(source, Secrets::add_if_named_so);
            let capabilities = Some(entry.capabilities.as_slice());
            as_asked(captured, Asked { origin: Some(&origin), capabilities, ..asked_of(entry) })
        }
        EntrySource::Config(_) => captured,
    }
}

fn asked_of(entry: &Server) -> Asked<'_> {
    let capabilities = Some(entry.capabilities.as_slice()).filter(|declared| !declared.is_empty());
    Asked { protocol: entry.protocol.as_deref(), capabilities, origin: None }
}

fn as_asked(captured: Captured, asked: Asked<'_>) -> Captured {
    let outcome = captured.outcome.and_then(|mut capture| {
        asked::refuse_other(&capture, asked)?;
        capture.notes.extend(asked::note_elsewhere(&capture, asked));
        Ok(capture)
    });
    Captured { outcome, ..captured }
}

/// The capture of a name out of the files.
fn saved(found: &mut Vec<Captured>, name: &str) -> Captured {
    take(found, name).unwrap_or_else(|| Captured { name: name.to_owned(), outcome: Err(missing()) })
}

fn take(servers: &mut Vec<Captured>, name: &str) -> Option<Captured> {
    let place = servers.iter().position(|server| server.name == name)?;
    Some(servers.remove(place))
}

/// Refuses to hold a SOURCE to a client: its config is the one source that is all of it.
pub(super) fn refuse_client(budgets: &Budgets, name: &str) -> anyhow::Result<()> {
    match budgets.server(name).map(Server::kind) {
        Some(Kind::Client) => anyhow::bail!(
            "`{}` is a client of {}, whose config is its one source; run the command without a SOURCE, with --server",
            visible(name),
            budgets.path.display()
        ),
        _ => Ok(()),
    }
}

fn refuse_strangers(plan: &Measure, budgets: &Budgets, servers: &[Captured]) -> anyhow::Result<()> {
    let kind = |name: &str| budgets.server(name).map(Server::kind);
    // A server on the command line is never a client, nor a part of one: the rest of it would be missing.
    let may_be_of_client = matches!(plan.source, Source::Budgets | Source::Files(_));
    let of_client = |name: &str| client_of(name).is_some_and(|(client, _)| kind(client) == Some(Kind::Client));
    let is_known = |name: &str| kind(name) == Some(Kind::Server) || may_be_of_client && of_client(name);
    for server in servers {
        if !may_be_of_client {
            refuse_client(budgets, &server.name)?;
        }
        if server.outcome.is_ok() && !is_known(&server.name) {
            let known = budgets.servers.iter().filter(|entry| entry.kind() == Kind::Server);
            let known: Vec<&str> = known.map(|server| server.name.as_str()).collect();
            return Err(sources::no_such_server(&server.name, &budgets.path, &known))
                .context("the SOURCE is matched by name; --name gives it one");
        }
        if servers.iter().filter(|other| other.name == server.name).count() > 1 {
            anyhow::bail!("the server `{}` is captured twice, and only one can be held to the budget", server.name);
        }
    }
    Ok(())
}

fn missing() -> Failure {
    let message = "none of the files given with --from holds this server; give the file that does, or choose servers \
                   with --server";
    Failure::new(ErrorCode::MissingCapture, message)
}
