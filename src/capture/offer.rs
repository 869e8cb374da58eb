//! What this client says of itself: the revision that it speaks and the capabilities that it declares. A word that no
//! server can know is refused before anything is launched, else a slip of the pen is measured as something else.

use crate::secrets::Secrets;

/// The revision that is offered in `initialize` unless the user names one.
pub(crate) const NEWEST_LEGACY: &str = "2025-11-25";
/// The revision without an opening, named on every request.
pub(crate) const MODERN: &str = "2026-07-28";
/// Every revision that this client has heard of.
pub(crate) const KNOWN: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST_LEGACY, MODERN];

/// Finds the revision out.
pub(crate) const AUTO: &str = "auto";

/// The client capabilities of all revisions; whatever else there is stands below the last two.
const CAPABILITIES: [&str; 6] = ["roots", "sampling", "elicitation", "tasks", "extensions", "experimental"];

/// What is asked of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer<'a> {
    /// The revision to speak; `None` or `auto` to find out.
    pub(crate) protocol: Option<&'a str>,
    /// Client capabilities to declare, by name; dots nest.
    pub(crate) capabilities: &'a [String],
    /// What the server may quote, and nobody may see.
    pub(crate) secrets: &'a Secrets,
}

/// Reads a revision as a user writes it.
///
/// # Errors
/// What to write instead.
pub(crate) fn parse_revision(text: &str) -> Result<String, String> {
    match text {
        text if text == AUTO || KNOWN.contains(&text) => Ok(text.to_owned()),
        _ => Err(format!("write a revision of MCP, one of {}, or \"{AUTO}\"", KNOWN.join(", "))),
    }
}

/// Reads the name of a client capability, such as `roots` or `sampling.tools`.
///
/// # Errors
/// What to write instead.
pub(crate) fn parse_capability(text: &str) -> Result<String, String> {
    let mut parts = text.split('.');
    let known = parts.next().is_some_and(|first| CAPABILITIES.contains(&first));
    if known && parts.all(|part| !part.is_empty()) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "write a client capability of MCP, one of {}, or a part such as sampling.tools",
        CAPABILITIES.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_revisions_that_exist_are_spoken() {
        for known in KNOWN.into_iter().chain([AUTO]) {
            assert_eq!(parse_revision(known).as_deref(), Ok(known));
        }
        for unknown in ["", "2025-11-52", "2025-11-25 ", "AUTO", "latest"] {
            assert!(parse_revision(unknown).is_err(), "{unknown}");
        }
    }

    #[test]
    fn only_capabilities_that_exist_are_declared() {
        for known in ["roots", "roots.listChanged", "experimental.anything.at.all", "extensions"] {
            assert_eq!(parse_capability(known).as_deref(), Ok(known));
        }
        for unknown in ["", "root", "Roots", "roots.", ".roots", "roots..x", "tools"] {
            assert!(parse_capability(unknown).is_err(), "{unknown}");
        }
    }
}
