//! One definition as a tree for a person, and as a flat list of parts for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::json_text::Layout;
use super::look::{LONGEST_NAME, Look, Tone, count, percent};
use super::unmeasured::{NotMeasured, not_measured};
use crate::explain::{Explanation, Part, Row};
use crate::price::ESTIMATOR;
use crate::report::ServerReport;
use crate::visible;

/// Names this document and its version.
const SCHEMA: &str = "mcp-footprint-explain/1";
/// What the numbers and their gaps take of a line: tokens, own, share.
const NUMBERS: usize = 27;
/// Levels beyond this are shown no further to the right.
const DEEPEST_INDENT: usize = 16;
/// The most columns of one step, so that something of its text is seen.
const LONGEST_STEP: usize = 32;

/// Writes the tree of one tool: a headline, the titles, one line a row.
pub(crate) fn table(
    server: &str,
    tool: &str,
    explanation: &Explanation,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Explanation { tokens, bytes, rows } = explanation;
    let title = look.tint(Tone::Heading, &look.quote(tool, LONGEST_NAME)).into_owned();
    let dot = look.dot();
    writeln!(out, "{title} {dot} {}", look.quote(server, 30))?;
    writeln!(out, "{tokens} est. tokens ({bytes} bytes, {ESTIMATOR})")?;
    let titles = format!("{:>8}  {:>7}  {:>6}  {}", "tokens", "own", "share", "part");
    writeln!(out, "{}", look.tint(Tone::Secondary, &titles))?;
    for row in rows {
        let line = line(row, *tokens, look);
        let tone = if matches!(row.part, Part::Rest(_)) { Tone::Secondary } else { Tone::Plain };
        writeln!(out, "{}", look.tint(tone, line.trim_end()))?;
    }
    Ok(())
}

fn line(row: &Row, total: u64, look: &Look) -> String {
    let share = percent(row.tokens, total);
    let numbers = format!("{:>8}  {:>7}  {share:>6}  ", row.tokens, row.own);
    let indent = " ".repeat(2 * row.depth.min(DEEPEST_INDENT));
    let room = look.width.saturating_sub(NUMBERS + indent.len()).max(12);
    let what = match &row.part {
        Part::Rest(more) => format!("{} {more} more, {}", look.ellipsis(), count(row.tokens, "token")),
        Part::Value { step, text, .. } => {
            let step = look.quote(step, LONGEST_STEP);
            match room.saturating_sub(visible::width(&step) + 2) {
                0..4 => step,
                left => format!("{step}  {}", look.quote(text, left)),
            }
        }
    };
    format!("{numbers}{indent}{}", look.fit(&what, room))
}

/// The JSON document of `mcp-footprint explain`: where the tokens of definitions sit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-explain/1"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = ESTIMATOR)))]
    estimator: &'static str,
    /// Every definition of the name, of every server.
    tools: Vec<Tool<'a>>,
    /// The servers that were not measured, of which the document says nothing more.
    not_measured: Vec<NotMeasured<'a>>,
}

/// One definition.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Tool<'a> {
    /// The server that listed it.
    server: &'a str,
    /// Its name.
    name: &'a str,
    /// Tokens of its compact text.
    tokens: u64,
    /// UTF-8 bytes of that text.
    bytes: u64,
    /// Its parts; their own tokens add up to `tokens`.
    parts: Vec<PartDocument<'a>>,
}

/// One part of a definition, or several that are too small to show.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PartDocument<'a> {
    /// Its JSON pointer; `null` for several parts together.
    path: Option<&'a str>,
    /// How many parts stand together; 0 for a part with a path.
    grouped: usize,
    /// How deep it is nested; 0 for the definition itself.
    depth: usize,
    /// Tokens of it and of all that it holds.
    tokens: u64,
    /// Tokens that belong to no part shown inside it.
    own_tokens: u64,
}

/// Writes the parts of each tool, their own tokens adding up to the tool's. `grouped` counts the parts of a row that
/// has no path.
pub(crate) fn json(
    tools: &[(String, String, Explanation)],
    failed: &[&ServerReport],
    out: &mut dyn Write,
) -> io::Result<()> {
    let part = |row: &'_ Row| (row.depth, row.tokens, row.own);
    let tools = tools
        .iter()
        .map(|(server, name, explanation)| Tool {
            server,
            name,
            tokens: explanation.tokens,
            bytes: explanation.bytes,
            parts: explanation
                .rows
                .iter()
                .map(|row| {
                    let (depth, tokens, own_tokens) = part(row);
                    let (path, grouped) = match &row.part {
                        Part::Value { pointer, .. } => (Some(pointer.as_str()), 0),
                        Part::Rest(more) => (None, *more),
                    };
                    PartDocument { path, grouped, depth, tokens, own_tokens }
                })
                .collect(),
        })
        .collect();
    let document = Document { schema: SCHEMA, estimator: ESTIMATOR, tools, not_measured: not_measured(failed) };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Definition;
    use crate::explain::{Detail, explain};
    use crate::json::Text;

    fn shown(raw: &str, detail: Detail) -> String {
        let definition = Definition::new(Text::parse(raw).unwrap(), 1);
        let mut out = Vec::new();
        let look = Look { width: 80, ascii: false, color: false };
        table("notes", &definition.label().to_string(), &explain(&definition, detail), &look, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_tree_is_read_from_the_heaviest_parts() {
        let raw = r#"{"name":"add_note","description":"Add a note\nto the list, with a text that is far too long for a line of eighty columns","inputSchema":
            {"type":"object","properties":{"text":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}}"#;
        insta::assert_snapshot!(shown(raw, Detail::Rows(8)));
    }

    #[test]
    fn a_large_definition_takes_24_lines_of_80_columns() {
        let property = |number: usize| {
            format!(r#""parameter_{number}":{{"type":"string","description":"{}"}}"#, "word ".repeat(number % 70))
        };
        let properties: Vec<String> = (0..400).map(property).collect();
        let raw = format!(r#"{{"name":"large","inputSchema":{{"properties":{{{}}}}}}}"#, properties.join(","));
        assert!(raw.len() > 77_000);
        let shown = shown(&raw, Detail::Rows(21));
        assert!(shown.lines().count() <= 24, "{shown}");
        assert!(shown.lines().all(|line| visible::width(line) <= 80), "{shown}");
    }

    #[test]
    fn a_long_text_takes_the_line_and_no_more() {
        let raw = format!(r#"{{"name":"a","description":"{}"}}"#, "word ".repeat(60));
        let shown = shown(&raw, Detail::Rows(21));
        assert!(shown.lines().all(|line| visible::width(line) <= 80), "{shown}");
        assert!(shown.lines().any(|line| visible::width(line) == 80), "{shown}");
    }

    #[test]
    fn parts_of_one_size_fill_the_rows() {
        let text = "word ".repeat(60);
        let property = |number: usize| format!(r#""p{number:03}":{{"type":"string","description":"{text}"}}"#);
        let properties: Vec<String> = (0..140).map(property).collect();
        let raw = format!(r#"{{"name":"flat","inputSchema":{{"properties":{{{}}}}}}}"#, properties.join(","));
        let shown = shown(&raw, Detail::Rows(21));
        assert_eq!(shown.lines().count(), 24, "{shown}");
        assert!(shown.contains("p000") && shown.contains("more"), "{shown}");
    }
}
