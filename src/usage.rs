//! How often each tool is called per turn, from a file that somebody counted: CSV or JSON lines.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail, ensure};

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

/// More calls a turn than this are a slip of the pen.
const MOST_CALLS: f64 = 1e6;

/// Reads lines of `tool,calls` (the first may be just that, the names of the columns) or of `{"tool":…,"calls":…}`.
///
/// # Errors
/// The number of the line that is neither, that has no number of calls, or whose tool was told before; a file without
/// such a line.
pub fn parse(text: &str) -> anyhow::Result<Usage> {
    let mut usage = Usage::new();
    for (place, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || place == 0 && is_title(line) {
            continue;
        }
        let read = if line.starts_with('{') { from_json(line) } else { from_csv(line) };
        let (tool, calls) = read.with_context(|| format!("line {} of the usage file", place + 1))?;
        if !(0.0..=MOST_CALLS).contains(&calls) {
            bail!("line {} of the usage file: calls per turn are a number from 0 to {MOST_CALLS}", place + 1);
        }
        if usage.insert(tool, calls).is_some() {
            bail!("line {} of the usage file: its tool has a line already", place + 1);
        }
    }
    ensure!(!usage.is_empty(), "the usage file tells of no tool; write lines such as search_notes,0.5");
    Ok(usage)
}

/// The names of the two columns. Any other words may be a tool whose number is no number.
fn is_title(line: &str) -> bool {
    let cells: Vec<String> = line.split(',').map(|cell| cell.trim().trim_matches('"').to_lowercase()).collect();
    matches!(cells.as_slice(), [name, calls] if ["tool", "name", "tool name", "tool_name"].contains(&name.as_str())
        && calls.starts_with("call"))
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
    ensure!(bare.is_some() || !tool.contains(','), "write tool,calls, and a name that holds a comma in quotes");
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

    #[test]
    fn a_first_line_is_a_title_only_in_words() {
        for text in [
            "a,O.5",
            "a;0",
            "a\t0",
            "a,1_000",
            "b",
            "tool,calls,day\na,0",
            "[{\"tool\":\"a\",\"calls\":0}]",
            "a,1e7",
            "add_note,oops\nb,1",
            "add_note,\nb,1",
            "add,NaN",
        ] {
            assert!(format!("{:#}", parse(text).unwrap_err()).contains("line 1"), "{text}");
        }
        for title in ["Tool, Calls per turn", "\"name\",\"calls\"", "tool_name,calls_per_turn"] {
            assert_eq!(parse(&format!("{title}\na,1")).unwrap().len(), 1, "{title}");
        }
        for text in ["", "\n", "tool,calls\n"] {
            assert!(format!("{:#}", parse(text).unwrap_err()).contains("no tool"), "{text}");
        }
    }
}
