//! What a report found wrong or worth saying, one by one, for the formats that list findings instead of tables.
//!
//! A finding's text is visible and on one line; each format escapes it further for where it goes.

use std::collections::HashSet;
use std::path::{Component, Path};

use sha2::{Digest, Sha256};

use super::base;
use super::entries::{lead, size};
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, count};
use super::remedy;
use super::since;
use crate::advice;
use crate::base::{Comparison, Difference};
use crate::codes::{Failure, Note};
use crate::gate::{Change, Judgement, Reason};
use crate::report::{BudgetedJudgement, Gate, Measurement, Report, ServerReport};
use crate::rows::RowKind;

/// The most moved tools that one finding names.
const MOST_MOVED: usize = 5;

/// These formats are the same everywhere, so nothing in them depends on a terminal.
pub(super) const LOOK: Look = Look { width: usize::MAX, ascii: false, color: false };

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// The gate refuses, or a server was not measured.
    Error,
    /// It wants saying and changes no verdict.
    Note,
}

/// One refused band, one server that was not measured, one note, or one piece of advice.
pub(super) struct Finding {
    /// The word of a reason, an error, a note or a rule of `advise`.
    pub(super) code: &'static str,
    pub(super) level: Level,
    /// What happened, to which server, and what to do. Visible text.
    pub(super) message: String,
    /// The line of budgets.toml that it is about, from 1; `None` where it is about no line.
    pub(super) line: Option<usize>,
    /// The same from run to run while the finding is the same; unique within the report.
    pub(super) fingerprint: String,
}

/// Everything found, in the order of the servers: errors before notes within each.
pub(super) fn findings(report: &Report) -> Vec<Finding> {
    let mut collected = Collected::default();
    for server in &report.servers {
        match &server.outcome {
            Err(failure) => collected.failure(report, server, failure),
            Ok(measurement) => {
                if let Some(gate) = &measurement.gate {
                    for (judged, reason) in gate.refusals() {
                        let message = refusal(report, server, measurement, gate, &judged.judgement, reason);
                        collected.refusal(server, judged, reason, message);
                    }
                }
                for note in &measurement.notes {
                    collected.note(report, server, note);
                }
            }
        }
    }
    if let Some(base) = &report.base {
        base.differences.iter().for_each(|difference| collected.loosening(base, difference));
    }
    collected.findings
}

/// What could be trimmed, where the report has advice: a note for each finding, with the saving that was measured.
pub(super) fn advice(report: &Report) -> Vec<Finding> {
    let mut collected = Collected::default();
    for server in &report.servers {
        let Ok(measurement) = &server.outcome else { continue };
        let Some(advised) = &measurement.advice else { continue };
        let late: HashSet<String> = measurement
            .rows()
            .filter(|row| matches!(row.kind, RowKind::Deferred(..)))
            .filter_map(|row| Some(row.definition()?.label().to_string()))
            .collect();
        for found in &advised.findings {
            let is_late = found.tool.as_ref().is_some_and(|tool| late.contains(tool));
            collected.advice(server, found, advised.line, is_late);
        }
    }
    collected.findings
}

#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
    seen: std::collections::HashMap<String, usize>,
}

impl Collected {
    fn refusal(&mut self, server: &ServerReport, judged: &BudgetedJudgement, reason: Reason, message: String) {
        let fingerprint = self.fingerprint(reason.as_str(), &server.name, None);
        let line = Some(judged.line);
        self.findings.push(Finding { code: reason.as_str(), level: Level::Error, message, line, fingerprint });
    }

    fn failure(&mut self, report: &Report, server: &ServerReport, failure: &Failure) {
        let code = failure.code.as_str();
        let fingerprint = self.fingerprint(code, &server.name, None);
        let name = LOOK.quote(&server.name, LONGEST_NAME);
        let message =
            format!("{}{name} was not measured: {}", lead(server), LOOK.quote(&failure.message, LONGEST_MESSAGE));
        self.findings.push(Finding { code, level: Level::Error, message, line: line_of(report, server), fingerprint });
    }

    fn loosening(&mut self, comparison: &Comparison, difference: &Difference) {
        let code = base::code(difference);
        let level = if difference.is_refused() { Level::Error } else { Level::Note };
        let what = format!("{}\0{}", difference.loosening, difference.metric.map_or("", |metric| metric.as_str()));
        let fingerprint = self.fingerprint(code, difference.server.as_deref().unwrap_or_default(), Some(&what));
        let message = base::sentence(comparison, difference, &LOOK);
        self.findings.push(Finding { code, level, message, line: difference.line, fingerprint });
    }

    fn note(&mut self, report: &Report, server: &ServerReport, note: &Note) {
        let code = note.code.as_str();
        let fingerprint = self.fingerprint(code, &server.name, note.tool.as_deref());
        let name = LOOK.quote(&server.name, LONGEST_NAME);
        let tool = note.tool.as_deref().map(|tool| format!("{}: ", LOOK.quote(tool, LONGEST_NAME))).unwrap_or_default();
        let message = format!("{name}: {tool}{}", LOOK.quote(&note.message, LONGEST_MESSAGE));
        self.findings.push(Finding { code, level: Level::Note, message, line: line_of(report, server), fingerprint });
    }

    fn advice(&mut self, server: &ServerReport, found: &advice::Finding, line: Option<usize>, is_late: bool) {
        let code = found.rule.as_str();
        let place = format!("{}\0{}", found.tool.as_deref().unwrap_or_default(), found.path);
        let fingerprint = self.fingerprint(code, &server.name, Some(&place));
        let name = LOOK.quote(&server.name, LONGEST_NAME);
        let tool = found.tool.as_deref().map(|tool| format!("{}: ", LOOK.quote(tool, LONGEST_NAME)));
        let at = if found.path.is_empty() {
            String::new()
        } else {
            format!(" At {}.", LOOK.quote(&found.path, LONGEST_NAME))
        };
        let saves = match found.saved {
            0 => "No saving can be measured.".to_owned(),
            saved if is_late => {
                format!("Saves {} of its definition, which is deferred.", count(saved, "est. token"))
            }
            saved => format!("Saves {}, measured by counting again.", count(saved, "est. token")),
        };
        let what = LOOK.quote(&found.advice, LONGEST_MESSAGE);
        let message = format!("{name}: {}{what} {saves}{at}", tool.unwrap_or_default());
        self.findings.push(Finding { code, level: Level::Note, message, line, fingerprint });
    }

    /// From the code, the server and the tool alone: lines and numbers move while the finding stays.
    fn fingerprint(&mut self, code: &str, server: &str, tool: Option<&str>) -> String {
        let key = format!("{code}\0{server}\0{}", tool.unwrap_or_default());
        let earlier = self.seen.entry(key.clone()).or_default();
        let place = *earlier;
        *earlier += 1;
        let digest = Sha256::digest(format!("{key}\0{place}").as_bytes());
        digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Where budgets.toml names the server, for what is about no number of it.
fn line_of(report: &Report, server: &ServerReport) -> Option<usize> {
    report.server_lines.get(&server.name).copied()
}

fn refusal(
    report: &Report,
    server: &ServerReport,
    measurement: &Measurement,
    gate: &Gate,
    judgement: &Judgement,
    reason: Reason,
) -> String {
    let name = format!("{}{}", lead(server), LOOK.quote(&server.name, LONGEST_NAME));
    let band = judgement.band;
    let unit = band.metric.unit();
    let size = size(measurement);
    let mut message = format!(
        "{name}, {size}: {} {} {unit} against a budget of {} ({:+}). {}",
        band.metric,
        judgement.measured,
        band.budget,
        judgement.difference(),
        reason.meaning()
    );
    if let Some(share) = report.since(&server.name).and_then(|since| since::share(judgement, since)) {
        message.push_str(&format!(" Against the earlier measurement: {share}."));
    }
    let moved = moved(&gate.changes);
    if !moved.is_empty() {
        message.push_str(&format!(" Moved since the last pin: {moved}."));
    }
    if reason.is_growth() && !gate.savings.is_empty() {
        message.push_str(&format!(" What grew could save {}.", savings(gate).join(", ")));
    }
    for (purpose, command) in remedy::ways(report, &server.name, measurement, gate, false) {
        message.push_str(&format!(" {} {command}", sentence(purpose)));
    }
    message
}

/// Visible text that keeps its lines.
pub(super) fn lines(text: &str) -> String {
    text.lines().map(|line| LOOK.show(&line.replace('\t', "    ")).into_owned()).collect::<Vec<_>>().join("\n")
}

/// The same words with a capital letter, to stand first.
pub(super) fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// What the definitions that grew could save: tokens, tool and rule of each. Visible text.
pub(super) fn savings(gate: &Gate) -> Vec<String> {
    let saving = |found: &advice::Finding| {
        let tool = found.tool.as_deref().map(|tool| format!(" in {}", LOOK.quote(tool, LONGEST_NAME)));
        format!("{}{} ({})", found.saved, tool.unwrap_or_default(), found.rule)
    };
    gate.savings.iter().map(saving).collect()
}

fn moved(changes: &[Change]) -> String {
    let mut parts: Vec<String> = changes
        .iter()
        .take(MOST_MOVED)
        .map(|change| format!("{} {:+} ({})", LOOK.quote(&change.tool, LONGEST_NAME), change.tokens, change.movement))
        .collect();
    if changes.len() > MOST_MOVED {
        parts.push(format!("and {} more", changes.len() - MOST_MOVED));
    }
    parts.join(", ")
}

/// `1 refused, 1 not measured, 3 inside their bands`: the servers of a report that was gated.
pub(super) fn verdicts(report: &Report) -> String {
    let of = |is: fn(&ServerReport) -> bool| report.servers.iter().filter(|server| is(server)).count();
    let refused = of(|server| server.outcome.as_ref().is_ok_and(Measurement::is_refused));
    let failed = of(|server| server.outcome.is_err());
    let rest = report.servers.len() - refused - failed;
    let well = if report.budgets.is_some() { "inside the budgets" } else { "measured" };
    let loosened = report.base.iter().flat_map(|base| &base.differences).filter(|found| found.is_refused()).count();
    let changes = if loosened == 1 { "gate change without a reason" } else { "gate changes without a reason" };
    [(refused, "refused"), (failed, "not measured"), (rest, well), (loosened, changes)]
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The path of budgets.toml, or of the one that would be, as web platforms write paths: from the root of the repository
/// where that is known, with slashes on every system. Visible text.
pub(super) fn budgets_path(report: &Report) -> String {
    let known = [&report.budgets_in_repository, &report.budgets, &report.listed_in].into_iter().flatten().next();
    with_slashes(known.map_or("budgets.toml".as_ref(), |path| path.as_path()))
}

/// A path with slashes, visible.
pub(super) fn with_slashes(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::RootDir if parts.is_empty() => parts.push(String::new()),
            Component::RootDir => {}
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    LOOK.show(&parts.join("/")).into_owned()
}
