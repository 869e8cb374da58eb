//! The variables of client configs, each client's spelling, in the one spelling of budgets.toml.
//!
//! | written | by | becomes |
//! |---|---|---|
//! | `${NAME}`, `${NAME:-default}` | Claude Code: code.claude.com/docs/en/mcp | the same |
//! | `${env:NAME}` | VS Code, Cursor, Windsurf: code.visualstudio.com/docs/reference/variables-reference, cursor.com/docs/mcp, docs.windsurf.com/windsurf/cascade/mcp | `${NAME}` |
//! | `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}`, `${/}` | VS Code, Cursor | the text itself |
//! | `${input:id}` | VS Code: code.visualstudio.com/docs/agents/reference/mcp-configuration | `${INPUT_ID}`, given by `--input id=value` |
//! | `{env:NAME}` | opencode: opencode.ai/docs/config | `${NAME}` |
//! | `$NAME` | Gemini CLI: google-gemini/gemini-cli, docs/tools/mcp-server.md | `${NAME}` |

use std::path::Path;

/// What stands for the variables that are no variables of the environment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folders<'a> {
    pub(super) workspace: &'a Path,
    pub(super) home: Option<&'a Path>,
}

/// Which spellings beside `${…}` are variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// `${…}` alone.
    Braces,
    /// `{env:NAME}` too.
    EnvInBraces,
    /// `$NAME` too.
    BareDollar,
}

/// The name of the variable that stands for an input.
pub(super) fn input_variable(id: &str) -> String {
    let upper = id.to_uppercase();
    let name: String = upper.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("INPUT_{name}")
}

/// `text` with its variables in the spelling of budgets.toml, and the ids of the inputs that it names.
///
/// # Errors
/// What stands in `${…}` and is no variable that can be known here.
pub(super) fn canonical(
    text: &str,
    spelling: Spelling,
    folders: Folders<'_>,
    inputs: &mut Vec<String>,
) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let braces = rest.strip_prefix("${").and_then(|rest| rest.split_once('}'));
        let opencode = rest.strip_prefix("{env:").filter(|_| spelling == Spelling::EnvInBraces);
        let bare = rest.strip_prefix('$').filter(|_| spelling == Spelling::BareDollar).map(leading_name);
        if let Some((inside, after)) = braces {
            out.push_str(&variable(inside, folders, inputs)?);
            rest = after;
        } else if let Some((name, after)) = opencode.and_then(|rest| rest.split_once('}')) {
            out.push_str(&format!("${{{}}}", known_name(name)?));
            rest = after;
        } else if let Some((name, after)) = bare.filter(|(name, _)| !name.is_empty()) {
            out.push_str(&format!("${{{name}}}"));
            rest = after;
        } else {
            out.push_str(if c == '$' { "$$" } else { &rest[..c.len_utf8()] });
            rest = &rest[c.len_utf8()..];
        }
    }
    Ok(out)
}

fn variable(inside: &str, folders: Folders<'_>, inputs: &mut Vec<String>) -> Result<String, String> {
    let literal = |text: &str| text.replace('$', "$$");
    let path = |path: &Path| literal(&path.to_string_lossy());
    match inside {
        "workspaceFolder" => Ok(path(folders.workspace)),
        "workspaceFolderBasename" => Ok(folders.workspace.file_name().map(Path::new).map(path).unwrap_or_default()),
        "userHome" => folders.home.map(path).ok_or_else(|| "the home directory is not known".to_owned()),
        "pathSeparator" | "/" => Ok(std::path::MAIN_SEPARATOR.to_string()),
        _ => {
            if let Some(id) = inside.strip_prefix("input:") {
                inputs.push(id.to_owned());
                return Ok(format!("${{{}}}", input_variable(id)));
            }
            let (name, default) = match inside.split_once(":-") {
                Some((name, default)) => (name, format!(":-{default}")),
                None => (inside, String::new()),
            };
            Ok(format!("${{{}{default}}}", known_name(name.strip_prefix("env:").unwrap_or(name))?))
        }
    }
}

fn known_name(name: &str) -> Result<&str, String> {
    match leading_name(name) {
        (known, "") if !known.is_empty() => Ok(name),
        // The text itself may be a secret that was written into the wrong place.
        _ => Err("what stands in `${…}` is no variable that can be known here".to_owned()),
    }
}

/// The name of a variable at the start of the text, and what follows.
fn leading_name(text: &str) -> (&str, &str) {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    if starts { text.split_at(end) } else { ("", text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical_as(text: &str, spelling: Spelling) -> Result<String, String> {
        let folders = Folders { workspace: Path::new("/w/space"), home: Some(Path::new("/home/ada")) };
        canonical(text, spelling, folders, &mut Vec::new())
    }

    #[test]
    fn every_spelling_of_a_variable_becomes_the_one_of_the_budgets_file() {
        for (text, spelling, expected) in [
            ("${A}/${B:-x y}", Spelling::Braces, "${A}/${B:-x y}"),
            ("Bearer ${env:A_1}", Spelling::Braces, "Bearer ${A_1}"),
            (
                "${workspaceFolder}/x ${userHome} ${workspaceFolderBasename}",
                Spelling::Braces,
                "/w/space/x /home/ada space",
            ),
            ("${input:api-key}", Spelling::Braces, "${INPUT_API_KEY}"),
            ("{env:A}-$A-{env:", Spelling::EnvInBraces, "${A}-$$A-{env:"),
            ("$A/${A}/$5", Spelling::BareDollar, "${A}/${A}/$$5"),
            ("cost: $5 {env:A} ${never closed", Spelling::Braces, "cost: $$5 {env:A} $${never closed"),
        ] {
            assert_eq!(canonical_as(text, spelling).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_variable_is_refused_without_being_shown() {
        for text in ["${file:/etc/x}", "${env:1A}", "${}", "${command:secret.pick}"] {
            let error = canonical_as(text, Spelling::Braces).unwrap_err();
            assert!(!error.contains("secret") && !error.contains("etc"), "{error}");
        }
    }
}
