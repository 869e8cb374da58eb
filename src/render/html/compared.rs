//! What a page shows of comparisons: with the base of budgets.toml, and with an earlier measurement. Visible text.

use serde::Serialize;

use super::super::finding::LOOK;
use super::super::{base, since};
use super::data::line;
use crate::base::{Comparison, Found};
use crate::diff::{FactDifference, ServerDifference, ToolDifference};
use crate::report::Gate;

/// What budgets.toml holds less than at its base.
#[derive(Serialize)]
pub(super) struct Base {
    reference: String,
    /// What there is to say where there was no such file.
    is_new: Option<String>,
    /// Where the file was, if that is another place.
    moved_from: Vec<String>,
    differences: Vec<Loosening>,
}

#[derive(Serialize)]
struct Loosening {
    code: &'static str,
    is_refused: bool,
    sentence: String,
}

/// What moved since an earlier measurement.
#[derive(Serialize)]
pub(super) struct Since {
    /// What a row is: a tool, or a server of a client.
    row: &'static str,
    sum: String,
    is_new: bool,
    /// How much of each refusal came with it.
    shares: Vec<String>,
    facts: Vec<String>,
    tools: Vec<Moved>,
}

#[derive(Serialize)]
struct Moved {
    name: String,
    change: &'static str,
    tokens: i64,
    description_tokens: i64,
    fields: String,
}

impl Base {
    pub(super) fn of(base: &Comparison) -> Self {
        let loosening = |difference| Loosening {
            code: base::code(difference),
            is_refused: difference.is_refused(),
            sentence: base::sentence(base, difference, &LOOK),
        };
        Base {
            reference: line(&base.reference),
            is_new: match &base.found {
                Found::Nowhere => Some(".".to_owned()),
                Found::Above(path) => Some(format!("; {}.", base::above(&line(path)))),
                Found::Here | Found::Moved(_) => None,
            },
            moved_from: match &base.found {
                Found::Moved(paths) => paths.iter().map(|path| line(path)).collect(),
                _ => Vec::new(),
            },
            differences: base.differences.iter().map(loosening).collect(),
        }
    }
}

impl Since {
    pub(super) fn of(difference: &ServerDifference, gate: Option<&Gate>) -> Self {
        Since {
            row: difference.kind.row(),
            sum: since::sum(difference),
            is_new: difference.before.is_none(),
            shares: since::shares(gate, difference),
            facts: difference.facts.iter().map(fact).collect(),
            tools: difference.tools.iter().map(Moved::of).collect(),
        }
    }
}

impl Moved {
    fn of(tool: &ToolDifference) -> Self {
        Moved {
            name: line(&tool.tool),
            change: tool.movement.as_str(),
            tokens: tool.tokens,
            description_tokens: tool.description_tokens,
            fields: line(&tool.fields.join(", ")),
        }
    }
}

fn fact(fact: &FactDifference) -> String {
    let side = |value: &Option<String>| value.as_deref().map_or("not known".to_owned(), line);
    format!("another {}: {} → {}", fact.fact, side(&fact.before), side(&fact.after))
}
