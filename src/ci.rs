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
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) else { return Ok(()) };
    match append(&path, &render::step_summary(report)) {
        Ok(()) => Ok(()),
        Err(error) => writeln!(err, "warning: the step summary cannot be written: {error}"),
    }
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    File::options().append(true).create(true).open(path)?.write_all(text.as_bytes())
}
