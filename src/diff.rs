//! (a snapshot before, a snapshot after) -> what moved, and what else was other. Pure.
//!
//! Two measurements differ because the server did, because its surroundings did, or because only a text did: each of
//! these is told here, so that nobody has to guess from two totals.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::codes::vocabulary;
use crate::gate::{self, Band, Cost, Judgement, Movement, Totals};
use crate::kind::Kind;
use crate::snapshot::{Listed, Member, Snapshot};

vocabulary! {
    /// How a tool differs.
    ToolMovement {
        /// It was not there.
        New = "new",
        /// It is no longer there.
        Gone = "gone",
        /// It costs more.
        Grew = "grew",
        /// It costs less.
        Shrank = "shrank",
        /// It costs the same, and its text is another.
        Reworded = "reworded",
    }
}

impl From<Movement> for ToolMovement {
    fn from(movement: Movement) -> Self {
        match movement {
            Movement::New => ToolMovement::New,
            Movement::Gone => ToolMovement::Gone,
            Movement::Grew => ToolMovement::Grew,
            Movement::Shrank => ToolMovement::Shrank,
        }
    }
}

/// One tool that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDifference {
    /// Its label. Hostile text.
    pub tool: String,
    /// How it moved.
    pub movement: ToolMovement,
    /// Tokens after minus tokens before.
    pub tokens: i64,
    /// Description tokens after minus before.
    pub description_tokens: i64,
    /// The top-level members of the definition whose text is another, or its tokens where a side does not know the text;
    /// sorted. Empty where a side knows no members.
    pub fields: Vec<String>,
}

/// A circumstance that differs; `None` where one side does not know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactDifference {
    /// Which, such as `version`.
    pub fact: &'static str,
    /// Before. May be hostile text.
    pub before: Option<String>,
    /// After. May be hostile text.
    pub after: Option<String>,
}

/// One server before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerDifference {
    /// Its name. May be hostile text.
    pub name: String,
    /// Whether it is one server, or a client whose servers are the rows.
    pub kind: Kind,
    /// The totals before; `None` where the server was not there, or not pinned.
    pub before: Option<Totals>,
    /// The totals after; `None` where the server is no longer there, or not pinned.
    pub after: Option<Totals>,
    /// Whether a side is an entry without pins: then nothing is known of what it cost, and no tool is compared.
    pub unpinned: bool,
    /// The tools that differ: those that moved, largest first, then those that were reworded, by name.
    pub tools: Vec<ToolDifference>,
    /// The circumstances that differ.
    pub facts: Vec<FactDifference>,
    /// What the server was held to before; `None` where that is not known.
    pub bands: Option<Vec<Band>>,
}

/// How much of a judgement came with a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Measured now minus measured before, in the unit of the band.
    pub difference: i64,
    /// Whether the gate refused for the same reason before. Where what it held to then is not known, the band of now
    /// is asked.
    pub inherited: bool,
    /// The budget before, where it is known to be another.
    pub budget_before: Option<u64>,
}

impl ServerDifference {
    /// Floor after minus before.
    pub fn tokens(&self) -> i64 {
        self.total(|totals| totals.floor)
    }

    /// Description tokens after minus before.
    pub fn description_tokens(&self) -> i64 {
        self.total(|totals| totals.descriptions)
    }

    fn total(&self, of: fn(&Totals) -> u64) -> i64 {
        gate::signed_difference(self.after.as_ref().map_or(0, of), self.before.as_ref().map_or(0, of))
    }

    /// How much of a judgement came with this change. `None` where the server was not there.
    pub fn share_of(&self, judgement: &Judgement) -> Option<Share> {
        let before = self.before.as_ref()?;
        let metric = judgement.band.metric;
        let held: Vec<Band> = match &self.bands {
            Some(bands) => bands.iter().filter(|band| band.metric == metric).copied().collect(),
            None => vec![judgement.band],
        };
        let refused_alike = |earlier: &Judgement| earlier.reason.is_some() && earlier.reason == judgement.reason;
        Some(Share {
            difference: gate::signed_difference(judgement.measured, before.of(metric)),
            inherited: !held.is_empty() && gate::judge(before, &held).iter().all(refused_alike),
            budget_before: held.iter().map(|band| band.budget).find(|budget| *budget != judgement.band.budget),
        })
    }
}

/// Compares servers by name, in the order of `after`, then those that are gone. One server on each side is the same
/// server, whatever it is called.
pub fn servers(before: &[Snapshot], after: &[Snapshot]) -> Vec<ServerDifference> {
    if let ([old], [new]) = (before, after)
        && old.kind == new.kind
    {
        return vec![server(Some(old), Some(new))];
    }
    let same = |list: &'_ [Snapshot], one: &Snapshot| {
        list.iter().position(|other| other.name == one.name && other.kind == one.kind)
    };
    let there = after.iter().map(|new| server(same(before, new).map(|place| &before[place]), Some(new)));
    let gone = before.iter().filter(|old| same(after, old).is_none()).map(|old| server(Some(old), None));
    there.chain(gone).collect()
}

/// Compares one server.
pub fn server(before: Option<&Snapshot>, after: Option<&Snapshot>) -> ServerDifference {
    let nothing = (BTreeMap::new(), BTreeMap::new());
    let side = |snapshot: Option<&'_ Snapshot>| {
        snapshot.map_or(nothing.clone(), |snapshot| (snapshot.tools.clone(), snapshot.facts.clone()))
    };
    let ((old_tools, old_facts), (new_tools, new_facts)) = (side(before), side(after));
    let unpinned = before.into_iter().chain(after).any(|snapshot| snapshot.totals.is_none());
    ServerDifference {
        name: after.or(before).map(|snapshot| snapshot.name.clone()).unwrap_or_default(),
        kind: after.or(before).map_or(Kind::Server, |snapshot| snapshot.kind),
        before: before.and_then(|snapshot| snapshot.totals),
        after: after.and_then(|snapshot| snapshot.totals),
        unpinned,
        tools: if unpinned { Vec::new() } else { tools(&old_tools, &new_tools) },
        facts: match (before, after) {
            (Some(old), Some(new)) => name(old, new).chain(facts(&old_facts, &new_facts)).collect(),
            _ => Vec::new(),
        },
        bands: None,
    }
}

fn tools(before: &BTreeMap<String, Listed>, after: &BTreeMap<String, Listed>) -> Vec<ToolDifference> {
    let costs = |tools: &BTreeMap<String, Listed>| -> BTreeMap<String, Cost> {
        tools.iter().map(|(name, listed)| (name.clone(), listed.cost)).collect()
    };
    let moved = gate::changes(&costs(before), &costs(after)).into_iter().map(|change| ToolDifference {
        fields: match (before.get(&change.tool), after.get(&change.tool)) {
            (Some(old), Some(new)) => fields(old, new),
            _ => Vec::new(),
        },
        movement: change.movement.into(),
        tool: change.tool,
        tokens: change.tokens,
        description_tokens: change.description_tokens,
    });
    let reworded = before.iter().filter_map(|(name, old)| {
        let new = after.get(name)?;
        let texts_known = !old.digests.is_empty() && !new.digests.is_empty();
        (old.cost == new.cost && texts_known && old.digests != new.digests).then(|| ToolDifference {
            tool: name.clone(),
            movement: ToolMovement::Reworded,
            tokens: 0,
            description_tokens: 0,
            fields: fields(old, new),
        })
    });
    moved.chain(reworded).collect()
}

fn fields(before: &Listed, after: &Listed) -> Vec<String> {
    if before.fields.is_empty() || after.fields.is_empty() {
        return Vec::new();
    }
    let names: BTreeSet<&String> = before.fields.keys().chain(after.fields.keys()).collect();
    let differs = |name: &&&String| match (before.fields.get(**name), after.fields.get(**name)) {
        (Some(Member { text: Some(old), .. }), Some(Member { text: Some(new), .. })) => old != new,
        (Some(old), Some(new)) => old.tokens != new.tokens,
        _ => true,
    };
    names.iter().filter(differs).map(|name| (*name).clone()).collect()
}

/// Two lone servers are compared whatever they are called, and their names are told where they differ.
fn name(before: &Snapshot, after: &Snapshot) -> impl Iterator<Item = FactDifference> {
    let names = (before.name != after.name).then(|| (before.name.clone(), after.name.clone()));
    names.into_iter().map(|(old, new)| FactDifference { fact: "name", before: Some(old), after: Some(new) })
}

fn facts(before: &BTreeMap<&'static str, String>, after: &BTreeMap<&'static str, String>) -> Vec<FactDifference> {
    let names: BTreeSet<&'static str> = before.keys().chain(after.keys()).copied().collect();
    names
        .into_iter()
        .filter(|name| before.get(name) != after.get(name))
        .map(|fact| FactDifference { fact, before: before.get(fact).cloned(), after: after.get(fact).cloned() })
        .collect()
}
