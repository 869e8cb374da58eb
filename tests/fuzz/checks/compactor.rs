//! What must hold for every text: whether it is JSON is not ours to decide, its compact form is the same value, slices
//! find what a parser finds, and the tokens of the parts add up to those of the whole.

use std::collections::HashSet;

use mcp_footprint::definition::{Definition, Label};
use mcp_footprint::json::{DuplicateKey, Kind, Text};
use mcp_footprint::price::{Partition, price, tokenizer};
use mcp_footprint::tree::Tree;

use super::json::{Json, Refused};

/// Holds everything that is done with a definition to what must be true of it.
pub fn check(data: &[u8]) {
    let Ok(raw) = std::str::from_utf8(data) else { return };
    same_boundaries_as_the_reference(raw);
    let parsed = Text::parse(raw);
    let expected = Json::read(raw);
    if expected != Err(Refused::TooDeep) {
        assert_eq!(parsed.is_ok(), expected.is_ok(), "whether it is JSON");
    }
    let Ok(text) = parsed else { return };
    let compact = text.compact();
    is_compact(&compact);
    let again = Text::parse(&compact).expect("the compact form is JSON");
    assert_eq!(again.compact(), compact, "compacted twice");
    assert!(compact.len() <= text.as_str().len(), "longer than what was sent");
    if let Ok(expected) = &expected {
        assert_eq!(Json::read(&compact).as_ref(), Ok(expected), "the value of the compact form");
        slices_find(text, expected);
        slices_find(again, expected);
        definition_reads(text, expected);
    }
    same_value_for_serde(text.as_str(), &compact);
    prices_add_up(text, &compact);
}

/// serde_json cannot read every JSON text; what it reads, it must read alike.
fn same_value_for_serde(raw: &str, compact: &str) {
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    assert_eq!(value(raw), value(compact), "the value after serde_json");
}

/// No white space outside strings, no escape that could be shorter.
fn is_compact(compact: &str) {
    let mut characters = compact.chars();
    let mut inside = false;
    while let Some(character) = characters.next() {
        match character {
            '"' => inside = !inside,
            '\\' if inside => {
                let kind = characters.next().expect("an escape names a character");
                let code: String = if kind == 'u' { characters.by_ref().take(4).collect() } else { String::new() };
                let needed = match kind {
                    '"' | '\\' | 'b' | 'f' | 'n' | 'r' | 't' => true,
                    'u' => is_needed(&code),
                    _ => false,
                };
                assert!(needed, "the escape \\{kind}{code} in {compact:?}");
            }
            ' ' | '\t' | '\n' | '\r' => assert!(inside, "white space in {compact:?}"),
            _ => {}
        }
    }
}

/// Whether `\uCODE` has no shorter form, and is written in lower case.
fn is_needed(code: &str) -> bool {
    let unit = u16::from_str_radix(code, 16).expect("four digits");
    let has_short_form = matches!(unit, 0x08 | 0x09 | 0x0a | 0x0c | 0x0d);
    code == code.to_lowercase() && (matches!(unit, 0..0x20 | 0xd800..0xe000) && !has_short_form)
}

fn slices_find(text: Text<'_>, expected: &Json) {
    let value = |slice: Text<'_>| Json::read(slice.as_str()).expect("a slice is JSON");
    assert_eq!(text.string(), expected.string(), "the decoded string");
    let elements: Vec<Json> = text.elements().map(value).collect();
    let members: Vec<(Json, Json)> = text.members().map(|(key, member)| (value(key), value(member))).collect();
    match expected {
        Json::Array(all) => assert_eq!(&elements, all, "the elements"),
        Json::Object(all) => {
            let all: Vec<_> = all.iter().map(|(key, member)| (Json::String(key.clone()), member.clone())).collect();
            assert_eq!(members, all, "the members");
        }
        _ => {}
    }
    assert_eq!(elements.is_empty(), !matches!(expected, Json::Array(all) if !all.is_empty()));
    assert_eq!(members.is_empty(), !matches!(expected, Json::Object(all) if !all.is_empty()));
    for (key, _) in text.members() {
        let key = key.string().expect("a key is a string");
        assert_eq!(text.get(&key).map(value).as_ref(), expected.get(&key), "the last value of {key:?}");
    }
    keys_that_must_be_unique(text, expected);
    text.elements().chain(text.members().map(|(_, member)| member)).for_each(|inner| {
        slices_find(inner, &value(inner));
    });
}

fn keys_that_must_be_unique(text: Text<'_>, expected: &Json) {
    const KEYS: [&str; 4] = ["tools", "name", "id", ""];
    let twice: Vec<&str> = KEYS.into_iter().filter(|key| expected.all(key).len() > 1).collect();
    match text.get_all_unique(KEYS) {
        Ok(found) => {
            assert!(twice.is_empty(), "{twice:?} stand twice");
            for (key, found) in KEYS.iter().zip(found) {
                let found = found.map(|found| Json::read(found.as_str()).expect("a slice is JSON"));
                assert_eq!(found.as_ref(), expected.get(key), "the value of {key:?}");
            }
        }
        Err(DuplicateKey(key)) => assert!(twice.contains(&key), "{key:?} stands once"),
    }
}

fn definition_reads(text: Text<'_>, expected: &Json) {
    let definition = Definition::new(text, 7);
    let read = |key: &str| expected.get(key).and_then(Json::string).unwrap_or_default();
    let label = match (text.kind(), read("name")) {
        (Kind::Object, name) if name.is_empty() => Label::Unnamed(7),
        (Kind::Object, name) => Label::Named(name),
        _ => Label::Invalid(7),
    };
    assert_eq!(definition.label(), &label);
    assert_eq!(definition.description(), read("description"));
}

fn prices_add_up(text: Text<'_>, compact: &str) {
    let definition = Definition::new(text, 1);
    let price = price(&definition);
    assert_eq!(definition.compact(), compact);
    assert_eq!(price.bytes, compact.len() as u64);
    assert_eq!(price.tokens, tokenizer::count(compact), "the tokens of the definition");
    assert_eq!(price.description_tokens, tokenizer::count(definition.description()));
    assert_eq!(price.fields.iter().map(|field| field.tokens).sum::<u64>(), price.tokens, "the sum of the fields");
    let (tree, partition) = (Tree::of(compact), Partition::of(compact));
    let own: u64 = (0..tree.nodes().len()).map(|index| partition.own_tokens_of(&tree, index)).sum();
    assert_eq!(own, price.tokens, "the sum of the parts");
    for node in tree.nodes() {
        Text::parse(&compact[node.value.clone()]).expect("a part is JSON");
    }
    same_boundaries_as_the_reference(compact);
    same_boundaries_as_the_reference(definition.description());
}

/// tiktoken-rs decides where the tokens of a text start.
fn same_boundaries_as_the_reference(text: &str) {
    let encoder = tiktoken_rs::o200k_base_singleton();
    let (ranks, _) = encoder.encode(text, &HashSet::new()).expect("the reference encodes");
    let lengths = ranks.iter().map(|&rank| encoder.decode_bytes(&[rank]).expect("a rank of its own").len());
    let expected: Vec<usize> = lengths.scan(0, |end, length| Some(std::mem::replace(end, *end + length))).collect();
    assert_eq!(tokenizer::starts(text), expected, "token starts of {text:?}");
    assert_eq!(tokenizer::count(text), expected.len() as u64, "tokens of {text:?}");
}
