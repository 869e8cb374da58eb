//! `[clients.NAME]` of budgets.toml: which servers of its config are meant, and what they come to together. All of them
//! or nothing: a sum over a part would be no measurement of the client.

use std::path::Path;

use crate::budgets::{Lookup, Server};
use crate::capture::Target;
use crate::capture::source::Origin;
use crate::captured::Captured;
use crate::clients::{Config, ConfigServer};
use crate::codes::{ErrorCode, Failure};
use crate::kind::Kind;
use crate::members::{Member, client_of, qualified};
use crate::report::{Measurement, ServerReport};
use crate::visible::visible;

/// The enabled servers of a client's config, as the client itself would read them in `folder`.
fn servers(config: &Path, folder: &Path) -> Result<(Config, Vec<ConfigServer>), Failure> {
    let read = Config::read(config, None, etcetera::home_dir().ok().as_deref());
    let read = read.map_err(|fault| Failure::new(ErrorCode::BadConfig, fault.to_string()))?;
    let enabled: Vec<ConfigServer> =
        read.servers_in(folder).into_iter().filter(|server| server.enabled).cloned().collect();
    if enabled.is_empty() {
        let config = config.display();
        let message = format!(
            "{config} has no enabled server, and a measurement of nothing is no pass; enable one, or take the client out \
             of budgets.toml"
        );
        return Err(Failure::new(ErrorCode::NoServers, message));
    }
    Ok((read, enabled))
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

/// A client from the captures of all its servers, each called `client/server`, in the order of its config.
pub(crate) fn report(entry: &Server, servers: Vec<Captured>) -> ServerReport {
    let own = |captured: Captured| Captured {
        name: client_of(&captured.name).map_or(captured.name.as_str(), |(_, server)| server).to_owned(),
        ..captured
    };
    let (origin, capabilities) = (entry.source.origin(), entry.capabilities.clone());
    together(&entry.name, origin, capabilities, servers.into_iter().map(own))
}

/// A client from the captures of all its servers, each under its own name.
pub(crate) fn together(
    client: &str,
    origin: Origin,
    capabilities: Vec<String>,
    servers: impl IntoIterator<Item = Captured>,
) -> ServerReport {
    let (mut members, mut failed) = (Vec::new(), Vec::new());
    for Captured { name, outcome } in servers {
        match outcome {
            Ok(capture) => members.push(Member { name, measurement: Measurement::of(capture) }),
            Err(failure) => failed.push((name, failure)),
        }
    }
    let outcome = match failed.is_empty() {
        true => Ok(Measurement::of_client(origin, capabilities, members)),
        false => Err(incomplete(&failed)),
    };
    ServerReport { name: client.to_owned(), kind: Kind::Client, outcome }
}

/// The one failure that stands for those of several servers.
fn incomplete(failed: &[(String, Failure)]) -> Failure {
    let told = |(name, failure): &(String, Failure)| match failed.len() {
        1 => format!("{}: {}", visible(name), failure.message),
        _ => format!("{}: {failure}", visible(name)),
    };
    let told: Vec<String> = failed.iter().map(told).collect();
    let has_tail = failed.iter().any(|(_, failure)| failure.stderr_tail.is_some());
    let tails: Vec<String> = failed
        .iter()
        .filter_map(|(name, failure)| Some((name, failure.stderr_tail.as_deref()?.trim_end())))
        .filter(|(_, tail)| !tail.is_empty())
        .map(|(name, tail)| if failed.len() == 1 { tail.to_owned() } else { format!("[{}]\n{tail}", visible(name)) })
        .collect();
    Failure {
        code: failed.first().map_or(ErrorCode::NoServers, |(_, failure)| failure.code),
        message: told.join("; "),
        stderr_tail: has_tail.then(|| tails.join("\n")),
    }
}
