//! What a measurement wants said beside its numbers.

use crate::place::{ESTIMATOR, Place, listing};

const ANSWER: &str = r#"send {"jsonrpc":"2.0","id":$id,"result":{"tools":[{"name":"ok"}]}}"#;

/// The codes of the notes of a scenario.
fn noted(place: &mut Place, name: &str, steps: &str) -> Vec<String> {
    place.scenario(name, steps);
    let ran = place.run(&format!("report --format json -- scripted {name}"));
    assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
    assert_eq!(place.run(&format!("report -- scripted {name}")).code, Some(0));
    codes(&ran.stdout)
}

fn codes(stdout: &str) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_str(stdout).expect("what the test itself sets up");
    let notes = document["servers"][0]["notes"].as_array().expect("what the test itself sets up");
    notes.iter().map(|note| note["code"].as_str().expect("what the test itself sets up").to_owned()).collect()
}

#[test]
fn what_a_server_says_unasked_is_survived_and_noted() {
    let mut place = Place::new();
    let notification = r#"send {"jsonrpc":"2.0","method":"notifications/message","params":{}}"#;
    let ping = r#"send {"jsonrpc":"2.0","id":0,"method":"ping"}"#;
    let listed = |steps: &str| format!("initialize\nexpect tools/list\n{steps}");
    for (code, steps) in [
        ("stdout_noise", format!("send Starting\nsend {{\"level\":\"info\"}}\n{}", listed(ANSWER))),
        ("notifications", listed(&format!("{notification}\n{notification}\n{ANSWER}"))),
        ("server_requests", listed(&format!("{ping}\n{ANSWER}"))),
        ("unknown_id", listed(&format!("send {{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{{}}}}\n{ANSWER}"))),
        ("string_id", listed(&ANSWER.replace("$id", "\"$id\""))),
        ("unknown_protocol", format!("{UNKNOWN}\nexpect tools/list\n{ANSWER}")),
        ("duplicate_name", listing(r#"{"name":"a"},{"name":"a","description":"b"}"#)),
        ("unnamed", listing(r#"{"title":"a"},{"name":""},{"name":7}"#)),
        ("invalid", listing(r#"7,{"name":"a"},null"#)),
        ("no_tools", listing("")),
    ] {
        let codes = noted(&mut place, code, &steps);
        assert!(!codes.is_empty() && codes.iter().all(|seen| seen == code), "{code}: {codes:?}");
    }
    insta::assert_snapshot!(place.transcript());
}

const UNKNOWN: &str = "expect initialize\nsend {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2031-01-01\",\
                       \"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}}\n\
                       expect notifications/initialized";

#[test]
fn a_list_that_changes_while_it_is_read_is_listed_again_and_the_larger_total_counts() {
    let mut place = Place::new();
    let changed = r#"send {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let larger = ANSWER.replace(r#"{"name":"ok"}"#, r#"{"name":"ok"},{"name":"late"}"#);
    let steps = format!("initialize\nexpect tools/list\n{changed}\n{ANSWER}\nexpect tools/list\n{larger}");
    assert_eq!(noted(&mut place, "dynamic", &steps), ["dynamic"]);
    assert_eq!(place.run("capture -o saved.json -- scripted dynamic").code, Some(0));
    assert_eq!(codes(&place.run("report --from saved.json --format json").stdout), ["dynamic"]);
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_definition_that_holds_a_secret_is_told_and_not_altered() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok","description":"uses hunter2222"}"#);
    let ran = place.run_with("report --format json --env 'TOKEN=${MINE}' -- scripted ok.txt", |command| {
        command.env("MINE", "hunter2222");
    });
    assert_eq!(codes(&ran.stdout), ["secret_in_definition"]);
    // No document shows what these see.
    for line in [
        "capture -o saved.json --env 'TOKEN=${MINE}' -- scripted ok.txt",
        "init --name ok --env 'TOKEN=${MINE}' -- scripted ok.txt",
        "pin",
    ] {
        let ran = place.run_with(line, |command| {
            command.env("MINE", "hunter2222");
        });
        assert!(ran.stderr.contains("(secret_in_definition)"), "{line}: {}", ran.stderr);
    }
    let ran = place.run_with("capture --quiet -o saved.json", |command| {
        command.env("MINE", "hunter2222");
    });
    assert_eq!(ran.stderr, "");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn check_says_what_is_not_pinned_not_banked_or_pinned_elsewhere() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    let bands = "floor = { budget = 7, slack = 2 }\ndescriptions = { budget = 0 }\n";
    let server = format!("{ESTIMATOR}\n[servers.ok]\ncommand = \"scripted\"\nargs = [\"ok.txt\"]\n{bands}");
    place.write("budgets.toml", &server);
    assert_eq!(codes(&place.run("check --format json").stdout), ["no_pins", "unbanked"]);
    let pins =
        "pins = { ok = { tokens = 5, description = 0 } }\npinned = { server = \"scripted\", version = \"0.9\" }\n";
    place.write("budgets.toml", format!("{server}{pins}"));
    assert_eq!(codes(&place.run("check --format json").stdout), ["unbanked", "pinned_elsewhere"]);
    assert_eq!(place.run("check").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn budgeted_instructions_that_a_file_does_not_tell_are_not_measured() {
    let mut place = Place::new();
    place.write("tools.json", r#"[{"name":"ok"}]"#);
    let bands = "floor = { budget = 5 }\ndescriptions = { budget = 0 }\ninstructions = { budget = 9 }\n";
    place.write("budgets.toml", format!("{ESTIMATOR}\n[servers.ok]\nfrom = \"tools.json\"\n{bands}"));
    let before = place.read("budgets.toml");
    assert_eq!(place.run("check").code, Some(3));
    assert_eq!(place.run("pin").code, Some(3));
    assert_eq!(place.read("budgets.toml"), before);
    insta::assert_snapshot!(place.transcript());
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_left_the_group_is_ended_and_told_on_standard_error() {
    let mut place = Place::new();
    place.scenario("leaves", &format!("spawn session\n{}", listing(r#"{"name":"ok"}"#)));
    assert_eq!(place.run("report -- scripted leaves").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}
