//! GitLab's code quality report: a JSON array of findings, each with a place and a fingerprint.
//!
//! GitLab compares the fingerprints of two branches, so they must not depend on lines or numbers. Source of the
//! members: GitLab's documentation, "Code Quality report format".

use std::io::{self, Write};

use serde::Serialize;

use super::finding::{self, Finding, Level};
use super::json_text::Layout;
use crate::report::Report;

/// Writes every finding; an empty array when there is none.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let path = finding::budgets_path(report);
    let findings = finding::findings(report);
    let issues: Vec<Issue> = findings.iter().map(|finding| Issue::of(finding, report.estimator(), &path)).collect();
    issues.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'static str,
    fingerprint: &'a str,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}

impl<'a> Issue<'a> {
    fn of(finding: &'a Finding, estimator: &str, path: &'a str) -> Self {
        Issue {
            description: format!("{} [{estimator}]", finding.message),
            check_name: finding.code,
            fingerprint: &finding.fingerprint,
            severity: match finding.level {
                Level::Error => "major",
                Level::Note => "info",
            },
            // A place is required. What is about no line stands at the first.
            location: Location { path, lines: Lines { begin: finding.line.unwrap_or(1) } },
        }
    }
}
