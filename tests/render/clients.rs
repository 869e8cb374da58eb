//! A client beside a server in every format: its rows are servers, and its verdict is one of its own.

use mcp_footprint::base::{self, Loosening};
use mcp_footprint::capture::source::Origin;
use mcp_footprint::codes::{ErrorCode, Failure, Note, NoteCode};
use mcp_footprint::gate::{Metric, Movement};
use mcp_footprint::kind::Kind;
use mcp_footprint::members::Member;
use mcp_footprint::render::{Format, Look, annotations, render};
use mcp_footprint::report::{Measurement, Report, ServerReport, SortKey};
use serde_json::Value;

use crate::reports::*;

const NARROW: Look = Look { width: 80, ascii: false, color: false };

fn document(format: Format, report: &Report) -> String {
    let mut out = Vec::new();
    render(format, report, &NARROW, &mut out).expect("a string takes every document");
    String::from_utf8(out).expect("documents are UTF-8")
}

fn member(name: &str, measurement: Measurement) -> Member {
    Member { name: name.into(), measurement }
}

/// The notes server, a server of two heavy tools that is new, and one that says something odd.
fn three(odd: &str) -> Measurement {
    let mut small = measured(vec![tool("now", 30, 5)]);
    small.notes.push(Note::about("now", NoteCode::StdoutNoise, odd));
    let heavy = measured(vec![tool("crawl", 900, 200), tool("search", 1134, 300)]);
    let origin = Origin { config: Some(".mcp.json".into()), ..Origin::default() };
    Measurement::of_client(origin, vec![], vec![member("notes", notes()), member(odd, small), member("docs", heavy)])
}

fn refused_client(odd: &str) -> ServerReport {
    let bands = [band(Metric::Floor, 640, 64), band(Metric::Descriptions, 123, 25), band(Metric::Largest, 240, 0)];
    let changes = vec![change("docs", Movement::New, 2034, 500), change(odd, Movement::Grew, 12, 0)];
    ServerReport { kind: Kind::Client, ..server("desk", gated(three(odd), &bands, changes)) }
}

fn broken_client() -> ServerReport {
    let failure = Failure {
        code: ErrorCode::Exited,
        message: "docs: the server exited with code 3".into(),
        stderr_tail: Some("no database\n".into()),
    };
    ServerReport { name: "other".into(), kind: Kind::Client, outcome: Err(failure) }
}

/// A server that passes, a client that is refused, one that was not measured, and one that is gone since the base.
fn mixed() -> Report {
    let bands = [band(Metric::Floor, 610, 61), band(Metric::Descriptions, 118, 25)];
    let gone = base::Difference {
        server: Some("laptop".into()),
        loosening: Loosening::ClientRemoved,
        metric: None,
        before: "floor 900".into(),
        after: "not in the file".into(),
        reason: None,
        line: None,
    };
    Report {
        base: Some(base::Comparison {
            reference: "main".into(),
            commits: vec!["0123456789abcdef0123456789abcdef01234567".into()],
            bands: Default::default(),
            found: base::Found::Here,
            differences: vec![gone],
        }),
        ..checked(vec![server("notes", gated(notes(), &bands, vec![])), refused_client("clock"), broken_client()])
    }
}

#[test]
fn every_format_tells_a_client_by_its_servers() {
    for (format, name) in [
        (Format::Table, "table"),
        (Format::Json, "json"),
        (Format::Markdown, "markdown"),
        (Format::Junit, "junit"),
        (Format::Gitlab, "gitlab"),
    ] {
        insta::assert_snapshot!(format!("client_{name}"), document(format, &mixed()));
    }
    let mut out = Vec::new();
    annotations(&mixed(), &mut out).expect("a string takes every document");
    insta::assert_snapshot!("client_annotations", String::from_utf8(out).expect("annotations are UTF-8"));
}

#[test]
fn code_scanning_has_a_result_for_each_refusal_of_a_client() {
    let sarif: Value = serde_json::from_str(&document(Format::Sarif, &mixed())).expect("SARIF is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results are an array");
    let told: Vec<(&str, &str)> = results
        .iter()
        .filter(|result| result["level"] == "error")
        .map(|result| {
            let text = |value: &'_ Value| value.as_str().expect("a string").to_owned();
            (text(&result["ruleId"]).leak() as &str, text(&result["message"]["text"]).leak() as &str)
        })
        .collect();
    let codes: Vec<&str> = told.iter().map(|(code, _)| *code).collect();
    assert_eq!(
        codes,
        ["FLOOR_BUDGET_EXCEEDED", "DESC_BUDGET_EXCEEDED", "LARGEST_BUDGET_EXCEEDED", "exited", "GATE_LOOSENED"]
    );
    assert!(told[0].1.starts_with("client desk, 3 servers, 8 tools: floor 2674 tokens"), "{}", told[0].1);
    assert!(told[0].1.contains("docs +2034 (new), clock +12 (grew)"), "{}", told[0].1);
}

#[test]
fn a_report_ranks_the_servers_of_a_client_and_adds_it_to_nothing() {
    let client = ServerReport { kind: Kind::Client, ..server("desk", three("clock")) };
    let alone = ranking(vec![client.clone()]);
    insta::assert_snapshot!("client_report", document(Format::Table, &Report { top: Some(2), ..alone }));
    let beside = document(Format::Table, &ranking(vec![server("notes", notes()), client.clone()]));
    assert!(beside.starts_with("mcp-footprint: 1 server · 5 tools · floor 610 est. tokens"), "{beside}");
    let clients = document(Format::Table, &ranking(vec![client.clone(), broken_client()]));
    assert!(clients.starts_with("mcp-footprint: 2 clients (est. tokens, "), "{clients}");
}

#[test]
fn documents_of_single_servers_hold_those_of_a_client_one_by_one_and_never_a_part_of_them() {
    let client = ServerReport { kind: Kind::Client, ..server("desk", three("clock")) };
    let report = ranking(vec![client]);
    let fak: Value = serde_json::from_str(&document(Format::Fak, &report)).expect("it is JSON");
    assert_eq!((fak["floor_tokens"].as_u64(), fak["tool_count"].as_u64()), (Some(2674), Some(8)));
    assert_eq!(fak["per_tool"][0]["name"], "desk/docs/search");
    let catalog: Value = serde_json::from_str(&document(Format::Catalog, &report)).expect("it is JSON");
    let names: Vec<&str> = catalog["servers"].as_array().unwrap().iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["desk/notes", "desk/clock", "desk/docs"]);

    let partial = ranking(vec![server("notes", notes()), broken_client()]);
    let fak: Value = serde_json::from_str(&document(Format::Fak, &partial)).expect("it is JSON");
    assert!(fak["floor_tokens"].is_null() && fak["per_tool"].as_array().unwrap().is_empty(), "{fak}");
}

#[test]
fn the_page_has_a_row_for_each_server_of_a_client_with_what_moved() {
    let page = document(Format::Html, &mixed());
    let (_, from) = page.split_once(r#"<script type="application/json" id="data">"#).expect("a page has data");
    let (json, _) = from.split_once("</script>").expect("the data ends");
    let data: Value = serde_json::from_str(json).expect("the data is JSON");
    let client = &data["servers"][1];
    assert_eq!((&client["title"], &client["size"]), (&"client desk".into(), &"3 servers, 8 tools".into()));
    let rows = client["tools"].as_array().expect("rows");
    let told: Vec<_> =
        rows.iter().map(|row| (row["name"].as_str(), row["tokens"].as_u64(), row["change"].as_i64())).collect();
    assert_eq!(
        told,
        [
            (Some("notes"), Some(610), Some(0)),
            (Some("clock"), Some(30), Some(12)),
            (Some("docs"), Some(2034), Some(2034))
        ]
    );
}

#[test]
fn a_hostile_name_of_a_server_is_inert_in_every_document_that_people_read() {
    let report = checked(vec![refused_client(HOSTILE)]);
    for format in [Format::Table, Format::Markdown, Format::Junit, Format::Gitlab] {
        let text = document(format, &report);
        let hidden = |c: char| c != '\n' && mcp_footprint::visible::is_hidden(c);
        assert!(!text.contains(hidden), "{text}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
    }
}

#[test]
fn the_sums_of_a_client_are_those_of_its_servers_and_unknown_where_one_is() {
    let client = three("clock");
    let totals = client.totals;
    assert_eq!((totals.floor, totals.descriptions, totals.tools, totals.largest), (2674, 623, 8, 1134));
    assert_eq!(totals.instructions, Some(0));
    assert_eq!(client.heaviest().as_deref(), Some("docs/search"));
    let ranked: Vec<String> = client.ranked_rows(SortKey::Name).into_iter().map(|row| row.name.into_owned()).collect();
    assert_eq!(ranked, ["clock", "docs", "notes"]);
    let mut silent = notes();
    silent.totals.instructions = None;
    let members = vec![member("a", notes()), member("b", silent)];
    let client = Measurement::of_client(Origin::default(), vec![], members);
    assert_eq!(client.totals.instructions, None);
}
