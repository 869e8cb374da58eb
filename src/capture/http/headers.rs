//! What is said beside the message, in headers: the revision, the method, the session.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::json::Text;

/// The header that carries the session, until 2025-11-25.
pub(super) const SESSION: &str = "Mcp-Session-Id";
const VERSION: &str = "MCP-Protocol-Version";
/// The first revision whose requests name it in a header.
const FIRST_WITH_VERSION: &str = "2025-06-18";

/// What was agreed with the server so far; shared by all posts of a conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    session: Arc<Mutex<Option<String>>>,
    revision: Option<String>,
}

impl Spoken {
    /// The headers that go with `message`.
    pub(super) fn headers(&self, message: &str) -> Vec<(String, String)> {
        let Ok(json) = Text::parse(message) else { return Vec::new() };
        let meta = json.get("params").and_then(|params| params.get("_meta"));
        let modern = meta.and_then(|meta| meta.get("io.modelcontextprotocol/protocolVersion")).and_then(Text::string);
        let method = json.get("method").and_then(Text::string);
        match (modern, &self.revision) {
            // Revision 2026-07-28: both headers on every POST, equal to the body; no session.
            (Some(revision), _) => {
                let method = method.into_iter().map(|method| ("Mcp-Method".to_owned(), method));
                std::iter::once((VERSION.to_owned(), revision)).chain(method).collect()
            }
            (None, Some(revision)) if revision.as_str() >= FIRST_WITH_VERSION => {
                std::iter::once((VERSION.to_owned(), revision.clone())).chain(self.session_header()).collect()
            }
            (None, _) => self.session_header().collect(),
        }
    }

    /// The session's header, where there is a session.
    pub(super) fn session_header(&self) -> impl Iterator<Item = (String, String)> + use<> {
        self.session().clone().map(|session| (SESSION.to_owned(), session)).into_iter()
    }

    /// Learns the revision from the answer to `initialize`.
    pub(super) fn learn(&mut self, answer: &[u8]) {
        let text = std::str::from_utf8(answer).ok();
        let result = text.and_then(|text| Text::parse(text).ok()).and_then(|json| json.get("result"));
        let revision = result.and_then(|result| result.get("protocolVersion")).and_then(Text::string);
        self.revision = revision.or(self.revision.take());
    }

    /// Keeps the session that the server gave.
    pub(super) fn keep_session(&self, id: &str) {
        *self.session() = Some(id.to_owned());
    }

    /// The server knows the session no longer.
    pub(super) fn forget_session(&self) {
        *self.session() = None;
    }

    /// Whether the server gave a session.
    pub(super) fn has_session(&self) -> bool {
        self.session().is_some()
    }

    fn session(&self) -> MutexGuard<'_, Option<String>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[u8] = br#"{"id":1,"result":{"protocolVersion":"2025-11-25"}}"#;

    #[test]
    fn the_session_and_the_revision_are_named_once_they_are_known() {
        let mut spoken = Spoken::default();
        assert_eq!(spoken.headers(r#"{"method":"initialize","params":{}}"#), []);
        spoken.keep_session("s1");
        spoken.learn(ANSWER);
        let headers = spoken.headers(r#"{"method":"tools/list","params":{}}"#);
        assert_eq!(headers, [(VERSION.to_owned(), "2025-11-25".to_owned()), (SESSION.to_owned(), "s1".to_owned())]);
    }

    #[test]
    fn a_modern_request_names_revision_and_method_and_no_session() {
        let spoken = Spoken::default();
        spoken.keep_session("s1");
        let message =
            r#"{"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let headers = spoken.headers(message);
        assert_eq!(
            headers,
            [(VERSION.to_owned(), "2026-07-28".to_owned()), ("Mcp-Method".to_owned(), "tools/list".to_owned())]
        );
    }

    #[test]
    fn revisions_before_2025_06_18_have_no_header_for_it() {
        let mut spoken = Spoken::default();
        spoken.learn(br#"{"id":1,"result":{"protocolVersion":"2025-03-26"}}"#);
        assert_eq!(spoken.headers(r#"{"method":"tools/list","params":{}}"#), []);
    }
}
