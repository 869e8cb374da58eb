//! One reader a shape: where a file keeps its servers, and how an entry spells its source. What a client does not
//! need to launch a server is passed over: the files are its own, and hold far more than servers.

use std::ffi::OsStr;
use std::path::Path;

use super::filter::Filter;
use super::switch::{DISABLED, ENABLED, Switch, says};
use super::tree::{Member, Node, Value};
use super::variables::{self, Folders, Spelling};
use super::{ConfigServer, Unusable};
use crate::budgets::{WrittenSource, is_variable_name};
use crate::visible::visible;

/// The shapes in which clients write their servers down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `mcpServers`: Claude Desktop, Claude Code, Cursor, Windsurf and many more. modelcontextprotocol.io/docs/develop/connect-local-servers
    McpServers,
    /// `mcpServers` of Gemini CLI, whose `$NAME` is a variable. google-gemini/gemini-cli, docs/tools/mcp-server.md
    Gemini,
    /// `servers` and `inputs`. code.visualstudio.com/docs/agents/reference/mcp-configuration
    VsCode,
    /// `context_servers`. zed.dev/docs/ai/mcp
    Zed,
    /// `mcp_servers` of config.toml. developers.openai.com/codex/mcp
    Codex,
    /// `mcp`. opencode.ai/docs/mcp-servers
    Opencode,
}

impl Shape {
    /// The shapes that a file of any name may have, by their keys.
    pub(super) const KNOWN_BY_KEY: [Shape; 5] =
        [Shape::McpServers, Shape::VsCode, Shape::Zed, Shape::Codex, Shape::Opencode];

    /// The shape of the client that keeps its servers in a file of this name; `None` where the name says nothing.
    pub(super) fn of_file(path: &Path) -> Option<Self> {
        let text = |part: Option<&OsStr>| part.and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        let (folder, name) = (text(path.parent().and_then(Path::file_name)), text(path.file_name()));
        match (folder.as_str(), name.as_str()) {
            (".gemini", "settings.json") => Some(Shape::Gemini),
            (".vscode" | "user", "mcp.json") => Some(Shape::VsCode),
            (".zed" | "zed", "settings.json") => Some(Shape::Zed),
            (".codex", "config.toml") => Some(Shape::Codex),
            (_, "opencode.json" | "opencode.jsonc") => Some(Shape::Opencode),
            (".cursor", "mcp.json") => Some(Shape::McpServers),
            (_, ".mcp.json" | ".claude.json" | "claude_desktop_config.json" | "mcp_config.json") => {
                Some(Shape::McpServers)
            }
            _ => None,
        }
    }

    /// The key that holds the servers.
    pub(super) fn key(self) -> &'static str {
        match self {
            Shape::McpServers | Shape::Gemini => "mcpServers",
            Shape::VsCode => "servers",
            Shape::Zed => "context_servers",
            Shape::Codex => "mcp_servers",
            Shape::Opencode => "mcp",
        }
    }

    /// The key by which the client turns a server off, and the one that only others know.
    fn switches(self) -> (Switch, Switch) {
        match self {
            Shape::McpServers | Shape::Gemini | Shape::VsCode => (DISABLED, ENABLED),
            Shape::Zed | Shape::Codex | Shape::Opencode => (ENABLED, DISABLED),
        }
    }

    fn spelling(self) -> Spelling {
        match self {
            Shape::McpServers | Shape::VsCode => Spelling::Braces,
            Shape::Gemini => Spelling::BareDollar,
            Shape::Opencode => Spelling::EnvInBraces,
            // Neither documents variables; `${…}` of the other clients is understood all the same.
            Shape::Zed | Shape::Codex => Spelling::Braces,
        }
    }

    /// The servers under the shape's key.
    pub(super) fn servers(self, table: &Node, project: Option<&str>, folders: Folders<'_>) -> Vec<ConfigServer> {
        // Version 2 of opencode has one more level. opencode.ai/v2/docs/mcp-servers
        let inner = table.get("servers").filter(|member| {
            self == Shape::Opencode && member.node.get("type").is_none() && member.node.members().is_some()
        });
        let table = inner.map_or(table, |member| &member.node);
        let members = table.members().unwrap_or_default();
        // Of two entries of one name the last one counts, as it does for the clients.
        let is_last =
            |(place, member): &(usize, &Member)| members[place + 1..].iter().all(|later| later.name != member.name);
        let last = members.iter().enumerate().filter(is_last);
        last.map(|(_, member)| self.server(member, project, folders)).collect()
    }

    fn server(self, member: &Member, project: Option<&str>, folders: Folders<'_>) -> ConfigServer {
        let mut inputs = Vec::new();
        let mut entry = Entry { node: &member.node, spelling: self.spelling(), folders, inputs: &mut inputs };
        let (own, foreign) = self.switches();
        let source = entry.refuse_foreign(own, foreign).and_then(|()| entry.source(self));
        let (filter, source) = match Filter::of(self, &member.node) {
            Ok(filter) => (filter, source),
            Err(fault) => (None, source.and(Err(fault))),
        };
        ConfigServer {
            name: member.name.clone(),
            place: member.place,
            project: project.map(str::to_owned),
            enabled: !own.is_off(&member.node),
            // code.claude.com/docs/en/mcp, "Exempt a server from deferral"
            always_loaded: says(&member.node, "alwaysLoad", true),
            filter,
            source,
            inputs,
        }
    }
}

struct Entry<'a> {
    node: &'a Node,
    spelling: Spelling,
    folders: Folders<'a>,
    inputs: &'a mut Vec<String>,
}

type Read<T> = Result<T, Unusable>;

impl Entry<'_> {
    fn source(&mut self, shape: Shape) -> Read<WrittenSource> {
        if self.node.members().is_none() {
            return Err(self.wrong("the server", self.node, "an object"));
        }
        // Zed once wrote the whole command as one object.
        let nested = self.node.get("command").map(|member| &member.node).filter(|node| node.members().is_some());
        if let (Some(command), Shape::Zed) = (nested, shape) {
            let entry = Entry { node: command, spelling: self.spelling, folders: self.folders, inputs: self.inputs };
            return entry.command("path", "env");
        }
        // `serverUrl` is Windsurf's, `httpUrl` Gemini CLI's, where `url` is the older transport.
        let url = ["httpUrl", "serverUrl", "url"].into_iter().find_map(|key| self.node.get(key));
        match (self.is_launched()?, self.node.get("command"), url) {
            (None, Some(_), Some(url)) => Err(Unusable {
                place: url.place,
                message: format!("it has both `command` and `{}`, and no `type` says which of them counts", url.name),
            }),
            (Some(true) | None, Some(_), _) => {
                let env = if shape == Shape::Opencode { "environment" } else { "env" };
                Entry { node: self.node, spelling: self.spelling, folders: self.folders, inputs: self.inputs }
                    .command("command", env)
            }
            (Some(false) | None, _, Some(url)) => Ok(WrittenSource::Url {
                url: self.text(&url.name, &url.node)?,
                headers: if shape == Shape::Codex { self.codex_headers()? } else { self.pairs("headers")? },
            }),
            (None, None, None) => Err(Unusable {
                place: self.node.place,
                message: "it has neither `command` nor `url`; the client itself, or an extension of it, knows how to \
                          launch it"
                    .to_owned(),
            }),
            (Some(launched), _, _) => {
                let missing = if launched { "command" } else { "url" };
                Err(Unusable {
                    place: self.node.place,
                    message: format!("its `type` needs a `{missing}`, and it has none"),
                })
            }
        }
    }

    /// What `type` says, where it is given: launched, or asked at a URL. The same words in every client that has them.
    fn is_launched(&self) -> Read<Option<bool>> {
        let Some(member) = self.node.get("type") else { return Ok(None) };
        match member.node.text() {
            Some("stdio" | "local") => Ok(Some(true)),
            Some("http" | "sse" | "streamable-http" | "streamableHttp" | "streamable_http" | "remote") => {
                Ok(Some(false))
            }
            None if matches!(member.node.value, Value::Nothing) => Ok(None),
            None => Err(self.wrong("type", &member.node, "a string")),
            Some(_) => Err(Unusable {
                place: member.node.place,
                message:
                    "its `type` is none of stdio, local, http, sse, streamable-http and remote; the client itself \
                          knows how to launch it"
                        .to_owned(),
            }),
        }
    }

    /// Refuses a switch in other words than true and false, and one that turns the server off for other clients only.
    fn refuse_foreign(&self, own: Switch, foreign: Switch) -> Read<()> {
        for key in [own.key, foreign.key] {
            match self.node.get(key) {
                Some(Member { node, .. }) if !matches!(node.value, Value::Truth(_) | Value::Nothing) => {
                    return Err(self.wrong(key, node, "true or false"));
                }
                _ => {}
            }
        }
        match self.node.get(foreign.key) {
            Some(member) if foreign.is_off(self.node) => Err(Unusable {
                place: member.place,
                message: format!(
                    "`{}` turns it off for other clients, and this one knows `{}`; say which is meant",
                    foreign.key, own.key
                ),
            }),
            _ => Ok(()),
        }
    }

    fn command(mut self, key: &str, env: &str) -> Read<WrittenSource> {
        // opencode has program and arguments in one list.
        let mut words = match self.node.get(key) {
            Some(Member { node: Node { value: Value::List(_), .. }, .. }) => self.texts(key)?,
            Some(member) => vec![self.text(key, &member.node)?],
            None => Vec::new(),
        };
        words.extend(self.texts("args")?);
        if words.first().is_none_or(|program| program.trim().is_empty()) {
            return Err(Unusable { place: self.node.place, message: format!("its `{key}` names no program") });
        }
        if let Some(file) = self.node.get("envFile").filter(|file| !matches!(file.node.value, Value::Nothing)) {
            let message = "it takes variables from `envFile`, which only its client reads; name them in its `env`";
            return Err(Unusable { place: file.place, message: message.to_owned() });
        }
        let command = words.remove(0);
        let cwd = match self.node.get("cwd") {
            Some(cwd) if !matches!(cwd.node.value, Value::Nothing) => Some(self.text("cwd", &cwd.node)?),
            _ => None,
        };
        Ok(WrittenSource::Command { prepare: None, command, args: words, env: self.variables(env)?, cwd })
    }

    fn variables(&mut self, key: &str) -> Read<Vec<(String, String)>> {
        let pairs = self.pairs(key)?;
        match pairs.iter().find(|(name, _)| !is_variable_name(name)) {
            None => Ok(pairs),
            Some((name, _)) => {
                let message = format!("`{key}` holds `{}`, which is no name of a variable", visible(name));
                Err(Unusable { place: self.node.place, message })
            }
        }
    }

    /// `http_headers` as they are, `env_http_headers` and `bearer_token_env_var` by the names of variables.
    fn codex_headers(&mut self) -> Read<Vec<(String, String)>> {
        let mut headers = self.pairs("http_headers")?;
        let variable = |name: &str| format!("${{{name}}}");
        for (header, name) in self.pairs("env_http_headers")? {
            headers.push((header, variable(&name)));
        }
        if let Some(token) = self.node.get("bearer_token_env_var") {
            let name = self.text("bearer_token_env_var", &token.node)?;
            headers.push(("Authorization".to_owned(), format!("Bearer {}", variable(&name))));
        }
        Ok(headers)
    }

    fn pairs(&mut self, key: &str) -> Read<Vec<(String, String)>> {
        let Some(member) = self.node.get(key).filter(|member| !matches!(member.node.value, Value::Nothing)) else {
            return Ok(Vec::new());
        };
        let members = member.node.members().ok_or_else(|| self.wrong(key, &member.node, "an object of strings"))?;
        let mut pairs: Vec<(String, String)> = Vec::new();
        for member in members {
            // A value of null is a variable that is not set. code.visualstudio.com/docs/agents/reference/mcp-configuration
            // Of two members of one name the last one counts, as it does for the clients.
            pairs.retain(|(name, _)| *name != member.name);
            if !matches!(member.node.value, Value::Nothing) {
                pairs.push((member.name.clone(), self.text(&format!("{key}.{}", member.name), &member.node)?));
            }
        }
        Ok(pairs)
    }

    fn texts(&mut self, key: &str) -> Read<Vec<String>> {
        match self.node.get(key).map(|member| &member.node) {
            None | Some(Node { value: Value::Nothing, .. }) => Ok(Vec::new()),
            Some(Node { value: Value::List(items), .. }) => items.iter().map(|item| self.text(key, item)).collect(),
            Some(other) => Err(self.wrong(key, other, "a list of strings")),
        }
    }

    fn text(&mut self, key: &str, node: &Node) -> Read<String> {
        let text = node.text().ok_or_else(|| self.wrong(key, node, "a string"))?;
        variables::canonical(text, self.spelling, self.folders, self.inputs)
            .map_err(|fault| Unusable { place: node.place, message: format!("`{key}`: {fault}") })
    }

    fn wrong(&self, key: &str, node: &Node, wanted: &str) -> Unusable {
        let message = format!("`{key}` is {}, and should be {wanted}", node.kind());
        Unusable { place: node.place, message }
    }
}
