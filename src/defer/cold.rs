//! Hot and cold: a tool that a glob of budgets.toml names is sent as its line, every other tool whole. What both cost
//! together is the floor, and everything sent stands beside it.

use glob::Pattern;

use super::block::{CLOSING, LOOKUP_TOOL, OPENING, line};
use crate::codes::{Note, NoteCode};
use crate::definition::Label;
use crate::price::{self, Price, tokenizer};
use crate::report::{Measurement, Priced};
use crate::rows::{Deferred, RowKind};

/// Globs over the names of tools: `*`, `?`, `[a-z]`. Case counts, and `*` passes over any character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Globs(Vec<Pattern>);

impl Globs {
    /// Reads globs.
    ///
    /// # Errors
    /// The place of the first that is none, from 0.
    pub fn parse(globs: &[String]) -> Result<Self, usize> {
        // The library's own words are about the parts of a path.
        let read = |(place, glob): (usize, &String)| Pattern::new(glob).map_err(|_| place);
        Ok(Globs(globs.iter().enumerate().map(read).collect::<Result<_, _>>()?))
    }

    /// Globs that name these tools and no others.
    pub fn exactly<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut globs: Vec<Pattern> = Vec::new();
        for glob in names.into_iter().filter_map(|name| Pattern::new(&Pattern::escape(name)).ok()) {
            if !globs.contains(&glob) {
                globs.push(glob);
            }
        }
        Globs(globs)
    }

    /// The globs as they are written.
    pub fn written(&self) -> Vec<String> {
        self.0.iter().map(|glob| glob.as_str().to_owned()).collect()
    }

    /// Whether a tool is deferred. One without a name cannot be looked up, so it never is.
    fn names(&self, tool: &Priced) -> bool {
        self.0.iter().any(|glob| is_named(glob, tool))
    }
}

fn is_named(glob: &Pattern, tool: &Priced) -> bool {
    matches!(tool.definition.label(), Label::Named(name) if glob.matches(name))
}

/// A measurement of the server of this name, with the tools that the globs name deferred. A glob that names none is
/// noted: it holds nothing back, and whoever wrote it thinks otherwise.
pub fn split(server: &str, globs: &Globs, mut measurement: Measurement) -> Measurement {
    let unmatched = globs.0.iter().filter(|glob| !measurement.tools.iter().any(|tool| is_named(glob, tool)));
    let notes: Vec<Note> = unmatched
        .map(|glob| {
            let message = format!("`defer` has \"{glob}\", which names no tool, so nothing is deferred by it");
            Note::new(NoteCode::DeferUnmatched, message)
        })
        .collect();
    measurement.notes.extend(notes);
    let deferred = deferred(server, globs, &measurement.tools);
    measurement.deferred = Some(deferred);
    let (mut floor, mut bytes, mut largest) = (0, 0, 0);
    for row in measurement.rows() {
        floor += row.tokens;
        bytes += row.bytes;
        largest = if matches!(row.kind, RowKind::Frame(_)) { largest } else { row.tokens.max(largest) };
    }
    (measurement.totals.floor, measurement.totals.largest, measurement.bytes) = (floor, largest, bytes);
    measurement
}

/// What is sent of these tools. The lines are counted one by one: a line begins with a bullet and ends with a line end,
/// over which no token reaches, so that they add up to the block.
pub(super) fn deferred(server: &str, globs: &Globs, tools: &[Priced]) -> Deferred {
    let line = |tool: &Priced| {
        let description_tokens = tool.price.description_tokens;
        globs.names(tool).then(|| Price { description_tokens, ..price::of_text(&line(server, tool)) })
    };
    let lines: Vec<Option<Price>> = tools.iter().map(line).collect();
    let is_any = lines.iter().any(Option::is_some);
    Deferred {
        globs: globs.written(),
        lines,
        frame: is_any.then(|| price::of_text(&format!("{OPENING}{CLOSING}"))),
        everything: tools.iter().map(|tool| tool.price.tokens).sum(),
        lookup_tool: tokenizer::count(LOOKUP_TOOL),
    }
}
