//! Rules on the shape of a schema: long lists of values, and schemas that stand several times.

use std::collections::BTreeMap;

use super::edit::Edit;
use super::{Proposal, Rule, Subject};
use crate::json::Kind;
use crate::price::tokenizer;
use crate::tree::Tree;

/// More allowed values than this are a long list.
const LONG_ENUM: usize = 20;
/// A repeated schema shorter than this, in bytes, is not worth a reference.
const SHORTEST_REPEAT: usize = 60;

pub(super) fn rules(subject: &Subject<'_>) -> Vec<Proposal> {
    let mut proposals = long_enums(subject);
    proposals.extend(repeated(subject));
    proposals
}

/// Every schema below `inputSchema`, itself included: objects that stand where a schema stands, not those that only
/// look like one, such as a default.
pub(super) fn schemas(tree: &Tree<'_>) -> Vec<usize> {
    let mut is_schema = vec![false; tree.nodes().len()];
    let mut holds_schemas = vec![false; tree.nodes().len()];
    for (at, node) in tree.nodes().iter().enumerate().filter(|(_, node)| node.depth > 0) {
        let Some(holder) = node.parent else { continue };
        let key = tree.key(at);
        let key = key.as_deref();
        if node.depth == 1 {
            is_schema[at] = key == Some("inputSchema") && node.kind == Kind::Object;
        } else if holds_schemas[holder] {
            is_schema[at] = node.kind == Kind::Object;
        } else if is_schema[holder] {
            match key {
                Some("properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas") => {
                    holds_schemas[at] = node.kind == Kind::Object;
                }
                Some("anyOf" | "oneOf" | "allOf" | "prefixItems") => holds_schemas[at] = node.kind == Kind::Array,
                Some("items" | "additionalProperties" | "not" | "if" | "then" | "else" | "contains") => {
                    is_schema[at] = node.kind == Kind::Object;
                    holds_schemas[at] = node.kind == Kind::Array;
                }
                _ => {}
            }
        }
    }
    (0..is_schema.len()).filter(|&at| is_schema[at]).collect()
}

fn long_enums(subject: &Subject<'_>) -> Vec<Proposal> {
    let tree = &subject.tree;
    let long = schemas(tree).into_iter().filter_map(|schema| {
        let list = tree.member(schema, "enum").filter(|&list| tree.node(list).kind == Kind::Array)?;
        let values = tree.children(list).count();
        (values > LONG_ENUM).then_some((list, values))
    });
    long.filter_map(|(list, values)| {
        let advice = format!(
            "Take the {values} allowed values out of the schema: check them in the server, and name the legal ones in \
             the error or through a lookup."
        );
        subject.propose(Rule::LongEnum, list, advice, vec![Edit::Remove(list)])
    })
    .collect()
}

/// The equal schemas whose single definition under `$defs` saves most, one proposal for all that save.
fn repeated(subject: &Subject<'_>) -> Option<Proposal> {
    let tree = &subject.tree;
    let root = tree.member(0, "inputSchema")?;
    let defs = tree.member(root, "$defs").filter(|&defs| tree.node(defs).kind == Kind::Object);
    let is_free = |name: &String| defs.is_none_or(|defs| tree.member(defs, name).is_none());
    let mut names = (1..).map(|number| format!("d{number}")).filter(is_free);
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for schema in schemas(tree).into_iter().filter(|&schema| schema != root) {
        let text = tree.value(schema).as_str();
        if text.len() >= SHORTEST_REPEAT && !text.contains("\"$ref\"") {
            places.entry(text).or_default().push(schema);
        }
    }
    let mut repeats: Vec<(&str, Vec<usize>)> = places.into_iter().filter(|(_, places)| places.len() > 1).collect();
    repeats.sort_by_key(|(text, places)| std::cmp::Reverse(text.len() * (places.len() - 1)));
    let mut edits = Vec::new();
    let mut is_taken = vec![false; tree.nodes().len()];
    let mut taken: Vec<usize> = Vec::new();
    let mut held = Vec::new();
    for (text, mut places) in repeats {
        places.retain(|&at| !is_taken[at]);
        let holds_taken = places.iter().any(|&at| is_taken[at..tree.node(at).end].contains(&true));
        let Some(name) = names.next() else { break };
        let reference = format!("{{\"$ref\":\"#/$defs/{name}\"}}");
        let dropped = tokenizer::count(text) * (places.len() as u64).saturating_sub(1);
        if holds_taken || dropped <= (tokenizer::count(&reference) + 1) * (places.len() as u64) {
            continue;
        }
        for at in places {
            edits.push(Edit::Replace(at, reference.clone()));
            is_taken[at..tree.node(at).end].fill(true);
            taken.push(at);
        }
        held.push(format!("\"{name}\":{text}"));
    }
    let first = *taken.first()?;
    edits.push(match defs {
        Some(defs) => Edit::Append(defs, held.join(",")),
        None => Edit::Append(root, format!("\"$defs\":{{{}}}", held.join(","))),
    });
    let advice = format!(
        "Hold {} word for word.",
        match (held.len(), taken.len()) {
            (1, places) => format!("this schema once under `$defs` and refer to it: {places} places repeat it"),
            (many, places) => {
                format!("{many} schemas once under `$defs` and refer to them: {places} places repeat them")
            }
        }
    );
    subject.propose(Rule::RepeatedSchema, first, advice, edits)
}
