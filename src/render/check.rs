//! The verdict for a person: a line per server and band, then what needs saying, the refusals last, where the eye
//! is when the command has ended, and one line that sums up.

use std::io::{self, Write};
use std::path::Path;

use super::entries::{entries, title};
use super::grid::{Grid, Row, Side};
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count};
use super::refusal::{Refusal, unbanked};
use super::remedy::Remedy;
use super::{base, deferred, remarks, since};
use crate::codes::NoteCode;
use crate::gate::{Change, Judgement};
use crate::report::{Gate, Measurement, Report, ServerReport};

/// The most moved tools that are named for a server that passes.
const MOST_MOVED: usize = 5;

/// Writes the verdict on every server of `budgets`.
pub(super) fn write(report: &Report, budgets: &Path, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let path = budgets.to_string_lossy();
    let servers = entries(report);
    let path = look.quote(&path, LONGEST_MESSAGE);
    let headline = format!("{servers} against {path} (est. tokens, {})", report.estimator());
    look.prose(out, (Tone::Heading, "mcp-footprint: "), &headline)?;
    writeln!(out)?;
    bands(report, look).write(out, look)?;
    asides(report, look, out)?;
    for server in &report.servers {
        if let Err(failure) = &server.outcome {
            writeln!(out)?;
            remarks::failure(server, failure, look, out)?;
        }
    }
    for (server, measurement, gate) in gated(report).filter(|(_, measurement, _)| measurement.is_refused()) {
        writeln!(out)?;
        Refusal { report, budgets, server, measurement, gate }.write(look, out)?;
    }
    if let Some(against) = &report.against {
        writeln!(out)?;
        since::write(report, against, look, out)?;
    }
    if let Some(base) = &report.base {
        writeln!(out)?;
        base::write(base, look, out)?;
    }
    let (tone, summary) = summary(report);
    writeln!(out, "\n{}", look.tint(tone, &summary))
}

fn gated(report: &Report) -> impl Iterator<Item = (&ServerReport, &Measurement, &Gate)> {
    report.servers.iter().filter_map(|server| {
        let measurement = server.outcome.as_ref().ok()?;
        Some((server, measurement, measurement.gate.as_ref()?))
    })
}

/// The widest table that fits: the reasons are spelled out, as they are again with each refusal below; then in short;
/// then without the figures that follow from the others, so that no number pushes a verdict out of sight.
fn bands(report: &Report, look: &Look) -> Grid {
    const FIGURES: [&str; 4] = ["measured", "budget", "headroom", "slack"];
    let spelled_out = bands_with(report, look, &FIGURES, |judgement| judgement.reason.map(|reason| reason.as_str()));
    if spelled_out.fits(look) {
        return spelled_out;
    }
    let in_short = |figures: &[&'static str]| {
        bands_with(report, look, figures, |judgement| {
            judgement.reason.map(|reason| if reason.is_growth() { "exceeded" } else { "stale" })
        })
    };
    let narrower = [&FIGURES[..], &FIGURES[..3]].into_iter().map(in_short).find(|grid| grid.fits_with_names_cut(look));
    narrower.unwrap_or_else(|| in_short(&FIGURES[..2]))
}

fn bands_with(
    report: &Report,
    look: &Look,
    figures: &[&'static str],
    refusal: fn(&Judgement) -> Option<&'static str>,
) -> Grid {
    let numbers = figures.iter().map(|title| (Side::Right, *title));
    let titles = [(Side::Left, title(report)), (Side::Left, "band")].into_iter().chain(numbers);
    let mut grid = Grid::new(0, titles.chain([(Side::Left, "verdict")]));
    for server in &report.servers {
        let name = (Tone::Plain, look.name(&server.name).into_owned());
        match &server.outcome {
            Err(_) => {
                let dashes = std::iter::repeat_n((Tone::Secondary, "-".to_owned()), 1 + figures.len());
                grid.push(Row::new(
                    std::iter::once(name).chain(dashes).chain([(Tone::Refused, "not measured".to_owned())]),
                ));
            }
            Ok(measurement) => {
                for judged in measurement.gate.iter().flat_map(|gate| &gate.judgements) {
                    let refusal = refusal(&judged.judgement);
                    grid.push(band_row(name.clone(), &judged.judgement, figures.len(), refusal));
                }
            }
        }
    }
    grid
}

fn band_row(name: (Tone, String), judgement: &Judgement, figures: usize, refusal: Option<&str>) -> Row {
    let band = judgement.band;
    let headroom = judgement.difference().saturating_neg();
    let verdict = match refusal {
        None => (Tone::Pass, "ok".to_owned()),
        Some(refusal) => (Tone::Refused, refusal.to_owned()),
    };
    let numbers =
        [judgement.measured.to_string(), band.budget.to_string(), headroom.to_string(), band.slack.to_string()];
    let shown = std::iter::once(band.metric.to_string()).chain(numbers.into_iter().take(figures));
    Row::new(std::iter::once(name).chain(shown.map(|text| (Tone::Plain, text))).chain([verdict]))
}

/// Notes of every server, and what moved or waits to be banked under a pass.
fn asides(report: &Report, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let mut said = Vec::new();
    for (server, measurement, gate) in gated(report) {
        let name = look.quote(&server.name, LONGEST_NAME);
        // The line about what waits to be banked says it with the command.
        let notes = measurement.notes.iter().filter(|note| note.code != NoteCode::Unbanked);
        remarks::notes(notes, &format!("{name}: "), look, &mut said)?;
        if let Some(sentence) = deferred::sentence(measurement) {
            look.prose(&mut said, (Tone::Secondary, "deferred: "), &format!("{name}: {sentence}"))?;
        }
        if measurement.is_refused() {
            continue;
        }
        if !gate.changes.is_empty() {
            let moved = moved_in_short(&gate.changes, look);
            look.prose(&mut said, (Tone::Secondary, "moved: "), &format!("{name}: {moved}"))?;
        }
        let unbanked = unbanked(gate);
        if !unbanked.is_empty() {
            let parts: Vec<String> = unbanked.iter().map(|(metric, spare)| format!("{metric} {spare}")).collect();
            let lead = look.tint(Tone::Secondary, "unbanked: ").into_owned();
            let command = Remedy::Pin.command(&server.name, report, look.ascii);
            writeln!(said, "{lead}{name}: {} {} {command}", parts.join(", "), look.dot())?;
        }
    }
    if said.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    out.write_all(&said)
}

fn moved_in_short(changes: &[Change], look: &Look) -> String {
    let mut parts: Vec<String> = changes
        .iter()
        .take(MOST_MOVED)
        .map(|change| format!("{} {:+} ({})", look.quote(&change.tool, LONGEST_NAME), change.tokens, change.movement))
        .collect();
    if changes.len() > MOST_MOVED {
        parts.push(format!("{} and {} more", look.ellipsis(), changes.len() - MOST_MOVED));
    }
    parts.join(", ")
}

fn summary(report: &Report) -> (Tone, String) {
    let failed = report.servers.iter().filter(|server| server.outcome.is_err()).count();
    let refused = gated(report).filter(|(_, measurement, _)| measurement.is_refused()).count();
    let inside = gated(report).count() - refused;
    let mut parts = Vec::new();
    if inside > 0 {
        parts.push(format!("{inside} inside {} budgets", if inside == 1 { "its" } else { "their" }));
    }
    if refused > 0 {
        parts.push(format!("{refused} refused"));
    }
    if failed > 0 {
        parts.push(format!("{failed} not measured"));
    }
    let loosened = report.base.iter().flat_map(|base| &base.differences).filter(|found| found.is_refused()).count();
    if loosened > 0 {
        parts.push(format!("{} without a reason", count(loosened as u64, "gate change")));
    }
    let tone = if refused + failed + loosened > 0 { Tone::Refused } else { Tone::Pass };
    (tone, format!("{}: {}", entries(report), parts.join(", ")))
}
