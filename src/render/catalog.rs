//! A bounded catalogue of tools, with the limits that stores of sessions use. Every cut is marked, and every estimate is
//! of the whole definition. The servers of a client stand in it one by one, as `client/server`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::json_text::Layout;
use crate::price::ESTIMATOR;
use crate::report::{Measurement, Priced, Report, SortKey};
use crate::tree::Tree;

const MOST_TOOLS: usize = 128;
const LONGEST_DESCRIPTION: usize = 1_024;
const LARGEST_SCHEMA: usize = 64 * 1024;
const LARGEST_SCHEMAS: usize = 512 * 1024;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    servers: Vec<Server<'a>>,
}

#[derive(Serialize)]
struct Server<'a> {
    name: &'a str,
    status: &'static str,
    estimator: &'static str,
    estimated_tokens: Option<u64>,
    tool_count: Option<u64>,
    tools_truncated: usize,
    descriptions_truncated: usize,
    input_schemas_truncated: usize,
    tools: Vec<Tool>,
}

#[derive(Serialize)]
struct Tool {
    name: String,
    description: String,
    description_truncated: bool,
    input_schema: Option<Box<RawValue>>,
    input_schema_truncated: bool,
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
    let document = Document { schema: "mcp-footprint-catalog/1", servers: servers.collect() };
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
