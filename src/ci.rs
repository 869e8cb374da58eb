//! What a CI system is told beside the documents: where the refusals stand, and a summary of the step. Nothing here can
//! change a verdict: what cannot be written is said, and that is all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::budgets::{BudgetsError, within_repository};
use crate::cli::Ci;
use crate::render;
use crate::report::Report;
use crate::visible::visible_lines;

/// Tells the CI system about the report.
///
/// # Errors
/// Those of `err`.
pub(crate) fn tell(ci: Ci, report: &Report, err: &mut dyn Write) -> io::Result<()> {
    if !is_github(ci) {
        return Ok(());
    }
    render::annotations(report, err)?;
    summarize(&|taken| render::step_summary(report, taken), err)
}

/// Tells the CI system what made a check impossible, at its line of budgets.toml where that is known.
///
/// # Errors
/// Those of `err`.
pub(crate) fn tell_impossible(ci: Ci, error: &anyhow::Error, err: &mut dyn Write) -> io::Result<()> {
    if !is_github(ci) {
        return Ok(());
    }
    let of_file = error.chain().find_map(|cause| cause.downcast_ref::<BudgetsError>());
    let path = of_file.map(|fault| within_repository(&fault.path).unwrap_or_else(|| fault.path.clone()));
    let line = of_file.and_then(|fault| Some(fault.place?.line));
    let message = visible_lines(&format!("{error:#}"));
    render::impossible(path.as_deref(), line, &message, err)?;
    summarize(&|taken| render::impossible_summary(&message, taken), err)
}

fn is_github(ci: Ci) -> bool {
    let under_actions = || std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true");
    ci == Ci::Github || ci == Ci::Auto && under_actions()
}

/// Adds to the summary of the step what `text` makes of the room that is taken in it.
fn summarize(text: &dyn Fn(usize) -> Option<String>, err: &mut dyn Write) -> io::Result<()> {
    let path = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from);
    let Some(path) = path else { return Ok(()) };
    match append(&path, text) {
        Ok(true) => Ok(()),
        Ok(false) => writeln!(err, "warning: the summary of this step is full, and nothing was added to it"),
        Err(error) => writeln!(err, "warning: the step summary cannot be written: {error}"),
    }
}

/// Adds the text to the summary; `false` where that has no room for it.
fn append(path: &Path, text: &dyn Fn(usize) -> Option<String>) -> io::Result<bool> {
    let mut file = File::options().append(true).create(true).open(path)?;
    let taken = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    match text(taken) {
        Some(text) => file.write_all(text.as_bytes()).map(|()| true),
        None => Ok(false),
    }
}
