//! The arguments of a tool, read out of its input schema for a person: name, type, whether it must be given.
//!
//! Schemas come from servers and follow no rule. What cannot be read is left out or called `any`, never guessed.

use serde::Serialize;

use super::finding::{LOOK, lines};
use crate::definition::Definition;
use crate::json::{Kind, Text};
use crate::price::tokenizer;

/// One property of a tool's input schema. Visible text.
#[derive(Serialize)]
pub(super) struct Argument {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) required: bool,
    pub(super) description: String,
    /// The count of the property's own JSON, name included.
    pub(super) tokens: u64,
}

/// The properties in the order in which they stand; none for a definition without such a schema.
pub(super) fn arguments(definition: &Definition) -> Vec<Argument> {
    let Ok(definition) = Text::parse(definition.compact()) else { return Vec::new() };
    let Some(schema) = definition.get("inputSchema") else { return Vec::new() };
    let Some(properties) = schema.get("properties") else { return Vec::new() };
    let required: Vec<String> =
        schema.get("required").into_iter().flat_map(Text::elements).filter_map(Text::string).collect();
    properties
        .members()
        .filter_map(|(key, value)| {
            let name = key.string()?;
            Some(Argument {
                kind: shown(&kind(value, MOST_NESTED)),
                required: required.contains(&name),
                description: lines(&value.get("description").and_then(Text::string).unwrap_or_default()),
                tokens: tokenizer::count(&format!("{}:{}", key.as_str(), value.as_str())),
                name: shown(&name),
            })
        })
        .collect()
}

/// Types inside types are named this deep.
const MOST_NESTED: usize = 3;

/// The type as the schema says it: `string`, `string | null`, `array of integer`, `"a" | "b"`.
fn kind(schema: Text<'_>, deeper: usize) -> String {
    let either = |parts: Vec<String>| if parts.is_empty() { "any".to_owned() } else { parts.join(" | ") };
    if deeper == 0 {
        return "…".to_owned();
    }
    if let Some(values) = schema.get("enum") {
        return either(values.elements().map(|value| value.as_str().to_owned()).collect());
    }
    if let Some(alternatives) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        return either(alternatives.elements().map(|alternative| kind(alternative, deeper - 1)).collect());
    }
    match schema.get("type") {
        Some(name) if name.is("array") => match schema.get("items") {
            Some(items) => format!("array of {}", kind(items, deeper - 1)),
            None => "array".to_owned(),
        },
        Some(names) if names.kind() == Kind::Array => either(names.elements().filter_map(Text::string).collect()),
        Some(name) => name.string().unwrap_or_else(|| "any".to_owned()),
        None => schema.get("$ref").and_then(Text::string).unwrap_or_else(|| "any".to_owned()),
    }
}

fn shown(text: &str) -> String {
    LOOK.show(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(schema: &str) -> Vec<(String, String, bool)> {
        let raw = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        let definition = Definition::new(Text::parse(&raw).unwrap(), 1);
        arguments(&definition).into_iter().map(|argument| (argument.name, argument.kind, argument.required)).collect()
    }

    #[test]
    fn types_are_named_as_the_schema_says_them() {
        let kinds = of(r##"{"properties":{
            "a":{"type":"string"}, "b":{"type":["string","null"]}, "c":{"type":"array","items":{"type":"integer"}},
            "d":{"enum":["x",1,null]}, "e":{"anyOf":[{"type":"object"},{"type":"null"}]}, "f":{"$ref":"#/$defs/x"},
            "g":{}, "h":true, "i":{"type":"array"}},"required":["a","h"]}"##);
        let expected = [
            ("a", "string", true),
            ("b", "string | null", false),
            ("c", "array of integer", false),
            ("d", r#""x" | 1 | null"#, false),
            ("e", "object | null", false),
            ("f", "#/$defs/x", false),
            ("g", "any", false),
            ("h", "any", true),
            ("i", "array", false),
        ];
        assert_eq!(kinds, expected.map(|(name, kind, required)| (name.to_owned(), kind.to_owned(), required)));
    }

    #[test]
    fn a_schema_that_is_none_has_no_arguments() {
        for schema in ["null", "[]", "{}", r#"{"properties":[]}"#, r#"{"properties":"x","required":7}"#] {
            assert_eq!(of(schema), [], "{schema}");
        }
    }

    #[test]
    fn nesting_does_not_go_on_for_ever() {
        let deep = format!("{}{}{}", r#"{"type":"array","items":"#.repeat(60), "{}", "}".repeat(60));
        let kinds = of(&format!(r#"{{"properties":{{"a":{deep}}}}}"#));
        assert_eq!(kinds[0].1, "array of array of array of …");
    }
}
