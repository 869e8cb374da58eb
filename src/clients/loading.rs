//! Whether a client sends every definition on every turn or loads them when they are asked for, where that is
//! documented: without it a total would be read wrongly.

use std::path::Path;

use super::Client;
use super::tree::{self, Node};
use crate::budgets::Lookup;
use crate::codes::vocabulary;

vocabulary! {
    /// When definitions reach the model.
    LoadingCode {
        /// On every turn.
        Upfront = "upfront",
        /// When the model asks for them.
        Deferred = "deferred",
        /// Which of the two, nobody documents.
        Undocumented = "undocumented",
    }
}

/// When a client's definitions reach the model, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loading {
    /// When.
    pub code: LoadingCode,
    /// A sentence on why.
    pub because: String,
}

/// How a client loads definitions of `floor` tokens in a context window of `window`.
///
/// Claude Code's settings under `home` and `project` are read for `ENABLE_TOOL_SEARCH`; one that cannot be read says
/// nothing.
pub fn loading(
    client: Client,
    floor: u64,
    tools: u64,
    window: u64,
    folders: (&Path, &Path),
    lookup: Lookup<'_>,
) -> Loading {
    let (code, because) = match client {
        Client::ClaudeCode => {
            let setting = claude_setting("ENABLE_TOOL_SEARCH", folders, lookup);
            let elsewhere = is_elsewhere(&|name: &str| claude_setting(name, folders, lookup));
            return claude_code(setting.as_deref(), elsewhere, floor, window);
        }
        // openai/codex#29486: "Use tool search for MCP tools by default"
        Client::Codex => (
            LoadingCode::Deferred,
            "Codex defers MCP tools wherever the model and its provider know tool search, and sends them all elsewhere",
        ),
        // cursor.com/blog/dynamic-context-discovery, "Efficiently loading only the MCP tools needed"
        Client::Cursor => (
            LoadingCode::Deferred,
            "Cursor sends the names of MCP tools, and the agent looks definitions up when it needs them",
        ),
        // code.visualstudio.com/docs/agents/run/tools: virtual tools, github.copilot.chat.virtualTools.threshold
        Client::VsCode if tools > VSCODE_THRESHOLD => (
            LoadingCode::Deferred,
            "VS Code groups tools beyond 128 and opens a group when it is needed, unless virtualTools.threshold is 0",
        ),
        Client::VsCode => (LoadingCode::Upfront, "VS Code sends all tools up to 128 (virtualTools.threshold)"),
        _ => (LoadingCode::Undocumented, "no documentation says that it defers; read the total as sent on every turn"),
    };
    Loading { code, because: because.to_owned() }
}

/// The default of github.copilot.chat.virtualTools.threshold.
const VSCODE_THRESHOLD: u64 = 128;

/// code.claude.com/docs/en/mcp, "Configure tool search": the table of the values of `ENABLE_TOOL_SEARCH`.
fn claude_code(setting: Option<&str>, elsewhere: bool, floor: u64, window: u64) -> Loading {
    const DEFAULT_PERCENT: u64 = 10;
    let percent = match setting {
        Some("auto") => Some(DEFAULT_PERCENT),
        Some(other) => other.strip_prefix("auto:").and_then(|percent| percent.parse().ok()),
        None => None,
    };
    let (code, because) = match (setting, percent) {
        (Some(setting), Some(percent)) => {
            let fits = u128::from(floor) * 100 <= u128::from(window) * u128::from(percent);
            let (code, how) = match fits {
                true => (LoadingCode::Upfront, "sends them, because they fit into"),
                false => (LoadingCode::Deferred, "defers them, because they do not fit into"),
            };
            (code, format!("Claude Code {how} {percent}% of the context window (ENABLE_TOOL_SEARCH={setting})"))
        }
        (Some("false" | "0"), _) => {
            (LoadingCode::Upfront, "Claude Code sends them all (ENABLE_TOOL_SEARCH=false)".to_owned())
        }
        (None, _) if elsewhere => {
            let because = "Claude Code sends them all on Vertex AI and to hosts that are not Anthropic's, unless \
                           ENABLE_TOOL_SEARCH is set";
            (LoadingCode::Upfront, because.to_owned())
        }
        _ => {
            let because = "Claude Code defers MCP tools: it sends their names, and definitions when they are asked for; \
                           models of the Haiku family get them all (ENABLE_TOOL_SEARCH decides)";
            (LoadingCode::Deferred, because.to_owned())
        }
    };
    Loading { code, because }
}

fn is_elsewhere(setting: &dyn Fn(&str) -> Option<String>) -> bool {
    let vertex = setting("CLAUDE_CODE_USE_VERTEX").is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
    let host = setting("ANTHROPIC_BASE_URL").filter(|url| !url.is_empty()).is_some_and(|url| {
        let host = url.split("://").last().unwrap_or_default().split(['/', ':', '?']).next().unwrap_or_default();
        host != "anthropic.com" && !host.ends_with(".anthropic.com")
    });
    vertex || host
}

/// A variable as Claude Code sees it: the `env` of its settings, the nearest first, then the environment.
/// code.claude.com/docs/en/settings
fn claude_setting(name: &str, (home, project): (&Path, &Path), lookup: Lookup<'_>) -> Option<String> {
    let own = |folder: &Path, file: &str| folder.join(".claude").join(file);
    let user = lookup("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty());
    let user = user.map_or_else(|| own(home, "settings.json"), |folder| Path::new(&folder).join("settings.json"));
    let files = [own(project, "settings.local.json"), own(project, "settings.json"), user];
    let read = |path: &std::path::PathBuf| -> Option<Node> { tree::parse(path, std::fs::read(path).ok()?).ok() };
    let set = |root: Node| Some(root.get("env")?.node.get(name)?.node.text()?.to_owned());
    files.iter().filter_map(read).find_map(set).or_else(|| lookup(name)).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enable_tool_search_decides_for_claude_code() {
        let code = |setting, elsewhere, floor| claude_code(setting, elsewhere, floor, 200_000).code;
        assert_eq!(code(None, false, 1), LoadingCode::Deferred);
        assert_eq!(code(None, true, 1), LoadingCode::Upfront);
        assert_eq!(code(Some("true"), true, 1), LoadingCode::Deferred);
        assert_eq!(code(Some("false"), false, 1), LoadingCode::Upfront);
        assert_eq!(code(Some("auto"), false, 20_000), LoadingCode::Upfront);
        assert_eq!(code(Some("auto"), false, 20_001), LoadingCode::Deferred);
        assert_eq!(code(Some("auto:5"), false, 10_001), LoadingCode::Deferred);
    }

    #[test]
    fn a_host_of_somebody_else_is_elsewhere() {
        let elsewhere = |url: &str| is_elsewhere(&|name| (name == "ANTHROPIC_BASE_URL").then(|| url.to_owned()));
        assert!(elsewhere("http://localhost:8787/x") && elsewhere("https://anthropic.com.example.org"));
        assert!(!elsewhere("https://api.anthropic.com") && !elsewhere(""));
    }

    #[test]
    fn the_nearest_setting_wins_over_the_environment() {
        let (home, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let lookup = |name: &str| (name == "ENABLE_TOOL_SEARCH").then(|| "true".to_owned());
        let seen = || loading(Client::ClaudeCode, 1, 1, 100, (home.path(), project.path()), &lookup).code;
        assert_eq!(seen(), LoadingCode::Deferred);
        std::fs::create_dir(home.path().join(".claude")).unwrap();
        std::fs::write(home.path().join(".claude/settings.json"), r#"{"env":{"ENABLE_TOOL_SEARCH":"false"}}"#).unwrap();
        assert_eq!(seen(), LoadingCode::Upfront);
    }
}
