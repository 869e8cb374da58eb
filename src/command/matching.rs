//! Captures -> the entries of budgets.toml that they are held to, by name, each priced. A client is one entry, and its
//! captures are those of all its servers.

use std::path::PathBuf;

use anyhow::Context;

use super::{priced, priced_as_loaded, saved};
use crate::budgets::{Budgets, Resolved, Server};
use crate::captured::{Captured, take};
use crate::clients::Filter;
use crate::codes::Note;
use crate::kind::Kind;
use crate::members::client_of;
use crate::plan::{Measure, Source};
use crate::report::ServerReport;
use crate::secrets::Secrets;
use crate::sources;
use crate::visible::visible;
use crate::{client_entry, client_sum};

/// What was captured in the order of the file, each with an entry there.
pub(super) fn matched(plan: &Measure, budgets: &Budgets, servers: Vec<Captured>) -> anyhow::Result<Vec<ServerReport>> {
    refuse_strangers(plan, budgets, &servers)?;
    match plan.source {
        Source::Budgets => {
            let mut rest = servers;
            let chosen = sources::chosen(budgets, &plan.only)?;
            let launched = chosen.into_iter().flat_map(|entry| launched(budgets, entry, &mut rest));
            Ok(launched.map(|report| with_asides(budgets, report)).collect())
        }
        Source::Files(_) => {
            let saved = saved::matched(plan, budgets, servers)?.into_iter();
            Ok(saved.map(|report| with_asides(budgets, report)).collect())
        }
        Source::Server(_) | Source::Config { .. } => {
            Ok(servers.into_iter().map(|server| priced_as_loaded(server, Some(budgets))).collect())
        }
    }
}

/// A client's measurement says what of its config it leaves out.
fn with_asides(budgets: &Budgets, mut report: ServerReport) -> ServerReport {
    let entry = budgets.server(&report.name).filter(|_| report.kind == Kind::Client);
    let config = entry.and_then(|entry| config_of(budgets, entry));
    if let (Ok(measurement), Some((config, secrets))) = (&mut report.outcome, config) {
        let note = client_entry::turned_off(&config, budgets.folder());
        measurement.notes.extend(note.map(|note| Note { message: secrets.mask(&note.message), ..note }));
    }
    report
}

/// Where the config of a client lies, and what of that is secret.
fn config_of(budgets: &Budgets, entry: &Server) -> Option<(PathBuf, Secrets)> {
    match entry.resolve(budgets.folder(), &|name| std::env::var(name).ok()).ok()? {
        Resolved::Client(config, secrets) => Some((config, secrets)),
        Resolved::Server(_) => None,
    }
}

/// How the client of a server that is called `client/server` chooses among its tools.
pub(super) fn filter_of(budgets: &Budgets, name: &str) -> Option<Filter> {
    let (client, server) = client_of(name)?;
    let entry = budgets.server(client).filter(|entry| entry.kind() == Kind::Client)?;
    let (config, _) = config_of(budgets, entry)?;
    client_entry::filters(&config, budgets.folder()).remove(server)
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
                let config = config_of(budgets, entry);
                let filters = config.map(|(config, _)| client_entry::filters(&config, budgets.folder()));
                Some(client_sum::report(entry, own, &filters.unwrap_or_default()))
            }
        },
    }
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
            let known: Vec<&str> = budgets.servers.iter().map(|entry| entry.name.as_str()).collect();
            return Err(sources::no_such_server(&server.name, &budgets.path, &known))
                .context("the SOURCE is matched by name; --name gives it one");
        }
        if servers.iter().filter(|other| other.name == server.name).count() > 1 {
            anyhow::bail!("the server `{}` is captured twice, and only one can be held to the budget", server.name);
        }
    }
    Ok(())
}
