//! Servers that fail in every way: not measured, exit 3, the reason in words, nothing written, nothing left.

use crate::place::{Place, listing};

const OPENED: &str = "initialize\nexpect tools/list\n";

#[test]
fn a_server_that_cannot_be_started_is_told_from_a_directory_that_is_missing() {
    let mut place = Place::new();
    let folder = place.path("bin");
    let ran = place.run_with("report --format json -- no-such-command --flag", |command| {
        command.env("PATH", folder);
    });
    assert_eq!(ran.code, Some(3));
    // JSON, since a table wraps where the paths of this machine make it.
    assert_eq!(place.run("report --format json -- ./no-such-file").code, Some(3));
    assert_eq!(place.run("report --format json --cwd nowhere -- scripted ok.txt").code, Some(3));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn every_way_to_fail_is_a_message_of_its_own() {
    let error = |code: i64| {
        format!("send {{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{{\"code\":{code},\"message\":\"no database\"}}}}")
    };
    let page = |result: &str| format!("send {{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{result}}}");
    let scenarios = [
        ("exits-silently", "exit 7".to_owned()),
        ("exits-with-words", "stderr no API key: set NOTES_TOKEN\nexit 1".to_owned()),
        ("answers-an-error", format!("{OPENED}{}", error(-32603))),
        ("refuses-to-open", format!("expect initialize\n{}\nexpect server/discover\n{}", error(-32603), error(-32601))),
        (
            "later-page-fails",
            format!(
                "{OPENED}{}\nexpect tools/list\n{}",
                page(r#"{"tools":[{"name":"a"}],"nextCursor":"1"}"#),
                error(-32603)
            ),
        ),
        (
            "later-page-never-comes",
            format!("{OPENED}{}\nexpect tools/list\nexit 0", page(r#"{"tools":[{"name":"a"}],"nextCursor":"1"}"#)),
        ),
        (
            "cursor-loop",
            format!(
                "{OPENED}{}\nexpect tools/list\n{}",
                page(r#"{"tools":[{"name":"a"}],"nextCursor":"1"}"#),
                page(r#"{"tools":[{"name":"b"}],"nextCursor":"1"}"#)
            ),
        ),
        ("tools-null", format!("{OPENED}{}", page(r#"{"tools":null}"#))),
        ("tools-missing", format!("{OPENED}{}", page("{}"))),
        ("cut-line", format!("{OPENED}raw {{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{{\"tools\":[{{\"na\nexit 0")),
        ("no-json", format!("{OPENED}send {{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{{tools}}}}")),
        (
            "not-utf8",
            format!(
                "{OPENED}raw {{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{{\"tools\":[{{\"name\":\"\\xff\"}}]}}}}\\n"
            ),
        ),
        (
            "only-another-revision",
            "expect initialize\nsend {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32022,\"message\":\"no\",\
             \"data\":{\"supported\":[\"2031-01-01\"]}}}\nstay"
                .to_owned(),
        ),
    ];
    let mut place = Place::new();
    for (name, steps) in scenarios {
        place.scenario(name, &steps);
        assert_eq!(place.run(&format!("report -- scripted {name}")).code, Some(3), "{name}");
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_that_says_nothing_is_given_up_at_its_deadline() {
    let mut place = Place::new();
    place.scenario("silent", "stay");
    place.scenario("silent-after-initialize", "initialize\nstay");
    place.scenario("only-noise", "send starting\nsend {\"level\":\"info\"}\nstay");
    for name in ["silent", "silent-after-initialize", "only-noise"] {
        assert_eq!(place.run(&format!("report --timeout 3s -- scripted {name}")).code, Some(3), "{name}");
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_that_never_reads_blocks_nothing() {
    let mut place = Place::new();
    place.scenario("never-reads", "fill 100000 {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\\n\nstay");
    assert_eq!(place.run("report --timeout 20s -- scripted never-reads").code, Some(3));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_whose_preparation_fails_is_not_launched() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    place.scenario("prepare.txt", "stderr error: cannot build\nexit 2");
    place.write(
        "budgets.toml",
        "estimator = \"o200k_base:mcp-tool-json-v1\"\n[servers.ok]\nprepare = [\"scripted\", \"prepare.txt\"]\n\
         command = \"scripted\"\nargs = [\"ok.txt\"]\nfloor = { budget = 5 }\ndescriptions = { budget = 0 }\n",
    );
    assert_eq!(place.run("check").code, Some(3));
    assert_eq!(place.launches("ok.txt"), 0);
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn secrets_are_masked_wherever_a_server_repeats_them() {
    let mut place = Place::new();
    place.scenario("tells", "stderr the token hunter2222 is wrong\nexit 1");
    let run = |place: &mut Place, format: &str| {
        place.run_with(&format!("report --format {format} --env 'PLAIN=${{MINE}}' -- scripted tells"), |command| {
            command.env("MINE", "hunter2222");
        })
    };
    for format in ["table", "json"] {
        let ran = run(&mut place, format);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("hunter2222"));
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn nothing_is_written_when_any_server_was_not_measured() {
    let mut place = Place::new();
    place.budgets(&["ok", "broken"]);
    place.lists("ok.txt", r#"{"name":"ok","description":"grown by a lot of words"}"#);
    place.scenario("broken.txt", "exit 7");
    let before = place.read("budgets.toml");
    assert_eq!(place.run("pin --raise --reason why").code, Some(3));
    assert_eq!(place.run("capture -o out.json").code, Some(3));
    assert_eq!(place.run("init --name new -- scripted broken.txt").code, Some(3));
    assert_eq!(place.read("budgets.toml"), before);
    assert!(!place.exists("out.json"));
    // The refusal of the other server is told all the same, and 3 wins over 1.
    assert_eq!(place.run("check").code, Some(3));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_server_that_is_measured_has_ended_and_a_hostile_one_changes_no_terminal() {
    let mut place = Place::new();
    let tools = "{\"name\":\"a\\u001b[31mred\",\"description\":\"::error::x\\u202e\"}";
    place.scenario("hostile", &format!("stderr \u{1b}[2J\n{}", listing(tools)));
    place.scenario("hostile-end", "send \u{1b}[2J\nstderr \u{1b}]0;title\u{7}\nexit 1");
    for (name, code) in [("hostile", 0), ("hostile-end", 3)] {
        let ran = place.run(&format!("report -- scripted {name}"));
        assert_eq!(ran.code, Some(code));
        assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}', '\u{7}']) && !ran.stderr.contains('\u{1b}'));
    }
    insta::assert_snapshot!(place.transcript());
}
