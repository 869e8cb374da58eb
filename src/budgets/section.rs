//! Edits of tables that are written as lines and `[sections]`. Each gives splices of whole lines, which never
//! overlap, so that many of them can be made against one reading of the text.

use super::edit::{New, Placement, Splice};
use super::layout::{Home, Layout, Spot};
use super::toml_text;
use crate::gate::Metric;

/// Adds a key to a table that stands in lines.
pub(super) fn add(layout: &Layout, parent: &[String], key: &str, new: &New, placement: Placement) -> Option<Splice> {
    let spot = layout.spot(parent)?;
    match (spot.home, placement, new) {
        (Home::Section(_), Placement::Section(order), New::Table(fields)) if !bands_stand_in_braces(&spot, key) => {
            let after = section_before(layout, &spot, order, key)?;
            Some(new_section(layout, parent, key, fields, layout.after_comments(after)))
        }
        (Home::Headers, _, New::Table(fields)) => add_among_sections(layout, &spot, parent, key, fields),
        (Home::Headers | Home::Braces(_), _, _) => None,
        (Home::Section(_) | Home::Dotted, _, _) => add_line(layout, &spot, key, new, placement),
    }
}

/// Removes a key with its lines and its sections.
pub(super) fn remove(layout: &Layout, path: &[String]) -> Option<Vec<Splice>> {
    let (key, item) = layout.entry(path)?;
    let lines = layout.lines(key, item).into_iter();
    let sections = layout.sections(item).into_iter().map(|section| {
        let above = layout.line_start(section.start.saturating_sub(1));
        let is_blank = layout.text()[above..section.start].trim().is_empty();
        if is_blank { above..section.end } else { section }
    });
    Some(lines.chain(sections).map(Splice::delete).collect())
}

/// Whether a new band would stand beside bands that are all written as `floor = { … }`. Pins are too many for that.
fn bands_stand_in_braces(spot: &Spot<'_>, key: &str) -> bool {
    let mut bands = Metric::ALL.iter().filter_map(|metric| spot.table.get(metric.as_str())).peekable();
    key != "pins" && bands.peek().is_some() && bands.all(toml_edit::Item::is_inline_table)
}

fn add_line(layout: &Layout, spot: &Spot<'_>, key: &str, new: &New, placement: Placement) -> Option<Splice> {
    let extent = |name: &str| {
        let (key, item) = spot.table.get_key_value(name)?;
        let lines = layout.lines(key, item);
        lines.iter().map(|lines| lines.start).min().zip(lines.iter().map(|lines| lines.end).max())
    };
    let extents = || spot.table.iter().filter_map(|(name, _)| extent(name));
    let smaller = || spot.table.iter().map(|(name, _)| name).filter(|name| *name < key).max().and_then(extent);
    let sorted = || match smaller() {
        Some((start, end)) => Some((end, start)),
        None => extents().min().map(|(start, _)| (start, start)),
    };
    let last = || extents().max_by_key(|(_, end)| *end).map(|(start, end)| (end, start));
    let below_header = || match spot.home {
        Home::Section(Some(table)) => table.span().map(|header| (layout.line_after(header.end), header.start)),
        _ => None,
    };
    let place = match placement {
        Placement::Sorted => sorted(),
        Placement::Last | Placement::Section(_) => last(),
    };
    let (at, like) = place.or_else(below_header)?;
    let path: Vec<&str> = spot.prefix.iter().map(String::as_str).chain([key]).collect();
    let (indent, line_end) = (layout.indent(like), layout.line_end);
    Some(Splice::insert(at, format!("{indent}{} = {}{line_end}", toml_text::dotted(&path), new.inline())))
}

/// The end of what a new section comes after: of the siblings that stand before it in `order`, the last one.
fn section_before(layout: &Layout, spot: &Spot<'_>, order: &[&str], key: &str) -> Option<usize> {
    let siblings = order.iter().take_while(|sibling| **sibling != key).filter_map(|sibling| spot.table.get(sibling));
    let ends = siblings.map(|sibling| layout.sections(sibling).iter().map(|section| section.end).max());
    match (ends.flatten().last(), spot.home) {
        (Some(end), _) => Some(end),
        (None, Home::Section(Some(table))) => layout.section(table).map(|own| own.end),
        (None, _) => Some(layout.text().len()),
    }
}

fn add_among_sections(
    layout: &Layout,
    spot: &Spot<'_>,
    parent: &[String],
    key: &str,
    fields: &[(String, New)],
) -> Option<Splice> {
    let sections = |name: &str| spot.table.get(name).map(|item| layout.sections(item)).unwrap_or_default();
    let smaller =
        spot.table.iter().map(|(name, _)| name).filter(|name| *name < key && !sections(name).is_empty()).max();
    match smaller {
        Some(name) => {
            let after = sections(name).iter().map(|section| section.end).max()?;
            Some(new_section(layout, parent, key, fields, layout.after_comments(after)))
        }
        None => {
            let starts = spot.table.iter().flat_map(|(name, _)| sections(name)).map(|section| section.start);
            let before = starts.min()?;
            let text = section_text(layout, parent, key, fields, layout.indent(before));
            Some(Splice { opens_section: true, ..Splice::insert(before, format!("{text}{}", layout.line_end)) })
        }
    }
}

fn new_section(layout: &Layout, parent: &[String], key: &str, fields: &[(String, New)], at: usize) -> Splice {
    let header = layout.spot(parent).and_then(|spot| match spot.home {
        Home::Section(Some(table)) => table.span(),
        _ => None,
    });
    let indent = header.map_or("", |header| layout.indent(header.start));
    let text = section_text(layout, parent, key, fields, indent);
    Splice { opens_section: true, ..Splice::insert(at, format!("{}{text}", layout.line_end)) }
}

fn section_text(layout: &Layout, parent: &[String], key: &str, fields: &[(String, New)], indent: &str) -> String {
    let path: Vec<&str> = parent.iter().map(String::as_str).chain([key]).collect();
    let mut lines = vec![format!("{indent}[{}]", toml_text::dotted(&path))];
    lines.extend(fields.iter().map(|(name, new)| format!("{indent}{} = {}", toml_text::key(name), new.inline())));
    lines.iter().map(|line| format!("{line}{}", layout.line_end)).collect()
}
