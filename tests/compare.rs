//! `check --base`, `check --against` and `diff` through the binary, in a real git repository, on captures.

use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

const BUDGETS: &str = "estimator = \"o200k_base:mcp-tool-json-v1\"\n\n[servers.s]\nfrom = \"now.json\"\n\n\
    [servers.s.floor]\nbudget = 30\nslack = 30\n\n[servers.s.descriptions]\nbudget = 10\nslack = 10\n";

struct Repository(TempDir);

impl Repository {
    /// A repository whose `main` holds the budgets and a capture of one tool.
    fn new() -> Self {
        let repository = Repository(tempfile::tempdir().expect("a folder for the test"));
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.write("budgets.toml", BUDGETS);
        repository.write("now.json", &capture(&[("a", "one")]));
        repository.commit();
        repository.git(&["checkout", "--quiet", "-b", "work"]);
        repository
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).expect("a file of the test");
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "a state", "--no-gpg-sign"]);
    }

    fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"];
        let status = Command::new("git").args(identity).args(args).current_dir(self.path()).status();
        assert!(status.expect("git is there").success(), "{args:?}");
    }

    fn run(&self, args: &[&str]) -> (i32, String) {
        said(&run_in(self.path(), args))
    }
}

fn run_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("mcp-footprint"));
    for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE", "GITHUB_ACTIONS"] {
        command.env_remove(name);
    }
    command.args(args).current_dir(folder).output().expect("the program starts")
}

fn said(output: &Output) -> (i32, String) {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8(text).expect("output is UTF-8"))
}

fn capture(tools: &[(&str, &str)]) -> String {
    let tools: Vec<_> = tools
        .iter()
        .map(|(name, description)| serde_json::json!({ "name": name, "description": description }))
        .collect();
    serde_json::json!({
        "schema": "mcp-footprint-capture/1",
        "servers": [{ "name": "s", "server": { "name": "srv", "version": tools.len().to_string() },
                      "platform": "linux-x86_64", "source": { "command": "node", "args": ["x.js"] }, "tools": tools }],
    })
    .to_string()
}

fn holds(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
}

#[test]
fn a_file_that_was_moved_is_held_to_what_it_said_before() {
    let repository = Repository::new();
    std::fs::create_dir(repository.path().join("sub")).expect("a folder of the test");
    std::fs::remove_file(repository.path().join("budgets.toml")).expect("a file of the test");
    repository.write("Cargo.toml", "[package]\n");
    let from = BUDGETS.replace("now.json", "../now.json");
    repository.write("sub/b.toml", &from.replace("budget = 30", "budget = 35"));
    let moved = ["check", "--base", "main", "--budgets", "sub/b.toml"];
    for is_committed in [false, true] {
        if is_committed {
            repository.commit();
        }
        let (code, text) = repository.run(&moved);
        assert_eq!(code, 1, "{text}");
        holds(&text, &["where it was budgets.toml,", "which is gone", "BUDGET_RAISED_UNJUSTIFIED", "30", "35"]);
    }
    let (code, text) = repository.run(&["diff", "main", "--budgets", "sub/b.toml"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["main (budgets.toml) -> sub/b.toml", "another band floor: budget 30, slack 30 -> budget 35"]);
    repository.write("budgets.toml", BUDGETS);
    let (_, text) = repository.run(&moved);
    holds(&text, &["has no such file, so every budget is new"]);
}

#[test]
fn what_two_files_that_are_gone_both_said_is_told_once() {
    let repository = Repository::new();
    repository.write("copy.toml", BUDGETS);
    repository.commit();
    repository.git(&["branch", "--force", "twice"]);
    for gone in ["budgets.toml", "copy.toml"] {
        std::fs::remove_file(repository.path().join(gone)).expect("a file of the test");
    }
    repository.write("b.toml", &BUDGETS.replace("budget = 30", "budget = 35"));
    let (code, text) = repository.run(&["check", "--base", "twice", "--budgets", "b.toml"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["1 change since", "and copy.toml, which are gone"]);
    assert_eq!(text.lines().filter(|line| line.contains("BUDGET_RAISED_UNJUSTIFIED")).count(), 1, "{text}");
}

#[test]
fn a_file_that_is_broken_at_the_base_is_named_so_that_git_shows_it() {
    let repository = Repository::new();
    std::fs::create_dir(repository.path().join("sub")).expect("a folder of the test");
    repository.write("sub/budgets.toml", "servers = [");
    repository.commit();
    repository.git(&["branch", "--force", "broken"]);
    repository.write("sub/budgets.toml", BUDGETS);
    for (args, at) in [(&["check", "--base"][..], "--base: at the merge base with broken"), (&["diff"], "at broken")] {
        let (code, text) = repository.run(&[args, &["broken", "--budgets", "sub/budgets.toml"]].concat());
        assert_eq!(code, 2, "{text}");
        holds(&text, &[at, ":sub/budgets.toml:1:"]);
        let hash = text.split(": ").find_map(|part| part.split_once(":sub/")).expect("a commit and a path").0;
        assert_eq!(hash.len(), 12, "{text}");
    }
}

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
fn a_raise_passes_its_band_and_is_refused_against_its_base_until_it_says_why() {
    let repository = Repository::new();
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["nothing is raised or loosened since main"]);

    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 35"));
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["BUDGET_RAISED_UNJUSTIFIED", "floor budget", "1 gate change without a reason"]);
    assert_eq!(repository.run(&["check"]).0, 0);

    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 35\nreason = \"issue 7\""));
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["has a reason", "reason: s floor budget 30 -> 35: issue 7"]);
}

#[test]
fn other_cold_tools_than_at_the_base_need_a_reason_and_a_difference_tells_them() {
    let repository = Repository::new();
    let deferred = BUDGETS.replace("\"now.json\"", "\"now.json\"\ndefer = [\"*\"]");
    repository.write("budgets.toml", &deferred);
    repository.run(&["pin", "--raise", "--reason", "the frame"]);
    let pinned = std::fs::read_to_string(repository.path().join("budgets.toml")).expect("it was written");
    let silent = pinned.replace("reason = \"the frame\"\n", "");
    repository.write("budgets.toml", &silent);
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["GATE_LOOSENED", "defer", "none", "*"]);
    repository.write("budgets.toml", &pinned);
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["reason: s defer none -> *: the frame"]);
    let (_, text) = repository.run(&["diff", "main"]);
    holds(&text, &["another defer: none -> *", "another estimator: ", "+deferred"]);
}

#[test]
fn a_merge_that_puts_a_lowered_budget_back_up_is_refused() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 25"));
    repository.commit();
    repository.git(&["checkout", "--quiet", "work"]);
    repository.write("other", "x");
    repository.commit();
    repository.git(&["merge", "--quiet", "--no-edit", "--strategy=ours", "--no-gpg-sign", "main"]);
    let (code, text) = repository.run(&["check", "--base", "main", "--format", "json"]);
    assert_eq!(code, 1, "{text}");
    let document: serde_json::Value = serde_json::from_str(&text).expect("standard output holds the document");
    assert_eq!(document["servers"][0]["gate"]["verdict"], "refused");
    let found = &document["base"]["differences"][0];
    assert_eq!((&found["before"], &found["after"], &found["refused"]), (&"25".into(), &"30".into(), &true.into()));
}

#[test]
fn what_is_removed_is_refused_and_a_new_file_has_no_base() {
    let repository = Repository::new();
    repository.write("budgets.toml", &BUDGETS.replace("servers.s", "servers.renamed"));
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["GATE_LOOSENED", "at the top of budgets.toml"]);
    repository.write("other.toml", BUDGETS);
    let (code, text) = repository.run(&["check", "--budgets", "other.toml", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["has no such file, so every budget is new"]);
}

#[test]
fn a_base_that_cannot_be_known_is_wrong_usage_and_nothing_is_measured() {
    let repository = Repository::new();
    let (code, text) = repository.run(&["check", "--base", "origin/main"]);
    assert_eq!(code, 2, "{text}");
    holds(&text, &["git knows no revision `origin/main`"]);
    repository.write("second", "x");
    repository.commit();
    let clone = tempfile::tempdir().expect("a folder for the test");
    let from = format!("file://{}", repository.path().display());
    repository.git(&["clone", "--quiet", "--depth", "1", &from, &clone.path().display().to_string()]);
    let (code, text) = said(&run_in(clone.path(), &["check", "--base", "main"]));
    assert_eq!(code, 2, "{text}");
    holds(&text, &["fetch-depth: 0"]);
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
    repository.write("other.json", "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
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
