//! Definitions that nothing refers to: generators put those of a whole program beside every tool.

use std::collections::BTreeMap;

use super::edit::Edit;
use super::schema::schemas;
use super::{Proposal, Rule, Subject};
use crate::json::Kind;
use crate::tree::Tree;

/// The keys under which a schema holds definitions for reference.
const HOLDERS: [&str; 2] = ["$defs", "definitions"];
/// Keys by which a schema is reached in other ways than by its place.
const NAMES: [&str; 6] = ["$id", "id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"];

/// Where a reference leads.
enum Target {
    /// To a definition, or into one: the key of the holder, and the name.
    Definition(String, String),
    /// To another place of the same schema, which is there in any case.
    Place,
    /// Where nobody can tell from here.
    Elsewhere,
}

pub(super) fn rules(subject: &Subject<'_>) -> Option<Proposal> {
    let tree = &subject.tree;
    let root = tree.member(0, "inputSchema").filter(|&root| tree.node(root).kind == Kind::Object)?;
    let definitions = definitions(tree, root);
    let within = root..tree.node(root).end;
    let is_text = |at: usize| tree.node(at).kind == Kind::String;
    let has_name = |schema: usize| NAMES.iter().any(|name| tree.member(schema, name).is_some_and(is_text));
    if definitions.is_empty() || schemas(tree).into_iter().any(has_name) {
        return None;
    }
    let holder_of = |at: usize| definitions.values().copied().find(|&one| (one..tree.node(one).end).contains(&at));
    // By the definition that they stand in, `None` for those of the schema itself.
    let mut references: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for at in within.filter(|&at| tree.is(at, "$ref")) {
        match tree.value(at).string().map_or(Target::Place, |text| target(&text)) {
            Target::Definition(holder, name) => {
                references.entry(holder_of(at)).or_default().extend(definitions.get(&(holder, name)));
            }
            Target::Place => {}
            Target::Elsewhere => return None,
        }
    }
    let mut used: Vec<usize> = Vec::new();
    let mut open = references.remove(&None).unwrap_or_default();
    while let Some(next) = open.pop() {
        if !used.contains(&next) {
            used.push(next);
            open.extend(references.remove(&Some(next)).unwrap_or_default());
        }
    }
    let unused: Vec<usize> = definitions.into_values().filter(|one| !used.contains(one)).collect();
    let first = *unused.iter().min()?;
    let advice = format!(
        "Leave out {} that nothing refers to.",
        match unused.len() {
            1 => "a definition".to_owned(),
            many => format!("{many} definitions"),
        }
    );
    subject.propose(Rule::UnusedDefinition, first, advice, removals(tree, root, &unused))
}

/// The definitions of a schema by their holder and name.
fn definitions(tree: &Tree<'_>, root: usize) -> BTreeMap<(String, String), usize> {
    let holders = HOLDERS.into_iter().filter_map(|key| Some((key, tree.member(root, key)?)));
    let of_objects = holders.filter(|&(_, holder)| tree.node(holder).kind == Kind::Object);
    let all = of_objects.flat_map(|(key, holder)| tree.children(holder).map(move |one| (key, one)));
    all.filter_map(|(key, one)| Some(((key.to_owned(), tree.key(one)?), one))).collect()
}

/// Takes out the definitions, and a holder that is left with none.
fn removals(tree: &Tree<'_>, root: usize, unused: &[usize]) -> Vec<Edit> {
    let holders: Vec<usize> = HOLDERS.into_iter().filter_map(|key| tree.member(root, key)).collect();
    let is_empty = |holder: usize| tree.children(holder).all(|one| unused.contains(&one));
    let edits = holders.into_iter().flat_map(|holder| match is_empty(holder) {
        true => vec![Edit::Remove(holder)],
        false => tree.children(holder).filter(|one| unused.contains(one)).map(Edit::Remove).collect(),
    });
    edits.collect()
}

/// Where a reference leads: a JSON pointer in a fragment, RFC 6901, section 6.
fn target(reference: &str) -> Target {
    let Some(pointer) = reference.strip_prefix('#') else { return Target::Elsewhere };
    let Ok(pointer) = percent_encoding::percent_decode_str(pointer).decode_utf8() else { return Target::Elsewhere };
    let mut keys = pointer.split('/').map(|key| key.replace("~1", "/").replace("~0", "~"));
    match (keys.next().as_deref(), keys.next(), keys.next()) {
        (Some(""), Some(holder), name) if HOLDERS.contains(&holder.as_str()) => {
            name.map_or(Target::Elsewhere, |name| Target::Definition(holder, name))
        }
        (Some(""), ..) => Target::Place,
        _ => Target::Elsewhere,
    }
}
