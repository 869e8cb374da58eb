//! What was measured -> the changes of budgets.toml that bank it. Lowering is free; raising needs a reason.

use std::collections::BTreeMap;

use super::edit::{Edit, New, Op, Placement, edit};
use super::fault::BudgetsError;
use super::slack::Slack;
use super::{Budgets, Pinned, REQUIRED_BANDS, Server, WrittenBand, toml_text};
use crate::gate::{Cost, Metric, Totals, signed_difference};
use crate::kind::Kind;

/// What one server measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The measurement of every band.
    pub totals: Totals,
    /// The cost of each name.
    pub tools: BTreeMap<String, Cost>,
    /// What was measured.
    pub pinned: Pinned,
}

/// A budget that is new or moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The entry's name in the file.
    pub server: String,
    /// Whether that is a server or a client.
    pub kind: Kind,
    /// The band.
    pub metric: Metric,
    /// The budget before; `None` for a band that was not there.
    pub before: Option<u64>,
    /// The budget after, which is what was measured.
    pub after: u64,
}

/// Why nothing is pinned. Nothing is, for any of the servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PinError {
    /// These budgets would rise, and no reason was given.
    NeedsRaise(Vec<Move>),
    /// These servers, or all servers of these clients, listed no tool.
    NothingMeasured(Vec<(Kind, String)>),
    /// These servers of a client listed no tool, and no pin says that they are meant to have none.
    SilentMembers(String, Vec<String>),
    /// The file has no such server, or cannot be edited.
    File(BudgetsError),
}

impl Move {
    /// Whether an existing budget grows.
    pub fn is_raise(&self) -> bool {
        self.before.is_some_and(|before| self.after > before)
    }
}

impl std::fmt::Display for PinError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PinError::NeedsRaise(raises) => {
                for Move { server, kind, metric, before, after } in raises {
                    let (server, before) = (toml_text::key(server), before.unwrap_or_default());
                    let difference = signed_difference(*after, before);
                    writeln!(out, "{kind} `{server}`: {metric} would rise from {before} to {after} ({difference:+})")?;
                }
                write!(out, "nothing was written; shrink what grew, or run pin again with --raise --reason TEXT")
            }
            PinError::NothingMeasured(servers) => {
                let servers: Vec<String> =
                    servers.iter().map(|(kind, name)| format!("{kind} `{}`", toml_text::key(name))).collect();
                write!(
                    out,
                    "{} listed no tool, and a measurement of nothing is never pinned; nothing was written; find out why the \
                     list is empty",
                    servers.join(", ")
                )
            }
            PinError::SilentMembers(client, servers) => {
                let names: Vec<String> = servers.iter().map(|name| toml_text::key(name)).collect();
                let first = servers.first().map_or("", String::as_str);
                write!(
                    out,
                    "client `{}`: {} listed no tool, and a measurement of nothing is never pinned; nothing was written; {}",
                    toml_text::key(client),
                    names.join(", "),
                    meant_to_list_none(client, first)
                )
            }
            PinError::File(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for PinError {}

/// The tables of a server in the order in which they are written.
pub(super) const SECTION_ORDER: &[&str] =
    &["env", "headers", "floor", "descriptions", "instructions", "tools", "largest", "pins", "pinned", "silence"];

/// Banks what was measured: every budget becomes the measurement, also inside its band, and missing required bands are
/// added. All or nothing over the servers. A budget that rises needs `raise`, which becomes its reason.
///
/// Instructions that the source does not tell leave their band as it is; who pins refuses them before.
pub fn pin(budgets: &Budgets, measured: &[(String, Pin)], raise: Option<&str>) -> Result<Edit, PinError> {
    let kind = |name: &str| budgets.server(name).map_or(Kind::Server, Server::kind);
    let empty = measured.iter().filter(|(_, pin)| pin.totals.tools == 0);
    let empty: Vec<(Kind, String)> = empty.map(|(name, _)| (kind(name), name.clone())).collect();
    if !empty.is_empty() {
        return Err(PinError::NothingMeasured(empty));
    }
    measured.iter().try_for_each(|(name, pin)| refuse_silent_members(budgets.server(name), pin))?;
    let (mut ops, mut meant, mut moves) = (Vec::new(), budgets.servers.clone(), Vec::new());
    for (name, pin) in measured {
        let server = meant.iter_mut().find(|server| server.name == *name).ok_or_else(|| unknown(budgets, name))?;
        let at = vec![server.kind().table().to_owned(), name.clone()];
        let mut changes = Changes { at, server, ops: &mut ops, moves: &mut moves };
        changes.bands(&pin.totals, raise);
        changes.pins(&pin.tools);
        changes.pinned(&pin.pinned);
    }
    let raises: Vec<Move> = moves.iter().filter(|change| change.is_raise()).cloned().collect();
    if raise.is_none() && !raises.is_empty() {
        return Err(PinError::NeedsRaise(raises));
    }
    edit(budgets, ops, &meant, moves).map_err(PinError::File)
}

/// A server of a client that lists nothing may be broken. The file alone can say that it is meant.
fn refuse_silent_members(entry: Option<&Server>, pin: &Pin) -> Result<(), PinError> {
    let Some(client) = entry.filter(|entry| entry.kind() == Kind::Client) else { return Ok(()) };
    let pinned = |name: &String| client.pins.as_ref().and_then(|pins| pins.get(name));
    let is_meant = |name: &&String| pinned(name).is_some_and(|cost| cost.tokens == 0);
    let silent = pin.tools.iter().filter(|(_, cost)| cost.tokens == 0).map(|(name, _)| name);
    let silent: Vec<String> = silent.filter(|name| !is_meant(name)).cloned().collect();
    if silent.is_empty() { Ok(()) } else { Err(PinError::SilentMembers(client.name.clone(), silent)) }
}

/// What to do about a server of a client that lists no tools.
pub(crate) fn meant_to_list_none(client: &str, server: &str) -> String {
    let table = toml_text::dotted(&[Kind::Client.table(), client, "pins"]);
    let server = toml_text::key(server);
    format!("find out why, or say that it is meant: `{server} = {{ tokens = 0, description = 0 }}` under [{table}]")
}

fn unknown(budgets: &Budgets, name: &str) -> PinError {
    let known: Vec<String> = budgets.servers.iter().map(|server| toml_text::key(&server.name)).collect();
    let message = format!("no server `{}`; the file has: {}", toml_text::key(name), known.join(", "));
    PinError::File(BudgetsError::of_file(&budgets.path, message))
}

/// The changes to one server, made to its values and noted for its text.
struct Changes<'a> {
    at: Vec<String>,
    server: &'a mut Server,
    ops: &'a mut Vec<Op>,
    moves: &'a mut Vec<Move>,
}

impl Changes<'_> {
    fn bands(&mut self, totals: &Totals, raise: Option<&str>) {
        for &metric in Metric::ALL {
            if metric == Metric::Instructions && totals.instructions.is_none() {
                continue;
            }
            let after = totals.of(metric);
            let place = self.server.bands.iter().position(|band| band.metric == metric);
            match place {
                Some(place) => self.band(place, after, raise),
                None if REQUIRED_BANDS.contains(&metric) => self.add_band(metric, after),
                None => {}
            }
        }
        self.server.bands.sort_by_key(|band| band.metric);
    }

    fn band(&mut self, place: usize, after: u64, raise: Option<&str>) {
        let band = &mut self.server.bands[place];
        let (metric, before) = (band.metric, band.budget);
        if before == after {
            return;
        }
        band.budget = after;
        let reason = raise.filter(|reason| after > before && band.reason.as_deref() != Some(reason));
        if let Some(reason) = reason {
            band.reason = Some(reason.to_owned());
        }
        self.moved(metric, Some(before), after);
        self.put(&[metric.as_str()], "budget", New::number(after), Placement::Last);
        if let Some(reason) = reason {
            self.put(&[metric.as_str()], "reason", New::Text(toml_text::string(reason)), Placement::Last);
        }
    }

    fn add_band(&mut self, metric: Metric, budget: u64) {
        let slack = Slack::Default.resolve(metric, budget);
        self.server.bands.push(WrittenBand { metric, budget, slack: Slack::Fixed(slack), reason: None, line: 0 });
        self.moved(metric, None, budget);
        self.put(&[], metric.as_str(), band_table(budget, slack), Placement::Section(SECTION_ORDER));
    }

    fn moved(&mut self, metric: Metric, before: Option<u64>, after: u64) {
        let (server, kind) = (self.server.name.clone(), self.server.kind());
        self.moves.push(Move { server, kind, metric, before, after });
    }

    fn pins(&mut self, tools: &BTreeMap<String, Cost>) {
        let Some(before) = self.server.pins.replace(tools.clone()) else {
            return self.put(&[], "pins", pins_table(tools), Placement::Section(SECTION_ORDER));
        };
        for (name, now) in tools {
            match before.get(name) {
                None => self.put(&["pins"], name, cost_table(now), Placement::Sorted),
                Some(was) => {
                    if was.tokens != now.tokens {
                        self.put(&["pins", name], "tokens", New::number(now.tokens), Placement::Last);
                    }
                    if was.description != now.description {
                        self.put(&["pins", name], "description", New::number(now.description), Placement::Last);
                    }
                }
            }
        }
        for gone in before.keys().filter(|name| !tools.contains_key(*name)) {
            self.remove(&["pins", gone]);
        }
    }

    fn pinned(&mut self, now: &Pinned) {
        if self.server.pinned.is_none() && *now == Pinned::default() {
            return;
        }
        let Some(before) = self.server.pinned.replace(now.clone()) else {
            return self.put(&[], "pinned", pinned_table(now), Placement::Section(SECTION_ORDER));
        };
        for ((key, was), (_, is)) in fields_of(&before).into_iter().zip(fields_of(now)) {
            match is {
                Some(is) if was != Some(is) => {
                    self.put(&["pinned"], key, New::Text(toml_text::string(is)), Placement::Last);
                }
                None if was.is_some() => self.remove(&["pinned", key]),
                _ => {}
            }
        }
    }

    fn put(&mut self, table: &[&str], key: &str, new: New, placement: Placement) {
        self.ops.push(Op::Put { parent: self.path(table), key: key.to_owned(), new, placement });
    }

    fn remove(&mut self, path: &[&str]) {
        self.ops.push(Op::Remove { path: self.path(path) });
    }

    fn path(&self, below: &[&str]) -> Vec<String> {
        self.at.iter().cloned().chain(below.iter().map(|&key| key.to_owned())).collect()
    }
}

pub(super) fn band_table(budget: u64, slack: u64) -> New {
    New::Table(vec![("budget".into(), New::number(budget)), ("slack".into(), New::number(slack))])
}

pub(super) fn pins_table(tools: &BTreeMap<String, Cost>) -> New {
    New::Table(tools.iter().map(|(name, cost)| (name.clone(), cost_table(cost))).collect())
}

fn cost_table(cost: &Cost) -> New {
    New::Table(vec![("tokens".into(), New::number(cost.tokens)), ("description".into(), New::number(cost.description))])
}

pub(super) fn pinned_table(pinned: &Pinned) -> New {
    let known = fields_of(pinned).into_iter().filter_map(|(key, value)| Some((key, value?)));
    New::Table(known.map(|(key, value)| (key.to_owned(), New::Text(toml_text::string(value)))).collect())
}

fn fields_of(pinned: &Pinned) -> [(&'static str, Option<&str>); 4] {
    [
        ("server", pinned.server.as_deref()),
        ("version", pinned.version.as_deref()),
        ("protocol", pinned.protocol.as_deref()),
        ("platform", pinned.platform.as_deref()),
    ]
}
