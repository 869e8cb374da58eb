//! The page: one file that shows where the tokens are, in a browser, without asking anyone for anything.
//!
//! The script and the style are fixed texts whose digests stand in the page's own content policy, so that nothing else
//! can run. What servers wrote is data in a block that is no script, and becomes text and nothing but text.

use std::collections::HashMap;
use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::arguments::{Argument, arguments};
use super::deferred;
use super::entries::{lead, size};
use super::finding::{self, LOOK, lines};
use super::look::count;
use super::remedy::Remedy;
use crate::codes::NoteCode;
use crate::gate::{Metric, Movement, Reason};
use crate::report::{Gate, Measurement, Report, ServerReport};
use crate::rows::{Row, RowKind};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    // A browser hashes what it parsed, where every line end is one character.
    let [page, style, script] = [PAGE, STYLE, SCRIPT].map(|text| text.replace("\r\n", "\n"));
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(&script),
        digest(&style)
    );
    let data = inert(&serde_json::to_string(&Document::of(report))?);
    let mut rest = page.as_str();
    for (place, content) in
        [("{{policy}}", &policy), ("{{style}}", &style), ("{{data}}", &data), ("{{script}}", &script)]
    {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        out.write_all(content.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// JSON in which nothing ends the block that it stands in: these characters occur inside strings only.
fn inert(json: &str) -> String {
    json.replace('<', r"\u003c").replace('>', r"\u003e").replace('&', r"\u0026")
}

fn line(text: &str) -> String {
    LOOK.show(text).into_owned()
}

#[derive(Serialize)]
struct Document {
    estimator: &'static str,
    exit_code: u8,
    verdict: String,
    context_window: u64,
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
    tool_count: u64,
    floor_tokens: u64,
    description_tokens: u64,
    bands: Vec<Band>,
    gone: Vec<Gone>,
    remedy: Option<Command>,
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
    description: String,
    arguments: Vec<Argument>,
}

impl Document {
    fn of(report: &Report) -> Self {
        Document {
            estimator: report.estimator(),
            exit_code: report.exit_code(),
            verdict: finding::verdicts(report),
            context_window: report.context_window,
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
            tool_count: 0,
            floor_tokens: 0,
            description_tokens: 0,
            bands: Vec::new(),
            gone: Vec::new(),
            remedy: None,
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
        let remedy = refused.map(|gate| {
            let remedy = Remedy::of(measurement, gate);
            Command {
                purpose: finding::sentence(remedy.purpose()),
                command: remedy.command(&server.name, report, false),
            }
        });
        Server {
            verdict: match (gate, refused) {
                (None, _) => "measured",
                (_, Some(_)) => "refused",
                _ => "pass",
            },
            size: size(measurement),
            tool_count: measurement.totals.tools,
            floor_tokens: measurement.totals.floor,
            description_tokens: measurement.totals.descriptions,
            bands: gate.map(bands).unwrap_or_default(),
            gone: gate.map(gone).unwrap_or_default(),
            remedy,
            notes: deferral(measurement).into_iter().chain(measurement.notes.iter().map(note)).collect(),
            tools: tools(measurement),
            ..self
        }
    }
}

fn bands(gate: &Gate) -> Vec<Band> {
    let band = |judged: &crate::report::BudgetedJudgement| {
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

fn note(note: &crate::codes::Note) -> String {
    let tool = note.tool.as_deref().map(|tool| format!("{}: ", line(tool))).unwrap_or_default();
    format!("{tool}{} ({})", line(&note.message), note.code)
}

fn tools(measurement: &Measurement) -> Vec<Tool> {
    let has_pins = !measurement.notes.iter().any(|note| note.code == NoteCode::NoPins);
    let changes: Option<HashMap<&str, i64>> = measurement
        .gate
        .as_ref()
        .filter(|_| has_pins)
        .map(|gate| gate.changes.iter().map(|change| (change.tool.as_str(), change.tokens)).collect());
    let tool = |row: Row<'_>| Tool {
        change: changes.as_ref().map(|changes| changes.get(&*row.name).copied().unwrap_or(0)),
        name: line(&row.name),
        tokens: row.tokens,
        description_tokens: row.description_tokens,
        bytes: row.bytes,
        description: described(&row),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_cannot_end_its_block_and_reads_back_the_same() {
        let text = "</script><!--<script>&amp;";
        let json = inert(&serde_json::to_string(text).unwrap());
        assert!(!json.contains(['<', '>', '&']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn every_place_of_the_page_is_filled_in_its_order() {
        let places = ["{{policy}}", "{{style}}", "{{data}}", "{{script}}"].map(|place| PAGE.find(place).unwrap());
        assert!(places.is_sorted(), "{places:?}");
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
    }
}
