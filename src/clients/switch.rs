//! The keys by which a config turns a server off. A client knows one of them, and passes over the other.

use super::tree::{Node, Value};

/// A key that turns a server off when it has this value.
#[derive(Clone, Copy)]
pub(super) struct Switch {
    pub(super) key: &'static str,
    pub(super) off: bool,
}

/// Windsurf's, Cursor's and Cline's.
pub(super) const DISABLED: Switch = Switch { key: "disabled", off: true };
/// Zed's, Codex's and opencode's.
pub(super) const ENABLED: Switch = Switch { key: "enabled", off: false };

impl Switch {
    pub(super) fn is_off(self, entry: &Node) -> bool {
        says(entry, self.key, self.off)
    }
}

/// Whether a key has this truth.
pub(super) fn says(entry: &Node, key: &str, truth: bool) -> bool {
    entry.get(key).is_some_and(|member| matches!(member.node.value, Value::Truth(said) if said == truth))
}

/// Whether Gemini CLI's lists leave a server on: `mcp.allowed` names all that are, `mcp.excluded` those that are not,
/// in capitals or not. geminicli.com/docs/tools/mcp-server, "Global MCP settings"
pub(super) fn is_on_the_lists(root: &Node, server: &str) -> bool {
    let list =
        |key: &str| match root.get("mcp").and_then(|settings| settings.node.get(key)).map(|list| &list.node.value) {
            Some(Value::List(names)) => names.as_slice(),
            _ => &[],
        };
    let normal = |name: &str| name.trim().to_lowercase();
    let names = |list: &[Node]| list.iter().filter_map(Node::text).any(|name| normal(name) == normal(server));
    let allowed = list("allowed");
    (allowed.is_empty() || names(allowed)) && !names(list("excluded"))
}
