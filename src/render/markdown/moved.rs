//! The tables of changes: what moved since an earlier measurement, and what moved since the last pin.

use std::fmt::Write as _;

use super::{LONGEST_NAME, MOST_MOVED, span};
use crate::diff::{FactDifference, ServerDifference, ToolDifference, ToolMovement};
use crate::gate::Change;
use crate::render::since;
use crate::report::{Gate, Measurement};

/// One line of a table.
struct Moved<'a> {
    tool: &'a str,
    movement: ToolMovement,
    tokens: i64,
    description_tokens: i64,
    fields: &'a [String],
}

impl<'a> Moved<'a> {
    fn since_the_pin(change: &'a Change) -> Self {
        Moved {
            tool: &change.tool,
            movement: change.movement.into(),
            tokens: change.tokens,
            description_tokens: change.description_tokens,
            fields: &[],
        }
    }

    fn since_earlier(tool: &'a ToolDifference) -> Self {
        Moved {
            tool: &tool.tool,
            movement: tool.movement,
            tokens: tool.tokens,
            description_tokens: tool.description_tokens,
            fields: &tool.fields,
        }
    }

    /// What it cost before; `None` where there was nothing, or where it cannot be told.
    fn before(&self, after: Option<u64>) -> Option<u64> {
        match self.movement {
            ToolMovement::New => None,
            ToolMovement::Gone => Some(self.tokens.unsigned_abs()),
            _ => after?.checked_add_signed(self.tokens.checked_neg()?),
        }
    }
}

/// The sum since an earlier measurement, its tools, and how much of each refusal came with it.
pub(super) fn since_earlier(difference: &ServerDifference, measurement: &Measurement) -> String {
    let new = if difference.before.is_none() { ", not measured before" } else { "" };
    let mut text = format!("\n**This change: {}{new}**\n", since::sum(difference));
    let tools: Vec<Moved<'_>> = difference.tools.iter().map(Moved::since_earlier).collect();
    text.push_str(&table(&tools, measurement));
    let shares = since::shares(measurement.gate.as_ref(), difference);
    let lines: Vec<String> = difference.facts.iter().map(fact).chain(shares).collect();
    for (place, line) in lines.iter().enumerate() {
        let _ = writeln!(text, "{}- {line}", if place == 0 { "\n" } else { "" });
    }
    text
}

/// The tools that moved since the last pin; in a few words where they are those of `earlier`, as on a branch whose base
/// is pinned.
pub(super) fn since_the_pin(measurement: &Measurement, gate: &Gate, earlier: Option<&ServerDifference>) -> String {
    if earlier.is_some_and(|earlier| are_the_same(&gate.changes, &earlier.tools)) {
        return "\nThe same moved since the last pin.\n".to_owned();
    }
    let tools: Vec<Moved<'_>> = gate.changes.iter().map(Moved::since_the_pin).collect();
    match table(&tools, measurement) {
        table if table.is_empty() => table,
        table => format!("\nMoved since the last pin:\n{table}"),
    }
}

fn are_the_same(changes: &[Change], tools: &[ToolDifference]) -> bool {
    let pinned = changes.iter().map(|change| (change.tool.as_str(), change.tokens, change.description_tokens));
    let moved = tools.iter().filter(|tool| tool.movement != ToolMovement::Reworded);
    !changes.is_empty() && pinned.eq(moved.map(|tool| (tool.tool.as_str(), tool.tokens, tool.description_tokens)))
}

fn fact(fact: &FactDifference) -> String {
    let side =
        |value: &Option<String>| value.as_deref().map_or("not known".to_owned(), |value| span(value, LONGEST_NAME));
    format!("another {}: {} → {}", fact.fact, side(&fact.before), side(&fact.after))
}

fn table(tools: &[Moved<'_>], measurement: &Measurement) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let with_fields = tools.iter().any(|tool| !tool.fields.is_empty());
    let (title, rule) = if with_fields { (" in |", " --- |") } else { ("", "") };
    let (costs, row) = (measurement.costs(), measurement.kind().row());
    let mut text = format!("\n| {row} | | before | after | difference | of which description |{title}\n");
    let _ = writeln!(text, "| --- | --- | ---: | ---: | ---: | ---: |{rule}");
    for tool in tools.iter().take(MOST_MOVED) {
        let after = costs.get(tool.tool).map(|cost| cost.tokens);
        let number = |number: Option<u64>| number.map_or("–".to_owned(), |number| number.to_string());
        let (before, after) = (number(tool.before(after)), number(after));
        let (name, movement, tokens) = (span(tool.tool, LONGEST_NAME), tool.movement, tool.tokens);
        let _ = write!(
            text,
            "| {name} | {movement} | {before} | {after} | **{tokens:+}** | {:+} |",
            tool.description_tokens
        );
        text.push_str(&if with_fields { fields(tool.fields) } else { String::new() });
        text.push('\n');
    }
    if let Some(rest) = tools.get(MOST_MOVED..).filter(|rest| !rest.is_empty()) {
        let sum = |of: fn(&Moved<'_>) -> i64| rest.iter().map(of).fold(0, i64::saturating_add);
        let (tokens, description) = (sum(|tool| tool.tokens), sum(|tool| tool.description_tokens));
        let end = if with_fields { " |" } else { "" };
        let _ = writeln!(text, "| … and {} more | | | | **{tokens:+}** | {description:+} |{end}", rest.len());
    }
    text
}

fn fields(fields: &[String]) -> String {
    if fields.is_empty() { " |".to_owned() } else { format!(" {} |", span(&fields.join(", "), LONGEST_NAME)) }
}
