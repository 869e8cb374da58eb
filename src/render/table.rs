//! The ranked table for a person: what a server costs on every turn, and which tool costs it.

use std::io::{self, Write};

use super::entries::{entries, size};
use super::grid::{Grid, Row, Side};
use super::look::{LONGEST_NAME, Look, Tone, count, percent};
use super::{check, deferred, remarks};
use crate::kind::Kind;
use crate::report::{Measurement, Report, ServerReport};
use crate::rows;

/// Writes the verdicts of a report that was gated, and the ranking of one that was not.
pub(super) fn write(report: &Report, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    match (&report.budgets, report.servers.as_slice()) {
        (Some(budgets), _) => check::write(report, budgets, look, out),
        (None, [server]) => only_server(report, server, look, out),
        (None, servers) => many_servers(report, servers, look, out),
    }
}

fn only_server(report: &Report, server: &ServerReport, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    match &server.outcome {
        Ok(measurement) => {
            headline("mcp-footprint", measurement, look, out)?;
            look.prose(out, (Tone::Plain, ""), &identity(Some(&server.name), measurement, look))?;
            ranking(report, measurement, look, out)
        }
        Err(failure) => {
            writeln!(out, "{}: not measured\n", look.tint(Tone::Heading, "mcp-footprint"))?;
            remarks::failure(server, failure, look, out)
        }
    }
}

fn many_servers(report: &Report, servers: &[ServerReport], look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let single: Vec<&ServerReport> = servers.iter().filter(|entry| entry.kind == Kind::Server).collect();
    if single.is_empty() {
        let title = look.tint(Tone::Heading, "mcp-footprint").into_owned();
        writeln!(out, "{title}: {} (est. tokens, {})", entries(report), report.estimator())?;
    } else {
        overview(report, &single, look, out)?;
    }
    for server in servers {
        writeln!(out)?;
        match &server.outcome {
            Ok(measurement) => {
                headline(&look.quote(&server.name, LONGEST_NAME), measurement, look, out)?;
                look.prose(out, (Tone::Plain, ""), &identity(None, measurement, look))?;
                ranking(report, measurement, look, out)?;
            }
            Err(failure) => remarks::failure(server, failure, look, out)?,
        }
    }
    Ok(())
}

fn headline(title: &str, measurement: &Measurement, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let title = look.tint(Tone::Heading, title).into_owned();
    let size = size(measurement);
    let (floor, bytes, estimator) = (measurement.totals.floor, measurement.bytes, measurement.estimator());
    writeln!(out, "{title}: {size} {} floor {floor} est. tokens ({bytes} bytes, {estimator})", look.dot())
}

/// What all servers cost together, and which of them costs it. Clients stay out: theirs may be the same servers again.
fn overview(report: &Report, servers: &[&ServerReport], look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let measured: Vec<(&str, &Measurement)> = servers
        .iter()
        .filter_map(|server| server.outcome.as_ref().ok().map(|measurement| (server.name.as_str(), measurement)))
        .collect();
    let sum = |of: fn(&Measurement) -> u64| measured.iter().map(|(_, measurement)| of(measurement)).sum::<u64>();
    let floor = sum(|measurement| measurement.totals.floor);
    let counted = match servers.len() - measured.len() {
        0 => count(servers.len() as u64, "server"),
        _ => format!("{} of {} measured", measured.len(), count(servers.len() as u64, "server")),
    };
    let title = look.tint(Tone::Heading, "mcp-footprint").into_owned();
    let tools = count(sum(|measurement| measurement.totals.tools), "tool");
    let (dot, bytes) = (look.dot(), sum(|measurement| measurement.bytes));
    let estimator = report.estimator();
    writeln!(out, "{title}: {counted} {dot} {tools} {dot} floor {floor} est. tokens ({bytes} bytes, {estimator})")?;
    if measured.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let numbers = ["tools", "tokens", "share", "description", "bytes"].map(|title| (Side::Right, title));
    let mut grid = Grid::new(0, std::iter::once((Side::Left, "server")).chain(numbers));
    let largest = measured.iter().map(|(_, measurement)| measurement.totals.floor).max().unwrap_or(0);
    for (name, measurement) in measured {
        let totals = measurement.totals;
        let numbers = [
            totals.tools.to_string(),
            totals.floor.to_string(),
            percent(totals.floor, floor),
            totals.descriptions.to_string(),
            measurement.bytes.to_string(),
        ];
        grid.push(row(Tone::Plain, look.name(name).into_owned(), numbers).with_bar(part(totals.floor, largest)));
    }
    grid.write(out, look)
}

fn ranking(report: &Report, measurement: &Measurement, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    if measurement.rows().next().is_some() {
        writeln!(out)?;
        rows(report, measurement, look).write(out, look)?;
    }
    writeln!(out)?;
    totals(report, measurement, look, out)?;
    if !measurement.notes.is_empty() {
        writeln!(out)?;
        remarks::notes(&measurement.notes, "", look, out)?;
    }
    Ok(())
}

/// Who the server says it is, and how it was asked; `called` where documents call it otherwise.
fn identity(called: Option<&str>, measurement: &Measurement, look: &Look) -> String {
    let quote = |text: &str| look.quote(text, LONGEST_NAME);
    let itself = measurement.server.as_ref();
    let other_name = called.filter(|name| itself.is_none_or(|itself| itself.name != *name));
    let mut parts: Vec<String> = other_name.map(quote).into_iter().collect();
    parts.extend(itself.map(|itself| format!("{} {}", quote(&itself.name), quote(&itself.version))));
    parts.extend(measurement.protocol.as_deref().map(|protocol| format!("protocol {}", quote(protocol))));
    let config = measurement.origin.as_ref().and_then(|origin| origin.config.as_deref());
    let transport = measurement.transport.as_str();
    parts.push(config.map_or_else(|| transport.to_owned(), |config| format!("{transport} {}", quote(config))));
    parts.iter().map(|part| part.trim()).collect::<Vec<_>>().join(&format!(" {} ", look.dot()))
}

fn rows(report: &Report, measurement: &Measurement, look: &Look) -> Grid {
    let floor = measurement.totals.floor;
    let numbers =
        |costs: [u64; 3]| [costs[0].to_string(), percent(costs[0], floor), costs[1].to_string(), costs[2].to_string()];
    let titles = ["tokens", "share", "description", "bytes"].map(|title| (Side::Right, title));
    let mut grid = Grid::new(0, std::iter::once((Side::Left, measurement.kind().row())).chain(titles));
    let ranked = measurement.ranked_rows(report.sort);
    let largest = ranked.iter().map(|row| row.tokens).max().unwrap_or(0);
    let (shown, rest) = ranked.split_at(report.top.unwrap_or(usize::MAX).min(ranked.len()));
    for one in shown {
        let share = part(one.tokens, largest);
        let costs = costs(std::slice::from_ref(one));
        grid.push(row(Tone::Plain, look.name(&one.name).into_owned(), numbers(costs)).with_bar(share));
    }
    if !rest.is_empty() {
        let more = count(rest.len() as u64, &format!("more {}", measurement.row_word()));
        let text = format!("{} and {more}", look.ellipsis());
        grid.push(row(Tone::Secondary, text, numbers(costs(rest))));
    }
    grid
}

/// Tokens, description tokens and bytes of some rows together.
fn costs(rows: &[rows::Row<'_>]) -> [u64; 3] {
    let sum = |of: fn(&rows::Row<'_>) -> u64| rows.iter().map(of).sum();
    [sum(|row| row.tokens), sum(|row| row.description_tokens), sum(|row| row.bytes)]
}

fn row<const N: usize>(tone: Tone, name: String, numbers: [String; N]) -> Row {
    Row::new(std::iter::once(name).chain(numbers).map(|text| (tone, text)))
}

fn part(of: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { of as f64 / whole as f64 }
}

fn totals(report: &Report, measurement: &Measurement, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let totals = measurement.totals;
    let described = match totals.floor {
        0 => "none".to_owned(),
        floor => format!("{} tokens, {} of the floor", totals.descriptions, percent(totals.descriptions, floor)),
    };
    let instructions = match totals.instructions {
        None => "not known from this source".to_owned(),
        Some(0) => "none".to_owned(),
        Some(tokens) => format!("{}, beside the floor", count(tokens, "token")),
    };
    let window = report.context_window;
    let context = format!("the floor takes {} of {window} tokens, on every turn", percent(totals.floor, window));
    let told = [("descriptions", described), ("instructions", instructions), ("context window", context)];
    let deferred = deferred::sentence(measurement).map(|sentence| ("deferred", sentence));
    for (name, text) in deferred.into_iter().chain(told) {
        let lead = format!("{name:<16}");
        look.prose(out, (Tone::Secondary, &lead), &text)?;
    }
    Ok(())
}
