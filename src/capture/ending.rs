//! The end of servers, behind the scenes: once a list is in, the verdict is known, and a server that takes its time
//! to leave must not make the user wait. Yet nothing of it may be left when the program ends.
//!
//! Standard input is closed; after 300 ms the group is asked to end, and killed 2 s after the beginning.

use std::convert::Infallible;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::interrupt::{self, Active, Interrupted};
use super::process::{self, Group};
use crate::codes::{Note, NoteCode};

/// How long a server has to leave by itself, and what is left of a group after its leader to heed SIGTERM.
const GRACE: Duration = Duration::from_millis(300);
/// When a group is killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Servers that are being ended in the background. To drop it is to wait for them.
#[derive(Debug)]
pub struct Endings {
    threads: Mutex<Vec<JoinHandle<()>>>,
    active: Active,
}

impl Endings {
    /// Nothing to end yet.
    pub(super) fn begin() -> Self {
        let active = Active::begin();
        process::adopt_orphans();
        Endings { threads: Mutex::default(), active }
    }

    /// Waits until every server is gone, with all that it started, which takes 2 s and a little at most. Gives a
    /// note about processes that had left the group of their server, where the operating system lets one know.
    ///
    /// # Errors
    /// [`Interrupted`] when a signal came at any time since the capture began.
    pub fn finish(self) -> Result<Option<Note>, Interrupted> {
        let note = self.wait();
        interrupt::raised().map_or(Ok(note), Err)
    }

    /// Has the group ended when the guard is dropped. `woken` hears when the leader has ended.
    ///
    /// # Errors
    /// When there is no thread to be had for it; the group is killed then.
    pub(super) fn guard(&self, group: Group, wake: Sender<Wake>, woken: Receiver<Wake>) -> io::Result<Guard> {
        let group = Arc::new(group);
        let ending = Ending { group: Arc::clone(&group), wake, woken };
        let (guard, dropped) = mpsc::channel();
        let thread = thread::Builder::new().spawn(move || {
            let Err(RecvError) = dropped.recv();
            ending.run();
        });
        let thread = thread.inspect_err(|_| group.kill())?;
        lock(&self.threads).push(thread);
        Ok(Guard { _alive: guard })
    }

    /// Does some last work in the background; without a thread to be had for it, it is left undone.
    pub(super) fn run(&self, work: impl FnOnce() + Send + 'static) {
        if let Ok(thread) = thread::Builder::new().spawn(work) {
            lock(&self.threads).push(thread);
        }
    }

    fn wait(&self) -> Option<Note> {
        // A thread that was added while others were joined is seen by the next look.
        while let Some(thread) = lock(&self.threads).pop() {
            let _ = thread.join();
        }
        if !self.active.is_the_only_one() {
            return None;
        }
        let escaped = process::end_adopted(GRACE);
        let what = match escaped.len() {
            0 => return None,
            1 => "1 process had left the group of its server and was ended apart".to_owned(),
            many => format!("{many} processes had left the group of their server and were ended apart"),
        };
        Some(Note::new(NoteCode::Escaped, format!("{what}: {}", escaped.join(", "))))
    }
}

impl Drop for Endings {
    fn drop(&mut self) {
        self.wait();
    }
}

/// Ends a process group when it is dropped, whatever the reason is.
#[derive(Debug)]
pub(super) struct Guard {
    _alive: Sender<Infallible>,
}

/// What ends a wait of an ending.
pub(super) enum Wake {
    /// The leader of the group has ended.
    Exited,
    /// A signal came.
    Interrupted,
}

struct Ending {
    group: Arc<Group>,
    wake: Sender<Wake>,
    woken: Receiver<Wake>,
}

impl Ending {
    /// Whoever dropped the guard has closed the standard input of the server.
    fn run(self) {
        let wake = self.wake.clone();
        let _subscription = interrupt::subscribe(move || {
            let _ = wake.send(Wake::Interrupted);
        });
        if interrupt::raised().is_some() || !self.leaves_within(GRACE) {
            self.group.terminate();
            let hurry = interrupt::raised().is_some();
            if !self.leaves_within(if hurry { GRACE } else { PATIENCE - GRACE }) {
                self.group.kill();
                if !self.leaves_within(PATIENCE) && !self.leaves_within(PATIENCE) {
                    // The kernel does not let go of it; there is nothing that a program can do about that.
                    return;
                }
            }
        }
        self.group.clear(GRACE);
    }

    /// Waits for the end of the leader. A signal cuts the wait short.
    fn leaves_within(&self, limit: Duration) -> bool {
        matches!(self.woken.recv_timeout(limit), Ok(Wake::Exited))
    }
}

fn lock(threads: &Mutex<Vec<JoinHandle<()>>>) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
    threads.lock().unwrap_or_else(PoisonError::into_inner)
}
