//! Rules on what a schema says beside the schema: titles that code generators write, keys that clients ignore, null as
//! a default.

use super::edit::Edit;
use super::schema::schemas;
use super::{Proposal, Rule, Subject};
use crate::json::Kind;

/// Keys of a schema that no client of a model acts on.
const IGNORED: [&str; 5] = ["$schema", "$id", "id", "$comment", "$anchor"];

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
        let is_repeat = name == "inputSchema" || letters(&text) == letters(&name);
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

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn ignored_keys(subject: &Subject<'_>) -> Option<Proposal> {
    let tree = &subject.tree;
    let mut edits = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for schema in schemas(tree) {
        for member in tree.children(schema).filter(|&member| tree.node(member).kind == Kind::String) {
            if let Some(name) = IGNORED.into_iter().find(|name| tree.is(member, name)) {
                edits.push(Edit::Remove(member));
                names.extend((!names.contains(&name)).then_some(name));
            }
        }
    }
    let advice = format!("Leave out `{}`, which clients ignore.", names.join("`, `"));
    subject.propose(Rule::IgnoredKey, first_place(&edits), advice, edits)
}

/// `anyOf` of one schema and null, with null as the default: the same as leaving an optional parameter out.
fn null_defaults(subject: &Subject<'_>) -> Option<Proposal> {
    let tree = &subject.tree;
    let mut edits = Vec::new();
    let mut found = 0;
    for schema in schemas(tree) {
        let Some(any_of) = tree.member(schema, "anyOf") else { continue };
        let Some(default) = tree.member(schema, "default").filter(|&at| tree.node(at).kind == Kind::Null) else {
            continue;
        };
        let is_null = |&choice: &usize| tree.value(choice).as_str() == r#"{"type":"null"}"#;
        let choices: Vec<usize> = tree.children(any_of).collect();
        let others: Vec<usize> = choices.iter().copied().filter(|choice| !is_null(choice)).collect();
        if others.len() + 1 != choices.len() {
            continue;
        }
        match others.as_slice() {
            [only] => {
                let clashes = tree.children(*only).any(|member| {
                    tree.key(member).is_some_and(|key| tree.member(schema, &key).is_some_and(|other| other != any_of))
                });
                let text = tree.value(*only).as_str();
                let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
                match inside {
                    Some(inside) if !clashes && !inside.is_empty() => {
                        edits.push(Edit::ReplaceMember(any_of, inside.to_owned()));
                    }
                    _ => continue,
                }
            }
            _ => edits.extend(choices.iter().filter(|choice| is_null(choice)).map(|&choice| Edit::Remove(choice))),
        }
        edits.push(Edit::Remove(default));
        found += 1;
    }
    let advice = format!(
        "Say the type of {found} optional parameter{} alone, without `anyOf` with null and `default: null`: leaving a \
         parameter out means the same.",
        if found == 1 { "" } else { "s" }
    );
    subject.propose(Rule::NullableDefault, first_place(&edits), advice, edits)
}

fn output_schema(subject: &Subject<'_>) -> Option<Proposal> {
    let output = subject.tree.member(0, "outputSchema")?;
    let advice = "Leave out `outputSchema`, or list it only for clients that check results: no model provider's \
                  function format carries it.";
    subject.propose(Rule::OutputSchema, output, advice.to_owned(), vec![Edit::Remove(output)])
}
