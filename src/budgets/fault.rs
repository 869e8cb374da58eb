//! What is wrong with a budgets.toml, where it stands, and what to do.
//!
//! An excerpt of the line goes with a fault, but never a string out of `env`, `headers`, `url` or `args`: the file may
//! hold secrets. Text that is no TOML gets no excerpt at all, since nothing tells its secrets from the rest.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, Value};

use super::toml_text::is_invisible;

/// A place in a file. Both from 1; columns count characters, a byte-order mark is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// Why a budgets.toml cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetsError {
    /// The file.
    pub path: PathBuf,
    /// Where the fault stands; `None` when it is the whole file's.
    pub place: Option<Place>,
    /// What is wrong and what to do, in sentences.
    pub message: String,
    /// The line with a caret below the fault.
    pub(super) excerpt: Option<String>,
}

impl BudgetsError {
    /// A fault of the file as a whole.
    pub(super) fn of_file(path: &Path, message: impl Into<String>) -> Self {
        BudgetsError { path: path.to_owned(), place: None, message: message.into(), excerpt: None }
    }

    /// A fault at a known place, without an excerpt.
    pub(super) fn at(path: &Path, place: Place, message: impl Into<String>) -> Self {
        BudgetsError { place: Some(place), ..BudgetsError::of_file(path, message) }
    }
}

impl std::fmt::Display for BudgetsError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:", self.path.display())?;
        if let Some(Place { line, column }) = self.place {
            write!(out, "{line}:{column}:")?;
        }
        write!(out, " {}", self.message)?;
        self.excerpt.as_ref().map_or(Ok(()), |excerpt| write!(out, "\n{excerpt}"))
    }
}

impl std::error::Error for BudgetsError {}

/// A fault before it knows its file: the bytes it is about, and the sentences.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) span: Range<usize>,
    pub(super) message: String,
}

/// A value, or the first fault on the way to it.
pub(super) type Checked<T> = Result<T, Fault>;

impl Fault {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Fault { span, message: message.into() }
    }

    /// The fault in its file, with an excerpt of the line where it is about bytes that are there.
    pub(super) fn within(self, path: &Path, document: &Document<String>) -> BudgetsError {
        let place = place(document.raw(), self.span.start);
        let excerpt = (!self.span.is_empty()).then(|| excerpt(document, place, self.span));
        BudgetsError { excerpt, ..BudgetsError::at(path, place, self.message) }
    }
}

/// The place of a byte.
pub(crate) fn place(text: &str, offset: usize) -> Place {
    let before = (0..=offset.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1;
    Place { line: before.matches('\n').count() + 1, column }
}

fn excerpt(document: &Document<String>, place: Place, span: Range<usize>) -> String {
    let text = document.raw();
    let line_start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[span.start..].find('\n').map_or(text.len(), |newline| span.start + newline);
    let mut private = Vec::new();
    private_strings(document.as_item(), false, &mut private);
    let hidden = |at: usize| private.iter().any(|string: &Range<usize>| string.contains(&at));
    let shown: String = text[line_start..line_end]
        .char_indices()
        .filter(|(_, character)| *character != '\u{feff}' && *character != '\r')
        .map(|(at, character)| match character {
            _ if hidden(line_start + at) => '*',
            '\t' => ' ',
            character if is_invisible(character) => '\u{fffd}',
            character => character,
        })
        .collect();
    let width = text[span.start..span.end.min(line_end).max(span.start)].trim_end().chars().count().max(1);
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    let indent = " ".repeat(place.column - 1);
    format!("{margin} |\n{number} | {}\n{margin} | {indent}{}", shown.trim_end(), "^".repeat(width))
}

/// Collects the bytes of every string, without its quotes, that stands where secrets may stand.
fn private_strings(item: &Item, private: bool, spans: &mut Vec<Range<usize>>) {
    if let Some(value) = item.as_value() {
        private_values(value, private, spans);
    }
    if let Some(table) = item.as_table_like() {
        for (key, child) in table.iter() {
            private_strings(child, private || matches!(key, "env" | "headers" | "url" | "args"), spans);
        }
    }
}

fn private_values(value: &Value, private: bool, spans: &mut Vec<Range<usize>>) {
    match value {
        Value::String(string) if private => {
            spans.extend(string.span().map(|span| span.start + 1..span.end.saturating_sub(1)));
        }
        Value::Array(array) => array.iter().for_each(|element| private_values(element, private, spans)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_no_byte_order_mark() {
        assert_eq!(place("\u{feff}ab", 3), Place { line: 1, column: 1 });
        assert_eq!(place("é = 1\nü x", 10), Place { line: 2, column: 3 });
    }

    #[test]
    fn an_excerpt_shows_the_line_with_a_caret_and_hides_strings_that_may_be_secret() {
        let text = "[servers.a]\nenv = { TOKEN = \"hunter22\", X = 3 }\n".to_owned();
        let at = text.find('3').unwrap();
        let document = Document::parse(text).unwrap();
        let error = Fault::new(at..at + 1, "no").within(Path::new("b.toml"), &document);
        insta::assert_snapshot!(error, @r#"
        b.toml:2:33: no
          |
        2 | env = { TOKEN = "********", X = 3 }
          |                                 ^
        "#);
    }
}
