//! A `prepare` that passes its deadline. Through the binary that deadline is ten minutes, so it is shortened here.

#![cfg(unix)]

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use mcp_footprint::capture::source::Origin;
use mcp_footprint::capture::{Captures, Launch, Source, Stage, Target, capture_all};
use mcp_footprint::codes::ErrorCode;
use mcp_footprint::secrets::Secrets;
use rustix::process::{Pid, test_kill_process};

/// A server that leaves a file where it is launched, behind a preparation by `sh`.
fn prepared_by(script: &str, folder: &Path, secrets: Secrets) -> Target {
    Target {
        name: None,
        source: Source::Stdio(Launch {
            prepare: Some(["sh", "-c", script].map(str::to_owned).into()),
            prepare_timeout: Duration::from_secs(3),
            command: "touch".to_owned(),
            args: vec!["launched".to_owned()],
            env: Vec::new(),
            cwd: folder.to_owned(),
        }),
        origin: Origin::default(),
        protocol: None,
        capabilities: Vec::new(),
        timeout: Duration::from_secs(60),
        secrets,
    }
}

#[test]
fn no_part_of_a_secret_is_told_where_a_line_is_cut_or_broken() {
    let folder = tempfile::tempdir().unwrap();
    let mut secrets = Secrets::default();
    secrets.add("TOKEN", "hunter22");
    secrets.add("KEY", "first part\nsecond part");
    let script = "head -c 65532 /dev/zero | tr '\\0' .; echo 'hunter22, and the rest'; echo 'of first part'; \
                  echo 'second part, of it'; echo 'the last line'; exit 1";
    let told = Mutex::new(Vec::new());
    let tell = |_, stage| {
        if let Stage::Prepared(line) = stage {
            told.lock().unwrap().push(line);
        }
    };
    let captures = capture_all(&[prepared_by(script, folder.path(), secrets)], 1, &tell).unwrap();
    captures.endings.finish().unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(told[1..], ["of [KEY]", "[KEY], of it", "the last line"]);
    assert!(told[0].starts_with("...") && told[0].ends_with("...…"), "{}", told[0]);
    let tail = captures.outcomes[0].clone().unwrap_err().stderr_tail.unwrap();
    assert!(tail.contains("[TOKEN], and the rest"), "{tail}");
}

#[test]
fn a_prepare_that_passes_its_deadline_is_ended_with_its_children_and_no_server_is_launched() {
    let folder = tempfile::tempdir().unwrap();
    // Neither of the two heeds a polite end.
    let script = "trap '' TERM; sleep 3600 & echo $$ $!; echo 'error: hunter22 is locked' >&2; wait";
    let mut secrets = Secrets::default();
    secrets.add("TOKEN", "hunter22");
    let target = prepared_by(script, folder.path(), secrets);
    let Captures { outcomes, endings } = capture_all(&[target], 1, &|_, _| ()).unwrap();
    let failure = outcomes[0].clone().unwrap_err();
    endings.finish().unwrap();
    assert_eq!(failure.code, ErrorCode::PrepareFailed);
    assert!(failure.message.contains("failed: did not end within 3 s"), "{failure}");
    let written = failure.stderr_tail.unwrap();
    assert!(written.contains("error: [TOKEN] is locked"), "{written}");
    let pids: Vec<i32> = written.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(pids.len(), 2, "{written}");
    for pid in pids {
        assert!(test_kill_process(Pid::from_raw(pid).unwrap()).is_err(), "{pid} is still alive");
    }
    assert!(!folder.path().join("launched").exists());
}
