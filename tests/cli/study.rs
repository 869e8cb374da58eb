//! `explain`, `advise`, `defer` and the partitions of `report`, on tools whose fat is known.

use crate::place::Place;

const TOOL: &str = r#"{"name":"add_note","title":"Add note","description":"Adds a note.\n\nExample:\nadd milk",
    "inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","title":"add_noteArguments","type":"object",
    "properties":{"note_text":{"title":"Note Text","type":"string","description":"What the note says"},
    "tag":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Tag"}},"required":["note_text"]},
    "outputSchema":{"type":"object","properties":{"id":{"type":"integer"}}},"annotations":{"readOnlyHint":false}}"#;

fn place() -> Place {
    let place = Place::new();
    place.write("notes.json", format!("[{TOOL},{{\"name\":\"list_notes\",\"inputSchema\":{{\"type\":\"object\"}}}}]"));
    place
}

#[test]
fn a_document_of_an_insight_names_what_was_not_measured() {
    let mut place = Place::new();
    place.budgets(&["ok", "bad"]);
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    place.scenario("bad.txt", "exit 7");
    for command in ["advise", "defer", "explain ok", "report --by field", "report --view openai"] {
        for (servers, measured) in [("", true), (" --server bad", false)] {
            let ran = place.run(&format!("{command} --format json{servers}"));
            assert_eq!(ran.code, Some(3), "{command}: {}", ran.stderr);
            if !measured && command.starts_with("explain") {
                assert!(ran.stderr.contains("no server that was measured lists a tool `ok`"), "{}", ran.stderr);
                continue;
            }
            let document: serde_json::Value =
                serde_json::from_str(&ran.stdout).expect("standard output holds a document");
            let failed = &document["not_measured"][0];
            assert_eq!((&failed["name"], &failed["error"]["code"]), (&"bad".into(), &"exited".into()), "{command}");
        }
    }
    assert_eq!(place.run("explain nope").code, Some(3));
    place.lists("ok.txt", "");
    for command in ["advise", "defer", "report --by field"] {
        let ran = place.run(&format!("{command} --server ok"));
        assert!(ran.stderr.contains("note: ok: the server listed no tool (no_tools)"), "{command}: {}", ran.stderr);
    }
}

#[test]
fn a_suggestion_tells_what_the_lookup_tool_adds_and_what_nobody_counted() {
    let mut place = Place::new();
    let schema = format!(r#"{{"type":"object","description":"{}"}}"#, "word ".repeat(60));
    let tool = |name: &str| format!(r#"{{"name":"{name}","inputSchema":{schema}}}"#);
    place.write("tools.json", format!("[{},{}]", tool("a"), tool("b")));
    place.write("calls.csv", "tool,calls\na,2\n");
    let told = |place: &mut Place, line: &str| {
        let ran = place.run(line);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let one = told(&mut place, "defer --suggest 1 --usage calls.csv --from tools.json");
    assert!(one.contains("lookup tool adds 105: together that costs more than it saves"), "{one}");
    assert!(one.contains("Nobody counted the calls of 1 tool,"), "{one}");
    let alone = told(&mut place, "defer --suggest 1 --from tools.json");
    assert!(alone.contains("Nobody counted the calls of 2 tools,"), "{alone}");
}

#[test]
fn a_budgets_file_that_says_nothing_of_the_source_is_told() {
    let mut place = Place::new();
    place.budgets(&["ok"]);
    place.write("other.json", r#"[{"name":"ok"}]"#);
    let ran = place.run("report --from other.json --budgets budgets.toml");
    assert_eq!(
        ran.stderr,
        "note: budgets.toml has no entry `other`, so it says nothing of this server; --name gives it another name\n"
    );
    assert_eq!(place.run("report --from other.json --budgets budgets.toml --name ok").stderr, "");
    assert_eq!(place.run("report --from other.json").stderr, "");
}

#[test]
fn a_tool_is_explained_by_every_name_that_a_report_shows() {
    let mut place = Place::new();
    place.write("tools.json", r#"[{"name":"add_note"},{"name":"x\u001bred"}]"#);
    for name in ["add_note", "deferred:add_note", "'x\\u{1b}red'"] {
        assert_eq!(place.run(&format!("explain {name} --from tools.json")).code, Some(0), "{name}");
    }
    assert_eq!(place.run("explain deferred:nope --from tools.json").code, Some(2));
}

#[test]
fn a_definition_is_explained_and_an_unknown_name_is_met_with_a_near_one() {
    let mut place = place();
    assert_eq!(place.run("explain add_note --from notes.json").code, Some(0));
    assert_eq!(place.run("explain add_note --depth 1 --from notes.json").code, Some(0));
    assert_eq!(place.run("explain list_notes --format json --from notes.json").code, Some(0));
    assert_eq!(place.run("explain add_notes --from notes.json").code, Some(2));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn advice_is_ranked_by_what_was_measured_and_never_gates() {
    let mut place = place();
    assert_eq!(place.run("advise --from notes.json").code, Some(0));
    assert_eq!(place.run("advise --top 2 --from notes.json").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_rule_that_the_budgets_file_silences_with_a_reason_is_not_asked() {
    let mut place = place();
    let entry = |silence: &str| {
        format!(
            "estimator = \"o200k_base:mcp-tool-json-v1\"\n[servers.notes]\nfrom = \"notes.json\"\nsilence = {silence}\n"
        )
    };
    place.write("budgets.toml", entry("{ output-schema = \"our clients check results\" }"));
    let quiet = place.run("advise");
    assert_eq!(quiet.code, Some(0));
    assert!(quiet.stdout.contains("generated-title") && !quiet.stdout.contains("output-schema"), "{}", quiet.stdout);
    for wrong in ["{ no-such-rule = \"x\" }", "{ output-schema = \"\" }", "{ output-schema = 1 }"] {
        place.write("budgets.toml", entry(wrong));
        assert_eq!(place.run("advise").code, Some(2), "{wrong}");
    }
}

#[test]
fn deferral_stands_beside_everything_and_says_when_it_does_not_pay() {
    let mut place = place();
    place.write("calls.csv", "tool,calls\nlist_notes,40\nadd_note,0\n");
    assert_eq!(place.run("defer --from notes.json --suggest 1 --usage calls.csv").code, Some(0));
    assert_eq!(place.run("defer --from notes.json --format json --lookups 2 --turns 5").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_usage_file_is_read_before_anything_is_launched_and_a_stranger_in_it_is_told() {
    let mut place = place();
    place.write("calls.csv", "list_notes,40\nlist_note,2\n");
    let ran = place.run("defer --from notes.json --suggest 1 --usage calls.csv");
    assert_eq!(
        (ran.code, ran.stderr.trim()),
        (Some(0), "warning: the usage file names tools that no server lists: list_note")
    );
    place.write("twice.csv", "list_notes,40\nlist_notes,2\n");
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    for (file, message) in
        [("twice.csv", "line 2 of the usage file: its tool has a line already"), ("none.csv", "none.csv")]
    {
        let ran = place.run(&format!("defer --suggest 1 --usage {file} -- scripted ok.txt"));
        assert_eq!(ran.code, Some(2), "{file}");
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    assert_eq!(place.launches("ok.txt"), 0);
}

#[test]
fn the_floor_is_parted_by_field_and_by_view() {
    let mut place = place();
    assert_eq!(place.run("report --by field --from notes.json").code, Some(0));
    assert_eq!(place.run("report --view anthropic --from notes.json").code, Some(0));
    assert_eq!(place.run("report --view openai --format json --from notes.json").code, Some(0));
    assert_eq!(place.run("report --by field --format html --from notes.json").code, Some(2));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn the_catalogue_and_the_ranked_document_are_written() {
    let mut place = place();
    assert_eq!(place.run("report --format catalog --from notes.json").code, Some(0));
    assert_eq!(place.run("report --format fak --top 1 --from notes.json").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn the_catalogue_keeps_its_limits_and_marks_every_cut() {
    let mut place = place();
    let schema = |bytes: usize| format!("{{\"x\":\"{}\"}}", "x".repeat(bytes - 8));
    let tool = |name: &str, text: &str, bytes: usize| {
        format!("{{\"name\":\"{name}\",\"description\":\"{text}\",\"inputSchema\":{}}}", schema(bytes))
    };
    let cut = "é".repeat(513);
    let mut tools = vec![tool("a0", &cut, 65_536), tool("a1", "", 65_537)];
    tools.extend((2..9).map(|number| tool(&format!("a{number}"), "", 65_000)));
    tools.push(tool("a9", "", 4_000));
    tools.push(tool("b0", "", 3_000));
    tools.extend((0..120).map(|number| format!("{{\"name\":\"c{number:03}\"}}")));
    place.write("many.json", format!("[{}]", tools.join(",")));
    let ran = place.run("report --format catalog --from many.json");
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a catalogue is JSON");
    let server = &document["servers"][0];
    assert_eq!(server["tool_count"], 131);
    assert_eq!(server["tools_truncated"], 3);
    assert_eq!(server["descriptions_truncated"], 1);
    assert_eq!(server["input_schemas_truncated"], 2);
    let tools = server["tools"].as_array().expect("tools are a list");
    assert_eq!(tools[0]["description"].as_str().map(str::len), Some(1_024));
    let left_out: Vec<&str> = tools
        .iter()
        .filter(|tool| tool["input_schema_truncated"] == true)
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    // 65,536 and seven times 65,000 leave 3,752 bytes of 524,288: too few for 4,000, enough for 3,000.
    assert_eq!(left_out, ["a1", "a9"]);
}
