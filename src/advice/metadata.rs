//! Rules on what a schema says beside the schema: titles that code generators write, keys that clients ignore, null as
//! a default.

use super::edit::Edit;
use super::schema::schemas;
use super::{Proposal, Rule, Subject};
use crate::json::Kind;
use crate::tree::Tree;

/// Keys of a schema that no client of a model acts on.
const IGNORED: [&str; 5] = ["$schema", "$id", "id", "$comment", "$anchor"];
/// Those of them that a reference may mean.
const NAMES: [&str; 3] = ["$id", "id", "$anchor"];

pub(super) fn rules(subject: &Subject<'_>) -> Vec<Proposal> {
    [generated_titles(subject), ignored_keys(subject), null_defaults(subject), output_schema(subject)]
        .into_iter()
        .flatten()
        .collect()
}

fn first_place(edits: &[Edit]) -> usize {
    match edits.first() {
        Some(Edit::Remove(at) | Edit::Replace(at, _) | Edit::ReplaceMember(at, _) | Edit::Append(at, _)) => *at,
        None => 0,
    }
}

fn generated_titles(subject: &Subject<'_>) -> Option<Proposal> {
    let tree = &subject.tree;
    let titles = schemas(tree).into_iter().filter_map(|schema| {
        let title = tree.member(schema, "title").filter(|&title| tree.node(title).kind == Kind::String)?;
        let text = tree.value(title).string()?;
        let name = tree.key(schema).unwrap_or_default();
        let is_repeat = match name.as_str() {
            "inputSchema" => is_called_after(&text, &subject.label),
            name => letters(&text) == letters(name),
        };
        is_repeat.then_some(Edit::Remove(title))
    });
    let edits: Vec<Edit> = titles.collect();
    let advice = format!(
        "Leave out the generated `title` of {} schema{}: it repeats the name of the parameter or of the tool.",
        edits.len(),
        if edits.len() == 1 { "" } else { "s" }
    );
    subject.propose(Rule::GeneratedTitle, first_place(&edits), advice, edits)
}

/// Whether a generator made the title of the whole schema out of the tool's name: `addNoteArguments` of `add_note`.
fn is_called_after(title: &str, tool: &str) -> bool {
    const GENERATED: [&str; 8] = ["", "arguments", "args", "input", "params", "parameters", "request", "schema"];
    letters(title).strip_prefix(&letters(tool)).is_some_and(|rest| GENERATED.contains(&rest))
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a reference goes to the name of a schema, and not to its place.
fn refers_by_name(tree: &Tree<'_>) -> bool {
    let is_name = |text: String| text != "#" && !text.starts_with("#/");
    (0..tree.nodes().len()).any(|at| tree.is(at, "$ref") && tree.value(at).string().is_some_and(is_name))
}

fn ignored_keys(subject: &Subject<'_>) -> Option<Proposal> {
    let tree = &subject.tree;
    let names_count = refers_by_name(tree);
    let is_dialect_used = uses_older_dialect(tree);
    let mut edits = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for schema in schemas(tree) {
        for member in tree.children(schema).filter(|&member| tree.node(member).kind == Kind::String) {
            let means = |name: &str| names_count && NAMES.contains(&name) || is_dialect_used && name == "$schema";
            let is_ignored = |name: &&str| tree.is(member, name) && !means(name);
            if let Some(name) = IGNORED.into_iter().find(is_ignored) {
                edits.push(Edit::Remove(member));
                names.extend((!names.contains(&name)).then_some(name));
            }
        }
    }
    let advice = format!("Leave out `{}`, which clients ignore.", names.join("`, `"));
    subject.propose(Rule::IgnoredKey, first_place(&edits), advice, edits)
}

/// Whether a schema says what only an older dialect of JSON Schema means by it, so that the dialect has to be named:
/// json-schema.org/draft/2020-12/release-notes, and json-schema.org/draft-06/json-schema-release-notes
fn uses_older_dialect(tree: &Tree<'_>) -> bool {
    let has = |schema: usize, key: &str, kind: fn(Kind) -> bool| {
        tree.member(schema, key).is_some_and(|at| kind(tree.node(at).kind))
    };
    schemas(tree).into_iter().any(|schema| {
        ["exclusiveMinimum", "exclusiveMaximum"].iter().any(|key| has(schema, key, |kind| kind == Kind::Bool))
            || has(schema, "items", |kind| kind == Kind::Array)
            || ["additionalItems", "dependencies", "$recursiveRef"].iter().any(|key| has(schema, key, |_| true))
    })
}

/// A choice of something and null, with null as the default: the same as leaving an optional parameter out.
fn null_defaults(subject: &Subject<'_>) -> Option<Proposal> {
    let tree = &subject.tree;
    let mut edits = Vec::new();
    let mut found = 0;
    for schema in schemas(tree).into_iter().filter(|&schema| !is_required(tree, schema)) {
        let Some(default) = tree.member(schema, "default").filter(|&at| tree.node(at).kind == Kind::Null) else {
            continue;
        };
        if let Some(without_null) = without_null(tree, schema) {
            edits.extend(without_null);
            edits.push(Edit::Remove(default));
            found += 1;
        }
    }
    let advice = format!(
        "Say the type of {found} optional parameter{} alone, without null as a choice and `default: null`: leaving a \
         parameter out means the same.",
        if found == 1 { "" } else { "s" }
    );
    subject.propose(Rule::NullableDefault, first_place(&edits), advice, edits)
}

/// Whether the schema is that of a parameter that every call has to give.
fn is_required(tree: &Tree<'_>, schema: usize) -> bool {
    let holder = tree.node(schema).parent.and_then(|properties| tree.node(properties).parent);
    let required = holder.and_then(|holder| tree.member(holder, "required"));
    let name = tree.key(schema);
    required.is_some_and(|required| tree.children(required).any(|one| tree.value(one).string() == name))
}

/// The changes that take null out of the choices of a schema; `None` where it is none of them, or where what is left
/// says another thing than the schema beside it.
fn without_null(tree: &Tree<'_>, schema: usize) -> Option<Vec<Edit>> {
    let union = ["anyOf", "oneOf", "type"].into_iter().find_map(|key| tree.member(schema, key))?;
    let choices: Vec<usize> = tree.children(union).collect();
    let is_null = |choice: usize| matches!(tree.value(choice).as_str(), r#"{"type":"null"}"# | r#""null""#);
    let others: Vec<usize> = choices.iter().copied().filter(|&choice| !is_null(choice)).collect();
    if tree.node(union).kind != Kind::Array || others.len() + 1 != choices.len() {
        return None;
    }
    match others.as_slice() {
        [only] if tree.node(*only).kind == Kind::Object => {
            let mut members = Vec::new();
            for member in tree.children(*only) {
                let beside = tree.key(member).and_then(|key| tree.member(schema, &key)).filter(|&at| at != union);
                match beside {
                    None => members.push(&tree.text()[tree.node(member).whole()]),
                    Some(same) if tree.value(same) == tree.value(member) => {}
                    Some(_) => return None,
                }
            }
            Some(vec![Edit::ReplaceMember(union, members.join(","))]).filter(|_| !members.is_empty())
        }
        [only] => Some(vec![Edit::Replace(union, tree.value(*only).as_str().to_owned())]),
        _ => Some(choices.iter().filter(|&&choice| is_null(choice)).map(|&choice| Edit::Remove(choice)).collect()),
    }
}

fn output_schema(subject: &Subject<'_>) -> Option<Proposal> {
    let output = subject.tree.member(0, "outputSchema")?;
    let advice = "Leave out `outputSchema`, or list it only for clients that check results: no model provider's \
                  function format carries it.";
    subject.propose(Rule::OutputSchema, output, advice.to_owned(), vec![Edit::Remove(output)])
}
