//! What a CI system is told beside the documents: where the refusals stand, and a summary of the step. Nothing here can
//! change a verdict: what cannot be written is said, and that is all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::Ci;
use crate::render;
use crate::report::Report;

/// Tells the CI system about the report.
///
/// # Errors
/// Those of `err`.
pub(crate) fn tell(ci: Ci, report: &Report, err: &mut dyn Write) -> io::Result<()> {
    let under_actions = || std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true");
    if !(ci == Ci::Github || ci == Ci::Auto && under_actions()) {
        return Ok(());
    }
    render::annotations(report, err)?;
    let path = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from);
    let Some(path) = path else { return Ok(()) };
    match append(&path, report) {
        Ok(true) => Ok(()),
        Ok(false) => writeln!(err, "warning: the summary of this step is full, and nothing was added to it"),
        Err(error) => writeln!(err, "warning: the step summary cannot be written: {error}"),
    }
}

/// Adds the report to the summary; `false` where that has no room for it.
fn append(path: &Path, report: &Report) -> io::Result<bool> {
    let mut file = File::options().append(true).create(true).open(path)?;
    let taken = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    match render::step_summary(report, taken) {
        Some(text) => file.write_all(text.as_bytes()).map(|()| true),
        None => Ok(false),
    }
}
