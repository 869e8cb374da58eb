//! The configs that MCP clients keep: which servers they launch, and how. They are data: nothing here launches, and a
//! config runs only where the user says so.
//!
//! A file is read by its shape ([`Config::read`]), whatever client wrote it; a server of it becomes a target
//! ([`ConfigServer::target`]) like one of budgets.toml. Every value in `env` and `headers` is a secret.

mod client;
mod filter;
mod find;
mod limits;
mod loading;
mod shape;
mod switch;
mod target;
#[cfg(test)]
mod tests;
mod tree;
mod variables;

use std::path::{Path, PathBuf};

use crate::budgets::{Place, WrittenSource};
use crate::visible::visible;
use shape::Shape;

pub use client::Client;
pub use filter::Filter;
pub use find::{Found, Surroundings, find};
pub use limits::{LimitCode, Passed, Seen, passed};
pub use loading::{Loading, LoadingCode, loading};

/// A config that was read.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file.
    pub path: PathBuf,
    /// The folder that the client works in: relative paths and `${workspaceFolder}` mean it.
    pub workspace: PathBuf,
    /// Its servers, in the order of the file; those of all projects.
    pub servers: Vec<ConfigServer>,
}

/// One server of a config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigServer {
    /// Its name in the file. May be hostile text.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// The folder of the project that alone has it; `None` where it is everybody's.
    pub project: Option<String>,
    /// Whether the client launches it.
    pub enabled: bool,
    /// Whether its definitions are sent even where the client defers.
    pub always_loaded: bool,
    /// How the client chooses among its tools; `None` where it sends all of them.
    pub filter: Option<Filter>,
    /// Where its definitions come from, variables unexpanded and spelled as in budgets.toml; or why nobody but the
    /// client can tell.
    pub source: Result<WrittenSource, Unusable>,
    /// The ids of the inputs that it asks the user for.
    pub inputs: Vec<String>,
}

/// Why a server cannot be launched from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// Where the fault stands.
    pub place: Place,
    /// What is wrong, without a value of the file.
    pub message: String,
}

/// Why a config, or a server of it, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// Where the fault stands; `None` when it is the whole file's.
    pub place: Option<Place>,
    /// What is wrong, without a value of the file that may be a secret.
    pub message: String,
}

impl ConfigError {
    fn of_file(path: &Path, message: String) -> Self {
        ConfigError { path: path.to_owned(), place: None, message }
    }
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:", self.path.display())?;
        if let Some(Place { line, column }) = self.place {
            write!(out, "{line}:{column}:")?;
        }
        write!(out, " {}", self.message)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads a config of any shape. A file without servers is no fault: most clients keep other settings in it too.
    ///
    /// Without a `workspace` it is the folder of the file, or the one above where the file lies in a client's own folder.
    ///
    /// # Errors
    /// A file that cannot be read, that is neither JSON nor TOML, or whose servers are no object.
    pub fn read(path: &Path, workspace: Option<&Path>, home: Option<&Path>) -> Result<Self, ConfigError> {
        let bytes = std::fs::read(path)
            .map_err(|error| ConfigError::of_file(path, format!("the file cannot be read: {error}")))?;
        let root = tree::parse(path, bytes)?;
        let workspace = workspace.map_or_else(|| workspace_of(path), Path::to_owned);
        let folders = variables::Folders { workspace: &workspace, home };
        let mut servers = Vec::new();
        let fault = |node: &tree::Node, key: &str| ConfigError {
            place: Some(node.place),
            ..ConfigError::of_file(path, format!("`{key}` is {}, and should be an object of servers", node.kind()))
        };
        if root.members().is_none() {
            return Err(ConfigError::of_file(path, format!("the file holds {}, and no object", root.kind())));
        }
        if let Some((shape, member)) = held(path, &root)? {
            if member.node.members().is_none() {
                return Err(fault(&member.node, &member.name));
            }
            servers.extend(shape.servers(&member.node, None, folders));
            if shape == Shape::Gemini {
                servers.iter_mut().for_each(|server| server.enabled &= switch::is_on_the_lists(&root, &server.name));
            }
        }
        // ~/.claude.json keeps the servers of each project apart. code.claude.com/docs/en/mcp, "Local scope"
        for project in root.get("projects").and_then(|projects| projects.node.members()).unwrap_or_default() {
            if let Some(member) = project.node.get("mcpServers") {
                let workspace = Path::new(&project.name);
                let folders = variables::Folders { workspace, home };
                servers.extend(Shape::McpServers.servers(&member.node, Some(&project.name), folders));
            }
        }
        Ok(Config { path: path.to_owned(), workspace, servers })
    }

    /// The servers that count in a folder: everybody's, and those of the folder's own project, which win.
    pub fn servers_in(&self, folder: &Path) -> Vec<&ConfigServer> {
        let own = |server: &&ConfigServer| server.project.as_deref().is_some_and(|project| same(project, folder));
        let owned: Vec<&ConfigServer> = self.servers.iter().filter(own).collect();
        let shared = self.servers.iter().filter(|server| server.project.is_none());
        let shared = shared.filter(|server| owned.iter().all(|own| own.name != server.name));
        owned.iter().copied().chain(shared).collect()
    }

    /// The servers that count in no folder but those of other projects, by project.
    pub fn other_projects(&self, folder: &Path) -> Vec<(&str, usize)> {
        let mut others: Vec<(&str, usize)> = Vec::new();
        for project in self.servers.iter().filter_map(|server| server.project.as_deref()) {
            match others.iter_mut().find(|(known, _)| *known == project) {
                _ if same(project, folder) => {}
                Some((_, count)) => *count += 1,
                None => others.push((project, 1)),
            }
        }
        others
    }

    /// What is wrong with one server, in its file.
    pub fn fault(&self, server: &ConfigServer, place: Place, message: &str) -> ConfigError {
        let message = format!("server `{}`: {message}", visible(&server.name));
        ConfigError { place: Some(place), ..ConfigError::of_file(&self.path, message) }
    }
}

/// Where the servers of everybody stand: under the key of the client whose file this is, else under the only key that
/// some client has. Of two such keys nobody can tell which one counts.
fn held<'a>(path: &Path, root: &'a tree::Node) -> Result<Option<(Shape, &'a tree::Member)>, ConfigError> {
    if let Some(shape) = Shape::of_file(path) {
        return Ok(root.get(shape.key()).map(|member| (shape, member)));
    }
    let is_empty = |member: &tree::Member| member.node.members().is_some_and(<[tree::Member]>::is_empty);
    let held: Vec<(Shape, &tree::Member)> =
        Shape::KNOWN_BY_KEY.into_iter().filter_map(|shape| Some((shape, root.get(shape.key())?))).collect();
    let filled: Vec<_> = held.iter().filter(|(_, member)| !is_empty(member)).collect();
    match filled.as_slice() {
        [_, (_, second), ..] => Err(ConfigError {
            place: Some(second.place),
            ..ConfigError::of_file(
                path,
                format!(
                    "the file holds servers under `{}` and under `{}`, and its name does not say which of them a client \
                     reads; keep one of them",
                    filled[0].1.name, second.name
                ),
            )
        }),
        [one] => Ok(Some(**one)),
        [] => Ok(held.first().copied()),
    }
}

fn same(one: &str, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(Path::new(one)) == real(other)
}

/// The folder that relative paths of a config are relative to: the one that holds the file, or the one above where the
/// file lies in a client's own folder, such as `.vscode`.
fn workspace_of(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    // A project may lie in a hidden folder too: .mcp.json is at its root, and so is .git.
    let is_project = is_hidden(&path) || folder.join(".git").exists();
    match folder.parent() {
        Some(above) if is_hidden(folder) && !is_project => above.to_owned(),
        _ => folder.to_owned(),
    }
}
