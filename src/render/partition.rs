//! The floor by what its tokens are spent on, and beside what the request formats of providers carry.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::grid::{Grid, Row, Side};
use super::json_text::Layout;
use super::look::{LONGEST_NAME, Look, Tone, count, percent};
use super::unmeasured::{NotMeasured, not_measured};
use crate::classes::Class;
use crate::price::ESTIMATOR;
use crate::report::{Measurement, ServerReport};
use crate::view::View;

/// The tokens of one server by class.
pub(crate) type Classes = BTreeMap<Class, u64>;

/// Writes the classes of one server, the heaviest first.
pub(crate) fn classes(
    server: &str,
    measurement: &Measurement,
    classes: &Classes,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    headline(server, measurement, look, out)?;
    let right = |title| (Side::Right, title);
    let mut grid = Grid::new(0, [(Side::Left, "spent on"), right("tokens"), right("share")]);
    let mut ranked: Vec<(&Class, &u64)> = classes.iter().collect();
    ranked.sort_by_key(|(class, tokens)| (std::cmp::Reverse(**tokens), **class));
    let largest = ranked.first().map_or(1, |(_, tokens)| **tokens).max(1);
    for (class, &tokens) in ranked {
        let cells = [class.to_string(), tokens.to_string(), percent(tokens, measurement.totals.floor)];
        grid.push(Row::new(cells.map(|text| (Tone::Plain, text))).with_bar(tokens as f64 / largest as f64));
    }
    grid.write(out, look)
}

/// Writes what every definition costs as it was sent, which is what is gated unless it is deferred, beside what a request format carries of it.
pub(crate) fn view(
    server: &str,
    measurement: &Measurement,
    view: View,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    headline(server, measurement, look, out)?;
    let right = |title| (Side::Right, title);
    let mut grid = Grid::new(0, [(Side::Left, "tool"), right("tokens (as sent)"), right("in this view")]);
    let mut total = 0;
    for tool in measurement.ranked(crate::report::SortKey::Tokens) {
        let tokens = view.tokens(tool);
        total += tokens;
        let name = look.name(&tool.definition.label().to_string()).into_owned();
        grid.push(Row::new([name, tool.price.tokens.to_string(), tokens.to_string()].map(|text| (Tone::Plain, text))));
    }
    grid.write(out, look)?;
    let text = format!("{total} est. tokens in this view ({})", view.estimator());
    writeln!(out)?;
    look.prose(out, (Tone::Plain, ""), &text)
}

fn headline(server: &str, measurement: &Measurement, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let title = look.tint(Tone::Heading, &look.quote(server, LONGEST_NAME)).into_owned();
    let tools = count(measurement.totals.tools, "tool");
    writeln!(out, "{title}: {tools} {} floor {} est. tokens ({ESTIMATOR})\n", look.dot(), measurement.totals.floor)
}

/// Names the document of the classes, and its version.
const FIELDS: &str = "mcp-footprint-fields/1";
/// Names the document of a view, and its version.
const VIEW: &str = "mcp-footprint-view/1";

/// The JSON document of `mcp-footprint report --by field`: what the floor is spent on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-fields/1"))]
pub(crate) struct FieldsDocument<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = FIELDS)))]
    schema: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = ESTIMATOR)))]
    estimator: &'static str,
    /// The servers that were measured.
    servers: Vec<ClassesOf<'a>>,
    /// The servers that were not measured, of which the document says nothing more.
    not_measured: Vec<NotMeasured<'a>>,
}

/// The JSON document of `mcp-footprint report --view`: what a request format of a provider carries.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-view/1"))]
pub(crate) struct ViewDocument<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = VIEW)))]
    schema: &'static str,
    /// What every token count in the document was counted with, but for those of a view.
    #[cfg_attr(test, schemars(extend("const" = ESTIMATOR)))]
    estimator: &'static str,
    /// The servers that were measured.
    servers: Vec<ViewOf<'a>>,
    /// The servers that were not measured, of which the document says nothing more.
    not_measured: Vec<NotMeasured<'a>>,
}

/// One server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ClassesOf<'a> {
    /// Its name.
    name: &'a str,
    /// Tokens of all definitions.
    floor_tokens: u64,
    /// Tokens by what they are spent on, adding up to the floor.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    classes: &'a Classes,
}

/// One server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ViewOf<'a> {
    /// Its name.
    name: &'a str,
    /// Tokens of all definitions.
    floor_tokens: u64,
    /// What the tokens of the view were counted with.
    view_estimator: &'static str,
    /// Tokens of what the request format carries of all definitions.
    view_tokens: u64,
    /// The definitions, in the order in which they were listed.
    tools: Vec<ViewTool>,
}

/// One definition.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ViewTool {
    /// Its name.
    name: String,
    /// Tokens of its compact text, which is what the gate counts.
    tokens: u64,
    /// Tokens of what the request format carries of it.
    view_tokens: u64,
}

/// Writes the classes of every server.
pub(crate) fn classes_json(
    servers: &[(String, &Measurement, Classes)],
    failed: &[&ServerReport],
    out: &mut dyn Write,
) -> io::Result<()> {
    let servers = servers
        .iter()
        .map(|(name, measurement, classes)| ClassesOf { name, floor_tokens: measurement.totals.floor, classes })
        .collect();
    write(FieldsDocument { schema: FIELDS, estimator: ESTIMATOR, servers, not_measured: not_measured(failed) }, out)
}

/// Writes the view of every server.
pub(crate) fn view_json(
    servers: &[(&str, &Measurement)],
    failed: &[&ServerReport],
    view: View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let servers = servers
        .iter()
        .map(|(name, measurement)| {
            let tools: Vec<ViewTool> = measurement
                .tools
                .iter()
                .map(|tool| ViewTool {
                    name: tool.definition.label().to_string(),
                    tokens: tool.price.tokens,
                    view_tokens: view.tokens(tool),
                })
                .collect();
            ViewOf {
                name,
                floor_tokens: measurement.totals.floor,
                view_estimator: view.estimator(),
                view_tokens: tools.iter().map(|tool| tool.view_tokens).sum(),
                tools,
            }
        })
        .collect();
    write(ViewDocument { schema: VIEW, estimator: ESTIMATOR, servers, not_measured: not_measured(failed) }, out)
}

fn write(document: impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}
