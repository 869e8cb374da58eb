//! The documents for other programs: each on a refusal, a pass, a server that was not measured, and hostile text.

use std::collections::BTreeSet;

use mcp_footprint::codes::{ErrorCode, Note, NoteCode};
use mcp_footprint::gate::{Metric, Movement};
use mcp_footprint::render::{Format, Look, annotations, render, step_summary};
use mcp_footprint::report::Report;
use mcp_footprint::visible;
use serde_json::Value;

use crate::reports::*;

const LISTING: [Format; 4] = [Format::Markdown, Format::Junit, Format::Gitlab, Format::Sarif];

fn document(format: Format, report: &Report) -> String {
    let mut out = Vec::new();
    let look = Look { width: 80, ascii: false, color: false };
    render(format, report, &look, &mut out).expect("a string takes every document");
    String::from_utf8(out).expect("documents are UTF-8")
}

fn annotated(report: &Report) -> String {
    let mut out = Vec::new();
    annotations(report, &mut out).expect("a string takes every document");
    String::from_utf8(out).expect("documents are UTF-8")
}

fn passing() -> Report {
    let bands = [band(Metric::Floor, 620, 62), band(Metric::Descriptions, 118, 25)];
    let mut measurement = gated(notes(), &bands, vec![change("list_notes", Movement::Shrank, -10, 0)]);
    measurement.notes.push(Note::new(NoteCode::StdoutNoise, "2 lines on standard output were no JSON"));
    checked(vec![server("notes", measurement)])
}

fn refused() -> Report {
    checked(vec![grown()])
}

fn unmeasured() -> Report {
    checked(vec![broken(
        "search",
        ErrorCode::Exited,
        "search ended with exit code 1 before it answered initialize",
        Some("Error: no such file\n\tat open (index.js:1)\n"),
    )])
}

/// SARIF repeats every rule in every document: snapshots hold the results, which point at their rules by name.
fn snapshot_form(format: Format, report: &Report) -> String {
    let text = document(format, report);
    if format != Format::Sarif {
        return text;
    }
    let mut value: Value = serde_json::from_str(&text).expect("SARIF is JSON");
    value["runs"][0]["tool"]["driver"]["version"] = "VERSION".into();
    value["runs"][0]["tool"]["driver"]["rules"].as_array_mut().expect("rules are an array").truncate(1);
    for result in value["runs"][0]["results"].as_array_mut().expect("results are an array") {
        result["ruleIndex"] = "INDEX".into();
    }
    format!("{value:#}")
}

#[test]
fn every_format_shows_a_refusal_a_pass_what_was_not_measured_and_hostile_text() {
    for (format, name) in LISTING.iter().zip(["markdown", "junit", "gitlab", "sarif"]) {
        insta::assert_snapshot!(format!("{name}_refused"), snapshot_form(*format, &refused()));
        insta::assert_snapshot!(format!("{name}_pass"), snapshot_form(*format, &passing()));
        insta::assert_snapshot!(format!("{name}_not_measured"), snapshot_form(*format, &unmeasured()));
        insta::assert_snapshot!(format!("{name}_hostile"), snapshot_form(*format, &hostile(true)));
    }
}

#[test]
fn the_way_out_stands_in_every_format_of_a_refusal() {
    let with = |savings| {
        let mut server = grown();
        server.outcome.as_mut().expect("it is measured").gate.as_mut().expect("it is gated").savings = savings;
        checked(vec![server])
    };
    let formats = [Format::Table, Format::Json, Format::Markdown, Format::Junit, Format::Gitlab, Format::Html];
    for saved in [true, false] {
        let report = with(if saved { vec![saving("add_note", "Leave it out.")] } else { Vec::new() });
        let texts = formats.iter().chain([&Format::Sarif]).map(|format| document(*format, &report));
        for text in texts.chain([annotated(&report)]) {
            assert_eq!(text.contains("4321") && text.contains("add_note"), saved, "{text}");
        }
        assert!(document(Format::Markdown, &report).contains("mcp-footprint advise --server notes"));
    }
}

#[test]
fn both_floors_of_cold_tools_are_told_in_every_format() {
    let bands = [band(Metric::Floor, 349, 34), band(Metric::Descriptions, 118, 25)];
    let report = checked(vec![server("notes", gated(cold(), &bands, vec![]))]);
    insta::assert_snapshot!("markdown_cold", document(Format::Markdown, &report));
    insta::assert_snapshot!("junit_cold", document(Format::Junit, &report));
    for format in [Format::Table, Format::Json, Format::Markdown, Format::Junit, Format::Html] {
        let text = document(format, &report);
        assert!(text.contains("349") && text.contains("610"), "{text}");
    }
    for format in
        [Format::Table, Format::Json, Format::Markdown, Format::Junit, Format::Html, Format::Sarif, Format::Fak]
    {
        assert!(document(format, &report).contains("o200k_base:mcp-tool-json-v1+deferred"), "{format:?}");
    }
    let catalog: Value = serde_json::from_str(&document(Format::Catalog, &report)).unwrap();
    assert_eq!(
        (&catalog["servers"][0]["estimated_tokens"], &catalog["servers"][0]["tool_count"]),
        (&610.into(), &5.into())
    );
    let fak: Value = serde_json::from_str(&document(Format::Fak, &report)).unwrap();
    let rows = fak["per_tool"].as_array().unwrap().iter().map(|row| row["tokens"].as_u64().unwrap());
    assert_eq!((Some(rows.sum()), fak["tool_count"].as_u64()), (fak["floor_tokens"].as_u64(), Some(5)));
}

/// Results alone: what they point at is tested below.
fn sarif_results(report: &Report) -> Value {
    let mut sarif: Value = serde_json::from_str(&snapshot_form(Format::Sarif, report)).expect("SARIF is JSON");
    sarif["runs"][0]["results"].take()
}

#[test]
fn advice_is_a_note_with_its_saving_at_the_table_of_its_server() {
    let report = |text: &str| checked(vec![server("notes", advised(text))]);
    insta::assert_snapshot!("sarif_advice", format!("{:#}", sarif_results(&report("Leave out the output schema."))));
    insta::assert_snapshot!("sarif_advice_hostile", format!("{:#}", sarif_results(&report(HOSTILE))));
    let fingerprints = |report: &Report| -> Vec<String> {
        let results = sarif_results(report);
        let of = |result: &Value| result["partialFingerprints"]["ruleServerTool/v1"].as_str().map(str::to_owned);
        results.as_array().unwrap().iter().filter_map(of).collect()
    };
    let mut moved = report("Other words.");
    let advised = moved.servers[0].outcome.as_mut().unwrap().advice.as_mut().unwrap();
    advised.line = Some(40);
    advised.findings.iter_mut().for_each(|finding| finding.saved += 7);
    let all = fingerprints(&report("Leave out the output schema."));
    assert_eq!(fingerprints(&moved), all);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 5);
    moved.servers[0].outcome.as_mut().unwrap().advice.as_mut().unwrap().findings.reverse();
    assert_eq!(fingerprints(&moved).into_iter().rev().collect::<Vec<_>>(), all, "the order changes no fingerprint");
    for format in [Format::Gitlab, Format::Junit, Format::Markdown] {
        assert!(!document(format, &report("Leave out the output schema.")).contains("output-schema"), "{format:?}");
    }
    assert_eq!(report("x").exit_code(), 0);
}

#[test]
fn annotations_stand_on_the_line_of_the_budget_and_a_pass_has_none() {
    insta::assert_snapshot!("annotations_refused", annotated(&refused()));
    insta::assert_snapshot!("annotations_not_measured", annotated(&unmeasured()));
    insta::assert_snapshot!("annotations_hostile", annotated(&hostile(true)));
    assert_eq!(annotated(&passing()), "");
}

#[test]
fn at_most_ten_annotations_are_written_and_the_first_says_how_many_there_are() {
    let servers = (0..40).map(|place| server(&format!("server_{place}"), grown().outcome.unwrap())).collect();
    let text = annotated(&checked(servers));
    assert_eq!(text.lines().count(), 10);
    assert!(text.starts_with("::error title=mcp-footprint::40 refused"), "{text}");
    assert!(text.lines().next().unwrap().contains("first 9 of 80"), "{text}");
}

#[test]
fn hostile_text_begins_no_workflow_command_and_hides_nothing() {
    for text in LISTING.iter().map(|format| document(*format, &hostile(true))).chain([annotated(&hostile(true))]) {
        let hidden: Vec<char> = text.chars().filter(|&c| c != '\n' && visible::is_hidden(c)).collect();
        assert!(hidden.is_empty(), "{hidden:?}\n{text}");
        let commands: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("::")).collect();
        assert!(commands.iter().all(|line| line.starts_with("::error title=") || line.starts_with("::error file=")));
        assert!(!text.contains("##["), "{text}");
    }
}

#[test]
fn no_markup_of_a_server_stands_outside_a_code_span() {
    let text = document(Format::Markdown, &hostile(true));
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        match fence {
            Some(mark) => {
                if line == mark {
                    fence = None;
                }
            }
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => {
                let outside: String = line.split('`').step_by(2).collect();
                assert!(!outside.contains("<b>") && !outside.contains("warning"), "{line}");
                assert!(line.matches('`').count() % 2 == 0, "{line}");
            }
        }
    }
    assert_eq!(fence, None);
}

#[test]
fn every_row_of_a_markdown_table_has_the_cells_of_its_head() {
    for report in [refused(), passing(), hostile(true)] {
        let text = document(Format::Markdown, &report);
        let mut cells = None;
        for line in text.lines() {
            let bars = line.matches('|').count();
            match (line.starts_with('|'), cells) {
                (true, None) => cells = Some(bars),
                (true, Some(expected)) => assert_eq!(bars, expected, "{line}"),
                (false, _) => cells = None,
            }
        }
    }
}

#[test]
fn a_step_summary_stays_below_the_limit_and_says_what_it_left_out() {
    let tools = (0..5000).map(|place| tool(&format!("tool_{place}_{}", "x".repeat(90)), 50, 5)).collect();
    let step_summary = |report: &Report| step_summary(report, 0).expect("there is room");
    let text = step_summary(&ranking(vec![server("small", notes()), server("huge", measured(tools))]));
    assert!(text.len() < 1024 * 1024, "{}", text.len());
    assert!(text.contains("`small`") && text.contains("`huge`") && text.ends_with('\n'));
    let servers = (0..9000).map(|place| server(&format!("server_{place}"), grown().outcome.unwrap())).collect();
    let text = step_summary(&checked(servers));
    assert!(text.len() < 1024 * 1024, "{}", text.len());
    assert!(text.trim_end().ends_with("more servers did not fit in here."), "{}", &text[text.len() - 200..]);
    assert_eq!(step_summary(&refused()), document(Format::Markdown, &refused()));
}

#[test]
fn a_step_summary_that_is_nearly_full_takes_what_fits_and_never_more() {
    let limit = 1024 * 1024;
    let whole = document(Format::Markdown, &refused());
    for taken in
        [0, limit - whole.len() - 200, limit - whole.len(), limit - 600, limit - 300, limit - 1, limit, usize::MAX]
    {
        match step_summary(&refused(), taken) {
            Some(text) => assert!(taken + text.len() <= limit && text.starts_with("## mcp-footprint: "), "{taken}"),
            None => assert!(taken > limit - whole.len(), "{taken}"),
        }
    }
    assert_eq!(step_summary(&refused(), limit - whole.len() - 200), Some(whole));
    let cut = step_summary(&refused(), limit - 400).expect("the heading fits");
    assert!(cut.trim_end().ends_with("did not fit in here."), "{cut}");
    assert_eq!(step_summary(&refused(), limit), None);
}

#[test]
fn fingerprints_hold_while_numbers_and_lines_move_and_never_collide() {
    let fingerprints = |report: &Report| -> Vec<String> {
        let issues: Value = serde_json::from_str(&document(Format::Gitlab, report)).unwrap();
        issues.as_array().unwrap().iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let mut moved = refused();
    let measurement = moved.servers[0].outcome.as_mut().unwrap();
    for judged in &mut measurement.gate.as_mut().unwrap().judgements {
        judged.line += 40;
        judged.judgement.measured += 7;
    }
    assert_eq!(fingerprints(&moved), fingerprints(&refused()));
    let mut repeated = passing();
    let measurement = repeated.servers[0].outcome.as_mut().unwrap();
    measurement.notes.push(measurement.notes[0].clone());
    let all = fingerprints(&repeated);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    assert_ne!(fingerprints(&refused())[0], fingerprints(&refused())[1]);
}

#[test]
fn a_sarif_result_names_a_rule_that_the_run_declares() {
    let advice = checked(vec![server(HOSTILE, advised(HOSTILE))]);
    for report in [refused(), passing(), unmeasured(), hostile(true), hostile(false), advice] {
        let sarif: Value = serde_json::from_str(&document(Format::Sarif, &report)).unwrap();
        let run = &sarif["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert_eq!(rules[index]["defaultConfiguration"]["level"], result["level"]);
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            assert_eq!(result.get("locations").is_some(), report.budgets.is_some());
        }
        assert_eq!(run["invocations"][0]["exitCode"], report.exit_code());
        assert_eq!(run["invocations"][0]["executionSuccessful"], report.exit_code() != 3);
    }
}

#[test]
fn junit_counts_a_refused_band_as_a_failure_and_an_unmeasured_server_as_an_error() {
    let head = |report: &Report| document(Format::Junit, report).lines().nth(1).unwrap().to_owned();
    assert!(head(&refused()).contains(r#"tests="3" skipped="0" failures="2" errors="0""#), "{}", head(&refused()));
    assert!(
        head(&unmeasured()).contains(r#"tests="1" skipped="0" failures="0" errors="1""#),
        "{}",
        head(&unmeasured())
    );
    assert!(head(&passing()).contains(r#"tests="3" skipped="0" failures="0" errors="0""#), "{}", head(&passing()));
}

#[test]
fn places_are_told_from_the_root_of_the_repository() {
    let in_repository = Some(std::path::Path::new("servers").join("notes").join("budgets.toml"));
    let report =
        Report { budgets: Some("/home/me/x/budgets.toml".into()), budgets_in_repository: in_repository, ..refused() };
    assert!(annotated(&report).contains("::error file=servers/notes/budgets.toml,line=12,"));
    for format in [Format::Gitlab, Format::Sarif] {
        let text = document(format, &report);
        assert!(text.contains(r#": "servers/notes/budgets.toml""#) && !text.contains("/home/me"), "{text}");
    }
}

#[test]
fn what_is_about_no_number_points_at_the_table_of_its_server() {
    let mut report = refused();
    report.servers.push(unmeasured().servers.remove(0));
    report.servers.push(passing().servers.remove(0));
    report.servers[2].name = "quiet".to_owned();
    report.server_lines = [("notes", 3), ("search", 27), ("quiet", 40)].map(|(name, line)| (name.into(), line)).into();
    assert!(annotated(&report).contains("::error file=budgets.toml,line=27,title=exited::"));
    let sarif: Value = serde_json::from_str(&document(Format::Sarif, &report)).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let line = |rule: &str| {
        let found = results.iter().find(|result| result["ruleId"] == rule).unwrap();
        found["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64()
    };
    assert_eq!((line("exited"), line("stdout_noise")), (Some(27), Some(40)));
    assert_eq!(line("FLOOR_BUDGET_EXCEEDED"), Some(12), "a refusal stays on its budget");
    let issues: Value = serde_json::from_str(&document(Format::Gitlab, &report)).unwrap();
    let failed = issues.as_array().unwrap().iter().find(|issue| issue["check_name"] == "exited").unwrap();
    assert_eq!(failed["location"]["lines"]["begin"], 27);
}
