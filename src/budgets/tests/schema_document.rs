//! The JSON Schema of budgets.toml says what the reader accepts: an editor that complains about a good file, or is silent
//! about an unknown key, would be worse than none.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::advice::Rule;
use crate::budgets::Budgets;
use crate::budgets::client::CLIENT_KEYS;
use crate::budgets::schema::{BAND_KEYS, ROOT_KEYS, SERVER_KEYS};
use crate::capture::offer::{AUTO, KNOWN};
use crate::price::ESTIMATOR;

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../fixtures/schema/budgets.schema.json")).unwrap()
}

fn keys(object: &Value) -> BTreeSet<&str> {
    assert_eq!(object["additionalProperties"], false, "an unknown key is a fault");
    object["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_schema_knows_exactly_the_keys_that_are_read() {
    let schema = schema();
    assert_eq!(keys(&schema), ROOT_KEYS.into());
    assert_eq!(keys(&schema["$defs"]["server"]), SERVER_KEYS.into());
    assert_eq!(keys(&schema["$defs"]["client"]), CLIENT_KEYS.into());
    for band in ["tokens", "tools"] {
        assert_eq!(keys(&schema["$defs"][band]), BAND_KEYS.into());
    }
    assert_eq!(schema["properties"]["estimator"]["const"], ESTIMATOR);
}

#[test]
fn the_schema_knows_exactly_the_words_that_are_read() {
    let schema = schema();
    let words = |value: &Value| -> BTreeSet<String> {
        value["enum"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let revisions: BTreeSet<String> = KNOWN.into_iter().chain([AUTO]).map(str::to_owned).collect();
    let rules: BTreeSet<String> = Rule::ALL.iter().map(|rule| rule.as_str().to_owned()).collect();
    for kind in ["server", "client"] {
        assert_eq!(words(&schema["$defs"][kind]["properties"]["protocol"]), revisions);
    }
    assert_eq!(words(&schema["$defs"]["server"]["properties"]["silence"]["propertyNames"]), rules);
}

/// A file with this line in its server, in its client, or in the floor of its server.
fn file(server: &str, client: &str, floor: &str) -> String {
    let source = if server.starts_with("url") || server.starts_with("command") { "" } else { "command = \"x\"\n" };
    format!(
        "estimator = \"{ESTIMATOR}\"\n[servers.s]\n{source}{server}\n[servers.s.floor]\n{floor}\n\
         [clients.c]\nconfig = \".mcp.json\"\n{client}\n"
    )
}

#[test]
fn an_editor_marks_a_value_exactly_where_the_reader_refuses_it() {
    let schema = jsonschema::validator_for(&schema()).unwrap();
    let of_both = [
        ("protocol = \"2025-11-25\"", true),
        ("protocol = \"auto\"", true),
        ("protocol = \"x\"", false),
        ("protocol = \"2025-11-52\"", false),
        ("timeout = \"60s\"", true),
        ("timeout = \"060ms\"", true),
        ("timeout = \"60\"", false),
        ("timeout = \"0s\"", false),
        ("timeout = \"1m30s\"", false),
        ("capabilities = [\"roots\", \"sampling.tools\"]", true),
        ("capabilities = [\"nope\"]", false),
        ("capabilities = [\"roots.\"]", false),
    ];
    let of_server = [
        ("silence = { output-schema = \"why\" }", true),
        ("silence = { output-schema = \" \" }", false),
        ("silence = { nope = \"why\" }", false),
        ("env = { TOKEN = \"x\" }", true),
        ("env = { \"A=B\" = \"x\" }", false),
        ("prepare = [\"make\", \"\"]", true),
        ("prepare = [\" \"]", false),
        ("prepare = []", false),
        ("command = \" \"", false),
        ("url = \"\\t\"", false),
        ("cwd = \"\"", false),
        ("defer = [\"a*\"]", true),
        ("defer = []", false),
    ];
    let of_floor = [
        ("budget = 30", true),
        ("budget = -1", false),
        ("budget = 1.5", false),
        ("budget = 9223372036854775807", true),
        ("budget = 3\nslack = \"005%\"", true),
        ("budget = 3\nslack = \"100%\"", true),
        ("budget = 3\nslack = \"101%\"", false),
        ("budget = 3\nslack = \"5 %\"", false),
        ("budget = 3\nslack = true", false),
        ("budget = 3\nreason = 4", false),
    ];
    let floor = "budget = 1";
    let both = of_both.iter().flat_map(|&(line, good)| [(file(line, "", floor), good), (file("", line, floor), good)]);
    let server = of_server.iter().map(|&(line, good)| (file(line, "", floor), good));
    let floor = of_floor.iter().map(|&(lines, good)| (file("", "", lines), good));
    for (text, good) in both.chain(server).chain(floor) {
        let value: Value = toml_edit::de::from_str(&text).unwrap();
        assert_eq!(Budgets::parse("budgets.toml".as_ref(), text.as_str()).is_ok(), good, "{text}");
        assert_eq!(schema.is_valid(&value), good, "{text}");
    }
}
