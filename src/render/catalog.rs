//! A bounded catalogue of tools, with the limits that stores of sessions use. Every cut is marked, and every estimate is
//! of the whole definition. The servers of a client stand in it one by one, as `client/server`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::json_text::Layout;
use crate::price::ESTIMATOR;
use crate::report::{Measurement, Priced, Report, SortKey};
use crate::tree::Tree;

/// Names this document and its version.
const SCHEMA: &str = "mcp-footprint-catalog/1";
const MOST_TOOLS: usize = 128;
const LONGEST_DESCRIPTION: usize = 1_024;
const LARGEST_SCHEMA: usize = 64 * 1024;
const LARGEST_SCHEMAS: usize = 512 * 1024;

/// The JSON document of `--format catalog`: a bounded catalogue of tools, with estimates taken before any cut.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-catalog/1"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// The servers.
    servers: Vec<Server<'a>>,
}

/// One server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Server<'a> {
    /// Its name.
    name: &'a str,
    /// Whether it could be priced completely.
    #[cfg_attr(test, schemars(extend("enum" = ["measured", "not_measured"])))]
    status: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = ESTIMATOR)))]
    estimator: &'static str,
    /// Tokens of all definitions, also of those left out; `null` where not measured.
    estimated_tokens: Option<u64>,
    /// How many definitions were listed, also those left out; `null` where not measured.
    tool_count: Option<u64>,
    /// How many definitions are left out.
    tools_truncated: usize,
    /// How many descriptions are cut.
    descriptions_truncated: usize,
    /// How many input schemas are left out.
    input_schemas_truncated: usize,
    /// The definitions, by name.
    tools: Vec<Tool>,
}

/// One definition.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Tool {
    /// Its name.
    name: String,
    /// Its description, cut where it is too long.
    description: String,
    /// Whether that was cut.
    description_truncated: bool,
    /// Its input schema as it was listed; `null` where there is none or it was left out.
    #[cfg_attr(test, schemars(with = "Option<serde_json::Value>", required))]
    input_schema: Option<Box<RawValue>>,
    /// Whether that was left out.
    input_schema_truncated: bool,
    /// Tokens of the whole definition.
    estimated_tokens: u64,
}

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let each = report.each_server();
    let servers = each.iter().map(|(name, outcome)| match outcome {
        Ok(measurement) => measured(name, measurement),
        Err(_) => Server {
            name,
            status: "not_measured",
            estimator: ESTIMATOR,
            estimated_tokens: None,
            tool_count: None,
            tools_truncated: 0,
            descriptions_truncated: 0,
            input_schemas_truncated: 0,
            tools: Vec::new(),
        },
    });
    let document = Document { schema: SCHEMA, servers: servers.collect() };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}

fn measured<'a>(name: &'a str, measurement: &'a Measurement) -> Server<'a> {
    let ranked = measurement.ranked(SortKey::Name);
    let mut room = LARGEST_SCHEMAS;
    let tools: Vec<Tool> = ranked.iter().take(MOST_TOOLS).map(|tool| bounded(tool, &mut room)).collect();
    Server {
        name,
        status: "measured",
        estimator: ESTIMATOR,
        estimated_tokens: Some(measurement.everything()),
        tool_count: Some(measurement.totals.tools),
        tools_truncated: ranked.len() - tools.len(),
        descriptions_truncated: tools.iter().filter(|tool| tool.description_truncated).count(),
        input_schemas_truncated: tools.iter().filter(|tool| tool.input_schema_truncated).count(),
        tools,
    }
}

/// A tool within the limits; `room` is what other schemas have left, in bytes.
fn bounded(tool: &Priced, room: &mut usize) -> Tool {
    let tree = Tree::of_top(tool.definition.compact());
    let schema = tree.member(0, "inputSchema").map(|at| tree.value(at).as_str());
    let kept = schema.filter(|schema| schema.len() <= LARGEST_SCHEMA.min(*room));
    *room -= kept.map_or(0, str::len);
    let description = tool.definition.description();
    let end = (0..=LONGEST_DESCRIPTION.min(description.len())).rev().find(|&end| description.is_char_boundary(end));
    let shown = &description[..end.unwrap_or(0)];
    Tool {
        name: tool.definition.label().to_string(),
        description: shown.to_owned(),
        description_truncated: shown.len() < description.len(),
        input_schema: kept.and_then(|schema| RawValue::from_string(schema.to_owned()).ok()),
        input_schema_truncated: kept.is_none() && schema.is_some(),
        estimated_tokens: tool.price.tokens,
    }
}
