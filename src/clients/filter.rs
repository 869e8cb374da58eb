//! Which of a server's tools a client sends to the model.

use super::Unusable;
use super::shape::Shape;
use super::tree::{Node, Value};
use crate::capture::Capture;
use crate::codes::{Note, NoteCode};
use crate::definition::Label;

/// Gemini CLI's, whose list of what is sent may name a tool with arguments. geminicli.com/docs/tools/mcp-server
const GEMINI: (&str, &str) = ("includeTools", "excludeTools");
/// Codex's, the second after the first. developers.openai.com/codex/mcp
const CODEX: (&str, &str) = ("enabled_tools", "disabled_tools");
/// Those of other clients, Windsurf's among them, that share their file with clients that pass over it.
const OTHERS: [&str; 5] = ["includeTools", "excludeTools", "disabledTools", "enabled_tools", "disabled_tools"];

/// How a config chooses among the tools of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The key that chooses.
    key: &'static str,
    /// What it chooses; `None` where not every client of the file would heed it, so that all tools count.
    chosen: Option<Chosen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chosen {
    allowed: Option<Vec<String>>,
    denied: Vec<String>,
}

impl Filter {
    /// The filter of an entry; `None` where all its tools are sent.
    pub(super) fn of(shape: Shape, entry: &Node) -> Result<Option<Self>, Unusable> {
        let (allow, deny) = match shape {
            Shape::Gemini => GEMINI,
            Shape::Codex => CODEX,
            Shape::McpServers | Shape::VsCode | Shape::Zed | Shape::Opencode => {
                let key = OTHERS.into_iter().find(|key| entry.get(key).is_some());
                return Ok(key.map(|key| Filter { key, chosen: None }));
            }
        };
        let (allowed, denied) = (names(entry, allow)?, names(entry, deny)?);
        let key = if allowed.is_some() { allow } else { deny };
        let is_there = allowed.is_some() || denied.is_some();
        let chosen = Some(Chosen { allowed, denied: denied.unwrap_or_default() });
        Ok(is_there.then_some(Filter { key, chosen }))
    }

    /// Leaves of a capture what the client sends, and a note of it.
    pub(crate) fn apply(&self, capture: &mut Capture) {
        let listed = capture.definitions.len();
        let key = self.key;
        let message = match &self.chosen {
            None => format!("the config chooses among its tools (`{key}`), and all that it lists count here"),
            Some(chosen) => {
                capture.definitions.retain(|definition| chosen.holds(definition.label()));
                let sent = capture.definitions.len();
                format!("the client sends {sent} of its {listed} tools (`{key}`), and only those count")
            }
        };
        capture.notes.push(Note::new(NoteCode::ToolsFiltered, message));
    }
}

impl Chosen {
    fn holds(&self, label: &Label) -> bool {
        // What has no name is on no list.
        let Label::Named(name) = label else { return self.allowed.is_none() };
        let is_meant = |entry: &String| {
            entry == name || entry.strip_prefix(name.as_str()).is_some_and(|arguments| arguments.starts_with('('))
        };
        self.allowed.as_ref().is_none_or(|allowed| allowed.iter().any(is_meant)) && !self.denied.contains(name)
    }
}

/// The names under a key.
fn names(entry: &Node, key: &str) -> Result<Option<Vec<String>>, Unusable> {
    let Some(member) = entry.get(key) else { return Ok(None) };
    let wrong = |node: &Node| Unusable {
        place: node.place,
        message: format!("`{key}` is {}, and should be a list of names of tools", node.kind()),
    };
    match &member.node.value {
        Value::Nothing => Ok(None),
        Value::List(items) => {
            let text = |item: &Node| item.text().map(str::to_owned).ok_or_else(|| wrong(item));
            items.iter().map(text).collect::<Result<_, _>>().map(Some)
        }
        _ => Err(wrong(&member.node)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::file;

    fn sent(shape: Shape, entry: &str) -> (Vec<String>, String) {
        let node = super::super::tree::parse("a.json".as_ref(), entry.into()).unwrap();
        let tools = r#"[{"name":"add"},{"name":"add_all"},{"name":"drop"},{"description":"none"}]"#;
        let mut capture = file::parse("a.json".as_ref(), tools).unwrap().remove(0);
        if let Some(filter) = Filter::of(shape, &node).unwrap() {
            filter.apply(&mut capture);
        }
        let names = capture.definitions.iter().map(|definition| definition.label().to_string()).collect();
        (names, capture.notes.iter().map(|note| note.message.clone()).collect())
    }

    #[test]
    fn a_client_sends_what_its_own_lists_leave() {
        let all = ["add", "add_all", "drop", "(unnamed #4)"].map(str::to_owned);
        for (shape, allow, deny) in
            [(Shape::Gemini, "includeTools", "excludeTools"), (Shape::Codex, "enabled_tools", "disabled_tools")]
        {
            let sent = |lists: &str| sent(shape, &lists.replace("allow", allow).replace("deny", deny)).0;
            assert_eq!(sent("{}"), all);
            assert_eq!(sent(r#"{"allow":null}"#), all);
            assert_eq!(sent(r#"{"allow":["add","drop"],"deny":["drop"]}"#), ["add"]);
            assert_eq!(sent(r#"{"deny":["drop","add_al"]}"#), ["add", "add_all", "(unnamed #4)"]);
            assert_eq!(sent(r#"{"allow":[]}"#), [""; 0]);
        }
        let (names, told) = sent(Shape::Gemini, r#"{"includeTools":["add(x)"]}"#);
        assert_eq!(names, ["add"]);
        assert_eq!(told, "the client sends 1 of its 4 tools (`includeTools`), and only those count");
    }

    #[test]
    fn where_not_every_client_heeds_a_list_all_tools_count() {
        for shape in [Shape::McpServers, Shape::VsCode, Shape::Zed, Shape::Opencode] {
            let (names, told) = sent(shape, r#"{"disabledTools":["add"]}"#);
            assert_eq!(names.len(), 4);
            assert_eq!(told, "the config chooses among its tools (`disabledTools`), and all that it lists count here");
        }
        assert_eq!(sent(Shape::Codex, r#"{"includeTools":["add"]}"#).0.len(), 4);
    }

    #[test]
    fn a_list_that_is_none_is_a_fault() {
        for (entry, expected) in [
            (r#"{"enabled_tools":"add"}"#, "`enabled_tools` is a string, and should be a list of names of tools"),
            (r#"{"disabled_tools":["add",7]}"#, "`disabled_tools` is a number, and should be a list"),
        ] {
            let node = super::super::tree::parse("a.json".as_ref(), entry.into()).unwrap();
            let fault = Filter::of(Shape::Codex, &node).unwrap_err();
            assert!(fault.message.starts_with(expected), "{}", fault.message);
        }
    }
}
