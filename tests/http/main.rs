//! Streamable HTTP through the binary, against a server inside the test: what real servers do, and every fault.

mod answers;
mod eras;
mod faults;
mod places;
mod server;
#[cfg(unix)]
mod signals;
mod tls;

use std::process::Command;

use serde_json::Value;

use server::{Reply, Request, Server, json, reply};

/// What a run of the binary says about its only server.
pub(crate) struct Run {
    pub(crate) server: Value,
    pub(crate) exit_code: i32,
    pub(crate) everything: String,
}

impl Run {
    #[track_caller]
    pub(crate) fn expect_tools(&self, expected: &[&str]) {
        let tools = self.server["tools"].as_array().expect("there is a list");
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().expect("a tool has a name")).collect();
        assert_eq!((names.as_slice(), self.exit_code), (expected, 0), "{}", self.everything);
    }

    #[track_caller]
    pub(crate) fn expect_error(&self, code: &str, words: &[&str]) {
        assert_eq!((&self.server["error"]["code"], self.exit_code), (&Value::from(code), 3), "{}", self.everything);
        let message = self.server["error"]["message"].as_str().expect("an error has a message");
        for part in words {
            assert!(message.contains(part), "`{part}` is missing in: {message}");
        }
    }

    /// The codes of the notes, with the tools that they are about.
    pub(crate) fn notes(&self) -> Vec<String> {
        let notes = self.server["notes"].as_array().expect("there are notes");
        let text = |note: &Value| match note["tool"].as_str() {
            Some(tool) => format!("{} {tool}", note["code"].as_str().unwrap_or_default()),
            None => note["code"].as_str().unwrap_or_default().to_owned(),
        };
        notes.iter().map(text).collect()
    }
}

/// Prices the server at a URL.
pub(crate) fn run(url: &str, arguments: &[&str]) -> Run {
    run_with(url, arguments, &[])
}

/// Prices the server at a URL, with these variables in the environment.
pub(crate) fn run_with(url: &str, arguments: &[&str], env: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-footprint"));
    command.args(["report", "--url", url, "--format", "json"]).args(arguments);
    if !arguments.contains(&"--timeout") {
        command.args(["--timeout", "20s"]);
    }
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(name);
    }
    let output = command.envs(env.iter().copied()).output().expect("the binary runs");
    let stdout = String::from_utf8(output.stdout).expect("documents are UTF-8");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let document: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("no document: {stdout}{stderr}"));
    Run {
        server: document["servers"][0].clone(),
        exit_code: output.status.code().unwrap_or(-1),
        everything: format!("{stdout}{stderr}"),
    }
}

pub(crate) const INITIALIZED: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"i"}"#;
pub(crate) const DISCOVERED: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#;
pub(crate) const TOOLS: &str = r#"{"tools":[{"name":"ok","description":"d","inputSchema":{"type":"object"}}]}"#;

/// The answer to a request.
pub(crate) fn result(request: &Request, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request.id())
}

/// The error to a request.
pub(crate) fn error(request: &Request, error: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, request.id())
}

/// What an ordinary server of the legacy era says, in JSON.
pub(crate) fn legacy(request: &Request) -> Reply {
    match request.rpc_method().as_str() {
        "initialize" => json(&result(request, INITIALIZED)),
        "tools/list" => json(&result(request, TOOLS)),
        "DELETE" => reply("200 OK", &[], ""),
        method if method.starts_with("notifications/") => reply("202 Accepted", &[], ""),
        _ => reply("404 Not Found", &[], ""),
    }
}

/// An ordinary server whose answer to one method is another one.
pub(crate) fn legacy_but(
    method: &'static str,
    answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
) -> Server {
    Server::start(move |request, before| match request.rpc_method() == method {
        true => answer(request, before),
        false => legacy(request),
    })
}
