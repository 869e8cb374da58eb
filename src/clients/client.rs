//! The clients that are known, by the word that documents carry.

use crate::codes::vocabulary;

vocabulary! {
    /// An MCP client.
    Client {
        /// Claude Desktop.
        ClaudeDesktop = "claude-desktop",
        /// Claude Code.
        ClaudeCode = "claude-code",
        /// Cursor.
        Cursor = "cursor",
        /// Visual Studio Code.
        VsCode = "vscode",
        /// Windsurf.
        Windsurf = "windsurf",
        /// Zed.
        Zed = "zed",
        /// Codex.
        Codex = "codex",
        /// Gemini CLI.
        Gemini = "gemini",
        /// opencode.
        Opencode = "opencode",
    }
}

impl Client {
    /// The name that people know.
    pub fn title(self) -> &'static str {
        match self {
            Client::ClaudeDesktop => "Claude Desktop",
            Client::ClaudeCode => "Claude Code",
            Client::Cursor => "Cursor",
            Client::VsCode => "VS Code",
            Client::Windsurf => "Windsurf",
            Client::Zed => "Zed",
            Client::Codex => "Codex",
            Client::Gemini => "Gemini CLI",
            Client::Opencode => "opencode",
        }
    }

    /// How the client calls a tool towards the model, where that is known to count against a limit of length.
    pub(super) fn model_name(self, server: &str, tool: &str) -> String {
        match self {
            // What Cursor counts is "Combined server and tool name length": ComposioHQ/composio#2788.
            Client::Cursor => format!("{server}{tool}"),
            // openai/codex, codex-rs/core/src/mcp_connection_manager.rs: MCP_TOOL_NAME_DELIMITER
            Client::Codex => format!("mcp__{server}__{tool}"),
            // google-gemini/gemini-cli, docs/tools/mcp-server.md: `mcp_{server}_{tool}`
            Client::Gemini => format!("mcp_{server}_{tool}"),
            _ => tool.to_owned(),
        }
    }
}

impl clap::ValueEnum for Client {
    fn value_variants<'a>() -> &'a [Self] {
        Client::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.as_str()))
    }
}
