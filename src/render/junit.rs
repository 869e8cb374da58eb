//! JUnit XML: a suite for each server, a test for its measurement and one for each band.
//!
//! XML cannot carry control characters, so text from servers is made visible first.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};

use super::base;
use super::finding::{self, LOOK};
use super::look::{LONGEST_MESSAGE, LONGEST_NAME};
use super::refusal;
use super::remedy;
use super::since;
use crate::base::Comparison;
use crate::codes::Failure;
use crate::diff::ServerDifference;
use crate::gate::Reason;
use crate::price::ESTIMATOR;
use crate::report::{BudgetedJudgement, Gate, Measurement, Report, ServerReport};

/// Writes the report. What was refused is a failure, what was not measured is an error.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut document = quick_junit::Report::new("mcp-footprint");
    for server in &report.servers {
        document.add_test_suite(suite(report, server));
    }
    if let Some(base) = report.base.as_ref().filter(|base| !base.differences.is_empty()) {
        document.add_test_suite(against_base(base));
    }
    // Written at once, because quick-junit's error no longer says that a reader has gone.
    let text = document.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn suite(report: &Report, server: &ServerReport) -> TestSuite {
    let name = text(&LOOK.quote(&server.name, LONGEST_NAME));
    let mut suite = TestSuite::new(name.as_str());
    let estimator = server.outcome.as_ref().map_or(ESTIMATOR, Measurement::estimator);
    suite.add_property(Property::new("estimator", estimator));
    match &server.outcome {
        Err(failure) => {
            suite.add_test_case(not_measured(&name, failure));
        }
        Ok(measurement) => {
            suite.add_test_case(measured(&name, measurement, report.since(&server.name)));
            if let Some(gate) = &measurement.gate {
                suite.add_test_cases(
                    gate.judgements.iter().map(|judged| band(&name, report, server, measurement, gate, judged)),
                );
            }
            if !measurement.notes.is_empty() {
                suite.set_system_out(notes(measurement));
            }
        }
    }
    suite
}

/// What is raised or loosened since the base: a test for each, which passes with a new reason.
fn against_base(comparison: &Comparison) -> TestSuite {
    let name = text(&format!("against the base {}", LOOK.quote(&comparison.reference, LONGEST_NAME)));
    let mut suite = TestSuite::new(name.as_str());
    for difference in &comparison.differences {
        let sentence = text(&base::sentence(comparison, difference, &LOOK));
        let mut status = TestCaseStatus::success();
        if difference.is_refused() {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(base::code(difference)).set_message(sentence.as_str());
        }
        let server = difference.server.as_deref().map(|server| LOOK.quote(server, LONGEST_NAME)).unwrap_or_default();
        let what =
            [server.as_str(), difference.loosening.as_str(), difference.metric.map_or("", |metric| metric.as_str())];
        let mut case = case(&text(what.join(" ").trim()), &name, status);
        case.set_system_out(sentence);
        suite.add_test_case(case);
    }
    suite
}

fn measured(class: &str, measurement: &Measurement, since: Option<&ServerDifference>) -> TestCase {
    let totals = measurement.totals;
    let mut case = case("measured", class, TestCaseStatus::success());
    if let Some(members) = &measurement.members {
        case.add_property(Property::new("servers", members.len().to_string()));
    }
    case.add_property(Property::new("tools", totals.tools.to_string()));
    case.add_property(Property::new("floor_tokens", totals.floor.to_string()));
    if measurement.deferred.is_some() {
        case.add_property(Property::new("everything_tokens", measurement.everything().to_string()));
    }
    case.add_property(Property::new("description_tokens", totals.descriptions.to_string()));
    if let Some(difference) = since {
        let new = if difference.before.is_none() { ", not measured before" } else { "" };
        case.add_property(Property::new("this_change", format!("{}{new}", since::sum(difference))));
    }
    case
}

fn not_measured(class: &str, failure: &Failure) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(failure.code.as_str()).set_message(text(&LOOK.quote(&failure.message, LONGEST_MESSAGE)));
    let mut case = case("measured", class, status);
    if let Some(tail) = &failure.stderr_tail {
        case.set_system_err(lines(tail.lines()));
    }
    case
}

fn band(
    class: &str,
    report: &Report,
    server: &ServerReport,
    measurement: &Measurement,
    gate: &Gate,
    judged: &BudgetedJudgement,
) -> TestCase {
    let judgement = &judged.judgement;
    let status = match judgement.reason {
        None => TestCaseStatus::success(),
        Some(reason) => failed(report, server, measurement, gate, judged, reason),
    };
    let mut case = case(judgement.band.metric.as_str(), class, status);
    for (name, number) in
        [("measured", judgement.measured), ("budget", judgement.band.budget), ("slack", judgement.band.slack)]
    {
        case.add_property(Property::new(name, number.to_string()));
    }
    case
}

fn failed(
    report: &Report,
    server: &ServerReport,
    measurement: &Measurement,
    gate: &Gate,
    judged: &BudgetedJudgement,
    reason: Reason,
) -> TestCaseStatus {
    let judgement = &judged.judgement;
    let difference = refusal::difference(judgement);
    let since = report.since(&server.name).and_then(|since| since::share(judgement, since));
    let message = format!(
        "{} {} against a budget of {}: {difference}{}",
        judgement.band.metric,
        judgement.measured,
        judgement.band.budget,
        since.map(|share| format!(" ({share})")).unwrap_or_default()
    );
    let mut details: Vec<String> = gate
        .changes
        .iter()
        .map(|change| format!("{:+} {} ({})", change.tokens, LOOK.quote(&change.tool, LONGEST_NAME), change.movement))
        .collect();
    if reason.is_growth() {
        details.extend(finding::savings(gate).into_iter().map(|saving| format!("could save {saving}")));
    }
    for (purpose, command) in remedy::ways(report, &server.name, measurement, gate, false) {
        details.extend([finding::sentence(purpose), format!("  {command}")]);
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(reason.as_str()).set_message(message).set_description(lines(details.iter().map(String::as_str)));
    status
}

fn notes(measurement: &Measurement) -> String {
    let line = |note: &crate::codes::Note| {
        let tool = note.tool.as_deref().map(|tool| format!("{}: ", LOOK.quote(tool, LONGEST_NAME))).unwrap_or_default();
        format!("note: {tool}{} ({})", LOOK.quote(&note.message, LONGEST_MESSAGE), note.code)
    };
    let all: Vec<String> = measurement.notes.iter().map(line).collect();
    lines(all.iter().map(String::as_str))
}

fn case(name: &str, class: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

fn lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(|line| text(&LOOK.show(&line.replace('\t', "    ")))).collect::<Vec<_>>().join("\n")
}

/// Visible text without the two characters that have a shape and that XML forbids all the same.
fn text(visible: &str) -> String {
    visible.replace('\u{fffe}', r"\u{fffe}").replace('\u{ffff}', r"\u{ffff}")
}
