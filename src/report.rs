//! The one result value: everything that a renderer may show, and the exit code that follows from the verdicts.
//!
//! A report is complete before the first byte of a document is written. Renderers read it and decide nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::advice;
use crate::base;
use crate::capture::source::Origin;
use crate::capture::{Capture, Identity, Transport};
use crate::codes::{Failure, Note, NoteCode};
use crate::definition::{Definition, Label};
use crate::diff::ServerDifference;
use crate::gate::{self, Change, Judgement, Totals};
use crate::kind::Kind;
use crate::members::Member;
use crate::price::{self, ESTIMATOR, ESTIMATOR_DEFERRED, ESTIMATOR_MIXED, Price};
use crate::rows::Deferred;

/// One definition beside its price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The definition. Hostile text.
    pub definition: Definition,
    /// What it costs.
    pub price: Price,
}

/// One server that was measured completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// What the server says it is; `None` where unknown. Hostile text.
    pub server: Option<Identity>,
    /// The revision of the protocol that was spoken; `None` where unknown.
    pub protocol: Option<String>,
    /// The way the list came.
    pub transport: Transport,
    /// Operating system and architecture of the capture; `None` where unknown.
    pub platform: Option<String>,
    /// The client capabilities that were declared, by name.
    pub capabilities: Vec<String>,
    /// Where the definitions came from, as it was written; `None` where unknown.
    pub origin: Option<Origin>,
    /// The definitions in the order in which they were listed; none of a client's own.
    pub tools: Vec<Priced>,
    /// The servers of a client, in the order of its config; `None` for a server.
    pub members: Option<Vec<Member>>,
    /// What is sent in the place of some of them; `None` where every definition is always sent.
    pub deferred: Option<Deferred>,
    /// The sums over the rows.
    pub totals: Totals,
    /// Bytes of the texts of all rows.
    pub bytes: u64,
    /// What the gate says; `None` where nothing was gated.
    pub gate: Option<Gate>,
    /// What could be trimmed; `None` where no document lists it.
    pub advice: Option<Advised>,
    /// What wants saying beside the numbers.
    pub notes: Vec<Note>,
}

/// Advice beside the place in budgets.toml that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advised {
    /// The findings of the rules that budgets.toml does not silence, the largest saving first.
    pub findings: Vec<advice::Finding>,
    /// The line of the server in budgets.toml, from 1; `None` where it is not in there.
    pub line: Option<usize>,
}

/// The verdict on one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Every band of the server with its measurement, in the order of the metrics.
    pub judgements: Vec<BudgetedJudgement>,
    /// The rows that moved since the last pin, largest movement first; empty without pins.
    pub changes: Vec<Change>,
    /// Where it is refused, the largest savings in the definitions that grew most; silenced rules have none.
    pub savings: Vec<advice::Finding>,
}

/// A judgement beside the place in budgets.toml that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetedJudgement {
    /// The judgement.
    pub judgement: Judgement,
    /// Why the budget was last raised, as budgets.toml says.
    pub reason_text: Option<String>,
    /// The line of the budget in budgets.toml, from 1.
    pub line: usize,
}

/// One server of the report, or one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerReport {
    /// The name by which documents call it. May be hostile text.
    pub name: String,
    /// Which of the two it is.
    pub kind: Kind,
    /// Its measurement, or why there is none.
    pub outcome: Result<Measurement, Failure>,
}

/// Everything that a renderer may show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The servers, in the order of the file or of the command line.
    pub servers: Vec<ServerReport>,
    /// The budgets.toml that gated them; `None` where nothing was gated.
    pub budgets: Option<PathBuf>,
    /// The budgets.toml that they stand in, gated or not; `None` where they come from elsewhere.
    pub listed_in: Option<PathBuf>,
    /// Where that file stands in its repository, relative to the root; `None` where this is not known.
    pub budgets_in_repository: Option<PathBuf>,
    /// By the name of the server: the line of its table in budgets.toml, from 1; empty where nothing was gated.
    pub server_lines: BTreeMap<String, usize>,
    /// budgets.toml beside what it said at a base; `None` where no base was named.
    pub base: Option<base::Comparison>,
    /// The measurements beside earlier ones; `None` where none were named.
    pub against: Option<Against>,
    /// The arguments by which a suggested command finds the same servers again, such as `--budgets PATH`; unquoted.
    pub repeat_args: Vec<String>,
    /// How rows are ranked in the formats that rank.
    pub sort: SortKey,
    /// The most rows per server in the formats that trim; `None` for all.
    pub top: Option<usize>,
    /// Tokens of the context window that shares are told of.
    pub context_window: u64,
}

/// The measurements beside earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Against {
    /// The file that holds the earlier ones.
    pub path: PathBuf,
    /// By the name of the server: what moved since.
    pub servers: BTreeMap<String, ServerDifference>,
}

/// What rows are ranked by; ties go by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SortKey {
    /// Tokens of the definition, most first.
    #[default]
    Tokens,
    /// Tokens of the description, most first.
    Description,
    /// Bytes of the compact text, most first.
    Bytes,
    /// Name, ascending.
    Name,
}

impl Report {
    /// Names the encoder and what was counted, of all servers together.
    pub fn estimator(&self) -> &'static str {
        let measured = self.servers.iter().filter_map(|server| server.outcome.as_ref().ok());
        let is_deferred: Vec<bool> = measured.map(|measurement| measurement.deferred.is_some()).collect();
        match (is_deferred.contains(&true), is_deferred.contains(&false)) {
            (true, false) => ESTIMATOR_DEFERRED,
            (true, true) => ESTIMATOR_MIXED,
            (false, _) => ESTIMATOR,
        }
    }

    /// What moved in a server since the earlier measurement, where there is one.
    pub fn since(&self, server: &str) -> Option<&ServerDifference> {
        self.against.as_ref()?.servers.get(server)
    }

    /// What the process exits with: 3 when a server was not measured, else 1 when the gate refused, else 0.
    pub fn exit_code(&self) -> u8 {
        let measured = |server: &ServerReport| server.outcome.is_ok();
        let refused = |server: &ServerReport| server.outcome.as_ref().is_ok_and(Measurement::is_refused);
        if !self.servers.iter().all(measured) {
            3
        } else if self.servers.iter().any(refused) || self.base.as_ref().is_some_and(base::Comparison::is_refused) {
            1
        } else {
            0
        }
    }
}

impl Measurement {
    /// Prices every definition of a capture.
    pub fn of(capture: Capture) -> Self {
        let instructions = capture.instructions.as_deref().map(price::tokenizer::count);
        let prices = price::prices(&capture.definitions);
        let priced = capture.definitions.into_iter().zip(prices);
        let tools: Vec<Priced> = priced.map(|(definition, price)| Priced { definition, price }).collect();
        let sum = |of: fn(&Price) -> u64| tools.iter().map(|tool| of(&tool.price)).sum();
        let totals = Totals {
            floor: sum(|price| price.tokens),
            descriptions: sum(|price| price.description_tokens),
            instructions,
            tools: tools.len() as u64,
            largest: tools.iter().map(|tool| tool.price.tokens).max().unwrap_or(0),
        };
        let bytes = sum(|price| price.bytes);
        let mut notes = capture.notes;
        notes.extend(notes_on_names(tools.iter().map(|tool| tool.definition.label())));
        Measurement {
            server: capture.server,
            protocol: capture.protocol,
            transport: capture.transport,
            platform: capture.platform,
            capabilities: capture.capabilities.unwrap_or_default(),
            origin: capture.origin,
            tools,
            members: None,
            deferred: None,
            totals,
            bytes,
            gate: None,
            advice: None,
            notes,
        }
    }

    /// Whether the gate refuses it.
    pub fn is_refused(&self) -> bool {
        self.gate.as_ref().is_some_and(|gate| gate.refusals().next().is_some())
    }
}

impl Gate {
    /// The bands that are refused.
    pub fn refusals(&self) -> impl Iterator<Item = (&BudgetedJudgement, gate::Reason)> {
        self.judgements.iter().filter_map(|band| Some((band, band.judgement.reason?)))
    }
}

/// What wants saying about the names of a list.
pub(crate) fn notes_on_names<'a>(labels: impl ExactSizeIterator<Item = &'a Label>) -> Vec<Note> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut notes = Vec::new();
    let is_empty = labels.len() == 0;
    for label in labels {
        match label {
            Label::Named(name) => *seen.entry(name).or_default() += 1,
            Label::Unnamed(_) => {
                notes.push(Note::about(&label.to_string(), NoteCode::Unnamed, "a definition has no name"));
            }
            Label::Invalid(_) => {
                notes.push(Note::about(&label.to_string(), NoteCode::Invalid, "an element of `tools` is no object"));
            }
        }
    }
    notes.extend(seen.into_iter().filter(|(_, count)| *count > 1).map(|(name, count)| {
        Note::about(name, NoteCode::DuplicateName, format!("{count} definitions have this name; all are counted"))
    }));
    if is_empty {
        notes.push(Note::new(NoteCode::NoTools, "the server listed no tool"));
    }
    notes
}
