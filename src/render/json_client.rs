//! A client in the JSON report: its sums, its servers one by one in the shape of all servers, and its gate.

use serde::Serialize;

use super::diff::ServerDocument;
use super::json::{ErrorDocument, GateDocument, NoteDocument, Server};
use crate::capture::source::Origin;
use crate::codes::Failure;
use crate::report::{Measurement, Report, ServerReport};

/// One client, the sum of its servers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Client<'a> {
    /// Its name in budgets.toml.
    name: &'a str,
    /// Whether every server of its config could be priced completely.
    #[cfg_attr(test, schemars(extend("enum" = ["measured", "not_measured"])))]
    status: &'static str,
    /// Operating system and architecture of the captures; `null` where unknown or not the same.
    platform: Option<&'a str>,
    /// The client capabilities that were declared.
    capabilities: &'a [String],
    /// Where its servers came from, as it was written; `null` where unknown.
    source: Option<&'a Origin>,
    /// How many definitions all its servers list.
    tool_count: Option<u64>,
    /// Tokens of all of them.
    floor_tokens: Option<u64>,
    /// Tokens of all their descriptions.
    description_tokens: Option<u64>,
    /// Tokens of all their instructions; `null` where unknown.
    instructions_tokens: Option<u64>,
    /// UTF-8 bytes of all compact definitions.
    bytes: Option<u64>,
    /// Those of the config, each with its own notes; empty where one of them was not measured.
    servers: Vec<Server<'a>>,
    /// What the gate says; `null` outside `check`.
    gate: Option<GateDocument<'a>>,
    /// What moved since an earlier measurement; there with `check --against` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "ServerDocument<'a>"))]
    against: Option<ServerDocument<'a>>,
    /// Its own, and once more those of its servers, by name.
    notes: Vec<NoteDocument<'a>>,
    /// Why it was not measured; `null` where it was.
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
