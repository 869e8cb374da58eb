//! Tools that clients of the modern era drop over HTTP: those whose `x-mcp-header` is invalid (revision 2026-07-28,
//! streamable HTTP, custom headers). They are counted, since other clients see them, and a note says so.

use std::collections::HashSet;

use super::Capture;
use super::offer::MODERN;
use crate::codes::{Note, NoteCode};
use crate::json::{Kind, Text};

const ANNOTATION: &str = "x-mcp-header";
/// Keywords whose members are schemas by a name of their own.
const MAPS: [&str; 5] = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
/// Keywords that hold data and no schemas.
const DATA: [&str; 4] = ["default", "const", "enum", "examples"];

/// Adds a note for each such tool of a capture in the modern era.
pub(super) fn add(mut capture: Capture) -> Capture {
    if capture.protocol.as_deref() != Some(MODERN) {
        return capture;
    }
    for definition in capture.definitions.iter().filter(|definition| definition.compact().contains(ANNOTATION)) {
        let schema = Text::parse(definition.compact()).ok().and_then(|definition| definition.get("inputSchema"));
        if let Some(fault) = schema.and_then(fault) {
            let message = format!("clients of revision {MODERN} drop this tool over HTTP: {fault}; it is counted");
            capture.notes.push(Note::about(&definition.label().to_string(), NoteCode::InvalidHttpHeader, message));
        }
    }
    capture
}

/// What is wrong with the annotations of a schema, the first fault only.
fn fault(schema: Text<'_>) -> Option<String> {
    let mut names = HashSet::new();
    // Every value of the schema, and whether only `properties` led to it.
    let mut values = vec![(schema, false)];
    while let Some((value, is_property)) = values.pop() {
        for (key, inner) in value.members() {
            if key.is(ANNOTATION) {
                let fault = fault_of_one(value, inner, is_property, &mut names);
                if fault.is_some() {
                    return fault;
                }
            }
            let is_one_of = |keywords: &[&str]| keywords.iter().any(|keyword| key.is(keyword));
            if is_one_of(&MAPS) {
                let leads_to_arguments = key.is("properties") && (is_property || value == schema);
                values.extend(inner.members().map(|(_, named)| (named, leads_to_arguments)));
            } else if !is_one_of(&DATA) {
                values.push((inner, false));
            }
        }
        values.extend(value.elements().map(|element| (element, false)));
    }
    None
}

fn fault_of_one(property: Text<'_>, name: Text<'_>, is_property: bool, names: &mut HashSet<String>) -> Option<String> {
    let token = |name: &String| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
    };
    let Some(name) = name.string().filter(|_| name.kind() == Kind::String).filter(token) else {
        return Some(format!("a `{ANNOTATION}` is no name of a header"));
    };
    let kind = property.get("type").and_then(Text::string).unwrap_or_default();
    if !is_property {
        return Some(format!("`{ANNOTATION}` stands where no argument is reached by properties alone"));
    }
    if !["string", "integer", "boolean"].contains(&kind.as_str()) {
        return Some(format!("`{ANNOTATION}` stands at a property that is no string, integer or boolean"));
    }
    (!names.insert(name.to_ascii_lowercase())).then(|| format!("two `{ANNOTATION}` have one name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_that_break_the_rules_are_found() {
        for (schema, expected) in [
            (r#"{"properties":{"a":{"type":"string","x-mcp-header":"Region"}}}"#, None),
            (
                r#"{"properties":{"o":{"type":"object","properties":{"a":{"type":"integer","x-mcp-header":"R"}}}}}"#,
                None,
            ),
            (r#"{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}"#, Some("no name of a header")),
            (r#"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#, Some("no name of a header")),
            (r#"{"properties":{"a":{"type":"array","x-mcp-header":"R"}}}"#, Some("no string, integer or boolean")),
            (r#"{"properties":{"a":{"type":"number","x-mcp-header":"R"}}}"#, Some("no string, integer or boolean")),
            (r#"{"properties":{"x-mcp-header":{"type":"array"}}}"#, None),
            (r#"{"properties":{"a":{"default":{"x-mcp-header":7}}},"$defs":{"x-mcp-header":{}}}"#, None),
            (r#"{"$defs":{"a":{"type":"string","x-mcp-header":"R"}}}"#, Some("by properties alone")),
            (r#"{"properties":{"a":{"items":{"type":"string","x-mcp-header":"R"}}}}"#, Some("by properties alone")),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"R"},"b":{"type":"string","x-mcp-header":"r"}}}"#,
                Some("one name"),
            ),
        ] {
            let found = fault(Text::parse(schema).unwrap());
            match expected {
                None => assert_eq!(found, None, "{schema}"),
                Some(words) => {
                    assert!(found.as_ref().is_some_and(|fault| fault.contains(words)), "{schema}: {found:?}")
                }
            }
        }
    }
}
