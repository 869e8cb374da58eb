//! What is said beside the message, in headers: the revision, the method, the session.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use ureq::http::header::AUTHORIZATION;
use ureq::http::{HeaderMap, HeaderName, HeaderValue};

use super::failed;
use crate::codes::Failure;
use crate::json::Text;
use crate::secrets::Secrets;

/// The header that carries the session, until 2025-11-25.
pub(super) const SESSION: &str = "Mcp-Session-Id";
const VERSION: &str = "MCP-Protocol-Version";
/// The first revision whose requests name it in a header.
const FIRST_WITH_VERSION: &str = "2025-06-18";

/// The headers that the user wants sent; the user info of the URL is one of them.
///
/// # Errors
/// `connection_failed` when one cannot be sent. The message does not repeat its value.
pub(super) fn of_user(
    written: &[(String, String)],
    user_info: Option<&str>,
    secrets: &mut Secrets,
) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (name, value) in written {
        let parsed: HeaderName = name.parse().map_err(|_| failed(format!("`{name}` is no name of a header")))?;
        let value = HeaderValue::from_str(value.trim());
        let unusable = |_| failed(format!("the value of the header {name} holds what no header may hold"));
        headers.append(parsed, value.map_err(unusable)?);
    }
    if let Some(user_info) = user_info.filter(|_| !headers.contains_key(AUTHORIZATION)) {
        let (user, password) = user_info.split_once(':').unwrap_or((user_info, ""));
        let decoded: Vec<u8> = percent_decode_str(user).chain(*b":").chain(percent_decode_str(password)).collect();
        let credentials = STANDARD.encode(&decoded);
        secrets.add("URL user info", &credentials);
        secrets.add("URL user info", &String::from_utf8_lossy(&decoded));
        headers.extend(HeaderValue::from_str(&format!("Basic {credentials}")).map(|value| (AUTHORIZATION, value)));
    }
    Ok(headers)
}

/// The user's headers with ours in the place of those of the same name. What no header may hold is left out: a server
/// may call its revision and its session what it likes.
pub(super) fn with(user: &HeaderMap, ours: impl IntoIterator<Item = (String, String)>) -> HeaderMap {
    let mut headers = user.clone();
    for (name, value) in ours {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(&value)) {
            headers.insert(name, value);
        }
    }
    headers
}

/// What was agreed with the server so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    session: Option<String>,
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
        self.session.clone().map(|session| (SESSION.to_owned(), session)).into_iter()
    }

    /// Learns the revision from the answer to `initialize`.
    pub(super) fn learn(&mut self, answer: &[u8]) {
        let text = std::str::from_utf8(answer).ok();
        let result = text.and_then(|text| Text::parse(text).ok()).and_then(|json| json.get("result"));
        let revision = result.and_then(|result| result.get("protocolVersion")).and_then(Text::string);
        self.revision = revision.or(self.revision.take());
    }

    /// Keeps the session that the answer to `initialize` names, if it names one.
    pub(super) fn keep_session(&mut self, id: Option<String>) {
        self.session = id;
    }

    /// Whether the server gave a session.
    pub(super) fn has_session(&self) -> bool {
        self.session.is_some()
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
        spoken.keep_session(Some("s1".into()));
        spoken.learn(ANSWER);
        let headers = spoken.headers(r#"{"method":"tools/list","params":{}}"#);
        assert_eq!(headers, [(VERSION.to_owned(), "2025-11-25".to_owned()), (SESSION.to_owned(), "s1".to_owned())]);
    }

    #[test]
    fn a_modern_request_names_revision_and_method_and_no_session() {
        let mut spoken = Spoken::default();
        spoken.keep_session(Some("s1".into()));
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

    #[test]
    fn our_headers_take_the_place_of_the_users() {
        let written = [("accept", "text/html"), ("X-A", "1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let user = of_user(&written, None, &mut Secrets::default()).unwrap();
        let ours = [("Accept", "application/json"), ("X-B", "a\r\nb")];
        let sent = with(&user, ours.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let sent: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        assert_eq!(sent, [("accept", "application/json"), ("x-a", "1")]);
    }

    #[test]
    fn user_info_is_sent_as_basic_authorisation_unless_a_header_says_otherwise() {
        let mut secrets = Secrets::default();
        let headers = of_user(&[], Some("a%40b:p%3A"), &mut secrets).unwrap();
        assert_eq!(headers[AUTHORIZATION], "Basic YUBiOnA6");
        assert_eq!(secrets.mask("YUBiOnA6"), "[URL user info]");
        let bearer = ("Authorization".to_owned(), "Bearer x".to_owned());
        assert_eq!(of_user(&[bearer], Some("u:p"), &mut secrets).unwrap()[AUTHORIZATION], "Bearer x");
    }

    #[test]
    fn what_is_no_header_is_refused_without_its_value() {
        for (name, value) in [("bad name", "hunter22"), ("x", "hunter22\r\ny: z")] {
            let failure = of_user(&[(name.into(), value.into())], None, &mut Secrets::default()).unwrap_err();
            assert!(!failure.message.contains("hunter22") && failure.message.contains(name));
        }
    }
}
