//! The documents: one report goes in, bytes come out. A format is one variant, one file and one arm of [`render`].
//!
//! Nothing here decides anything: verdicts, exit code and order come with the report, and no format looks at the
//! terminal, the environment or the clock.

pub(crate) mod advice;
mod arguments;
mod audit;
mod audit_json;
mod base;
mod catalog;
mod check;
pub(crate) mod defer;
mod deferred;
mod diff;
mod entries;
pub(crate) mod explain;
mod fak;
mod finding;
mod github;
mod gitlab;
mod grid;
mod html;
mod json;
mod json_client;
mod json_text;
mod junit;
mod look;
mod markdown;
pub(crate) mod partition;
mod refusal;
mod remarks;
mod remedy;
mod sarif;
mod since;
mod table;
mod unmeasured;

use std::io::{self, Write};

use crate::audit::Audit;
use crate::report::Report;

/// The documents that have a JSON Schema, for the test that writes the schemas.
#[cfg(test)]
pub(crate) mod documents {
    pub(crate) use super::advice::Document as Advice;
    pub(crate) use super::audit_json::Document as Audit;
    pub(crate) use super::catalog::Document as Catalog;
    pub(crate) use super::defer::Document as Defer;
    pub(crate) use super::diff::Document as Diff;
    pub(crate) use super::explain::Document as Explain;
    pub(crate) use super::json::document::Document as Report;
    pub(crate) use super::partition::{FieldsDocument as Fields, ViewDocument as View};
}

pub use audit::AuditFormat;
pub use diff::{Comparison, DiffFormat, render_diff};
pub use github::{annotations, impossible, impossible_summary, step_summary};
pub use look::Look;
pub(crate) use remarks::{failures, notes_of as notes};

/// The formats that a report can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Format {
    /// Ranked and aligned, for a person
    Table,
    /// Version 1 of the documented JSON, for programs
    Json,
    /// Tables for pull requests and job summaries
    Markdown,
    /// JUnit XML, for CI systems that show tests
    Junit,
    /// GitLab's code quality report
    Gitlab,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// One page that works offline: a treemap, and a table to search and sort
    Html,
    /// A bounded catalogue of tools, with estimates, for stores of sessions
    Catalog,
    /// The document fak-mcp-footprint/1
    Fak,
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
        Format::Markdown => markdown::write(report, &mut out)?,
        Format::Junit => junit::write(report, &mut out)?,
        Format::Gitlab => gitlab::write(report, &mut out)?,
        Format::Catalog => catalog::write(report, &mut out)?,
        Format::Fak => fak::write(report, &mut out)?,
        Format::Sarif => sarif::write(report, &mut out)?,
        Format::Html => html::write(report, &mut out)?,
    }
    out.flush()
}

/// Writes `audit` as one document, like [`render`].
///
/// # Errors
/// The writer's own; a reader that has gone is one of them.
pub fn render_audit(format: AuditFormat, audit: &Audit, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    match format {
        AuditFormat::Table => audit::write(audit, look, &mut out)?,
        AuditFormat::Json => audit_json::write(audit, &mut out)?,
    }
    out.flush()
}
