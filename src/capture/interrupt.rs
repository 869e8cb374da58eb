//! Ctrl-C, SIGTERM and SIGHUP. Servers are in groups of their own, so the terminal's Ctrl-C does not reach them:
//! what a signal means here is that every wait ends at once, and that the servers are ended before the program is.
//!
//! While nothing is captured, a signal does to this process what it does to any other.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::process;

/// A signal ended the work; no document is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
    pub exit_code: u8,
}

/// What became of signals, for the whole process: there is only one set of signals.
static STATE: Mutex<State> = Mutex::new(State { raised: None, active: 0, wakers: Vec::new(), last_waker: 0 });

struct State {
    raised: Option<Interrupted>,
    active: usize,
    wakers: Vec<(u64, Box<dyn Fn() + Send>)>,
    last_waker: u64,
}

/// As long as one of these lives, a signal interrupts the work instead of ending this process.
#[derive(Debug)]
pub(super) struct Active(());

impl Active {
    /// Takes over the signals.
    pub(super) fn begin() -> Self {
        static WATCHING: OnceLock<bool> = OnceLock::new();
        state().active += 1;
        // Where signals cannot be watched, they do what they always do.
        WATCHING.get_or_init(|| process::watch_signals(raise).is_ok());
        Active(())
    }

    /// Whether no other work is under way in this process.
    pub(super) fn is_the_only_one(&self) -> bool {
        state().active == 1
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        state().active -= 1;
    }
}

/// The signal that has come, if one has.
pub(super) fn raised() -> Option<Interrupted> {
    state().raised
}

/// Has `wake` called when a signal comes, until the subscription is dropped. `wake` must not block.
pub(super) fn subscribe(wake: impl Fn() + Send + 'static) -> Subscription {
    let mut state = state();
    state.last_waker += 1;
    let number = state.last_waker;
    state.wakers.push((number, Box::new(wake)));
    Subscription(number)
}

/// See [`subscribe`].
#[derive(Debug)]
pub(super) struct Subscription(u64);

impl Drop for Subscription {
    fn drop(&mut self) {
        state().wakers.retain(|(number, _)| *number != self.0);
    }
}

/// Whether the signal was taken care of.
fn raise(exit_code: u8) -> bool {
    let mut state = state();
    if state.active == 0 {
        return false;
    }
    state.raised = state.raised.or(Some(Interrupted { exit_code }));
    state.wakers.iter().for_each(|(_, wake)| wake());
    true
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}
