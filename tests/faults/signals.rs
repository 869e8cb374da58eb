//! Ctrl-C, SIGTERM and SIGHUP at every stage of a run: the servers end with the program, and no half document is left.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::play::{budgets, scripted, wait};
use super::processes::{self, Mark};

const INITIALIZE: &str = "initialize\nexpect tools/list\n";
const PAGE: &str = r#"send {"jsonrpc":"2.0","id":$id,"result":{"tools":[{"name":"a"}],"nextCursor":"2"}}"#;
const LAST_PAGE: &str = r#"send {"jsonrpc":"2.0","id":$id,"result":{"tools":[{"name":"b"}]}}"#;

/// A test run that was started with `nohup` hands down that SIGHUP is ignored, and so it would be.
const HEARS_HANG_UPS: &[&str] = if cfg!(target_os = "linux") { &["env", "--default-signal=HUP"] } else { &[] };

/// What came of a run that a signal was sent to once its scenario had come to `mark`.
struct Ended {
    code: Option<i32>,
    stdout: String,
    left: usize,
}

/// Plays `steps`; `before` are words to launch the program with, `check` plays it through a budgets.toml.
fn interrupt(steps: &str, before: &[&str], check: bool, signal: Signal) -> Ended {
    let (mark, folder) = (Mark::new("signal"), tempfile::tempdir().expect("a folder for one test"));
    let (file, came) = (folder.path().join("scenario"), folder.path().join("came"));
    std::fs::write(&file, format!("about: a signal\n---\n{steps}\n")).expect("the folder takes files");
    let words =
        HEARS_HANG_UPS.iter().chain(before).map(Path::new).chain([Path::new(env!("CARGO_BIN_EXE_mcp-footprint"))]);
    let words: Vec<_> = words.collect();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    if check {
        std::fs::write(folder.path().join("budgets.toml"), budgets(&file)).expect("the folder takes files");
        command.args(["check", "--format", "json"]);
    } else {
        command.args(["--format", "json", "--"]).arg(scripted()).arg(&file);
    }
    command.env(Mark::VARIABLE, mark.value()).env("SCRIPTED_MARK", &came).current_dir(folder.path());
    let stdout = folder.path().join("stdout");
    command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(File::create(&stdout).expect("the folder takes files"));
    let child = command.spawn().expect("the program was built for this test");
    let start = Instant::now();
    while !came.exists() {
        assert!(start.elapsed() < Duration::from_secs(50), "the scenario never came to its mark:\n{steps}");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), signal).expect("the program still runs");
    let status = wait(child).unwrap_or_else(|| panic!("the program stayed after {signal:?}:\n{steps}"));
    let left = processes::alive(&mark).len();
    Ended { code: status.code(), stdout: std::fs::read_to_string(stdout).expect("the file was just written"), left }
}

#[test]
fn a_signal_at_any_stage_ends_the_servers_and_leaves_no_document() {
    let stages = [
        ("before the answer to initialize", "spawn child\nmark\nstay".to_owned(), false),
        ("before the list", format!("{INITIALIZE}mark\nstay"), false),
        ("between two pages", format!("{INITIALIZE}{PAGE}\nexpect tools/list\nmark\nstay"), false),
        ("with a server that heeds no SIGTERM", format!("ignore TERM\n{INITIALIZE}mark\nstay"), false),
        ("while prepare runs", "--- prepare\nspawn child\nmark\nstay".to_owned(), true),
    ];
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        for (stage, steps, check) in &stages {
            let ended = interrupt(steps, &[], *check, signal);
            assert_eq!(ended.code, Some(code), "{signal:?} {stage}");
            assert_eq!(ended.stdout, "", "{signal:?} {stage}");
            assert_eq!(ended.left, 0, "{signal:?} {stage}: processes are left");
        }
    }
}

#[test]
fn a_signal_while_servers_are_being_ended_leaves_the_whole_document_or_none() {
    let steps = format!("ignore TERM\n{INITIALIZE}{LAST_PAGE}\neof\nmark\nstay");
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let ended = interrupt(&steps, &[], false, signal);
        assert_eq!((ended.code, ended.left), (Some(code), 0), "{signal:?}");
        let is_whole = serde_json::from_str::<serde_json::Value>(&ended.stdout).is_ok();
        assert!(ended.stdout.is_empty() || is_whole, "{}", ended.stdout);
    }
}

/// Other systems do not tell a program what it has inherited.
#[test]
#[cfg(target_os = "linux")]
fn a_hang_up_that_is_ignored_from_the_start_stays_ignored() {
    let steps = format!("{INITIALIZE}mark\nsleep 500\n{LAST_PAGE}");
    let ended = interrupt(&steps, &["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"], false, Signal::HUP);
    assert_eq!((ended.code, ended.left), (Some(0), 0));
}
