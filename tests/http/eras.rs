//! Which era a server belongs to, found out or given.

use crate::server::{Reply, Request, Server, json, reply};
use crate::{DISCOVERED, TOOLS, error, legacy, legacy_but, result, run};

/// A server of 2026-07-28, which refuses `initialize` with this status.
fn modern(status: &'static str, tools: &'static str) -> Server {
    Server::start(move |request, _| match request.rpc_method().as_str() {
        "server/discover" => json(&result(request, DISCOVERED)),
        "tools/list" => json(&result(request, tools)),
        _ => {
            let refusal = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no revision"}}"#;
            reply(status, &["Content-Type: application/json"], refusal)
        }
    })
}

#[track_caller]
fn expect_modern_headers(request: &Request) {
    assert_eq!(request.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(request.header("mcp-method"), Some(request.rpc_method().as_str()));
    assert_eq!(request.header("mcp-session-id"), None);
}

#[test]
fn an_error_to_initialize_means_a_modern_server_whatever_the_status() {
    for status in ["200 OK", "400 Bad Request", "404 Not Found", "500 Internal Server Error"] {
        let server = modern(status, TOOLS);
        let run = run(&server.url(), &[]);
        run.expect_tools(&["ok"]);
        assert_eq!(run.server["protocol"], "2026-07-28");
        assert_eq!(server.methods(), ["initialize", "server/discover", "tools/list"], "{status}");
        server.requests()[1..].iter().for_each(expect_modern_headers);
    }
}

#[test]
fn a_modern_server_is_asked_at_once_when_its_revision_is_named() {
    let server = modern("400 Bad Request", TOOLS);
    run(&server.url(), &["--protocol", "2026-07-28"]).expect_tools(&["ok"]);
    assert_eq!(server.methods(), ["server/discover", "tools/list"]);
    server.requests().iter().for_each(expect_modern_headers);
}

#[test]
fn a_legacy_server_that_was_to_be_modern_is_told_from_its_400() {
    let refusals: [fn(&Request) -> Reply; 2] = [
        |_| reply("400 Bad Request", &["Content-Type: text/plain"], "No valid session ID"),
        |request| {
            let body = error(request, r#"{"code":-32000,"message":"No valid session ID"}"#);
            reply("400 Bad Request", &["Content-Type: application/json"], &body)
        },
    ];
    for refusal in refusals {
        let server = legacy_but("server/discover", move |request, _| refusal(request));
        let run = run(&server.url(), &["--protocol", "2026-07-28"]);
        run.expect_error("http_status", &["400", "No valid session ID", "only revisions before 2026-07-28"]);
    }
}

#[test]
fn no_common_revision_names_those_of_the_server() {
    let server = Server::start(|request, _| {
        let body = error(request, r#"{"code":-32022,"message":"no","data":{"supported":["2031-01-01"]}}"#);
        reply("400 Bad Request", &["Content-Type: application/json"], &body)
    });
    run(&server.url(), &[]).expect_error("no_common_protocol", &["2031-01-01"]);
    run(&server.url(), &["--protocol", "2026-07-28"]).expect_error("no_common_protocol", &["2031-01-01"]);
}

#[test]
fn a_tool_that_modern_clients_drop_is_priced_and_noted() {
    const ODD: &str = r#"{"tools":[{"name":"odd","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}},{"name":"even","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}]}"#;
    let server = modern("200 OK", ODD);
    let run_modern = run(&server.url(), &[]);
    run_modern.expect_tools(&["odd", "even"]);
    assert_eq!(run_modern.notes(), ["invalid_http_header odd"]);
    let server = legacy_but("tools/list", |request, _| json(&result(request, ODD)));
    let run_legacy = run(&server.url(), &[]);
    run_legacy.expect_tools(&["odd", "even"]);
    assert!(run_legacy.notes().is_empty());
}

#[test]
fn the_older_transport_is_guessed_from_a_post_that_is_not_known() {
    for status in ["400 Bad Request", "404 Not Found", "405 Method Not Allowed"] {
        let server = Server::start(move |_, _| reply(status, &["Content-Type: text/plain"], "no"));
        run(&server.url(), &[]).expect_error("http_status", &[&status[..3], "older HTTP+SSE transport", "deprecated"]);
    }
}

#[test]
fn a_server_that_names_no_tools_has_none() {
    let server = Server::start(|request, _| match request.rpc_method().as_str() {
        "initialize" => json(&result(request, r#"{"protocolVersion":"2025-06-18","capabilities":{}}"#)),
        "tools/list" => json(&error(request, r#"{"code":-32601,"message":"Method not found"}"#)),
        _ => legacy(request),
    });
    run(&server.url(), &[]).expect_tools(&[]);
}
