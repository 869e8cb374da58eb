//! Where a message goes: redirects, and who may see a header.

use crate::server::{Server, json, reply};
use crate::{TOOLS, error, legacy, legacy_but, result, run, run_with};

const TOKEN: &str = "Authorization: Bearer hunter22-is-the-token";

#[test]
fn a_redirect_within_the_origin_is_followed_with_everything() {
    for status in ["307 Temporary Redirect", "308 Permanent Redirect"] {
        let server = Server::start(move |request, _| match request.path.as_str() {
            "/mcp" => reply(status, &["Location: /mcp/"], ""),
            _ => legacy(request),
        });
        run(&server.url(), &["--header", TOKEN]).expect_tools(&["ok"]);
        let requests = server.requests();
        let arrived: Vec<_> = requests.iter().filter(|request| request.path == "/mcp/").collect();
        assert_eq!(arrived.len(), 3);
        for request in arrived {
            assert_eq!(request.method, "POST");
            assert!(request.body.starts_with('{'));
            assert_eq!(request.header("authorization"), Some("Bearer hunter22-is-the-token"));
        }
    }
}

#[test]
fn another_origin_gets_nothing_at_all() {
    for status in ["307 Temporary Redirect", "308 Permanent Redirect", "301 Moved Permanently", "302 Found"] {
        let other = Server::start(|request, _| legacy(request));
        let location = format!("Location: http://127.0.0.1:{}/mcp?key=of-theirs", other.port);
        let server = Server::start(move |_, _| reply(status, &[&location], ""));
        let run = run(&server.url(), &["--header", TOKEN]);
        let origin = format!("http://127.0.0.1:{}", other.port);
        run.expect_error("cross_origin_redirect", &["another origin", &origin]);
        assert!(other.requests().is_empty());
        assert!(!run.everything.contains("of-theirs"));
    }
}

#[test]
fn a_redirect_that_would_lose_the_message_is_told() {
    let server = Server::start(|_, _| reply("302 Found", &["Location: /login"], ""));
    run(&server.url(), &[]).expect_error("http_status", &["302", "/login", "give the URL"]);
}

#[test]
fn a_redirect_in_a_circle_comes_to_an_end() {
    let server = Server::start(|_, _| reply("307 Temporary Redirect", &["Location: /mcp"], ""));
    run(&server.url(), &[]).expect_error("http_status", &["307"]);
    assert!(server.requests().len() < 20);
}

#[test]
fn user_info_of_the_url_is_sent_as_basic_authorisation() {
    let server = legacy_but("tools/list", |request, _| match request.header("authorization") {
        Some("Basic YWxpY2U6d29uZGVybGFuZA==") => json(&result(request, TOOLS)),
        _ => reply("401 Unauthorized", &[], ""),
    });
    run(&format!("http://alice:wonderland@127.0.0.1:{}/mcp", server.port), &[]).expect_tools(&["ok"]);
}

#[test]
fn the_query_is_sent_as_it_was_given() {
    let server = Server::start(|request, _| match request.path.as_str() {
        "/mcp?key=a%20b&x=1" => legacy(request),
        _ => reply("404 Not Found", &[], ""),
    });
    run(&format!("{}?key=a%20b&x=1", server.url()), &[]).expect_tools(&["ok"]);
}

#[test]
fn no_secret_stands_in_any_message() {
    // Repeats everything that it was sent, where a person would see it.
    let echoes = |status: &'static str| {
        Server::start(move |request, _| {
            let headers: String = request.headers.iter().map(|(name, value)| format!("{name}={value} ")).collect();
            // The first 200 characters end within each of the secrets once.
            let body = format!("{} {headers}", request.path);
            let body = request
                .header("x-length")
                .map_or(body.clone(), |length| format!("{}{body}", ".".repeat(length.parse().unwrap_or(0))));
            reply(
                status,
                &["Content-Type: text/plain", "WWW-Authenticate: Bearer realm=\"hunter22-is-the-token\""],
                &body,
            )
        })
    };
    for status in ["500 Internal Server Error", "401 Unauthorized", "400 Bad Request", "200 OK"] {
        let server = echoes(status);
        for length in ["0", "120", "140", "160", "180", "190"] {
            let url = format!("http://alice:wonderland@127.0.0.1:{}/mcp?key=looking-glass", server.port);
            let length = format!("X-Length: {length}");
            let run = run(&url, &["--header", "X-Api-Key: hunter22-is-the-token", "--header", &length]);
            assert_eq!(run.exit_code, 3);
            for secret in ["hunter22", "wonderland", "looking", "YWxpY2U6"] {
                assert!(!run.everything.contains(secret), "{secret}: {}", run.everything);
            }
        }
    }
}

#[test]
fn a_header_of_the_users_never_replaces_one_of_the_protocol() {
    let server = Server::start(|request, _| legacy(request));
    run(&server.url(), &["--header", "Accept: text/html", "--header", "User-Agent: me/1"]).expect_tools(&["ok"]);
    for request in server.requests() {
        let accepts: Vec<_> = request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("accept")).collect();
        assert_eq!(accepts.len(), 1);
        assert_eq!(request.header("accept"), Some("application/json, text/event-stream"));
        assert_eq!(request.header("user-agent"), Some("me/1"));
    }
}

#[test]
fn no_beginning_of_a_secret_is_left_where_an_error_is_cut() {
    for length in 486..=500 {
        let server = Server::start(move |request, _| {
            let key = request.header("x-api-key").unwrap_or_default();
            let message = format!("{}{key}", ".".repeat(length));
            json(&error(request, &format!(r#"{{"code":-32000,"message":"{message}"}}"#)))
        });
        let run = run(&server.url(), &["--header", "X-Api-Key: hunter22-is-the-token"]);
        run.expect_error("rpc_error", &["-32000"]);
        assert!(!run.everything.contains("hunt"), "{length}: {}", run.everything);
    }
}

#[test]
fn the_proxy_of_the_environment_is_used_for_its_scheme_and_its_exceptions_hold() {
    let proxy = Server::start(|_, _| reply("502 Bad Gateway", &[], ""));
    let address = format!("http://alice:wonderland@127.0.0.1:{}", proxy.port);
    let far = "http://server.invalid/mcp";
    let direct = run_with(far, &[], &[("https_proxy", &address)]);
    direct.expect_error("connection_failed", &["server.invalid"]);
    run_with(far, &[], &[("http_proxy", &address), ("NO_PROXY", "server.invalid")])
        .expect_error("connection_failed", &[]);
    let near = Server::start(|request, _| legacy(request));
    run_with(&near.url(), &[], &[("http_proxy", &address)]).expect_tools(&["ok"]);
    assert!(proxy.requests().is_empty());
    let run = run_with(far, &[], &[("http_proxy", &address)]);
    assert_eq!(run.exit_code, 3);
    assert_eq!(proxy.requests().len(), 1);
    assert!(!run.everything.contains("wonderland"), "{}", run.everything);
    let run = run_with(far, &[], &[("http_proxy", "gopher://wonderland")]);
    run.expect_error("connection_failed", &["http_proxy"]);
    assert!(!run.everything.contains("wonderland"), "{}", run.everything);
}
