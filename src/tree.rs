//! Where each value of a compact JSON text stands: a flat list of nodes with byte ranges, for counting the tokens of a
//! part and for changing a part without touching the rest.
//!
//! The text stays the truth: nothing is decoded here unless it is asked for. Nothing recurses, so no depth of nesting
//! can overflow the stack, and one pass over the bytes finds everything.

use std::ops::Range;

use crate::json::{Kind, Text, string_end};

/// The values of one compact JSON text in the order in which they start; a value stands before what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

/// One value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value that holds it; `None` for the whole text.
    pub parent: Option<usize>,
    /// How it is reached from there.
    pub step: Step,
    /// What it is.
    pub kind: Kind,
    /// The bytes of the value.
    pub value: Range<usize>,
    /// The index behind the last value inside it.
    pub end: usize,
    /// How many values hold it.
    pub depth: usize,
}

/// The way from a value to one that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The whole text.
    Root,
    /// The bytes of a key, its quotes included.
    Key(Range<usize>),
    /// A place in an array, counted from 0.
    Element(usize),
}

impl Node {
    /// The bytes of the value and of its key.
    pub fn whole(&self) -> Range<usize> {
        match &self.step {
            Step::Key(key) => key.start..self.value.end,
            _ => self.value.clone(),
        }
    }
}

impl<'a> Tree<'a> {
    /// Every value of a compact text.
    pub fn of(compact: &'a str) -> Self {
        Self::down_to(compact, usize::MAX)
    }

    /// The whole text and the values directly inside it.
    pub fn of_top(compact: &'a str) -> Self {
        Self::down_to(compact, 1)
    }

    fn down_to(text: &'a str, deepest: usize) -> Self {
        let bytes = text.as_bytes();
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut depth = 0;
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'}' | b']' => {
                    at += 1;
                    depth -= 1;
                    if depth < open.len()
                        && let Some((closed, _)) = open.pop()
                    {
                        nodes[closed].value.end = at;
                        nodes[closed].end = nodes.len();
                    }
                }
                b',' | b':' => at += 1,
                _ if depth > deepest => at = past(text, at, &mut depth),
                _ => {
                    let index = nodes.len();
                    let step = match open.last_mut() {
                        None => Step::Root,
                        Some((holder, place)) if nodes[*holder].kind == Kind::Array => {
                            *place += 1;
                            Step::Element(*place - 1)
                        }
                        Some(_) => Step::Key(at..at + string_end(&text[at..])),
                    };
                    if let Step::Key(key) = &step {
                        at = key.end + 1;
                    }
                    let start = at;
                    let kind = Kind::opened_by(bytes.get(at).copied());
                    let is_container = matches!(kind, Kind::Object | Kind::Array);
                    let parent = open.last().map(|(holder, _)| *holder);
                    if is_container {
                        open.push((index, 0));
                    }
                    let level = depth;
                    at = past(text, at, &mut depth);
                    nodes.push(Node { parent, step, kind, value: start..at, end: index + 1, depth: level });
                }
            }
        }
        Tree { text, nodes }
    }

    /// The text that it is a tree of.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Every node; the first is the whole text.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of an index.
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// What a value holds directly, in order.
    pub fn children(&self, index: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[index].end;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let child = next;
            if child >= end {
                return None;
            }
            next = self.nodes[child].end;
            Some(child)
        })
    }

    /// The decoded key of a member; `None` for what is no member.
    pub fn key(&self, index: usize) -> Option<String> {
        match &self.nodes[index].step {
            Step::Key(key) => Text::within(&self.text[key.clone()]).string(),
            _ => None,
        }
    }

    /// Whether this is a member of that name.
    pub fn is(&self, index: usize, name: &str) -> bool {
        matches!(&self.nodes[index].step, Step::Key(key) if Text::within(&self.text[key.clone()]).is(name))
    }

    /// The member of a name, the last one where several have it.
    pub fn member(&self, index: usize, name: &str) -> Option<usize> {
        self.children(index).filter(|&child| self.is(child, name)).last()
    }

    /// The text of a value.
    pub fn value(&self, index: usize) -> Text<'a> {
        Text::within(&self.text[self.nodes[index].value.clone()])
    }

    /// The way to a value as a JSON pointer; empty for the whole text. May be hostile text.
    pub fn pointer(&self, index: usize) -> String {
        let mut steps = Vec::new();
        let mut at = Some(index);
        while let Some(here) = at {
            match &self.nodes[here].step {
                Step::Root => {}
                Step::Key(_) => {
                    steps.push(self.key(here).unwrap_or_default().replace('~', "~0").replace('/', "~1"));
                }
                Step::Element(place) => steps.push(place.to_string()),
            }
            at = self.nodes[here].parent;
        }
        steps.iter().rev().map(|step| format!("/{step}")).collect()
    }
}

/// Where a scalar ends, or what a container holds begins.
fn past(text: &str, at: usize, depth: &mut usize) -> usize {
    match text.as_bytes()[at] {
        b'{' | b'[' => {
            *depth += 1;
            at + 1
        }
        b'"' => at + string_end(&text[at..]),
        _ => text[at..].find([',', '}', ']']).map_or(text.len(), |length| at + length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"a":1,"b":[true,{"c/~":"},["},[]],"a":{}}"#;

    fn seen(tree: &Tree<'_>) -> Vec<(String, String)> {
        let node = |index: usize| (tree.pointer(index), tree.value(index).as_str().to_owned());
        (0..tree.nodes().len()).map(node).collect()
    }

    #[test]
    fn every_value_is_found_in_order_with_its_way() {
        let owned = |(way, value): (&str, &str)| (way.to_owned(), value.to_owned());
        let expected = [
            ("", TEXT),
            ("/a", "1"),
            ("/b", r#"[true,{"c/~":"},["},[]]"#),
            ("/b/0", "true"),
            ("/b/1", r#"{"c/~":"},["}"#),
            ("/b/1/c~1~0", r#""},[""#),
            ("/b/2", "[]"),
            ("/a", "{}"),
        ];
        assert_eq!(seen(&Tree::of(TEXT)), expected.map(owned));
        assert_eq!(Tree::of(TEXT).node(5).depth, 3);
    }

    #[test]
    fn the_top_has_the_same_ranges_and_nothing_below() {
        let (all, top) = (Tree::of(TEXT), Tree::of_top(TEXT));
        let ranges = |tree: &Tree<'_>| tree.children(0).map(|child| tree.node(child).whole()).collect::<Vec<_>>();
        assert_eq!(ranges(&top), ranges(&all));
        assert_eq!(top.nodes().len(), 4);
    }

    #[test]
    fn the_last_of_two_members_is_found() {
        let tree = Tree::of(TEXT);
        assert_eq!(tree.member(0, "a").map(|found| tree.value(found).as_str()), Some("{}"));
        assert_eq!(tree.member(0, "z"), None);
    }

    #[test]
    fn a_text_that_is_one_scalar_is_one_node() {
        for text in ["null", "12e3", r#""{""#] {
            assert_eq!(seen(&Tree::of(text)), [(String::new(), text.to_owned())]);
        }
    }

    #[test]
    fn no_depth_is_too_deep() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let tree = Tree::of(&deep);
        assert_eq!(tree.nodes().len(), 200_000);
        assert_eq!(tree.node(1).value, 1..399_999);
        assert_eq!(Tree::of_top(&deep).nodes().len(), 2);
    }
}
