//! A view of JSON text that keeps the bytes: slices and the compact form, never a tree.
//!
//! serde_json judges once whether a text is JSON ([`Text::parse`]); everything here then walks text that is known
//! to be valid. What serde's own types cannot keep stays intact: duplicate keys, lone surrogates, numbers as they
//! were written, any depth of nesting. Nothing here recurses.

mod ends;
mod escapes;
#[cfg(test)]
mod tests;

use serde_json::value::RawValue;

use ends::{blanks, end_of_string, value_end};
use escapes::{Piece, Pieces, push_reescaped};

pub(crate) use ends::string_end;

/// JSON text that serde_json accepted: one value, without white space around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a>(&'a str);

/// What kind of JSON value a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number, kept as it was written.
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

impl Kind {
    /// The kind of the value whose text begins with this byte.
    pub(crate) fn opened_by(byte: Option<u8>) -> Self {
        match byte {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// How a sentence names it.
    pub fn with_article(self) -> &'static str {
        match self {
            Kind::Object => "an object",
            Kind::Array => "an array",
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Bool => "true or false",
            Kind::Null => "null",
        }
    }
}

impl<'a> From<&'a RawValue> for Text<'a> {
    fn from(raw: &'a RawValue) -> Self {
        Text(raw.get())
    }
}

impl<'a> Text<'a> {
    /// Accepts `text` when it is exactly one JSON value.
    ///
    /// # Errors
    /// serde_json's own, with line and column, when it is not.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<&RawValue>(text).map(Text::from)
    }

    /// A value that stands inside a text that was accepted.
    pub(crate) fn within(text: &'a str) -> Self {
        Text(text)
    }

    /// The text itself, as it was sent.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// The kind of the value.
    pub fn kind(self) -> Kind {
        Kind::opened_by(self.0.as_bytes().first().copied())
    }

    /// The members of an object in the order in which they stand, duplicates included; nothing for another kind.
    pub fn members(self) -> impl Iterator<Item = (Text<'a>, Text<'a>)> {
        let mut values = Values::inside(self, Kind::Object);
        std::iter::from_fn(move || Some((values.next()?, values.next()?)))
    }

    /// The elements of an array; nothing for another kind.
    pub fn elements(self) -> impl Iterator<Item = Text<'a>> {
        Values::inside(self, Kind::Array)
    }

    /// The value of `key`, the last one where the key stands more than once.
    pub fn get(self, key: &str) -> Option<Text<'a>> {
        let [value] = self.get_all([key]);
        value
    }

    /// The values of `keys`, read in one pass; of each the last one where the key stands more than once.
    pub fn get_all<const N: usize>(self, keys: [&str; N]) -> [Option<Text<'a>>; N] {
        let mut found = [None; N];
        for (name, value) in self.members() {
            if let Some(place) = keys.iter().position(|key| name.is(key)) {
                found[place] = Some(value);
            }
        }
        found
    }

    /// The value of `key`.
    ///
    /// # Errors
    /// [`DuplicateKey`] when the key stands more than once: in an envelope, nobody can say which one was meant.
    pub fn get_unique(self, key: &'static str) -> Result<Option<Text<'a>>, DuplicateKey> {
        self.get_all_unique([key]).map(|[value]| value)
    }

    /// The values of `keys`, read in one pass over a text that may be megabytes long.
    ///
    /// # Errors
    /// [`DuplicateKey`] when one of them stands more than once.
    pub fn get_all_unique<const N: usize>(
        self,
        keys: [&'static str; N],
    ) -> Result<[Option<Text<'a>>; N], DuplicateKey> {
        let mut found = [None; N];
        for (name, value) in self.members() {
            if let Some(place) = keys.iter().position(|key| name.is(key))
                && found[place].replace(value).is_some()
            {
                return Err(DuplicateKey(keys[place]));
            }
        }
        Ok(found)
    }

    /// The decoded string, a lone surrogate as U+FFFD; `None` for another kind.
    pub fn string(self) -> Option<String> {
        let inner = self.inner_string()?;
        if !inner.contains('\\') {
            return Some(inner.to_owned());
        }
        let mut decoded = String::with_capacity(inner.len());
        for piece in Pieces(inner) {
            match piece {
                Piece::Plain(text) => decoded.push_str(text),
                Piece::Char(character) => decoded.push(character),
                Piece::LoneSurrogate(_) => decoded.push(char::REPLACEMENT_CHARACTER),
            }
        }
        Some(decoded)
    }

    /// Whether this is the string `wanted`.
    pub fn is(self, wanted: &str) -> bool {
        match self.inner_string() {
            Some(inner) if inner.contains('\\') => self.string().as_deref() == Some(wanted),
            inner => inner == Some(wanted),
        }
    }

    /// The compact form of `o200k_base:mcp-tool-json-v1`: no white space outside strings, each string escape in its
    /// shortest JSON form, everything else as it was sent.
    pub fn compact(self) -> String {
        let bytes = self.0.as_bytes();
        let mut compact = String::with_capacity(self.0.len());
        // What stands between here and `at` is kept as it is.
        let mut kept = 0;
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'"' => {
                    let (end, escaped) = end_of_string(bytes, at);
                    if escaped {
                        compact.push_str(&self.0[kept..=at]);
                        push_reescaped(&mut compact, &self.0[at + 1..end - 1]);
                        kept = end - 1;
                    }
                    at = end;
                }
                b' ' | b'\t' | b'\n' | b'\r' => {
                    compact.push_str(&self.0[kept..at]);
                    at += blanks(&bytes[at..]);
                    kept = at;
                }
                _ => at += 1,
            }
        }
        compact.push_str(&self.0[kept..]);
        compact
    }

    fn inner_string(self) -> Option<&'a str> {
        self.0.strip_prefix('"')?.strip_suffix('"')
    }
}

/// A key that stands twice where it may stand once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuplicateKey(pub &'static str);

impl std::fmt::Display for DuplicateKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the key `{}` stands twice", self.0)
    }
}

impl std::error::Error for DuplicateKey {}

/// The values directly inside an object (keys and values in turn) or an array.
struct Values<'a> {
    rest: &'a str,
}

impl<'a> Values<'a> {
    fn inside(container: Text<'a>, kind: Kind) -> Self {
        let rest = if container.kind() == kind { &container.0[1..container.0.len() - 1] } else { "" };
        Values { rest }
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Text<'a>;

    fn next(&mut self) -> Option<Text<'a>> {
        let between = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':');
        let start = self.rest.bytes().position(|byte| !between(&byte));
        let (value, rest) = self.rest[start?..].split_at(value_end(&self.rest[start?..]));
        self.rest = rest;
        Some(Text(value))
    }
}
