//! Rules on what clients take: how many tools, which names, how long a description, how large a schema. And one on the
//! definition that outweighs the others.

use super::edit::Edit;
use super::{Proposal, Rule, Subject};
use crate::report::Measurement;

/// More tools than this are more than some client takes: Cursor 40, and 100 and 128 elsewhere (OpenAI's limit).
const TOOL_COUNTS: [usize; 3] = [128, 100, 40];
/// Longer names than this are refused: 60 with a server's name before it, 64 by the providers' function formats.
const NAME_LENGTHS: [usize; 2] = [64, 60];
/// Longer descriptions than this, in bytes, are cut.
const DESCRIPTION_LENGTHS: [usize; 2] = [2_048, 1_024];
/// Larger schemas than this, in bytes, are left out, and more than this together.
const LARGEST_SCHEMA: usize = 64 * 1024;
const LARGEST_SCHEMAS: usize = 512 * 1024;
/// A definition beyond this share of the floor, in per cent, is heavy where there are several.
const HEAVY_SHARE: u64 = 20;
const HEAVY_FROM: usize = 6;

pub(super) fn rules(subject: &Subject<'_>) -> Vec<Proposal> {
    [name(subject), description(subject), schema(subject)].into_iter().flatten().collect()
}

fn name(subject: &Subject<'_>) -> Option<Proposal> {
    let at = subject.tree.member(0, "name")?;
    let name = subject.tree.value(at).string()?;
    let length = name.chars().count();
    let limit = NAME_LENGTHS.into_iter().find(|&limit| length > limit);
    let advice = if limit.is_some() {
        let limits = passed(&NAME_LENGTHS, length);
        format!("Shorten the name: it has {length} characters, and clients refuse more than {limits}.")
    } else if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        "Name it with letters, digits, `_` and `-` alone: providers refuse every other character.".to_owned()
    } else if name.contains("__") {
        "Leave `__` out of the name: clients part the server from the tool there.".to_owned()
    } else {
        return None;
    };
    Some(subject.remark(Rule::ToolName, at, advice))
}

/// The limits that a number is beyond, the lowest first.
fn passed(limits: &[usize], number: usize) -> String {
    let passed = limits.iter().rev().filter(|&&limit| number > limit).map(usize::to_string);
    passed.collect::<Vec<_>>().join(" or ")
}

/// The limit that the description is to be brought below.
pub(super) fn description_limit(subject: &Subject<'_>) -> Option<usize> {
    let length = subject.priced.definition.description().len();
    DESCRIPTION_LENGTHS.into_iter().find(|&limit| length > limit)
}

fn description(subject: &Subject<'_>) -> Option<Proposal> {
    let at = subject.tree.member(0, "description")?;
    let text = subject.priced.definition.description();
    let limit = description_limit(subject)?;
    let end = (0..=limit).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    let shorter = serde_json::Value::String(text[..end].to_owned()).to_string();
    let advice = format!(
        "Bring the description below {limit} bytes: it has {}, and clients cut it at {}, wherever that is.",
        text.len(),
        passed(&DESCRIPTION_LENGTHS, text.len())
    );
    subject.propose(Rule::LongDescription, at, advice, vec![Edit::Replace(at, shorter)])
}

fn schema(subject: &Subject<'_>) -> Option<Proposal> {
    let at = subject.tree.member(0, "inputSchema")?;
    let bytes = subject.tree.node(at).value.len();
    let advice = format!(
        "Bring the input schema to {LARGEST_SCHEMA} bytes: it has {bytes}, and stores of sessions leave it out."
    );
    (bytes > LARGEST_SCHEMA).then(|| subject.remark(Rule::LargeSchema, at, advice))
}

pub(super) fn of_server(subjects: &[Subject<'_>], measurement: &Measurement) -> Vec<Proposal> {
    let floor = measurement.everything();
    let mut proposals = Vec::new();
    for subject in subjects.iter().filter(|_| subjects.len() >= HEAVY_FROM) {
        let share = subject.priced.price.tokens * 100 / floor.max(1);
        if share >= HEAVY_SHARE {
            let advice =
                format!("Look here first: this one of {} definitions takes {share}% of the floor.", subjects.len());
            proposals.push(subject.remark(Rule::HeavyDefinition, 0, advice));
        }
    }
    let of_server =
        |rule, advice| Proposal { rule, tool: None, path: String::new(), advice, edits: Default::default() };
    if let Some(limit) = TOOL_COUNTS.into_iter().find(|&limit| subjects.len() > limit) {
        let advice = format!(
            "List no more than {limit} of the {} tools: clients take {} at most, of all servers together.",
            subjects.len(),
            passed(&TOOL_COUNTS, subjects.len())
        );
        proposals.push(of_server(Rule::ToolCount, advice));
    }
    let schemas: usize = subjects
        .iter()
        .filter_map(|subject| Some(subject.tree.node(subject.tree.member(0, "inputSchema")?).value.len()))
        .sum();
    if schemas > LARGEST_SCHEMAS {
        let advice = format!("Bring the input schemas to {LARGEST_SCHEMAS} bytes together: they have {schemas}.");
        proposals.push(of_server(Rule::LargeSchema, advice));
    }
    proposals
}
