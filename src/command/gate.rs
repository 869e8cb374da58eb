//! `report` and `check`: the measurement to be read, and the measurement held to its budgets.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{Prepared, at_base, only, priced_as_loaded, report_of};
use crate::advice::advise;
use crate::budgets::{Budgets, Server, within_repository};
use crate::captured::Captured;
use crate::check;
use crate::codes::{ErrorCode, Failure};
use crate::plan::{self, Measure, Source};
use crate::render::Format;
use crate::report::{Advised, Against, Report, ServerReport};
use crate::snapshot::{self, Snapshot};
use crate::{base, ci, defer, diff, screen, sources};

/// Prices and ranks.
pub(crate) fn report(
    plan: &Measure,
    documents: &plan::Documents,
    prepared: Prepared,
    servers: Vec<Captured>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let budgets = prepared.budgets.as_ref();
    let servers = only(plan, servers).into_iter().map(|server| priced_as_loaded(server, budgets));
    let servers = advised(documents, budgets, servers.collect());
    anyhow::ensure!(!servers.is_empty(), "the files hold no server of the name that --server gives");
    let report = Report {
        listed_in: budgets.map(|budgets| budgets.path.clone()),
        budgets_in_repository: budgets.and_then(|budgets| within_repository(&budgets.path)),
        ..report_of(plan, documents, servers)
    };
    write(plan, prepared, &report, out, err)
}

/// Holds every server to its bands.
pub(crate) fn check(
    plan: &Measure,
    documents: &plan::Documents,
    prepared: Prepared,
    servers: Vec<Captured>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let budgets = prepared.budgets.as_ref().context("check needs a budgets file")?;
    let matched = matched(plan, budgets, only(plan, servers))?;
    let priced = matched.into_iter().map(|server| priced_as_loaded(server, Some(budgets)));
    let held = advised(documents, Some(budgets), priced.map(|server| held(budgets, server)).collect());
    let against = prepared.earlier.as_ref().map(|(path, earlier)| since(path, earlier, &held));
    let base = prepared.base.clone();
    let report = Report {
        budgets: Some(budgets.path.clone()),
        listed_in: Some(budgets.path.clone()),
        budgets_in_repository: within_repository(&budgets.path),
        base,
        against,
        ..report_of(plan, documents, held)
    };
    let code = write(plan, prepared, &report, out, err)?;
    // A reader that has gone changes no verdict.
    let _ = ci::tell(documents.ci, &report, err);
    Ok(code)
}

/// Reads what the check compares with, before anything is launched.
pub(super) fn references(
    plan: &Measure,
    references: &plan::References,
    budgets: &Budgets,
) -> anyhow::Result<(Option<base::Comparison>, Option<Earlier>)> {
    let base = references.base.as_ref().map(|reference| at_base::compare(plan, reference, budgets)).transpose()?;
    let lone = match sources::chosen(budgets, &plan.named_entries())?.as_slice() {
        [one] => Some(*one),
        _ => None,
    };
    let loaded = |name: &str, measurement| match lone.or_else(|| budgets.server(name)) {
        Some(Server { name, defer: Some(globs), .. }) => defer::split(name, globs, measurement),
        _ => measurement,
    };
    let read =
        |path: &PathBuf| anyhow::Ok((path.clone(), snapshot::read_measured(path, &loaded).context("--against")?));
    let earlier = references.against.as_ref().map(read).transpose()?;
    Ok((base, earlier))
}

type Earlier = (PathBuf, Vec<Snapshot>);

/// What moved in each measured server since the earlier measurement.
fn since(path: &Path, earlier: &[Snapshot], servers: &[ServerReport]) -> Against {
    let measured = |server: &ServerReport| {
        let now = snapshot::of_measurement(&server.name, server.outcome.as_ref().ok()?);
        let lone = servers.len() == 1 && earlier.len() == 1;
        let before = earlier.iter().find(|before| lone || before.name == server.name);
        Some((server.name.clone(), diff::server(before, Some(&now))))
    };
    Against { path: path.to_owned(), servers: servers.iter().filter_map(measured).collect() }
}

/// Adds what could be trimmed where a document lists it. Every finding is priced anew, which takes longer than all else.
fn advised(
    documents: &plan::Documents,
    budgets: Option<&Budgets>,
    mut servers: Vec<ServerReport>,
) -> Vec<ServerReport> {
    let formats = std::iter::once(documents.format).chain(documents.files.iter().map(|(format, _)| *format));
    if !formats.into_iter().any(|format| format == Format::Sarif) {
        return servers;
    }
    for ServerReport { name, outcome } in &mut servers {
        let Ok(measurement) = outcome else { continue };
        let entry = budgets.and_then(|budgets| budgets.server(name));
        let advice = advise(measurement, &|rule| entry.is_some_and(|entry| entry.is_silenced(rule)));
        measurement.advice = Some(Advised { findings: advice.findings, line: entry.map(Server::line) });
    }
    servers
}

fn held(budgets: &Budgets, server: ServerReport) -> ServerReport {
    let entry = budgets.server(&server.name);
    let outcome = server.outcome.and_then(|measurement| match entry {
        Some(entry) => check::hold(measurement, entry),
        None => Ok(measurement),
    });
    ServerReport { name: server.name, outcome }
}

/// The captures in the order of the file, each with an entry there. Files must hold every entry in question: a part of
/// a fleet that was never captured is not measured, and no pass.
pub(super) fn matched(plan: &Measure, budgets: &Budgets, servers: Vec<Captured>) -> anyhow::Result<Vec<Captured>> {
    let known: Vec<&str> = budgets.servers.iter().map(|server| server.name.as_str()).collect();
    for server in &servers {
        if server.outcome.is_ok() && !known.contains(&server.name.as_str()) {
            return Err(sources::no_such_server(&server.name, &budgets.path, &known))
                .context("the SOURCE is matched by name; --name gives it one");
        }
        if servers.iter().filter(|other| other.name == server.name).count() > 1 {
            anyhow::bail!("the server `{}` is captured twice, and only one can be held to the budget", server.name);
        }
    }
    if !matches!(plan.source, Source::Files(_)) {
        return Ok(servers);
    }
    let (mut found, mut unreadable): (Vec<_>, Vec<_>) = servers.into_iter().partition(|server| server.outcome.is_ok());
    let mut ordered = Vec::new();
    let wanted: Vec<String> = plan.only.iter().chain(&plan.name).cloned().collect();
    for entry in sources::chosen(budgets, &wanted)? {
        match found.iter().position(|server| server.name == entry.name) {
            Some(place) => ordered.push(found.swap_remove(place)),
            None if unreadable.iter().any(|server| server.name == entry.name) => {}
            None => ordered.push(Captured { name: entry.name.clone(), outcome: Err(missing()) }),
        }
    }
    ordered.append(&mut unreadable);
    Ok(ordered)
}

fn missing() -> Failure {
    let message = "none of the files given with --from holds this server; give the file that does, or choose servers \
                   with --server";
    Failure::new(ErrorCode::MissingCapture, message)
}

fn write(
    plan: &Measure,
    prepared: Prepared,
    report: &Report,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let documents = prepared.documents.context("no document was opened")?;
    let failed = documents.write(report, &screen::look(plan.screen.color), out);
    for error in &failed {
        // A reader that has gone changes no verdict.
        let _ = writeln!(err, "error: {error:#}");
    }
    // The verdict is worth more than the news that a document could not be written.
    match report.exit_code() {
        0 if !failed.is_empty() => Ok(2),
        code => Ok(code),
    }
}
