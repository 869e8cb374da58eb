//! A view of JSON text that keeps the bytes: slices and the compact form, never a tree.
//!
//! serde_json judges once whether a text is JSON ([`Text::parse`]); everything here then walks text that is known
//! to be valid. What serde's own types cannot keep stays intact: duplicate keys, lone surrogates, numbers as they
//! were written, any depth of nesting. Nothing here recurses.

mod ends;
mod escapes;

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(raw: &str) -> Text<'_> {
        Text::parse(raw).unwrap()
    }

    #[test]
    fn members_keep_order_and_duplicates() {
        let object = text(r#" { "a" : 1 , "b":[2,{"c":"}"}] , "a":"x\"," } "#);
        let members: Vec<_> = object.members().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(members, [(r#""a""#, "1"), (r#""b""#, r#"[2,{"c":"}"}]"#), (r#""a""#, r#""x\",""#)]);
    }

    #[test]
    fn the_last_of_two_equal_keys_is_read() {
        assert_eq!(text(r#"{"k":1,"\u006b":2}"#).get("k").map(Text::as_str), Some("2"));
    }

    #[test]
    fn a_key_that_must_be_unique_is_refused_when_it_stands_twice() {
        assert_eq!(text(r#"{"tools":1,"tools":2}"#).get_unique("tools"), Err(DuplicateKey("tools")));
        assert_eq!(text(r#"{"tools":1}"#).get_unique("tools").unwrap().map(Text::as_str), Some("1"));
        assert_eq!(text("{}").get_unique("tools"), Ok(None));
    }

    #[test]
    fn elements_of_arrays_only() {
        let elements: Vec<_> = text("[ 1, [2 , 3] ,\n\"]\" , null]").elements().map(Text::as_str).collect();
        assert_eq!(elements, ["1", "[2 , 3]", "\"]\"", "null"]);
        assert_eq!(text("{\"a\":1}").elements().count(), 0);
        assert_eq!(text("[]").elements().count(), 0);
        assert_eq!(text("{ }").members().count(), 0);
    }

    #[test]
    fn strings_decode_with_lone_surrogates_replaced() {
        assert_eq!(text(r#""a\ud83d\ude00\ud800\/\u0041""#).string().unwrap(), "a😀\u{fffd}/A");
        assert_eq!(text("42").string(), None);
    }

    #[test]
    fn the_golden_texts_compact_exactly() {
        let golden: Vec<serde_json::Value> = serde_json::from_str(include_str!("../../fixtures/golden.json")).unwrap();
        assert!(golden.len() >= 36);
        for case in golden {
            let raw = case["raw"].as_str().unwrap();
            assert_eq!(text(raw).compact(), case["compact"].as_str().unwrap(), "{raw}");
        }
    }

    #[test]
    fn nesting_of_any_depth_is_walked_without_recursion() {
        let deep = format!("{}{}", "[ ".repeat(200_000), "]".repeat(200_000));
        assert_eq!(text(&deep).compact().len(), 400_000);
        assert_eq!(text(&deep).elements().count(), 1);
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<String>().prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::hash_map(any::<String>(), inner, 0..6)
                    .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// Writes JSON the long way: white space everywhere, every character of every string escaped.
    fn long_form(value: &serde_json::Value) -> String {
        let string = |text: &str| {
            let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
            format!("\"{units}\"")
        };
        match value {
            serde_json::Value::String(text) => string(text),
            serde_json::Value::Array(items) => {
                format!("[ {}\t]", items.iter().map(long_form).collect::<Vec<_>>().join(" ,\r\n"))
            }
            serde_json::Value::Object(members) => {
                let members = members.iter().map(|(key, value)| format!("{} : {}", string(key), long_form(value)));
                format!("{{ {}\n}}", members.collect::<Vec<_>>().join(" , "))
            }
            other => other.to_string(),
        }
    }

    proptest! {
        #[test]
        fn the_compact_form_has_the_same_value_and_is_stable(value in any_json()) {
            let long = long_form(&value);
            let compact = text(&long).compact();
            prop_assert_eq!(&compact, &value.to_string());
            prop_assert_eq!(text(&compact).compact(), compact);
        }
    }
}
