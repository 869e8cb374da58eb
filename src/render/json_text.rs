//! How JSON is laid out: indented by two, and free of everything that a terminal or an eye could stumble over.
//!
//! JSON itself only escapes up to U+001F. Hostile names also hold the controls beyond it, direction overrides and
//! characters without a shape: escaped as well, they decode to exactly the same text.

use std::io::{self, Write};

use serde_json::ser::{Formatter, PrettyFormatter};

use crate::visible::is_hidden;

/// The layout of every JSON document.
#[derive(Default)]
pub(super) struct Layout(PrettyFormatter<'static>);

impl Formatter for Layout {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_hidden(c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    /// Compact JSON of a server: what is hidden can only stand inside its strings.
    fn write_raw_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.write_string_fragment(writer, fragment)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[test]
    fn what_is_hidden_is_escaped_and_decodes_to_the_same_text() {
        let text = "a\u{7f}\u{9b}b\u{202e}\u{e0041}\u{1b}\n日本🦀\"\\";
        let mut out = Vec::new();
        text.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Layout::default())).unwrap();
        let json = String::from_utf8(out).unwrap();
        assert_eq!(json, r#""a\u007f\u009bb\u202e\udb40\udc41\u001b\n日本🦀\"\\""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
