//! The JSON document, version 1. A contract: within the version, fields are only ever added.
//!
//! The structs here are the document's own, in the order in which its fields stand, and are not the internal types,
//! so that nothing inside can change it by accident. Text is exact, never shortened or made visible.

use std::io::{self, Write};

use serde::Serialize;

use super::diff::{RowName, ServerDocument};
use super::json_client;
use super::json_rows::{DeferredDocument, Tool};
use super::json_text::Layout;
use crate::base::{self, Loosening};
use crate::capture::source::Origin;
use crate::codes::{ErrorCode, Failure, Note, NoteCode};
use crate::diff::ServerDifference;
use crate::gate::{Change, Metric, Movement, Reason};
use crate::kind::Kind;
use crate::price::ESTIMATOR;
use crate::report::{BudgetedJudgement, Gate, Measurement, Report, ServerReport};

/// Names this document and its version.
pub(super) const SCHEMA: &str = "mcp-footprint/1";

/// Writes the report, indented, closed by a line end.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        estimator: ESTIMATOR,
        exit_code: report.exit_code(),
        servers: of_kind(report, Kind::Server).map(|server| Server::of(report, server)).collect(),
        clients: of_kind(report, Kind::Client).map(|client| json_client::Client::of(report, client)).collect(),
        base: report.base.as_ref().map(BaseDocument::of),
    };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}

fn of_kind(report: &Report, kind: Kind) -> impl Iterator<Item = &ServerReport> {
    report.servers.iter().filter(move |entry| entry.kind == kind)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    estimator: &'static str,
    exit_code: u8,
    servers: Vec<Server<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clients: Vec<json_client::Client<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<BaseDocument<'a>>,
}

#[derive(Serialize)]
pub(super) struct Server<'a> {
    name: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimator: Option<&'static str>,
    server: Option<Identity<'a>>,
    protocol: Option<&'a str>,
    transport: Option<&'static str>,
    platform: Option<&'a str>,
    capabilities: &'a [String],
    source: Option<&'a Origin>,
    tool_count: Option<u64>,
    floor_tokens: Option<u64>,
    description_tokens: Option<u64>,
    instructions_tokens: Option<u64>,
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred: Option<DeferredDocument<'a>>,
    tools: Vec<Tool<'a>>,
    gate: Option<GateDocument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<ServerDocument<'a>>,
    notes: Vec<NoteDocument<'a>>,
    error: Option<ErrorDocument<'a>>,
}

#[derive(Serialize)]
struct Identity<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
pub(super) struct GateDocument<'a> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<Band>,
    #[serde(skip_serializing_if = "Option::is_none")]
    descriptions: Option<Band>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Band>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Band>,
    #[serde(skip_serializing_if = "Option::is_none")]
    largest: Option<Band>,
    reasons: Vec<ReasonDocument>,
    changes: Vec<ChangeDocument<'a>>,
}

#[derive(Serialize)]
struct Band {
    budget: u64,
    slack: u64,
}

#[derive(Serialize)]
struct ReasonDocument {
    code: Reason,
    measured: u64,
    budget: u64,
    slack: u64,
    difference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<SinceDocument>,
}

/// How much of a refusal came since the earlier measurement.
#[derive(Serialize)]
struct SinceDocument {
    difference: i64,
    inherited: bool,
}

/// budgets.toml beside its base.
#[derive(Serialize)]
struct BaseDocument<'a> {
    reference: &'a str,
    commit: &'a str,
    had_file: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    moved_from: &'a [String],
    verdict: &'static str,
    differences: Vec<BaseDifference<'a>>,
}

#[derive(Serialize)]
struct BaseDifference<'a> {
    code: Option<Reason>,
    change: Loosening,
    server: Option<&'a str>,
    band: Option<Metric>,
    before: &'a str,
    after: &'a str,
    reason: Option<&'a str>,
    refused: bool,
}

#[derive(Serialize)]
struct ChangeDocument<'a> {
    #[serde(flatten)]
    row: RowName<'a>,
    change: Movement,
    tokens: i64,
    description_tokens: i64,
}

#[derive(Serialize)]
pub(super) struct NoteDocument<'a> {
    code: NoteCode,
    message: &'a str,
    tool: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct ErrorDocument<'a> {
    code: ErrorCode,
    message: &'a str,
    stderr_tail: Option<&'a str>,
}

impl<'a> Server<'a> {
    pub(super) fn of(report: &'a Report, server: &'a ServerReport) -> Self {
        match &server.outcome {
            Ok(measurement) => Server {
                gate: measurement.gate.as_ref().map(|gate| GateDocument::of(report, server, gate)),
                against: report.since(&server.name).map(ServerDocument::of),
                ..Self::measured(&server.name, measurement)
            },
            Err(failure) => Self::not_measured(&server.name, failure),
        }
    }

    /// What was measured, beside nothing.
    pub(super) fn measured(name: &'a str, measurement: &'a Measurement) -> Self {
        Server {
            name,
            status: "measured",
            estimator: measurement.deferred.as_ref().map(|_| measurement.estimator()),
            server: measurement.server.as_ref().map(|server| Identity { name: &server.name, version: &server.version }),
            protocol: measurement.protocol.as_deref(),
            transport: Some(measurement.transport.as_str()),
            platform: measurement.platform.as_deref(),
            capabilities: &measurement.capabilities,
            source: measurement.origin.as_ref(),
            tool_count: Some(measurement.totals.tools),
            floor_tokens: Some(measurement.totals.floor),
            description_tokens: Some(measurement.totals.descriptions),
            instructions_tokens: measurement.totals.instructions,
            bytes: Some(measurement.bytes),
            deferred: measurement.deferred.as_ref().map(DeferredDocument::of),
            tools: measurement.rows().filter_map(Tool::of).collect(),
            gate: None,
            against: None,
            notes: measurement.notes.iter().map(NoteDocument::of).collect(),
            error: None,
        }
    }

    fn not_measured(name: &'a str, failure: &'a Failure) -> Self {
        Server {
            name,
            status: "not_measured",
            estimator: None,
            server: None,
            protocol: None,
            transport: None,
            platform: None,
            capabilities: &[],
            source: None,
            tool_count: None,
            floor_tokens: None,
            description_tokens: None,
            instructions_tokens: None,
            bytes: None,
            deferred: None,
            tools: Vec::new(),
            gate: None,
            against: None,
            notes: Vec::new(),
            error: Some(ErrorDocument::of(failure)),
        }
    }
}

impl<'a> ErrorDocument<'a> {
    pub(super) fn of(failure: &'a Failure) -> Self {
        ErrorDocument { code: failure.code, message: &failure.message, stderr_tail: failure.stderr_tail.as_deref() }
    }
}

impl<'a> GateDocument<'a> {
    pub(super) fn of(report: &'a Report, entry: &ServerReport, gate: &'a Gate) -> Self {
        let loosened = report.base.as_ref().is_some_and(|base| base.refuses(&entry.name));
        let since = report.since(&entry.name);
        let band = |metric: Metric| {
            let judged = gate.judgements.iter().map(|judged| judged.judgement.band);
            judged
                .into_iter()
                .find(|band| band.metric == metric)
                .map(|band| Band { budget: band.budget, slack: band.slack })
        };
        GateDocument {
            verdict: if loosened || gate.refusals().next().is_some() { "refused" } else { "pass" },
            floor: band(Metric::Floor),
            descriptions: band(Metric::Descriptions),
            instructions: band(Metric::Instructions),
            tools: band(Metric::Tools),
            largest: band(Metric::Largest),
            reasons: gate.refusals().map(|refusal| ReasonDocument::of(refusal, since)).collect(),
            changes: gate.changes.iter().map(|change| ChangeDocument::of(entry.kind, change)).collect(),
        }
    }
}

impl ReasonDocument {
    fn of((judged, code): (&BudgetedJudgement, Reason), since: Option<&ServerDifference>) -> Self {
        let judgement = &judged.judgement;
        ReasonDocument {
            code,
            measured: judgement.measured,
            budget: judgement.band.budget,
            slack: judgement.band.slack,
            difference: judgement.difference(),
            since: since
                .and_then(|since| since.share_of(judgement))
                .map(|(difference, inherited)| SinceDocument { difference, inherited }),
        }
    }
}

impl<'a> BaseDocument<'a> {
    fn of(base: &'a base::Comparison) -> Self {
        BaseDocument {
            reference: &base.reference,
            commit: &base.commit,
            had_file: base.found != base::Found::Nowhere,
            moved_from: match &base.found {
                base::Found::Moved(paths) => paths,
                _ => &[],
            },
            verdict: if base.is_refused() { "refused" } else { "pass" },
            differences: base.differences.iter().map(BaseDifference::of).collect(),
        }
    }
}

impl<'a> BaseDifference<'a> {
    fn of(difference: &'a base::Difference) -> Self {
        BaseDifference {
            code: difference.code(),
            change: difference.loosening,
            server: difference.server.as_deref(),
            band: difference.metric,
            before: &difference.before,
            after: &difference.after,
            reason: difference.reason.as_deref(),
            refused: difference.is_refused(),
        }
    }
}

impl<'a> ChangeDocument<'a> {
    fn of(kind: Kind, change: &'a Change) -> Self {
        ChangeDocument {
            row: RowName::of(kind, &change.tool),
            change: change.movement,
            tokens: change.tokens,
            description_tokens: change.description_tokens,
        }
    }
}

impl<'a> NoteDocument<'a> {
    pub(super) fn of(note: &'a Note) -> Self {
        NoteDocument { code: note.code, message: &note.message, tool: note.tool.as_deref() }
    }
}
