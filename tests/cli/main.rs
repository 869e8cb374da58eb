//! The program through its binary, as people and scripts meet it: every message stands in a snapshot beside the command
//! that gave it, with its exit code. Servers are the examples `notes` and `scripted`, which `cargo test` builds.

mod broken_servers;
mod budgets_files;
mod ci;
mod clients;
mod defer;
mod documents;
mod files;
mod flags;
mod fleet;
mod gate;
mod help;
mod init;
mod notes;
mod pin;
mod place;
mod study;

use mcp_footprint::codes::{ErrorCode, NoteCode};

#[test]
fn every_code_that_a_process_or_a_file_can_give_stands_in_a_snapshot() {
    let of_http = ["http_status", "unauthorized", "connection_failed", "cross_origin_redirect", "invalid_http_header"];
    // The words of the first are the system's own, and a test of its own asserts the code; the second needs a base, and
    // stands in the snapshots of the formats that compare with one.
    let apart = ["unreadable", "raised"];
    let folder = |name| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let folders = ["tests/cli/snapshots", "tests/audit/snapshots"].map(folder);
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let snapshots = files.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let told: String = snapshots.collect();
    let codes = ErrorCode::ALL.iter().map(|code| code.as_str()).chain(NoteCode::ALL.iter().map(|code| code.as_str()));
    let missing: Vec<_> = codes
        .filter(|code| !of_http.contains(code) && !apart.contains(code))
        .filter(|code| !told.contains(&format!("({code})")) && !told.contains(&format!("\"code\": \"{code}\"")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
