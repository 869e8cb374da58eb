//! budgets.toml that cannot be used: one message with file, line and column, exit 2, and nothing launched.

use crate::place::{ESTIMATOR, Place};

const SERVER: &str = "[servers.ok]\ncommand = \"scripted\"\nargs = [\"ok.txt\"]\n";
const BANDS: &str = "floor = { budget = 5, slack = 0 }\ndescriptions = { budget = 0, slack = 0 }\n";

/// A place with a server that can be launched, and the command that must not launch it.
fn refuse(place: &mut Place, text: impl AsRef<[u8]>) {
    place.write("budgets.toml", text);
    assert_eq!(place.run("check").code, Some(2));
    assert_eq!(place.launches("ok.txt"), 0);
}

#[test]
fn a_wrong_file_gets_one_message_with_line_and_column_and_launches_nothing() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    let good = format!("{ESTIMATOR}{SERVER}{BANDS}");
    for text in [
        good.replace("command", "comand"),
        good.replace("slack = 0", "slak = 0"),
        good.replace("budget = 5", "budget = \"5\""),
        good.replace("\"scripted\"", "7"),
        good.replace("budget = 5", "budget = -5"),
        good.replace("slack = 0", "slack = \"-5%\""),
        good.replace("args", "url = \"http://localhost/mcp\"\nargs"),
        good.replace("o200k_base:mcp-tool-json-v1", "cl100k_base:mcp-tool-json-v1"),
        good.replace(ESTIMATOR, ""),
        format!("{ESTIMATOR}<<<<<<< HEAD\n{SERVER}=======\n{SERVER}>>>>>>> other\n{BANDS}"),
        format!("{good}\n{SERVER}"),
        ESTIMATOR.to_owned(),
        format!("{ESTIMATOR}{SERVER}floor = {{ budget = 5 }}\n"),
        "estimator = \n".to_owned(),
    ] {
        refuse(&mut place, text);
    }
    refuse(&mut place, b"estimator = \"\xff\"\n");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn an_unset_variable_is_told_with_server_and_key_before_anything_is_launched() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    let other = SERVER.replace("servers.ok", "servers.other");
    refuse(&mut place, format!("{ESTIMATOR}{SERVER}{BANDS}{other}env = {{ TOKEN = \"${{NOTES_TOKEN}}\" }}\n{BANDS}"));
    assert_eq!(place.run("report --env 'TOKEN=${NOTES_TOKEN}' -- scripted ok.txt").code, Some(2));
    assert_eq!(place.launches("ok.txt"), 0);
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_file_or_a_server_that_is_not_there_is_told_with_what_there_is() {
    let mut place = Place::new();
    for command in ["check", "pin", "report"] {
        assert_eq!(place.run(command).code, Some(2));
    }
    assert_eq!(place.run("check --budgets elsewhere.toml").code, Some(2));
    place.budgets(&["ok", "other"]);
    for command in ["check --server nots", "pin --server nots", "report --server nots"] {
        assert_eq!(place.run(command).code, Some(2));
    }
    assert_eq!(place.run("check -- scripted ok.txt").code, Some(3));
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    assert_eq!(place.run("check -- scripted ok.txt").code, Some(2));
    assert_eq!(place.run("check --name ok -- scripted ok.txt").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn the_nearest_file_upward_is_used_and_none_above_the_repository() {
    let mut place = Place::new();
    place.write("budgets.toml", "above = true\n");
    place.lists("repository/ok.txt", r#"{"name":"ok"}"#);
    place.write("repository/.git/HEAD", "");
    place.write("repository/below/x", "");
    let below = place.path("repository/below");
    let run = |place: &mut Place| {
        place.run_with("check", |command| {
            command.current_dir(&below);
        })
    };
    assert_eq!(run(&mut place).code, Some(2));
    place.write("repository/budgets.toml", format!("{ESTIMATOR}{SERVER}{BANDS}"));
    assert_eq!(run(&mut place).code, Some(0));
    place.lists("repository/ok.txt", r#"{"name":"ok"},{"name":"more"}"#);
    assert_eq!(run(&mut place).code, Some(1));
    insta::assert_snapshot!(place.transcript());
}
