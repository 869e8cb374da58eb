//! `[clients.NAME]`: all servers of a config held to one budget, each one named where the sum moves.

use crate::place::{ESTIMATOR, Place};

/// A config of servers that `scripted` plays.
fn config(servers: &[&str]) -> String {
    let entry = |name: &&str| format!("    \"{name}\": {{ \"command\": \"scripted\", \"args\": [\"{name}.txt\"] }}");
    format!("{{\n  \"mcpServers\": {{\n{}\n  }}\n}}\n", servers.iter().map(entry).collect::<Vec<_>>().join(",\n"))
}

/// Two servers in a config, and budgets that hold it.
fn desk() -> Place {
    let mut place = Place::new();
    place.lists("docs.txt", r#"{"name":"search","description":"Search the docs."},{"name":"ok"}"#);
    place.lists("notes.txt", r#"{"name":"add","description":"Adds a note to the book."}"#);
    place.write(".mcp.json", config(&["docs", "notes"]));
    assert_eq!(place.run("init --config .mcp.json").code, Some(0));
    place
}

#[test]
fn a_heavy_server_in_the_config_is_refused_by_name_until_somebody_says_why() {
    let mut place = desk();
    place.show("budgets.toml");
    assert_eq!(place.run("check").code, Some(0));
    place.lists(
        "heavy.txt",
        r#"{"name":"crawl","description":"Crawls one site after another, for as long as it takes."}"#,
    );
    place.write(".mcp.json", config(&["docs", "heavy", "notes"]));
    assert_eq!(place.run("check").code, Some(1));
    assert_eq!(place.run("pin").code, Some(1));
    assert_eq!(place.run("pin --server mcp --raise --reason 'crawl, issue 9'").code, Some(0));
    assert_eq!(place.run("check --server mcp").code, Some(0));
    place.write(".mcp.json", config(&["docs", "heavy"]));
    assert_eq!(place.run("pin").code, Some(0));
    place.show("budgets.toml");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_client_is_measured_whole_or_not_at_all() {
    let mut place = desk();
    let before = place.read("budgets.toml");
    place.scenario("crashes.txt", "stderr no database\nexit 3");
    place.scenario("dies.txt", "stderr no network\nexit 4");
    for servers in [&["docs", "crashes"][..], &["crashes", "docs", "dies"]] {
        place.write(".mcp.json", config(servers));
        assert_eq!(place.run("check").code, Some(3));
    }
    assert_eq!(place.run("pin --raise --reason why").code, Some(3));
    assert_eq!(place.run("capture --server mcp -o out.json").code, Some(3));
    assert!(!place.exists("out.json"));
    assert_eq!(place.read("budgets.toml"), before);
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_config_that_means_no_server_is_no_pass() {
    let mut place = desk();
    let launched = place.launches("docs.txt");
    for text in [
        "{ \"mcpServers\": { \"docs\": { \"command\": \"scripted\", \"disabled\": true } } }",
        "{}",
        "{ \"mcpServers\": 3 }",
    ] {
        place.write(".mcp.json", text);
        assert_eq!(place.run("check").code, Some(3), "{text}");
    }
    std::fs::remove_file(place.path(".mcp.json")).unwrap();
    let ran = place.run_with("check --format json", |_| ());
    assert_eq!(ran.code, Some(3));
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["clients"][0]["error"]["code"], "bad_config");
    assert_eq!(place.launches("docs.txt"), launched);
    let told: Vec<&str> =
        place.transcript().split("$ mcp-footprint ").filter(|part| part.starts_with("check\n")).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_the_config_asks_for_is_given_by_flag_or_variable_and_shown_nowhere() {
    let mut place = desk();
    let asks = r#"{ "mcpServers": { "docs": { "command": "scripted", "args": ["docs.txt"], "env": { "KEY": "${input:docs-key}" } },
        "notes": { "command": "scripted", "args": ["${NOTES_FILE}"] } } }"#;
    place.write(".mcp.json", asks);
    let launched = place.launches("docs.txt");
    assert_eq!(place.run("check").code, Some(3));
    assert_eq!(place.launches("docs.txt"), launched, "a part of a client is never launched");
    let notes = |command: &mut assert_cmd::Command| {
        command.env("NOTES_FILE", "notes.txt");
    };
    let both = |command: &mut assert_cmd::Command| {
        command.env("NOTES_FILE", "notes.txt").env("INPUT_DOCS_KEY", "hunter2-variable");
    };
    assert_eq!(place.run_with("check --input docs-key=hunter2", notes).code, Some(0));
    assert_eq!(place.run_with("check", both).code, Some(0));
    assert_eq!(place.run("check --input a=b -- scripted docs.txt").code, Some(2));
    assert!(!place.transcript().contains("hunter2-variable"));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_that_lists_its_tools_no_more_makes_no_room_for_another() {
    let mut place = desk();
    place.lists("docs.txt", "");
    place.lists(
        "notes.txt",
        r#"{"name":"add","description":"Adds a note to the book."},{"name":"search","description":"Search."}"#,
    );
    assert_eq!(place.run("check").code, Some(1));
    let before = place.read("budgets.toml");
    assert_eq!(place.run("pin").code, Some(1));
    assert_eq!(place.read("budgets.toml"), before);
    place.write("budgets.toml", before.replace("docs = { tokens = 17, description = 4 }", MEANT_TO_LIST_NONE));
    assert_eq!(place.run("pin").code, Some(0));
    assert_eq!(place.run("check").code, Some(0));
    place.lists("notes.txt", "");
    assert_eq!(place.run("pin").code, Some(1));
    insta::assert_snapshot!(place.transcript());
}

const MEANT_TO_LIST_NONE: &str = "docs = { tokens = 0, description = 0 }";

#[test]
fn a_server_that_lists_no_tools_passes_nowhere_but_where_the_file_says_that_it_is_meant() {
    let mut place = desk();
    let budgets = place.read("budgets.toml");
    place.lists("new.txt", "");
    // New in the config, and under another name than the one that is pinned.
    place.write(".mcp.json", config(&["docs", "notes", "new"]));
    assert_eq!(place.run("check").code, Some(1));
    place.lists("docs.txt", "");
    place.write(".mcp.json", config(&["docs", "notes"]).replace("\"docs\"", "\"renamed\""));
    assert_eq!(place.run("check").code, Some(1));
    // No pin, and no pins at all.
    place.write(".mcp.json", config(&["docs", "notes"]));
    place.write("budgets.toml", budgets.replace("docs = { tokens = 17, description = 4 }\n", ""));
    assert_eq!(place.run("check").code, Some(1));
    let without_pins = budgets.split_once("[clients.mcp.pins]").expect("pins were written").0;
    place.write("budgets.toml", without_pins);
    assert_eq!(place.run("check").code, Some(1));
    assert_eq!(place.run("pin").code, Some(1));
    place.write("budgets.toml", format!("{without_pins}[clients.mcp.pins]\n{MEANT_TO_LIST_NONE}\n"));
    assert_eq!(place.run("pin").code, Some(0));
    assert_eq!(place.run("check").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn what_may_be_secret_in_a_config_becomes_a_variable_of_budgets_toml() {
    let mut place = desk();
    let words = r#""args": ["docs.txt", "--api-key", "hunter2222", "--api-token=hunter3333", "${MODE:-fast}"], "#;
    let config =
        config(&["docs"]).replace("\"args\": [\"docs.txt\"]", &format!("{words}\"env\": {{ \"A\": \"hunter4444\" }}"));
    place.write("other.json", config);
    assert_eq!(place.run("init --config other.json --server docs").code, Some(0));
    assert!(!place.read("budgets.toml").contains("hunter"));
    place.show("budgets.toml");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_that_the_config_turns_off_is_named_and_no_part_of_the_sum() {
    let mut place = desk();
    let off = config(&["docs", "notes", "heavy"]).replace("\"heavy.txt\"]", "\"heavy.txt\"], \"disabled\": true");
    place.write(".mcp.json", off.replace("\"docs.txt\"]", "\"docs.txt\"], \"includeTools\": [\"ok\"]"));
    assert_eq!(place.run("check").code, Some(0));
    place
        .write(".mcp.json", config(&["docs", "notes"]).replace("\"notes.txt\"]", "\"notes.txt\"], \"enabled\": false"));
    assert_eq!(place.run("check").code, Some(3));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_client_with_a_server_without_tools_is_added_only_where_somebody_says_that_it_is_meant() {
    let mut place = desk();
    place.lists("docs.txt", "");
    let before = place.read("budgets.toml");
    assert_eq!(place.run("init --config .mcp.json --name other").code, Some(1));
    assert_eq!(place.read("budgets.toml"), before);
    let meant = "\n[clients.other]\nconfig = \".mcp.json\"\n\n[clients.other.pins]\n\
                 docs = { tokens = 0, description = 0 }\n";
    place.write("budgets.toml", before + meant);
    assert_eq!(place.run("pin --server other").code, Some(0));
    assert_eq!(place.run("check --server other").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn captures_of_a_client_must_be_made_as_its_entry_asks() {
    let mut place = desk();
    assert_eq!(place.run("capture --server mcp --capability roots -o desk.json").code, Some(0));
    assert_eq!(place.run("check --from desk.json").code, Some(3));
    assert_eq!(place.run("capture --server mcp -o desk.json").code, Some(0));
    place.write(".mcp.json", config(&["docs", "notes"]).replace("notes.txt", "new.txt"));
    assert_eq!(place.run("check --from desk.json").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn of_a_client_that_chooses_among_tools_only_those_that_it_sends_count() {
    let mut place = Place::new();
    place.lists("docs.txt", r#"{"name":"search","description":"Search the docs."},{"name":"ok"}"#);
    let settings = |choice: &str| {
        format!("{{\"mcpServers\":{{\"docs\":{{\"command\":\"scripted\",\"args\":[\"docs.txt\"]{choice}}}}}}}")
    };
    place.write(".gemini/settings.json", settings(""));
    assert_eq!(place.run("init --config .gemini/settings.json --name gemini").code, Some(0));
    assert_eq!(place.run("capture --server gemini -o all.json").code, Some(0));
    place.write(".gemini/settings.json", settings(",\"excludeTools\":[\"search\"]"));
    // What the client no longer sends is a win to bank, whether the server is asked or its capture.
    for line in ["pin --dry-run", "pin --dry-run --from all.json"] {
        let ran = place.run(line);
        assert!(ran.stdout.contains("gemini: floor 17 -> 5 (-12 tokens)"), "{line}: {}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(place.run("pin").code, Some(0));
    assert_eq!(place.run("check --from all.json --against all.json").code, Some(0));
    place.write(".gemini/settings.json", settings(",\"includeTools\":[\"no\"]"));
    assert_eq!(place.run("check").code, Some(1));
    place.write(".gemini/settings.json", settings(",\"includeTools\":\"ok\""));
    assert_eq!(place.run("check").code, Some(3));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn captures_of_more_than_the_config_names_are_of_another_config() {
    let mut place = desk();
    place.write(".mcp.json", config(&["docs", "notes", "heavy"]));
    place.lists("heavy.txt", r#"{"name":"crawl"}"#);
    assert_eq!(place.run("capture --server mcp -o desk.json").code, Some(0));
    let off = config(&["docs", "notes", "heavy"]).replace("\"heavy.txt\"]", "\"heavy.txt\"], \"disabled\": true");
    for now in [config(&["docs", "notes"]), off] {
        place.write(".mcp.json", now);
        assert_eq!(place.run("check --from desk.json").code, Some(3));
        assert_eq!(place.run("pin --from desk.json --raise --reason x").code, Some(3));
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn captures_hold_a_client_when_they_hold_every_server_that_its_config_names() {
    let mut place = desk();
    assert_eq!(place.run("capture --server mcp -o desk.json").code, Some(0));
    let launched = place.launches("docs.txt");
    assert_eq!(place.run("check --from desk.json").code, Some(0));
    assert_eq!(place.run("check --from desk.json --server mcp --against desk.json").code, Some(0));
    place.write(".mcp.json", config(&["docs", "notes", "heavy"]));
    assert_eq!(place.run("check --from desk.json").code, Some(3));
    assert_eq!(place.launches("docs.txt"), launched);
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_source_on_the_command_line_is_never_a_client_nor_a_part_of_one() {
    let mut place = desk();
    for name in ["mcp", "mcp/docs"] {
        assert_eq!(place.run(&format!("check --name {name} -- scripted docs.txt")).code, Some(2), "{name}");
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_client_is_added_beside_a_server_under_a_name_of_its_own() {
    let mut place = desk();
    let before = place.read("budgets.toml");
    assert_eq!(place.run("init --config .mcp.json").code, Some(2));
    assert_eq!(place.run("init --config .mcp.json --name mcp --server docs").code, Some(2));
    assert_eq!(place.run("init --config .mcp.json --server docs --server notes").code, Some(2));
    assert_eq!(place.read("budgets.toml"), before);
    assert_eq!(place.run("init --config .mcp.json --server docs").code, Some(0));
    place.write(
        "other/.vscode/mcp.json",
        config(&["notes"]).replace("mcpServers", "servers").replace("notes.txt", "../notes.txt"),
    );
    assert_eq!(place.run("init --config other/.vscode/mcp.json --name laptop").code, Some(0));
    place.show("budgets.toml");
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!(place.run("check --server laptop --server docs").code, Some(0));
    assert_eq!(place.run("check --server nobody").code, Some(2));
    assert_eq!(place.run("report").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_name_that_would_hide_a_server_of_a_client_is_refused_before_anything_is_launched() {
    let mut place = desk();
    let launched = place.launches("docs.txt");
    assert_eq!(place.run("init --config .mcp.json --name a/b").code, Some(2));
    assert_eq!(place.run("init --name mcp/docs -- scripted docs.txt").code, Some(2));
    assert_eq!(place.launches("docs.txt"), launched);
    assert_eq!(place.run("init --name laptop/docs -- scripted docs.txt").code, Some(0));
    assert_eq!(place.run("init --config .mcp.json --name laptop").code, Some(2));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn what_a_path_takes_from_the_environment_is_not_shown() {
    let mut place = desk();
    place.write("budgets.toml", place.read("budgets.toml").replace(".mcp.json", "${PLACE_OF_CONFIGS}/mcp.json"));
    let ran = place.run_with("check", |command| {
        command.env("PLACE_OF_CONFIGS", "hunter2-place");
    });
    assert_eq!(ran.code, Some(3));
    assert!(!ran.stdout.contains("hunter2") && ran.stdout.contains("[PLACE_OF_CONFIGS]/mcp.json"), "{}", ran.stdout);
}

#[test]
fn a_name_that_two_entries_share_is_a_fault_of_the_file() {
    let mut place = Place::new();
    place.write(".mcp.json", config(&["docs"]));
    let entry = "\n[clients.desk]\nconfig = \".mcp.json\"\n";
    for server in ["desk", "\"desk/docs\""] {
        place.write("budgets.toml", format!("{ESTIMATOR}{entry}\n[servers.{server}]\ncommand = \"x\"\n"));
        assert_eq!(place.run("check").code, Some(2));
    }
    place.write("budgets.toml", format!("{ESTIMATOR}{entry}"));
    assert_eq!(place.run("check").code, Some(2));
    insta::assert_snapshot!(place.transcript());
}
