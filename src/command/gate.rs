//! `report` and `check`: the measurement to be read, and the measurement held to its budgets.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::matching::{self, matched};
use super::{Prepared, at_base, only, priced_as_loaded, report_of};
use crate::advice::advise;
use crate::budgets::{Budgets, Server, within_repository};
use crate::capture::Capture;
use crate::capture::file::is_standard_input;
use crate::captured::Captured;
use crate::check;
use crate::diff::ServerDifference;
use crate::members::client_of;
use crate::plan::{self, Measure, Source, Talk};
use crate::render::Format;
use crate::report::{Advised, Against, Measurement, Report, ServerReport};
use crate::snapshot::{self, Snapshot};
use crate::visible::{visible, visible_lines, visible_path};
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
    let servers = only(plan, servers);
    tell_without_entry(plan, budgets, &servers, err)?;
    let servers: Vec<ServerReport> = match (&plan.source, budgets) {
        (Source::Budgets, Some(budgets)) => matched(plan, budgets, servers)?,
        _ => servers.into_iter().map(|server| priced_as_loaded(server, budgets)).collect(),
    };
    let servers = advised(documents, budgets, servers);
    anyhow::ensure!(!servers.is_empty(), "the files hold no server of the name that --server gives");
    let report = Report {
        listed_in: budgets.map(|budgets| budgets.path.clone()),
        budgets_in_repository: budgets.and_then(|budgets| within_repository(&budgets.path)),
        ..report_of(plan, documents, servers)
    };
    write(plan, prepared, &report, out, err)
}

/// A SOURCE is looked at as its entry says, by its name; without an entry the file that was named says nothing.
fn tell_without_entry(
    plan: &Measure,
    budgets: Option<&Budgets>,
    servers: &[Captured],
    err: &mut dyn Write,
) -> std::io::Result<()> {
    let Some(budgets) = budgets.filter(|_| plan.source != Source::Budgets && plan.screen.talk != Talk::Quiet) else {
        return Ok(());
    };
    let is_known = |name: &str| budgets.server(client_of(name).map_or(name, |(client, _)| client)).is_some();
    for server in servers.iter().filter(|server| !is_known(&server.name) && budgets.server(&server.name).is_none()) {
        let (name, path) = (visible(&server.name), visible_path(&budgets.path));
        writeln!(
            err,
            "note: {path} has no entry `{name}`, so it says nothing of this server; --name gives it another name"
        )?;
    }
    Ok(())
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
    let held = advised(documents, Some(budgets), matched.into_iter().map(|server| held(budgets, server)).collect());
    let base = prepared.base.clone();
    let against = prepared.earlier.as_ref().map(|(path, earlier)| since(path, earlier, base.as_ref(), &held));
    let report = Report {
        budgets: Some(budgets.path.clone()),
        listed_in: Some(budgets.path.clone()),
        budgets_in_repository: within_repository(&budgets.path),
        server_lines: budgets.servers.iter().map(|entry| (entry.name.clone(), entry.line())).collect(),
        base,
        against,
        ..report_of(plan, documents, held)
    };
    let unasked = unasked(plan, budgets, &report.servers);
    let code = write(plan, prepared, &report, out, err)?;
    if !unasked.is_empty() && plan.screen.talk != Talk::Quiet {
        let _ = writeln!(err, "note: not in question here, and so neither measured nor held: {}", unasked.join(", "));
    }
    // A reader that has gone changes no verdict.
    let _ = ci::tell(documents.ci, &report, err);
    Ok(code)
}

/// The entries of the file that a SOURCE leaves out. Who names servers with --server knows what is left.
fn unasked(plan: &Measure, budgets: &Budgets, servers: &[ServerReport]) -> Vec<String> {
    let is_asked = |entry: &&Server| servers.iter().any(|server| server.name == entry.name);
    let rest = budgets.servers.iter().filter(|entry| !is_asked(entry));
    let is_chosen = plan.source == Source::Budgets || !plan.only.is_empty();
    if is_chosen { Vec::new() } else { rest.map(|entry| visible(&entry.name).into_owned()).collect() }
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
    let loaded = |name: &str, mut capture: Capture| {
        if let Some(filter) = matching::filter_of(budgets, name) {
            filter.apply(&mut capture);
        }
        match lone.or_else(|| budgets.server(name)) {
            Some(Server { name, defer: Some(globs), .. }) => defer::split(name, globs, Measurement::of(capture)),
            _ => Measurement::of(capture),
        }
    };
    let read = |path: &PathBuf| {
        anyhow::ensure!(
            is_standard_input(path) || path.exists(),
            "--against: there is no file {}; it takes a capture or a JSON report, and --base takes a git revision",
            path.display()
        );
        Ok((path.clone(), snapshot::read_measured(path, &loaded).context("--against")?))
    };
    let earlier = references.against.as_ref().map(read).transpose()?;
    Ok((base, earlier))
}

type Earlier = (PathBuf, Vec<Snapshot>);

/// What moved in each measured server since the earlier measurement.
fn since(path: &Path, earlier: &[Snapshot], base: Option<&base::Comparison>, servers: &[ServerReport]) -> Against {
    let of_measured =
        |server: &ServerReport| Some(snapshot::of_measurement(&server.name, server.outcome.as_ref().ok()?));
    let measured: Vec<Snapshot> = servers.iter().filter_map(of_measured).collect();
    let earlier = snapshot::joined(earlier.to_vec(), &measured);
    let lone = servers.len() == 1 && earlier.len() == 1;
    let difference = |now: &Snapshot| {
        let is_it = |before: &&Snapshot| before.kind == now.kind && (lone || before.name == now.name);
        let bands = base.map(|base| base.bands.get(&now.name).cloned().unwrap_or_default());
        (now.name.clone(), ServerDifference { bands, ..diff::server(earlier.iter().find(is_it), Some(now)) })
    };
    Against { path: path.to_owned(), servers: measured.iter().map(difference).collect() }
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
    for ServerReport { name, outcome, .. } in &mut servers {
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
    ServerReport { outcome, ..server }
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
        let _ = writeln!(err, "error: {}", visible_lines(&format!("{error:#}")));
    }
    // The verdict is worth more than the news that a document could not be written.
    match report.exit_code() {
        0 if !failed.is_empty() => Ok(2),
        code => Ok(code),
    }
}
