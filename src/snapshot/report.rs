//! What a JSON report of this program tells of its servers and clients. Whatever a later version added is passed over.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use serde::Deserialize;

use super::{Listed, Snapshot, add, add_tokens, identity_facts, listed, origin_facts};
use crate::capture::source::Origin;
use crate::gate::{Cost, Totals};
use crate::kind::Kind;
use crate::price::ESTIMATOR;
use crate::rows::FRAME;

#[derive(Deserialize)]
struct Schema {
    schema: String,
}

pub(super) fn is_report(text: &str) -> bool {
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .is_ok_and(|document: Schema| document.schema.starts_with("mcp-footprint/"))
}

/// The fields of version 1 of the report that a comparison needs; whatever was added later is passed over.
#[derive(Deserialize)]
struct Report {
    schema: String,
    estimator: String,
    servers: Vec<Reported>,
    #[serde(default)]
    clients: Vec<ReportedClient>,
}

/// A client that was held to its bands; those of an audit have no status, and their servers stand among the others.
#[derive(Deserialize)]
struct ReportedClient {
    name: String,
    status: Option<String>,
    #[serde(default)]
    source: Option<Origin>,
    #[serde(default)]
    platform: Option<String>,
    #[serde(default)]
    capabilities: Vec<String>,
    tool_count: Option<u64>,
    #[serde(default)]
    instructions_tokens: Option<u64>,
    #[serde(default)]
    servers: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Reported {
    name: String,
    status: String,
    #[serde(default)]
    estimator: Option<String>,
    #[serde(default)]
    deferred: Option<ReportedDeferral>,
    server: Option<ReportedIdentity>,
    protocol: Option<String>,
    #[serde(default)]
    platform: Option<String>,
    #[serde(default)]
    capabilities: Option<Vec<String>>,
    #[serde(default)]
    source: Option<Origin>,
    instructions_tokens: Option<u64>,
    tools: Vec<ReportedTool>,
}

#[derive(Deserialize)]
struct ReportedDeferral {
    globs: Vec<String>,
}

#[derive(Deserialize)]
struct ReportedIdentity {
    name: String,
    version: String,
}

#[derive(Deserialize)]
struct ReportedTool {
    name: String,
    tokens: u64,
    description_tokens: u64,
    sha256: String,
    #[serde(default)]
    fields: BTreeMap<String, u64>,
}

pub(super) fn of_report(text: &str) -> anyhow::Result<Vec<Snapshot>> {
    let report: Report =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).context("it is no report of mcp-footprint")?;
    ensure!(report.schema == "mcp-footprint/1", "this version reads reports of `mcp-footprint/1` only");
    let counted = &report.estimator;
    ensure!(counted == ESTIMATOR, "it was counted with `{counted}`, and this version counts with `{ESTIMATOR}`");
    let clients = report.clients.into_iter().filter_map(|client| Some((client.status.clone()?, client)));
    let clients = clients.map(|(status, client)| of_client(&status, client));
    report.servers.into_iter().map(of_reported).chain(clients).collect()
}

fn must_be_measured(name: &str, kind: Kind, status: &str) -> anyhow::Result<()> {
    ensure!(status == "measured", "the {kind} `{name}` was not measured in it, so nothing can be compared");
    Ok(())
}

fn of_client(status: &str, client: ReportedClient) -> anyhow::Result<Snapshot> {
    must_be_measured(&client.name, Kind::Client, status)?;
    let mut facts = BTreeMap::new();
    add(&mut facts, "platform", client.platform.as_deref());
    client.source.iter().for_each(|origin| origin_facts(&mut facts, origin));
    facts.insert("estimator", ESTIMATOR.to_owned());
    facts.insert("capabilities", listed(&client.capabilities));
    let mut tools: BTreeMap<String, Listed> = BTreeMap::new();
    let mut largest = 0;
    for server in client.servers {
        let server: Reported = serde_json::from_value(server)?;
        let row = tools.entry(server.name).or_default();
        for tool in &server.tools {
            add_reported(row, tool);
            largest = largest.max(tool.tokens);
        }
        row.digests.sort();
    }
    let sum = |of: fn(&Cost) -> u64| tools.values().map(|row| of(&row.cost)).sum();
    let totals = Totals {
        floor: sum(|cost| cost.tokens),
        descriptions: sum(|cost| cost.description),
        instructions: client.instructions_tokens,
        tools: client.tool_count.unwrap_or(0),
        largest,
    };
    Ok(Snapshot { name: client.name, kind: Kind::Client, facts, totals: Some(totals), tools })
}

fn add_reported(listed: &mut Listed, tool: &ReportedTool) {
    listed.cost.tokens += tool.tokens;
    listed.cost.description += tool.description_tokens;
    listed.digests.push(tool.sha256.clone());
}

fn of_reported(server: Reported) -> anyhow::Result<Snapshot> {
    must_be_measured(&server.name, Kind::Server, &server.status)?;
    let identity = server.server.as_ref();
    let mut facts = identity_facts(identity.map(|server| (&*server.name, &*server.version)));
    add(&mut facts, "protocol", server.protocol.as_deref());
    add(&mut facts, "platform", server.platform.as_deref());
    if let Some(origin) = &server.source {
        origin_facts(&mut facts, origin);
        facts.insert("capabilities", listed(server.capabilities.as_deref().unwrap_or_default()));
    }
    facts.insert("estimator", server.estimator.unwrap_or_else(|| ESTIMATOR.to_owned()));
    let globs = server.deferred.map(|deferred| deferred.globs.join(" "));
    add(&mut facts, "defer", globs.as_deref());
    let sum = |of: fn(&ReportedTool) -> u64| server.tools.iter().map(of).sum();
    let of_tools = || server.tools.iter().filter(|tool| globs.is_none() || tool.name != FRAME);
    let totals = Totals {
        floor: sum(|tool| tool.tokens),
        descriptions: sum(|tool| tool.description_tokens),
        instructions: server.instructions_tokens,
        tools: of_tools().count() as u64,
        largest: of_tools().map(|tool| tool.tokens).max().unwrap_or(0),
    };
    let mut tools: BTreeMap<String, Listed> = BTreeMap::new();
    for tool in &server.tools {
        let listed = tools.entry(tool.name.clone()).or_default();
        add_reported(listed, tool);
        add_tokens(listed, tool.fields.iter().map(|(key, &tokens)| (key.as_str(), tokens)));
    }
    Ok(Snapshot { name: server.name, kind: Kind::Server, facts, totals: Some(totals), tools })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_told_from_a_capture_by_its_schema() {
        assert!(is_report(r#"{"schema":"mcp-footprint/1","servers":[]}"#));
        for other in [r#"{"schema":"mcp-footprint-capture/1"}"#, "[]", "{}", "no"] {
            assert!(!is_report(other), "{other}");
        }
    }

    #[test]
    fn a_report_by_another_estimator_or_with_a_server_that_was_not_measured_compares_with_nothing() {
        let report = |estimator: &str, status: &str| {
            of_report(&format!(
                r#"{{"schema":"mcp-footprint/1","estimator":"{estimator}","servers":[{{"name":"s","status":"{status}",
                "server":null,"protocol":null,"instructions_tokens":null,"tools":[]}}]}}"#
            ))
        };
        assert_eq!(report(ESTIMATOR, "measured").unwrap()[0].name, "s");
        assert!(report("other", "measured").is_err());
        assert!(report(ESTIMATOR, "not_measured").is_err());
    }
}
