//! What each form costs over a conversation, and from how many lookups on it costs more than sending everything.

use super::block::{CLOSING, LOOKUP_TOOL, OPENING, line, lookup, qualified};
use super::cold::{Globs, deferred};
use super::fragile::fragile;
use crate::price::tokenizer;
use crate::report::Measurement;

/// How a conversation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// How many different tools are looked up.
    pub lookups: u64,
    /// How many turns there are, at least 1.
    pub turns: u64,
}

/// One way of sending a server's tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Every definition, always.
    Everything,
    /// A line for each tool, and a lookup tool.
    OneLine,
    /// Names and the server's instructions, and a lookup tool.
    NamesOnly,
    /// A line for each tool that budgets.toml defers, the definitions of the others, and a lookup tool.
    HotAndCold,
}

impl Form {
    /// The word that documents carry.
    pub fn word(self) -> &'static str {
        match self {
            Form::Everything => "everything",
            Form::OneLine => "one_line",
            Form::NamesOnly => "names_only",
            Form::HotAndCold => "hot_and_cold",
        }
    }

    /// How people read it.
    pub fn as_str(self) -> &'static str {
        match self {
            Form::Everything => "everything",
            Form::OneLine => "one line a tool",
            Form::NamesOnly => "names only",
            Form::HotAndCold => "hot and cold",
        }
    }
}

/// What one form costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The form.
    pub form: Form,
    /// Tokens on every turn before anything was looked up.
    pub resident: u64,
    /// Tokens that one lookup adds, on average over the deferred tools, to every turn that follows.
    pub lookup: u64,
    /// How many tools there are to look up.
    pub tools: u64,
    /// Input tokens of the whole conversation: what is resident on every turn, and the lookups, spread evenly over it,
    /// from their turn on.
    pub conversation: u64,
    /// The fewest lookups from which on it costs more than sending everything; `None` when no number does.
    pub break_even: Option<u64>,
}

/// One server under every form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferral {
    /// The conversation that was priced.
    pub conversation: Conversation,
    /// Everything, one line, names only; hot and cold where tools are named.
    pub costs: Vec<Cost>,
    /// Tokens of the lookup tool's definition, inside the resident tokens of the deferred forms.
    pub lookup_tool: u64,
    /// Tokens of the server's instructions, inside the resident tokens of the names-only form; `None` where this source
    /// does not tell them.
    pub instructions: Option<u64>,
    /// What makes the one-line form fragile, in sentences. May quote the server: hostile text.
    pub fragile: Vec<String>,
}

/// Prices a server of this name under every form; `cold` names the tools that budgets.toml defers.
pub fn defer(server: &str, measurement: &Measurement, cold: Option<&Globs>, conversation: Conversation) -> Deferral {
    let tools = &measurement.tools;
    let lookup_tool = tokenizer::count(LOOKUP_TOOL);
    let lines: String = tools.iter().map(|tool| line(server, tool)).collect();
    let names: String = tools.iter().map(|tool| format!("{}\n", qualified(server, tool))).collect();
    let instructions = measurement.totals.instructions;
    let one_line = tokenizer::count(&format!("{OPENING}{lines}{CLOSING}")) + lookup_tool;
    let names_only = tokenizer::count(&format!("{OPENING}{names}{CLOSING}")) + lookup_tool + instructions.unwrap_or(0);
    let (everything, of_any) = (measurement.everything(), lookup(tools.iter()));
    let cost = |form, resident, lookup, tools| {
        let conversation_tokens = spent(resident, lookup, conversation.lookups, conversation.turns);
        let break_even = break_even(resident, everything, lookup, conversation.turns);
        Cost { form, resident, lookup, tools, conversation: conversation_tokens, break_even }
    };
    let all = tools.len() as u64;
    let mut costs = vec![
        Cost { break_even: None, ..cost(Form::Everything, everything, 0, 0) },
        cost(Form::OneLine, one_line, of_any, all),
        cost(Form::NamesOnly, names_only, of_any, all),
    ];
    costs.extend(cold.map(|globs| {
        let deferred = deferred(server, globs, tools);
        let resident = deferred.floor(tools) + deferred.frame.as_ref().map_or(0, |_| lookup_tool);
        let late: Vec<_> = tools.iter().zip(&deferred.lines).filter(|(_, line)| line.is_some()).collect();
        let count = late.len() as u64;
        cost(Form::HotAndCold, resident, lookup(late.into_iter().map(|(tool, _)| tool)), count)
    }));
    Deferral { conversation, costs, lookup_tool, instructions, fragile: fragile(server, measurement) }
}

/// The tokens of a conversation; at the end of the range where there is no larger number.
fn spent(resident: u64, each: u64, lookups: u64, turns: u64) -> u64 {
    resident.saturating_mul(turns).saturating_add(looked_up(lookups, turns, each))
}

/// The tokens that lookups add to a conversation: they come spread evenly over its turns, and each stays until its end.
pub(super) fn looked_up(lookups: u64, turns: u64, each: u64) -> u64 {
    let turn = |number: u64| number.saturating_mul(turns) / lookups.max(1);
    let carried = |number: u64| turns - turn(number).min(turns.saturating_sub(1));
    (0..lookups.min(1_000_000)).fold(0, |sum: u64, number| sum.saturating_add(carried(number).saturating_mul(each)))
}

/// The fewest lookups from which on deferral costs more than everything does, each of them carried as in
/// [`looked_up`].
pub(super) fn break_even(resident: u64, floor: u64, each: u64, turns: u64) -> Option<u64> {
    let everything = floor.saturating_mul(turns);
    let costs_more = |lookups: u64| spent(resident, each, lookups, turns) > everything;
    if costs_more(0) {
        return Some(0);
    }
    if each == 0 {
        return None;
    }
    // A lookup is carried for one turn at least, so that this many cost more in any case.
    let (mut low, mut high) = (0, (everything / each + 1).min(1_000_000));
    if !costs_more(high) {
        return None;
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if costs_more(middle) { high = middle } else { low = middle }
    }
    Some(high)
}
