//! A file of TOML as plain values, to compare what it says whatever way it is written.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml_edit::{Document, Item, TableLike, Value};

/// A value, and nothing of how it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Toml {
    /// By key, in whatever order.
    Table(BTreeMap<String, Toml>),
    /// The elements.
    Array(Vec<Toml>),
    /// Without its quotes.
    String(String),
    /// Numbers, times, `true` and `false`.
    Other(String),
}

impl Toml {
    /// The values of a file.
    pub fn read(text: &str) -> Self {
        Toml::of_table(document(text).as_table())
    }

    fn of_table(table: &dyn TableLike) -> Self {
        Toml::Table(table.iter().map(|(key, item)| (key.to_owned(), Toml::of(item))).collect())
    }

    fn of(item: &Item) -> Self {
        match item {
            Item::Value(value) => Toml::of_value(value),
            Item::Table(table) => Toml::of_table(table),
            Item::ArrayOfTables(tables) => Toml::Array(tables.iter().map(|table| Toml::of_table(table)).collect()),
            Item::None => Toml::Other(String::new()),
        }
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::String(text) => Toml::String(text.value().clone()),
            Value::Integer(number) => Toml::Other(number.value().to_string()),
            Value::Float(number) => Toml::Other(number.value().to_string()),
            Value::Boolean(word) => Toml::Other(word.value().to_string()),
            Value::Datetime(time) => Toml::Other(time.value().to_string()),
            Value::Array(values) => Toml::Array(values.iter().map(Toml::of_value).collect()),
            Value::InlineTable(table) => Toml::of_table(table),
        }
    }

    /// Removes what a path leads to, if it is there.
    pub fn remove(&mut self, path: &[&str]) {
        let Toml::Table(table) = self else { return };
        match path {
            [] => {}
            [last] => drop(table.remove(*last)),
            [first, rest @ ..] => {
                if let Some(inner) = table.get_mut(*first) {
                    inner.remove(rest);
                }
            }
        }
    }

    /// The same, where a file without entries may also have empty tables of them.
    pub fn without_empty_tables(mut self) -> Self {
        if let Toml::Table(table) = &mut self {
            table.retain(|_, value| *value != Toml::Table(BTreeMap::new()));
        }
        self
    }
}

fn document(text: &str) -> Document<String> {
    Document::parse(text.to_owned()).expect("the file is TOML")
}

/// The text with `0` for each number that stands as a value of its own, whatever way it is written.
pub fn without_numbers(text: &str) -> String {
    let document = document(text);
    let mut spans = Vec::new();
    each(document.as_table(), &mut Vec::new(), &mut |_, place| {
        if let Place::Value(Value::Integer(_), span) = place {
            spans.push(span);
        }
    });
    spans.sort_by_key(|span| span.start);
    let (mut shape, mut kept) = (String::new(), 0);
    for span in spans {
        shape.push_str(&text[kept..span.start]);
        shape.push('0');
        kept = span.end;
    }
    shape + &text[kept..]
}

/// A line of a file without what numbers may be made of, and without the commas, which follow the neighbours.
pub fn without_digits(line: &str) -> String {
    let is_digit = |character: char| character.is_ascii_hexdigit() || matches!(character, '_' | '+' | '-' | 'x' | 'o');
    line.chars().filter(|&character| !is_digit(character) && character != ',').collect()
}

/// The lines, counted from 0, that hold a part of what the wanted paths lead to.
pub fn lines_about(text: &str, wanted: impl Fn(&[String]) -> bool) -> BTreeSet<usize> {
    let document = document(text);
    let mut lines = BTreeSet::new();
    each(document.as_table(), &mut Vec::new(), &mut |path, place| {
        if wanted(path) {
            let (Place::Key(span) | Place::Header(span) | Place::Value(_, span)) = place;
            let line = |at: usize| text[..at].matches('\n').count();
            lines.extend(line(span.start)..=line(span.end));
        }
    });
    lines
}

enum Place<'a> {
    Key(Range<usize>),
    Header(Range<usize>),
    Value(&'a Value, Range<usize>),
}

/// Every key, header and value below a table, with the path that leads to it.
fn each(table: &dyn TableLike, path: &mut Vec<String>, visit: &mut dyn FnMut(&[String], Place<'_>)) {
    for (name, item) in table.iter() {
        path.push(name.to_owned());
        if let Some(span) = table.key(name).and_then(toml_edit::Key::span) {
            visit(path, Place::Key(span));
        }
        match item {
            Item::Value(value) => {
                if let Some(span) = value.span() {
                    visit(path, Place::Value(value, span));
                }
            }
            Item::Table(table) => {
                if let Some(span) = table.span() {
                    visit(path, Place::Header(span));
                }
            }
            _ => {}
        }
        if let Some(inner) = item.as_table_like() {
            each(inner, path, visit);
        }
        path.pop();
    }
}
