//! Which tools to defer first: those that take most off the bill, by their tokens and by how often they are called.

use super::cold::{Globs, deferred};
use crate::budgets::defer_key;
use crate::definition::Label;
use crate::gate::signed_difference;
use crate::report::{Measurement, Priced};

/// A tool that may be deferred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// The tool.
    pub tool: &'a Priced,
    /// Calls per turn; 1 where nothing is known.
    pub calls: f64,
    /// Tokens of its definition minus those of the line that would be sent instead.
    pub saved: i64,
}

impl Candidate<'_> {
    /// Tokens times calls: its part of the weighted footprint bill.
    pub fn weighted(&self) -> f64 {
        self.tool.price.tokens as f64 * self.calls
    }
}

/// The tools to defer first, and what that would leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion<'a> {
    /// The tools, the largest weighted price first.
    pub tools: Vec<Candidate<'a>>,
    /// Tokens times calls over all tools of the server, a turn.
    pub bill: f64,
    /// Tokens of all definitions.
    pub everything: u64,
    /// The floor with these tools deferred, in tokens.
    pub floor: u64,
    /// Tokens of the client's tool that looks them up, beside that floor.
    pub lookup_tool: u64,
    /// How many tools nobody counted the calls of.
    pub uncounted: usize,
    /// What names these tools in the `defer` of budgets.toml.
    pub globs: Vec<String>,
}

impl Suggestion<'_> {
    /// The key of budgets.toml that defers these tools.
    pub fn key(&self) -> String {
        defer_key(&self.globs)
    }

    /// The part of the bill that is in the tools named.
    pub fn named(&self) -> f64 {
        self.tools.iter().map(Candidate::weighted).fold(0.0, |sum, weighted| sum + weighted)
    }
}

/// The `most` tools whose deferral takes most off the bill; none whose line costs what its definition does. A tool that
/// `calls` does not know counts as called once a turn; one without a name cannot be looked up, and is never suggested.
pub fn suggest<'a>(
    server: &str,
    measurement: &'a Measurement,
    calls: &dyn Fn(&str) -> Option<f64>,
    most: usize,
) -> Suggestion<'a> {
    let tools = &measurement.tools;
    let counted = |tool: &Priced| calls(&tool.definition.label().to_string());
    let called = |tool: &Priced| counted(tool).unwrap_or(1.0);
    let weight = |tool: &Priced| tool.price.tokens as f64 * called(tool);
    let named = |(place, tool): (usize, &'a Priced)| match tool.definition.label() {
        Label::Named(name) => Some((place, name.as_str(), weight(tool))),
        _ => None,
    };
    let every: Vec<(usize, &str, f64)> = tools.iter().enumerate().filter_map(named).collect();
    let all_late = deferred(server, &Globs::exactly(every.iter().map(|(_, name, _)| *name)), tools);
    let saves =
        |place: usize| all_late.lines[place].as_ref().is_some_and(|line| line.tokens < tools[place].price.tokens);
    let mut ranked: Vec<_> = every.into_iter().filter(|(place, ..)| saves(*place)).collect();
    ranked.sort_by(|one, other| other.2.total_cmp(&one.2).then(one.1.cmp(other.1)));
    ranked.truncate(most);
    let globs = Globs::exactly(ranked.iter().map(|(_, name, _)| *name));
    let after = deferred(server, &globs, tools);
    let candidate = |place: usize| {
        let (tool, line) = (&tools[place], after.lines[place].as_ref());
        let instead = line.map_or(tool.price.tokens, |line| line.tokens);
        Candidate { tool, calls: called(tool), saved: signed_difference(tool.price.tokens, instead) }
    };
    Suggestion {
        tools: ranked.iter().map(|(place, ..)| candidate(*place)).collect(),
        bill: tools.iter().map(weight).sum(),
        everything: after.everything,
        floor: after.floor(tools),
        lookup_tool: after.lookup_tool,
        uncounted: tools.iter().filter(|tool| counted(tool).is_none()).count(),
        globs: globs.written(),
    }
}
