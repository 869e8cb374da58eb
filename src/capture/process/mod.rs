//! A child process in a group of its own, so that its end is the end of everything that it started.
//!
//! `npx`, `uvx` and `sh -c` put grandchildren between us and the server; to end only the child leaves them alive.
//! What differs by operating system stands in pairs of files, behind the same few names.

#[cfg(target_os = "linux")]
mod orphans;
#[cfg(not(target_os = "linux"))]
#[path = "no_orphans.rs"]
mod orphans;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;

use std::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::mpsc;
use std::thread;

use super::ending::{Endings, Guard, Wake};

pub(super) use orphans::{adopt_orphans, end_adopted};
pub(super) use system::{Group, watch_signals};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    #[cfg(unix)]
    Signal(i32),
    /// The operating system does not say.
    Unknown,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Code(code) => write!(out, "exited with code {code}"),
            #[cfg(unix)]
            Exit::Signal(signal) => match signal_hook::low_level::signal_name(*signal) {
                Some(name) => write!(out, "was ended by signal {signal} ({name})"),
                None => write!(out, "was ended by signal {signal}"),
            },
            Exit::Unknown => out.write_str("ended"),
        }
    }
}

/// A running process: our ends of its pipes, and the guard that ends it.
pub(super) struct Process {
    /// Ends the process and its group when it is dropped.
    pub(super) guard: Guard,
    /// `None` where it was not piped.
    pub(super) stdin: Option<ChildStdin>,
    /// `None` where it was not piped.
    pub(super) stdout: Option<ChildStdout>,
    /// `None` where it was not piped.
    pub(super) stderr: Option<ChildStderr>,
}

/// Starts `command` in a group of its own. `exited` is called, on a thread of its own, once it has ended by itself.
///
/// # Errors
/// What the operating system says when it does not start.
pub(super) fn launch(
    command: &mut Command,
    endings: &Endings,
    exited: impl FnOnce(Exit) + Send + 'static,
) -> std::io::Result<Process> {
    let (mut leader, group) = system::spawn(command)?;
    let (wake, woken) = mpsc::channel();
    let process = Process {
        guard: endings.guard(group, wake.clone(), woken)?,
        stdin: leader.child().stdin.take(),
        stdout: leader.child().stdout.take(),
        stderr: leader.child().stderr.take(),
    };
    thread::Builder::new().spawn(move || {
        let exit = leader.wait();
        // Whoever waits may be gone: the end of a process is nobody's business then.
        let _ = wake.send(Wake::Exited);
        exited(exit);
    })?;
    Ok(process)
}
