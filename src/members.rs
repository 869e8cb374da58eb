//! The measurement of a client: the servers of its config are the rows, and every sum is over all of them. There is no
//! such measurement unless each server has one.

use crate::capture::Transport;
use crate::capture::source::Origin;
use crate::codes::{Failure, Note};
use crate::gate::Totals;
use crate::report::{Measurement, Report, ServerReport};

/// One server of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name in the config. May be hostile text.
    pub name: String,
    /// Its own measurement.
    pub measurement: Measurement,
}

/// The name of a client's server beside the servers of budgets.toml: no two entries of the file can share one.
pub fn qualified(client: &str, server: &str) -> String {
    format!("{client}/{server}")
}

/// The client of a qualified name, and the server.
pub fn client_of(name: &str) -> Option<(&str, &str)> {
    name.split_once('/')
}

impl Report {
    /// Every single server and what came of it, those of clients as `client/server`. A client that was not measured is
    /// there under its own name.
    pub fn each_server(&self) -> Vec<(String, Result<&Measurement, &Failure>)> {
        self.servers.iter().flat_map(each_of).collect()
    }
}

fn each_of(entry: &ServerReport) -> Vec<(String, Result<&Measurement, &Failure>)> {
    let whole = entry.outcome.as_ref();
    match whole.ok().and_then(|measurement| measurement.members.as_ref()) {
        None => vec![(entry.name.clone(), whole)],
        Some(members) => {
            members.iter().map(|member| (qualified(&entry.name, &member.name), Ok(&member.measurement))).collect()
        }
    }
}

impl Measurement {
    /// What the servers of a client come to together.
    pub fn of_client(origin: Origin, capabilities: Vec<String>, members: Vec<Member>) -> Self {
        let sum = |of: fn(&Measurement) -> u64| members.iter().map(|member| of(&member.measurement)).sum();
        let totals = Totals {
            floor: sum(|server| server.totals.floor),
            descriptions: sum(|server| server.totals.descriptions),
            instructions: members.iter().map(|member| member.measurement.totals.instructions).sum(),
            tools: sum(|server| server.totals.tools),
            largest: members.iter().map(|member| member.measurement.totals.largest).max().unwrap_or(0),
        };
        Measurement {
            server: None,
            protocol: None,
            transport: Transport::Config,
            platform: members.iter().find_map(|member| member.measurement.platform.clone()),
            capabilities,
            origin: Some(origin),
            tools: Vec::new(),
            deferred: None,
            advice: None,
            totals,
            bytes: sum(|server| server.bytes),
            gate: None,
            notes: members.iter().flat_map(notes_by_name).collect(),
            members: Some(members),
        }
    }
}

/// A server's notes, each about the server, or about a tool with the server's name before it.
fn notes_by_name(member: &Member) -> impl Iterator<Item = Note> + '_ {
    member.measurement.notes.iter().cloned().map(|note| {
        let about = note.tool.map_or_else(|| member.name.clone(), |tool| qualified(&member.name, &tool));
        Note { tool: Some(about), ..note }
    })
}
