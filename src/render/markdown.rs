//! Markdown for pull requests and job summaries: what changed first, then the bands, then the ranking folded away.
//!
//! Every text that a server could have written stands in a code span: there GitHub and GitLab read no HTML, no link,
//! no mention and no reference. What would end the span, or the cell of the table around it, is spelled out.

mod moved;

use std::fmt::Write as _;
use std::io::{self, Write};

use super::base;
use super::deferred;
use super::entries::{lead, size};
use super::finding::{self, LOOK};
use super::look::{LONGEST_MESSAGE, count, percent};
use super::refusal::{difference, unbanked};
use super::remedy::{self, Remedy};
use crate::advice;
use crate::base::{Comparison, Found};
use crate::codes::Failure;
use crate::report::{Gate, Measurement, Report, ServerReport};

/// The most columns of a name.
const LONGEST_NAME: usize = 100;
/// The most moved tools that are shown one by one.
const MOST_MOVED: usize = 50;
/// The most notes, and the most lines of standard error, of one server.
const MOST_LINES: usize = 20;

/// Writes the whole document.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(document(report, usize::MAX).as_bytes())
}

/// The document in at most `most` bytes: rankings are left out first, then whole servers, and it says so.
pub(super) fn document(report: &Report, most: usize) -> String {
    const ROOM_FOR_THE_LAST_LINE: usize = 200;
    let mut text =
        format!("## mcp-footprint: {}\n\nest. tokens, `{}`\n", finding::verdicts(report), report.estimator());
    if let Some(base) = &report.base {
        text.push_str(&against_base(base));
    }
    let most = most.saturating_sub(ROOM_FOR_THE_LAST_LINE);
    let mut left_out = 0;
    for server in &report.servers {
        let mut section = section(report, server);
        if text.len() + section.len() <= most
            && let Ok(measurement) = &server.outcome
        {
            let ranking = ranking(report, measurement);
            if text.len() + section.len() + ranking.len() <= most {
                section.push_str(&ranking);
            } else {
                let row = measurement.kind().row();
                let _ = write!(section, "\nThe ranking of the {row}s is too long for this place.\n");
            }
        }
        if left_out == 0 && text.len() + section.len() <= most {
            text.push_str(&section);
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        let _ = write!(text, "\n{} did not fit in here.\n", count(left_out, "more server"));
    }
    text
}

fn section(report: &Report, server: &ServerReport) -> String {
    match &server.outcome {
        Ok(measurement) => measured(report, server, measurement),
        Err(failure) => not_measured(server, failure),
    }
}

fn not_measured(server: &ServerReport, failure: &Failure) -> String {
    let name = span(&server.name, LONGEST_NAME);
    let message = span(&failure.message, LONGEST_MESSAGE);
    let mut text = format!("\n### {}{name}: not measured\n\n**{}**: {message}\n", lead(server), failure.code);
    if let Some(tail) = failure.stderr_tail.as_deref().filter(|tail| !tail.trim().is_empty()) {
        let lines: Vec<&str> = tail.trim_end().lines().collect();
        let last = &lines[lines.len().saturating_sub(MOST_LINES)..];
        let last: Vec<String> = last.iter().map(|line| LOOK.quote(&line.replace('\t', "    "), 600)).collect();
        let _ = write!(text, "\nThe last of its standard error:\n\n{}", block(&last.join("\n")));
    }
    text
}

fn measured(report: &Report, server: &ServerReport, measurement: &Measurement) -> String {
    let loosened = report.base.as_ref().is_some_and(|base| base.refuses(&server.name));
    let verdict = match &measurement.gate {
        None => "measured",
        Some(_) if measurement.is_refused() || loosened => "refused",
        Some(_) => "pass",
    };
    let totals = measurement.totals;
    let mut text = format!("\n### {}{}: {verdict}\n", lead(server), span(&server.name, LONGEST_NAME));
    if let Some(difference) = report.since(&server.name) {
        text.push_str(&moved::since_earlier(difference, measurement));
    }
    if let Some(gate) = &measurement.gate {
        text.push_str(&moved::since_the_pin(measurement, gate, report.since(&server.name)));
        text.push_str(&bands(gate));
        text.push_str(&savings(gate));
        text.push_str(&what_to_do(report, server, measurement, gate));
    }
    let _ = write!(
        text,
        "\n{}, floor {} tokens, {} of them in descriptions. The floor takes {} of a context window of {} tokens, on \
         every turn.\n",
        size(measurement),
        totals.floor,
        totals.descriptions,
        percent(totals.floor, report.context_window),
        report.context_window
    );
    if let Some(sentence) = deferred::sentence(measurement) {
        let _ = write!(text, "\nDeferred: {sentence}.\n");
    }
    text.push_str(&notes(measurement));
    text
}

/// What budgets.toml holds less than at its base.
fn against_base(base: &Comparison) -> String {
    let reference = span(&base.reference, LONGEST_NAME);
    let moved = match &base.found {
        Found::Here => String::new(),
        Found::Nowhere => return format!("\n{reference} has no such budgets file, so every budget is new.\n"),
        Found::Above(path) => {
            let above = base::above(&span(path, LONGEST_NAME));
            return format!("\n{reference} has no such budgets file, so every budget is new; {above}.\n");
        }
        Found::Moved(paths) => {
            let gone = base::gone(paths.iter().map(|path| span(path, LONGEST_NAME)));
            format!("\n{reference} has the budgets file as {gone}.\n")
        }
    };
    if base.differences.is_empty() {
        return format!("{moved}\nNothing is raised or loosened since {reference}.\n");
    }
    let mut text = format!("{moved}\n### Raised or loosened since {reference}\n\n");
    for difference in base.differences.iter().take(MOST_MOVED) {
        let verdict = if difference.is_refused() { "**refused**" } else { "has a reason" };
        let sentence = span(&base::sentence(base, difference, &LOOK), LONGEST_MESSAGE);
        let _ = writeln!(text, "- {verdict}, {}: {sentence}", base::code(difference));
    }
    if let Some(more) = base.differences.len().checked_sub(MOST_MOVED).filter(|more| *more > 0) {
        let _ = writeln!(text, "- and {more} more");
    }
    text
}

fn bands(gate: &Gate) -> String {
    let mut text = String::from("\n| band | measured | budget | difference | slack | verdict |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | --- |\n");
    for judged in &gate.judgements {
        let judgement = &judged.judgement;
        let verdict = judgement.reason.map_or("ok".to_owned(), |reason| format!("**`{reason}`**"));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {verdict} |",
            judgement.band.metric,
            judgement.measured,
            judgement.band.budget,
            difference(judgement),
            judgement.band.slack,
        );
    }
    for (judged, reason) in gate.refusals().filter(|(_, reason)| reason.is_growth()) {
        if let Some(why) = &judged.reason_text {
            let _ = write!(text, "\nLast raised before `{reason}` for: {}\n", span(why, LONGEST_MESSAGE));
        }
    }
    text
}

/// The way out where the refusal stands: what the tools that grew could do without.
fn savings(gate: &Gate) -> String {
    let saving = |found: &advice::Finding| {
        let tool = found.tool.as_deref().map(|tool| format!("{}: ", span(tool, LONGEST_NAME))).unwrap_or_default();
        let (saved, rule) = (found.saved, found.rule);
        // Its own backticks would end the span.
        format!("- **-{saved}** {tool}{} (`{rule}`)\n", span(&found.advice.replace('`', "'"), LONGEST_MESSAGE))
    };
    let savings: String = gate.savings.iter().map(saving).collect();
    if savings.is_empty() {
        savings
    } else {
        format!("\nWhat grew could save, measured by counting again:\n\n{savings}")
    }
}

fn what_to_do(report: &Report, server: &ServerReport, measurement: &Measurement, gate: &Gate) -> String {
    let sentence = |purpose: &str, command: &str| format!("\n{}\n\n{}", finding::sentence(purpose), block(command));
    if measurement.is_refused() {
        let ways = remedy::ways(report, &server.name, measurement, gate, false);
        return ways.iter().map(|(purpose, command)| sentence(purpose, command)).collect();
    }
    let spare: Vec<String> = unbanked(gate).iter().map(|(metric, spare)| format!("{metric} {spare}")).collect();
    if spare.is_empty() {
        return String::new();
    }
    let purpose = format!("Not banked yet: {}.", spare.join(", "));
    sentence(&purpose, &Remedy::Pin.command(&server.name, report, false))
}

fn notes(measurement: &Measurement) -> String {
    let mut text = String::new();
    for note in measurement.notes.iter().take(MOST_LINES) {
        let tool = note.tool.as_deref().map(|tool| format!("{}: ", span(tool, LONGEST_NAME))).unwrap_or_default();
        let _ = write!(text, "\n- {}: {tool}{}", note.code, span(&note.message, LONGEST_MESSAGE));
    }
    match measurement.notes.len().saturating_sub(MOST_LINES) {
        0 => {}
        more => {
            let _ = write!(text, "\n- … and {}", count(more as u64, "more note"));
        }
    }
    if text.is_empty() { text } else { text + "\n" }
}

fn ranking(report: &Report, measurement: &Measurement) -> String {
    let ranked = measurement.ranked_rows(report.sort);
    if ranked.is_empty() {
        return String::new();
    }
    let (shown, rest) = ranked.split_at(report.top.unwrap_or(usize::MAX).min(ranked.len()));
    let mut text =
        format!("\n<details>\n<summary>{}, ranked</summary>\n", count(ranked.len() as u64, measurement.row_word()));
    let _ = writeln!(text, "\n| {} | tokens | share | description | bytes |", measurement.kind().row());
    text.push_str("| --- | ---: | ---: | ---: | ---: |\n");
    for row in shown {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            span(&row.name, LONGEST_NAME),
            row.tokens,
            percent(row.tokens, measurement.totals.floor),
            row.description_tokens,
            row.bytes
        );
    }
    if !rest.is_empty() {
        let tokens: u64 = rest.iter().map(|row| row.tokens).sum();
        let share = percent(tokens, measurement.totals.floor);
        let more = count(rest.len() as u64, &format!("more {}", measurement.row_word()));
        let _ = writeln!(text, "| … and {more} | {tokens} | {share} | | |");
    }
    text.push_str("\n</details>\n");
    text
}

/// Hostile text as a code span of one line, in at most `width` columns and what the spelling adds.
fn span(text: &str, width: usize) -> String {
    let shown = LOOK.quote(text, width).replace('`', r"\u{60}").replace('|', r"\u{7c}");
    if shown.trim().is_empty() { "` `".to_owned() } else { format!("`{shown}`") }
}

/// Visible text as a code block whose fence is longer than any run of backticks in it.
pub(super) fn block(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}text\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_ends_only_where_it_was_ended() {
        assert_eq!(span("a`b``c|d\ne", 80), r"`a\u{60}b\u{60}\u{60}c\u{7c}d\ne`");
        assert_eq!(span("@team <b> #1 [x](y)", 80), "`@team <b> #1 [x](y)`");
        assert_eq!(span("", 80), "` `");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(block("a ```` b"), "`````text\na ```` b\n`````\n");
        assert_eq!(block("a"), "```text\na\n```\n");
    }
}
