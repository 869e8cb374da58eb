//! A client in the JSON report: its sums, its servers one by one in the shape of all servers, and its gate.

use serde::Serialize;

use super::diff::ServerDocument;
use super::json::{ErrorDocument, GateDocument, NoteDocument, Server};
use crate::capture::source::Origin;
use crate::codes::Failure;
use crate::report::{Measurement, Report, ServerReport};

#[derive(Serialize)]
pub(super) struct Client<'a> {
    name: &'a str,
    status: &'static str,
    platform: Option<&'a str>,
    capabilities: &'a [String],
    source: Option<&'a Origin>,
    tool_count: Option<u64>,
    floor_tokens: Option<u64>,
    description_tokens: Option<u64>,
    instructions_tokens: Option<u64>,
    bytes: Option<u64>,
    /// Those of the config, each with its own notes; empty where one of them was not measured.
    servers: Vec<Server<'a>>,
    gate: Option<GateDocument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<ServerDocument<'a>>,
    /// Its own, and once more those of its servers, by name.
    notes: Vec<NoteDocument<'a>>,
    error: Option<ErrorDocument<'a>>,
}

impl<'a> Client<'a> {
    pub(super) fn of(report: &'a Report, entry: &'a ServerReport) -> Self {
        match &entry.outcome {
            Ok(measurement) => Self::measured(report, entry, measurement),
            Err(failure) => Self::not_measured(&entry.name, failure),
        }
    }

    fn measured(report: &'a Report, entry: &'a ServerReport, measurement: &'a Measurement) -> Self {
        let totals = measurement.totals;
        let members = measurement.members.iter().flatten();
        Client {
            name: &entry.name,
            status: "measured",
            platform: measurement.platform.as_deref(),
            capabilities: &measurement.capabilities,
            source: measurement.origin.as_ref(),
            tool_count: Some(totals.tools),
            floor_tokens: Some(totals.floor),
            description_tokens: Some(totals.descriptions),
            instructions_tokens: totals.instructions,
            bytes: Some(measurement.bytes),
            servers: members.map(|member| Server::measured(&member.name, &member.measurement)).collect(),
            gate: measurement.gate.as_ref().map(|gate| GateDocument::of(report, entry, gate)),
            against: report.since(&entry.name).map(ServerDocument::of),
            notes: measurement.notes.iter().map(NoteDocument::of).collect(),
            error: None,
        }
    }

    fn not_measured(name: &'a str, failure: &'a Failure) -> Self {
        Client {
            name,
            status: "not_measured",
            platform: None,
            capabilities: &[],
            source: None,
            tool_count: None,
            floor_tokens: None,
            description_tokens: None,
            instructions_tokens: None,
            bytes: None,
            servers: Vec::new(),
            gate: None,
            against: None,
            notes: Vec::new(),
            error: Some(ErrorDocument::of(failure)),
        }
    }
}
