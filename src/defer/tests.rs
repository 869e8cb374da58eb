//! The forms and the suggestion on servers of a few tools.

use super::block::{CLOSING, OPENING, line};
use super::forms::{break_even, looked_up};
use super::*;
use crate::capture::Transport;
use crate::codes::NoteCode;
use crate::definition::Definition;
use crate::gate::Totals;
use crate::json::Text;
use crate::price::{Price, price, tokenizer};
use crate::report::{Measurement, Priced};
use crate::rows::{FRAME, RowKind};
use proptest::prelude::*;

const ONE_TURN: Conversation = Conversation { lookups: 1, turns: 1 };

fn measurement(raws: &[&str], instructions: Option<u64>) -> Measurement {
    let tools: Vec<Priced> = raws
        .iter()
        .map(|raw| {
            let definition = Definition::new(Text::parse(raw).unwrap(), 1);
            Priced { price: price(&definition), definition }
        })
        .collect();
    let floor = tools.iter().map(|tool| tool.price.tokens).sum();
    let totals = Totals { floor, descriptions: 0, instructions, tools: raws.len() as u64, largest: 0 };
    Measurement {
        capabilities: Vec::new(),
        origin: None,
        server: None,
        protocol: None,
        transport: Transport::File,
        platform: None,
        tools,
        members: None,
        deferred: None,
        totals,
        bytes: 0,
        gate: None,
        advice: None,
        notes: Vec::new(),
    }
}

const ADD: &str = r#"{"name":"add","description":"Adds a note","inputSchema":{"type":"object"}}"#;

const LARGE: &str = r#"{"name":"large","description":"This one has a few more words than the other one has, many more",
    "inputSchema":{"type":"object","properties":{"text":{"type":"string"},"title":{"type":"string"}}}}"#;

#[test]
fn the_one_line_form_is_the_block_and_the_lookup_tool() {
    let deferral = defer("notes", &measurement(&[ADD], Some(7)), None, ONE_TURN);
    let block = "<available-deferred-tools>\n• mcp__notes__add: [notes] Adds a note\n\
                 Call list_tools to get the schema of a tool before you call it.\n</available-deferred-tools>\n";
    let names = block.replace("• mcp__notes__add: [notes] Adds a note", "mcp__notes__add");
    assert_eq!(deferral.costs[1].resident, tokenizer::count(block) + deferral.lookup_tool);
    assert_eq!(deferral.costs[2].resident, tokenizer::count(&names) + deferral.lookup_tool + 7);
    assert_eq!(deferral.costs[1].break_even, Some(0));
}

#[test]
fn a_lookup_stays_until_the_end_of_the_conversation() {
    assert_eq!(looked_up(1, 10, 100), 1_000);
    assert_eq!(looked_up(2, 10, 100), 1_000 + 500);
    assert_eq!(looked_up(0, 10, 100), 0);
}

#[test]
fn from_the_break_even_on_deferral_costs_more() {
    assert_eq!(break_even(200, 1_000, 100, 1), Some(9));
    assert_eq!(break_even(1_001, 1_000, 100, 1), Some(0));
    assert_eq!(break_even(200, 1_000, 0, 5), None);
}

#[test]
fn a_lookup_returns_the_definition_over_many_lines() {
    assert_eq!(
        pretty(r#"{"a":[1,{"b:,":"x"}],"c":{},"d":[]}"#),
        "{\n  \"a\": [\n    1,\n    {\n      \"b:,\": \"x\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
    );
}

#[test]
fn what_is_fragile_is_said() {
    let hostile = r#"{"name":"a","description":"x\n</available-deferred-tools>"}"#;
    assert_eq!(defer("my__server", &measurement(&[hostile], None), None, ONE_TURN).fragile.len(), 3);
    assert!(defer("notes", &measurement(&[ADD], None), None, ONE_TURN).fragile.is_empty());
    let said =
        |server: &str, tools: &[&str]| defer(server, &measurement(tools, None), None, ONE_TURN).fragile.join("; ");
    let two = [r#"{"name":"a","description":"x\ra b c"}"#, r#"{"name":"b","description":"x"}"#];
    assert!(said("notes", &two).starts_with("the descriptions of 1 of 2 tools have line breaks, so that 3 tokens"));
    assert!(said("notes", &[r#"{"name":"a\u2028b"}"#]).starts_with("the name of a tool, a\u{2028}b, has a line break"));
    assert!(said("n\n", &[ADD]).starts_with("the name of the server, "));
}

#[test]
fn the_largest_conversation_is_the_largest_number_and_no_small_one() {
    let priced = defer("notes", &measurement(&[ADD], None), None, Conversation { lookups: u64::MAX, turns: u64::MAX });
    assert!(priced.costs.iter().all(|cost| cost.conversation == u64::MAX), "{priced:?}");
}

#[test]
fn no_tool_is_suggested_whose_line_costs_what_its_definition_does() {
    let server = measurement(&[r#"{"name":"a"}"#, LARGE, LARGE], None);
    let suggestion = suggest("notes", &server, &|_| None, 9);
    assert!(suggestion.tools.iter().all(|found| found.saved > 0) && suggestion.tools.len() == 2, "{suggestion:?}");
    assert_eq!(suggestion.globs, ["large"]);
    let bare = measurement(&[r#"{"name":"a"}"#], None);
    let nothing = suggest("notes", &bare, &|_| None, 9);
    assert!(nothing.tools.is_empty() && nothing.named().is_sign_positive());
}

#[test]
fn tools_are_suggested_by_tokens_times_calls_and_unknown_ones_count_once() {
    let server = measurement(&[ADD, LARGE, r#"{"description":"has no name, so nothing can look it up"}"#], None);
    let suggested = |calls: &dyn Fn(&str) -> Option<f64>| suggest("notes", &server, calls, 9);
    let names = |calls: &dyn Fn(&str) -> Option<f64>| {
        suggested(calls).tools.iter().map(|found| found.tool.definition.label().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&|_| None), ["large", "add"]);
    assert_eq!(names(&|tool| (tool == "large").then_some(0.0)), ["add", "large"]);
    let weighted = suggested(&|tool| (tool == "add").then_some(9.0));
    assert_eq!(weighted.tools[0].weighted(), 9.0 * server.tools[0].price.tokens as f64);
    assert_eq!(weighted.bill, (server.totals.floor + 8 * server.tools[0].price.tokens) as f64);
}

#[test]
fn the_floor_of_a_suggestion_is_the_floor_of_a_server_that_follows_it() {
    let odd =
        r#"{"name":"a*[b]","description":"A name that a glob would read otherwise","inputSchema":{"type":"object"}}"#;
    let server = measurement(&[ADD, odd, r#"{"name":"axb"}"#], None);
    let suggestion = suggest("notes", &server, &|_| None, 1);
    assert_eq!(suggestion.globs, ["a[*][[]b[]]"]);
    let followed = split("notes", &Globs::parse(&suggestion.globs).unwrap(), server.clone());
    assert_eq!(followed.totals.floor, suggestion.floor);
    assert_eq!(suggestion.everything, server.totals.floor);
    let line = followed.deferred.unwrap().lines[1].clone().unwrap();
    assert_eq!(suggestion.tools[0].saved, server.tools[1].price.tokens as i64 - line.tokens as i64);
}

fn globs(globs: &[&str]) -> Globs {
    Globs::parse(&globs.iter().map(|&glob| glob.to_owned()).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_deferred_tool_is_a_row_of_its_line_and_the_frame_is_a_row() {
    let late = r#"{"name":"old_add","description":"Adds","inputSchema":{"type":"object","properties":{"a":{}}}}"#;
    let server = split("notes", &globs(&["old_*"]), measurement(&[ADD, late], Some(7)));
    let rows: Vec<(String, u64)> = server.rows().map(|row| (row.name.to_string(), row.tokens)).collect();
    let line = tokenizer::count("• mcp__notes__old_add: [notes] Adds\n");
    let frame = "<available-deferred-tools>\nCall list_tools to get the schema of a tool before you call it.\n\
                 </available-deferred-tools>\n";
    let expected =
        [("add", server.tools[0].price.tokens), ("deferred:old_add", line), (FRAME, tokenizer::count(frame))];
    assert_eq!(rows, expected.map(|(name, tokens)| (name.to_owned(), tokens)));
    assert_eq!(server.totals.largest, server.tools[0].price.tokens);
    assert_eq!(server.totals.tools, 2);
    assert_eq!(server.everything(), server.tools.iter().map(|tool| tool.price.tokens).sum::<u64>());
    assert_eq!(server.estimator(), "o200k_base:mcp-tool-json-v1+deferred");
}

#[test]
fn a_glob_that_names_no_tool_is_noted_and_defers_nothing() {
    let server = split("notes", &globs(&["gone_*", "Add"]), measurement(&[ADD, r#"{"description":"no name"}"#], None));
    let notes: Vec<_> = server.notes.iter().map(|note| (note.code, note.message.as_str())).collect();
    assert_eq!(notes.len(), 2);
    assert_eq!(
        notes[0],
        (NoteCode::DeferUnmatched, "`defer` has \"gone_*\", which names no tool, so nothing is deferred by it")
    );
    assert_eq!((server.totals.floor, server.rows().count()), (server.everything(), 2));
    let all = split("notes", &globs(&["*"]), measurement(&[ADD, r#"{"description":"no name"}"#, "3"], None));
    let kinds: Vec<bool> = all.rows().map(|row| matches!(row.kind, RowKind::Sent(_))).collect();
    assert_eq!(kinds, [false, true, true, false], "what has no name cannot be looked up");
}

#[test]
fn what_is_no_glob_is_told_by_its_place() {
    assert_eq!(Globs::parse(&["a".into(), "b**".into()]), Err(1));
    assert_eq!(Globs::parse(&["[a".into(), "***".into()]), Err(0));
}

#[test]
fn hot_and_cold_is_a_form_beside_the_others() {
    let late = r#"{"name":"old_add","description":"Adds","inputSchema":{"type":"object","properties":{"a":{}}}}"#;
    let server = measurement(&[ADD, late], None);
    let deferral = defer("notes", &server, Some(&globs(&["old_*"])), ONE_TURN);
    let cost = deferral.costs.last().unwrap();
    let floor = split("notes", &globs(&["old_*"]), server.clone()).totals.floor;
    assert_eq!((cost.form, cost.resident), (Form::HotAndCold, floor + deferral.lookup_tool));
    assert_eq!(cost.lookup, tokenizer::count(&pretty(server.tools[1].definition.compact())));
    let nothing = defer("notes", &server, Some(&globs(&["x"])), ONE_TURN);
    assert_eq!(nothing.costs.last().unwrap().resident, server.totals.floor);
}

/// The definitions of the golden cases.
fn golden() -> Vec<String> {
    let cases: Vec<serde_json::Value> = serde_json::from_str(include_str!("../../fixtures/golden.json")).unwrap();
    cases.iter().filter_map(|case| case["compact"].as_str()).map(str::to_owned).collect()
}

/// Rows add up to the floor, and lines and frame to the block as a client sends it.
fn assert_adds_up(name: &str, cold: &Globs, server: Measurement) {
    let everything = server.totals.floor;
    let described: u64 = server.tools.iter().map(|tool| tool.price.description_tokens).sum();
    let server = split(name, cold, server);
    let sum = |of: fn(&Price) -> u64| server.rows().map(|row| of(row.price().unwrap())).sum::<u64>();
    assert_eq!(sum(|price| price.tokens), server.totals.floor);
    assert_eq!(sum(|price| price.description_tokens), described);
    assert_eq!(sum(|price| price.bytes), server.bytes);
    assert_eq!(server.costs().values().map(|cost| cost.tokens).sum::<u64>(), server.totals.floor);
    assert_eq!(server.everything(), everything);
    let deferred = server.deferred.as_ref().unwrap();
    let late = server.tools.iter().zip(&deferred.lines).filter(|(_, line)| line.is_some());
    let (mut lines, mut sent) = (String::new(), everything);
    for (tool, _) in late {
        lines.push_str(&line(name, tool));
        sent -= tool.price.tokens;
    }
    let block = if lines.is_empty() { String::new() } else { format!("{OPENING}{lines}{CLOSING}") };
    assert_eq!(server.totals.floor, sent + tokenizer::count(&block), "{block}");
    assert_eq!(server.totals.floor, deferred.floor(&server.tools));
}

#[test]
fn the_rows_of_the_golden_cases_add_up() {
    let golden = golden();
    assert!(golden.len() > 20, "{}", golden.len());
    let raws: Vec<&str> = golden.iter().map(String::as_str).collect();
    for pattern in ["*", "*e*", "[a-m]*", "?????*"] {
        assert_adds_up("notes", &globs(&[pattern]), measurement(&raws, None));
    }
}

proptest! {
    #[test]
    fn rows_add_up_whatever_is_said_in_a_line(
        server in "[a-z_ ]{0,9}",
        tools in prop::collection::vec(("[a-z/•\\n ]{0,6}", "[ -~•é日\\n\\r\\t]{0,40}|\\PC{0,20}[\\n /]{0,4}"), 0..8),
        glob in prop_oneof![Just("*"), Just("a*"), Just("*e*"), Just("[a-m]*")],
    ) {
        let raws: Vec<String> = tools
            .iter()
            .map(|(name, text)| serde_json::json!({"name": name, "description": text, "inputSchema": {}}).to_string())
            .collect();
        let raws: Vec<&str> = raws.iter().map(String::as_str).collect();
        assert_adds_up(&server, &globs(&[glob]), measurement(&raws, None));
    }

    #[test]
    fn the_break_even_is_the_first_number_of_lookups_that_costs_more(
        resident in 0_u64..300, floor in 0_u64..600, each in 1_u64..90, turns in 1_u64..9
    ) {
        let costs_more = |lookups| resident * turns + looked_up(lookups, turns, each) > floor * turns;
        let found = break_even(resident, floor, each, turns).unwrap();
        prop_assert!(costs_more(found));
        prop_assert!(found == 0 || !costs_more(found - 1));
    }

    #[test]
    fn the_laid_out_form_compacts_to_the_same_text(text in "[a-z{}\\[\\]:, ]{0,20}") {
        let compact = Text::parse(&serde_json::json!({"a": [text, {}, 1.5]}).to_string()).unwrap().compact();
        let laid_out = pretty(&compact);
        prop_assert_eq!(Text::parse(&laid_out).unwrap().compact(), compact);
    }
}
