//! The page as bytes. What a browser makes of it is tested by tests/real/documents/page.mjs, on the pages written here.

use std::path::Path;

use mcp_footprint::codes::{ErrorCode, Note, NoteCode};
use mcp_footprint::definition::Definition;
use mcp_footprint::gate::{Metric, Movement};
use mcp_footprint::json::Text;
use mcp_footprint::render::{Format, Look, render};
use mcp_footprint::report::{Priced, Report};
use mcp_footprint::visible;
use serde_json::{Value, json};

use crate::reports::*;

fn document(format: Format, report: &Report) -> String {
    let mut out = Vec::new();
    render(format, report, &Look { width: 80, ascii: false, color: false }, &mut out).expect("it is written");
    String::from_utf8(out).expect("documents are UTF-8")
}

fn page(report: &Report) -> String {
    document(Format::Html, report)
}

fn data(page: &str) -> Value {
    let (_, from) = page.split_once(r#"<script type="application/json" id="data">"#).expect("a page has data");
    let (json, _) = from.split_once("</script>").expect("the data ends");
    serde_json::from_str(json).expect("the data is JSON")
}

/// A tool with a description and with arguments of several kinds.
fn described(name: &str, tokens: u64, description: &str) -> Priced {
    let raw = json!({ "name": name, "description": description, "inputSchema": {
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": format!("What to look for in {name}") },
            "limit": { "type": ["integer", "null"], "default": 10 },
            "tags": { "type": "array", "items": { "type": "string" }, "description": "Only notes that have all of them" },
        },
        "required": ["query"],
    } })
    .to_string();
    let mut price = tool(name, tokens, tokens / 3).price;
    let (keys, description, annotations) =
        (tokens / 10, tokens / 3, if tokens.is_multiple_of(2) { tokens / 8 } else { 0 });
    let schema = tokens - 2 * keys - description - annotations;
    price.fields = vec![
        field("name", keys),
        field("description", description),
        field("inputSchema", schema),
        field("annotations", annotations),
        field("{}", keys),
    ];
    Priced { definition: Definition::new(Text::parse(&raw).expect("serde_json writes JSON"), 1), price }
}

#[test]
fn what_moved_under_one_name_is_counted_once() {
    let twice = measured(vec![tool("dup", 9, 1), tool("dup", 9, 1), tool("own", 5, 0)]);
    let changes = vec![change("dup", Movement::New, 18, 2)];
    let report = checked(vec![server("notes", gated(twice, &[band(Metric::Floor, 5, 0)], changes))]);
    let tools = data(&page(&report))["servers"][0]["tools"].clone();
    let moved: Vec<_> = tools.as_array().expect("a list").iter().map(|tool| tool["change"].as_i64()).collect();
    assert_eq!(moved, [Some(18), Some(0), Some(0)]);
}

/// Two servers of 500 tools together, one refused and one that passes, beside one that was not measured.
fn five_hundred() -> Report {
    let tools = |from: u64, to: u64, word: &str| {
        (from..to)
            .map(|place| {
                let description = format!("Does the {word} thing number {place}.\n\nUse it with care, and only then.");
                described(&format!("{word}_{place}"), 40 + 7919 * place % 761, &description)
            })
            .collect()
    };
    let changes = vec![
        change("notes_7", Movement::Grew, 31, 9),
        change("notes_12", Movement::Shrank, -12, 0),
        change("notes_old", Movement::Gone, -75, -20),
        change("notes_40", Movement::New, 52, 17),
    ];
    let notes = gated(measured(tools(0, 300, "notes")), &[band(Metric::Floor, 100_000, 250)], changes);
    let mut issues = gated(measured(tools(300, 500, "issues")), &[band(Metric::Floor, 200_000, 200_000)], Vec::new());
    issues.notes.push(Note::new(NoteCode::StdoutNoise, "2 lines on standard output were no JSON"));
    checked(vec![
        server("notes", notes),
        server("issues", issues),
        broken("search", ErrorCode::Timeout, "search did not answer tools/list within 60s", Some("still indexing\n")),
    ])
}

const MARKUP: &str = r#"</script><script>document.title="owned"</script><img src=x onerror='document.title="owned"'>"#;

/// Markup wherever a server can write.
fn marked_up() -> Report {
    let mut report = hostile(true);
    let tools = vec![described(MARKUP, 90, MARKUP), described(HOSTILE, 70, HOSTILE), tool("{{data}}", 5, 0)];
    let mut measurement = gated(
        measured(tools),
        &[band(Metric::Floor, 10, 5)],
        vec![change(MARKUP, Movement::Grew, 8, 8), change(&format!("{MARKUP}2"), Movement::Gone, -8, -8)],
    );
    measurement.notes.push(Note::about(MARKUP, NoteCode::Dynamic, MARKUP));
    report.servers.insert(0, server(MARKUP, measurement));
    report.servers.push(broken(MARKUP, ErrorCode::Exited, MARKUP, Some(MARKUP)));
    report
}

/// tests/real/documents.sh opens these in a browser and validates the SARIF ones.
#[test]
fn the_documents_are_written_for_other_programs() {
    let into = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    std::fs::create_dir_all(&into).unwrap();
    let failed = broken("search", ErrorCode::Timeout, "search did not answer within 60s", None);
    for (name, report) in [
        ("500", five_hundred()),
        ("hostile", marked_up()),
        ("one", checked(vec![grown()])),
        ("not-measured", ranking(vec![failed])),
        ("advice", checked(vec![server("notes", advised(HOSTILE))])),
        ("compared", compared()),
    ] {
        std::fs::write(into.join(name).with_extension("html"), document(Format::Html, &report)).unwrap();
        std::fs::write(into.join(name).with_extension("sarif"), document(Format::Sarif, &report)).unwrap();
    }
}

#[test]
fn a_page_asks_for_nothing_and_runs_only_its_own_script() {
    let page = page(&marked_up());
    let (head, _) = page.split_once(r#"<script type="application/json""#).unwrap();
    assert!(head.contains("default-src 'none'; script-src 'sha256-") && !head.contains("unsafe"), "{head}");
    assert_eq!(page.matches("<script").count(), 2, "the data holds a script");
    assert_eq!(page.matches("</script").count(), 2, "the data ends its block");
    assert_eq!(page.matches("src=x").count(), page.matches(r"\u003cimg src=x").count());
    assert!(!head.contains(" style=") && !head.contains(" on") || head.matches(" onerror").count() == 0);
    let addresses = head.matches("http").count() - head.matches("http-equiv").count();
    assert_eq!(addresses, 0, "{head}");
}

#[test]
fn cold_tools_are_rows_of_a_page_and_both_floors_are_told() {
    let data = data(&page(&ranking(vec![server("notes", cold())])));
    let notes = &data["servers"][0];
    let rows = notes["tools"].as_array().unwrap();
    assert_eq!(rows.iter().filter_map(|row| row["tokens"].as_u64()).sum::<u64>(), 349);
    assert_eq!((&notes["size"], &notes["floor_tokens"]), (&json!("5 tools"), &json!(349)));
    let told = notes["notes"][0].as_str().unwrap();
    assert!(told.starts_with("deferred: 2 of 5 tools") && told.contains("610"), "{told}");
}

#[test]
fn the_data_of_a_page_holds_the_figures_and_the_arguments() {
    let data = data(&page(&five_hundred()));
    assert_eq!(data["estimator"], "o200k_base:mcp-tool-json-v1");
    assert_eq!(data["exit_code"], 3);
    let notes = &data["servers"][0];
    assert_eq!(notes["verdict"], "refused");
    assert_eq!(notes["tools"][7]["change"], 31);
    assert_eq!(notes["tools"][8]["change"], 0);
    assert_eq!(notes["gone"], json!([{ "name": "notes_old", "tokens": -75 }]));
    let arguments = notes["tools"][0]["arguments"].as_array().unwrap();
    assert_eq!(arguments.len(), 3);
    let query = arguments.iter().find(|argument| argument["name"] == "query").unwrap();
    assert_eq!((&query["type"], &query["required"]), (&json!("string"), &json!(true)));
    assert_eq!(data["servers"][2]["error"]["code"], "timeout");
}

#[test]
fn without_pins_nothing_is_said_to_be_unchanged() {
    let mut unpinned = grown();
    let measurement = unpinned.outcome.as_mut().unwrap();
    measurement.notes.push(Note::new(NoteCode::NoPins, "budgets.toml has no pins for notes yet"));
    for report in [checked(vec![unpinned]), ranking(vec![server("notes", notes())])] {
        assert_eq!(data(&page(&report))["servers"][0]["tools"][0]["change"], Value::Null);
    }
}

#[test]
fn hidden_characters_of_a_server_are_visible_on_a_page() {
    let page = page(&marked_up());
    let hidden: Vec<char> = page.chars().filter(|&c| c != '\n' && visible::is_hidden(c)).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

#[test]
fn the_tokens_of_a_tool_stand_by_field_and_keys_without_any_are_left_out() {
    let data = data(&page(&five_hundred()));
    for tool in data["servers"][0]["tools"].as_array().unwrap() {
        let fields = tool["fields"].as_array().unwrap();
        assert!(fields.iter().all(|field| field["tokens"].as_u64().unwrap() > 0));
        let sum: u64 = fields.iter().map(|field| field["tokens"].as_u64().unwrap()).sum();
        assert_eq!(tool["tokens"], sum);
    }
}

#[test]
fn what_moved_and_what_was_loosened_is_in_the_data_of_a_page() {
    let data = data(&page(&compared()));
    assert_eq!(data["base"]["differences"][0]["code"], "BUDGET_RAISED_UNJUSTIFIED");
    assert_eq!(data["base"]["differences"][1]["is_refused"], false);
    let [notes, inherited] = [0, 1].map(|place| &data["servers"][place]);
    assert_eq!((&notes["verdict"], &notes["since"]["sum"]), (&json!("refused"), &json!("+100 tokens, 2 tools")));
    assert_eq!(notes["tools"][0]["since"], 0);
    let shares: Vec<&str> =
        inherited["since"]["shares"].as_array().unwrap().iter().map(|share| share.as_str().unwrap()).collect();
    assert_eq!(shares, ["FLOOR_BUDGET_EXCEEDED: inherited, +0 here", "DESC_BUDGET_EXCEEDED: inherited, +0 here"]);
    let without = self::data(&page(&checked(vec![grown()])));
    assert!(without["base"].is_null() && without["servers"][0]["since"].is_null());
    assert_eq!(without["servers"][0]["tools"][0]["since"], Value::Null);
}
