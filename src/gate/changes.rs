//! (what each tool cost at the last pin, what it costs now) -> which tools moved, and by how much. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::codes::vocabulary;

vocabulary! {
    /// How a tool moved since the last pin.
    Movement {
        /// It was not there.
        New = "new",
        /// It is no longer there.
        Gone = "gone",
        /// It costs more.
        Grew = "grew",
        /// It costs less.
        Shrank = "shrank",
    }
}

/// The cost of all definitions of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Tokens of the definitions.
    pub tokens: u64,
    /// Tokens of their descriptions.
    pub description: u64,
}

/// What happened to one tool between two measurements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The tool's label. Hostile text.
    pub tool: String,
    /// How it moved.
    pub movement: Movement,
    /// Tokens now minus tokens before.
    pub tokens: i64,
    /// Description tokens now minus before.
    pub description_tokens: i64,
}

/// The tools that moved between two measurements, largest movement first, ties by name.
pub fn changes(before: &BTreeMap<String, Cost>, now: &BTreeMap<String, Cost>) -> Vec<Change> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let mut changes: Vec<Change> = names
        .into_iter()
        .filter_map(|name| {
            let (old, new) = (before.get(name), now.get(name));
            let (was, is) = (old.copied().unwrap_or_default(), new.copied().unwrap_or_default());
            let tokens = signed_difference(is.tokens, was.tokens);
            let description_tokens = signed_difference(is.description, was.description);
            let movement = match (old, new) {
                (None, _) => Movement::New,
                (_, None) => Movement::Gone,
                _ if (tokens, description_tokens) == (0, 0) => return None,
                _ if (tokens, description_tokens) > (0, 0) => Movement::Grew,
                _ => Movement::Shrank,
            };
            Some(Change { tool: name.clone(), movement, tokens, description_tokens })
        })
        .collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.tokens.unsigned_abs()));
    changes
}

/// `new - old`, saturating at the ends of the range.
pub fn signed_difference(new: u64, old: u64) -> i64 {
    i64::try_from(i128::from(new) - i128::from(old)).unwrap_or(if new > old { i64::MAX } else { i64::MIN })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(rows: &[(&str, u64, u64)]) -> BTreeMap<String, Cost> {
        rows.iter().map(|&(name, tokens, description)| (name.to_owned(), Cost { tokens, description })).collect()
    }

    #[test]
    fn movements_that_cancel_out_are_both_shown_largest_first() {
        let before = costs(&[("a", 100, 10), ("b", 300, 10), ("c", 50, 5), ("same", 7, 7)]);
        let now = costs(&[("a", 200, 10), ("b", 200, 20), ("d", 60, 6), ("same", 7, 7)]);
        let seen: Vec<_> = changes(&before, &now)
            .into_iter()
            .map(|change| (change.tool, change.movement, change.tokens, change.description_tokens))
            .collect();
        let want = [
            ("a".to_owned(), Movement::Grew, 100, 0),
            ("b".to_owned(), Movement::Shrank, -100, 10),
            ("d".to_owned(), Movement::New, 60, 6),
            ("c".to_owned(), Movement::Gone, -50, -5),
        ];
        assert_eq!(seen, want);
    }

    #[test]
    fn a_description_that_moved_at_the_same_total_is_a_change() {
        let moved = changes(&costs(&[("a", 10, 4)]), &costs(&[("a", 10, 3)]));
        assert_eq!((moved[0].movement, moved[0].tokens, moved[0].description_tokens), (Movement::Shrank, 0, -1));
    }
}
