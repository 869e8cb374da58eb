//! The text of a config -> one tree, whatever the notation, with the place of every value for the faults found later.

use std::path::Path;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use toml_edit::{Document, Item};

use super::ConfigError;
use crate::budgets::{Place, place};

/// A value of the file.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: Value,
}

/// What a config may hold; numbers are of no interest.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Nothing,
    Truth(bool),
    Number,
    Text(String),
    List(Vec<Node>),
    Table(Vec<Member>),
}

/// One key of a table; its place is the key's.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) node: Node,
}

impl Node {
    /// The member of a name; the last one wins, as it does for the clients.
    pub(super) fn get(&self, name: &str) -> Option<&Member> {
        self.members()?.iter().rev().find(|member| member.name == name)
    }

    pub(super) fn members(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Table(members) => Some(members),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for a message; never its value, which may be a secret.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Nothing => "null",
            Value::Truth(_) => "true or false",
            Value::Number => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Table(_) => "an object",
        }
    }
}

/// Parses TOML where the file's name says so, else JSON with comments and trailing commas.
pub(super) fn parse(path: &Path, bytes: Vec<u8>) -> Result<Node, ConfigError> {
    let text = String::from_utf8(bytes)
        .map_err(|_| ConfigError::of_file(path, "the file is not UTF-8; save it as UTF-8".to_owned()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("toml") => from_toml(path, text),
        _ => from_json(path, text),
    }
}

fn from_json(path: &Path, text: &str) -> Result<Node, ConfigError> {
    // What no client reads is no better than a typing error.
    let options = jsonc_parser::ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
        ..jsonc_parser::ParseOptions::default()
    };
    let parsed =
        jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &options).map_err(|error| {
            ConfigError {
                place: Some(place(text, error.range().start)),
                ..ConfigError::of_file(path, format!("this is not valid JSON: {}", error.kind()))
            }
        })?;
    let value = parsed.value.ok_or_else(|| ConfigError::of_file(path, "the file is empty".to_owned()))?;
    Ok(json_node(text, value))
}

fn json_node(text: &str, node: ast::Value<'_>) -> Node {
    let place_of = place(text, node.range().start);
    let value = match node {
        ast::Value::StringLit(string) => Value::Text(string.value.into_owned()),
        ast::Value::NumberLit(_) => Value::Number,
        ast::Value::BooleanLit(truth) => Value::Truth(truth.value),
        ast::Value::NullKeyword(_) => Value::Nothing,
        ast::Value::Array(array) => {
            Value::List(array.elements.into_iter().map(|element| json_node(text, element)).collect())
        }
        ast::Value::Object(object) => Value::Table(
            object
                .properties
                .into_iter()
                .map(|property| Member {
                    place: place(text, property.range.start),
                    name: property.name.into_string(),
                    node: json_node(text, property.value),
                })
                .collect(),
        ),
    };
    Node { place: place_of, value }
}

fn from_toml(path: &Path, text: &str) -> Result<Node, ConfigError> {
    let document = Document::parse(text).map_err(|error| ConfigError {
        place: error.span().map(|span| place(text, span.start)),
        ..ConfigError::of_file(path, format!("this is not valid TOML: {}", error.message()))
    })?;
    Ok(toml_node(text, document.as_item()))
}

fn toml_node(text: &str, item: &Item) -> Node {
    let place_of = place(text, item.span().map_or(0, |span| span.start));
    let value = match (item, item.as_table_like()) {
        (_, Some(table)) => Value::Table(
            table
                .iter()
                .filter_map(|(name, item)| {
                    let key = table.key(name)?;
                    Some(Member {
                        name: name.to_owned(),
                        place: place(text, key.span().map_or(0, |span| span.start)),
                        node: toml_node(text, item),
                    })
                })
                .collect(),
        ),
        (Item::Value(toml_edit::Value::String(string)), _) => Value::Text(string.value().clone()),
        (Item::Value(toml_edit::Value::Boolean(truth)), _) => Value::Truth(*truth.value()),
        (Item::Value(toml_edit::Value::Array(array)), _) => {
            Value::List(array.iter().map(|element| toml_node(text, &Item::Value(element.clone()))).collect())
        }
        (Item::Value(_), _) => Value::Number,
        _ => Value::Nothing,
    };
    Node { place: place_of, value }
}
