//! Process groups and signals.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::Exit;

/// The process that was started, the first of its group.
pub(in super::super) struct Leader {
    child: Child,
    pid: Pid,
}

/// The process group of a leader.
pub(in super::super) struct Group {
    leader: Pid,
}

/// Starts a process as the leader of a new group.
pub(super) fn spawn(command: &mut Command) -> io::Result<(Leader, Group)> {
    let child = command.process_group(0).spawn()?;
    let pid = Pid::from_child(&child);
    Ok((Leader { child, pid }, Group { leader: pid }))
}

impl Leader {
    /// The child, for its pipes.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for the end without reaping: until [`Group::clear`] reaps the leader, nobody else can get its number,
    /// and a signal to the group cannot hit a stranger.
    pub(super) fn wait(self) -> Exit {
        let status = loop {
            match rustix::process::waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
                Err(rustix::io::Errno::INTR) => {}
                status => break status,
            }
        };
        let Ok(Some(status)) = status else { return Exit::Unknown };
        let code = status.exit_status().map(Exit::Code);
        code.or(status.terminating_signal().map(Exit::Signal)).unwrap_or(Exit::Unknown)
    }
}

impl Group {
    /// Asks every process of the group to end.
    pub(in super::super) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends every process of the group.
    pub(in super::super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Reaps the leader, which has ended, and ends what is left of the group: asked first, killed after `grace`.
    pub(in super::super) fn clear(&self, grace: Duration) {
        let _ = rustix::process::waitid(WaitId::Pid(self.leader), WaitIdOptions::EXITED);
        if !self.signal(Signal::TERM) {
            return;
        }
        self.reap_orphans(grace);
        self.signal(Signal::KILL);
        // What was killed needs a moment to be gone.
        self.reap_orphans(Duration::from_secs(1));
    }

    /// Waits until those of the group that were adopted are gone, but no longer than `limit`.
    fn reap_orphans(&self, limit: Duration) {
        let group = self.leader;
        wait_for(limit, move || while matches!(rustix::process::waitpgid(group, WaitOptions::empty()), Ok(Some(_))) {});
    }

    /// Whether there was anybody to hear it.
    fn signal(&self, signal: Signal) -> bool {
        rustix::process::kill_process_group(self.leader, signal).is_ok()
    }
}

/// Does `work` on a thread and waits for it, but no longer than `limit`.
pub(super) fn wait_for(limit: Duration, work: impl FnOnce() + Send + 'static) {
    let (done, finished) = std::sync::mpsc::channel::<()>();
    let spawned = thread::Builder::new().spawn(move || {
        work();
        drop(done);
    });
    if spawned.is_ok() {
        let _ = finished.recv_timeout(limit);
    }
}

/// Calls `raised` with the exit code that each of SIGINT, SIGTERM and SIGHUP means, as long as it says that it has
/// taken care of it; else the signal does what it does to any process. A SIGHUP that was ignored from the start, as
/// `nohup` has it, stays ignored.
pub(in super::super) fn watch_signals(raised: impl Fn(u8) -> bool + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            let exit_code = u8::try_from(128 + signal).unwrap_or(u8::MAX);
            if !raised(exit_code) {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        }
    })?;
    Ok(())
}

/// Whether this process has the signal ignored. Only Linux tells without unsafe code; elsewhere the answer is no.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask >> (signal - 1) & 1 == 1
}
