//! How often each tool is called per turn, from a file that somebody counted: CSV or JSON lines.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};

/// Calls per turn by tool.
pub type Usage = BTreeMap<String, f64>;

/// Reads the file at `path`.
///
/// # Errors
/// A file that cannot be read, or those of [`parse`].
pub(crate) fn read(path: &Path) -> anyhow::Result<Usage> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

/// Reads lines of `tool,calls` (a first line without a number is the title) or of `{"tool":…,"calls":…}`.
///
/// # Errors
/// The number of the line that is neither, that has no number of calls, or whose tool was told before.
pub fn parse(text: &str) -> anyhow::Result<Usage> {
    let mut usage = Usage::new();
    for (place, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let read = if line.starts_with('{') { from_json(line) } else { from_csv(line) };
        match read {
            Ok((tool, calls)) if calls.is_finite() && calls >= 0.0 => {
                if usage.insert(tool, calls).is_some() {
                    bail!("line {} of the usage file: its tool has a line already", place + 1);
                }
            }
            Err(_) if place == 0 && !line.starts_with('{') => {}
            Ok(_) => bail!("line {} of the usage file: calls per turn are a number from 0 on", place + 1),
            Err(error) => return Err(error).with_context(|| format!("line {} of the usage file", place + 1)),
        }
    }
    Ok(usage)
}

fn from_json(line: &str) -> anyhow::Result<(String, f64)> {
    #[derive(serde::Deserialize)]
    struct Line {
        tool: String,
        #[serde(alias = "calls_per_turn", alias = "calls per turn")]
        calls: f64,
    }
    let Line { tool, calls } = serde_json::from_str(line).context("write {\"tool\":\"name\",\"calls\":0.5}")?;
    Ok((tool, calls))
}

fn from_csv(line: &str) -> anyhow::Result<(String, f64)> {
    let (tool, calls) = line.rsplit_once(',').context("write tool,calls")?;
    let calls = calls.trim().parse().context("write tool,calls with a number of calls per turn")?;
    let tool = tool.trim();
    let bare = tool.strip_prefix('"').and_then(|tool| tool.strip_suffix('"'));
    Ok((bare.map_or_else(|| tool.to_owned(), |tool| tool.replace("\"\"", "\"")), calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_a_title_is_passed_over() {
        let expected = Usage::from([("add".to_owned(), 0.0), ("a,b".to_owned(), 2.5)]);
        assert_eq!(parse("tool,calls\nadd,0\n\"a,b\", 2.5\n").unwrap(), expected);
        assert_eq!(parse("\u{feff}add,0\r\n\"a,b\",2.5").unwrap(), expected);
        assert_eq!(parse("{\"tool\":\"add\",\"calls\":0}\n{\"tool\":\"a,b\",\"calls\":2.5}").unwrap(), expected);
    }

    #[test]
    fn a_line_that_says_no_number_is_named() {
        for text in ["a,1\nb,often", "a,1\nb", "a,1\nb,-1", "a,1\n{\"tool\":\"b\"}", "a,1\n\"a\",2"] {
            assert!(format!("{:#}", parse(text).unwrap_err()).contains("line 2"), "{text}");
        }
    }
}
