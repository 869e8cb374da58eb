//! Every JSON document is what its schema says: those of all snapshots, and those of the commands run here.
//!
//! The committed schemas let members be added; here they are closed, so that a member that no schema knows fails as
//! well as one that is missing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use clap::ValueEnum;
use jsonschema::Validator;
use mcp_footprint::schema::Schema;
use serde_json::{Value, json};

const TOOLS: &str = r#"[{"name":"add_note","description":"Add a note.","inputSchema":{"type":"object","properties":{"text":
    {"type":"string","description":"What to keep. What to keep."}}}},{"name":"list_notes","outputSchema":{"type":"object"}}]"#;

/// The same schema, in which no object has a member that it does not name. Forms of one object, such as those of a name
/// that stands among other members, are closed with the object.
fn closed(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            let is_object = members.contains_key("properties");
            if is_object {
                members.entry("unevaluatedProperties").or_insert(json!(false));
            }
            for (key, value) in members {
                if !(is_object && matches!(key.as_str(), "oneOf" | "anyOf" | "allOf")) {
                    *value = closed(value.take());
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = closed(value.take())),
        _ => {}
    }
    schema
}

/// The closed validators of the documents; two schemas of one name are two forms of one document.
fn validators() -> Vec<(Schema, String, Validator)> {
    let documents = Schema::value_variants().iter().copied().filter(|&schema| schema != Schema::Budgets);
    documents
        .map(|schema| {
            let value: Value = serde_json::from_str(schema.text()).expect("a schema is JSON");
            let name = value["properties"]["schema"]["const"].as_str().expect("a document has a name").to_owned();
            (schema, name, jsonschema::validator_for(&closed(value)).expect("a schema is a schema"))
        })
        .collect()
}

/// The documents in a text: every JSON object that begins a line and names its schema.
fn documents(text: &str) -> Vec<Value> {
    let starts = text.match_indices('{').map(|(at, _)| at).filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n');
    let value = |at: usize| serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>().next()?.ok();
    starts.filter_map(value).filter(|value| value["schema"].is_string()).collect()
}

/// Every snapshot of every test, and every sample.
fn committed() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = std::fs::read_dir(root.join("tests")).expect("there are tests");
    let folders = tests.map(|entry| entry.expect("it is read").path().join("snapshots"));
    let folders = folders.chain([root.join("fixtures/samples")]).filter(|folder| folder.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("it is a folder"));
    files
        .map(|entry| {
            let path = entry.expect("it is read").path();
            let text = String::from_utf8_lossy(&std::fs::read(&path).expect("it is read")).into_owned();
            (path.display().to_string(), text)
        })
        .collect()
}

/// What the commands print that write JSON.
fn printed() -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    std::fs::write(folder.path().join("tools.json"), TOOLS).expect("it is written");
    std::fs::write(folder.path().join("fewer.json"), r#"[{"name":"add_note"}]"#).expect("it is written");
    std::fs::write(folder.path().join(".mcp.json"), r#"{"mcpServers":{"notes":{"command":"notes"}}}"#)
        .expect("it is written");
    let run = |line: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_mcp-footprint"))
            .args(line.split(' '))
            .current_dir(folder.path())
            .env_clear()
            .env("HOME", folder.path())
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        (line.to_owned(), String::from_utf8(output.stdout).expect("documents are UTF-8"))
    };
    run("capture --from tools.json --output saved.json");
    run("init --name notes --from tools.json");
    let lines = [
        "capture --from tools.json --output -",
        "report --from tools.json --format json",
        "report --from saved.json --format json",
        "check --format json",
        "check --against fewer.json --format json",
        "report --from tools.json --by field --format json",
        "report --from tools.json --view openai --format json",
        "report --from tools.json --format catalog",
        "diff fewer.json tools.json --format json",
        "explain add_note --from tools.json --format json",
        "advise --from tools.json --format json",
        "defer --from tools.json --format json",
        "audit --format json",
    ];
    let budgets = std::fs::read_to_string(folder.path().join("budgets.toml")).expect("init wrote it");
    assert!(budgets.starts_with("#:schema budgets.schema.json\n"), "{budgets}");
    assert!(is_valid(&budgets), "{budgets}");
    let schema = std::fs::read_to_string(folder.path().join("budgets.schema.json")).expect("init wrote it");
    assert_eq!(schema, Schema::Budgets.text());
    lines.map(run).into()
}

/// Whether an editor has nothing to say about this budgets file.
fn is_valid(budgets: &str) -> bool {
    let schema = serde_json::from_str(Schema::Budgets.text()).expect("a schema is JSON");
    let value: Value = toml_edit::de::from_str(budgets).expect("the test writes TOML");
    jsonschema::validator_for(&schema).expect("a schema is a schema").is_valid(&value)
}

#[test]
fn every_json_document_is_what_its_schema_says() {
    let validators = validators();
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    for (place, text) in committed().into_iter().chain(printed()) {
        for document in documents(&text) {
            let name = document["schema"].as_str().unwrap();
            let of_that_name = validators.iter().filter(|(_, known, _)| known == name);
            let errors: Vec<String> = of_that_name
                .clone()
                .flat_map(|(_, _, validator)| validator.iter_errors(&document))
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            let valid = of_that_name.clone().find(|(_, _, validator)| validator.is_valid(&document));
            match valid {
                Some((schema, ..)) => *met.entry(format!("{schema:?}")).or_default() += 1,
                None if name == "fak-mcp-footprint/1" => {}
                None => panic!("{place}: {name} is not what its schema says: {errors:#?}"),
            }
        }
    }
    let missing: Vec<&Schema> = validators
        .iter()
        .map(|(schema, ..)| schema)
        .filter(|schema| !met.contains_key(&format!("{schema:?}")))
        .collect();
    assert!(missing.is_empty(), "no document was met of {missing:?}");
}

#[test]
fn a_member_too_many_and_one_too_few_are_both_found() {
    let (_, _, validator) = validators().into_iter().find(|(schema, ..)| *schema == Schema::Report).unwrap();
    let server = json!({"name": "a", "status": "not_measured", "server": null, "protocol": null, "transport": null,
        "platform": null, "capabilities": [], "source": null, "tool_count": null, "floor_tokens": null,
        "description_tokens": null, "instructions_tokens": null, "bytes": null, "tools": [], "gate": null, "notes": [],
        "error": {"code": "timeout", "message": "", "stderr_tail": null}});
    let document = |server| json!({"schema": "mcp-footprint/1", "estimator": "o200k_base:mcp-tool-json-v1", "exit_code": 3, "servers": [server]});
    assert!(validator.is_valid(&document(server.clone())));
    let mut more = server.clone();
    more["more"] = json!(1);
    assert!(!validator.is_valid(&document(more)));
    let mut less = server.clone();
    less.as_object_mut().unwrap().remove("platform");
    assert!(!validator.is_valid(&document(less)));
    let mut other = server;
    other["error"]["code"] = json!("tired");
    assert!(!validator.is_valid(&document(other)));
}

#[test]
fn the_command_prints_what_is_committed() {
    for &schema in Schema::value_variants() {
        let name = schema.to_possible_value().unwrap().get_name().to_owned();
        let output = Command::new(env!("CARGO_BIN_EXE_mcp-footprint")).args(["schema", &name]).output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), schema.text());
    }
}

#[test]
fn an_editor_accepts_what_the_reader_accepts_and_marks_what_it_refuses() {
    let own = include_str!("../budgets.toml");
    let readme = include_str!("../README.md");
    let (_, example) = readme.split_once("```toml\nestimator").expect("README.md shows a budgets file");
    let example = format!("estimator{}", example.split_once("```").expect("the example ends").0);
    for budgets in [own, &example] {
        assert!(is_valid(budgets), "{budgets}");
    }
    for (good, bad) in [
        ("command = ", "comand = "),
        ("command = ", "url = 'http://localhost'\ncommand = "),
        ("command = ", "url = "),
        ("budget = 4507", "budget = -1"),
        ("slack = 250", "slack = '101%'"),
        ("slack = 250", "slak = 250"),
        ("o200k_base:mcp-tool-json-v1", "o200k_base:mcp-tool-json-v2"),
    ] {
        let budgets = example.replacen(good, bad, 1);
        assert!(budgets != example && !is_valid(&budgets), "{budgets}");
    }
}
