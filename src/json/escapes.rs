//! The inside of JSON strings: its escapes, read, and written in their shortest form.

/// A stretch of the inside of a JSON string.
pub(super) enum Piece<'a> {
    Plain(&'a str),
    Char(char),
    LoneSurrogate(u16),
}

/// Takes the inside of a JSON string apart, surrogate pairs joined.
pub(super) struct Pieces<'a>(pub(super) &'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.0.is_empty() {
            return None;
        }
        let plain = self.0.find('\\').unwrap_or(self.0.len());
        if plain > 0 {
            let (text, rest) = self.0.split_at(plain);
            self.0 = rest;
            return Some(Piece::Plain(text));
        }
        let escape = self.0.as_bytes().get(1).copied().unwrap_or(b'\\');
        let (piece, length) = match escape {
            b'b' => (Piece::Char('\u{8}'), 2),
            b'f' => (Piece::Char('\u{c}'), 2),
            b'n' => (Piece::Char('\n'), 2),
            b'r' => (Piece::Char('\r'), 2),
            b't' => (Piece::Char('\t'), 2),
            b'u' => unicode_escape(self.0),
            other => (Piece::Char(char::from(other)), 2),
        };
        self.0 = &self.0[length..];
        Some(piece)
    }
}

/// The piece that the `\uXXXX` at the start of `text` stands for, and its length in bytes.
fn unicode_escape(text: &str) -> (Piece<'static>, usize) {
    let first = code_unit(text).unwrap_or(0xfffd);
    let second = text.get(6..).and_then(code_unit);
    if let (0xd800..0xdc00, Some(low @ 0xdc00..0xe000)) = (first, second) {
        let code = 0x10000 + ((u32::from(first) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
        return (Piece::Char(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)), 12);
    }
    match char::from_u32(u32::from(first)) {
        Some(character) => (Piece::Char(character), 6),
        None => (Piece::LoneSurrogate(first), 6),
    }
}

fn code_unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// Adds the inside of a string, every escape of it in its shortest form.
pub(super) fn push_reescaped(compact: &mut String, inner: &str) {
    for piece in Pieces(inner) {
        match piece {
            Piece::Plain(text) => compact.push_str(text),
            Piece::Char(character) => push_compact_char(compact, character),
            Piece::LoneSurrogate(unit) => push_unicode_escape(compact, u32::from(unit)),
        }
    }
}

fn push_compact_char(compact: &mut String, character: char) {
    match character {
        '"' => compact.push_str("\\\""),
        '\\' => compact.push_str("\\\\"),
        '\u{8}' => compact.push_str("\\b"),
        '\u{c}' => compact.push_str("\\f"),
        '\n' => compact.push_str("\\n"),
        '\r' => compact.push_str("\\r"),
        '\t' => compact.push_str("\\t"),
        control @ '\0'..='\u{1f}' => push_unicode_escape(compact, u32::from(control)),
        other => compact.push(other),
    }
}

fn push_unicode_escape(compact: &mut String, code: u32) {
    compact.push_str(&format!("\\u{code:04x}"));
}
