//! The document `fak-mcp-footprint/1`: keys in alphabetical order, two spaces, the heaviest definitions first.
//!
//! It knows one list of tools. Of several servers it holds the sum, each tool's name led by its server's, and those of a
//! client count like any other; where one was not measured there is no sum, and the counts are null.

use std::cmp::Reverse;
use std::io::{self, Write};

use serde::Serialize;

use super::json_text::Layout;
use crate::report::{Measurement, Report};

#[derive(Serialize)]
struct Document {
    floor_bytes: Option<u64>,
    floor_tokens: Option<u64>,
    per_tool: Vec<Tool>,
    provenance: &'static str,
    schema: &'static str,
    shown: usize,
    tool_count: Option<u64>,
}

#[derive(Serialize)]
struct Tool {
    bytes: u64,
    name: String,
    tokens: u64,
}

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let each = report.each_server();
    let measured: Option<Vec<(&str, &Measurement)>> =
        each.iter().map(|(name, outcome)| Some((name.as_str(), outcome.ok()?))).collect();
    let sum = |of: fn(&Measurement) -> u64| {
        measured.as_ref().map(|servers| servers.iter().map(|(_, measurement)| of(measurement)).sum())
    };
    let is_fleet = each.len() > 1;
    let mut per_tool: Vec<Tool> = measured
        .iter()
        .flatten()
        .flat_map(|(server, measurement)| measurement.rows().map(move |row| (server, row)))
        .map(|(server, row)| {
            let name = if is_fleet { format!("{server}/{}", row.name) } else { row.name.to_string() };
            Tool { bytes: row.bytes, name, tokens: row.tokens }
        })
        .collect();
    per_tool.sort_by(|one, other| (Reverse(one.bytes), &one.name).cmp(&(Reverse(other.bytes), &other.name)));
    per_tool.truncate(report.top.unwrap_or(usize::MAX));
    let document = Document {
        floor_bytes: sum(|measurement| measurement.bytes),
        floor_tokens: sum(|measurement| measurement.totals.floor),
        shown: per_tool.len(),
        per_tool,
        provenance: report.estimator(),
        schema: "fak-mcp-footprint/1",
        tool_count: sum(|measurement| measurement.totals.tools),
    };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}
