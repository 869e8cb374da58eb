//! What GitHub Actions shows outside the log: annotations as workflow commands, and the step summary.
//!
//! The caller decides whether this is GitHub and where the bytes go. Nothing that a server sent may end a command or
//! begin another one.

use std::io::{self, Write};
use std::path::Path;

use super::finding::{self, Finding, Level};
use super::markdown::{self, block};
use crate::report::Report;

/// GitHub shows at most ten errors of one step and drops the others without a word.
const MOST_ANNOTATIONS: usize = 10;

/// GitHub refuses the summary of a step whole where it is longer.
const LONGEST_SUMMARY: usize = 1024 * 1024;
/// The part of it that is left for what else the step appends.
const OTHERS: usize = 124 * 1024;

/// Writes workflow commands for standard error: a summary, then a line for each refusal and each server that was not
/// measured, at most ten together. Nothing when there is no such thing.
///
/// # Errors
/// The writer's own.
pub fn annotations(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let findings = finding::findings(report);
    let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.level == Level::Error).collect();
    if errors.is_empty() {
        return Ok(());
    }
    let shown = &errors[..errors.len().min(MOST_ANNOTATIONS - 1)];
    let mut summary = format!("{} (est. tokens, {})", finding::verdicts(report), report.estimator());
    if shown.len() < errors.len() {
        summary.push_str(&format!(
            "; the first {} of {} errors are annotated, the log has them all",
            shown.len(),
            errors.len()
        ));
    }
    writeln!(out, "::error title=mcp-footprint::{}", data(&summary))?;
    let path = finding::budgets_path(report);
    for error in shown {
        let place = place((error.line.is_some() || report.budgets.is_some()).then_some(&*path), error.line);
        writeln!(out, "::error {place}title={}::{}", property(error.code), data(&error.message))?;
    }
    Ok(())
}

/// Writes the workflow command for what made a check impossible, at its place in a file where that is known. The
/// message is visible text.
///
/// # Errors
/// The writer's own.
pub fn impossible(file: Option<&Path>, line: Option<usize>, message: &str, out: &mut dyn Write) -> io::Result<()> {
    let place = place(file.map(finding::with_slashes).as_deref(), line);
    writeln!(out, "::error {place}title=mcp-footprint::{}", data(message))
}

/// What made a check impossible, as Markdown for `$GITHUB_STEP_SUMMARY`; `None` where there is no room for it. The
/// message is visible text.
pub fn impossible_summary(message: &str, taken: usize) -> Option<String> {
    let text = format!("## mcp-footprint: error\n\nNothing was measured, so nothing passed.\n\n{}", block(message));
    Some(text).filter(|text| taken.saturating_add(text.len()) <= LONGEST_SUMMARY)
}

/// The properties of a command that say where it belongs.
fn place(file: Option<&str>, line: Option<usize>) -> String {
    let line = line.map(|line| format!("line={line},")).unwrap_or_default();
    file.map(|file| format!("file={},{line}", property(file))).unwrap_or_default()
}

/// The report as Markdown for `$GITHUB_STEP_SUMMARY`, of which `taken` bytes are there already: together they stay within
/// GitHub's limit of 1 MiB. `None` where there is no room for it.
pub fn step_summary(report: &Report, taken: usize) -> Option<String> {
    let room = LONGEST_SUMMARY.saturating_sub(taken);
    Some(markdown::document(report, room.min(LONGEST_SUMMARY - OTHERS))).filter(|text| text.len() <= room)
}

/// Text after the second `::` of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_neither_ended_nor_begun_by_its_text() {
        assert_eq!(data("100%\r\n::error::x"), "100%25%0D%0A::error::x");
        assert_eq!(property("a,line=1::b%"), "a%2Cline=1%3A%3Ab%25");
    }
}
