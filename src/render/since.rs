//! What moved since an earlier measurement, for a person: one line with the sum, then the tools, and for a refusal how
//! much of it came with this change.

use std::io::{self, Write};

use super::grid::{Grid, Row, Side};
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count};
use crate::diff::{FactDifference, ServerDifference, ToolDifference};
use crate::gate::{Judgement, Reason};
use crate::report::{Against, BudgetedJudgement, Gate, Report};

/// The most tools that are named one by one; the JSON holds all of them.
const MOST_TOOLS: usize = 20;
/// The most columns of a circumstance.
const LONGEST_FACT: usize = 200;

/// Writes what moved in every server.
pub(super) fn write(report: &Report, against: &Against, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let path = look.quote(&against.path.to_string_lossy(), LONGEST_MESSAGE);
    look.prose(out, (Tone::Heading, "this change: "), &format!("against {path}"))?;
    for server in &report.servers {
        let Some(difference) = against.servers.get(&server.name) else { continue };
        let name = look.quote(&server.name, LONGEST_NAME);
        match difference.before {
            None => {
                look.prose(out, (Tone::Plain, "  "), &format!("{name}: {}, not measured before", sum(difference)))?
            }
            Some(_) => look.prose(out, (Tone::Plain, "  "), &format!("{name}: {}", sum(difference)))?,
        }
        write_rows(difference, 4, look, out)?;
        write_facts(&difference.facts, 4, look, out)?;
        let gate = server.outcome.as_ref().ok().and_then(|measurement| measurement.gate.as_ref());
        for share in shares(gate, difference) {
            look.prose(out, (Tone::Plain, "    "), &share)?;
        }
    }
    Ok(())
}

/// `+123 tokens, 3 tools`: the floor, the descriptions where they moved, and how many tools did.
pub(super) fn sum(difference: &ServerDifference) -> String {
    let mut text = format!("{:+} tokens", difference.tokens());
    if difference.description_tokens() != 0 {
        text.push_str(&format!(" ({:+} of descriptions)", difference.description_tokens()));
    }
    format!("{text}, {}", count(difference.tools.len() as u64, difference.kind.row()))
}

/// How much of each refusal came since, a line for each.
pub(super) fn shares(gate: Option<&Gate>, difference: &ServerDifference) -> Vec<String> {
    let line = |(judged, reason): (&BudgetedJudgement, Reason)| {
        Some(format!("{reason}: {}", share(&judged.judgement, difference)?))
    };
    gate.into_iter().flat_map(Gate::refusals).filter_map(line).collect()
}

/// `inherited, +0 here`: how much of one refusal came since, whether it was there before, and the budget that it had
/// then. `None` where the server was not there.
pub(super) fn share(judgement: &Judgement, difference: &ServerDifference) -> Option<String> {
    let share = difference.share_of(judgement)?;
    let inherited = if share.inherited { "inherited, " } else { "" };
    let budget = share.budget_before.map(|budget| format!(", where the budget was {budget}")).unwrap_or_default();
    Some(format!("{inherited}{:+} here{budget}", share.difference))
}

/// Writes the rows that differ as a table.
pub(super) fn write_rows(
    difference: &ServerDifference,
    indent: usize,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let tools = &difference.tools;
    if tools.is_empty() {
        return Ok(());
    }
    let with_fields = tools.iter().any(|tool| !tool.fields.is_empty());
    let titles = [
        (Side::Left, difference.kind.row()),
        (Side::Left, ""),
        (Side::Right, "tokens"),
        (Side::Right, "of which description"),
    ];
    let fields_title = with_fields.then_some((Side::Left, "in"));
    let mut grid = Grid::new(indent, titles.into_iter().chain(fields_title));
    for tool in tools.iter().take(MOST_TOOLS) {
        let cells = [
            (Tone::Plain, look.name(&tool.tool).into_owned()),
            (Tone::Plain, tool.movement.to_string()),
            signed(tool.tokens),
            signed(tool.description_tokens),
        ];
        let fields = with_fields.then(|| (Tone::Secondary, look.quote(&tool.fields.join(", "), LONGEST_NAME)));
        grid.push(Row::new(cells.into_iter().chain(fields)));
    }
    if let Some(rest) = tools.get(MOST_TOOLS..).filter(|rest| !rest.is_empty()) {
        let total = |of: fn(&ToolDifference) -> i64| rest.iter().map(of).fold(0, i64::saturating_add);
        let cells = [
            (Tone::Secondary, format!("{} and {} more", look.ellipsis(), rest.len())),
            (Tone::Plain, String::new()),
            signed(total(|tool| tool.tokens)),
            signed(total(|tool| tool.description_tokens)),
        ];
        grid.push(Row::new(cells.into_iter().chain(with_fields.then(|| (Tone::Plain, String::new())))));
    }
    grid.write(out, look)
}

/// Writes the circumstances that differ, one a line.
pub(super) fn write_facts(facts: &[FactDifference], indent: usize, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let lead = " ".repeat(indent);
    for fact in facts {
        let side = |value: &Option<String>| match value {
            Some(value) => look.quote(value, LONGEST_FACT),
            // Where nothing is said of deferral, everything is sent.
            None if fact.fact == "defer" => "none".to_owned(),
            None => "not known".to_owned(),
        };
        let text = format!("another {}: {} -> {}", fact.fact, side(&fact.before), side(&fact.after));
        look.prose(out, (Tone::Secondary, &lead), &text)?;
    }
    Ok(())
}

fn signed(difference: i64) -> (Tone, String) {
    let tone = match difference {
        0 => Tone::Secondary,
        1.. => Tone::Refused,
        _ => Tone::Pass,
    };
    (tone, format!("{difference:+}"))
}
