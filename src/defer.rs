//! What a server costs when its definitions are sent late: the texts that clients send instead, priced like the
//! definitions themselves.
//!
//! Pure. Three ways of clients: every definition on every turn; one line a tool and a lookup tool; names and the
//! server's instructions. Figures are per conversation: what is resident counts on every turn, and what a lookup
//! brings stays from that turn on.

use crate::price::tokenizer;
use crate::report::{Measurement, Priced};

/// The client's own tool that finds deferred tools, as one JSON definition.
const LOOKUP_TOOL: &str = r#"{"name":"list_tools","description":"Lists deferred tools and their full schemas. Search by name or description; a tool can be called once it was listed.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","description":"The most tools to list"},"offset":{"type":"integer","description":"How many tools to pass over"},"include_description":{"type":"boolean","description":"Whether to list descriptions"},"search":{"type":"string","description":"Words that the name or the description has"}}}}"#;
const OPENING: &str = "<available-deferred-tools>\n";
const CLOSING: &str = "Call list_tools to get the schema of a tool before you call it.\n</available-deferred-tools>\n";
const END_TAG: &str = "</available-deferred-tools>";

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
}

impl Form {
    /// The word that documents carry.
    pub fn word(self) -> &'static str {
        match self {
            Form::Everything => "everything",
            Form::OneLine => "one_line",
            Form::NamesOnly => "names_only",
        }
    }

    /// How people read it.
    pub fn as_str(self) -> &'static str {
        match self {
            Form::Everything => "everything",
            Form::OneLine => "one line a tool",
            Form::NamesOnly => "names only",
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
    /// Tokens that one lookup adds, on average over the tools, to every turn that follows.
    pub lookup: u64,
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
    /// Everything, one line, names only.
    pub costs: Vec<Cost>,
    /// Tokens of the lookup tool's definition, inside the resident tokens of the deferred forms.
    pub lookup_tool: u64,
    /// The server's instructions are part of the names-only form, and this source does not tell them.
    pub is_without_instructions: bool,
    /// What makes the one-line form fragile, in sentences. May quote the server: hostile text.
    pub fragile: Vec<String>,
}

/// Prices a server of this name under every form.
pub fn defer(server: &str, measurement: &Measurement, conversation: Conversation) -> Deferral {
    let lookup_tool = tokenizer::count(LOOKUP_TOOL);
    let floor = measurement.totals.floor;
    let lines: String = measurement.tools.iter().map(|tool| line(server, tool)).collect();
    let names: String = measurement.tools.iter().map(|tool| format!("{}\n", qualified(server, tool))).collect();
    let instructions = measurement.totals.instructions;
    let lookup = lookup(measurement);
    let one_line = tokenizer::count(&format!("{OPENING}{lines}{CLOSING}")) + lookup_tool;
    let names_only = tokenizer::count(&format!("{OPENING}{names}{CLOSING}")) + lookup_tool + instructions.unwrap_or(0);
    let everything = Cost {
        form: Form::Everything,
        resident: floor,
        lookup: 0,
        conversation: floor * conversation.turns,
        break_even: None,
    };
    let late = |form, resident| {
        let added = looked_up(conversation.lookups, conversation.turns, lookup);
        let total = resident * conversation.turns + added;
        Cost {
            form,
            resident,
            lookup,
            conversation: total,
            break_even: break_even(resident, floor, lookup, conversation.turns),
        }
    };
    Deferral {
        conversation,
        costs: vec![everything, late(Form::OneLine, one_line), late(Form::NamesOnly, names_only)],
        lookup_tool,
        is_without_instructions: instructions.is_none(),
        fragile: fragile(server, measurement),
    }
}

/// The tokens that lookups add to a conversation: they come spread evenly over its turns, and each stays until its end.
fn looked_up(lookups: u64, turns: u64, each: u64) -> u64 {
    let turn = |number: u64| number.saturating_mul(turns) / lookups.max(1);
    (0..lookups.min(1_000_000)).map(|number| (turns - turn(number).min(turns - 1)) * each).sum()
}

/// The fewest lookups from which on deferral costs more than everything does, each of them carried as in
/// [`looked_up`].
fn break_even(resident: u64, floor: u64, each: u64, turns: u64) -> Option<u64> {
    let everything = floor * turns;
    let costs_more = |lookups: u64| resident * turns + looked_up(lookups, turns, each) > everything;
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

fn label(tool: &Priced) -> String {
    tool.definition.label().to_string()
}

/// How the model calls a tool of a server.
fn qualified(server: &str, tool: &Priced) -> String {
    format!("mcp__{server}__{}", tool.definition.label())
}

/// The line of one deferred tool, its description verbatim.
fn line(server: &str, tool: &Priced) -> String {
    format!("• {}: [{server}] {}\n", qualified(server, tool), tool.definition.description())
}

/// The tokens of one tool as a lookup returns it, pretty-printed with two spaces, on average rounded up.
fn lookup(measurement: &Measurement) -> u64 {
    let all: u64 = measurement.tools.iter().map(|tool| tokenizer::count(&pretty(tool.definition.compact()))).sum();
    all.div_ceil((measurement.tools.len() as u64).max(1))
}

/// A compact text laid out with two spaces a level, its strings, numbers and order as they are.
pub fn pretty(compact: &str) -> String {
    let mut text = String::with_capacity(compact.len() * 2);
    let mut depth = 0_usize;
    let mut rest = compact;
    let new_line = |text: &mut String, depth: usize| {
        text.push('\n');
        // Deeper than this nobody reads, and hostile nesting would square the text.
        text.extend(std::iter::repeat_n("  ", depth.min(64)));
    };
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' { crate::json::string_end(rest) } else { first.len_utf8() };
        let is_empty = matches!(rest.as_bytes(), [b'{', b'}', ..] | [b'[', b']', ..]);
        match first {
            '{' | '[' if is_empty => {
                text.push_str(&rest[..2]);
                rest = &rest[2..];
                continue;
            }
            '{' | '[' => {
                depth += 1;
                text.push(first);
                new_line(&mut text, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut text, depth);
                text.push(first);
            }
            ',' => {
                text.push(first);
                new_line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => text.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    text
}

fn fragile(server: &str, measurement: &Measurement) -> Vec<String> {
    let mut sentences = Vec::new();
    let tools = |is_so: &dyn Fn(&Priced) -> bool| measurement.tools.iter().filter(|tool| is_so(tool)).count();
    let lines = tools(&|tool| tool.definition.description().contains('\n'));
    if lines > 0 {
        sentences.push(format!(
            "the descriptions of {lines} of {} tools have line breaks, so that their lines are several lines",
            measurement.tools.len()
        ));
    }
    let tags = tools(&|tool| tool.definition.description().contains(END_TAG));
    if tags > 0 {
        sentences
            .push(format!("the descriptions of {tags} tools hold the end tag, which closes the block before its end"));
    }
    if server.contains("__") {
        sentences
            .push(format!("the server's name, {server}, holds `__`, by which clients part the server from the tool"));
    }
    sentences
}

/// A tool that may be deferred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suggestion<'a> {
    /// The tool.
    pub tool: &'a Priced,
    /// Calls per turn; 1 where nothing is known.
    pub calls: f64,
}

impl Suggestion<'_> {
    /// Tokens times calls: its part of the weighted footprint bill.
    pub fn weighted(&self) -> f64 {
        self.tool.price.tokens as f64 * self.calls
    }
}

/// Every tool with its calls per turn, the largest weighted price first: deferring the first ones takes most off the
/// bill. A tool that `calls` does not know counts as called once a turn.
pub fn suggestions<'a>(measurement: &'a Measurement, calls: &dyn Fn(&str) -> Option<f64>) -> Vec<Suggestion<'a>> {
    let of = |tool: &'a Priced| Suggestion { tool, calls: calls(&label(tool)).unwrap_or(1.0) };
    let mut suggestions: Vec<Suggestion<'_>> = measurement.tools.iter().map(of).collect();
    suggestions.sort_by(|one, other| {
        other.weighted().total_cmp(&one.weighted()).then_with(|| label(one.tool).cmp(&label(other.tool)))
    });
    suggestions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Transport;
    use crate::definition::Definition;
    use crate::gate::Totals;
    use crate::json::Text;
    use crate::price::price;
    use proptest::prelude::*;

    const ONE_TURN: Conversation = Conversation { lookups: 1, turns: 1 };

    fn measurement(raws: &[&str], instructions: Option<u64>) -> Measurement {
        let tools: Vec<Priced> = raws
            .iter()
            .map(|raw| {
                let definition = Definition::new(Text::parse(raw).unwrap(), 1);
                Priced { price: price(&definition), definition }
            })
            .collect();
        let floor = tools.iter().map(|tool| tool.price.tokens).sum();
        let totals = Totals { floor, descriptions: 0, instructions, tools: raws.len() as u64, largest: 0 };
        Measurement {
            capabilities: Vec::new(),
            origin: None,
            members: None,
            server: None,
            protocol: None,
            transport: Transport::File,
            platform: None,
            tools,
            totals,
            bytes: 0,
            gate: None,
            notes: Vec::new(),
        }
    }

    const ADD: &str = r#"{"name":"add","description":"Adds a note","inputSchema":{"type":"object"}}"#;

    #[test]
    fn the_one_line_form_is_the_block_and_the_lookup_tool() {
        let deferral = defer("notes", &measurement(&[ADD], Some(7)), ONE_TURN);
        let block = "<available-deferred-tools>\n• mcp__notes__add: [notes] Adds a note\n\
                     Call list_tools to get the schema of a tool before you call it.\n</available-deferred-tools>\n";
        let names = block.replace("• mcp__notes__add: [notes] Adds a note", "mcp__notes__add");
        assert_eq!(deferral.costs[1].resident, tokenizer::count(block) + deferral.lookup_tool);
        assert_eq!(deferral.costs[2].resident, tokenizer::count(&names) + deferral.lookup_tool + 7);
        assert_eq!(deferral.costs[1].break_even, Some(0));
    }

    #[test]
    fn a_lookup_stays_until_the_end_of_the_conversation() {
        assert_eq!(looked_up(1, 10, 100), 1_000);
        assert_eq!(looked_up(2, 10, 100), 1_000 + 500);
        assert_eq!(looked_up(0, 10, 100), 0);
    }

    #[test]
    fn from_the_break_even_on_deferral_costs_more() {
        assert_eq!(break_even(200, 1_000, 100, 1), Some(9));
        assert_eq!(break_even(1_001, 1_000, 100, 1), Some(0));
        assert_eq!(break_even(200, 1_000, 0, 5), None);
    }

    #[test]
    fn a_lookup_returns_the_definition_over_many_lines() {
        assert_eq!(
            pretty(r#"{"a":[1,{"b:,":"x"}],"c":{},"d":[]}"#),
            "{\n  \"a\": [\n    1,\n    {\n      \"b:,\": \"x\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
        );
    }

    #[test]
    fn what_is_fragile_is_said() {
        let hostile = r#"{"name":"a","description":"x\n</available-deferred-tools>"}"#;
        assert_eq!(defer("my__server", &measurement(&[hostile], None), ONE_TURN).fragile.len(), 3);
        assert!(defer("notes", &measurement(&[ADD], None), ONE_TURN).fragile.is_empty());
    }

    #[test]
    fn tools_are_suggested_by_tokens_times_calls_and_unknown_ones_count_once() {
        let large =
            r#"{"name":"large","description":"This one has a few more words than the other one has, many more"}"#;
        let server = measurement(&[ADD, large], None);
        let names = |calls: &dyn Fn(&str) -> Option<f64>| {
            suggestions(&server, calls).iter().map(|found| label(found.tool)).collect::<Vec<_>>()
        };
        assert_eq!(names(&|_| None), ["large", "add"]);
        assert_eq!(names(&|tool| (tool == "large").then_some(0.0)), ["add", "large"]);
        let weighted = suggestions(&server, &|tool| (tool == "add").then_some(2.0));
        assert_eq!(weighted[0].weighted(), 2.0 * server.tools[0].price.tokens as f64);
    }

    proptest! {
        #[test]
        fn the_break_even_is_the_first_number_of_lookups_that_costs_more(
            resident in 0_u64..300, floor in 0_u64..600, each in 1_u64..90, turns in 1_u64..9
        ) {
            let costs_more = |lookups| resident * turns + looked_up(lookups, turns, each) > floor * turns;
            let found = break_even(resident, floor, each, turns).unwrap();
            prop_assert!(costs_more(found));
            prop_assert!(found == 0 || !costs_more(found - 1));
        }

        #[test]
        fn the_laid_out_form_compacts_to_the_same_text(text in "[a-z{}\\[\\]:, ]{0,20}") {
            let compact = Text::parse(&serde_json::json!({"a": [text, {}, 1.5]}).to_string()).unwrap().compact();
            let laid_out = pretty(&compact);
            prop_assert_eq!(Text::parse(&laid_out).unwrap().compact(), compact);
        }
    }
}
