//! A capture from a file beside what is asked of its server now: a list that came about in another way is no measurement
//! of what is asked. Pure.

use super::Capture;
use super::offer::AUTO;
use super::source::Origin;
use crate::codes::{ErrorCode, Failure, Note, NoteCode};

/// What is asked of a server; `None` where anything will do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'a> {
    /// The revision to speak.
    pub(crate) protocol: Option<&'a str>,
    /// The client capabilities to declare.
    pub(crate) capabilities: Option<&'a [String]>,
    /// Where the definitions are to come from.
    pub(crate) origin: Option<&'a Origin>,
}

/// Refuses a capture that says it was made in another way. What it does not say is not held against it.
///
/// # Errors
/// `captured_otherwise`, with what differs and what to do.
pub(crate) fn refuse_other(capture: &Capture, asked: Asked<'_>) -> Result<(), Failure> {
    let mut differences = Vec::new();
    let protocol = asked.protocol.filter(|revision| *revision != AUTO);
    if let (Some(asked), Some(spoken)) = (protocol, capture.protocol.as_deref())
        && asked != spoken
        && capture.asked_protocol.as_deref() != Some(asked)
    {
        differences.push(format!("it was made with protocol {spoken}, and {asked} is asked for"));
    }
    if let (Some(asked), Some(declared)) = (asked.capabilities, capture.capabilities.as_deref())
        && sorted(asked) != sorted(declared)
    {
        let (declared, asked) = (listed(declared), listed(asked));
        differences.push(format!("it was made with {declared} declared, and {asked} is asked for"));
    }
    if differences.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the capture is of something else: {}; capture the server again with `mcp-footprint capture --server NAME`, \
         which asks as budgets.toml says",
        differences.join("; ")
    );
    Err(Failure::new(ErrorCode::CapturedOtherwise, message))
}

/// Says that a capture was made of another command or address than is asked for.
pub(crate) fn note_elsewhere(capture: &Capture, asked: Asked<'_>) -> Option<Note> {
    let (then, now) = (place(capture.origin.as_ref()?)?, place(asked.origin?)?);
    let message = format!("the capture was made of `{then}`, and its entry has `{now}`");
    (then != now).then(|| Note::new(NoteCode::CapturedElsewhere, message))
}

/// The command line or the address; `None` for what is no server.
fn place(origin: &Origin) -> Option<String> {
    let words =
        |program| std::iter::once(program).chain(&origin.args).map(String::as_str).collect::<Vec<_>>().join(" ");
    origin.command.as_ref().map(words).or_else(|| origin.url.clone())
}

fn sorted(names: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "no client capability".to_owned(),
        names => sorted(names).join(" and "),
    }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    fn capture(facts: &str) -> Capture {
        let text = format!(
            r#"{{"schema":"mcp-footprint-capture/1","servers":[{{"name":"s",{facts}"tools":[{{"name":"a"}}]}}]}}"#
        );
        file::captures(&text, "stem").unwrap().remove(0)
    }

    fn refused(facts: &str, protocol: Option<&str>, capabilities: Option<&[&str]>) -> Option<String> {
        let capabilities: Option<Vec<String>> =
            capabilities.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        let asked = Asked { protocol, capabilities: capabilities.as_deref(), origin: None };
        refuse_other(&capture(facts), asked).err().map(|failure| failure.message)
    }

    #[test]
    fn another_revision_or_other_capabilities_are_no_measurement_of_what_is_asked() {
        let facts = r#""protocol":"2025-06-18","capabilities":["roots"],"#;
        let said = refused(facts, Some("2025-11-25"), Some(&[])).unwrap();
        assert!(said.contains("protocol 2025-06-18, and 2025-11-25 is asked for"), "{said}");
        assert!(said.contains("with roots declared, and no client capability is asked for"), "{said}");
        assert!(refused(r#""capabilities":[],"#, None, Some(&["roots"])).is_some());
    }

    #[test]
    fn the_same_in_other_order_and_what_the_file_does_not_say_pass() {
        let facts = r#""protocol":"2025-06-18","capabilities":["roots","sampling"],"#;
        assert_eq!(refused(facts, Some("2025-06-18"), Some(&["sampling", "roots"])), None);
        assert_eq!(refused(facts, Some(AUTO), None), None);
        for silent in ["", r#""protocol":null,"capabilities":null,"#] {
            assert_eq!(refused(silent, Some("2025-11-25"), Some(&["roots"])), None);
        }
    }

    #[test]
    fn an_older_revision_that_the_server_chose_itself_passes() {
        let facts = r#""protocol":"2024-11-05","asked_protocol":"2025-11-25","#;
        assert_eq!(refused(facts, Some("2025-11-25"), None), None);
        assert!(refused(facts, Some("2025-06-18"), None).is_some());
    }

    #[test]
    fn a_capture_of_another_command_is_told() {
        let made_of = |command: &str, args: &[&str]| Origin {
            command: Some(command.to_owned()),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            ..Origin::default()
        };
        let capture = capture(r#""source":{"command":"npx","args":["x@1"]},"#);
        let note = |origin: &Origin| note_elsewhere(&capture, Asked { origin: Some(origin), ..Asked::default() });
        assert_eq!(note(&made_of("npx", &["x@1"])), None);
        assert_eq!(note(&Origin { from: Some("x".to_owned()), ..Origin::default() }), None);
        let message = note(&made_of("npx", &["x@2"])).unwrap().message;
        assert_eq!(message, "the capture was made of `npx x@1`, and its entry has `npx x@2`");
    }
}
