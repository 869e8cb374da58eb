//! A flag beats the file.

use crate::place::{ESTIMATOR, Place, listing};

/// The protocol, the capabilities and the environment that the server saw, as one description.
const SAYS: &str = r#"{"name":"sees","description":"declared: $declared"}"#;

fn budgets(keys: &str) -> String {
    format!("{ESTIMATOR}\n[servers.ok]\ncommand = \"scripted\"\nargs = [\"ok.txt\"]\n{keys}\n")
}

/// What the server saw of the client, out of a capture on standard output.
fn declared(stdout: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(stdout).expect("what the test itself sets up");
    document["servers"][0]["tools"][0]["description"].as_str().expect("what the test itself sets up").to_owned()
}

#[test]
fn the_timeout_of_the_command_line_beats_the_one_of_the_file() {
    let mut place = Place::new();
    place.scenario("ok.txt", "stay");
    place.write("budgets.toml", budgets("timeout = \"1s\""));
    assert_eq!(place.run("report").code, Some(3));
    assert_eq!(place.run("report --timeout 1500ms").code, Some(3));
    place.write("budgets.toml", budgets("timeout = \"1h\""));
    assert_eq!(place.run("report --timeout 1s").code, Some(3));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn the_capabilities_of_the_command_line_beat_those_of_the_file() {
    let mut place = Place::new();
    place.scenario("ok.txt", &listing(SAYS));
    place.write("budgets.toml", budgets("capabilities = [\"roots\", \"sampling\", \"elicitation\"]"));
    assert_eq!(declared(&place.run("capture -o -").stdout), "declared: elicitation roots sampling");
    assert_eq!(declared(&place.run("capture -o - --capability roots").stdout), "declared: roots");
    place.write("budgets.toml", budgets(""));
    assert_eq!(declared(&place.run("capture -o -").stdout), "declared: ");
}

#[test]
fn the_protocol_of_the_command_line_beats_the_one_of_the_file() {
    let mut place = Place::new();
    let protocol = |place: &mut Place, line: &str| {
        let ran = place.run(line);
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        document["servers"][0]["protocol"].as_str().unwrap().to_owned()
    };
    let notes = format!("{ESTIMATOR}\n[servers.notes]\ncommand = \"notes\"\nprotocol = \"2024-11-05\"\n");
    place.write("budgets.toml", notes);
    assert_eq!(protocol(&mut place, "report --format json"), "2024-11-05");
    for revision in ["2025-06-18", "2026-07-28"] {
        assert_eq!(protocol(&mut place, &format!("report --format json --protocol {revision}")), revision);
    }
    assert_eq!(protocol(&mut place, "report --format json --protocol auto"), "2025-11-25");
}
