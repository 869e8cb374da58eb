//! Captures out of files -> the entries of budgets.toml. Each must be there, and be made as its entry asks.

use super::{priced, priced_as_loaded};
use crate::budgets::{Budgets, EntrySource, Lookup, Resolved, Server, WrittenSource, masked_origin};
use crate::capture::asked::{self, Asked};
use crate::capture::source::Origin;
use crate::captured::{Captured, take};
use crate::client_entry::Filters;
use crate::codes::{ErrorCode, Failure};
use crate::kind::Kind;
use crate::members::client_of;
use crate::plan::Measure;
use crate::report::ServerReport;
use crate::secrets::Secrets;
use crate::sources;
use crate::visible::visible;
use crate::{client_entry, client_sum};

/// The captures that files hold, for every entry in question: a part of a fleet that was never captured is not measured,
/// and no pass.
pub(super) fn matched(plan: &Measure, budgets: &Budgets, servers: Vec<Captured>) -> anyhow::Result<Vec<ServerReport>> {
    let (mut found, unreadable): (Vec<_>, Vec<_>) = servers.into_iter().partition(|server| server.outcome.is_ok());
    let mut ordered = Vec::new();
    let wanted: Vec<String> = plan.only.iter().chain(&plan.name).cloned().collect();
    for entry in sources::chosen(budgets, &wanted)? {
        if entry.kind() == Kind::Client {
            ordered.push(saved_client(budgets, entry, &mut found)?);
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
    let (servers, filters) = match entry.resolve(budgets.folder(), lookup)? {
        Resolved::Client(config, secrets) => (
            client_entry::members(entry, &config, budgets.folder()).map_err(|failure| failure.masked(&secrets)),
            client_entry::filters(&config, budgets.folder()),
        ),
        Resolved::Server(_) => (Ok(Vec::new()), Filters::new()),
    };
    let mut of_member = |(name, origin): &(String, Option<Origin>)| {
        let asked = Asked { origin: origin.as_ref(), capabilities: Some(&entry.capabilities), ..asked_of(entry) };
        as_asked(saved(found, name), asked)
    };
    let failed = |failure| ServerReport { name: entry.name.clone(), kind: Kind::Client, outcome: Err(failure) };
    let servers = match servers {
        Ok(servers) => servers,
        Err(failure) => return Ok(failed(failure)),
    };
    let members = servers.iter().map(&mut of_member).collect();
    Ok(match refuse_more(entry, found) {
        Ok(()) => client_sum::report(entry, members, &filters),
        Err(failure) => failed(failure),
    })
}

/// Captures of a client that hold more than its config names were made of another config.
fn refuse_more(entry: &Server, rest: &[Captured]) -> Result<(), Failure> {
    let own = rest.iter().filter_map(|captured| client_of(&captured.name)).filter(|(client, _)| *client == entry.name);
    let more: Vec<String> = own.map(|(_, server)| visible(server).into_owned()).collect();
    if more.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the captures are of something else: they hold {}, and the config has no such server that is enabled; capture the \
         client again with the config of now",
        more.join(", ")
    );
    Err(Failure::new(ErrorCode::CapturedOtherwise, message))
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

fn missing() -> Failure {
    let message = "none of the files given with --from holds this server; give the file that does, or choose servers \
                   with --server";
    Failure::new(ErrorCode::MissingCapture, message)
}
