//! One reader a shape: where a file keeps its servers, and how an entry spells its source. What a client does not
//! need to launch a server is passed over: the files are its own, and hold far more than servers.

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

/// The keys that hold servers, in the order in which a file is asked for them.
pub(super) const KEYS: [(&str, Shape); 5] = [
    ("mcpServers", Shape::McpServers),
    ("servers", Shape::VsCode),
    ("context_servers", Shape::Zed),
    ("mcp_servers", Shape::Codex),
    ("mcp", Shape::Opencode),
];

impl Shape {
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
        // `disabled` is Windsurf's, Cursor's and Cline's, `enabled` Zed's, Codex's and opencode's.
        let switches = ["disabled", "enabled"].into_iter().try_for_each(|key| entry.must_be_truth(key));
        let source = switches.and_then(|()| entry.source(self));
        let says = |key: &str, truth: bool| {
            member.node.get(key).is_some_and(|member| matches!(member.node.value, Value::Truth(said) if said == truth))
        };
        ConfigServer {
            name: member.name.clone(),
            place: member.place,
            project: project.map(str::to_owned),
            enabled: !says("disabled", true) && !says("enabled", false),
            // code.claude.com/docs/en/mcp, "Exempt a server from deferral"
            always_loaded: says("alwaysLoad", true),
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

    /// A switch in other words than true and false: some clients would launch the server, and some would not.
    fn must_be_truth(&self, key: &str) -> Read<()> {
        match self.node.get(key) {
            Some(Member { node, .. }) if !matches!(node.value, Value::Truth(_) | Value::Nothing) => {
                Err(self.wrong(key, node, "true or false"))
            }
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
