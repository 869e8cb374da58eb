//! `diff` and `check --against`: two measurements, or two states of budgets.toml, side by side.

use super::*;

#[test]
fn standard_input_is_a_capture_or_a_report() {
    let repository = Repository::new();
    repository.write("before.json", &capture(&[("a", "one")]));
    let report = repository.run(&["--from", "before.json", "--format", "json"]).1;
    for text in [capture(&[("a", "one")]), report] {
        let mut command = Command::new(cargo_bin("mcp-footprint"));
        command.args(["diff", "-", "before.json"]).current_dir(repository.path());
        let piped = assert_cmd::Command::from_std(command).write_stdin(text).output().expect("the program starts");
        let (code, text) = said(&piped);
        assert_eq!(code, 0, "{text}");
        holds(&text, &["- -> before.json", "+0 tokens"]);
    }
}

#[test]
fn what_a_change_adds_is_told_under_a_pass_and_what_it_inherits_under_a_refusal() {
    let repository = Repository::new();
    repository.write("main.json", &capture(&[("a", "one")]));
    repository.write("now.json", &capture(&[("a", "two"), ("b", "three")]));
    let (code, text) = repository.run(&["check", "--against", "main.json"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["this change: against main.json", "s: +", "2 tools", "reworded", "another version: 1 -> 2"]);

    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 5"));
    repository.write("main.json", &capture(&[("a", "two"), ("b", "three")]));
    let (code, text) = repository.run(&["check", "--against", "main.json"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["s: +0 tokens, 0 tools", "FLOOR_BUDGET_EXCEEDED: inherited, +0 here"]);
    assert_eq!(repository.run(&["check", "--against", "nowhere.json"]).0, 2);
}

#[test]
fn captures_reports_and_revisions_are_compared_and_nothing_is_gated() {
    let repository = Repository::new();
    repository.write("before.json", &capture(&[("a", "one")]));
    repository.write("after.json", &capture(&[("a", "two"), ("b", "three")]));
    let (code, text) = repository.run(&["diff", "before.json", "after.json"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["reworded", "description", "another version: 1 -> 2", "new"]);

    for name in ["before", "after"] {
        let output = format!("json={name}.report");
        assert_eq!(repository.run(&["--from", &format!("{name}.json"), "--output", &output]).0, 0);
    }
    let (code, reports) = repository.run(&["diff", "before.report", "after.report", "--format", "json"]);
    assert_eq!(code, 0, "{reports}");
    let document: serde_json::Value = serde_json::from_str(&reports).expect("standard output holds the document");
    let tools = &document["servers"][0]["tools"];
    assert_eq!((&tools[0]["change"], &tools[1]["change"]), (&"new".into(), &"reworded".into()));
    let differs = document["servers"][0]["differs"].as_array().expect("a list");
    assert_eq!(differs.len(), 1, "{differs:?}");
    let grown = repository.path().join("grown.json");
    std::fs::write(grown, capture(&[("a", "one and a half")])).expect("a file of the test");
    let (_, text) = repository.run(&["diff", "before.report", "grown.json", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("standard output holds the document");
    assert_eq!(document["servers"][0]["tools"][0]["fields"], serde_json::json!(["description"]));

    let pinned = |pins: &str| repository.write("budgets.toml", &format!("{BUDGETS}\n[servers.s.pins]\n{pins}"));
    pinned("a = { tokens = 9, description = 1 }\n");
    repository.commit();
    repository.git(&["branch", "pinned"]);
    pinned("a = { tokens = 9, description = 1 }\nb = { tokens = 8, description = 2 }\n");
    let (code, text) = repository.run(&["diff", "pinned"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["pinned -> budgets.toml", "+8 tokens (+2 of descriptions), 1 tool"]);
    repository.commit();
    assert_eq!(repository.run(&["diff", "pinned", "work"]).1.lines().last(), text.lines().last());
    for args in [["diff", "nowhere", "main"], ["diff", "before.json", "nowhere"]] {
        assert_eq!(repository.run(&args).0, 2);
    }
    assert_eq!(repository.run(&["diff", "before.json"]).0, 2);
}

#[test]
fn budgets_are_no_measurement_to_compare_a_check_with() {
    let repository = Repository::new();
    let (code, text) = repository.run(&["check", "--against", "budgets.toml"]);
    assert_eq!(code, 2, "{text}");
    holds(&text, &["--against: ", "budgets.toml holds budgets, which are no measurement", "check --base REF"]);
}

#[test]
fn entries_without_pins_are_said_to_tell_no_tokens() {
    let repository = Repository::new();
    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 35"));
    let (code, text) = repository.run(&["diff", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["a side has no pins", "another band floor: budget 30, slack 30 -> budget 35, slack 30"]);
    assert!(!text.contains("+0"), "{text}");
    let (_, text) = repository.run(&["diff", "main", "--format", "json"]);
    holds(&text, &["\"unpinned\": true", "\"tokens\": null"]);
}

#[test]
fn a_client_is_compared_with_its_base_by_server_and_held_to_it() {
    let repository = Repository::new();
    let client = "estimator = \"o200k_base:mcp-tool-json-v1\"\n\n[clients.desk]\nconfig = \".mcp.json\"\n\n\
        [clients.desk.floor]\nbudget = 30\nslack = 30\n\n[clients.desk.descriptions]\nbudget = 10\nslack = 10\n\n\
        [clients.desk.pins]\ndocs = { tokens = 7, description = 1 }\n";
    // What the captures hold decides: nothing is launched.
    repository.write(".mcp.json", "{\"mcpServers\":{\"docs\":{\"command\":\"x\"},\"notes\":{\"command\":\"x\"}}}");
    let both = |notes: &str| {
        let server = |name: &str, description: &str| {
            serde_json::json!({ "name": format!("desk/{name}"), "platform": "linux-x86_64",
                                "tools": [{ "name": "a", "description": description }] })
        };
        let servers = [server("docs", "one"), server("notes", notes)];
        serde_json::json!({ "schema": "mcp-footprint-capture/1", "servers": servers }).to_string()
    };
    repository.write("budgets.toml", client);
    repository.write("before.json", &both("two"));
    repository.write("now.json", &both("two and three"));
    repository.commit();

    let against = ["check", "--from", "now.json", "--base", "HEAD", "--against"];
    let (code, text) = repository.run(&[&against[..], &["before.json"]].concat());
    assert_eq!(code, 0, "{text}");
    holds(&text, &["nothing is raised or loosened", "desk: +2 tokens (+2 of descriptions), 1 server", "notes   grew"]);
    assert!(!text.contains("another"), "what a capture does not tell is no difference: {text}");

    let (code, report) = repository.run(&["check", "--from", "before.json", "--format", "json"]);
    assert_eq!(code, 0, "{report}");
    repository.write("report.json", &report);
    let (_, of_report) = repository.run(&[&against[..], &["report.json"]].concat());
    assert_eq!(of_report.replace("report.json", "before.json"), text);
    repository.write("after.json", &repository.run(&["check", "--from", "now.json", "--format", "json"]).1);
    let (code, text) = repository.run(&["diff", "report.json", "after.json"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["+2 tokens (+2 of descriptions), 1 server", "notes"]);
    // A report has the client as one entry, captures have its servers, and pins have both.
    for sides in [["before.json", "after.json"], ["report.json", "now.json"], ["budgets.toml", "now.json"]] {
        let (code, text) = repository.run(&["diff", sides[0], sides[1]]);
        assert_eq!(code, 0, "{text}");
        assert!(!text.contains("desk/"), "{text}");
        holds(&text, &["desk  ", "notes"]);
    }

    repository.write("budgets.toml", &client.replace("budget = 30", "budget = 31").replace(".mcp.json", "other.json"));
    repository.write("other.json", "{\"mcpServers\":{\"docs\":{\"command\":\"x\"},\"notes\":{\"command\":\"x\"}}}");
    let (code, text) = repository.run(&["check", "--from", "now.json", "--base", "HEAD"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["BUDGET_RAISED_UNJUSTIFIED", "config .mcp.json", "config other.json", "GATE_LOOSENED"]);

    let (code, text) = repository.run(&["diff", "HEAD"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["another config: .mcp.json -> other.json", "another band floor"]);
    repository.write("budgets.toml", BUDGETS);
    repository.write("now.json", &capture(&[("a", "one")]));
    let (code, text) = repository.run(&["check", "--base", "HEAD"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["desk    client", "at the top of budgets.toml"]);
}
