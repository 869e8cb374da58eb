//! `explain`, `advise`, `defer` and the partitions of `report`: a measurement that is looked into. Never gates.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::{Prepared, only, priced, tell_failures, tell_notes};
use crate::advice::{Advice, advise};
use crate::budgets::Budgets;
use crate::captured::Captured;
use crate::classes::classes;
use crate::defer::{Conversation, defer, suggest};
use crate::explain::{Detail, Explanation, explain};
use crate::kind::Kind;
use crate::members::client_of;
use crate::plan::{Measure, Study, StudyFormat};
use crate::render;
use crate::report::{Measurement, ServerReport};
use crate::rows::deferred_name;
use crate::usage::Usage;
use crate::visible::{visible, visible_lines};
use crate::{screen, view};

/// The servers that were measured, each with its name.
type Measured<'a> = Vec<(&'a str, &'a Measurement)>;

/// Answers the question of the plan on every server that was measured.
pub(crate) fn study(
    plan: &Measure,
    study: &Study,
    format: StudyFormat,
    prepared: &Prepared,
    servers: Vec<Captured>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let servers: Vec<ServerReport> = only(plan, servers).into_iter().map(priced).collect();
    anyhow::ensure!(!servers.is_empty(), "the files hold no server of the name that --server gives");
    let is_failed = tell_failures(&servers, servers.len(), plan, err)?;
    servers.iter().try_for_each(|server| tell_notes(server, plan, err))?;
    let failed: Vec<&ServerReport> = servers.iter().filter(|server| server.outcome.is_err()).collect();
    let measured: Measured<'_> = servers
        .iter()
        .filter_map(|server| server.outcome.as_ref().ok().map(|measurement| (server.name.as_str(), measurement)))
        .collect();
    let mut document = Vec::new();
    if !measured.is_empty() || format == StudyFormat::Json {
        let look = screen::look(plan.screen.color);
        tell_strangers(&prepared.usage, &measured, err)?;
        if !matches!(study, Study::Defer { .. }) {
            tell_deferred(prepared.budgets.as_ref(), &measured, err)?;
        }
        let (budgets, usage) = (prepared.budgets.as_ref(), &prepared.usage);
        let answer = Answer { measured, failed, format, look, budgets, usage };
        match answer.write(study, &mut document) {
            // What one server was looked for in may be listed by one that was not measured.
            Err(error) if is_failed => writeln!(err, "error: {}", visible_lines(&format!("{error:#}")))?,
            written => written?,
        }
    }
    out.write_all(&document)?;
    out.flush()?;
    Ok(if is_failed { 3 } else { 0 })
}

struct Answer<'a> {
    measured: Measured<'a>,
    failed: Vec<&'a ServerReport>,
    format: StudyFormat,
    look: render::Look,
    budgets: Option<&'a Budgets>,
    usage: &'a Usage,
}

impl Answer<'_> {
    fn write(&self, study: &Study, out: &mut Vec<u8>) -> anyhow::Result<()> {
        match study {
            Study::Explain { tool, detail } => self.explain(tool, *detail, out),
            Study::Advise { top } => Ok(self.advise(*top, out)?),
            Study::Defer { conversation, suggest, .. } => self.defer(*conversation, *suggest, out),
            Study::Classes => Ok(self.classes(out)?),
            Study::View(view) => Ok(self.view(*view, out)?),
        }
    }

    /// Calls `write` for each server, an empty line between two.
    fn each(
        &self,
        out: &mut Vec<u8>,
        mut write: impl FnMut(&str, &Measurement, &mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        for (place, (name, measurement)) in self.measured.iter().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            write(name, measurement, out)?;
        }
        Ok(())
    }

    fn explain(&self, tool: &str, detail: Detail, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let mut found: Vec<(String, String, Explanation)> = Vec::new();
        for (server, measurement) in &self.measured {
            for priced in &measurement.tools {
                let label = priced.definition.label().to_string();
                // A deferred tool has another name in a report, and so has one with characters that nobody sees.
                let shown = [&label, &deferred_name(&label)].map(|name| visible(name).into_owned());
                if label == tool || shown.iter().any(|name| name == tool) {
                    found.push(((*server).to_owned(), label, explain(&priced.definition, detail)));
                }
            }
        }
        if found.is_empty() {
            return Err(self.no_such_tool(tool));
        }
        if self.format == StudyFormat::Json {
            return Ok(render::explain::json(&found, &self.failed, out)?);
        }
        for (place, (server, label, explanation)) in found.iter().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            render::explain::table(server, label, explanation, &self.look, out)?;
        }
        Ok(())
    }

    /// The error for a tool that no server has, with the names that are nearest.
    fn no_such_tool(&self, tool: &str) -> anyhow::Error {
        let labels = self.measured.iter().flat_map(|(_, measurement)| &measurement.tools);
        let mut near: Vec<(f64, String)> = labels
            .map(|priced| priced.definition.label().to_string())
            .map(|label| (strsim::jaro_winkler(tool, &label), label))
            .filter(|(likeness, _)| *likeness > 0.75)
            .collect();
        near.sort_by(|one, other| other.0.total_cmp(&one.0));
        let near: Vec<_> = near.iter().take(3).map(|(_, label)| format!("`{}`", visible(label))).collect();
        let tool = visible(tool);
        let which = if self.failed.is_empty() { "no server" } else { "no server that was measured" };
        match near.as_slice() {
            [] => anyhow::anyhow!("{which} lists a tool `{tool}`; `mcp-footprint report` shows the names"),
            near => anyhow::anyhow!("{which} lists a tool `{tool}`; did you mean {}?", near.join(", ")),
        }
    }

    fn advise(&self, top: Option<usize>, out: &mut Vec<u8>) -> io::Result<()> {
        if self.format == StudyFormat::Json {
            let all: Vec<_> = self
                .measured
                .iter()
                .map(|(name, measurement)| ((*name).to_owned(), self.advice(name, measurement)))
                .collect();
            return render::advice::json(&all, &self.failed, out);
        }
        self.each(out, |name, measurement, out| {
            render::advice::table(name, &self.advice(name, measurement), top, &self.look, out)
        })?;
        render::advice::risk(&self.look, out)
    }

    /// The advice on a server, without the rules that its entry in the budgets file silences.
    fn advice(&self, server: &str, measurement: &Measurement) -> Advice {
        let entry = self.budgets.and_then(|budgets| budgets.server(server));
        advise(measurement, &|rule| entry.is_some_and(|entry| entry.is_silenced(rule)))
    }

    fn defer(&self, conversation: Conversation, suggested: Option<usize>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let deferral = |name: &str, measurement: &Measurement| {
            let entry = self.budgets.and_then(|budgets| budgets.server(name));
            defer(self.called(name), measurement, entry.and_then(|entry| entry.defer.as_ref()), conversation)
        };

        let calls = |tool: &str| self.usage.get(tool).copied();
        if self.format == StudyFormat::Json {
            let priced = self.measured.iter().map(|&(name, measurement)| {
                (
                    name,
                    deferral(name, measurement),
                    suggested.map(|most| suggest(self.called(name), measurement, &calls, most)),
                )
            });
            return Ok(render::defer::json(&priced.collect::<Vec<_>>(), &self.failed, out)?);
        }
        self.each(out, |name, measurement, out| {
            render::defer::table(name, &deferral(name, measurement), &self.look, out)?;
            match suggested {
                Some(most) => {
                    render::defer::suggestion(&suggest(self.called(name), measurement, &calls, most), &self.look, out)
                }
                None => Ok(()),
            }
        })?;
        Ok(())
    }

    /// What a client calls a server: one of a client of budgets.toml has its name in the config, without the client's.
    fn called<'a>(&self, name: &'a str) -> &'a str {
        let is_client = |client: &str| {
            self.budgets.and_then(|budgets| budgets.server(client)).is_some_and(|entry| entry.kind() == Kind::Client)
        };
        client_of(name).filter(|(client, _)| is_client(client)).map_or(name, |(_, server)| server)
    }

    fn classes(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let of = |measurement: &Measurement| {
            let mut sum = BTreeMap::new();
            for (class, tokens) in measurement.tools.iter().flat_map(|tool| classes(&tool.definition)) {
                *sum.entry(class).or_insert(0) += tokens;
            }
            sum
        };
        if self.format == StudyFormat::Json {
            let all: Vec<_> = self
                .measured
                .iter()
                .map(|(name, measurement)| ((*name).to_owned(), *measurement, of(measurement)))
                .collect();
            return render::partition::classes_json(&all, &self.failed, out);
        }
        self.each(out, |name, measurement, out| {
            render::partition::classes(name, measurement, &of(measurement), &self.look, out)
        })
    }

    fn view(&self, view: view::View, out: &mut Vec<u8>) -> io::Result<()> {
        if self.format == StudyFormat::Json {
            return render::partition::view_json(&self.measured, &self.failed, view, out);
        }
        self.each(out, |name, measurement, out| render::partition::view(name, measurement, view, &self.look, out))
    }
}

/// What budgets.toml defers is gated by its line, and looked into as it was sent.
fn tell_deferred(budgets: Option<&Budgets>, measured: &Measured<'_>, err: &mut dyn Write) -> io::Result<()> {
    let defers =
        |name: &str| budgets.and_then(|budgets| budgets.server(name)).is_some_and(|entry| entry.defer.is_some());
    let names: Vec<_> = measured.iter().filter(|(name, _)| defers(name)).map(|(name, _)| visible(name)).collect();
    match names.as_slice() {
        [] => Ok(()),
        names => {
            let names = names.join(", ");
            writeln!(err, "note: budgets.toml defers tools of {names}; here every definition counts as it was sent")
        }
    }
}

/// A name that no server lists is most likely misspelled, and its tool counts as one that nobody counted.
fn tell_strangers(usage: &Usage, measured: &Measured<'_>, err: &mut dyn Write) -> io::Result<()> {
    let tools = measured.iter().flat_map(|(_, measurement)| &measurement.tools);
    let known: BTreeSet<String> = tools.map(|tool| tool.definition.label().to_string()).collect();
    let strangers: Vec<_> = usage.keys().filter(|name| !known.contains(*name)).map(|name| visible(name)).collect();
    match strangers.as_slice() {
        [] => Ok(()),
        names => writeln!(err, "warning: the usage file names tools that no server lists: {}", names.join(", ")),
    }
}
