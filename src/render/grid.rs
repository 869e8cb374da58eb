//! Aligned columns without rules. Cells are visible text, one line each; the first column gives way when the width
//! is short.
//!
//! comfy-table lays the cells out. It is given text that already fits, so that it never has to break a line, and
//! colour is laid over its lines afterwards: its own styling asks the environment and costs a terminal library.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use super::look::{Look, Tone};
use crate::visible;

const GAP: &str = "  ";
/// The first column is never cut below this.
const NARROWEST_NAME: usize = 8;
const NARROWEST_BAR: usize = 8;
const WIDEST_BAR: usize = 30;

/// Rows under titles.
pub(super) struct Grid {
    indent: usize,
    titles: Vec<(Side, &'static str)>,
    rows: Vec<Row>,
}

/// Where a column's text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// One line of cells, with a bar behind it when it has a share between 0 and 1.
pub(super) struct Row {
    cells: Vec<(Tone, String)>,
    bar: Option<f64>,
}

impl Row {
    pub(super) fn new(cells: impl IntoIterator<Item = (Tone, String)>) -> Self {
        Row { cells: cells.into_iter().collect(), bar: None }
    }

    /// The same row with a bar for a share between 0 and 1.
    pub(super) fn with_bar(self, share: f64) -> Self {
        Row { bar: Some(share), ..self }
    }
}

impl Grid {
    /// A grid without rows, every line indented by so many columns.
    pub(super) fn new(indent: usize, titles: impl IntoIterator<Item = (Side, &'static str)>) -> Self {
        Grid { indent, titles: titles.into_iter().collect(), rows: Vec::new() }
    }

    pub(super) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Whether every line fits with no cell cut and no bar shown.
    pub(super) fn fits(&self, look: &Look) -> bool {
        self.width_of(&self.natural_widths()) <= look.width
    }

    /// Whether every line fits once the first column has given way as far as it does.
    pub(super) fn fits_with_names_cut(&self, look: &Look) -> bool {
        let mut widths = self.natural_widths();
        if let Some(name) = widths.first_mut() {
            *name = (*name).min(NARROWEST_NAME);
        }
        self.width_of(&widths) <= look.width
    }

    fn width_of(&self, widths: &[usize]) -> usize {
        self.indent + widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
    }

    pub(super) fn write(&self, out: &mut dyn Write, look: &Look) -> io::Result<()> {
        let mut widths = self.natural_widths();
        let bar = self.share_the_width(&mut widths, look);
        let titles = Row::new(self.titles.iter().map(|(_, title)| (Tone::Secondary, (*title).to_owned())));
        let rows: Vec<Vec<(Tone, String)>> =
            std::iter::once(&titles).chain(&self.rows).map(|row| fitted(row, &widths, bar, look)).collect();
        for (line, cells) in self.laid_out(&rows).lines().zip(&rows) {
            writeln!(out, "{}", tinted(line.trim_end(), cells, look))?;
        }
        Ok(())
    }

    fn natural_widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.titles.iter().map(|(_, title)| visible::width(title)).collect();
        for row in &self.rows {
            for (width, (_, text)) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(visible::width(text));
            }
        }
        widths
    }

    /// Cuts the first column to what the others leave, and answers how wide bars may be.
    fn share_the_width(&self, widths: &mut [usize], look: &Look) -> usize {
        let Some((name, others)) = widths.split_first_mut() else { return 0 };
        let others: usize = self.indent + others.iter().map(|width| GAP.len() + width).sum::<usize>();
        let left = look.width.saturating_sub(others);
        let has_bars = self.rows.iter().any(|row| row.bar.is_some());
        let bar_at_least = if has_bars && left >= 2 * NARROWEST_BAR + GAP.len() { NARROWEST_BAR } else { 0 };
        let bar_with_gap = if bar_at_least > 0 { bar_at_least + GAP.len() } else { 0 };
        *name = (*name).min(left.saturating_sub(bar_with_gap).max(NARROWEST_NAME));
        if bar_at_least > 0 { (left - *name - GAP.len()).min(WIDEST_BAR) } else { 0 }
    }

    fn laid_out(&self, rows: &[Vec<(Tone, String)>]) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        for row in rows {
            table.add_row(row.iter().map(|(_, text)| Cell::new(text)));
        }
        let gap = u16::try_from(GAP.len()).unwrap_or(0);
        let mut before = u16::try_from(self.indent).unwrap_or(0);
        let sides = self.titles.iter().map(|(side, _)| *side).chain(std::iter::repeat(Side::Left));
        for (column, side) in table.column_iter_mut().zip(sides) {
            column.set_padding((before, 0));
            column.set_cell_alignment(match side {
                Side::Left => CellAlignment::Left,
                Side::Right => CellAlignment::Right,
            });
            before = gap;
        }
        table
    }
}

/// The cells of a row as they are shown, its bar last.
fn fitted(row: &Row, widths: &[usize], bar: usize, look: &Look) -> Vec<(Tone, String)> {
    let cells = row.cells.iter().zip(widths).map(|((tone, text), &width)| (*tone, look.fit(text, width).into_owned()));
    let bar = row.bar.filter(|_| bar > 0).map(|share| (Tone::Secondary, look.bar(share, bar)));
    cells.chain(bar).collect()
}

/// A laid out line with each of its cells in its tone: they stand in order, with only blanks between them.
fn tinted(line: &str, cells: &[(Tone, String)], look: &Look) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    for (tone, text) in cells {
        let text = text.trim_end();
        let Some((before, after)) = rest.split_once(text).filter(|_| !text.is_empty()) else { continue };
        shown.push_str(before);
        shown.push_str(&look.tint(*tone, text));
        rest = after;
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { width: 24, ascii: false, color: false };

    fn written(rows: &[(&str, &str)], look: &Look) -> String {
        let mut grid = Grid::new(0, [(Side::Left, "name"), (Side::Right, "count")]);
        for (name, count) in rows {
            grid.push(Row::new([(Tone::Plain, (*name).to_owned()), (Tone::Plain, (*count).to_owned())]));
        }
        let mut out = Vec::new();
        grid.write(&mut out, look).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn wide_characters_count_as_the_columns_they_take() {
        assert_eq!(written(&[("日本", "1"), ("ab", "12345")], &LOOK), "name  count\n日本      1\nab    12345\n");
    }

    #[test]
    fn the_first_column_gives_way_to_the_others() {
        assert_eq!(
            written(&[("a_name_of_thirty_columns_or_so", "7")], &LOOK),
            "name               count\na_name_of_thirty…      7\n"
        );
    }

    #[test]
    fn no_line_ends_in_a_blank() {
        assert_eq!(written(&[("x", "")], &LOOK), "name  count\nx\n");
    }

    #[test]
    fn bars_take_what_is_left_and_vanish_when_there_is_no_room() {
        let mut grid = Grid::new(0, [(Side::Left, "name")]);
        grid.push(Row::new([(Tone::Plain, "x".to_owned())]).with_bar(1.0));
        let bar_at = |width| {
            let mut out = Vec::new();
            grid.write(&mut out, &Look { width, ascii: true, color: false }).unwrap();
            out.iter().filter(|byte| **byte == b'#').count()
        };
        assert_eq!(bar_at(10), 0);
        assert_eq!(bar_at(20), 14);
        assert_eq!(bar_at(200), WIDEST_BAR);
    }
}
