//! Which part of a definition each of its tokens belongs to: the one in whose bytes it starts.
//!
//! A token seldom ends where a JSON value ends (`":"` and `"},"` are one token each), so that no count of a part alone
//! could add up. Places where tokens start do: every start lies in exactly one part.

use std::collections::HashMap;
use std::ops::Range;

use super::tokenizer;
use crate::tree::{Step, Tree};

/// The places where the tokens of one text start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    starts: Vec<usize>,
}

/// The tokens of one top-level key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The decoded key, or [`Field::NO_KEY`]. Hostile text.
    pub key: String,
    /// Tokens that start in the bytes of the key and its value.
    pub tokens: u64,
}

impl Field {
    /// Stands for what belongs to no key: the outer braces and commas, or all of a definition that is no object.
    pub const NO_KEY: &'static str = "{}";
}

impl Partition {
    /// Finds the tokens of a text.
    pub fn of(text: &str) -> Self {
        Partition { starts: tokenizer::starts(text) }
    }

    /// The number of tokens.
    pub fn total(&self) -> u64 {
        self.starts.len() as u64
    }

    /// The tokens that start in these bytes.
    pub fn tokens(&self, bytes: Range<usize>) -> u64 {
        let before = |at: usize| self.starts.partition_point(|&start| start < at);
        (before(bytes.end) - before(bytes.start)) as u64
    }

    /// The tokens of a value with its key, and of everything that it holds.
    pub fn tokens_of(&self, tree: &Tree<'_>, index: usize) -> u64 {
        self.tokens(tree.node(index).whole())
    }

    /// The tokens of a value that belong to nothing that it holds: its key, its brackets, the commas.
    ///
    /// Over all values of a tree, these add up to the total.
    pub fn own_tokens_of(&self, tree: &Tree<'_>, index: usize) -> u64 {
        let inside: u64 = tree.children(index).map(|child| self.tokens_of(tree, child)).sum();
        self.tokens_of(tree, index) - inside
    }

    /// The tokens by top-level key in the order of the text, keys that stand twice summed, and at last what belongs to
    /// no key. They add up to the total.
    pub fn fields(&self, tree: &Tree<'_>) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut add = |key: String, tokens: u64| {
            let place = *places.entry(key.clone()).or_insert(fields.len());
            match fields.get_mut(place) {
                Some(field) => field.tokens += tokens,
                None => fields.push(Field { key, tokens }),
            }
        };
        let mut keyed = 0;
        for member in tree.children(0).filter(|&child| matches!(tree.node(child).step, Step::Key(_))) {
            let tokens = self.tokens_of(tree, member);
            keyed += tokens;
            add(tree.key(member).unwrap_or_default(), tokens);
        }
        add(Field::NO_KEY.to_owned(), self.total() - keyed);
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Text;
    use proptest::prelude::*;

    fn fields(compact: &str) -> Vec<(String, u64)> {
        let fields = Partition::of(compact).fields(&Tree::of_top(compact));
        fields.into_iter().map(|field| (field.key, field.tokens)).collect()
    }

    #[test]
    fn a_token_belongs_to_the_key_in_whose_bytes_it_starts() {
        // `{"`, `name`, `":"`, `add`, `"}`: the first starts at the brace, the last inside the value.
        assert_eq!(fields(r#"{"name":"add"}"#), [("name".to_owned(), 4), ("{}".to_owned(), 1)]);
    }

    #[test]
    fn keys_that_stand_twice_are_summed_and_a_key_of_two_braces_is_one_with_the_rest() {
        let twice = fields(r#"{"a":1,"b":2,"a":3,"{}":4}"#);
        assert_eq!(twice.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a", "b", "{}"]);
        assert_eq!(
            twice.iter().map(|(_, tokens)| tokens).sum::<u64>(),
            tokenizer::count(r#"{"a":1,"b":2,"a":3,"{}":4}"#)
        );
    }

    #[test]
    fn a_definition_that_is_no_object_has_no_key() {
        for compact in ["[1,{\"a\":2}]", "null", "\"x y\""] {
            assert_eq!(fields(compact), [("{}".to_owned(), tokenizer::count(compact))]);
        }
    }

    fn any_definition() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            any::<i32>().prop_map(|number| number.to_string()),
            any::<String>().prop_map(|text| serde_json::Value::String(text).to_string()),
            "[a-z \\\\n\u{1F600}-\u{1F64F}]{0,30}".prop_map(|text| serde_json::Value::String(text).to_string()),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            let key = prop_oneof![Just("{}".to_owned()), Just("name".to_owned()), any::<String>()];
            let member =
                (key, inner.clone()).prop_map(|(key, value)| format!("{}:{value}", serde_json::Value::String(key)));
            prop_oneof![
                prop::collection::vec(inner, 0..5).prop_map(|elements| format!("[{}]", elements.join(","))),
                prop::collection::vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(","))),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_parts_of_every_text_add_up_to_its_tokens(raw in any_definition()) {
            let compact = Text::parse(&raw).unwrap().compact();
            let (tree, partition) = (Tree::of(&compact), Partition::of(&compact));
            let total = tokenizer::count(&compact);
            prop_assert_eq!(partition.total(), total);
            let own: u64 = (0..tree.nodes().len()).map(|index| partition.own_tokens_of(&tree, index)).sum();
            prop_assert_eq!(own, total);
            prop_assert_eq!(fields(&compact).iter().map(|(_, tokens)| tokens).sum::<u64>(), total);
        }
    }
}
