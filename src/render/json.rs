//! A report as JSON, version 1. What the document holds is in [`document`]; here it is filled from the report.
//!
//! Text is exact, never shortened or made visible.

use std::io::{self, Write};

use serde::Serialize;

use self::document::{
    Band, BaseDifference, BaseDocument, ChangeDocument, Document, Identity, ReasonDocument, SinceDocument,
};
use self::rows::{DeferredDocument, Tool};
use super::advice::FindingDocument;
use super::diff::{RowName, ServerDocument};
use super::json_client;
use super::json_text::Layout;
use crate::base;
use crate::codes::{Failure, Note};
use crate::diff::ServerDifference;
use crate::gate::{Change, Metric, Reason};
use crate::kind::Kind;
use crate::price::ESTIMATOR;
use crate::report::{BudgetedJudgement, Gate, Measurement, Report, ServerReport};

pub(super) use self::document::{ErrorDocument, GateDocument, NoteDocument, Server};

pub(super) mod document;
mod rows;

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
    pub(in crate::render) fn of(failure: &'a Failure) -> Self {
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
            savings: gate.savings.iter().map(FindingDocument::of).collect(),
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
            since: since.and_then(|since| since.share_of(judgement)).map(|share| SinceDocument {
                difference: share.difference,
                inherited: share.inherited,
                budget_before: share.budget_before,
            }),
        }
    }
}

impl<'a> BaseDocument<'a> {
    fn of(base: &'a base::Comparison) -> Self {
        BaseDocument {
            reference: &base.reference,
            commit: base.commits.first().map(String::as_str).unwrap_or_default(),
            commits: &base.commits,
            had_file: base.found.is_somewhere(),
            nearest_above: match &base.found {
                base::Found::Above(path) => Some(path),
                _ => None,
            },
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
