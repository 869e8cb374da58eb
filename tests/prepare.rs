//! A `prepare` that passes its deadline. Through the binary that deadline is ten minutes, so it is shortened here.

#![cfg(unix)]

use std::time::Duration;

use mcp_footprint::capture::source::Origin;
use mcp_footprint::capture::{Captures, Launch, Source, Target, capture_all};
use mcp_footprint::codes::ErrorCode;
use mcp_footprint::secrets::Secrets;
use rustix::process::{Pid, test_kill_process};

#[test]
fn a_prepare_that_passes_its_deadline_is_ended_with_its_children_and_no_server_is_launched() {
    let folder = tempfile::tempdir().unwrap();
    // Neither of the two heeds a polite end.
    let script = "trap '' TERM; sleep 3600 & echo $$ $!; echo 'error: hunter22 is locked' >&2; wait";
    let mut secrets = Secrets::default();
    secrets.add("TOKEN", "hunter22");
    let target = Target {
        name: None,
        source: Source::Stdio(Launch {
            prepare: Some(["sh", "-c", script].map(str::to_owned).into()),
            prepare_timeout: Duration::from_secs(3),
            command: "touch".to_owned(),
            args: vec!["launched".to_owned()],
            env: Vec::new(),
            cwd: folder.path().to_owned(),
        }),
        origin: Origin::default(),
        protocol: None,
        capabilities: Vec::new(),
        timeout: Duration::from_secs(60),
        secrets,
    };
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
