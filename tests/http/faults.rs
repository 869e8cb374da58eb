//! Everything that a server may do wrong over HTTP, and what must come of it.

use std::net::TcpListener;
use std::time::Duration;

use crate::server::{Part, Server, json, reply, stream_head};
use crate::{TOOLS, legacy, legacy_but, result, run};

#[test]
fn a_server_that_wants_authorisation_is_told_how_to_get_it() {
    for (status, challenge) in [("401 Unauthorized", "Bearer"), ("403 Forbidden", "Basic"), ("401 Unauthorized", "")] {
        let header = format!("WWW-Authenticate: {challenge} realm=\"r\"");
        let server = Server::start(move |_, _| {
            let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"who?"}}"#;
            let headers = ["Content-Type: application/json", &header];
            reply(status, if challenge.is_empty() { &headers[..1] } else { &headers }, body)
        });
        let scheme = if challenge.is_empty() { "Bearer" } else { challenge };
        let header = format!("--header 'Authorization: {scheme} ${{TOKEN}}'");
        run(&server.url(), &[]).expect_error("unauthorized", &[&status[..3], &header, "who?"]);
        assert_eq!(server.methods(), ["initialize"]);
    }
}

#[test]
fn other_statuses_are_told_with_the_beginning_of_the_body() {
    for status in ["406 Not Acceptable", "500 Internal Server Error", "502 Bad Gateway", "429 Too Many Requests"] {
        let server = Server::start(move |_, _| {
            reply(status, &["Content-Type: text/html"], &format!("<h1>broken</h1>{}", "x".repeat(1000)))
        });
        let run = run(&server.url(), &[]);
        run.expect_error("http_status", &[&status[..3], "`<h1>broken</h1>x", "xxx…`"]);
        assert!(!run.everything.contains(&"x".repeat(200)));
    }
}

#[test]
fn a_status_is_told_though_its_body_never_ends() {
    let head = "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nout of";
    for method in ["initialize", "tools/list"] {
        let server = legacy_but(method, move |_, _| vec![Part::Bytes(head.into()), Part::Hold]);
        run(&server.url(), &[]).expect_error("http_status", &["500", "out of"]);
    }
}

#[test]
fn a_page_for_people_is_no_answer() {
    let server =
        Server::start(|_, _| reply("200 OK", &["Content-Type: text/html; charset=utf-8"], "<html>Welcome</html>"));
    run(&server.url(), &[]).expect_error("bad_answer", &["text/html", "<html>Welcome", "MCP endpoint"]);
}

#[test]
fn a_compressed_answer_is_told_as_what_it_is() {
    for kind in ["application/json", "text/event-stream"] {
        let kind = format!("Content-Type: {kind}");
        let server =
            legacy_but("tools/list", move |_, _| reply("200 OK", &[&kind, "Content-Encoding: gzip"], "\u{1f}…"));
        run(&server.url(), &[]).expect_error("bad_answer", &["compressed its answer (gzip)"]);
    }
    let server = legacy_but("tools/list", |request, _| {
        reply("200 OK", &["Content-Type: application/json", "Content-Encoding: Identity"], &result(request, TOOLS))
    });
    assert_eq!(run(&server.url(), &[]).exit_code, 0);
}

#[test]
fn an_answer_without_an_answer_is_none() {
    for body in ["", "[]", "{}", "null", r#"{"jsonrpc":"2.0","id":99,"result":{}}"#] {
        let server = legacy_but("tools/list", move |_, _| json(body));
        run(&server.url(), &[]).expect_error("bad_answer", &["`tools/list`"]);
    }
    let server = legacy_but("tools/list", |_, _| reply("202 Accepted", &[], ""));
    run(&server.url(), &[]).expect_error("bad_answer", &["`tools/list`"]);
    let server = legacy_but("tools/list", |_, _| vec![stream_head(), Part::Bytes(b"data: {\"jsonrpc\"".to_vec())]);
    run(&server.url(), &[]).expect_error("bad_answer", &["`tools/list`"]);
}

#[test]
fn an_error_in_a_later_request_is_the_end() {
    for status in ["200 OK", "500 Internal Server Error"] {
        let server = legacy_but("tools/list", move |_, before| match before {
            0 => json(r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"nextCursor":"c"}}"#),
            _ => {
                let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"boom"}}"#;
                reply(status, &["Content-Type: application/json"], body)
            }
        });
        run(&server.url(), &[]).expect_error("rpc_error", &["page 2", "-32603", "boom"]);
    }
}

#[test]
fn bytes_that_are_no_utf8_are_told() {
    let server = legacy_but("tools/list", |request, _| {
        let body = result(request, TOOLS);
        let (before, after) = body.split_once("\"d\"").expect("a description");
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
        vec![Part::Bytes([head.as_bytes(), before.as_bytes(), b"\"\xff\"", after.as_bytes()].concat())]
    });
    run(&server.url(), &[]).expect_error("not_utf8", &["`tools/list`", "offset"]);
}

#[test]
fn silence_ends_at_the_deadline_wherever_it_begins() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    for method in ["initialize", "notifications/initialized", "tools/list"] {
        for what in [&b""[..], b"HTTP/1.1 200", &head[..]] {
            if method.starts_with("notifications") && what.len() > 20 {
                continue;
            }
            let server = legacy_but(method, move |_, _| vec![Part::Bytes(what.to_vec()), Part::Hold]);
            run(&server.url(), &["--timeout", "1s"]).expect_error("timeout", &["1 s passed", "--timeout"]);
        }
    }
}

#[test]
fn a_server_that_drips_ends_at_the_deadline() {
    let server = legacy_but("tools/list", |request, _| {
        let drops = result(request, TOOLS).into_bytes();
        let drops = drops.into_iter().flat_map(|byte| [Part::Bytes(vec![byte]), Part::Pause(Duration::from_secs(1))]);
        std::iter::once(stream_head()).chain(drops).collect()
    });
    run(&server.url(), &["--timeout", "2s"]).expect_error("timeout", &["2 s passed", "`tools/list`"]);
}

#[test]
fn an_answer_beyond_64_mib_is_refused() {
    let piece = vec![b' '; 1024 * 1024];
    for (kind, piece) in [("application/json", piece.clone()), ("text/event-stream", piece)] {
        let server = legacy_but("tools/list", move |_, _| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n");
            vec![Part::Bytes(head.into_bytes()), Part::Repeat(70, piece.clone())]
        });
        run(&server.url(), &[]).expect_error("too_large", &["64 MiB"]);
    }
}

#[test]
fn a_connection_that_breaks_or_is_refused_is_told() {
    let server = legacy_but("tools/list", |_, _| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
        vec![Part::Bytes(head.as_bytes().to_vec())]
    });
    run(&server.url(), &[]).expect_error("connection_failed", &["broke off"]);
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let url = format!("http://127.0.0.1:{port}/mcp");
    run(&url, &[]).expect_error("connection_failed", &[&format!("http://127.0.0.1:{port} cannot be reached")]);
    run("http://no-such-host.invalid/mcp", &[]).expect_error("connection_failed", &["no-such-host.invalid"]);
    run("ftp://127.0.0.1/mcp", &[]).expect_error("connection_failed", &["http://"]);
}

#[test]
fn what_a_server_makes_of_a_notification_does_not_matter() {
    for status in ["200 OK", "204 No Content", "400 Bad Request", "500 Internal Server Error"] {
        let server = legacy_but("notifications/initialized", move |_, _| reply(status, &[], ""));
        run(&server.url(), &[]).expect_tools(&["ok"]);
    }
}

#[test]
fn a_server_that_knows_no_delete_changes_nothing() {
    let server = Server::start(|request, _| match request.rpc_method().as_str() {
        "DELETE" => vec![Part::Hold],
        "initialize" => {
            let headers = ["Content-Type: application/json", "Mcp-Session-Id: s"];
            reply("200 OK", &headers, &result(request, crate::INITIALIZED))
        }
        _ => legacy(request),
    });
    run(&server.url(), &[]).expect_tools(&["ok"]);
}
