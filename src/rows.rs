//! The rows of a measurement: what adds up to its floor. Without deferral a row is a definition; with it, a deferred
//! tool is the line that is sent in its place, and what stands around the lines is a row of its own. The rows of a
//! client are its servers.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::definition::{Definition, Label};
use crate::gate::Cost;
use crate::kind::Kind;
use crate::members::{Member, qualified};
use crate::price::{ESTIMATOR, ESTIMATOR_DEFERRED, Price};
use crate::report::{Measurement, Priced, SortKey};

/// The row of what stands around the lines of deferred tools.
pub const FRAME: &str = "deferred:<frame>";
/// What the row of a deferred tool begins with.
const DEFERRED: &str = "deferred:";

/// Which tools of a server are deferred, and what is sent in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferred {
    /// The globs that name them, as budgets.toml says.
    pub globs: Vec<String>,
    /// By the tool's place in the list: the price of its line; `None` for a tool that is always sent.
    pub lines: Vec<Option<Price>>,
    /// What stands around the lines; `None` where no tool is deferred.
    pub frame: Option<Price>,
    /// Tokens of all definitions: the floor with everything sent.
    pub everything: u64,
    /// Tokens of the tool that looks deferred tools up. It is the client's, and in no floor.
    pub lookup_tool: u64,
}

impl Deferred {
    /// The floor of these tools: the definitions that are always sent, the lines, and the frame.
    pub fn floor(&self, tools: &[Priced]) -> u64 {
        let sent = tools.iter().zip(&self.lines).filter(|(_, line)| line.is_none());
        sent.map(|(tool, _)| tool.price.tokens).sum::<u64>() + self.line_tokens() + self.frame_tokens()
    }

    /// How many tools are deferred.
    pub fn tools(&self) -> u64 {
        self.lines.iter().flatten().count() as u64
    }

    /// Tokens of their lines together.
    pub fn line_tokens(&self) -> u64 {
        self.lines.iter().flatten().map(|line| line.tokens).sum()
    }

    /// Tokens of what stands around the lines.
    pub fn frame_tokens(&self) -> u64 {
        self.frame.as_ref().map_or(0, |frame| frame.tokens)
    }
}

/// One part of the floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// What documents and pins call it. No two kinds of rows of a server share a name. Hostile text.
    pub name: Cow<'a, str>,
    /// Its tokens.
    pub tokens: u64,
    /// Tokens of its descriptions.
    pub description_tokens: u64,
    /// Its bytes.
    pub bytes: u64,
    /// What stands behind it.
    pub kind: RowKind<'a>,
}

/// What stands behind a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind<'a> {
    /// A definition that is always sent.
    Sent(&'a Priced),
    /// The definition that is deferred, and the line that is sent in its place. The description's tokens are those of
    /// the definition.
    Deferred(&'a Priced, &'a Price),
    /// What stands around the lines.
    Frame(&'a Price),
    /// A server of a client.
    Member(&'a Member),
}

impl<'a> Row<'a> {
    fn priced(name: Cow<'a, str>, price: &Price, kind: RowKind<'a>) -> Self {
        let Price { tokens, description_tokens, bytes, .. } = *price;
        Row { name, tokens, description_tokens, bytes, kind }
    }

    fn of_member(member: &'a Member) -> Self {
        let Measurement { totals, bytes, .. } = &member.measurement;
        Row {
            name: Cow::Borrowed(&member.name),
            tokens: totals.floor,
            description_tokens: totals.descriptions,
            bytes: *bytes,
            kind: RowKind::Member(member),
        }
    }

    /// The price of the one text that it is; `None` for a server of a client, which is many.
    pub fn price(&self) -> Option<&'a Price> {
        match self.kind {
            RowKind::Sent(tool) => Some(&tool.price),
            RowKind::Deferred(_, price) | RowKind::Frame(price) => Some(price),
            RowKind::Member(_) => None,
        }
    }

    /// The definition that it is about; `None` for the frame and for a server.
    pub fn definition(&self) -> Option<&'a Definition> {
        match self.kind {
            RowKind::Sent(tool) | RowKind::Deferred(tool, _) => Some(&tool.definition),
            RowKind::Frame(_) | RowKind::Member(_) => None,
        }
    }
}

impl Measurement {
    /// Names the encoder and the projection that the floor was counted with.
    pub fn estimator(&self) -> &'static str {
        if self.deferred.is_some() { ESTIMATOR_DEFERRED } else { ESTIMATOR }
    }

    /// Tokens of all definitions, whether or not they are deferred.
    pub fn everything(&self) -> u64 {
        self.deferred.as_ref().map_or(self.totals.floor, |deferred| deferred.everything)
    }

    /// What its rows stand for.
    pub fn kind(&self) -> Kind {
        if self.members.is_some() { Kind::Client } else { Kind::Server }
    }

    /// What one row is called in a count of them.
    pub fn row_word(&self) -> &'static str {
        if self.deferred.is_some() { "row" } else { self.kind().row() }
    }

    /// What adds up to the floor: the tools in the order in which they were listed, then the frame of deferral; of a
    /// client, its servers.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let frame = self.deferred.as_ref().and_then(|deferred| deferred.frame.as_ref());
        let frame = frame.map(|price| Row::priced(Cow::Borrowed(FRAME), price, RowKind::Frame(price)));
        let tools = self.tools.iter().enumerate().map(|(place, tool)| self.row(place, tool));
        self.members.iter().flatten().map(Row::of_member).chain(tools).chain(frame)
    }

    fn row<'a>(&'a self, place: usize, tool: &'a Priced) -> Row<'a> {
        let label = match tool.definition.label() {
            Label::Named(name) => Cow::Borrowed(name.as_str()),
            label => Cow::Owned(label.to_string()),
        };
        let sent = |name| Row::priced(name, &tool.price, RowKind::Sent(tool));
        match &self.deferred {
            None => sent(label),
            Some(deferred) => match deferred.lines.get(place).and_then(Option::as_ref) {
                Some(line) => Row::priced(Cow::Owned(deferred_name(&label)), line, RowKind::Deferred(tool, line)),
                None => sent(sent_name(label)),
            },
        }
    }

    /// What its heaviest tool is called, of a client with its server; `None` without a tool.
    pub fn heaviest(&self) -> Option<String> {
        if let Some(members) = &self.members {
            let heaviest = members.iter().rev().max_by_key(|member| member.measurement.totals.largest)?;
            return Some(qualified(&heaviest.name, &heaviest.measurement.heaviest()?));
        }
        let ranked = self.ranked_rows(SortKey::Tokens).into_iter();
        ranked
            .map(|row| (row.definition().is_some(), row.name))
            .find(|(is_tool, _)| *is_tool)
            .map(|(_, name)| name.into_owned())
    }

    /// The rows as pins know them: those of one name summed.
    pub fn costs(&self) -> BTreeMap<String, Cost> {
        let mut costs: BTreeMap<String, Cost> = BTreeMap::new();
        for row in self.rows() {
            let cost = costs.entry(row.name.into_owned()).or_default();
            cost.tokens += row.tokens;
            cost.description += row.description_tokens;
        }
        costs
    }

    /// The rows ranked for a reader.
    pub fn ranked_rows(&self, by: SortKey) -> Vec<Row<'_>> {
        let mut ranked: Vec<Row<'_>> = self.rows().collect();
        ranked.sort_by_cached_key(|row| {
            (Reverse(by.of(row.tokens, row.description_tokens, row.bytes)), row.name.to_string())
        });
        ranked
    }

    /// The definitions ranked for a reader, each whole.
    pub fn ranked(&self, by: SortKey) -> Vec<&Priced> {
        let mut ranked: Vec<&Priced> = self.tools.iter().collect();
        ranked.sort_by_cached_key(|Priced { definition, price }| {
            (Reverse(by.of(price.tokens, price.description_tokens, price.bytes)), definition.label().to_string())
        });
        ranked
    }
}

impl SortKey {
    /// The number that ranks; 0 where the name alone does.
    fn of(self, tokens: u64, description_tokens: u64, bytes: u64) -> u64 {
        match self {
            SortKey::Tokens => tokens,
            SortKey::Description => description_tokens,
            SortKey::Bytes => bytes,
            SortKey::Name => 0,
        }
    }
}

/// A deferred tool. A name that could be read as the frame is led by `=`.
pub(crate) fn deferred_name(label: &str) -> String {
    let mark = if label.starts_with(['<', '=']) { "=" } else { "" };
    format!("{DEFERRED}{mark}{label}")
}

/// A tool that is sent beside deferred ones. A name that could be read as one of theirs is led by `=`.
fn sent_name(label: Cow<'_, str>) -> Cow<'_, str> {
    if label.starts_with(DEFERRED) || label.starts_with('=') { Cow::Owned(format!("={label}")) } else { label }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_names_are_kept_and_those_that_could_be_mistaken_are_marked() {
        assert_eq!(deferred_name("add_note"), "deferred:add_note");
        assert_eq!(deferred_name("<frame>"), "deferred:=<frame>");
        assert_eq!(sent_name("add_note".into()), "add_note");
        assert_eq!(sent_name(FRAME.into()), "=deferred:<frame>");
    }

    proptest! {
        #[test]
        fn no_two_rows_share_a_name(one in "[=<a]{0,2}(deferred:)?[=<a]{0,2}(<frame>)?", other in "[=<a]{0,2}(deferred:)?[=<a]{0,2}(<frame>)?") {
            let (sent, deferred) = (sent_name(one.as_str().into()), deferred_name(&other));
            prop_assert_ne!(&*sent, deferred.as_str());
            prop_assert!(sent != FRAME && deferred != FRAME);
            prop_assert_eq!(sent_name(other.as_str().into()) == sent, one == other);
            prop_assert_eq!(deferred_name(&one) == deferred, one == other);
        }
    }
}
