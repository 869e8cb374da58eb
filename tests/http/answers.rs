//! The forms that an answer may have.

use std::time::Duration;

use crate::server::{Part, Server, json, reply, stream_head};
use crate::{INITIALIZED, TOOLS, legacy, legacy_but, result, run};

#[test]
fn where_a_server_runs_is_not_known() {
    let run = run(&Server::start(|request, _| legacy(request)).url(), &[]);
    run.expect_tools(&["ok"]);
    assert_eq!(run.server["platform"], serde_json::Value::Null);
}

#[test]
fn a_json_answer_is_priced() {
    let server = Server::start(|request, _| legacy(request));
    let run = run(&server.url(), &[]);
    run.expect_tools(&["ok"]);
    assert_eq!(run.server["transport"], "http");
    assert_eq!(run.server["protocol"], "2025-11-25");
    assert_eq!(run.server["name"], "s");
    assert_eq!(server.methods(), ["initialize", "notifications/initialized", "tools/list"]);
    for request in server.requests() {
        assert_eq!(request.header("content-type"), Some("application/json"));
        assert_eq!(request.header("accept"), Some("application/json, text/event-stream"));
        assert_eq!(request.path, "/mcp");
    }
    let revision = |place: usize| server.requests()[place].header("mcp-protocol-version").map(str::to_owned);
    assert_eq!([revision(0), revision(2)], [None, Some("2025-11-25".to_owned())]);
}

#[test]
fn event_streams_are_read_in_any_cut_with_any_line_end() {
    for line_end in ["\n", "\r\n", "\r"] {
        for size in [1, 2, 7, 4096] {
            let server = legacy_but("tools/list", move |request, _| {
                let answer = result(request, TOOLS).replace(",\"result\"", ",\ndata: \"result\"");
                let stream = format!(
                    ": hello\n\nid: 1\ndata:\n\nretry: 5\n\nevent: message\ndata: \
                     {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}}\n\nevent: message\ndata: {answer}\n\n"
                );
                let stream = stream.replace('\n', line_end).into_bytes();
                let pieces = stream.chunks(size).map(|piece| Part::Bytes(piece.to_vec()));
                std::iter::once(stream_head()).chain(pieces).collect()
            });
            let run = run(&server.url(), &[]);
            run.expect_tools(&["ok"]);
            assert_eq!(run.notes(), ["notifications"]);
        }
    }
}

#[test]
fn chunked_answers_are_read() {
    let server = legacy_but("tools/list", |request, _| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
        let event = format!("data: {}\n\n", result(request, TOOLS));
        let chunks = event.as_bytes().chunks(5).map(|chunk| {
            let mut bytes = format!("{:x};odd=1\r\n", chunk.len()).into_bytes();
            bytes.extend_from_slice(chunk);
            bytes.extend_from_slice(b"\r\n");
            Part::Bytes(bytes)
        });
        let head = Part::Bytes(head.as_bytes().to_vec());
        std::iter::once(head).chain(chunks).chain([Part::Bytes(b"0\r\n\r\n".to_vec())]).collect()
    });
    run(&server.url(), &[]).expect_tools(&["ok"]);
}

#[test]
fn streams_that_stay_open_delay_nothing() {
    let server = Server::start(|request, _| {
        let answer = match request.rpc_method().as_str() {
            "initialize" => result(request, INITIALIZED),
            "tools/list" => result(request, TOOLS),
            // Even the answer to a notification may be a stream.
            _ => return vec![stream_head(), Part::Hold],
        };
        vec![stream_head(), Part::Bytes(format!("data: {answer}\n\n").into_bytes()), Part::Hold]
    });
    // To wait for an end would be to fail at the deadline.
    run(&server.url(), &[]).expect_tools(&["ok"]);
}

#[test]
fn a_question_of_the_server_is_answered_beside_its_stream() {
    let server = legacy_but("tools/list", |request, _| {
        let ping = "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n";
        let answer = format!("data: {}\n\n", result(request, TOOLS));
        let pause = Part::Pause(Duration::from_millis(300));
        vec![stream_head(), Part::Bytes(ping.into()), pause, Part::Bytes(answer.into())]
    });
    let run = run(&server.url(), &[]);
    run.expect_tools(&["ok"]);
    assert_eq!(run.notes(), ["server_requests"]);
    assert!(server.requests().iter().any(|request| request.body == r#"{"jsonrpc":"2.0","id":"p","result":{}}"#));
}

#[test]
fn pages_are_followed_to_the_last() {
    let server = legacy_but("tools/list", |request, before| {
        let next = if before < 2 { format!(r#","nextCursor":"{before}""#) } else { String::new() };
        json(&result(request, &format!(r#"{{"tools":[{{"name":"t{before}"}}]{next}}}"#)))
    });
    run(&server.url(), &[]).expect_tools(&["t0", "t1", "t2"]);
}

#[test]
fn the_session_is_echoed_and_ended() {
    let server = legacy_but("initialize", |request, _| {
        let headers = ["Content-Type: application/json", "Mcp-Session-Id: s-1"];
        reply("200 OK", &headers, &result(request, INITIALIZED))
    });
    run(&server.url(), &[]).expect_tools(&["ok"]);
    assert_eq!(server.methods(), ["initialize", "notifications/initialized", "tools/list", "DELETE"]);
    let sessions =
        server.requests().iter().map(|request| request.header("mcp-session-id").map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(sessions, [None, Some("s-1".into()), Some("s-1".into()), Some("s-1".into())]);
}

/// Answers 404 for a session as the TypeScript SDK does, with an error in the body.
fn forgetful(times: usize) -> Server {
    Server::start(move |request, before| match request.rpc_method().as_str() {
        "initialize" => {
            let session = format!("Mcp-Session-Id: s-{before}");
            reply("200 OK", &["Content-Type: application/json", &session], &result(request, INITIALIZED))
        }
        "tools/list" if before == 0 => json(&result(request, r#"{"tools":[{"name":"old"}],"nextCursor":"c"}"#)),
        "tools/list" if before <= times => {
            let body = r#"{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}"#;
            reply("404 Not Found", &["Content-Type: application/json"], body)
        }
        _ => legacy(request),
    })
}

#[test]
fn a_lost_session_is_opened_once_more_and_listed_from_the_beginning() {
    let server = forgetful(1);
    run(&server.url(), &[]).expect_tools(&["ok"]);
    let sessions: Vec<_> =
        server.requests().iter().map(|request| request.header("mcp-session-id").map(str::to_owned)).collect();
    let (old, new) = (Some("s-0".to_owned()), Some("s-1".to_owned()));
    assert_eq!(sessions, [None, old.clone(), old.clone(), old, None, new.clone(), new.clone(), new]);
}

#[test]
fn a_session_that_is_lost_twice_is_a_failure() {
    let server = forgetful(5);
    run(&server.url(), &[]).expect_error("http_status", &["404", "Session not found"]);
    assert_eq!(server.methods().iter().filter(|method| *method == "initialize").count(), 2);
}
