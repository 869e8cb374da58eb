//! What each client cuts, drops or refuses, and which of that a set of servers passes. Every number has its source; a
//! limit that no source tells is not here.

use std::collections::BTreeMap;

use super::Client;
use crate::codes::vocabulary;

/// A chat request "can have a maximum of 128 tools enabled at a time": code.visualstudio.com/docs/agents/run/tools
const VSCODE_TOOLS: u64 = 128;
/// "Cascade has a limit of 100 total tools": docs.windsurf.com/windsurf/cascade/mcp
const WINDSURF_TOOLS: u64 = 100;
/// Longer names give errors of status 400: microsoft/vscode#243602
const VSCODE_NAME: u64 = 64;
/// "Combined server and tool name length (60) exceeds 60 characters", of 1 and 59 characters:
/// ComposioHQ/composio#2788; longer ones are filtered out
const CURSOR_NAME: u64 = 59;
/// Beyond it the middle is replaced: google-gemini/gemini-cli, packages/core/src/tools/mcp-tool.ts, generateValidName
const GEMINI_NAME: u64 = 63;
/// Beyond it the end is replaced by a digest: openai/codex, codex-rs/core/src/mcp_connection_manager.rs,
/// MAX_TOOL_NAME_LENGTH
const CODEX_NAME: u64 = 64;
/// Beyond it the end is cut: zed-industries/zed, crates/agent/src/thread.rs, MAX_TOOL_NAME_LENGTH
const ZED_NAME: u64 = 64;
/// "Claude Code truncates tool descriptions and server instructions at 2KB each": code.claude.com/docs/en/mcp
const CLAUDE_CODE_TEXT: u64 = 2048;

vocabulary! {
    /// A limit of a client.
    LimitCode {
        /// More tools than it takes.
        TooManyTools = "too_many_tools",
        /// A tool's name is longer than it takes.
        LongName = "long_name",
        /// A tool's description is cut.
        LongDescription = "long_description",
        /// A server's instructions are cut.
        LongInstructions = "long_instructions",
        /// Two servers have a tool of the same name.
        SameName = "same_name",
    }
}

/// One limit that is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Which one.
    pub code: LimitCode,
    /// The most that the client takes, in tools, characters or bytes; `None` for names that are the same.
    pub limit: Option<u64>,
    /// What was seen.
    pub measured: u64,
    /// The servers that it is about; empty for all of the client. May be hostile text.
    pub servers: Vec<String>,
    /// The tool that it is about. Hostile text.
    pub tool: Option<String>,
}

/// What one server listed, as far as limits go.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Its name in the config.
    pub server: String,
    /// Name and description of every tool.
    pub tools: Vec<(String, String)>,
    /// Bytes of its instructions; `None` where unknown.
    pub instructions: Option<u64>,
}

/// The limits of a client that its servers pass together.
pub fn passed(client: Client, servers: &[Seen]) -> Vec<Passed> {
    let mut all = Vec::new();
    let tools: u64 = servers.iter().map(|server| server.tools.len() as u64).sum();
    let most_tools = match client {
        Client::VsCode => Some(VSCODE_TOOLS),
        Client::Windsurf => Some(WINDSURF_TOOLS),
        _ => None,
    };
    if let Some(limit) = most_tools.filter(|limit| tools > *limit) {
        let code = LimitCode::TooManyTools;
        all.push(Passed { code, limit: Some(limit), measured: tools, servers: Vec::new(), tool: None });
    }
    for server in servers {
        all.extend(long_texts(client, server));
    }
    all.extend(same_names(servers));
    all
}

fn long_texts(client: Client, server: &Seen) -> Vec<Passed> {
    let longest_name = match client {
        Client::VsCode => Some(VSCODE_NAME),
        Client::Cursor => Some(CURSOR_NAME),
        Client::Gemini => Some(GEMINI_NAME),
        Client::Codex => Some(CODEX_NAME),
        Client::Zed => Some(ZED_NAME),
        _ => None,
    };
    let longest_text = (client == Client::ClaudeCode).then_some(CLAUDE_CODE_TEXT);
    let beyond = |code, limit: Option<u64>, measured: u64, tool: Option<&String>| {
        limit.filter(|limit| measured > *limit).map(|limit| Passed {
            code,
            limit: Some(limit),
            measured,
            servers: vec![server.server.clone()],
            tool: tool.cloned(),
        })
    };
    let mut all = Vec::new();
    for (name, description) in &server.tools {
        let characters = client.model_name(&server.server, name).chars().count() as u64;
        all.extend(beyond(LimitCode::LongName, longest_name, characters, Some(name)));
        all.extend(beyond(LimitCode::LongDescription, longest_text, description.len() as u64, Some(name)));
    }
    all.extend(beyond(LimitCode::LongInstructions, longest_text, server.instructions.unwrap_or(0), None));
    all
}

fn same_names(servers: &[Seen]) -> Vec<Passed> {
    let mut owners: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for server in servers {
        for (name, _) in &server.tools {
            let owners = owners.entry(name).or_default();
            if !owners.contains(&server.server) {
                owners.push(server.server.clone());
            }
        }
    }
    let shared = owners.into_iter().filter(|(_, owners)| owners.len() > 1);
    shared
        .map(|(name, servers)| Passed {
            code: LimitCode::SameName,
            limit: None,
            measured: servers.len() as u64,
            servers,
            tool: Some(name.to_owned()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(server: &str, tools: &[(&str, usize)]) -> Seen {
        let tools = tools.iter().map(|(name, length)| ((*name).to_owned(), "d".repeat(*length))).collect();
        Seen { server: server.to_owned(), tools, instructions: None }
    }

    fn codes(client: Client, servers: &[Seen]) -> Vec<(LimitCode, u64)> {
        passed(client, servers).into_iter().map(|passed| (passed.code, passed.measured)).collect()
    }

    #[test]
    fn the_number_of_tools_is_summed_over_the_servers_of_a_client() {
        let many = |count: usize| -> Seen {
            let names: Vec<String> = (0..count).map(|n| format!("{count}_{n}")).collect();
            seen("s", &names.iter().map(|name| (name.as_str(), 0)).collect::<Vec<_>>())
        };
        assert_eq!(codes(Client::Windsurf, &[many(60), many(40)]), []);
        assert_eq!(codes(Client::Windsurf, &[many(60), many(41)]), [(LimitCode::TooManyTools, 101)]);
        assert_eq!(codes(Client::VsCode, &[many(128), many(1)]), [(LimitCode::TooManyTools, 129)]);
        assert_eq!(codes(Client::ClaudeDesktop, &[many(500)]), []);
    }

    #[test]
    fn a_name_is_as_long_as_the_client_makes_it() {
        let fits = seen("g", &[(&"t".repeat(58), 0)]);
        let long = seen("g", &[(&"t".repeat(59), 0)]);
        assert_eq!(codes(Client::Cursor, std::slice::from_ref(&fits)), []);
        assert_eq!(codes(Client::Cursor, std::slice::from_ref(&long)), [(LimitCode::LongName, 60)]);
        assert_eq!(codes(Client::Codex, &[long]), [(LimitCode::LongName, 67)]);
        assert_eq!(codes(Client::Zed, &[fits]), []);
    }

    #[test]
    fn claude_code_cuts_descriptions_and_instructions_at_two_kilobytes() {
        let server = Seen { instructions: Some(2049), ..seen("s", &[("a", 2048), ("b", 2049)]) };
        assert_eq!(
            codes(Client::ClaudeCode, &[server]),
            [(LimitCode::LongDescription, 2049), (LimitCode::LongInstructions, 2049)]
        );
    }

    #[test]
    fn a_name_on_two_servers_is_told_once_with_both() {
        let all = passed(Client::Cursor, &[seen("a", &[("x", 0), ("x", 0)]), seen("b", &[("x", 0), ("y", 0)])]);
        assert_eq!(all.len(), 1);
        assert_eq!(
            (all[0].tool.as_deref(), all[0].servers.as_slice()),
            (Some("x"), ["a".into(), "b".into()].as_slice())
        );
    }
}
