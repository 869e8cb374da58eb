//! What deferral costs, side by side with sending everything.

use std::io::{self, Write};

use serde::Serialize;

use super::grid::{Grid, Row, Side};
use super::json_text::Layout;
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count};
use super::unmeasured::{NotMeasured, not_measured};
use crate::defer::{Candidate, Deferral, Form, Suggestion};
use crate::gate::signed_difference;
use crate::price::ESTIMATOR_DEFERRED;
use crate::report::ServerReport;

/// Names this document and its version.
const SCHEMA: &str = "mcp-footprint-defer/1";

/// Writes the forms of one server, and in words which of them do not pay.
pub(crate) fn table(server: &str, deferral: &Deferral, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let title = look.tint(Tone::Heading, &look.quote(server, LONGEST_NAME)).into_owned();
    let conversation = deferral.conversation;
    let (lookups, turns) = (count(conversation.lookups, "lookup"), count(conversation.turns, "turn"));
    writeln!(out, "{title}: {lookups} over {turns}, in est. tokens ({ESTIMATOR_DEFERRED})\n")?;
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
    match deferral.instructions {
        None => {
            let unknown = "This source does not tell the server's instructions, which names only would add.";
            look.prose(out, (Tone::Secondary, ""), unknown)?;
        }
        Some(0) => {}
        Some(tokens) => {
            let told = format!("Names only holds {tokens} tokens of the server's instructions, and the others none.");
            look.prose(out, (Tone::Secondary, ""), &told)?;
        }
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
                (false, Some(lookups)) if lookups > cost.tools => format!(
                    "Deferral by {form} saves {} tokens in this conversation, and to look up all {} once costs no more.",
                    everything - cost.conversation,
                    count(cost.tools, "tool")
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

/// Writes which tools to defer first, the footprint bill that they are a part of, and the key that defers them.
pub(crate) fn suggestion(suggestion: &Suggestion<'_>, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    if suggestion.tools.is_empty() {
        writeln!(out)?;
        return look.prose(out, (Tone::Plain, ""), "There is no tool whose line would cost less than its definition.");
    }
    let right = |title| (Side::Right, title);
    let titles = [right("tokens"), right("saved"), right("calls a turn"), right("tokens x calls")];
    let mut grid = Grid::new(0, std::iter::once((Side::Left, "defer first")).chain(titles));
    for candidate in &suggestion.tools {
        let cells = [
            look.name(&candidate.tool.definition.label().to_string()).into_owned(),
            candidate.tool.price.tokens.to_string(),
            candidate.saved.to_string(),
            candidate.calls.to_string(),
            format!("{:.1}", candidate.weighted()),
        ];
        grid.push(Row::new(cells.map(|text| (Tone::Plain, text))));
    }
    writeln!(out)?;
    grid.write(out, look)?;
    let (floor, everything, lookup_tool) = (suggestion.floor, suggestion.everything, suggestion.lookup_tool);
    let verdict = if floor + lookup_tool < everything { "" } else { ": together that costs more than it saves" };
    let bill = format!(
        "The weighted footprint bill is {:.1} tokens a turn, {:.1} of it in the tools named. With them deferred the floor \
         is {floor} tokens instead of {everything}, their lines and the frame included, and the client's lookup tool adds \
         {lookup_tool}{verdict}. What is called is looked up first, as the table above prices it.",
        suggestion.bill,
        suggestion.named(),
    );
    writeln!(out)?;
    look.prose(out, (Tone::Plain, ""), &bill)?;
    if suggestion.uncounted > 0 {
        let uncounted = count(suggestion.uncounted as u64, "tool");
        let told =
            format!("Nobody counted the calls of {uncounted}, each taken as one call a turn; --usage tells them.");
        look.prose(out, (Tone::Secondary, ""), &told)?;
    }
    writeln!(out, "\nin budgets.toml:\n  {}", look.show(&suggestion.key()))
}

/// The JSON document of `mcp-footprint defer`: what deferred loading costs beside sending everything.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-defer/1"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = ESTIMATOR_DEFERRED)))]
    estimator: &'static str,
    /// The servers that were measured.
    servers: Vec<Server<'a>>,
    /// The servers that were not measured, of which the document says nothing more.
    not_measured: Vec<NotMeasured<'a>>,
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
    /// Which tools to defer; there with `--suggest` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "SuggestionDocument"))]
    suggestion: Option<SuggestionDocument>,
}

/// What one form costs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FormDocument {
    /// Which.
    #[cfg_attr(test, schemars(extend("enum" = ["everything", "one_line", "names_only", "hot_and_cold"])))]
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

/// Which tools to defer, and what comes of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SuggestionDocument {
    /// The tools, best deferred first.
    tools: Vec<CandidateDocument>,
    /// Tokens times calls per turn, over all tools.
    bill_tokens: f64,
    /// The part of the bill that the named tools are.
    named_tokens: f64,
    /// Tokens of all definitions.
    everything_tokens: u64,
    /// The floor with the named tools deferred, their lines and the frame included.
    floor_tokens: u64,
    /// Everything minus that floor.
    saved_tokens: i64,
    /// The `defer` of budgets.toml that names them.
    globs: Vec<String>,
}

/// One tool to defer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CandidateDocument {
    /// Its name.
    name: String,
    /// Tokens of its definition.
    tokens: u64,
    /// What its line costs less.
    saved_tokens: i64,
    /// How often it is called in a turn; 1 where that is not known.
    calls: f64,
    /// Tokens times calls.
    weighted_tokens: f64,
}

impl SuggestionDocument {
    fn of(suggestion: &Suggestion<'_>) -> Self {
        let tool = |candidate: &Candidate<'_>| CandidateDocument {
            name: candidate.tool.definition.label().to_string(),
            tokens: candidate.tool.price.tokens,
            saved_tokens: candidate.saved,
            calls: candidate.calls,
            weighted_tokens: candidate.weighted(),
        };
        SuggestionDocument {
            tools: suggestion.tools.iter().map(tool).collect(),
            bill_tokens: suggestion.bill,
            named_tokens: suggestion.named(),
            everything_tokens: suggestion.everything,
            floor_tokens: suggestion.floor,
            saved_tokens: signed_difference(suggestion.everything, suggestion.floor),
            globs: suggestion.globs.clone(),
        }
    }
}

/// One server to write: its name, its forms, and which tools to defer where that was asked.
pub(crate) type Priced<'a> = (&'a str, Deferral, Option<Suggestion<'a>>);

/// Writes the forms of every server.
pub(crate) fn json(servers: &[Priced<'_>], failed: &[&ServerReport], out: &mut dyn Write) -> io::Result<()> {
    let servers = servers.iter().map(|(name, deferral, suggestion)| Server {
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
        suggestion: suggestion.as_ref().map(SuggestionDocument::of),
    });
    let (servers, not_measured) = (servers.collect(), not_measured(failed));
    let document = Document { schema: SCHEMA, estimator: ESTIMATOR_DEFERRED, servers, not_measured };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}
