//! The document of `diff`: what moved between two measurements, and why they may differ.

use std::io::{self, Write};

use serde::Serialize;

use super::json_text::Layout;
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count};
use super::since;
use crate::diff::{FactDifference, ServerDifference, ToolDifference, ToolMovement};
use crate::kind::Kind;
use crate::price::ESTIMATOR;

/// Names this document and its version.
const SCHEMA: &str = "mcp-footprint-diff/1";

/// The formats of a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum DiffFormat {
    /// For a person
    #[default]
    Table,
    /// For programs
    Json,
}

/// Two sides, as they were named, and what differs.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// Before. May be hostile text.
    pub old: &'a str,
    /// After. May be hostile text.
    pub new: &'a str,
    /// Every server of either side.
    pub servers: &'a [ServerDifference],
}

/// Writes a difference as one document.
///
/// # Errors
/// The writer's own.
pub fn render_diff(
    format: DiffFormat,
    comparison: &Comparison<'_>,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    match format {
        DiffFormat::Table => table(comparison, look, &mut out)?,
        DiffFormat::Json => json(comparison, &mut out)?,
    }
    out.flush()
}

fn table(comparison: &Comparison<'_>, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let [old, new] = [comparison.old, comparison.new].map(|side| look.quote(side, LONGEST_MESSAGE));
    let text = format!("{old} -> {new} (est. tokens, {ESTIMATOR})");
    look.prose(out, (Tone::Heading, "mcp-footprint diff: "), &text)?;
    for server in comparison.servers {
        writeln!(out)?;
        let name = look.quote(&server.name, LONGEST_NAME);
        let floor = |totals: Option<crate::gate::Totals>| {
            totals.map_or("not there".to_owned(), |totals| match server.kind {
                Kind::Server => format!("{} in {}", totals.floor, count(totals.tools, "tool")),
                // The pins of a client tell its servers, and not how many tools each has.
                Kind::Client => totals.floor.to_string(),
            })
        };
        let text = match server.unpinned {
            true => UNPINNED.to_owned(),
            false => format!("{} -> {}: {}", floor(server.before), floor(server.after), since::sum(server)),
        };
        look.prose(out, (Tone::Heading, &format!("{name}  ")), &text)?;
        since::write_rows(server, 2, look, out)?;
        since::write_facts(&server.facts, 2, look, out)?;
        if server.tools.is_empty() && server.facts.is_empty() && !server.unpinned {
            writeln!(out, "  nothing differs")?;
        }
    }
    Ok(())
}

const UNPINNED: &str = "a side has no pins, so tokens and tools are not compared; `mcp-footprint pin` writes them";

/// The JSON document of `mcp-footprint diff`: what moved between two measurements.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-diff/1"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = ESTIMATOR)))]
    estimator: &'static str,
    /// Before, as it was named.
    old: &'a str,
    /// After, as it was named.
    new: &'a str,
    /// Every server of either side.
    servers: Vec<ServerDocument<'a>>,
}

fn json(comparison: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        estimator: ESTIMATOR,
        old: comparison.old,
        new: comparison.new,
        servers: comparison.servers.iter().map(ServerDocument::of).collect(),
    };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}

/// One server of a difference; the JSON report holds the same under `against`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ServerDocument<'a> {
    /// Its name.
    name: &'a str,
    /// The totals before; `null` where the server was not there.
    before: Option<TotalsDocument>,
    /// The totals after; `null` where it is no longer there.
    after: Option<TotalsDocument>,
    /// Whether a side has no pins, so that tokens and tools are not compared; absent where they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unpinned: bool,
    /// Floor after minus before; `null` where they are not compared.
    tokens: Option<i64>,
    /// Description tokens after minus before; `null` where they are not compared.
    description_tokens: Option<i64>,
    /// The tools that differ, of a client the servers: those that moved, largest first, then those that were reworded.
    tools: Vec<ToolDocument<'a>>,
    /// The circumstances that differ.
    differs: Vec<FactDocument<'a>>,
}

/// What moved: `"tool": …`, and of a client `"server": …`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum RowName<'a> {
    /// The name of a tool.
    Tool(&'a str),
    /// The name of a server.
    Server(&'a str),
}

/// The totals of one side.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TotalsDocument {
    /// How many definitions were listed; `null` for a client, whose pins tell its servers, and not how many tools each has.
    tool_count: Option<u64>,
    /// Tokens of all definitions.
    floor_tokens: u64,
    /// Tokens of all descriptions.
    description_tokens: u64,
    /// Tokens of the instructions; `null` where unknown.
    instructions_tokens: Option<u64>,
}

/// One tool that differs, of a client one server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ToolDocument<'a> {
    #[serde(flatten)]
    row: RowName<'a>,
    /// How it differs.
    change: ToolMovement,
    /// Tokens after minus before.
    tokens: i64,
    /// Description tokens after minus before.
    description_tokens: i64,
    /// The top-level keys of the definition whose text is another; empty where the texts are not known.
    fields: &'a [String],
}

/// A circumstance that differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FactDocument<'a> {
    /// Which, such as `version`.
    what: &'static str,
    /// Before; `null` where that side does not know it.
    before: Option<&'a str>,
    /// After; `null` where that side does not know it.
    after: Option<&'a str>,
}

impl<'a> ServerDocument<'a> {
    pub(super) fn of(server: &'a ServerDifference) -> Self {
        let totals = |totals: crate::gate::Totals| TotalsDocument {
            tool_count: (server.kind == Kind::Server).then_some(totals.tools),
            floor_tokens: totals.floor,
            description_tokens: totals.descriptions,
            instructions_tokens: totals.instructions,
        };
        ServerDocument {
            name: &server.name,
            before: server.before.map(totals),
            after: server.after.map(totals),
            unpinned: server.unpinned,
            tokens: (!server.unpinned).then(|| server.tokens()),
            description_tokens: (!server.unpinned).then(|| server.description_tokens()),
            tools: server.tools.iter().map(|tool| ToolDocument::of(server.kind, tool)).collect(),
            differs: server.facts.iter().map(FactDocument::of).collect(),
        }
    }
}

impl<'a> RowName<'a> {
    pub(super) fn of(kind: Kind, name: &'a str) -> Self {
        match kind {
            Kind::Server => RowName::Tool(name),
            Kind::Client => RowName::Server(name),
        }
    }
}

impl<'a> ToolDocument<'a> {
    fn of(kind: Kind, tool: &'a ToolDifference) -> Self {
        ToolDocument {
            row: RowName::of(kind, &tool.tool),
            change: tool.movement,
            tokens: tool.tokens,
            description_tokens: tool.description_tokens,
            fields: &tool.fields,
        }
    }
}

impl<'a> FactDocument<'a> {
    fn of(fact: &'a FactDifference) -> Self {
        FactDocument { what: fact.fact, before: fact.before.as_deref(), after: fact.after.as_deref() }
    }
}
