//! Job objects: whoever is in the job ends when its last handle is closed, even when this program is killed.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use win32job::{ExtendedLimitInfo, Job};

use super::Exit;

/// The process that was started, the first of its job.
pub(in super::super) struct Leader {
    child: Child,
}

/// The job of a leader; `None` once it was ended.
pub(in super::super) struct Group {
    job: Mutex<Option<Job>>,
}

/// Starts a process in a new job.
pub(super) fn spawn(command: &mut Command) -> io::Result<(Leader, Group)> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
    let mut child = command.spawn()?;
    if let Err(error) = job.assign_process(child.as_raw_handle() as isize) {
        child.kill()?;
        return Err(io::Error::other(error));
    }
    Ok((Leader { child }, Group { job: Mutex::new(Some(job)) }))
}

impl Leader {
    /// The child, for its pipes.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for the end.
    pub(super) fn wait(mut self) -> Exit {
        let status = self.child.wait().ok().and_then(|status| status.code());
        status.map_or(Exit::Unknown, Exit::Code)
    }
}

impl Group {
    /// There is no polite way on Windows: a closed standard input was all the notice that can be given.
    pub(in super::super) fn terminate(&self) {}

    /// Ends every process of the job.
    pub(in super::super) fn kill(&self) {
        drop(self.job.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Ends what is left of the job after its leader.
    pub(in super::super) fn clear(&self, _grace: Duration) {
        self.kill();
    }
}

/// Calls `raised` with the exit code that Ctrl-C, Ctrl-Break or a closed console means.
pub(in super::super) fn watch_signals(raised: impl Fn(u8) -> bool + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || {
        raised(130);
    })
    .map_err(io::Error::other)
}
