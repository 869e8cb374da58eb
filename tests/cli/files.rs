//! `--from`: what was saved is priced again, whole or not at all.

use crate::place::Place;

#[test]
fn a_file_that_is_no_capture_is_refused_at_its_byte() {
    let mut place = Place::new();
    place.write("empty.json", "");
    place.write("cut.json", "{\"tools\":[{\"name\":\"a\"},{\"na");
    place.write("text.json", "tools: none\n");
    place.write("other.json", "{\"hello\":1}");
    place.write("report.json", "{\"schema\":\"mcp-footprint/1\",\"servers\":[]}");
    place.write("latin1.json", b"{\"tools\":[{\"name\":\"caf\xe9\"}]}");
    place.write("error.json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"no database\"}}");
    place.write("folder/x", "");
    for name in ["empty", "cut", "text", "other", "report", "latin1", "error"] {
        assert_eq!(place.run(&format!("--from {name}.json")).code, Some(3), "{name}");
    }
    assert_eq!(place.run("--from missing.json").code, Some(2));
    insta::assert_snapshot!(place.transcript());
    // What the system says of a folder differs from system to system.
    let folder = place.run("--format json --from folder");
    assert_eq!(folder.code, Some(3));
    assert!(folder.stdout.contains("\"unreadable\""), "{}", folder.stdout);
}

#[test]
fn every_form_gives_the_same_numbers() {
    let mut place = Place::new();
    let tools = "[{\"name\":\"a\",\"description\":\"Adds a note.\"}]";
    place.write("array.json", tools);
    place.write("result.json", format!("{{\"tools\":{tools}}}"));
    place.write("answer.json", format!("{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"tools\":{tools}}}}}"));
    place.write(
        "lines.json",
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{{}},\
             \"serverInfo\":{{\"name\":\"n\",\"version\":\"1\"}}}}}}\n\
             {{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"tools\":{tools}}}}}\n"
        ),
    );
    place.lists("scenario", tools.trim_matches(['[', ']']));
    assert_eq!(place.run("capture -o capture.json -- scripted scenario").code, Some(0));
    let mut numbers = Vec::new();
    for name in ["array", "result", "answer", "lines", "capture"] {
        let ran = place.run(&format!("--format json --from {name}.json"));
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        numbers.push(document["servers"][0]["tools"].to_string());
    }
    let piped = place.run_with("--format json --from -", |command| {
        command.write_stdin(tools);
    });
    let document: serde_json::Value = serde_json::from_str(&piped.stdout).unwrap();
    numbers.push(document["servers"][0]["tools"].to_string());
    numbers.dedup();
    assert_eq!(numbers.len(), 1, "{numbers:?}");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_capture_replays_to_the_same_numbers() {
    let mut place = Place::new();
    assert_eq!(place.run("capture -o notes.json -- notes").code, Some(0));
    let document = |text: &str| {
        let mut document: serde_json::Value = serde_json::from_str(text).unwrap();
        document["servers"][0]["transport"] = "any".into();
        document
    };
    let live = place.run("--format json -- notes").stdout;
    let replayed = place.run("--format json --from notes.json").stdout;
    assert_eq!(document(&live), document(&replayed));
    let to_stdout = place.run("capture -o - -- notes").stdout;
    assert_eq!(to_stdout, place.redacted(&place.read("notes.json")));
}

#[test]
fn the_definitional_cases_count_through_the_binary_as_they_are_recorded() {
    let cases: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../fixtures/golden.json")).expect("a fixture");
    let raw: Vec<&str> = cases.iter().map(|case| case["raw"].as_str().unwrap()).collect();
    let mut place = Place::new();
    place.write("golden.json", format!("[{}]", raw.join(",")));
    let ran = place.run("--format json --from golden.json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let tools = document["servers"][0]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), cases.len());
    for (tool, case) in tools.iter().zip(&cases) {
        let seen = (&tool["tokens"], &tool["description_tokens"], &tool["bytes"]);
        assert_eq!(seen, (&case["tokens"], &case["description"], &case["bytes"]), "{}", case["raw"]);
    }
}
