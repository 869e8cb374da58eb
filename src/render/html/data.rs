//! What the page shows, as its script reads it. Every text is visible text: the script makes it text of the page and
//! nothing else.

use std::collections::HashMap;

use serde::Serialize;

use super::super::advice;
use super::super::arguments::{Argument, arguments};
use super::super::deferred;
use super::super::entries::{lead, size};
use super::super::finding::{self, LOOK, lines};
use super::super::look::count;
use super::super::remedy;
use super::compared::{Base, Since};
use crate::codes::{Note, NoteCode};
use crate::diff::ServerDifference;
use crate::gate::{Metric, Movement, Reason};
use crate::price::Price;
use crate::report::{BudgetedJudgement, Gate, Measurement, Report, ServerReport};
use crate::rows::{Row, RowKind};

pub(super) fn line(text: &str) -> String {
    LOOK.show(text).into_owned()
}

#[derive(Serialize)]
pub(super) struct Document {
    estimator: &'static str,
    exit_code: u8,
    verdict: String,
    context_window: u64,
    is_gated: bool,
    base: Option<Base>,
    servers: Vec<Server>,
}

#[derive(Serialize)]
struct Server {
    name: String,
    /// The name, and before it that it is a client.
    title: String,
    /// How many tools, and of a client how many servers.
    size: String,
    verdict: &'static str,
    error: Option<Error>,
    floor_tokens: u64,
    description_tokens: u64,
    bands: Vec<Band>,
    gone: Vec<Gone>,
    since: Option<Since>,
    remedies: Vec<Command>,
    savings: Vec<String>,
    notes: Vec<String>,
    tools: Vec<Tool>,
}

#[derive(Serialize)]
struct Error {
    code: &'static str,
    message: String,
    stderr_tail: Option<String>,
}

#[derive(Serialize)]
struct Band {
    metric: Metric,
    measured: u64,
    budget: u64,
    slack: u64,
    difference: i64,
    reason: Option<Reason>,
}

#[derive(Serialize)]
struct Gone {
    name: String,
    tokens: i64,
}

#[derive(Serialize)]
struct Command {
    purpose: String,
    command: String,
}

#[derive(Serialize)]
struct Tool {
    name: String,
    tokens: u64,
    description_tokens: u64,
    bytes: u64,
    /// Tokens since the last pin; `None` where there is no pin to compare with.
    change: Option<i64>,
    /// Tokens since the earlier measurement; `None` where there is none to compare with.
    since: Option<i64>,
    description: String,
    fields: Vec<Field>,
    arguments: Vec<Argument>,
}

/// The tokens of one top-level key.
#[derive(Serialize)]
struct Field {
    name: String,
    tokens: u64,
}

impl Document {
    pub(super) fn of(report: &Report) -> Self {
        Document {
            estimator: report.estimator(),
            exit_code: report.exit_code(),
            verdict: finding::verdicts(report),
            context_window: report.context_window,
            is_gated: report.budgets.is_some(),
            base: report.base.as_ref().map(Base::of),
            servers: report.servers.iter().map(|server| Server::of(report, server)).collect(),
        }
    }
}

impl Server {
    fn of(report: &Report, server: &ServerReport) -> Self {
        let empty = Server {
            name: line(&server.name),
            title: line(&format!("{}{}", lead(server), server.name)),
            size: String::new(),
            verdict: "not measured",
            error: None,
            floor_tokens: 0,
            description_tokens: 0,
            bands: Vec::new(),
            gone: Vec::new(),
            since: None,
            remedies: Vec::new(),
            savings: Vec::new(),
            notes: Vec::new(),
            tools: Vec::new(),
        };
        match &server.outcome {
            Ok(measurement) => empty.measured(report, server, measurement),
            Err(failure) => Server {
                error: Some(Error {
                    code: failure.code.as_str(),
                    message: line(&failure.message),
                    stderr_tail: failure.stderr_tail.as_deref().map(lines),
                }),
                ..empty
            },
        }
    }

    fn measured(self, report: &Report, server: &ServerReport, measurement: &Measurement) -> Self {
        let gate = measurement.gate.as_ref();
        let refused = gate.filter(|_| measurement.is_refused());
        let ways = refused.into_iter().flat_map(|gate| remedy::ways(report, &server.name, measurement, gate, false));
        let remedies =
            ways.map(|(purpose, command)| Command { purpose: finding::sentence(purpose), command }).collect();
        let loosened = report.base.as_ref().is_some_and(|base| base.refuses(&server.name));
        let since = report.since(&server.name);
        Server {
            verdict: match (gate, refused) {
                (None, _) => "measured",
                (_, Some(_)) => "refused",
                _ if loosened => "refused",
                _ => "pass",
            },
            size: size(measurement),
            floor_tokens: measurement.totals.floor,
            description_tokens: measurement.totals.descriptions,
            bands: gate.map(bands).unwrap_or_default(),
            gone: gate.map(gone).unwrap_or_default(),
            since: since.map(|since| Since::of(since, gate)),
            remedies,
            savings: refused.map(savings).unwrap_or_default(),
            notes: deferral(measurement).into_iter().chain(measurement.notes.iter().map(note)).collect(),
            tools: tools(measurement, since),
            ..self
        }
    }
}

/// What the tools that grew could do without.
fn savings(gate: &Gate) -> Vec<String> {
    gate.savings.iter().map(|found| format!("-{} {}", found.saved, advice::text(found, &LOOK))).collect()
}

fn bands(gate: &Gate) -> Vec<Band> {
    let band = |judged: &BudgetedJudgement| {
        let judgement = &judged.judgement;
        Band {
            metric: judgement.band.metric,
            measured: judgement.measured,
            budget: judgement.band.budget,
            slack: judgement.band.slack,
            difference: judgement.difference(),
            reason: judgement.reason,
        }
    };
    gate.judgements.iter().map(band).collect()
}

fn gone(gate: &Gate) -> Vec<Gone> {
    let gone = gate.changes.iter().filter(|change| change.movement == Movement::Gone);
    gone.map(|change| Gone { name: line(&change.tool), tokens: change.tokens }).collect()
}

fn deferral(measurement: &Measurement) -> Option<String> {
    deferred::sentence(measurement).map(|sentence| format!("deferred: {sentence}"))
}

fn note(note: &Note) -> String {
    let tool = note.tool.as_deref().map(|tool| format!("{}: ", line(tool))).unwrap_or_default();
    format!("{tool}{} ({})", line(&note.message), note.code)
}

fn tools(measurement: &Measurement, since: Option<&ServerDifference>) -> Vec<Tool> {
    let has_pins = !measurement.notes.iter().any(|note| note.code == NoteCode::NoPins);
    let gate = measurement.gate.as_ref().filter(|_| has_pins);
    let mut changes: Option<HashMap<&str, i64>> =
        gate.map(|gate| gate.changes.iter().map(|change| (change.tool.as_str(), change.tokens)).collect());
    let mut moved: Option<HashMap<&str, i64>> =
        since.map(|since| since.tools.iter().map(|tool| (tool.tool.as_str(), tool.tokens)).collect());
    // All definitions of one name moved together, and the first of them stands for it.
    let taken = |changes: &mut Option<HashMap<&str, i64>>, name: &str| {
        changes.as_mut().map(|changes| changes.remove(name).unwrap_or(0))
    };
    let tool = |row: Row<'_>| Tool {
        change: taken(&mut changes, &row.name),
        since: taken(&mut moved, &row.name),
        name: line(&row.name),
        tokens: row.tokens,
        description_tokens: row.description_tokens,
        bytes: row.bytes,
        description: described(&row),
        fields: match row.kind {
            RowKind::Member(member) => fields(member.measurement.tools.iter().map(|tool| &tool.price)),
            RowKind::Sent(_) | RowKind::Deferred(..) | RowKind::Frame(_) => fields(row.price()),
        },
        arguments: row.definition().map(arguments).unwrap_or_default(),
    };
    measurement.rows().map(tool).collect()
}

fn described(row: &Row<'_>) -> String {
    match row.kind {
        RowKind::Sent(tool) | RowKind::Deferred(tool, _) => lines(tool.definition.description()),
        RowKind::Frame(_) => String::new(),
        RowKind::Member(member) => {
            format!("A server of the client, with {}.", count(member.measurement.totals.tools, "tool"))
        }
    }
}

/// The tokens of these texts by field, in the order in which the fields first stand; none for those that have none.
fn fields<'a>(prices: impl IntoIterator<Item = &'a Price>) -> Vec<Field> {
    let mut sums: Vec<Field> = Vec::new();
    for field in prices.into_iter().flat_map(|price| &price.fields).filter(|field| field.tokens > 0) {
        let name = line(&field.key);
        match sums.iter_mut().find(|sum| sum.name == name) {
            Some(sum) => sum.tokens += field.tokens,
            None => sums.push(Field { name, tokens: field.tokens }),
        }
    }
    sums
}
