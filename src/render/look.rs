//! How text for people looks: its width, its characters, its colours. Whoever calls decides; nothing is asked of a
//! terminal. Colour repeats what the words already say.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::visible;

/// The look of a document for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns that lines should fit into.
    pub width: usize,
    /// Whether nothing beyond ASCII may be written; names are then shown escaped.
    pub ascii: bool,
    /// Whether to write the escape sequences of colours.
    pub color: bool,
}

/// What a piece of text is, where colour may help to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Heading,
    Refused,
    Pass,
    Note,
    Secondary,
}

impl Look {
    /// Hostile text, safe to show on one line.
    pub(super) fn show<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.ascii { visible::visible_ascii(text) } else { visible::visible(text) }
    }

    /// A hostile name, safe to show; in quotes where nothing would be seen of it.
    pub(super) fn name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        if name.trim().is_empty() { Cow::Owned(format!("\"{}\"", self.show(name))) } else { self.show(name) }
    }

    /// Visible text in at most `width` columns.
    pub(super) fn fit<'a>(&self, text: &'a str, width: usize) -> Cow<'a, str> {
        visible::fit(text, width, self.ellipsis())
    }

    /// Hostile text, safe to show, in at most `width` columns.
    pub(super) fn quote(&self, text: &str, width: usize) -> String {
        self.fit(&self.show(text), width).into_owned()
    }

    /// Stands for what was left out.
    pub(super) fn ellipsis(&self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// Stands between the facts of one line.
    pub(super) fn dot(&self) -> &'static str {
        if self.ascii { "-" } else { "·" }
    }

    /// A bar of at most `width` columns for a share between 0 and 1; what is not nothing is seen.
    pub(super) fn bar(&self, share: f64, width: usize) -> String {
        const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
        match (self.ascii, eighths) {
            (_, 0) => String::new(),
            (true, _) => "#".repeat((eighths / 8).max(1)),
            (false, _) => format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]),
        }
    }

    /// `text` in its tone.
    pub(super) fn tint<'a>(&self, tone: Tone, text: &'a str) -> Cow<'a, str> {
        let style = match tone {
            Tone::Plain => Style::new(),
            Tone::Heading => Style::new().bold(),
            Tone::Refused => AnsiColor::Red.on_default().bold(),
            Tone::Pass => AnsiColor::Green.on_default(),
            Tone::Note => AnsiColor::Yellow.on_default(),
            Tone::Secondary => Style::new().dimmed(),
        };
        if self.color && !style.is_plain() && !text.trim().is_empty() {
            Cow::Owned(format!("{style}{text}{style:#}"))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// Writes visible prose over as many lines as it takes, `lead` in its tone before the first of them and the rest
    /// under the text.
    pub(super) fn prose(&self, out: &mut dyn Write, lead: (Tone, &str), text: &str) -> io::Result<()> {
        let (tone, lead) = lead;
        let column = visible::width(lead);
        let room = self.width.saturating_sub(column).max(NARROWEST);
        let options = textwrap::Options::new(room)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
        let mut before = self.tint(tone, lead).into_owned();
        for line in textwrap::wrap(text, options) {
            writeln!(out, "{}", format!("{before}{}", visible::inert_line(&line)).trim_end())?;
            before = " ".repeat(column);
        }
        Ok(())
    }
}

/// Prose never gets narrower than this, whatever stands before it.
const NARROWEST: usize = 20;

/// The most columns of a name outside a table.
pub(super) const LONGEST_NAME: usize = 60;
/// The most columns of a message; other formats hold the whole of it.
pub(super) const LONGEST_MESSAGE: usize = 2000;

/// `1 tool`, `2 tools`.
pub(super) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `part` of `whole` in per cent, `-` of nothing. What is not nothing never reads as `0.0%`.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let percent = part as f64 * 100.0 / whole as f64;
    if part > 0 && percent < 0.05 { "<0.1%".to_owned() } else { format!("{percent:.1}%") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { width: 30, ascii: false, color: false };

    #[test]
    fn a_share_that_is_not_nothing_is_told_from_nothing() {
        assert_eq!(percent(0, 10), "0.0%");
        assert_eq!(percent(1, 100_000), "<0.1%");
        assert_eq!(percent(1706, 200_000), "0.9%");
        assert_eq!(percent(3, 3), "100.0%");
        assert_eq!(percent(3, 0), "-");
        assert_eq!(PLAIN.bar(0.002, 10), "");
        assert_eq!(PLAIN.bar(0.02, 10), "▎");
        assert_eq!(PLAIN.bar(1.0, 3), "███");
        assert_eq!(Look { ascii: true, ..PLAIN }.bar(0.05, 10), "#");
    }

    #[test]
    fn prose_hangs_under_its_lead_and_keeps_to_the_width() {
        let mut out = Vec::new();
        PLAIN.prose(&mut out, (Tone::Note, "note: "), "one two three four five six seven").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "note: one two three four five\n      six seven\n");
    }

    #[test]
    fn colour_is_only_written_when_it_is_asked_for() {
        assert_eq!(PLAIN.tint(Tone::Refused, "no"), "no");
        let tinted = Look { color: true, ..PLAIN }.tint(Tone::Refused, "no").into_owned();
        assert!(tinted.starts_with("\u{1b}[") && tinted.ends_with("\u{1b}[0m") && tinted.contains("no"), "{tinted}");
    }
}
