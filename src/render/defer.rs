//! What deferral costs, side by side with sending everything.

use std::io::{self, Write};

use serde::Serialize;

use super::grid::{Grid, Row, Side};
use super::json_text::Layout;
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count};
use crate::defer::{Deferral, Form, Suggestion};
use crate::price::ESTIMATOR;

/// Names this document and its version.
const SCHEMA: &str = "mcp-footprint-defer/1";

/// The estimator of every figure that is not a sum over definitions.
fn estimator() -> String {
    format!("{ESTIMATOR}+deferred")
}

/// Writes the forms of one server, and in words which of them do not pay.
pub(crate) fn table(server: &str, deferral: &Deferral, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let title = look.tint(Tone::Heading, &look.quote(server, LONGEST_NAME)).into_owned();
    let conversation = deferral.conversation;
    let (lookups, turns) = (count(conversation.lookups, "lookup"), count(conversation.turns, "turn"));
    writeln!(out, "{title}: {lookups} over {turns}, in est. tokens ({})\n", estimator())?;
    let right = |title| (Side::Right, title);
    let titles = [right("each turn"), right("a lookup"), right("conversation"), right("break-even")];
    let mut grid = Grid::new(0, std::iter::once((Side::Left, "sent")).chain(titles));
    for cost in &deferral.costs {
        let break_even = match (cost.form, cost.break_even) {
            (Form::Everything, _) => String::new(),
            (_, Some(0)) => "never pays".to_owned(),
            (_, Some(lookups)) => count(lookups, "lookup"),
            (_, None) => "always pays".to_owned(),
        };
        let lookup = if cost.form == Form::Everything { String::new() } else { cost.lookup.to_string() };
        let cells = [cost.form.as_str().to_owned(), cost.resident.to_string(), lookup, cost.conversation.to_string()];
        grid.push(Row::new(cells.into_iter().chain([break_even]).map(|text| (Tone::Plain, text))));
    }
    grid.write(out, look)?;
    writeln!(out)?;
    for sentence in verdicts(deferral) {
        look.prose(out, (Tone::Plain, ""), &sentence)?;
    }
    let tool =
        format!("The deferred forms hold {} tokens of the lookup tool, which is the client's.", deferral.lookup_tool);
    look.prose(out, (Tone::Secondary, ""), &tool)?;
    if deferral.is_without_instructions {
        let unknown = "This source does not tell the server's instructions, which names only would add.";
        look.prose(out, (Tone::Secondary, ""), unknown)?;
    }
    for sentence in &deferral.fragile {
        look.prose(out, (Tone::Note, "fragile: "), &look.quote(sentence, LONGEST_MESSAGE))?;
    }
    Ok(())
}

fn verdicts(deferral: &Deferral) -> Vec<String> {
    let everything = deferral.costs.first().map_or(0, |cost| cost.conversation);
    let deferred = deferral.costs.iter().filter(|cost| cost.form != Form::Everything);
    deferred
        .map(|cost| {
            let form = cost.form.as_str();
            match (cost.conversation > everything, cost.break_even) {
                (_, Some(0)) => format!("Deferral by {form} costs more than it saves, without any lookup."),
                (true, _) => format!(
                    "Deferral by {form} costs more than it saves in this conversation: {} tokens more.",
                    cost.conversation - everything
                ),
                (false, Some(lookups)) => format!(
                    "Deferral by {form} saves {} tokens in this conversation; from {lookups} lookups on it costs more.",
                    everything - cost.conversation
                ),
                (false, None) => {
                    format!("Deferral by {form} saves {} tokens in this conversation.", everything - cost.conversation)
                }
            }
        })
        .collect()
}

/// Writes which tools to defer first, and the footprint bill that they are a part of.
pub(crate) fn suggestions(
    suggestions: &[Suggestion<'_>],
    most: usize,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = &suggestions[..most.min(suggestions.len())];
    let right = |title| (Side::Right, title);
    let titles = [right("tokens"), right("calls a turn"), right("tokens x calls")];
    let mut grid = Grid::new(0, std::iter::once((Side::Left, "defer first")).chain(titles));
    for suggestion in shown {
        let cells = [
            look.show(&suggestion.tool.definition.label().to_string()).into_owned(),
            suggestion.tool.price.tokens.to_string(),
            suggestion.calls.to_string(),
            format!("{:.1}", suggestion.weighted()),
        ];
        grid.push(Row::new(cells.map(|text| (Tone::Plain, text))));
    }
    writeln!(out)?;
    grid.write(out, look)?;
    let sum = |some: &[Suggestion<'_>]| some.iter().map(Suggestion::weighted).sum::<f64>();
    let bill = format!(
        "The weighted footprint bill is {:.1} tokens a turn, {:.1} of it in the tools named.",
        sum(suggestions),
        sum(shown)
    );
    writeln!(out)?;
    look.prose(out, (Tone::Plain, ""), &bill)
}

/// The JSON document of `mcp-footprint defer`: what deferred loading costs beside sending everything.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-defer/1"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = estimator())))]
    estimator: String,
    /// The servers that were measured.
    servers: Vec<Server<'a>>,
}

/// One server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Server<'a> {
    /// Its name.
    name: &'a str,
    /// How many tools the conversation that is priced looks up.
    lookups: u64,
    /// How many turns that conversation has.
    turns: u64,
    /// Tokens of the tool that looks up, which every deferred form holds.
    lookup_tool_tokens: u64,
    /// The forms, sending everything first.
    forms: Vec<FormDocument>,
    /// What may keep deferral from working, in sentences.
    fragile: &'a [String],
}

/// What one form costs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FormDocument {
    /// Which.
    #[cfg_attr(test, schemars(extend("enum" = ["everything", "one_line", "names_only"])))]
    form: &'static str,
    /// Tokens of every turn.
    resident_tokens: u64,
    /// Tokens that one lookup adds.
    lookup_tokens: u64,
    /// Tokens of the whole conversation.
    conversation_tokens: u64,
    /// From how many lookups on it costs more than sending everything; `null` where it never does.
    break_even_lookups: Option<u64>,
}

/// Writes the forms of every server.
pub(crate) fn json(servers: &[(String, Deferral)], out: &mut dyn Write) -> io::Result<()> {
    let servers = servers.iter().map(|(name, deferral)| Server {
        name,
        lookups: deferral.conversation.lookups,
        turns: deferral.conversation.turns,
        lookup_tool_tokens: deferral.lookup_tool,
        forms: deferral
            .costs
            .iter()
            .map(|cost| FormDocument {
                form: cost.form.word(),
                resident_tokens: cost.resident,
                lookup_tokens: cost.lookup,
                conversation_tokens: cost.conversation,
                break_even_lookups: cost.break_even,
            })
            .collect(),
        fragile: &deferral.fragile,
    });
    let document = Document { schema: SCHEMA, estimator: estimator(), servers: servers.collect() };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}
