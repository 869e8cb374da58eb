//! Hostile text -> text that is safe to show: what a server sends may neither move the cursor, nor reorder or hide
//! what stands beside it, nor break the shape of a table, nor give a command to the CI system that reads the log.
//!
//! This is for eyes. Documents that programs read keep the text exact and escape it in their own way.

use std::borrow::Cow;
use std::path::Path;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Marks that may sit on one letter: real scripts need up to this many, more of them climb into the lines above.
const MOST_MARKS: usize = 4;

/// Format characters and other code points without a shape of their own, as first and last of each run: general
/// category Cf and the property Default_Ignorable_Code_Point of Unicode 17, and the two separators Zl and Zp.
const HIDDEN: [(char, char); 31] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    // A pattern of Braille without dots.
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
    // White space that looks like a space and is none; the wide space of East Asian text stays.
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
];

/// Whether a reader would not see `c`, or would see it as something else: controls, format characters, look-alike
/// spaces.
pub fn is_hidden(c: char) -> bool {
    c.is_control() || (!c.is_ascii() && HIDDEN.iter().any(|&(first, last)| (first..=last).contains(&c)))
}

/// `text` on one line, with everything hidden spelled out: `\n`, `\u{202e}`.
///
/// Runners take commands out of what a job prints: GitHub's `::error::` at the start of a line and `##[error]`
/// anywhere, Azure's `##vso[…]`, TeamCity's `##teamcity[…]`. One character of such a mark is spelled as well.
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut marks = MOST_MARKS;
    spell_where(text, |c| {
        let is_mark = c.width() == Some(0);
        marks = if is_mark { marks + 1 } else { 0 };
        let is_spelled = is_hidden(c) || marks > MOST_MARKS;
        if is_spelled {
            marks = MOST_MARKS;
        }
        is_spelled
    })
}

/// Text of several lines, such as an error with an excerpt: each line visible, and none a command.
pub fn visible_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// A path as a message shows it.
pub fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// Whether a reader sees anything of `text` at all.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_hidden(c))
}

/// Like [`visible`], with nothing beyond ASCII left.
pub fn visible_ascii(text: &str) -> Cow<'_, str> {
    spell_where(text, |c| !c.is_ascii() || c.is_control())
}

/// A line of visible text that no runner takes for a command, for text that was broken into lines afterwards.
pub fn inert_line(line: &str) -> Cow<'_, str> {
    spell_where(line, |_| false)
}

fn spell_where(text: &str, mut is_spelled: impl FnMut(char) -> bool) -> Cow<'_, str> {
    let command = text.trim_start().starts_with("::").then(|| text.len() - text.trim_start().len());
    if command.is_none() && !text.contains("##") && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let after = text[at + c.len_utf8()..].chars().next();
        let opens = c == '#' && before == '#' && after.is_some_and(|c| c == '[' || c.is_ascii_alphabetic());
        if is_spelled(c) || opens || command == Some(at) {
            spell(c, &mut shown);
        } else {
            shown.push(c);
        }
        before = c;
    }
    Cow::Owned(shown)
}

fn spell(c: char, into: &mut String) {
    match c {
        '\n' | '\r' | '\t' => into.extend(c.escape_default()),
        _ => into.extend(c.escape_unicode()),
    }
}

/// The columns that visible text takes on a terminal.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(UnicodeWidthStr::width).sum() }
}

/// Visible text in at most `most` columns: whole, or cut and closed by `ellipsis`.
pub fn fit<'a>(text: &'a str, most: usize, ellipsis: &str) -> Cow<'a, str> {
    if width(text) <= most {
        return Cow::Borrowed(text);
    }
    let room = most.saturating_sub(width(ellipsis));
    let mut used = 0;
    let kept: &str = text
        .grapheme_indices(true)
        .find(|(_, grapheme)| {
            used += grapheme.width();
            used > room
        })
        .map_or(text, |(end, _)| &text[..end]);
    let mark = if most < width(ellipsis) { "" } else { ellipsis };
    Cow::Owned(format!("{kept}{mark}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_escapes_and_direction_marks_are_spelled_out() {
        assert_eq!(visible("a\nb\r\tc"), r"a\nb\r\tc");
        assert_eq!(visible("\u{1b}[2J\u{7}\u{9b}1m\u{7f}"), r"\u{1b}[2J\u{7}\u{9b}1m\u{7f}");
        assert_eq!(visible("a\u{202e}b\u{2066}c\u{200b}d\u{2028}e"), r"a\u{202e}b\u{2066}c\u{200b}d\u{2028}e");
        assert_eq!(visible("soft\u{ad}hyphen \u{a0}\u{feff}\u{e0041}"), r"soft\u{ad}hyphen \u{a0}\u{feff}\u{e0041}");
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        for text in ["plain", "größer", "日本語 ツール", "e\u{301}te\u{301}", "नमस्ते", "🦀 crab", r"C:\temp\new"]
        {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn a_mark_needs_a_letter_and_a_tower_of_marks_is_cut() {
        assert_eq!(visible("\u{301}x"), r"\u{301}x");
        let tower = format!("x{}", "\u{301}".repeat(6));
        assert_eq!(visible(&tower), format!("x{}{}", "\u{301}".repeat(4), r"\u{301}\u{301}"));
    }

    #[test]
    fn no_code_point_reaches_the_eye_without_a_shape() {
        for c in (0..=0x0010_ffff_u32).filter_map(char::from_u32) {
            let alone = c.to_string();
            let shown = visible(&alone);
            assert!(width(&shown) >= 1, "{:x}", u32::from(c));
            assert!(!shown.chars().any(is_hidden), "{:x}", u32::from(c));
            assert!(visible_ascii(&alone).bytes().all(|byte| matches!(byte, b' '..=b'~')));
        }
    }

    #[test]
    fn what_is_visible_is_not_spelled_twice() {
        let once = visible("a\nb\u{202e}\u{301}é").into_owned();
        assert_eq!(visible(&once), once);
    }

    #[test]
    fn no_text_begins_or_holds_a_command_to_a_runner() {
        assert_eq!(visible("::error::x"), r"\u{3a}:error::x");
        assert_eq!(visible("  ::add-mask::x"), r"  \u{3a}:add-mask::x");
        assert_eq!(visible_ascii("a ##[group]b"), r"a #\u{23}[group]b");
        assert_eq!(visible("###vso[task.x]"), r"##\u{23}vso[task.x]");
        assert_eq!(inert_line("::é"), r"\u{3a}:é");
        for text in ["std::io", "## Heading", "#[test]", "a: b"] {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn a_cut_keeps_to_the_width_and_never_splits_a_wide_character() {
        assert_eq!(fit("abcdef", 6, "…"), "abcdef");
        assert_eq!(fit("abcdefg", 6, "…"), "abcde…");
        assert_eq!(fit("abcdefg", 6, "..."), "abc...");
        assert_eq!(fit("日本語", 5, "…"), "日本…");
        assert_eq!(fit("日本語", 4, "…"), "日…");
        assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 2, "…"), "e\u{301}…");
        for most in 0..8 {
            assert!(width(&fit("日本語 and more", most, "...")) <= most);
        }
    }
}
