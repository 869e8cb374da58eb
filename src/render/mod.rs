//! The documents: one report goes in, bytes come out. A format is one variant, one file and one arm of [`render`].
//!
//! Nothing here decides anything: verdicts, exit code and order come with the report, and no format looks at the
//! terminal, the environment or the clock.

mod base;
mod check;
mod diff;
mod grid;
mod json;
mod json_text;
mod look;
mod refusal;
mod remarks;
mod remedy;
mod since;
mod table;

use std::io::{self, Write};

use crate::report::Report;

pub use diff::{Comparison, DiffFormat, render_diff};
pub use look::Look;

/// The formats that a report can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Format {
    /// Ranked and aligned, for a person
    Table,
    /// Version 1 of the documented JSON, for programs
    Json,
}

/// Writes `report` as one document.
///
/// `look` is for the formats that people read; the others are the same everywhere. The writer is flushed.
///
/// # Errors
/// The writer's own; a reader that has gone is one of them.
pub fn render(format: Format, report: &Report, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    match format {
        Format::Table => table::write(report, look, &mut out)?,
        Format::Json => json::write(report, &mut out)?,
    }
    out.flush()
}
