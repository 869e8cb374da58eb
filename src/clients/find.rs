//! Where each client keeps its configs, by operating system. Only existing files are found, and none is opened.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::Client;
use crate::budgets::Lookup;
use crate::platform;

/// The folders that configs are looked for in.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The user's home.
    pub home: PathBuf,
    /// Where desktop applications keep their settings on this system.
    pub applications: PathBuf,
    /// Where command-line programs keep their settings, on every system: `$XDG_CONFIG_HOME` or `~/.config`.
    pub programs: PathBuf,
    /// The working directory.
    pub project: PathBuf,
}

impl Surroundings {
    /// Those of this process; `None` where the user has no home.
    pub fn of_process(project: &Path) -> Option<Self> {
        let xdg = etcetera::base_strategy::Xdg::new().ok()?;
        Some(Surroundings {
            home: xdg.home_dir().to_owned(),
            applications: platform::application_settings()?,
            programs: xdg.config_dir(),
            project: project.to_owned(),
        })
    }
}

/// The configs of one client, the nearest first: what it names wins over the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The client.
    pub client: Client,
    /// Its files that exist.
    pub files: Vec<PathBuf>,
}

/// Finds every client's configs.
pub fn find(folders: &Surroundings, lookup: Lookup<'_>) -> Vec<Found> {
    let found = Client::ALL.iter().map(|&client| Found {
        client,
        files: places(client, folders, lookup).into_iter().filter(|path| path.is_file()).collect(),
    });
    found.filter(|found| !found.files.is_empty()).collect()
}

/// Where a client looks, the nearest first.
fn places(client: Client, folders: &Surroundings, lookup: Lookup<'_>) -> Vec<PathBuf> {
    let Surroundings { home, applications, programs, project } = folders;
    let folder = |variable: &str, default: PathBuf| {
        lookup(variable).filter(|value| !value.is_empty()).map_or(default, PathBuf::from)
    };
    match client {
        // modelcontextprotocol.io/docs/develop/connect-local-servers; the program for Linux uses the XDG folder
        Client::ClaudeDesktop => vec![applications.join("Claude").join("claude_desktop_config.json")],
        // code.claude.com/docs/en/mcp, "MCP installation scopes", and /settings for CLAUDE_CONFIG_DIR
        Client::ClaudeCode => {
            vec![project.join(".mcp.json"), folder("CLAUDE_CONFIG_DIR", home.clone()).join(".claude.json")]
        }
        // cursor.com/docs/mcp, "Configuration locations"
        Client::Cursor => vec![project.join(".cursor").join("mcp.json"), home.join(".cursor").join("mcp.json")],
        // code.visualstudio.com/docs/agents/reference/mcp-configuration; the user's file lies in the default profile
        Client::VsCode => vec![
            project.join(".vscode").join("mcp.json"),
            applications.join("Code").join("User").join("mcp.json"),
            applications.join("Code - Insiders").join("User").join("mcp.json"),
        ],
        // docs.windsurf.com/windsurf/cascade/mcp
        Client::Windsurf => vec![home.join(".codeium").join("windsurf").join("mcp_config.json")],
        // zed.dev/docs/configuring-zed, "Settings files"
        Client::Zed => {
            let user = if cfg!(windows) { applications.join("Zed") } else { programs.join("zed") };
            vec![project.join(".zed").join("settings.json"), user.join("settings.json")]
        }
        // developers.openai.com/codex/config-basic
        Client::Codex => vec![
            project.join(".codex").join("config.toml"),
            folder("CODEX_HOME", home.join(".codex")).join("config.toml"),
        ],
        // google-gemini/gemini-cli, docs/reference/configuration.md
        Client::Gemini => {
            vec![project.join(".gemini").join("settings.json"), home.join(".gemini").join("settings.json")]
        }
        // opencode.ai/docs/config, "Locations"
        Client::Opencode => {
            let own = [project.clone(), project.join(".opencode"), programs.join("opencode")];
            own.iter().flat_map(|folder| ["opencode.jsonc", "opencode.json"].map(|name| folder.join(name))).collect()
        }
    }
}
