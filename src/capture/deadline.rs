//! The one deadline of a capture: how long is left of it, and what ends a wait sooner.

use std::time::{Duration, Instant};

use super::interrupt;
use crate::codes::{ErrorCode, Failure};

/// A limit that began to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    limit: Duration,
    end: Instant,
}

impl Deadline {
    /// A limit that begins to run now.
    pub(super) fn after(limit: Duration) -> Self {
        Deadline { limit, end: Instant::now() + limit }
    }

    /// The moment at which it passes.
    pub(super) fn end(&self) -> Instant {
        self.end
    }

    /// How long a wait may take; `None` when the time is up.
    ///
    /// # Errors
    /// [`interrupted`], when a signal ends the run.
    pub(super) fn left(&self) -> Result<Option<Duration>, Failure> {
        if interrupt::raised().is_some() {
            return Err(interrupted());
        }
        let left = self.end.saturating_duration_since(Instant::now());
        Ok((!left.is_zero()).then_some(left))
    }

    /// The whole limit as people say it.
    pub(super) fn in_words(&self) -> String {
        let seconds = self.limit.as_secs_f64();
        if seconds >= 120.0 && seconds % 60.0 == 0.0 {
            format!("{} min", seconds / 60.0)
        } else {
            format!("{seconds} s")
        }
    }
}

/// Unwinds a capture after a signal. Nobody reads it, since the whole run ends without a document.
pub(super) fn interrupted() -> Failure {
    Failure::new(ErrorCode::Exited, "a signal ended the work")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_ends_with_the_limit() {
        let limit = Duration::from_secs(3600);
        assert!(Deadline::after(limit).left().unwrap().is_some_and(|left| left <= limit));
        assert_eq!(Deadline::after(Duration::ZERO).left().unwrap(), None);
    }

    #[test]
    fn limits_are_said_in_minutes_where_those_are_whole() {
        let said = |seconds| Deadline::after(Duration::from_secs_f64(seconds)).in_words();
        assert_eq!([said(0.5), said(60.0), said(90.0), said(600.0)], ["0.5 s", "60 s", "90 s", "10 min"]);
    }
}
