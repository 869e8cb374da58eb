//! The captures of a client's servers -> what they come to together. All of them or nothing: a sum over a part would be
//! no measurement of the client.

use crate::budgets::Server;
use crate::capture::source::Origin;
use crate::captured::Captured;
use crate::client_entry::Filters;
use crate::codes::{ErrorCode, Failure};
use crate::kind::Kind;
use crate::members::{Member, client_of};
use crate::report::{Measurement, ServerReport};
use crate::visible::visible;

/// A client from the captures of all its servers, each called `client/server`, in the order of its config. What the
/// client does not send of them counts nowhere.
pub(crate) fn report(entry: &Server, servers: Vec<Captured>, filters: &Filters) -> ServerReport {
    let own = |captured: Captured| Captured {
        name: client_of(&captured.name).map_or(captured.name.as_str(), |(_, server)| server).to_owned(),
        ..captured
    };
    let (origin, capabilities) = (entry.source.origin(), entry.capabilities.clone());
    together(&entry.name, origin, capabilities, servers.into_iter().map(own), filters)
}

/// A client from the captures of all its servers, each under its own name.
pub(crate) fn together(
    client: &str,
    origin: Origin,
    capabilities: Vec<String>,
    servers: impl IntoIterator<Item = Captured>,
    filters: &Filters,
) -> ServerReport {
    let (mut members, mut failed) = (Vec::new(), Vec::new());
    for Captured { name, outcome } in servers {
        match outcome {
            Ok(mut capture) => {
                if let Some(filter) = filters.get(&name) {
                    filter.apply(&mut capture);
                }
                members.push(Member { name, measurement: Measurement::of(capture) });
            }
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
