//! An audit for a person: per client what it launches, or what that costs, which tools cost it, which limits are
//! passed, and whether all of it is sent.

use std::io::{self, Write};

use super::grid::{Grid, Row, Side};
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count, percent};
use super::remarks;
use crate::audit::{Audit, AuditServer, ClientAudit, State};
use crate::clients::{LimitCode, LoadingCode, Passed};
use crate::kind::Kind;
use crate::price::ESTIMATOR;
use crate::report::ServerReport;

/// The formats of an audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AuditFormat {
    /// For a person
    #[default]
    Table,
    /// Version 1 of the documented JSON, with the clients
    Json,
}

/// The most passed limits shown for one client; the JSON document holds all of them.
const MOST_PASSED: usize = 10;

pub(super) fn write(audit: &Audit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let launched: usize = audit.clients.iter().map(|client| launched(client).count()).sum();
    let title = look.tint(Tone::Heading, "mcp-footprint audit").into_owned();
    let clients = count(audit.clients.len() as u64, "client");
    let servers = count(launched as u64, "server");
    match (audit.clients.is_empty(), audit.ran) {
        (true, _) => writeln!(out, "{title}: no config of a known MCP client in this folder or under your home")?,
        (_, true) => writeln!(out, "{title}: {clients} {} {servers} ({ESTIMATOR})", look.dot())?,
        (_, false) => {
            writeln!(out, "{title}: {clients} {} {servers}; nothing was launched, --run does", look.dot())?;
        }
    }
    for client in &audit.clients {
        writeln!(out)?;
        if audit.ran {
            measured(audit, client, look, out)?
        } else {
            listed(client, look, out)?
        }
        around(client, look, out)?;
    }
    Ok(())
}

fn launched(client: &ClientAudit) -> impl Iterator<Item = &AuditServer> {
    client.servers.iter().filter(|server| server.state.is_launched())
}

fn listed(client: &ClientAudit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let title = look.tint(Tone::Heading, client.client.title()).into_owned();
    writeln!(out, "{title}: {}", count(launched(client).count() as u64, "server"))?;
    for file in &client.files {
        writeln!(out, "{}", look.tint(Tone::Secondary, &look.quote(&file.to_string_lossy(), LONGEST_MESSAGE)))?;
        for server in client.servers.iter().filter(|server| server.file == *file) {
            let (mark, told) = match (&server.state, &server.told) {
                (State::Disabled, _) => ("disabled", String::new()),
                (State::Shadowed, _) => ("a nearer config has this name", String::new()),
                (_, Ok(told)) => ("", told.clone()),
                (_, Err(why)) => ("not launchable from here: ", why.clone()),
            };
            let name = format!("  {}  ", look.quote(&server.name, LONGEST_NAME));
            look.prose(out, (Tone::Plain, &name), &look.quote(&format!("{mark}{told}"), LONGEST_MESSAGE))?;
        }
    }
    Ok(())
}

fn measured(audit: &Audit, client: &ClientAudit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let floor = client.sum(|measurement| measurement.totals.floor);
    let tools = client.sum(|measurement| measurement.totals.tools);
    let title = look.tint(Tone::Heading, client.client.title()).into_owned();
    let (at_least, dot) = (if client.is_complete() { "" } else { "at least " }, look.dot());
    let servers = count(launched(client).count() as u64, "server");
    writeln!(
        out,
        "{title}: {servers} {dot} {at_least}{} {dot} floor {at_least}{floor} est. tokens",
        count(tools, "tool")
    )?;
    if !client.ranked().is_empty() {
        writeln!(out)?;
        servers_grid(client, floor, look).write(out, look)?;
        writeln!(out)?;
        let window = audit.context_window;
        let is_late = client.loading.as_ref().is_some_and(|loading| loading.code == LoadingCode::Deferred);
        let share = format!("{at_least}{} of {window} tokens", percent(floor, window));
        let share = match is_late {
            true => format!("with every definition sent, the floor would take {share}; this client loads them late"),
            false => format!("the floor takes {share}"),
        };
        look.prose(out, (Tone::Secondary, "context window  "), &share)?;
        heaviest(audit, client, look, out)?;
    }
    for (server, failure) in client.not_measured() {
        writeln!(out)?;
        let report = ServerReport { name: server.name.clone(), kind: Kind::Server, outcome: Err(failure.clone()) };
        remarks::failure(&report, failure, look, out)?;
    }
    let notes = client.ranked();
    for (server, measurement) in notes.iter().filter(|(_, measurement)| !measurement.notes.is_empty()) {
        let owner = format!("{}: ", look.quote(&server.name, LONGEST_NAME));
        remarks::notes(&measurement.notes, &owner, look, out)?;
    }
    passed(client, look, out)?;
    loading(client, look, out)
}

fn servers_grid(client: &ClientAudit, floor: u64, look: &Look) -> Grid {
    let titles = ["tools", "floor", "descriptions", "instructions", "share"].map(|title| (Side::Right, title));
    let mut grid = Grid::new(0, std::iter::once((Side::Left, "server")).chain(titles));
    let ranked = client.ranked();
    let largest = ranked.first().map_or(0, |(_, measurement)| measurement.totals.floor);
    for (server, measurement) in ranked {
        let totals = measurement.totals;
        let instructions = totals.instructions.map_or_else(|| "?".to_owned(), |tokens| tokens.to_string());
        let cells = [
            look.name(&server.name).into_owned(),
            totals.tools.to_string(),
            totals.floor.to_string(),
            totals.descriptions.to_string(),
            instructions,
            percent(totals.floor, floor),
        ];
        let share = if largest == 0 { 0.0 } else { totals.floor as f64 / largest as f64 };
        grid.push(Row::new(cells.map(|text| (Tone::Plain, text))).with_bar(share));
    }
    for (server, _) in client.not_measured() {
        let cells = [look.name(&server.name).into_owned(), "-".into(), "not measured".into()];
        let blanks = std::iter::repeat_n(String::from("-"), 3);
        grid.push(Row::new(cells.into_iter().chain(blanks).map(|text| (Tone::Refused, text))));
    }
    grid
}

fn heaviest(audit: &Audit, client: &ClientAudit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let tools = client.heaviest();
    if tools.is_empty() || audit.top == 0 {
        return Ok(());
    }
    writeln!(out)?;
    let mut grid = Grid::new(
        0,
        [(Side::Left, "heaviest tools"), (Side::Left, "server"), (Side::Right, "tokens"), (Side::Right, "description")],
    );
    for (server, tool) in tools.iter().take(audit.top) {
        let cells = [
            look.name(&tool.definition.label().to_string()).into_owned(),
            look.quote(server, LONGEST_NAME),
            tool.price.tokens.to_string(),
            tool.price.description_tokens.to_string(),
        ];
        grid.push(Row::new(cells.map(|text| (Tone::Plain, text))));
    }
    grid.write(out, look)
}

fn passed(client: &ClientAudit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    if client.passed.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for passed in client.passed.iter().take(MOST_PASSED) {
        let text = format!("{} ({})", sentence(client, passed, look), passed.code);
        look.prose(out, (Tone::Note, "limit: "), &text)?;
    }
    match client.passed.len().saturating_sub(MOST_PASSED) {
        0 => Ok(()),
        more => {
            let text = format!("{} and {} more", look.ellipsis(), more);
            look.prose(out, (Tone::Note, "limit: "), &text)
        }
    }
}

fn sentence(client: &ClientAudit, passed: &Passed, look: &Look) -> String {
    let title = client.client.title();
    let quote = |text: &str| look.quote(text, LONGEST_NAME);
    let servers: Vec<String> = passed.servers.iter().map(|server| quote(server)).collect();
    let servers = servers.join(", ");
    let tool = passed.tool.as_deref().map(quote).unwrap_or_default();
    let (measured, limit) = (passed.measured, passed.limit.unwrap_or_default());
    match passed.code {
        LimitCode::TooManyTools => format!("{measured} tools, and {title} takes {limit}"),
        LimitCode::LongName => {
            format!("{servers}: {tool}: {title} counts {measured} characters in its name, and takes {limit}")
        }
        LimitCode::LongDescription => {
            format!("{servers}: {tool}: its description of {measured} bytes is cut at {limit} by {title}")
        }
        LimitCode::LongInstructions => {
            format!("{servers}: its instructions of {measured} bytes are cut at {limit} by {title}")
        }
        LimitCode::SameName => format!("{tool} is a tool of {measured} servers: {servers}"),
    }
}

fn loading(client: &ClientAudit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let Some(loading) = &client.loading else { return Ok(()) };
    writeln!(out)?;
    look.prose(out, (Tone::Secondary, &format!("{:<16}", loading.code.as_str())), &loading.because)?;
    let always: Vec<String> = launched(client)
        .filter(|server| server.always_loaded)
        .map(|server| look.quote(&server.name, LONGEST_NAME))
        .collect();
    match always.is_empty() {
        true => Ok(()),
        false => {
            let text = format!("alwaysLoad sends these on every turn: {}", always.join(", "));
            look.prose(out, (Tone::Secondary, "                "), &text)
        }
    }
}

/// What the configs hold beside the servers that count here.
fn around(client: &ClientAudit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    for fault in &client.faults {
        look.prose(out, (Tone::Refused, "UNREADABLE  "), &look.quote(&fault.to_string(), LONGEST_MESSAGE))?;
    }
    for (project, servers) in &client.other_projects {
        let project = look.quote(project, LONGEST_MESSAGE);
        let text = format!("only in the project {project}: {}", count(*servers as u64, "more server"));
        look.prose(out, (Tone::Secondary, ""), &text)?;
    }
    Ok(())
}
