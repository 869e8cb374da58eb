//! Version 1 of the JSON document, read back by a strict mirror of the contract.

use std::collections::BTreeMap;

use mcp_footprint::codes::{ErrorCode, Note, NoteCode};
use mcp_footprint::gate::Metric;
use mcp_footprint::render::{Format, Look, render};
use mcp_footprint::report::Report;
use serde::Deserialize;

use crate::reports::*;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: String,
    estimator: String,
    exit_code: u8,
    servers: Vec<Server>,
    base: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Server {
    name: String,
    status: String,
    estimator: Option<String>,
    #[serde(deserialize_with = "present")]
    server: Option<Identity>,
    #[serde(deserialize_with = "present")]
    protocol: Option<String>,
    #[serde(deserialize_with = "present")]
    transport: Option<String>,
    #[serde(deserialize_with = "present")]
    platform: Option<String>,
    capabilities: Vec<String>,
    #[serde(deserialize_with = "present")]
    source: Option<serde_json::Value>,
    #[serde(deserialize_with = "present")]
    tool_count: Option<u64>,
    #[serde(deserialize_with = "present")]
    floor_tokens: Option<u64>,
    #[serde(deserialize_with = "present")]
    description_tokens: Option<u64>,
    #[serde(deserialize_with = "present")]
    instructions_tokens: Option<u64>,
    #[serde(deserialize_with = "present")]
    bytes: Option<u64>,
    deferred: Option<Deferred>,
    tools: Vec<Tool>,
    #[serde(deserialize_with = "present")]
    gate: Option<Gate>,
    against: Option<serde_json::Value>,
    notes: Vec<NoteRead>,
    #[serde(deserialize_with = "present")]
    error: Option<Error>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Identity {
    name: String,
    version: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    name: String,
    tokens: u64,
    description_tokens: u64,
    bytes: u64,
    sha256: String,
    fields: BTreeMap<String, u64>,
    definition_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Deferred {
    globs: Vec<String>,
    tool_count: u64,
    line_tokens: u64,
    frame_tokens: u64,
    everything_tokens: u64,
    lookup_tool_tokens: u64,
}

#[derive(Debug, Deserialize)]
struct Saving {
    rule: String,
    tool: Option<String>,
    tokens_saved: u64,
}

#[derive(Debug, Deserialize)]
struct Gate {
    verdict: String,
    reasons: Vec<Reason>,
    changes: Vec<Change>,
    savings: Vec<Saving>,
    #[serde(flatten)]
    bands: BTreeMap<String, Band>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Band {
    budget: u64,
    slack: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    code: String,
    measured: u64,
    budget: u64,
    slack: u64,
    difference: i64,
    since: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    tool: String,
    change: String,
    tokens: i64,
    description_tokens: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteRead {
    code: String,
    message: String,
    #[serde(deserialize_with = "present")]
    tool: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Error {
    code: String,
    message: String,
    #[serde(deserialize_with = "present")]
    stderr_tail: Option<String>,
}

/// A key that must be there, `null` or not: serde alone takes a missing key for `null`.
fn present<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

fn text(report: &Report) -> String {
    let mut out = Vec::new();
    render(Format::Json, report, &Look { width: 80, ascii: true, color: true }, &mut out)
        .expect("a string is written, JSON is read");
    String::from_utf8(out).expect("a string is written, JSON is read")
}

fn read(report: &Report) -> Document {
    serde_json::from_str(&text(report)).expect("a string is written, JSON is read")
}

#[test]
fn the_document_looks_like_the_contract() {
    let mut measurement = measured(vec![tool("add_note", 90, 14)]);
    measurement.notes.push(Note::new(NoteCode::StdoutNoise, "2 lines on standard output were no JSON"));
    let bands = [band(Metric::Floor, 88, 8), band(Metric::Descriptions, 14, 25)];
    let changes = vec![change("add_note", mcp_footprint::gate::Movement::Grew, 2, 0)];
    insta::assert_snapshot!("json_refused", text(&checked(vec![server("notes", gated(measurement, &bands, changes))])));
}

#[test]
fn what_grew_could_save_reads_back() {
    let document = read(&hostile(true));
    let saving = &document.servers[0].gate.as_ref().unwrap().savings[0];
    assert_eq!(
        (saving.rule.as_str(), saving.tool.as_deref(), saving.tokens_saved),
        ("output-schema", Some(HOSTILE), 4321)
    );
}

#[test]
fn a_refusal_reads_back_with_every_figure() {
    let document = read(&checked(vec![grown()]));
    assert_eq!((document.schema.as_str(), document.exit_code), ("mcp-footprint/1", 1));
    assert_eq!(document.estimator, "o200k_base:mcp-tool-json-v1");
    let server = &document.servers[0];
    let identity = server.server.as_ref().unwrap();
    assert_eq!((identity.name.as_str(), identity.version.as_str()), ("notes-server", "1.2.0"));
    assert_eq!((server.name.as_str(), server.status.as_str()), ("notes", "measured"));
    assert_eq!((server.protocol.as_deref(), server.transport.as_deref()), (Some("2025-11-25"), Some("stdio")));
    let counts = (server.tool_count, server.floor_tokens, server.description_tokens, server.instructions_tokens);
    assert_eq!(counts, (Some(5), Some(610), Some(118), Some(0)));
    assert_eq!(server.tools.iter().map(|tool| tool.tokens).sum::<u64>(), 610);
    assert_eq!(server.tools.iter().map(|tool| tool.description_tokens).sum::<u64>(), 118);
    assert_eq!(Some(server.tools.iter().map(|tool| tool.bytes).sum::<u64>()), server.bytes);
    assert!(server.tools.iter().all(|tool| tool.sha256.len() == 64));
    assert!(server.tools.iter().all(|tool| tool.fields.values().sum::<u64>() == tool.tokens));
    assert!(server.error.is_none());

    let gate = server.gate.as_ref().unwrap();
    assert_eq!(gate.verdict, "refused");
    assert_eq!((gate.bands["floor"].budget, gate.bands["floor"].slack), (510, 50));
    let reason = &gate.reasons[0];
    assert_eq!(reason.code, "FLOOR_BUDGET_EXCEEDED");
    assert_eq!((reason.measured, reason.budget, reason.slack, reason.difference), (610, 510, 50, 100));
    assert!(gate.savings.is_empty());
    let gone = &gate.changes[1];
    assert_eq!((gone.tool.as_str(), gone.change.as_str()), ("purge_notes", "gone"));
    assert_eq!((gone.tokens, gone.description_tokens), (-150, -40));
}

#[test]
fn tools_stand_in_the_order_of_the_list_whatever_the_table_ranks() {
    let report = Report { top: Some(1), ..ranking(vec![server("notes", notes())]) };
    let names: Vec<String> = read(&report).servers.remove(0).tools.into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["add_note", "search_notes", "delete_note", "list_notes", "update_note"]);
}

#[test]
fn cold_tools_add_fields_and_rows_that_add_up_to_the_floor() {
    let server = read(&ranking(vec![server("notes", cold())])).servers.remove(0);
    assert_eq!(server.estimator.as_deref(), Some("o200k_base:mcp-tool-json-v1+deferred"));
    let rows: Vec<_> =
        server.tools.iter().map(|tool| (tool.name.as_str(), tool.tokens, tool.definition_tokens)).collect();
    let expected = [
        ("add_note", 88, None),
        ("deferred:search_notes", 70, Some(240)),
        ("delete_note", 74, None),
        ("list_notes", 60, None),
        ("deferred:update_note", 30, Some(148)),
        ("deferred:<frame>", 27, None),
    ];
    assert_eq!(rows, expected);
    assert_eq!((server.tool_count, server.floor_tokens, server.description_tokens), (Some(5), Some(349), Some(118)));
    let deferred = server.deferred.expect("tools are deferred");
    assert_eq!(deferred.globs, ["search_*", "update_*"]);
    assert_eq!((deferred.tool_count, deferred.line_tokens, deferred.frame_tokens), (2, 100, 27));
    assert_eq!((deferred.everything_tokens, deferred.lookup_tool_tokens), (610, 105));
}

#[test]
fn optional_bands_are_further_keys_and_a_pass_has_no_reasons() {
    let bands: Vec<_> = Metric::ALL.iter().map(|&metric| band(metric, notes().totals.of(metric), 0)).collect();
    let document = read(&checked(vec![server("notes", gated(notes(), &bands, vec![]))]));
    let gate = document.servers[0].gate.as_ref().unwrap();
    assert_eq!(gate.verdict, "pass");
    assert_eq!(gate.bands.keys().collect::<Vec<_>>(), ["descriptions", "floor", "instructions", "largest", "tools"]);
    assert!(gate.reasons.is_empty() && gate.changes.is_empty());
}

#[test]
fn outside_check_the_gate_is_null_and_unknown_things_are_null_too() {
    let mut unknown = notes();
    (unknown.server, unknown.protocol, unknown.totals.instructions) = (None, None, None);
    let server = read(&ranking(vec![server("notes", unknown)])).servers.remove(0);
    assert!(server.gate.is_none() && server.server.is_none() && server.protocol.is_none());
    assert_eq!(server.instructions_tokens, None);
}

#[test]
fn what_was_not_measured_has_null_for_every_count_and_an_error() {
    let report = ranking(vec![broken("notes", ErrorCode::Timeout, "no answer within 60s", Some("waiting\n"))]);
    insta::assert_snapshot!("json_not_measured", text(&report));
    let document = read(&report);
    assert_eq!(document.exit_code, 3);
    let server = &document.servers[0];
    assert_eq!(server.status, "not_measured");
    assert!(server.tool_count.is_none() && server.floor_tokens.is_none() && server.description_tokens.is_none());
    assert!(server.instructions_tokens.is_none() && server.bytes.is_none() && server.transport.is_none());
    assert!(server.tools.is_empty() && server.notes.is_empty() && server.gate.is_none());
    let error = server.error.as_ref().unwrap();
    assert_eq!((error.code.as_str(), error.message.as_str()), ("timeout", "no answer within 60s"));
    assert_eq!(error.stderr_tail.as_deref(), Some("waiting\n"));
}

#[test]
fn a_comparison_adds_fields_and_a_change_without_a_reason_refuses_the_server() {
    let document = read(&compared());
    insta::assert_snapshot!("json_compared", text(&compared()));
    assert_eq!(document.exit_code, 1);
    let base = document.base.expect("a base was named");
    assert_eq!((&base["verdict"], &base["reference"]), (&"refused".into(), &HOSTILE.into()));
    assert_eq!(base["differences"][0]["code"], "BUDGET_RAISED_UNJUSTIFIED");
    assert_eq!((&base["differences"][1]["code"], &base["differences"][1]["reason"]), (&().into(), &HOSTILE.into()));
    let server = &document.servers[0];
    assert_eq!(server.gate.as_ref().unwrap().verdict, "refused");
    assert_eq!((server.platform.as_deref(), server.capabilities.len()), (Some("linux-x86_64"), 0));
    assert!(server.source.is_none());
    let against = server.against.as_ref().expect("an earlier measurement was named");
    assert_eq!((&against["tokens"], &against["tools"][1]["change"]), (&100.into(), &"reworded".into()));
    let grown = &document.servers[1];
    let since = grown.gate.as_ref().unwrap().reasons[0].since.as_ref().unwrap();
    assert_eq!(*since, serde_json::json!({ "difference": 0, "inherited": true }));
}

#[test]
fn hostile_text_is_exact_and_no_control_character_is_written_raw() {
    let json = text(&hostile(true));
    assert!(!json.chars().any(|c| c != '\n' && mcp_footprint::visible::is_hidden(c)));
    let document: Document = serde_json::from_str(&json).unwrap();
    let server = &document.servers[0];
    assert_eq!(server.name, HOSTILE);
    assert_eq!(server.tools[0].name, HOSTILE);
    assert_eq!(server.gate.as_ref().unwrap().changes[0].tool, HOSTILE);
    assert_eq!((server.notes[0].tool.as_deref(), server.notes[0].message.as_str()), (Some(HOSTILE), HOSTILE));
    assert_eq!(server.notes[0].code, "stdout_noise");
    let error = document.servers[2].error.as_ref().unwrap();
    assert_eq!((error.message.as_str(), error.stderr_tail.as_deref()), (HOSTILE, Some(HOSTILE)));
}
