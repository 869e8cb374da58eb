//! JSON-RPC 2.0 on raw text: what a message is, which request an answer belongs to, and the few messages that a
//! client writes.
//!
//! Nothing is parsed into a tree, because a result holds the definitions that are priced as they were sent. Whether
//! a message is wanted is for the session to say.

use crate::json::{DuplicateKey, Kind, Text};
use crate::secrets::Secrets;

/// As much of an error message as a person wants to read; a server may send megabytes.
const SHOWN_CHARACTERS: usize = 500;

/// One message of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message<'a> {
    /// Wants an answer.
    Request {
        /// To be sent back as it is.
        id: Text<'a>,
        /// What is asked.
        method: String,
    },
    /// Wants none.
    Notification {
        /// What is told.
        method: String,
    },
    /// Answers a request.
    Response {
        /// The request's id; `None` and `null` answer nothing that can be named.
        id: Option<Text<'a>>,
        /// What it says.
        body: Body<'a>,
    },
    /// JSON, but no JSON-RPC.
    Noise,
}

/// What a response says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body<'a> {
    /// The request was served.
    Result(Text<'a>),
    /// The request was refused.
    Error(RpcError),
    /// It cannot be read; why, as the end of a sentence about "the answer".
    Malformed(String),
}

/// A JSON-RPC error. Hostile text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RpcError {
    /// `None` where it is no whole number.
    pub(crate) code: Option<i64>,
    /// Empty where there is none.
    pub(crate) message: String,
    /// `data.supported`: the revisions that the server speaks.
    pub(crate) supported: Vec<String>,
}

/// How an id compares with the one that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdMatch {
    /// The same number.
    Same,
    /// A string that spells the number.
    Spelled,
    /// Another id.
    Other,
}

/// The messages in one JSON text, batches unpacked: revision 2025-03-26 allows them, and servers send them in others.
pub(crate) fn read(text: Text<'_>) -> Vec<Message<'_>> {
    match text.kind() {
        Kind::Array => text.elements().map(read_one).collect(),
        _ => vec![read_one(text)],
    }
}

fn read_one(text: Text<'_>) -> Message<'_> {
    let fields = text.get_all_unique(["jsonrpc", "id", "method", "result", "error"]);
    let [version, id, method, result, error] = match fields {
        Ok(fields) => fields,
        Err(duplicate) => return doubtful(text, duplicate),
    };
    let speaks_json_rpc = version.is_some_and(|version| version.is("2.0"));
    let error = error.filter(|error| error.kind() != Kind::Null);
    // Responses are told from requests by the presence of `method`, never by the id: real servers send requests
    // whose id is one of ours.
    match (method, result, error) {
        (Some(method), ..) => match (method.string(), id) {
            (Some(method), Some(id)) if speaks_json_rpc && id.kind() != Kind::Null => Message::Request { id, method },
            (Some(method), _) if speaks_json_rpc => Message::Notification { method },
            _ => Message::Noise,
        },
        (None, _, Some(error)) => Message::Response { id, body: Body::Error(RpcError::read(error)) },
        (None, Some(result), None) => Message::Response { id, body: Body::Result(result) },
        (None, None, None) if speaks_json_rpc && id.is_some() => {
            Message::Response { id, body: Body::Malformed("holds neither `result` nor `error`".to_owned()) }
        }
        (None, None, None) => Message::Noise,
    }
}

/// A message in which one of the five keys stands twice: nobody can say which of the two was meant.
fn doubtful(text: Text<'_>, duplicate: DuplicateKey) -> Message<'_> {
    let body = Body::Malformed(format!("cannot be read without doubt, because {duplicate}"));
    match text.get("method") {
        Some(_) => Message::Noise,
        None => Message::Response { id: text.get("id"), body },
    }
}

impl RpcError {
    fn read(error: Text<'_>) -> Self {
        let supported = error.get("data").and_then(|data| data.get("supported"));
        RpcError {
            code: error.get("code").and_then(|code| code.as_str().parse().ok()),
            message: error.get("message").and_then(Text::string).unwrap_or_default(),
            supported: supported.into_iter().flat_map(Text::elements).filter_map(Text::string).collect(),
        }
    }

    /// What it says, as a part of a sentence, secrets masked.
    pub(crate) fn told(&self, secrets: &Secrets) -> String {
        let mut told = self.code.map_or_else(|| "an error without a code".to_owned(), |code| format!("error {code}"));
        if !self.message.is_empty() {
            told.extend([": ", &shortened(&self.message, secrets)]);
        }
        if !self.supported.is_empty() {
            told.extend([" (it speaks ", &shortened(&self.supported.join(", "), secrets), ")"]);
        }
        told
    }
}

/// How the id of a response compares with the id of the request that waits for one.
pub(crate) fn compare_id(id: Option<Text<'_>>, sent: u64) -> IdMatch {
    let Some(id) = id else { return IdMatch::Other };
    match id.kind() {
        // By value: `1.0` and `1e0` are the number 1.
        Kind::Number if id.as_str().parse() == Ok(sent as f64) => IdMatch::Same,
        Kind::String if id.string().is_some_and(|id| id.trim().parse() == Ok(sent)) => IdMatch::Spelled,
        _ => IdMatch::Other,
    }
}

/// Whether a line that is no JSON was meant to be the answer to the request with this id. Such a line fails the
/// capture at once, where waiting for a better one would end at the deadline.
pub(crate) fn was_meant_as_answer(line: &str, sent: u64) -> bool {
    let sent = sent.to_string();
    let holds_id = line.match_indices("\"id\"").any(|(at, key)| {
        let value = line[at + key.len()..].trim_start().strip_prefix(':').unwrap_or_default().trim_start();
        let value = value.strip_prefix('"').unwrap_or(value);
        value.strip_prefix(sent.as_str()).is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    });
    holds_id && line.contains("\"result\"")
}

/// A request. `params` is a JSON object.
pub(crate) fn request(id: u64, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

/// A notification without parameters.
pub(crate) fn notification(method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#)
}

/// The answer to a server's request.
pub(crate) fn answer(id: Text<'_>, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, id.compact())
}

/// The refusal of a server's request.
pub(crate) fn refusal(id: Text<'_>) -> String {
    let error = r#"{"code":-32601,"message":"Method not found"}"#;
    format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, id.compact())
}

/// The beginning of a text that a server sent, short enough for a sentence, secrets masked.
pub(crate) fn shortened(text: &str, secrets: &Secrets) -> String {
    secrets.shortened(text, SHOWN_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Message<'_> {
        let mut messages = read(Text::parse(text).unwrap());
        assert_eq!(messages.len(), 1);
        messages.remove(0)
    }

    #[test]
    fn a_request_with_an_id_of_ours_is_still_a_request() {
        let Message::Request { id, method } = one(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list","result":{}}"#)
        else {
            panic!()
        };
        assert_eq!((id.as_str(), method.as_str()), ("1", "roots/list"));
        assert_eq!(answer(id, "{}"), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    }

    #[test]
    fn a_method_without_an_id_is_a_notification() {
        for text in [r#"{"jsonrpc":"2.0","method":"a"}"#, r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#] {
            assert_eq!(one(text), Message::Notification { method: "a".into() });
        }
    }

    #[test]
    fn json_that_is_no_json_rpc_is_noise() {
        for text in ["1", "{}", r#"{"method":"GET","id":3}"#, r#"{"level":"info"}"#, r#"{"id":1}"#, "null"] {
            assert_eq!(one(text), Message::Noise, "{text}");
        }
    }

    #[test]
    fn a_batch_is_unpacked() {
        let text = r#"[{"jsonrpc":"2.0","method":"a"},7,{"jsonrpc":"2.0","id":1,"result":{}}]"#;
        let messages = read(Text::parse(text).unwrap());
        assert!(matches!(messages[..], [Message::Notification { .. }, Message::Noise, Message::Response { .. }]));
        assert!(read(Text::parse("[]").unwrap()).is_empty());
    }

    #[test]
    fn a_null_beside_the_other_member_of_a_response_is_passed_over() {
        let refused = one(r#"{"id":1,"result":null,"error":{"code":-5,"message":"no","data":{"supported":["x",1]}}}"#);
        let Message::Response { body: Body::Error(error), .. } = refused else { panic!() };
        assert_eq!(error.told(&Secrets::default()), "error -5: no (it speaks x)");
        assert_eq!(error.supported, ["x"]);
        let served = one(r#"{"id":1,"result":{},"error":null}"#);
        assert!(matches!(served, Message::Response { body: Body::Result(_), .. }));
    }

    #[test]
    fn a_response_that_says_nothing_or_two_things_is_malformed() {
        let texts = [r#"{"jsonrpc":"2.0","id":1}"#, r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#];
        for text in texts {
            assert!(matches!(one(text), Message::Response { id: Some(_), body: Body::Malformed(_) }), "{text}");
        }
    }

    #[test]
    fn ids_match_by_value() {
        let compare = |id: &str| compare_id(Some(Text::parse(id).unwrap()), 7);
        assert_eq!(["7", "7.0", "70e-1"].map(compare), [IdMatch::Same; 3]);
        assert_eq!(compare("\"7\""), IdMatch::Spelled);
        assert_eq!(["8", "\"x\"", "null", "true", "[7]", "{}"].map(compare), [IdMatch::Other; 6]);
        assert_eq!(compare_id(None, 7), IdMatch::Other);
    }

    #[test]
    fn a_broken_line_is_known_as_the_answer_by_its_id_and_its_result() {
        assert!(was_meant_as_answer(r#"{"jsonrpc":"2.0","id" : 7,"result":{"tools":["#, 7));
        assert!(was_meant_as_answer(r#"log: {"result":{},"id":"7"}"#, 7));
        assert!(!was_meant_as_answer(r#"{"id":71,"result":{"#, 7));
        assert!(!was_meant_as_answer(r#"{"id":7,"method":"#, 7));
    }

    #[test]
    fn no_part_of_a_secret_is_left_where_an_error_is_cut() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "hunter22");
        for before in SHOWN_CHARACTERS - 8..=SHOWN_CHARACTERS {
            let text = format!("{}hunter22 and more", ".".repeat(before));
            let error = RpcError { code: None, message: text.clone(), supported: vec![text] };
            let told = error.told(&secrets);
            assert_eq!(told.matches('…').count(), 2, "{before}");
            assert!(!told.contains(".h"), "{before}: {told}");
        }
    }

    #[test]
    fn an_error_message_of_any_length_is_shown_in_a_sentence() {
        let error = RpcError { code: Some(1), message: "é".repeat(1_000_000), supported: vec![] };
        assert_eq!(error.told(&Secrets::default()).chars().count(), "error 1: ".len() + SHOWN_CHARACTERS + 1);
    }
}
