//! Changes to a budgets.toml as splices of its own bytes. Whatever is not named by a change stays as it was: comments,
//! order, blank lines, quotes, line ends, the byte-order mark, a missing last line end.
//!
//! The result is read again and compared with what was meant before anybody may write it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::fault::BudgetsError;
use super::layout::{Home, Layout};
use super::pin::Move;
use super::{Budgets, Server, inline, section};

/// A changed file that holds exactly what was meant, not yet written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    /// Its text now; `None` where there is no file yet.
    pub before: Option<String>,
    /// The text that it is to have.
    pub after: String,
    /// The budgets that are new or move, in the order of the servers and of their bands.
    pub moves: Vec<Move>,
}

impl Edit {
    /// Whether there is anything to write.
    pub fn is_change(&self) -> bool {
        self.before.as_ref() != Some(&self.after)
    }
}

/// One change to the values of a file. Paths are keys from the root.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Gives an existing key another value, or adds the key to its table, which exists.
    Put { parent: Vec<String>, key: String, new: New, placement: Placement },
    /// Removes a key, its lines and its sections.
    Remove { path: Vec<String> },
}

/// A value to write.
#[derive(Clone, Debug)]
pub(super) enum New {
    /// TOML text.
    Text(String),
    /// A table.
    Table(Vec<(String, New)>),
}

/// Where a key goes that is not there yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Placement {
    /// After the keys that are there.
    Last,
    /// Between the names that it sorts between.
    Sorted,
    /// A section of its own, where the table is written in sections, in this order among its siblings.
    Section(&'static [&'static str]),
}

/// A replacement of bytes.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) text: String,
    /// Whether it opens a section, so that lines of the section that ends at this place must come before it.
    pub(super) opens_section: bool,
}

impl New {
    pub(super) fn number(value: u64) -> Self {
        New::Text(value.to_string())
    }

    /// The value on one line.
    pub(super) fn inline(&self) -> String {
        match self {
            New::Text(text) => text.clone(),
            New::Table(fields) => {
                let fields =
                    fields.iter().map(|(name, new)| format!("{} = {}", super::toml_text::key(name), new.inline()));
                format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Splice {
    pub(super) fn replace(range: Range<usize>, text: String) -> Self {
        Splice { range, text, opens_section: false }
    }

    pub(super) fn insert(at: usize, text: String) -> Self {
        Splice::replace(at..at, text)
    }

    pub(super) fn delete(range: Range<usize>) -> Self {
        Splice::replace(range, String::new())
    }
}

/// Makes the changes to the text of `budgets`, and holds the result to the servers that it must then have.
pub(super) fn edit(budgets: &Budgets, ops: Vec<Op>, meant: &[Server], moves: Vec<Move>) -> Result<Edit, BudgetsError> {
    let after = apply(&budgets.text, ops).ok_or_else(|| by_hand(&budgets.path))?;
    let edit = Edit { path: budgets.path.clone(), before: Some(budgets.text.clone()), after, moves };
    edit.must_hold(meant)?;
    Ok(edit)
}

impl Edit {
    /// Reads the new text and compares it with what was meant.
    pub(super) fn must_hold(&self, meant: &[Server]) -> Result<(), BudgetsError> {
        let read =
            Budgets::parse_even_without_servers(&self.path, self.after.as_str()).map_err(|_| by_hand(&self.path))?;
        let meant = Budgets { servers: meant.to_vec(), ..read.clone() };
        if read.values() == meant.values() { Ok(()) } else { Err(by_hand(&self.path)) }
    }
}

fn by_hand(path: &Path) -> BudgetsError {
    let message = "the layout of the file is beyond what can be edited safely, so nothing was written; \
                   write its tables as sections such as `[servers.NAME.floor]`, and each pin as one line under \
                   `[servers.NAME.pins]`, and run the command again";
    BudgetsError::of_file(path, message)
}

/// The text after all changes; `None` where one of them finds no place in it.
pub(super) fn apply(text: &str, ops: Vec<Op>) -> Option<String> {
    let is_open = !text.is_empty() && !text.ends_with('\n');
    let mut layout = Layout::of(text.to_owned())?;
    if is_open {
        let closed = format!("{text}{}", layout.line_end);
        layout = Layout::of(closed)?;
    }
    let (mut together, mut one_by_one) = (Vec::new(), Vec::new());
    for op in ops {
        match in_braces(&layout, &op)? {
            true => one_by_one.push(op),
            false => together.extend(splices(&layout, &op)?),
        }
    }
    let mut edited = splice(layout.text(), together)?;
    for op in &one_by_one {
        // A name that is written in several dotted keys goes one element at a time.
        loop {
            let layout = Layout::of(edited)?;
            edited = splice(layout.text(), splices(&layout, op)?)?;
            match op {
                Op::Remove { path } if Layout::of(edited.clone())?.entry(path).is_some() => {}
                _ => break,
            }
        }
    }
    if is_open {
        edited.truncate(edited.trim_end_matches(['\r', '\n']).len());
    }
    Some(edited)
}

/// Whether a change adds or removes something between braces.
fn in_braces(layout: &Layout, op: &Op) -> Option<bool> {
    let parent = match op {
        Op::Put { parent, key, .. } => {
            let spot = layout.spot(parent)?;
            if spot.table.contains_key(key) {
                return Some(false);
            }
            spot
        }
        Op::Remove { path } => layout.spot(path.split_last()?.1)?,
    };
    Some(matches!(parent.home, Home::Braces(_)))
}

fn splices(layout: &Layout, op: &Op) -> Option<Vec<Splice>> {
    match op {
        Op::Remove { path } if in_braces(layout, op)? => inline::remove(layout, path),
        Op::Remove { path } => section::remove(layout, path),
        Op::Put { parent, key, new, placement } => {
            let spot = layout.spot(parent)?;
            if let Some(item) = spot.table.get(key) {
                let range = item.as_value()?.span()?;
                return Some(vec![Splice::replace(range, new.inline())]);
            }
            match spot.home {
                Home::Braces(_) => inline::add(layout, parent, key, new, *placement),
                _ => section::add(layout, parent, key, new, *placement).map(|splice| vec![splice]),
            }
        }
    }
}

/// Puts splices into a text; those at one place keep their order. `None` where two overlap.
fn splice(text: &str, mut splices: Vec<Splice>) -> Option<String> {
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end, splice.opens_section));
    let mut spliced = String::with_capacity(text.len());
    let mut kept_to = 0;
    for splice in splices {
        spliced.push_str(text.get(kept_to..splice.range.start)?);
        spliced.push_str(&splice.text);
        kept_to = splice.range.end;
    }
    spliced.push_str(text.get(kept_to..)?);
    Some(spliced)
}
