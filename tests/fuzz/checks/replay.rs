//! What a client may conclude from the messages of a server, by another way: which message answers which request, read
//! with a parser of its own. Judges only sessions that ended with a list.

use mcp_footprint::capture::Capture;
use mcp_footprint::price::tokenizer;

use super::json::{Json, Refused};

/// One answer of the server.
enum Answer {
    Result(Json),
    Error {
        code: Option<i64>,
    },
    /// Nobody can say what is meant.
    Doubtful,
}

/// One page that was asked for: the cursor that was named in the request, and the answer.
type Page = (Option<Json>, Answer);

/// Holds the list to the answers: each request has one, and their tools are the definitions, all and in order.
pub fn agrees(messages: &[Vec<u8>], sent: &[String], capture: &Capture) {
    let requests: Vec<Json> = sent.iter().filter_map(|message| Json::read(message).ok()).filter(is_request).collect();
    let Some(answers) = answers(messages, requests.len()) else { return };
    assert_eq!(answers.len(), requests.len(), "every request of a session with a list has an answer");
    let mut lists: Vec<Vec<Page>> = Vec::new();
    for (request, answer) in requests.iter().zip(answers) {
        let cursor = request.get("params").and_then(|params| params.get("cursor")).cloned();
        match request.get("method").and_then(Json::string).as_deref() {
            Some("tools/list") => match (&cursor, lists.last_mut()) {
                (Some(_), Some(list)) => list.push((cursor, answer)),
                _ => lists.push(vec![(cursor, answer)]),
            },
            _ => assert!(!matches!(answer, Answer::Doubtful), "an opening that cannot be read without doubt"),
        }
    }
    assert!(matches!(lists.len(), 1 | 2), "{} lists were asked for", lists.len());
    let lists: Vec<Vec<Json>> = lists.into_iter().map(tools).collect();
    let listed: Vec<Json> =
        capture.definitions.iter().map(|tool| Json::read(tool.compact()).expect("a definition is JSON")).collect();
    assert!(lists.contains(&listed), "the definitions are not what was listed");
    let tokens = capture.definitions.iter().map(|tool| tokenizer::count(tool.compact())).sum::<u64>();
    assert!(tokens > 0 || listed.is_empty(), "definitions without a price");
}

fn is_request(message: &Json) -> bool {
    message.get("method").is_some() && message.get("id").is_some()
}

/// The tools of one complete list.
fn tools(pages: Vec<Page>) -> Vec<Json> {
    let mut all = Vec::new();
    let mut expected: Option<Json> = None;
    for (cursor, answer) in pages {
        assert_eq!(cursor, expected, "the cursor that is sent is the one that was named");
        match answer {
            Answer::Result(page) => {
                assert!(page.all("nextCursor").len() < 2, "two cursors");
                expected = page.get("nextCursor").filter(|cursor| **cursor != Json::Word("null")).cloned();
                match page.all("tools").as_slice() {
                    [Json::Array(tools)] => all.extend(tools.iter().cloned()),
                    other => panic!("a page was made of {other:?}"),
                }
            }
            Answer::Error { code: Some(-32601) } if all.is_empty() => {}
            Answer::Error { code } => panic!("a page was made of the error {code:?}"),
            Answer::Doubtful => panic!("a page was made of an answer that cannot be read without doubt"),
        }
    }
    assert_eq!(expected, None, "the last page names no further one");
    all
}

/// The answers to the requests 1, 2, 3 and so on; `None` where a message is too deep to be judged.
fn answers(messages: &[Vec<u8>], requests: usize) -> Option<Vec<Answer>> {
    let mut answers = Vec::new();
    for message in messages {
        if answers.len() == requests {
            break;
        }
        let Ok(text) = std::str::from_utf8(message) else { continue };
        let value = match Json::read(without_mark(text).trim_ascii()) {
            Ok(value) => value,
            Err(Refused::TooDeep) => return None,
            Err(Refused::Invalid) => continue,
        };
        let batch = if let Json::Array(batch) = value { batch } else { vec![value] };
        let id = answers.len() + 1;
        answers.extend(batch.iter().find_map(|message| answer(message, id)));
    }
    Some(answers)
}

/// A text without the byte-order mark that may begin it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn answer(message: &Json, id: usize) -> Option<Answer> {
    let same_id = match message.get("id")? {
        Json::Number(number) => number.parse() == Ok(id as f64),
        Json::String(units) => String::from_utf16_lossy(units).trim().parse() == Ok(id),
        _ => false,
    };
    if !same_id || message.get("method").is_some() {
        return None;
    }
    let keys = ["jsonrpc", "id", "result", "error"];
    if keys.iter().any(|key| message.all(key).len() > 1) {
        return Some(Answer::Doubtful);
    }
    let error = message.get("error").filter(|error| **error != Json::Word("null"));
    match (message.get("result"), error) {
        (_, Some(error)) => {
            let code = match error.get("code") {
                Some(Json::Number(code)) => code.parse().ok(),
                _ => None,
            };
            Some(Answer::Error { code })
        }
        (Some(result), None) => Some(Answer::Result(result.clone())),
        (None, None) => {
            let speaks = message.get("jsonrpc").and_then(Json::string).as_deref() == Some("2.0");
            speaks.then_some(Answer::Doubtful)
        }
    }
}
