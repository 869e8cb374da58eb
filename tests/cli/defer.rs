//! `defer` in budgets.toml: cold tools cost their line, hot ones their definition, and both floors are told. And what
//! documents say beside: suggestions and advice.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::place::{ESTIMATOR, Place, Ran};

fn tool(name: &str, description: &str) -> String {
    let schema = r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"query":{"type":"string"}}}"#;
    format!(r#"{{"name":"{name}","description":"{description}","inputSchema":{schema}}}"#)
}

fn tools() -> Vec<String> {
    vec![
        tool("search", "Finds notes"),
        tool("old_export", "Writes notes to a file"),
        tool("old_import", "Reads notes\\nfrom a file"),
    ]
}

/// A server of three tools, of which those that `keys` names are deferred, pinned.
fn place(keys: &str) -> Place {
    let place = Place::new();
    place.lists("notes.txt", &tools().join(","));
    let entry = format!("{ESTIMATOR}\n[servers.notes]\ncommand = \"scripted\"\nargs = [\"notes.txt\"]\n{keys}\n");
    place.write("budgets.toml", entry);
    place
}

fn server(ran: &Ran) -> Value {
    let mut document: Value = serde_json::from_str(&ran.stdout).expect("the document is JSON");
    document["servers"][0].take()
}

fn rows(server: &Value) -> BTreeMap<String, u64> {
    let tools = server["tools"].as_array().expect("tools are a list");
    let row = |tool: &Value| Some((tool["name"].as_str()?.to_owned(), tool["tokens"].as_u64()?));
    tools.iter().filter_map(row).collect()
}

#[test]
fn a_server_with_cold_tools_is_reported_with_both_floors_and_pinned_by_its_rows() {
    let mut place = place("defer = [\"old_*\"]");
    assert_eq!(place.run("report").code, Some(0));
    assert_eq!(place.run("pin").code, Some(0));
    place.show("budgets.toml");
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!(place.run("pin").code, Some(0));
    assert_eq!(place.run("check --format json").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn the_rows_of_a_scripted_server_add_up_to_the_floor_that_is_gated() {
    let mut place = place("defer = [\"old_*\"]");
    let deferred = server(&place.run("report --format json"));
    let everything = server(&place.run("report --format json -- scripted notes.txt"));
    let rows = rows(&deferred);
    assert_eq!(Some(rows.values().sum()), deferred["floor_tokens"].as_u64());
    assert_eq!(
        rows.keys().collect::<Vec<_>>(),
        ["deferred:<frame>", "deferred:old_export", "deferred:old_import", "search"]
    );
    assert_eq!(deferred["estimator"], "o200k_base:mcp-tool-json-v1+deferred");
    assert_eq!(deferred["deferred"]["everything_tokens"], everything["floor_tokens"]);
    assert_eq!(deferred["description_tokens"], everything["description_tokens"]);
    assert_eq!((&everything["estimator"], &everything["deferred"]), (&Value::Null, &Value::Null));
    for (row, whole) in [(1, 1), (2, 2)] {
        assert_eq!(deferred["tools"][row]["definition_tokens"], everything["tools"][whole]["tokens"]);
    }
}

#[test]
fn a_new_cold_tool_is_refused_by_the_tokens_of_its_line() {
    let mut place = place("defer = [\"old_*\"]");
    place.run("pin");
    let budgets = place.read("budgets.toml").replace("slack = 25", "slack = 0");
    place.write("budgets.toml", budgets);
    let mut more = tools();
    more.push(tool("old_merge", "Puts two notes into one"));
    place.lists("notes.txt", &more.join(","));
    let refused = place.run("check --format json");
    assert_eq!(refused.code, Some(1));
    let refused = server(&refused);
    let line = rows(&refused)["deferred:old_merge"];
    let change = &refused["gate"]["changes"][0];
    assert_eq!((&change["tool"], &change["tokens"]), (&"deferred:old_merge".into(), &line.into()));
    assert_eq!(refused["gate"]["reasons"][0]["difference"], line);
    place.tell_nothing();
    assert_eq!(place.run("check").code, Some(1));
    // The same tool, always sent, costs more; a schema that grows behind a line costs nothing.
    place.write("budgets.toml", place.read("budgets.toml").replace("\"old_*\"", "\"old_[ei]*\""));
    assert_eq!(place.run("check").code, Some(1));
    let fat: Vec<String> = tools().iter().map(|tool| tool.replace("\"query\"", "\"query_of_the_old_kind\"")).collect();
    place.lists("notes.txt", &[&tools()[..1], &fat[1..]].concat().join(","));
    assert_eq!(place.run("check").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_glob_that_names_no_tool_is_told_and_so_is_one_that_is_none() {
    let mut place = place("defer = [\"older_*\"]");
    assert_eq!(place.run("report").code, Some(0));
    for wrong in ["[]", "[\"a**\"]", "\"old_*\""] {
        place.write("budgets.toml", place.read("budgets.toml").replace("[\"older_*\"]", wrong));
        assert_eq!(place.run("check").code, Some(2), "{wrong}");
        place.write("budgets.toml", place.read("budgets.toml").replace(wrong, "[\"older_*\"]"));
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn servers_with_and_without_cold_tools_each_name_what_was_counted() {
    let mut place = place("defer = [\"*\"]");
    let both =
        format!("{}\n[servers.all]\ncommand = \"scripted\"\nargs = [\"notes.txt\"]\n", place.read("budgets.toml"));
    place.write("budgets.toml", both);
    assert_eq!(place.run("report").code, Some(0));
    assert_eq!(place.run("defer --server notes").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn an_earlier_capture_is_compared_as_it_is_loaded_now() {
    let mut place = place("defer = [\"old_*\"]");
    place.run("capture -o before.json");
    place.run("pin");
    let same = server(&place.run("check --against before.json --format json"));
    assert_eq!((&same["against"]["tokens"], &same["against"]["tools"]), (&0.into(), &Value::Array(vec![])));
    let from = server(&place.run("report --from before.json --budgets budgets.toml --format json"));
    assert_eq!(from["floor_tokens"], same["floor_tokens"]);
    let whole = server(&place.run("report --from before.json --format json"));
    assert_eq!(whole["floor_tokens"], same["deferred"]["everything_tokens"]);
    let reported = place.run("report --format json").stdout;
    place.write("before.json", reported);
    let same = server(&place.run("check --against before.json --format json"));
    assert_eq!((&same["against"]["tokens"], &same["against"]["tools"]), (&0.into(), &Value::Array(vec![])));
    let whole = place.run("report --format json --name notes -- scripted notes.txt").stdout;
    place.write("before.json", whole);
    let changed = server(&place.run("check --against before.json --format json"));
    let differs = changed["against"]["differs"].as_array().expect("circumstances are a list");
    let what: Vec<&str> = differs.iter().filter_map(|fact| fact["what"].as_str()).collect();
    assert!(what.contains(&"defer") && what.contains(&"estimator"), "{what:?}");
}

#[test]
fn suggestions_are_in_the_json_with_the_bill() {
    let mut place = place("");
    place.write("calls.csv", "tool,calls\nsearch,0.5\nold_import,0\n");
    let ran = place.run("defer --suggest 2 --usage calls.csv --format json");
    let suggestion = server(&ran)["suggestion"].take();
    let tokens = |place: usize| suggestion["tools"][place]["tokens"].as_f64().expect("tokens are a number");
    let (export, search) = (tokens(0), tokens(1));
    assert_eq!(
        (&suggestion["tools"][0]["name"], &suggestion["tools"][1]["name"]),
        (&"old_export".into(), &"search".into())
    );
    assert_eq!(suggestion["bill_tokens"], export + search * 0.5);
    assert_eq!(suggestion["named_tokens"], export + search * 0.5);
    let number = |name: &str| suggestion[name].as_i64().expect("tokens are a number");
    assert_eq!(number("saved_tokens"), number("everything_tokens") - number("floor_tokens"));
    assert!(server(&place.run("defer --format json"))["suggestion"].is_null());
    insta::assert_snapshot!(ran.stdout);
}

fn notes_of(sarif: &str) -> Vec<(String, u64)> {
    let document: Value = serde_json::from_str(sarif).expect("SARIF is JSON");
    let results = document["runs"][0]["results"].as_array().expect("results are a list");
    let advice = results.iter().filter(|result| result["ruleId"].as_str().is_some_and(|id| id.contains('-')));
    let read = |result: &Value| {
        assert_eq!(result["level"], "note");
        let line = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
        Some((result["ruleId"].as_str()?.to_owned(), line.as_u64()?))
    };
    advice.filter_map(read).collect()
}

#[test]
fn advice_is_a_note_of_sarif_at_the_table_of_its_server_and_silenced_rules_have_none() {
    let mut place = place("silence = { \"ignored-key\" = \"our schemas are shared\" }");
    place.run("pin");
    let keys = ["", "silence = { \"ignored-key\" = \"our schemas are shared\" }"];
    let silenced = place.run("check --format sarif");
    assert_eq!((silenced.code, notes_of(&silenced.stdout).len()), (Some(0), 0));
    place.write("budgets.toml", place.read("budgets.toml").replace(keys[1], keys[0]));
    for command in ["check --format sarif", "report --format sarif"] {
        let ran = place.run(command);
        assert_eq!(ran.code, Some(0));
        assert_eq!(notes_of(&ran.stdout), vec![("ignored-key".to_owned(), 3); 3], "{}", ran.stdout);
    }
    place.run("check --output sarif=x.sarif");
    assert_eq!(notes_of(&place.read("x.sarif")).len(), 3);
    place.run("capture -o x.json");
    let elsewhere = place.run("report --format sarif --from x.json").stdout;
    assert!(elsewhere.contains("\"ruleId\": \"ignored-key\"") && !elsewhere.contains("locations"), "{elsewhere}");
}

#[test]
fn the_savings_of_a_refusal_leave_silenced_rules_out() {
    let mut place = place("");
    place.run("pin");
    let mut more = tools();
    more.push(tool("merge", "Puts two notes into one"));
    place.lists("notes.txt", &more.join(","));
    let budgets = place.read("budgets.toml").replace("slack = 25", "slack = 0");
    place.write("budgets.toml", &budgets);
    let told = place.run("check");
    assert!(told.code == Some(1) && told.stdout.contains("[ignored-key"), "{}", told.stdout);
    let silence = "args = [\"notes.txt\"]\nsilence = { \"ignored-key\" = \"our schemas are shared\" }";
    place.write("budgets.toml", budgets.replace("args = [\"notes.txt\"]", silence));
    let told = place.run("check");
    assert!(told.code == Some(1) && !told.stdout.contains("ignored-key"), "{}", told.stdout);
    assert!(!told.stdout.contains("what grew could save"), "{}", told.stdout);
}

#[test]
fn the_servers_of_a_client_are_deferred_under_the_names_that_the_client_calls_them() {
    let mut place = Place::new();
    place.lists("docs.txt", r#"{"name":"search","description":"Search the docs."}"#);
    place.write(".mcp.json", r#"{"mcpServers":{"docs":{"command":"scripted","args":["docs.txt"]}}}"#);
    assert_eq!(place.run("init --config .mcp.json --name a-name-of-many-tokens").code, Some(0));
    let of_client = place.run("defer --format json").stdout;
    let of_config = place.run("defer --config .mcp.json --format json").stdout;
    assert_eq!(of_client.replace("a-name-of-many-tokens/docs", "docs"), of_config);
}

#[test]
fn what_looks_into_definitions_says_that_some_are_deferred() {
    let mut place = Place::new();
    place.budgets(&["one"]);
    place.lists("one.txt", r#"{"name":"ok"},{"name":"late"}"#);
    let budgets = place.read("budgets.toml").replace("command =", "defer = [\"late\"]\ncommand =");
    place.write("budgets.toml", budgets);
    let note = "note: budgets.toml defers tools of one; here every definition counts as it was sent\n";
    for command in ["report --by field", "report --view openai", "advise", "explain late"] {
        let ran = place.run(command);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), note), "{command}");
    }
    assert_eq!(place.run("defer").stderr, "");
}

#[test]
fn a_line_that_grew_is_told_what_it_could_save_and_never_of_the_schema_behind_it() {
    let mut place = Place::new();
    place.budgets(&["one"]);
    let entry = place.read("budgets.toml").replace("command =", "defer = [\"late\"]\ncommand =");
    let pinned =
        entry.replace("ok = { tokens = 5, description = 0 }", "\"deferred:late\" = { tokens = 10, description = 0 }");
    place.write("budgets.toml", pinned);
    let example = "Example: call it with the name of a note, and once more with the same name.";
    place.lists(
        "one.txt",
        &format!(r#"{{"name":"late","description":"Late.\n\n{example}","outputSchema":{{"type":"object"}}}}"#),
    );
    let ran = place.run("check --format json");
    assert_eq!(ran.code, Some(1));
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a document");
    let savings = document["servers"][0]["gate"]["savings"].as_array().expect("a list");
    let rules: Vec<_> = savings.iter().map(|saving| saving["rule"].as_str().unwrap_or_default()).collect();
    assert_eq!(rules, ["examples-in-description"], "{}", ran.stdout);
}
