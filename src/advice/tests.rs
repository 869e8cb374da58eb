//! Each rule on a definition that it is about, with the saving counted a second way: by pricing the definition that
//! somebody wrote by hand after the advice.

use super::*;
use crate::definition::Definition;
use crate::json::Text;
use crate::price::price;

fn priced(raw: &str) -> Priced {
    let definition = Definition::new(Text::parse(raw).unwrap(), 1);
    Priced { price: price(&definition), definition }
}

fn whole(definition: &Definition) -> u64 {
    tokenizer::count(definition.compact())
}

/// Every rule that speaks about `before`, with its saving.
fn savings(before: &str) -> BTreeMap<Rule, u64> {
    largest_savings(&priced(before), 100, &|_| false, &whole)
        .into_iter()
        .map(|finding| (finding.rule, finding.saved))
        .collect()
}

fn assert_saves(rule: Rule, before: &str, after: &str) {
    let expected = priced(before).price.tokens - priced(after).price.tokens;
    assert!(expected > 0);
    assert_eq!(savings(before).get(&rule), Some(&expected), "{rule}");
}

fn schema(properties: &str) -> String {
    format!(r#"{{"name":"a","inputSchema":{{"type":"object","properties":{{{properties}}}}}}}"#)
}

#[test]
fn generated_titles_go_and_a_parameter_of_that_name_stays() {
    let before = schema(r#""note_text":{"title":"Note Text","type":"string"},"title":{"type":"string"}"#);
    let after = schema(r#""note_text":{"type":"string"},"title":{"type":"string"}"#);
    assert_saves(Rule::GeneratedTitle, &before, &after);
    assert!(savings(&after).is_empty());
    assert!(savings(&schema(r#""x":{"title":"Something else","type":"string"}"#)).is_empty());
}

#[test]
fn keys_that_clients_ignore_go() {
    let before = r#"{"name":"a","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}"#;
    assert_saves(Rule::IgnoredKey, before, r#"{"name":"a","inputSchema":{"type":"object"}}"#);
}

#[test]
fn a_parameter_that_is_null_by_default_is_one_that_is_left_out() {
    let before = schema(r#""x":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}"#);
    assert_saves(Rule::NullableDefault, &before, &schema(r#""x":{"type":"string"}"#));
    let before = schema(r#""x":{"anyOf":[{"type":"string"},{"type":"array"},{"type":"null"}],"default":null}"#);
    let after = schema(r#""x":{"anyOf":[{"type":"string"},{"type":"array"}]}"#);
    assert_saves(Rule::NullableDefault, &before, &after);
    let clash = schema(r#""x":{"description":"a","anyOf":[{"description":"b"},{"type":"null"}],"default":null}"#);
    assert!(savings(&clash).is_empty());
    let twice = schema(
        r#""x":{"description":"a","anyOf":[{"type":"string","description":"a"},{"type":"null"}],"default":null}"#,
    );
    assert_saves(Rule::NullableDefault, &twice, &schema(r#""x":{"description":"a","type":"string"}"#));
    for union in [r#""oneOf":[{"type":"string"},{"type":"null"}]"#, r#""type":["string","null"]"#] {
        let before = schema(&format!(r#""x":{{{union},"default":null}}"#));
        assert_saves(Rule::NullableDefault, &before, &schema(r#""x":{"type":"string"}"#));
    }
    let before = schema(r#""x":{"type":["string","number","null"],"default":null}"#);
    assert_saves(Rule::NullableDefault, &before, &schema(r#""x":{"type":["string","number"]}"#));
    let required =
        r#"{"name":"a","inputSchema":{"properties":{"x":{"type":["string","null"],"default":null}},"required":["x"]}}"#;
    assert!(savings(required).is_empty());
}

#[test]
fn a_title_that_somebody_wrote_and_a_name_that_a_reference_means_stay() {
    let titled = |title: &str| format!(r#"{{"name":"add_note","inputSchema":{{"title":"{title}","type":"object"}}}}"#);
    for generated in ["add_noteArguments", "AddNoteInput", "Add Note"] {
        assert_eq!(savings(&titled(generated)).len(), 1, "{generated}");
    }
    assert!(savings(&titled("A call that a person must confirm")).is_empty());
    let referred =
        |reference: &str| schema(&format!(r#""x":{{"$id":"foo","type":"object"}},"y":{{"$ref":"{reference}"}}"#));
    assert!(savings(&referred("foo")).is_empty() && savings(&referred("#foo")).is_empty());
    assert!(savings(&referred("#/properties/x")).contains_key(&Rule::IgnoredKey));
}

#[test]
fn schemas_join_the_definitions_that_are_there() {
    let point = r#"{"type":"object","properties":{"latitude":{"type":"number"},"longitude":{"type":"number"}}}"#;
    let with = |value: &str, defs: &str| {
        format!(
            r#"{{"name":"a","inputSchema":{{"$defs":{{"d1":{{"type":"null"}}{defs}}},"properties":{{"p":{value},"q":{value},"r":{value}}}}}}}"#
        )
    };
    let after = with(r##"{"$ref":"#/$defs/d2"}"##, &format!(r#","d2":{point}"#));
    assert_saves(Rule::RepeatedSchema, &with(point, ""), &after);
}

#[test]
fn all_advice_on_one_text_is_made_and_what_is_still_too_long_is_cut_last() {
    let described = |text: &str| format!(r#"{{"name":"a","description":"{text}"}}"#);
    let words = "word ".repeat(400);
    let (words, example) = (words.trim_end(), "Example: a call ".repeat(5));
    let raw = described(&format!("# Title\\n\\n{words}\\n\\n{}", example.trim_end()));
    let advice = advise(&measurement(&[raw]), &|_| false);
    let rules: BTreeSet<Rule> = advice.findings.iter().map(|found| found.rule).collect();
    assert_eq!(rules, BTreeSet::from([Rule::Examples, Rule::Markdown, Rule::LongDescription]));
    assert_eq!(advice.floor_after, priced(&described(&format!("Title\\n\\n{words}"))).price.tokens);
}

#[test]
fn advice_inside_a_schema_that_moves_is_made_too() {
    let point = r#"{"title":"P","type":"object","properties":{"latitude":{"title":"Latitude","type":"number"},
        "longitude":{"title":"Longitude","type":"number"}}}"#;
    let raw = format!(r#"{{"name":"a","inputSchema":{{"properties":{{"one":{point},"two":{point},"six":{point}}}}}}}"#);
    let advice = advise(&measurement(&[raw]), &|_| false);
    let bare =
        r#"{"title":"P","type":"object","properties":{"latitude":{"type":"number"},"longitude":{"type":"number"}}}"#;
    let reference = r##"{"$ref":"#/$defs/d1"}"##;
    let after = format!(
        r#"{{"name":"a","inputSchema":{{"properties":{{"one":{reference},"two":{reference},"six":{reference}}},"$defs":{{"d1":{bare}}}}}}}"#
    );
    assert_eq!(advice.floor_after, priced(&after).price.tokens);
}

#[test]
fn output_schemas_and_long_enums_go() {
    let before = r#"{"name":"a","outputSchema":{"type":"object"},"inputSchema":{}}"#;
    assert_saves(Rule::OutputSchema, before, r#"{"name":"a","inputSchema":{}}"#);
    let values: Vec<String> = (0..21).map(|number| number.to_string()).collect();
    let before = schema(&format!(r#""x":{{"type":"number","enum":[{}]}}"#, values.join(",")));
    assert_saves(Rule::LongEnum, &before, &schema(r#""x":{"type":"number"}"#));
    assert!(savings(&schema(&format!(r#""x":{{"enum":[{}]}}"#, values[1..].join(",")))).is_empty());
}

#[test]
fn equal_schemas_are_held_once() {
    let point = r#"{"type":"object","properties":{"latitude":{"type":"number"},"longitude":{"type":"number"}}}"#;
    let before = schema(&format!(r#""from":{point},"to":{point},"over":{point}"#));
    let reference = r##"{"$ref":"#/$defs/d1"}"##;
    let after = format!(
        r#"{{"name":"a","inputSchema":{{"type":"object","properties":{{"from":{reference},"to":{reference},"over":{reference}}},"$defs":{{"d1":{point}}}}}}}"#
    );
    assert_saves(Rule::RepeatedSchema, &before, &after);
}

#[test]
fn what_a_description_repeats_lays_out_or_shows_goes() {
    let before = r#"{"name":"a","description":"Adds. The text of the note, without any title, is kept.","inputSchema":
        {"properties":{"x":{"type":"string","description":"The text of the note, without any title"}}}}"#;
    let after = r#"{"name":"a","description":"Adds. The text of the note, without any title, is kept.","inputSchema":
        {"properties":{"x":{"type":"string"}}}}"#;
    assert_saves(Rule::RepeatedParameter, before, after);
    assert_saves(Rule::Examples, r#"{"description":"Adds.\n\nExample:\nadd 1 2"}"#, r#"{"description":"Adds."}"#);
    assert_saves(
        Rule::Markdown,
        r#"{"description":"\#\# Use\n**Adds**."}"#.replace("\\#", "#").as_str(),
        r#"{"description":"Use\nAdds."}"#,
    );
}

fn measurement(raws: &[String]) -> Measurement {
    let tools: Vec<Priced> = raws.iter().map(|raw| priced(raw)).collect();
    let sum: u64 = tools.iter().map(|tool| tool.price.tokens).sum();
    Measurement {
        capabilities: Vec::new(),
        origin: None,
        members: None,
        server: None,
        protocol: None,
        transport: crate::capture::Transport::File,
        platform: None,
        totals: crate::gate::Totals {
            floor: sum,
            descriptions: 0,
            instructions: None,
            tools: tools.len() as u64,
            largest: 0,
        },
        bytes: 0,
        tools,
        deferred: None,
        gate: None,
        advice: None,
        notes: Vec::new(),
    }
}

#[test]
fn a_paragraph_of_several_tools_is_kept_in_the_first() {
    let shared = "This server needs a token that was made on the page of settings before any call.";
    let tool = |name: &str| format!(r#"{{"name":"{name}","description":"Does {name}.\n\n{shared}"}}"#);
    let advice = advise(&measurement(&[tool("one"), tool("two")]), &|_| false);
    let expected =
        priced(&tool("two")).price.tokens - priced(r#"{"name":"two","description":"Does two."}"#).price.tokens;
    assert_eq!(advice.findings.len(), 1);
    assert_eq!((advice.findings[0].rule, advice.findings[0].saved), (Rule::RepeatedAcrossTools, expected));
    assert_eq!(advice.floor_after, advice.floor - expected);
}

#[test]
fn a_sentence_of_several_tools_is_kept_in_the_first_and_the_finding_names_both() {
    let shared = "Use this tool only after the user has confirmed the name of the workspace and the region.";
    let tool =
        |name: &str, rest: &str| format!(r#"{{"name":"{name}","description":"Tool {name} does it. {shared}{rest}"}}"#);
    let tools = [tool("one", ""), tool("two", ""), tool("three", " Then wait.\\nA line.")];
    let advice = advise(&measurement(&tools), &|_| false);
    let after = [
        r#"{"name":"two","description":"Tool two does it."}"#,
        r#"{"name":"three","description":"Tool three does it. Then wait.\nA line."}"#,
    ];
    let saved: u64 =
        tools[1..].iter().zip(after).map(|(tool, after)| priced(tool).price.tokens - priced(after).price.tokens).sum();
    assert_eq!(advice.findings.len(), 1);
    let found = &advice.findings[0];
    assert_eq!((found.rule, found.saved), (Rule::RepeatedAcrossTools, saved));
    assert_eq!((found.tool.as_deref(), found.path.as_str()), (Some("two"), "/description"));
    assert_eq!(
        found.advice,
        "Say once what 3 tools repeat (one, two, three): “Use this tool only after the user has confirmed the name of …”. \
         The first of them keeps it."
    );
}

#[test]
fn what_tools_repeat_and_what_one_of_them_says_too_much_both_count_in_the_total() {
    let shared = "Use this tool only after the user has confirmed the name of the workspace and the region.";
    let example =
        "Example:\\nadd milk, bread, butter, cheese, apples, pears, plums, cherries, nuts, rice and salt to it";
    let tool = |name: &str, rest: &str| format!(r#"{{"name":"{name}","description":"Does {name}. {shared}{rest}"}}"#);
    let advice = advise(&measurement(&[tool("one", ""), tool("two", &format!("\\n\\n{example}"))]), &|_| false);
    let two = r#"{"name":"two","description":"Does two."}"#;
    assert_eq!(advice.findings.len(), 2);
    assert_eq!(advice.floor_after, priced(&tool("one", "")).price.tokens + priced(two).price.tokens);
}

#[test]
fn definitions_that_nothing_refers_to_are_found_with_all_that_only_they_refer_to() {
    let tool = |rest: &str| format!(r#"{{"name":"a","inputSchema":{{"type":"object",{rest}}}}}"#);
    let (used, other) =
        (r##""u~":{"items":{"$ref":"#/definitions/v"}}"##, r##""x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}"##);
    let part = r##""properties":{"p":{"$ref":"#/$defs/u%7E0/items"}}"##;
    let before =
        tool(&format!(r#"{part},"$defs":{{{used},{other}}},"definitions":{{"v":{{"type":"string"}},"w":{{}}}}"#));
    let after = tool(&format!(r#"{part},"$defs":{{{used}}},"definitions":{{"v":{{"type":"string"}}}}"#));
    assert_saves(Rule::UnusedDefinition, &before, &after);
    let all = tool(&format!(r#""$defs":{{{other}}}"#));
    assert_saves(Rule::UnusedDefinition, &all, r#"{"name":"a","inputSchema":{"type":"object"}}"#);
    for unsure in [
        r##""$id":"https://example.com/a","$defs":{"x":{}}"##,
        r##""properties":{"p":{"$ref":"other.json"}},"$defs":{"x":{}}"##,
        r##""properties":{"p":{"$ref":"#x"}},"$defs":{"x":{"$anchor":"x"}}"##,
        r##""properties":{"p":{"$ref":"#/$defs"}},"$defs":{"x":{}}"##,
        r##""properties":{"p":{"$ref":"#/$defs/x"}},"$defs":{"x":{}}"##,
    ] {
        assert!(!savings(&tool(unsure)).contains_key(&Rule::UnusedDefinition), "{unsure}");
    }
}

#[test]
fn a_dialect_that_a_schema_depends_on_is_kept() {
    let schema = |rest: &str| {
        format!(
            r#"{{"name":"a","inputSchema":{{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"{rest}}}}}"#
        )
    };
    let rules = |rest: &str| -> Vec<Rule> {
        advise(&measurement(&[schema(rest)]), &|_| false).findings.iter().map(|finding| finding.rule).collect()
    };
    assert_eq!(rules(""), [Rule::IgnoredKey]);
    assert_eq!(
        rules(r#","properties":{"n":{"exclusiveMinimum":1},"l":{"items":{"type":"string"}}}"#),
        [Rule::IgnoredKey]
    );
    for older in [
        r#","properties":{"n":{"exclusiveMinimum":true}}"#,
        r#","properties":{"l":{"items":[{"type":"string"}]}}"#,
        r#","dependencies":{"a":["b"]}"#,
    ] {
        assert_eq!(rules(older), [], "{older}");
    }
}

#[test]
fn all_changes_together_are_priced_again_and_silence_takes_a_rule_out() {
    let tool = r#"{"name":"a","inputSchema":{"$schema":"x","title":"aArguments","type":"object","properties":{"k":
        {"title":"K","anyOf":[{"type":"string"},{"type":"null"}],"default":null}}},"outputSchema":{"type":"object"}}"#;
    let after = r#"{"name":"a","inputSchema":{"type":"object","properties":{"k":{"type":"string"}}}}"#;
    let server = measurement(&[tool.to_owned()]);
    let advice = advise(&server, &|_| false);
    assert_eq!(advice.floor_after, priced(after).price.tokens);
    assert!(advice.findings.is_sorted_by_key(|finding| std::cmp::Reverse(finding.saved)));
    let quiet = advise(&server, &|rule| rule == Rule::OutputSchema);
    assert_eq!(quiet.findings.len(), advice.findings.len() - 1);
    assert!(quiet.floor_after > advice.floor_after);
}

#[test]
fn the_limits_of_clients_are_told_without_a_saving() {
    let tools: Vec<String> = (0..41).map(|number| format!(r#"{{"name":"my__tool.{number}"}}"#)).collect();
    let advice = advise(&measurement(&tools), &|_| false);
    let rules: std::collections::BTreeSet<Rule> = advice.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules.into_iter().collect::<Vec<_>>(), [Rule::ToolCount, Rule::ToolName]);
    assert_eq!(advice.floor_after, advice.floor);
    let long = format!(r#"{{"description":"{}"}}"#, "é".repeat(600));
    assert_saves(Rule::LongDescription, &long, &format!(r#"{{"description":"{}"}}"#, "é".repeat(512)));
}

#[test]
fn definitions_that_are_no_objects_get_no_advice() {
    for raw in ["null", "[1,2]", r#"{"inputSchema":[],"description":7}"#] {
        assert!(largest_savings(&priced(raw), 9, &|_| false, &whole).is_empty(), "{raw}");
    }
}
