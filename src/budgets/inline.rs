//! Edits between the braces of an inline table, on one line or on many, with commas and comments kept. Commas depend
//! on the neighbours, so each edit needs a fresh reading of the text.

use std::ops::Range;

use toml_edit::{InlineTable, Key, Value};

use super::edit::{New, Placement, Splice};
use super::layout::{Home, Layout};
use super::toml_text;

/// One `key = value` between braces.
struct Element<'a> {
    path: Vec<&'a str>,
    /// From the first byte of the key to the last of the value.
    span: Range<usize>,
    /// The comma after it.
    comma: Option<usize>,
}

/// Adds a key to a table that stands in braces.
pub(super) fn add(
    layout: &Layout,
    parent: &[String],
    key: &str,
    new: &New,
    placement: Placement,
) -> Option<Vec<Splice>> {
    let spot = layout.spot(parent)?;
    let Home::Braces(braces) = spot.home else {
        return None;
    };
    let path: Vec<&str> = spot.prefix.iter().map(String::as_str).chain([key]).collect();
    let text = format!("{} = {}", toml_text::dotted(&path), new.inline());
    let elements = elements(layout, braces)?;
    let is_sibling = |element: &Element<'_>| {
        element.path.len() > spot.prefix.len() && spot.prefix.iter().zip(&element.path).all(|(a, b)| a == b)
    };
    let siblings: Vec<(usize, &str)> = elements
        .iter()
        .enumerate()
        .filter(|(_, element)| is_sibling(element))
        .map(|(place, element)| (place, element.path[spot.prefix.len()]))
        .collect();
    let smaller = siblings.iter().filter(|(_, name)| *name < key).max_by_key(|(place, name)| (*name, *place));
    let before = match placement {
        Placement::Sorted => match smaller {
            Some((place, _)) => place + 1,
            None => siblings.first().map_or(0, |(place, _)| *place),
        },
        Placement::Last | Placement::Section(_) => siblings.last().map_or(elements.len(), |(place, _)| place + 1),
    };
    match (elements.get(before), elements.last()) {
        (Some(next), _) => Some(vec![insert_before(layout, next, &text)]),
        (None, Some(last)) => Some(append(layout, last, &text)),
        (None, None) => Some(vec![first(layout, braces, &text)?]),
    }
}

fn first(layout: &Layout, braces: &InlineTable, text: &str) -> Option<Splice> {
    let (open, close) = braces.span().map(|span| (span.start + 1, span.end - 1))?;
    let inside = &layout.text()[open..close];
    Some(if inside.contains('\n') {
        let (indent, line_end) = (layout.indent(close), layout.line_end);
        Splice::insert(layout.line_start(close), format!("{indent}  {text}{line_end}"))
    } else {
        Splice::insert(open, if inside.is_empty() { format!(" {text} ") } else { format!(" {text}") })
    })
}

/// Removes a key, or all dotted keys of one name, from a table that stands in braces: one element a call.
pub(super) fn remove(layout: &Layout, path: &[String]) -> Option<Vec<Splice>> {
    let (name, parent) = path.split_last()?;
    let spot = layout.spot(parent)?;
    let Home::Braces(braces) = spot.home else {
        return None;
    };
    let wanted: Vec<&str> = spot.prefix.iter().chain([name]).map(String::as_str).collect();
    let elements = elements(layout, braces)?;
    let place = elements.iter().position(|element| element.path.starts_with(&wanted))?;
    let element = &elements[place];
    let previous_comma = place.checked_sub(1).and_then(|previous| elements[previous].comma);
    let end = element.comma.map_or(element.span.end, |comma| comma + 1);
    let own_line = begins_line(layout, element.span.start) && ends_line(layout, end);
    let mut splices = Vec::new();
    if element.comma.is_none() {
        splices.extend(previous_comma.map(|comma| Splice::delete(comma..comma + 1)));
    }
    splices.push(Splice::delete(match own_line {
        true => layout.line_start(element.span.start)..layout.line_after(end),
        false if element.comma.is_none() => {
            let blank = |from: usize| layout.text()[from..element.span.start].trim_matches([' ', '\t']).is_empty();
            previous_comma.map(|comma| comma + 1).filter(|from| blank(*from)).unwrap_or(element.span.start)..end
        }
        false => {
            let rest = &layout.text()[end..];
            element.span.start..end + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
        }
    }));
    Some(splices)
}

fn insert_before(layout: &Layout, next: &Element<'_>, text: &str) -> Splice {
    let at = next.span.start;
    let separator = match begins_line(layout, at) {
        true => format!("{}{}", layout.line_end, layout.indent(at)),
        false => " ".to_owned(),
    };
    Splice::insert(at, format!("{text},{separator}"))
}

fn append(layout: &Layout, last: &Element<'_>, text: &str) -> Vec<Splice> {
    let (indent, line_end) = (layout.indent(last.span.start), layout.line_end);
    let own_line = begins_line(layout, last.span.start);
    match last.comma {
        Some(comma) if own_line && ends_line(layout, comma + 1) => {
            vec![Splice::insert(layout.line_after(comma), format!("{indent}{text},{line_end}"))]
        }
        Some(comma) => vec![Splice::insert(comma + 1, format!(" {text},"))],
        None if own_line && ends_line(layout, last.span.end) => vec![
            Splice::insert(last.span.end, ",".to_owned()),
            Splice::insert(layout.line_after(last.span.end), format!("{indent}{text}{line_end}")),
        ],
        None => vec![Splice::insert(last.span.end, format!(", {text}"))],
    }
}

/// The elements between braces, in the order of the text.
fn elements<'a>(layout: &Layout, braces: &'a InlineTable) -> Option<Vec<Element<'a>>> {
    let span = braces.span()?;
    let mut leaves: Vec<(Vec<&Key>, &Value)> = braces.get_values();
    leaves.sort_by_key(|(_, value)| value.span().map(|span| span.start));
    let mut from = span.start + 1;
    let mut elements = Vec::new();
    for (path, value) in leaves {
        let start = skip_trivia(layout.text(), from);
        let end = value.span()?.end;
        let next = skip_trivia(layout.text(), end);
        let comma = layout.text()[next..].starts_with(',').then_some(next);
        from = comma.map_or(end, |comma| comma + 1);
        elements.push(Element { path: path.into_iter().map(Key::get).collect(), span: start..end, comma });
    }
    Some(elements)
}

/// The first byte from `from` on that is neither white space nor part of a comment.
fn skip_trivia(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        match text[at..].starts_with('#') {
            true => at += text[at..].find('\n').unwrap_or(text.len() - at),
            false => return at,
        }
    }
}

fn begins_line(layout: &Layout, at: usize) -> bool {
    layout.text()[layout.line_start(at)..at].trim().is_empty()
}

fn ends_line(layout: &Layout, at: usize) -> bool {
    let rest = layout.text()[at..layout.line_after(at)].trim_start();
    rest.is_empty() || rest.starts_with('#')
}
