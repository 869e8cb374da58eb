//! The last words of a process on its standard error: read always, since a full pipe blocks the writer, and kept
//! up to 64 KiB.

use std::io::Read;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::secrets::Secrets;

/// What is shown.
const KEPT: usize = 64 * 1024;
/// What is kept beyond that, so that no secret is cut in two where the shown part begins.
const MARGIN: usize = 64 * 1024;

/// The tail of a stream that a thread of its own reads.
pub(super) struct Tail {
    bytes: Arc<Mutex<Vec<u8>>>,
    finished: Receiver<()>,
}

impl Tail {
    /// Reads `stream` until its end, on a thread that nobody waits for: who holds the other end is unknown.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub(super) fn read(mut stream: impl Read + Send + 'static) -> std::io::Result<Self> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (finish, finished) = mpsc::channel();
        let kept = Arc::clone(&bytes);
        thread::Builder::new().spawn(move || {
            let mut chunk = [0; 8 * 1024];
            while let Ok(read @ 1..) = stream.read(&mut chunk) {
                push(&mut lock(&kept), &chunk[..read]);
            }
            drop(finish);
        })?;
        Ok(Tail { bytes, finished })
    }

    /// Waits for the end of the stream, but no longer than `limit`.
    pub(super) fn wait(&self, limit: Duration) {
        let _ = self.finished.recv_timeout(limit);
    }

    /// What was read last, with the secrets masked.
    pub(super) fn text(&self, secrets: &Secrets) -> String {
        shown(&lock(&self.bytes), secrets)
    }
}

/// Adds to what is kept, and forgets what is too old.
pub(super) fn push(kept: &mut Vec<u8>, chunk: &[u8]) {
    kept.extend_from_slice(chunk);
    if kept.len() > 2 * (KEPT + MARGIN) {
        kept.drain(..kept.len() - (KEPT + MARGIN));
    }
}

/// The last 64 KiB of what is kept, with the secrets masked.
pub(super) fn shown(kept: &[u8], secrets: &Secrets) -> String {
    let kept = &kept[kept.len().saturating_sub(KEPT + MARGIN)..];
    let text = secrets.mask(&String::from_utf8_lossy(kept));
    let start = text.len().saturating_sub(KEPT);
    let start = (start..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text[start..].to_owned()
}

fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_64_kib_are_kept_of_any_amount() {
        let mut kept = Vec::new();
        for _ in 0..1024 {
            push(&mut kept, &[b'x'; 1024]);
        }
        push(&mut kept, "the end é\u{fffd}".as_bytes());
        let text = shown(&kept, &Secrets::default());
        assert_eq!(text.len(), KEPT);
        assert!(text.ends_with("the end é\u{fffd}"));
        assert!(kept.len() < 512 * 1024);
    }

    #[test]
    fn no_part_of_a_secret_is_left_where_the_tail_begins() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "hunter22");
        for shift in 0..8 {
            let mut kept = b"hunter22".to_vec();
            kept.resize(KEPT + shift, b'.');
            let text = shown(&kept, &secrets);
            assert!(!text.contains('2') && !text.contains('r'), "{shift}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_all_the_same() {
        assert_eq!(shown(b"a\xffb", &Secrets::default()), "a\u{fffd}b");
    }
}
