//! Signals while a server at a URL keeps the program waiting.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::legacy_but;
use crate::server::Part;

const BINARY: &str = env!("CARGO_BIN_EXE_mcp-footprint");

#[test]
fn a_signal_ends_the_wait_and_leaves_no_document() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        for method in ["initialize", "tools/list"] {
            let server = legacy_but(method, |_, _| vec![Part::Hold]);
            // A test run that was started with `nohup` hands down that SIGHUP is ignored.
            let mut command = Command::new(if cfg!(target_os = "linux") { "env" } else { BINARY });
            if cfg!(target_os = "linux") {
                command.args(["--default-signal=HUP", BINARY]);
            }
            command.args(["report", "--url", &server.url(), "--format", "json"]).stdin(Stdio::null());
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
            let start = Instant::now();
            while !server.methods().iter().any(|seen| seen == method) {
                assert!(start.elapsed() < Duration::from_secs(30), "{method} was never sent");
                std::thread::sleep(Duration::from_millis(5));
            }
            kill_process(Pid::from_child(&child), signal).expect("the program still runs");
            let output = child.wait_with_output().expect("the program ends");
            assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(code), &b""[..]), "{method}");
        }
    }
}
