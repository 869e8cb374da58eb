//! What GitHub Actions shows outside the log: annotations as workflow commands, and the step summary.
//!
//! The caller decides whether this is GitHub and where the bytes go. Nothing that a server sent may end a command or
//! begin another one.

use std::io::{self, Write};

use super::finding::{self, Finding, Level};
use super::markdown;
use crate::report::Report;

/// GitHub shows at most ten errors of one step and drops the others without a word.
const MOST_ANNOTATIONS: usize = 10;

/// GitHub refuses a step summary of more than 1 MiB whole; some room is left for what else the step appends.
const LONGEST_SUMMARY: usize = 900 * 1024;

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
    let path = property(&finding::budgets_path(report));
    for error in shown {
        let place = match (error.line, &report.budgets) {
            (Some(line), _) => format!("file={path},line={line},"),
            (None, Some(_)) => format!("file={path},"),
            (None, None) => String::new(),
        };
        writeln!(out, "::error {place}title={}::{}", property(error.code), data(&error.message))?;
    }
    Ok(())
}

/// The report as Markdown for `$GITHUB_STEP_SUMMARY`, always below GitHub's limit of 1 MiB.
pub fn step_summary(report: &Report) -> String {
    markdown::document(report, LONGEST_SUMMARY)
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
