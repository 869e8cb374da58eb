//! One element of the `tools` array of a `tools/list` result, compacted once.
//!
//! A definition holds the text that is priced and what is read out of it: the name and the description. It never
//! passes through a typed structure, so unknown fields, key order and duplicate keys count as they were sent.

use crate::json::{Kind, Text};

/// A definition as a server sent it, in compact form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    compact: String,
    label: Label,
    description: String,
}

/// What a definition is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// The name that the server gave.
    Named(String),
    /// An object without a usable name, at this place in the list, counted from 1.
    Unnamed(usize),
    /// No object, at this place in the list, counted from 1.
    Invalid(usize),
}

impl Definition {
    /// Reads the definition that stands at `place` in its list, counted from 1.
    pub fn new(raw: Text<'_>, place: usize) -> Self {
        let [name, description] = raw.get_all(["name", "description"]).map(|value| value.and_then(Text::string));
        let label = match name.filter(|name| !name.is_empty()) {
            _ if raw.kind() != Kind::Object => Label::Invalid(place),
            Some(name) => Label::Named(name),
            None => Label::Unnamed(place),
        };
        Definition { compact: raw.compact(), label, description: description.unwrap_or_default() }
    }

    /// The compact JSON, the text that is priced.
    pub fn compact(&self) -> &str {
        &self.compact
    }

    /// What it is called in every document. Hostile text.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// The decoded description; empty where there is none. Hostile text.
    pub fn description(&self) -> &str {
        &self.description
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Label::Named(name) => out.write_str(name),
            Label::Unnamed(place) => write!(out, "(unnamed #{place})"),
            Label::Invalid(place) => write!(out, "(invalid #{place})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(raw: &str) -> Definition {
        Definition::new(Text::parse(raw).unwrap(), 3)
    }

    #[test]
    fn name_and_description_are_read_through_escapes() {
        let tool = definition(r#"{"n\u0061me":"t\u00e9st","description":"a\nb"}"#);
        assert_eq!(tool.label(), &Label::Named("tést".into()));
        assert_eq!(tool.description(), "a\nb");
    }

    #[test]
    fn a_definition_without_a_usable_name_is_called_by_its_place() {
        for raw in ["{}", r#"{"name":""}"#, r#"{"name":7}"#, r#"{"name":"x","name":null}"#] {
            assert_eq!(definition(raw).label().to_string(), "(unnamed #3)", "{raw}");
        }
        for raw in ["null", "[1]", "\"x\"", "3"] {
            assert_eq!(definition(raw).label().to_string(), "(invalid #3)", "{raw}");
        }
    }

    #[test]
    fn the_last_description_wins_and_only_a_string_counts() {
        assert_eq!(definition(r#"{"description":"first","description":"second"}"#).description(), "second");
        assert_eq!(definition(r#"{"description":"first","description":null}"#).description(), "");
        assert_eq!(definition(r#"{"description":42}"#).description(), "");
    }
}
