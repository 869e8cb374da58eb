//! What makes the deferred forms fragile: text of the server that is taken for the client's own, and what it weighs.

use super::block::END_TAG;
use crate::price::tokenizer;
use crate::report::Measurement;

/// Everything that is fragile about a server of this name, in sentences. May quote the server: hostile text.
pub(super) fn fragile(server: &str, measurement: &Measurement) -> Vec<String> {
    let mut sentences = Vec::new();
    let descriptions: Vec<&str> = measurement.tools.iter().map(|tool| tool.definition.description()).collect();
    let after = |end: fn(&str) -> Option<&str>| {
        let rests: Vec<u64> = descriptions.iter().filter_map(|text| end(text)).map(tokenizer::count).collect();
        (rests.len(), rests.iter().sum::<u64>())
    };
    let of = |count: usize| match measurement.tools.len() {
        1 => ("the description of the only tool".to_owned(), "has", "holds"),
        all => (format!("the descriptions of {count} of {all} tools"), "have", "hold"),
    };
    let (lines, tokens) = after(after_first_line);
    if lines > 0 {
        let (said, have, _) = of(lines);
        sentences
            .push(format!("{said} {have} line breaks, so that {tokens} tokens stand on lines without a tool's name"));
    }
    let (tags, tokens) = after(after_end_tag);
    if tags > 0 {
        let (said, _, hold) = of(tags);
        sentences.push(format!("{said} {hold} the end tag, so that {tokens} tokens stand behind the end of the block"));
    }
    let labels: Vec<String> = measurement.tools.iter().map(|tool| tool.definition.label().to_string()).collect();
    let named = labels.iter().map(|name| ("a tool", name.as_str())).chain([("the server", server)]);
    for (whose, name) in named.filter(|(_, name)| after_first_line(name).is_some() || name.contains(END_TAG)) {
        sentences
            .push(format!("the name of {whose}, {name}, has a line break or the end tag in every line that has it"));
    }
    if server.contains("__") {
        sentences
            .push(format!("the server's name, {server}, holds `__`, by which clients part the server from the tool"));
    }
    sentences
}

/// What stands behind the first line, by any character that ends a line.
fn after_first_line(text: &str) -> Option<&str> {
    text.split_once(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).map(|(_, rest)| rest)
}

fn after_end_tag(text: &str) -> Option<&str> {
    text.split_once(END_TAG).map(|(_, rest)| rest)
}
