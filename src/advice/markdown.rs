//! Markdown -> the same words as plain lines. Only what is surely a mark is taken for one: `**/*.ts` is a glob, `2**10` a
//! power, and `#general` a name.

/// The text without headings' marks, emphasis and fences; `None` where it has no such mark.
pub(super) fn plain(text: &str) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut has_marks = false;
    for line in text.lines() {
        let bare = line.trim();
        let is_rule = bare.len() >= 3 && (bare.chars().all(|c| c == '-') || bare.chars().all(|c| c == '='));
        if bare.starts_with("```") || is_rule {
            has_marks = true;
            continue;
        }
        let heading = heading(bare);
        let unmarked = without_emphasis(heading.unwrap_or(bare));
        has_marks |= heading.is_some() || unmarked.is_some();
        let indent = if heading.is_some() { "" } else { &line[..line.len() - line.trim_start().len()] };
        let words = unmarked.as_deref().or(heading).unwrap_or(bare);
        let line = format!("{indent}{words}").trim_end().to_owned();
        if !(line.is_empty() && lines.last().is_none_or(String::is_empty)) {
            lines.push(line);
        }
    }
    has_marks.then(|| lines.join("\n").trim_end().to_owned())
}

/// The words of a heading.
fn heading(line: &str) -> Option<&str> {
    let words = line.trim_start_matches('#');
    let marks = line.len() - words.len();
    ((1..=6).contains(&marks) && words.starts_with(' ')).then(|| words.trim_start())
}

/// A line without the marks of its bold words; `None` where it has none. They stand in pairs around words, and apart from
/// other words.
fn without_emphasis(line: &str) -> Option<String> {
    let mut parts = line.split("**");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    let (mut open, mut found) = (None, false);
    for part in parts {
        let joins = |c: char| c.is_alphanumeric() || matches!(c, '/' | '*' | '\\');
        match open {
            None if !plain.ends_with(joins) && part.starts_with(char::is_alphanumeric) => {
                open = Some(plain.len());
                plain.push_str("**");
            }
            Some(start) if !plain.ends_with(char::is_whitespace) && !part.starts_with(joins) => {
                plain.replace_range(start..start + 2, "");
                (open, found) = (None, true);
            }
            _ => plain.push_str("**"),
        }
        plain.push_str(part);
    }
    found.then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_goes_and_the_words_stay() {
        let text = "# Title\n\nSome **bold** text\n```json\n  {\"a\": 1}\n```\n\n\n---\n- item #3";
        assert_eq!(plain(text).as_deref(), Some("Title\n\nSome bold text\n  {\"a\": 1}\n\n- item #3"));
        assert_eq!(plain("**All of it.** And **this**: x").as_deref(), Some("All of it. And this: x"));
    }

    #[test]
    fn what_only_looks_like_a_mark_stays() {
        for text in [
            "plain\ntext",
            "one line\n",
            "src/**/*.ts and **/x",
            "2**10 is 1024",
            "#include <a>\n#general",
            "a ** b ** c",
            "f(**options, **more)",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
    }
}
