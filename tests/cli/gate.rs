//! `check`: the edges of the bands, what grew and what shrank, and nothing measured that is no pass.

use crate::place::{ESTIMATOR, Place};

/// 5 tokens, none of them a description.
const TOOL: &str = r#"{"name":"ok"}"#;

fn budgets(bands: &str) -> String {
    format!("{ESTIMATOR}\n[servers.ok]\ncommand = \"scripted\"\nargs = [\"ok.txt\"]\n{bands}\n")
}

fn bands(floor: &str) -> String {
    budgets(&format!("floor = {{ {floor} }}\ndescriptions = {{ budget = 0, slack = 0 }}"))
}

#[test]
fn a_band_passes_from_its_budget_down_to_its_slack_and_not_one_token_further() {
    let mut place = Place::new();
    place.lists("ok.txt", TOOL);
    for (floor, code) in [
        ("budget = 5, slack = 2", 0),
        ("budget = 4, slack = 2", 1),
        ("budget = 7, slack = 2", 0),
        ("budget = 8, slack = 2", 1),
    ] {
        place.write("budgets.toml", bands(floor));
        assert_eq!(place.run("check").code, Some(code), "{floor}");
        place.show("budgets.toml");
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn every_band_is_held_and_every_reason_is_told_in_one_run() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok","description":"Adds a note to the book."},{"name":"other"}"#);
    let all = |budget: u32| {
        let bands = ["floor", "descriptions", "instructions", "tools", "largest"];
        budgets(&bands.map(|band| format!("{band} = {{ budget = {budget}, slack = 0 }}\n")).concat())
    };
    for budget in [0, 1000] {
        place.write("budgets.toml", all(budget));
        assert_eq!(place.run("check").code, Some(1));
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_without_tools_is_refused_whatever_its_budget() {
    let mut place = Place::new();
    place.lists("ok.txt", "");
    for floor in ["budget = 0, slack = 0", "budget = 100, slack = 100", "budget = 100, slack = 250"] {
        place.write("budgets.toml", bands(floor));
        assert_eq!(place.run("check").code, Some(1), "{floor}");
    }
    let before = place.read("budgets.toml");
    assert_eq!(place.run("pin").code, Some(1));
    assert_eq!(place.run("pin --raise --reason why").code, Some(1));
    assert_eq!(place.run("init --name new -- scripted ok.txt").code, Some(1));
    assert_eq!(place.read("budgets.toml"), before);
    assert_eq!(place.run("report").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_that_declares_no_tools_and_knows_no_list_has_none() {
    let mut place = Place::new();
    let opened = "expect initialize\nsend {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-06-18\",\
                  \"capabilities\":{},\"serverInfo\":{\"name\":\"bare\",\"version\":\"\"}}}\nexpect tools/list\n\
                  send {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}";
    place.scenario("bare", opened);
    assert_eq!(place.run("report -- scripted bare").code, Some(0));
    assert_eq!(place.run("init --name bare -- scripted bare").code, Some(1));
    assert!(!place.exists("budgets.toml"));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn what_grew_and_what_shrank_are_both_shown_though_the_total_stays() {
    let mut place = Place::new();
    let tools = |first: &str, second: &str| {
        format!(
            "{{\"name\":\"first\",\"description\":\"{first}\"}},{{\"name\":\"second\",\"description\":\"{second}\"}}"
        )
    };
    place.lists("ok.txt", &tools("one two three", "one"));
    assert_eq!(place.run("init --name ok -- scripted ok.txt").code, Some(0));
    place.lists("ok.txt", &tools("one", "one two three"));
    assert_eq!(place.run("check").code, Some(0));
    place.lists("ok.txt", &format!("{},{{\"name\":\"third\"}}", tools("one", "one two three")));
    place.write("budgets.toml", place.read("budgets.toml").replace("slack = 25", "slack = 0"));
    assert_eq!(place.run("check").code, Some(1));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_win_inside_the_slack_is_mentioned_and_one_beyond_it_is_refused() {
    let mut place = Place::new();
    place.lists("ok.txt", TOOL);
    place.write("budgets.toml", bands("budget = 7, slack = 2"));
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!(place.run("pin").code, Some(0));
    assert_eq!(place.run("check").code, Some(0));
    place.show("budgets.toml");
    insta::assert_snapshot!(place.transcript());
}
