//! Where the tables and keys of a parsed file stand in its text. TOML lets one table be written in four ways, and an
//! edit must follow the one that it finds.

use std::ops::Range;

use toml_edit::{Document, InlineTable, Item, Key, Table, TableLike, Value};

/// A parsed text whose last line is complete.
pub(super) struct Layout {
    document: Document<String>,
    /// The line end that most lines have.
    pub(super) line_end: &'static str,
}

/// How a table is written, and so where a new key of it goes.
#[derive(Clone, Copy)]
pub(super) enum Home<'a> {
    /// `[table]`: keys are the lines below; `None` is the file itself.
    Section(Option<&'a Table>),
    /// `table.key = …`: keys are lines of the section around it.
    Dotted,
    /// Only `[table.child]` sections.
    Headers,
    /// `table = { … }`: keys stand between these braces, or are dotted keys there.
    Braces(&'a InlineTable),
}

/// One table as it is written.
pub(super) struct Spot<'a> {
    pub(super) table: &'a dyn TableLike,
    pub(super) home: Home<'a>,
    /// What a key of the table is dotted with: its path from the section or braces around it.
    pub(super) prefix: Vec<String>,
}

impl Layout {
    pub(super) fn of(text: String) -> Option<Self> {
        let windows = text.matches("\r\n").count();
        let line_end = if windows * 2 > text.matches('\n').count() { "\r\n" } else { "\n" };
        Some(Layout { document: Document::parse(text).ok()?, line_end })
    }

    pub(super) fn text(&self) -> &str {
        self.document.raw()
    }

    pub(super) fn entry(&self, path: &[String]) -> Option<(&Key, &Item)> {
        let (name, parent) = path.split_last()?;
        self.spot(parent)?.table.get_key_value(name)
    }

    pub(super) fn spot(&self, path: &[String]) -> Option<Spot<'_>> {
        let root = self.document.as_table();
        let mut spot = Spot { table: root, home: Home::Section(None), prefix: Vec::new() };
        for name in path {
            let item = spot.table.get(name)?;
            let home = home(item)?;
            match (home, spot.home) {
                (Home::Dotted, Home::Braces(braces)) => {
                    spot.prefix.push(name.clone());
                    spot.home = Home::Braces(braces);
                }
                (Home::Dotted, _) => {
                    spot.prefix.push(name.clone());
                    spot.home = home;
                }
                _ => {
                    spot.prefix.clear();
                    spot.home = home;
                }
            }
            spot.table = item.as_table_like()?;
        }
        Some(spot)
    }

    /// The first byte of the line that holds a byte.
    pub(super) fn line_start(&self, at: usize) -> usize {
        let newline = self.text().as_bytes()[..at].iter().rposition(|byte| *byte == b'\n');
        let start = newline.map_or(0, |newline| newline + 1);
        if start == 0 && self.text().starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start }
    }

    /// The first byte after the line that holds a byte.
    pub(super) fn line_after(&self, at: usize) -> usize {
        self.text()[at..].find('\n').map_or(self.text().len(), |newline| at + newline + 1)
    }

    /// The white space that a line begins with.
    pub(super) fn indent(&self, at: usize) -> &str {
        let line = &self.text()[self.line_start(at)..self.line_after(at)];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// The whole lines of a key that is written as lines, one range for each of its dotted keys.
    pub(super) fn lines(&self, key: &Key, item: &Item) -> Vec<Range<usize>> {
        match item {
            Item::Value(value) => {
                let span = key.span().zip(value.span());
                span.map(|(key, value)| self.line_start(key.start)..self.line_after(value.end)).into_iter().collect()
            }
            Item::Table(table) if table.is_dotted() => self.lines_in(table),
            _ => Vec::new(),
        }
    }

    /// The whole lines of all keys of a table that are written as lines.
    pub(super) fn lines_in(&self, table: &dyn TableLike) -> Vec<Range<usize>> {
        let entries = table.iter().filter_map(|(name, _)| table.get_key_value(name));
        entries.flat_map(|(key, item)| self.lines(key, item)).collect()
    }

    /// The header line of a section and all lines of its own keys.
    pub(super) fn section(&self, table: &Table) -> Option<Range<usize>> {
        let header = table.span()?;
        let last = self.lines_in(table).iter().map(|lines| lines.end).max();
        Some(self.line_start(header.start)..last.unwrap_or(0).max(self.line_after(header.end)))
    }

    /// The sections at and below an item.
    pub(super) fn sections(&self, item: &Item) -> Vec<Range<usize>> {
        let Some(table) = item.as_table() else {
            return Vec::new();
        };
        let own = (!table.is_implicit() && !table.is_dotted()).then(|| self.section(table)).flatten();
        own.into_iter().chain(table.iter().flat_map(|(_, child)| self.sections(child))).collect()
    }

    /// The end of the comment lines that follow a section's last key directly, unless they lead up to a header.
    pub(super) fn after_comments(&self, end: usize) -> usize {
        let mut after = end;
        for line in self.text()[end..].split_inclusive('\n') {
            match line.trim_start().bytes().next() {
                Some(b'#') => after += line.len(),
                Some(b'[') => return end,
                _ => break,
            }
        }
        after
    }
}

fn home(item: &Item) -> Option<Home<'_>> {
    match item {
        Item::Value(Value::InlineTable(table)) if table.is_dotted() => Some(Home::Dotted),
        Item::Value(Value::InlineTable(table)) => Some(Home::Braces(table)),
        Item::Table(table) if table.is_dotted() => Some(Home::Dotted),
        Item::Table(table) if table.is_implicit() => Some(Home::Headers),
        Item::Table(table) => Some(Home::Section(Some(table))),
        _ => None,
    }
}
