//! One definition -> a tree of its parts with their tokens, small enough to be read and still adding up exactly.
//!
//! Pure. What is too small or too deep is grouped, never dropped: the own tokens of all rows are the definition's.

use crate::definition::Definition;
use crate::json::Kind;
use crate::price::Partition;
use crate::tree::{Step, Tree};

/// How much of a definition is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// As many of the heaviest parts as fit into so many rows.
    Rows(usize),
    /// Every part down to a depth and from a number of tokens on.
    Parts {
        /// The deepest level, the definition itself being 0; `None` for all.
        depth: Option<usize>,
        /// The fewest tokens of a part that has a row of its own.
        threshold: u64,
    },
}

/// One definition, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Tokens of the definition.
    pub tokens: u64,
    /// Bytes of the compact text.
    pub bytes: u64,
    /// The parts, each before what it holds.
    pub rows: Vec<Row>,
}

/// One part, or several that are too small for rows of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How many parts hold it.
    pub depth: usize,
    /// What it is.
    pub part: Part,
    /// Its tokens, with everything that it holds.
    pub tokens: u64,
    /// Its tokens that no row below it tells; over all rows they add up to the definition's.
    pub own: u64,
}

/// What a row stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One value.
    Value {
        /// The way to it as a JSON pointer. Hostile text.
        pointer: String,
        /// The last step of that way: a key, or `[3]`. Hostile text.
        step: String,
        /// What a reader sees of it: a scalar's text, or how much a container holds. Hostile text.
        text: String,
    },
    /// So many values beside the rows above, under one holder.
    Rest(usize),
}

/// Explains a definition.
pub fn explain(definition: &Definition, detail: Detail) -> Explanation {
    let compact = definition.compact();
    let tree = Tree::of(compact);
    let partition = Partition::of(compact);
    let counted = Counted { tokens: (0..tree.nodes().len()).map(|at| partition.tokens_of(&tree, at)).collect(), tree };
    let rows = match detail {
        Detail::Parts { depth, threshold } => {
            let deepest = depth.unwrap_or(usize::MAX);
            counted.rows(|at| counted.tree.node(at).depth <= deepest && counted.tokens[at] >= threshold)
        }
        Detail::Rows(most) => {
            let is_shown = counted.heaviest(most);
            counted.rows(|at| is_shown[at])
        }
    };
    Explanation { tokens: partition.total(), bytes: compact.len() as u64, rows }
}

/// A tree and the tokens of each of its values.
struct Counted<'a> {
    tree: Tree<'a>,
    tokens: Vec<u64>,
}

impl Counted<'_> {
    /// The heaviest values, as many as need no more than so many rows; of equal ones those that stand first. What holds
    /// a value is never lighter than it and stands before it, so that nothing is shown without what holds it.
    fn heaviest(&self, most: usize) -> Vec<bool> {
        let mut ranked: Vec<usize> = (0..self.tokens.len()).collect();
        ranked.sort_by_key(|&at| (std::cmp::Reverse(self.tokens[at]), at));
        let with = |count: usize| {
            let mut is_shown = vec![false; self.tokens.len()];
            ranked[..count].iter().for_each(|&at| is_shown[at] = true);
            is_shown
        };
        let counts: Vec<usize> = (0..=ranked.len()).collect();
        let fitting = counts.partition_point(|&count| self.rows_of(&with(count)) <= most);
        with(fitting.saturating_sub(1))
    }

    fn rows_of(&self, is_shown: &[bool]) -> usize {
        let mut rows = 1;
        self.visit(|at| is_shown[at], |_, shown, hidden| rows += shown.len() + usize::from(hidden > 0));
        rows
    }

    /// Visits each shown value that holds shown values, with those and the number of the others that it holds.
    fn visit(&self, is_shown: impl Fn(usize) -> bool, mut see: impl FnMut(usize, &[usize], usize)) {
        let mut at = 0;
        while at < self.tree.nodes().len() {
            let shown: Vec<usize> = match at == 0 || is_shown(at) {
                true => self.tree.children(at).filter(|&child| is_shown(child)).collect(),
                false => Vec::new(),
            };
            if shown.is_empty() {
                at = self.tree.node(at).end;
                continue;
            }
            see(at, &shown, self.tree.children(at).count() - shown.len());
            at += 1;
        }
    }

    fn rows(&self, is_shown: impl Fn(usize) -> bool) -> Vec<Row> {
        let mut groups: Vec<Option<(Vec<usize>, usize)>> = vec![None; self.tree.nodes().len()];
        self.visit(is_shown, |at, shown, hidden| groups[at] = Some((shown.to_vec(), hidden)));
        let mut rows = Vec::new();
        let mut open = vec![Pending::Value(0)];
        while let Some(pending) = open.pop() {
            match pending {
                Pending::Rest { depth, count, tokens } => {
                    rows.push(Row { depth, part: Part::Rest(count), tokens, own: tokens });
                }
                Pending::Value(at) => {
                    let tokens = self.tokens[at];
                    let Some((shown, hidden)) = groups[at].take() else {
                        rows.push(self.row(at, tokens));
                        continue;
                    };
                    let told: u64 = shown.iter().map(|&child| self.tokens[child]).sum();
                    let inside: u64 = self.tree.children(at).map(|child| self.tokens[child]).sum();
                    rows.push(self.row(at, tokens - inside));
                    if hidden > 0 {
                        let depth = self.tree.node(at).depth + 1;
                        open.push(Pending::Rest { depth, count: hidden, tokens: inside - told });
                    }
                    open.extend(shown.into_iter().rev().map(Pending::Value));
                }
            }
        }
        rows
    }

    fn row(&self, at: usize, own: u64) -> Row {
        let node = self.tree.node(at);
        let step = match node.step {
            Step::Root => "definition".to_owned(),
            Step::Key(_) => self.tree.key(at).unwrap_or_default(),
            Step::Element(place) => format!("[{place}]"),
        };
        let value = self.tree.value(at);
        let text = match node.kind {
            Kind::Object => format!("{{{}}}", self.tree.children(at).count()),
            Kind::Array => format!("[{}]", self.tree.children(at).count()),
            Kind::String => value.string().unwrap_or_default(),
            _ => value.as_str().to_owned(),
        };
        let part = Part::Value { pointer: self.tree.pointer(at), step, text };
        Row { depth: node.depth, part, tokens: self.tokens[at], own }
    }
}

/// A row that is still to be written.
enum Pending {
    Value(usize),
    Rest { depth: usize, count: usize, tokens: u64 },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Text;

    const RAW: &str = r#"{"name":"add_note","description":"Add a note to the list of all notes","inputSchema":
        {"type":"object","properties":{"text":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}}"#;

    fn definition(raw: &str) -> Definition {
        Definition::new(Text::parse(raw).unwrap(), 1)
    }

    fn own(explanation: &Explanation) -> u64 {
        explanation.rows.iter().map(|row| row.own).sum()
    }

    #[test]
    fn the_own_tokens_of_all_rows_add_up_at_every_detail() {
        let tool = definition(RAW);
        let details = (0..40).flat_map(|number| {
            [Detail::Rows(number + 1), Detail::Parts { depth: Some(number), threshold: number as u64 }]
        });
        for detail in details {
            let explanation = explain(&tool, detail);
            assert_eq!(own(&explanation), explanation.tokens, "{detail:?}");
        }
    }

    #[test]
    fn so_many_rows_are_never_exceeded_and_are_used() {
        for most in 1..20 {
            let rows = explain(&definition(RAW), Detail::Rows(most)).rows.len();
            assert!(rows <= most, "{rows} of {most}");
        }
        assert!(explain(&definition(RAW), Detail::Rows(20)).rows.len() > 8);
    }

    #[test]
    fn what_is_below_the_threshold_is_one_row_of_the_rest() {
        let explanation = explain(&definition(RAW), Detail::Parts { depth: Some(1), threshold: 8 });
        let rest = explanation.rows.last().unwrap();
        assert_eq!(rest.part, Part::Rest(1));
        assert_eq!(explanation.rows.len(), 4);
        assert_eq!(
            explanation.tokens,
            explanation.rows[0].own + explanation.rows[1..].iter().map(|row| row.tokens).sum::<u64>()
        );
    }

    #[test]
    fn a_definition_that_is_no_object_is_one_row() {
        assert_eq!(explain(&definition("42"), Detail::Rows(10)).rows.len(), 1);
    }

    #[test]
    fn a_deep_definition_is_explained() {
        let raw = format!("{{\"a\":{}{}}}", "[".repeat(3_000), "]".repeat(3_000));
        let explanation = explain(&definition(&raw), Detail::Rows(10));
        assert!(explanation.rows.len() <= 10);
        assert_eq!(own(&explanation), explanation.tokens);
    }
}
