//! How many of what: the words by which documents count servers, clients and their rows.

use super::look::count;
use crate::kind::Kind;
use crate::report::{Measurement, Report, ServerReport};

/// `2 servers, 1 client`: the entries of a report.
pub(super) fn entries(report: &Report) -> String {
    let of = |kind: Kind| report.servers.iter().filter(|entry| entry.kind == kind).count() as u64;
    let told = [(of(Kind::Server), "server"), (of(Kind::Client), "client")];
    let told: Vec<String> =
        told.into_iter().filter(|(number, _)| *number > 0).map(|(number, word)| count(number, word)).collect();
    if told.is_empty() { count(0, "server") } else { told.join(", ") }
}

/// `12 tools`, and of a client `3 servers, 12 tools`.
pub(super) fn size(measurement: &Measurement) -> String {
    let tools = count(measurement.totals.tools, "tool");
    match &measurement.members {
        Some(members) => format!("{}, {tools}", count(members.len() as u64, "server")),
        None => tools,
    }
}

/// What the column of their names is called.
pub(super) fn title(report: &Report) -> &'static str {
    let is_there = |kind: Kind| report.servers.iter().any(|entry| entry.kind == kind);
    match (is_there(Kind::Server), is_there(Kind::Client)) {
        (_, false) => "server",
        (false, true) => "client",
        (true, true) => "name",
    }
}

/// What leads the name of an entry where it stands alone: nothing, and `client ` before that of a client.
pub(super) fn lead(entry: &ServerReport) -> &'static str {
    if entry.kind == Kind::Client { "client " } else { "" }
}
