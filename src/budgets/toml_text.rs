//! Keys and strings as TOML text. Names come from servers, so whatever a reader could not see is escaped.

/// A key, bare where TOML allows it.
pub(super) fn key(name: &str) -> String {
    let bare = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { string(name) }
}

/// A dotted key.
pub(super) fn dotted<S: AsRef<str>>(path: &[S]) -> String {
    path.iter().map(|name| key(name.as_ref())).collect::<Vec<_>>().join(".")
}

/// A basic string on one line.
pub(super) fn string(value: &str) -> String {
    let mut text = String::from("\"");
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            hidden if is_invisible(hidden) && u32::from(hidden) > 0xffff => {
                text.push_str(&format!("\\U{:08X}", u32::from(hidden)));
            }
            hidden if is_invisible(hidden) => text.push_str(&format!("\\u{:04X}", u32::from(hidden))),
            plain => text.push(plain),
        }
    }
    text.push('"');
    text
}

/// An array of strings on one line.
pub(super) fn strings(values: &[String]) -> String {
    format!("[{}]", values.iter().map(|value| string(value)).collect::<Vec<_>>().join(", "))
}

/// Controls, marks that turn the direction of writing, and characters of no width: what hides in a diff.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(character, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_quoted_only_where_toml_needs_it() {
        assert_eq!(key("add_note-2"), "add_note-2");
        assert_eq!(key("a.b"), "\"a.b\"");
        assert_eq!(key(""), "\"\"");
        assert_eq!(key("größe"), "\"größe\"");
        assert_eq!(key("(unnamed #3)"), "\"(unnamed #3)\"");
    }

    #[test]
    fn every_string_reads_back_as_it_was_and_shows_what_it_hides() {
        for value in
            ["", "plain", "q\"b\\", "a\nb\r\tc", "\u{1b}[31m", "\u{202e}abc", "\u{e0041}", "日本", "\u{7f}\u{0}"]
        {
            let text = string(value);
            let document: toml_edit::Document<String> = format!("{text} = {text}").parse().unwrap();
            assert_eq!(document.get(value).and_then(|item| item.as_str()), Some(value), "{text}");
            assert!(!text.chars().any(is_invisible), "{text}");
        }
    }
}
