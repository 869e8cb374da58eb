//! `[clients.NAME]` of budgets.toml: which servers of its config are meant.

use std::collections::BTreeMap;
use std::path::Path;

use crate::budgets::{Lookup, Server};
use crate::capture::Target;
use crate::capture::source::Origin;
use crate::clients::{Config, ConfigServer, Filter};
use crate::codes::{ErrorCode, Failure, Note, NoteCode};
use crate::members::qualified;

/// The servers of a client's config, as the client itself would read them in `folder`.
fn read(config: &Path, folder: &Path) -> Result<(Config, Vec<ConfigServer>), Failure> {
    let read = Config::read(config, None, etcetera::home_dir().ok().as_deref());
    let read = read.map_err(|fault| Failure::new(ErrorCode::BadConfig, fault.to_string()))?;
    let servers = read.servers_in(folder).into_iter().cloned().collect();
    Ok((read, servers))
}

/// Those of them that are enabled.
fn servers(config: &Path, folder: &Path) -> Result<(Config, Vec<ConfigServer>), Failure> {
    let (read, mut servers) = read(config, folder)?;
    servers.retain(|server| server.enabled);
    if servers.is_empty() {
        let config = config.display();
        let message = format!(
            "{config} has no enabled server, and a measurement of nothing is no pass; enable one, or take the client out \
             of budgets.toml"
        );
        return Err(Failure::new(ErrorCode::NoServers, message));
    }
    Ok((read, servers))
}

/// How a client chooses among the tools of its servers, by the name of the server.
pub(crate) fn filters(config: &Path, folder: &Path) -> Filters {
    read(config, folder).map(|(_, servers)| filters_of(&servers)).unwrap_or_default()
}

/// The same of servers that were read.
pub(crate) fn filters_of(servers: &[ConfigServer]) -> Filters {
    servers.iter().filter_map(|server| Some((server.name.clone(), server.filter.clone()?))).collect()
}

/// Filters by the name of their server.
pub(crate) type Filters = BTreeMap<String, Filter>;

/// What a client's config says about its servers that the sum does not: which are off.
pub(crate) fn turned_off(config: &Path, folder: &Path) -> Option<Note> {
    let (_, servers) = read(config, folder).ok()?;
    let off: Vec<&str> = servers.iter().filter(|server| !server.enabled).map(|server| server.name.as_str()).collect();
    let message = format!("turned off in the config, and no part of the sum: {}", off.join(", "));
    (!off.is_empty()).then(|| Note::new(NoteCode::TurnedOff, message))
}

/// What is captured for a client: each of its servers, called `client/server`.
///
/// # Errors
/// Whatever keeps one of them from being launched: then none is.
pub(crate) fn targets(
    entry: &Server,
    config: &Path,
    folder: &Path,
    inputs: &[(String, String)],
    lookup: Lookup<'_>,
) -> Result<Vec<Target>, Failure> {
    let (config, servers) = servers(config, folder)?;
    let (targets, faults): (Vec<_>, Vec<_>) =
        servers.iter().map(|server| config.target(server, inputs, lookup)).partition(Result::is_ok);
    let faults: Vec<String> = faults.into_iter().filter_map(Result::err).map(|fault| fault.to_string()).collect();
    if !faults.is_empty() {
        return Err(Failure::new(ErrorCode::NotLaunchable, faults.join("; and ")));
    }
    let of_client = |target: Target| Target {
        name: target.name.map(|server| qualified(&entry.name, &server)),
        protocol: entry.protocol.clone(),
        capabilities: entry.capabilities.clone(),
        timeout: entry.timeout.unwrap_or(target.timeout),
        ..target
    };
    Ok(targets.into_iter().flatten().map(of_client).collect())
}

/// What captures must hold to measure a client: each of its servers, called `client/server`, and where its definitions
/// come from, which only the client knows of some.
pub(crate) fn members(entry: &Server, config: &Path, folder: &Path) -> Result<Vec<(String, Option<Origin>)>, Failure> {
    let (_, servers) = servers(config, folder)?;
    Ok(servers.iter().map(|server| (qualified(&entry.name, &server.name), server.origin())).collect())
}
