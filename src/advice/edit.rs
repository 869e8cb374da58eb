//! Changes to a compact text as splices at the places of its values: what is not changed keeps its bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::tree::Tree;

/// One change. A place is an index into the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Takes a member or element out.
    Remove(usize),
    /// Writes this text in the place of a value, its key kept.
    Replace(usize, String),
    /// Writes members, without braces, in the place of a member with its key.
    ReplaceMember(usize, String),
    /// Adds a member at the end of an object.
    Append(usize, String),
}

/// The text with the changes made. Of two changes to one place the first counts, and none inside a place that is
/// gone.
pub(super) fn apply(tree: &Tree<'_>, edits: &[Edit]) -> String {
    let mut removed = BTreeSet::new();
    let mut splices: BTreeMap<usize, (Range<usize>, String)> = BTreeMap::new();
    let mut appended: BTreeMap<usize, String> = BTreeMap::new();
    for edit in edits {
        match edit {
            Edit::Remove(at) if !splices.contains_key(at) => {
                removed.insert(*at);
            }
            Edit::Replace(at, text) if !removed.contains(at) => {
                splices.entry(*at).or_insert_with(|| (tree.node(*at).value.clone(), text.clone()));
            }
            Edit::ReplaceMember(at, text) if !removed.contains(at) => {
                splices.entry(*at).or_insert_with(|| (tree.node(*at).whole(), text.clone()));
            }
            Edit::Append(at, text) => {
                appended.entry(*at).or_insert_with(|| text.clone());
            }
            _ => {}
        }
    }
    let mut cuts: Vec<(Range<usize>, String)> = splices.into_values().collect();
    cuts.extend(removed.iter().map(|&at| (removal(tree, at, &removed), String::new())));
    for (at, text) in appended {
        let before_bracket = tree.node(at).value.end - 1;
        let is_empty = tree.children(at).all(|child| removed.contains(&child));
        cuts.push((before_bracket..before_bracket, if is_empty { text } else { format!(",{text}") }));
    }
    splice(tree.text(), cuts)
}

/// The bytes that go with a member or element: itself, and the comma before it, or the one behind it where nothing
/// before it stays.
fn removal(tree: &Tree<'_>, at: usize, removed: &BTreeSet<usize>) -> Range<usize> {
    let whole = tree.node(at).whole();
    let Some(holder) = tree.node(at).parent else { return whole };
    let first_kept = tree.children(holder).find(|child| !removed.contains(child));
    let is_last = tree.node(at).end == tree.node(holder).end;
    match first_kept {
        Some(kept) if kept < at => whole.start - 1..whole.end,
        _ if is_last => whole,
        _ => whole.start..whole.end + 1,
    }
}

fn splice(text: &str, mut cuts: Vec<(Range<usize>, String)>) -> String {
    cuts.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (range, replacement) in cuts {
        if range.start < at {
            continue;
        }
        result.push_str(&text[at..range.start]);
        result.push_str(&replacement);
        at = range.end;
    }
    result.push_str(&text[at..]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Text;
    use proptest::prelude::*;

    const TEXT: &str = r#"{"a":1,"b":{"c":[1,2],"d":"x"},"e":null}"#;

    fn applied(edits: &[Edit]) -> String {
        apply(&Tree::of(TEXT), edits)
    }

    #[test]
    fn what_is_removed_takes_one_comma_along() {
        assert_eq!(applied(&[Edit::Remove(1)]), r#"{"b":{"c":[1,2],"d":"x"},"e":null}"#);
        assert_eq!(applied(&[Edit::Remove(7)]), r#"{"a":1,"b":{"c":[1,2],"d":"x"}}"#);
        assert_eq!(applied(&[Edit::Remove(1), Edit::Remove(2)]), r#"{"e":null}"#);
        assert_eq!(applied(&[Edit::Remove(7), Edit::Remove(2), Edit::Remove(1)]), "{}");
        assert_eq!(applied(&[Edit::Remove(2), Edit::Remove(3)]), r#"{"a":1,"e":null}"#);
    }

    #[test]
    fn a_value_is_replaced_with_or_without_its_key_and_members_are_added() {
        assert_eq!(applied(&[Edit::Replace(2, "{}".into()), Edit::Remove(3)]), r#"{"a":1,"b":{},"e":null}"#);
        assert_eq!(applied(&[Edit::ReplaceMember(2, r#""f":0,"g":0"#.into())]), r#"{"a":1,"f":0,"g":0,"e":null}"#);
        let emptied = [Edit::Append(2, r#""z":0"#.into()), Edit::Remove(3), Edit::Remove(6)];
        assert_eq!(applied(&emptied), r#"{"a":1,"b":{"z":0},"e":null}"#);
        assert_eq!(applied(&[Edit::Append(0, r#""z":0"#.into())]), format!("{},\"z\":0}}", &TEXT[..TEXT.len() - 1]));
    }

    proptest! {
        #[test]
        fn whatever_is_removed_the_text_stays_json(places in prop::collection::vec(1_usize..8, 0..8)) {
            let edits: Vec<Edit> = places.into_iter().map(Edit::Remove).collect();
            prop_assert!(Text::parse(&applied(&edits)).is_ok());
        }
    }
}
