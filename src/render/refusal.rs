//! One refused server, for a person who has five seconds: which band, by how much, what moved, and the command.

use std::io::{self, Write};
use std::path::Path;

use super::entries::{lead, size};
use super::grid::{Grid, Row, Side};
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone};
use super::remedy;
use crate::codes::NoteCode;
use crate::gate::{Change, Judgement, Metric, Reason};
use crate::report::{BudgetedJudgement, Gate, Measurement, Report, ServerReport};

/// The most moved tools that are shown one by one.
const MOST_MOVED: usize = 10;
/// The most columns of the name of the file that holds the budgets, so that the reasons beside it stay whole.
const LONGEST_FILE_NAME: usize = 20;

/// A server that the gate refuses.
pub(super) struct Refusal<'a> {
    pub(super) report: &'a Report,
    pub(super) budgets: &'a Path,
    pub(super) server: &'a ServerReport,
    pub(super) measurement: &'a Measurement,
    pub(super) gate: &'a Gate,
}

impl Refusal<'_> {
    pub(super) fn write(&self, look: &Look, out: &mut dyn Write) -> io::Result<()> {
        let size = size(self.measurement);
        let which = format!("{}{}, {size}", lead(self.server), look.quote(&self.server.name, LONGEST_NAME));
        look.prose(out, (Tone::Refused, "REFUSED  "), &which)?;
        self.reasons(look).write(out, look)?;
        self.why_it_is_so(look, out)?;
        self.moved(look, out)?;
        self.what_could_be_saved(look, out)?;
        self.what_to_do(look, out)
    }

    fn reasons(&self, look: &Look) -> Grid {
        let right = |title| (Side::Right, title);
        let titles = [(Side::Left, "reason"), right("measured"), right("budget"), right("difference")];
        let mut grid = Grid::new(2, titles.into_iter().chain([(Side::Left, "where")]));
        for (judged, reason) in self.gate.refusals() {
            let judgement = &judged.judgement;
            grid.push(Row::new([
                (Tone::Refused, reason.to_string()),
                (Tone::Plain, judgement.measured.to_string()),
                (Tone::Plain, judgement.band.budget.to_string()),
                (Tone::Refused, difference(judgement)),
                (Tone::Secondary, self.place(judged, look)),
            ]));
        }
        grid
    }

    fn place(&self, judged: &BudgetedJudgement, look: &Look) -> String {
        let file = self.budgets.to_string_lossy();
        format!("{}:{}", look.quote(&file, LONGEST_FILE_NAME), judged.line)
    }

    /// What the numbers alone do not tell: why the budget stands where it does, and which definition is the heaviest.
    fn why_it_is_so(&self, look: &Look, out: &mut dyn Write) -> io::Result<()> {
        for (judged, reason) in self.gate.refusals().filter(|(_, reason)| reason.is_growth()) {
            if let Some(why) = &judged.reason_text {
                let text =
                    format!("{} was last raised for: {}", self.place(judged, look), look.quote(why, LONGEST_MESSAGE));
                look.prose(out, (Tone::Secondary, "  "), &text)?;
            }
            if reason == Reason::LargestBudgetExceeded {
                let name = self.measurement.heaviest().unwrap_or_default();
                look.prose(
                    out,
                    (Tone::Secondary, "  "),
                    &format!("the heaviest tool is {}", look.quote(&name, LONGEST_NAME)),
                )?;
            }
        }
        Ok(())
    }

    fn moved(&self, look: &Look, out: &mut dyn Write) -> io::Result<()> {
        let changes = &self.gate.changes;
        if changes.is_empty() {
            let has_pins = !self.measurement.notes.iter().any(|note| note.code == NoteCode::NoPins);
            let row = self.measurement.kind().row();
            return if has_pins { writeln!(out, "\n  no {row} moved since the last pin") } else { Ok(()) };
        }
        writeln!(out)?;
        let titles = [(Side::Left, "moved since the last pin"), (Side::Left, ""), (Side::Right, "tokens")];
        let mut grid = Grid::new(2, titles.into_iter().chain([(Side::Right, "of which description")]));
        for change in changes.iter().take(MOST_MOVED) {
            grid.push(Row::new([
                (Tone::Plain, look.name(&change.tool).into_owned()),
                (Tone::Plain, change.movement.to_string()),
                signed(change.tokens),
                signed(change.description_tokens),
            ]));
        }
        if let Some(rest) = changes.get(MOST_MOVED..).filter(|rest| !rest.is_empty()) {
            let sum = |of: fn(&Change) -> i64| rest.iter().map(of).fold(0, i64::saturating_add);
            grid.push(Row::new([
                (Tone::Secondary, format!("{} and {} more", look.ellipsis(), rest.len())),
                (Tone::Plain, String::new()),
                signed(sum(|change| change.tokens)),
                signed(sum(|change| change.description_tokens)),
            ]));
        }
        grid.write(out, look)
    }

    /// The way out where the refusal stands: what the tools that grew could do without.
    fn what_could_be_saved(&self, look: &Look, out: &mut dyn Write) -> io::Result<()> {
        if self.gate.savings.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n  what grew could save, measured by counting again:")?;
        for finding in &self.gate.savings {
            let lead = format!("{:>8}  ", -(finding.saved as i64));
            look.prose(out, (Tone::Pass, &lead), &super::advice::text(finding, look))?;
        }
        Ok(())
    }

    fn what_to_do(&self, look: &Look, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)?;
        for (purpose, command) in remedy::ways(self.report, &self.server.name, self.measurement, self.gate, look.ascii)
        {
            writeln!(out, "  {purpose}\n    {}", look.tint(Tone::Heading, &command))?;
        }
        Ok(())
    }
}

/// The signed difference with its unit: `+1 token`, `-3 tools`.
pub(super) fn difference(judgement: &Judgement) -> String {
    let difference = judgement.difference();
    let unit = judgement.band.metric.unit_of(difference.unsigned_abs());
    format!("{difference:+} {unit}")
}

/// A signed difference in tokens; more of them is the bad direction.
fn signed(difference: i64) -> (Tone, String) {
    let tone = match difference {
        0 => Tone::Secondary,
        1.. => Tone::Refused,
        _ => Tone::Pass,
    };
    (tone, format!("{difference:+}"))
}

/// The bands of a passing server that hold tokens below their budget: metric and how many.
pub(super) fn unbanked(gate: &Gate) -> Vec<(Metric, u64)> {
    let below = |judged: &BudgetedJudgement| {
        let judgement = &judged.judgement;
        let spare = judgement.band.budget.saturating_sub(judgement.measured);
        (spare > 0).then_some((judgement.band.metric, spare))
    };
    gate.judgements.iter().filter_map(below).collect()
}
