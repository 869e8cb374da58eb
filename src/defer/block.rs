//! The texts that clients send instead of definitions, as they send them: the block of lines, and what a lookup returns.

use crate::definition::Definition;
use crate::price::tokenizer;
use crate::report::Priced;

/// The client's own tool that finds deferred tools, as one JSON definition.
pub(super) const LOOKUP_TOOL: &str = r#"{"name":"list_tools","description":"Lists deferred tools and their full schemas. Search by name or description; a tool can be called once it was listed.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","description":"The most tools to list"},"offset":{"type":"integer","description":"How many tools to pass over"},"include_description":{"type":"boolean","description":"Whether to list descriptions"},"search":{"type":"string","description":"Words that the name or the description has"}}}}"#;
pub(super) const OPENING: &str = "<available-deferred-tools>\n";
pub(super) const CLOSING: &str =
    "Call list_tools to get the schema of a tool before you call it.\n</available-deferred-tools>\n";
pub(super) const END_TAG: &str = "</available-deferred-tools>";

/// How the model calls a tool of a server.
pub(super) fn qualified(server: &str, tool: &Priced) -> String {
    format!("mcp__{server}__{}", tool.definition.label())
}

/// The line of one deferred tool, its description verbatim.
pub(super) fn line(server: &str, tool: &Priced) -> String {
    line_of(server, &tool.definition)
}

fn line_of(server: &str, definition: &Definition) -> String {
    format!("• mcp__{server}__{}: [{server}] {}\n", definition.label(), definition.description())
}

/// The tokens of the line of one deferred tool.
pub fn line_tokens(server: &str, definition: &Definition) -> u64 {
    tokenizer::count(&line_of(server, definition))
}

/// The tokens of one of these tools as a lookup returns it, pretty-printed with two spaces, on average rounded up.
pub(super) fn lookup<'a>(tools: impl Iterator<Item = &'a Priced>) -> u64 {
    let texts = tools.map(|tool| tokenizer::count(&pretty(tool.definition.compact())));
    let (tools, all) = texts.fold((0, 0), |(tools, all), tokens| (tools + 1, all + tokens));
    all.div_ceil(u64::max(tools, 1))
}

/// A compact text laid out with two spaces a level, its strings, numbers and order as they are.
pub fn pretty(compact: &str) -> String {
    let mut text = String::with_capacity(compact.len() * 2);
    let mut depth = 0_usize;
    let mut rest = compact;
    let new_line = |text: &mut String, depth: usize| {
        text.push('\n');
        // Deeper than this nobody reads, and hostile nesting would square the text.
        text.extend(std::iter::repeat_n("  ", depth.min(64)));
    };
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' { crate::json::string_end(rest) } else { first.len_utf8() };
        let is_empty = matches!(rest.as_bytes(), [b'{', b'}', ..] | [b'[', b']', ..]);
        match first {
            '{' | '[' if is_empty => {
                text.push_str(&rest[..2]);
                rest = &rest[2..];
                continue;
            }
            '{' | '[' => {
                depth += 1;
                text.push(first);
                new_line(&mut text, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut text, depth);
                text.push(first);
            }
            ',' => {
                text.push(first);
                new_line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => text.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    text
}
