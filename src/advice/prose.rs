//! Rules on descriptions: what is said twice, what is an example, what is layout.

use std::collections::{BTreeMap, BTreeSet};

use super::edit::Edit;
use super::schema::schemas;
use super::{Proposal, Rule, Subject};
use crate::json::Kind;

/// A shorter text, in characters, is too common to count as repeated.
const SHORTEST_REPEAT: usize = 30;
/// A shorter paragraph, in characters, is not worth a place in the instructions.
const SHORTEST_SHARED: usize = 60;

pub(super) fn rules(subject: &Subject<'_>) -> Vec<Proposal> {
    [repeated_parameters(subject), examples(subject), markdown(subject)].into_iter().flatten().collect()
}

/// A description and the value that holds it.
fn descriptions(subject: &Subject<'_>) -> Vec<(usize, String)> {
    let tree = &subject.tree;
    let holders = std::iter::once(0).chain(schemas(tree));
    holders
        .filter_map(|holder| tree.member(holder, "description"))
        .filter_map(|at| Some((at, tree.value(at).string()?)))
        .collect()
}

fn json(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn repeated_parameters(subject: &Subject<'_>) -> Option<Proposal> {
    let all = words(subject.priced.definition.description());
    let repeats: Vec<usize> = descriptions(subject)
        .into_iter()
        .filter(|(at, text)| {
            let text = words(text);
            subject.tree.node(*at).depth > 1
                && text.chars().count() >= SHORTEST_REPEAT
                && all.contains(text.trim_end_matches('.'))
        })
        .map(|(at, _)| at)
        .collect();
    let advice = format!(
        "Say what {} parameter{} once, in the parameter or in the tool's description, which repeats it.",
        if repeats.len() == 1 { "a".to_owned() } else { repeats.len().to_string() },
        if repeats.len() == 1 { " means" } else { "s mean" }
    );
    let first = *repeats.first()?;
    subject.propose(Rule::RepeatedParameter, first, advice, repeats.into_iter().map(Edit::Remove).collect())
}

/// The descriptions of a definition with their paragraphs kept or dropped; the edits that follow.
fn with_paragraphs(subject: &Subject<'_>, is_kept: &dyn Fn(&str) -> bool) -> Vec<Edit> {
    descriptions(subject)
        .into_iter()
        .filter_map(|(at, text)| {
            let paragraphs: Vec<&str> = text.split("\n\n").collect();
            let kept: Vec<&str> = paragraphs.iter().copied().filter(|paragraph| is_kept(paragraph)).collect();
            match (kept.len() < paragraphs.len(), kept.is_empty()) {
                (false, _) => None,
                (true, true) => Some(Edit::Remove(at)),
                (true, false) => Some(Edit::Replace(at, json(kept.join("\n\n").trim_end()))),
            }
        })
        .collect()
}

fn examples(subject: &Subject<'_>) -> Option<Proposal> {
    let is_example = |paragraph: &str| {
        let text = paragraph.trim_start_matches(|c: char| c.is_whitespace() || "#*_->`<".contains(c)).to_lowercase();
        ["example", "e.g.", "usage example", "sample "].iter().any(|word| text.starts_with(word))
    };
    let edits = with_paragraphs(subject, &|paragraph| !is_example(paragraph));
    let first = edits.iter().map(|edit| match edit {
        Edit::Remove(at) | Edit::Replace(at, _) | Edit::ReplaceMember(at, _) | Edit::Append(at, _) => *at,
    });
    let advice =
        "Move the examples out of the description, to the documentation or to an error that a wrong call gets.";
    subject.propose(Rule::Examples, first.min()?, advice.to_owned(), edits)
}

fn markdown(subject: &Subject<'_>) -> Option<Proposal> {
    let marked = descriptions(subject).into_iter().filter_map(|(at, text)| Some((at, super::markdown::plain(&text)?)));
    let edits: Vec<(usize, Edit)> = marked.map(|(at, plain)| (at, Edit::Replace(at, json(&plain)))).collect();
    let first = edits.first()?.0;
    let advice = "Write plain text instead of Markdown: headings, emphasis and fences cost tokens and say nothing to a \
                  model that a line does not.";
    subject.propose(Rule::Markdown, first, advice.to_owned(), edits.into_iter().map(|(_, edit)| edit).collect())
}

/// The most tools that a finding names.
const MOST_NAMED: usize = 4;
/// The most characters that it quotes.
const LONGEST_QUOTE: usize = 60;

/// Paragraphs and sentences that several tools' descriptions repeat: one proposal, which keeps the first of each.
pub(super) fn across_tools(subjects: &[Subject<'_>]) -> Option<Proposal> {
    let mut tellers: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for subject in subjects.iter().filter(|subject| subject.tree.node(0).kind == Kind::Object) {
        let paragraphs = subject.priced.definition.description().split(PARAGRAPH);
        for piece in paragraphs.flat_map(|paragraph| std::iter::once(paragraph).chain(sentences(paragraph))) {
            if piece.trim().chars().count() >= SHORTEST_SHARED {
                tellers.entry(piece.trim()).or_default().insert(subject.place);
            }
        }
    }
    tellers.retain(|_, places| places.len() > 1);
    let mut edits: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    for subject in subjects {
        let is_kept = |piece: &str| {
            tellers.get(piece.trim()).and_then(BTreeSet::first).is_none_or(|&first| first == subject.place)
        };
        let changes = without_pieces(subject, &is_kept);
        if !changes.is_empty() {
            edits.insert(subject.place, changes);
        }
    }
    let first = edits.keys().next().map(|&place| &subjects[place])?;
    let places: BTreeSet<usize> = tellers.values().flatten().copied().collect();
    let named: Vec<&str> = places.iter().take(MOST_NAMED).map(|&place| subjects[place].label.as_str()).collect();
    let more = match places.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // What most tools repeat is said first, of as many what is longest.
    let longest =
        tellers.iter().max_by_key(|(text, places)| (places.len(), text.len())).map(|(text, _)| words(text))?;
    let quote: String = longest.chars().take(LONGEST_QUOTE).collect();
    let cut = if quote.len() < longest.len() { "…" } else { "" };
    Some(Proposal {
        rule: Rule::RepeatedAcrossTools,
        tool: Some(first.label.clone()),
        path: "/description".to_owned(),
        advice: format!(
            "Say once what {} tools repeat ({}{more}): “{quote}{cut}”. The first of them keeps it.",
            places.len(),
            named.join(", "),
        ),
        edits,
    })
}

const PARAGRAPH: &str = "\n\n";

/// The sentences of a text, each with the white space behind it. What goes on in small letters is the same sentence, as
/// behind `e.g.`; a line that is broken in the middle of one ends nothing.
fn sentences(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let rest = &text[at + 1..];
        let next = rest.trim_start();
        let is_end = next.len() < rest.len() && !next.starts_with(char::is_lowercase);
        if is_end && !next.is_empty() {
            let end = text.len() - next.len();
            pieces.push(&text[start..end]);
            start = end;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// The description of the tool itself without the paragraphs and sentences that are not kept.
fn without_pieces(subject: &Subject<'_>, is_kept: &dyn Fn(&str) -> bool) -> Vec<Edit> {
    let Some((at, text)) = descriptions(subject).into_iter().find(|(at, _)| subject.tree.node(*at).depth == 1) else {
        return Vec::new();
    };
    let paragraphs = text.split(PARAGRAPH).filter(|paragraph| is_kept(paragraph));
    let kept =
        paragraphs.map(|paragraph| sentences(paragraph).into_iter().filter(|one| is_kept(one)).collect::<String>());
    let kept: Vec<String> = kept.filter(|paragraph| !paragraph.trim().is_empty()).collect();
    let kept = kept.join(PARAGRAPH);
    match kept.trim_end() {
        same if same == text.trim_end() => Vec::new(),
        "" => vec![Edit::Remove(at)],
        shorter => vec![Edit::Replace(at, json(shorter))],
    }
}
