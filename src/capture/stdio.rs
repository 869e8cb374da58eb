//! A server behind pipes: one message a line in each direction.
//!
//! No wait here is without an end. A thread each writes, reads standard output and reads standard error; none is ever
//! joined, because a process that left the group may hold the other end of a pipe for ever, and a server that never
//! reads must not block us.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::Duration;

use super::connection::{Awaited, Connection};
use super::deadline::Deadline;
use super::ending::{Endings, Guard};
use super::interrupt::{self, Subscription};
use super::process::{self, Exit};
use super::tail::Tail;
use super::{Launch, command};
use crate::codes::{ErrorCode, Failure};
use crate::secrets::Secrets;

/// The longest line that is read.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;
/// Lines that wait to be looked at; a server that sends faster has to wait.
const LINES_AHEAD: usize = 4;
/// Messages that wait until the server reads them. Only a server that asks without reading gets there.
const MESSAGES_AHEAD: usize = 256;
/// How long a line takes from the pipe to the session.
const ON_ITS_WAY: Duration = Duration::from_millis(1);
/// How long the rest of the output is waited for once the server has ended, and the reverse.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// A connection to a server that was launched. To drop it closes the server's standard input and ends it.
pub(super) struct Server<'a> {
    launch: &'a Launch,
    endings: &'a Endings,
    deadline: Deadline,
    running: Running,
}

/// What belongs to one process. The fields are dropped in this order: standard input closes, then the end begins.
struct Running {
    stdin: SyncSender<String>,
    unread: Arc<AtomicUsize>,
    stderr: Tail,
    events: Receiver<Event>,
    exit: Option<Exit>,
    stdout_closed: bool,
    stdin_closed: bool,
    _subscription: Subscription,
    _guard: Guard,
}

enum Event {
    Line(Vec<u8>),
    LineTooLong,
    StdoutClosed,
    StdinClosed,
    Exited(Exit),
    Interrupted,
}

impl<'a> Server<'a> {
    /// Launches the server. The time begins to run.
    ///
    /// # Errors
    /// `spawn_failed`, with what was looked for and where.
    pub(super) fn launch(launch: &'a Launch, timeout: Duration, endings: &'a Endings) -> Result<Self, Failure> {
        let deadline = Deadline::after(timeout);
        Ok(Server { launch, endings, deadline, running: Running::start(launch, endings)? })
    }

    /// Adds the last words of the server to a failure.
    pub(super) fn with_last_words(&self, mut failure: Failure, secrets: &Secrets) -> Failure {
        // Also of a server that lives: what it wrote before its answer may not have been read yet.
        self.running.stderr.wait(LAST_WORDS);
        let tail = self.running.stderr.text(secrets);
        if failure.code == ErrorCode::Exited {
            failure.message.push_str(match tail.trim().is_empty() {
                true => "; it wrote nothing to standard error",
                false => "; its last words on standard error tell more",
            });
        }
        failure.stderr_tail = Some(tail);
        failure
    }

    fn time_is_up(&self, awaited: &Awaited) -> Failure {
        let timeout = self.deadline.in_words();
        let hint = match self.running.unread.load(Ordering::Relaxed) {
            0 => "; a server that needs longer gets it by `--timeout`, or by `timeout` in budgets.toml",
            _ => "; the server does not read its standard input",
        };
        let message = format!("{timeout} passed while waiting for the answer to {awaited}{hint}");
        Failure::new(ErrorCode::Timeout, message)
    }
}

impl Connection for Server<'_> {
    fn send(&mut self, message: &str) -> Result<(), Failure> {
        self.running.unread.fetch_add(1, Ordering::Relaxed);
        match self.running.stdin.try_send(format!("{message}\n")) {
            // A writer that has given up has said so in an event, which the next wait will see.
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => {
                let message = format!(
                    "the server does not read its standard input: it sent {MESSAGES_AHEAD} requests without reading \
                     an answer"
                );
                Err(Failure::new(ErrorCode::TooLarge, message))
            }
        }
    }

    fn receive(&mut self, awaited: &Awaited) -> Result<Vec<u8>, Failure> {
        loop {
            let left = self.deadline.left()?.ok_or_else(|| self.time_is_up(awaited))?;
            let running = &mut self.running;
            let wait = if running.has_ended() { left.min(LAST_WORDS) } else { left };
            match running.events.recv_timeout(wait) {
                Ok(Event::Line(line)) => return Ok(line),
                Ok(Event::LineTooLong) => return Err(line_too_long()),
                Ok(Event::StdoutClosed) => running.stdout_closed = true,
                Ok(Event::StdinClosed) => running.stdin_closed = true,
                Ok(Event::Exited(exit)) => running.exit = Some(exit),
                Ok(Event::Interrupted) => {}
                Err(RecvTimeoutError::Timeout) if wait == left => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Err(running.ended(awaited)),
            }
            if running.stdout_closed && running.exit.is_some() {
                return Err(running.ended(awaited));
            }
        }
    }

    fn at_hand(&mut self) -> Option<Vec<u8>> {
        let running = &mut self.running;
        loop {
            match running.events.recv_timeout(ON_ITS_WAY) {
                Ok(Event::Line(line)) => return Some(line),
                Ok(Event::StdoutClosed) => running.stdout_closed = true,
                Ok(Event::StdinClosed) => running.stdin_closed = true,
                Ok(Event::Exited(exit)) => running.exit = Some(exit),
                Ok(Event::Interrupted) => {}
                Ok(Event::LineTooLong) | Err(_) => return None,
            }
        }
    }

    fn restart(&mut self) -> Result<(), Failure> {
        self.running = Running::start(self.launch, self.endings)?;
        Ok(())
    }

    fn stream(&self) -> &'static str {
        "standard output"
    }
}

impl Running {
    fn start(launch: &Launch, endings: &Endings) -> Result<Self, Failure> {
        let mut command = command::command(launch, &launch.command, &launch.args)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Running::connect(&mut command, endings).map_err(|error| command::does_not_start(&launch.command, &error))
    }

    fn connect(command: &mut Command, endings: &Endings) -> io::Result<Self> {
        let (event, events) = mpsc::sync_channel(LINES_AHEAD);
        let exited = event.clone();
        let process = process::launch(command, endings, move |exit| drop(exited.send(Event::Exited(exit))))?;
        let no_pipe = || io::Error::other("a pipe is missing");
        let unread = Arc::new(AtomicUsize::new(0));
        let (stdin, messages) = mpsc::sync_channel(MESSAGES_AHEAD);
        let stderr = Tail::read(process.stderr.ok_or_else(no_pipe)?)?;
        write_messages(process.stdin.ok_or_else(no_pipe)?, messages, Arc::clone(&unread), event.clone())?;
        read_lines(process.stdout.ok_or_else(no_pipe)?, event.clone())?;
        let _subscription = interrupt::subscribe(move || drop(event.try_send(Event::Interrupted)));
        let _guard = process.guard;
        let (exit, stdout_closed, stdin_closed) = (None, false, false);
        Ok(Running { stdin, unread, stderr, events, exit, stdout_closed, stdin_closed, _subscription, _guard })
    }

    /// Whether no further answer is likely; what is in the pipe is still read.
    fn has_ended(&self) -> bool {
        self.exit.is_some() || self.stdout_closed || self.stdin_closed
    }

    fn ended(&self, awaited: &Awaited) -> Failure {
        let what = match self.exit {
            Some(exit) => exit.to_string(),
            None if self.stdout_closed => "closed its standard output".to_owned(),
            None => "closed its standard input".to_owned(),
        };
        Failure::new(ErrorCode::Exited, format!("the server {what} before it answered {awaited}"))
    }
}

fn write_messages(
    mut stdin: ChildStdin,
    messages: Receiver<String>,
    unread: Arc<AtomicUsize>,
    event: SyncSender<Event>,
) -> io::Result<()> {
    thread::Builder::new().spawn(move || {
        for message in messages {
            if stdin.write_all(message.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                let _ = event.send(Event::StdinClosed);
                return;
            }
            unread.fetch_sub(1, Ordering::Relaxed);
        }
    })?;
    Ok(())
}

fn read_lines(stdout: impl Read + Send + 'static, event: SyncSender<Event>) -> io::Result<()> {
    thread::Builder::new().spawn(move || {
        let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
        loop {
            let next = match next_line(&mut stdout, LONGEST_LINE) {
                Ok(Some(line)) => Event::Line(line),
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Event::LineTooLong,
                Ok(None) | Err(_) => Event::StdoutClosed,
            };
            let last = !matches!(next, Event::Line(_));
            if event.send(next).is_err() || last {
                return;
            }
        }
    })?;
    Ok(())
}

/// The next line with its end, which the last one may lack; `None` at the end of the stream.
///
/// # Errors
/// The stream's own, and `FileTooLarge` where a line has more than `longest` bytes before its end.
pub(crate) fn next_line(stdout: &mut impl BufRead, longest: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    // One byte more than a line may have: the newline, or the byte that is too much.
    let read = stdout.take(longest + 1).read_until(b'\n', &mut line)?;
    match read {
        0 => Ok(None),
        _ if read as u64 > longest && !line.ends_with(b"\n") => Err(io::ErrorKind::FileTooLarge.into()),
        _ => Ok(Some(line)),
    }
}

fn line_too_long() -> Failure {
    let message = format!("a line on standard output is longer than {} MiB", LONGEST_LINE / (1024 * 1024));
    Failure::new(ErrorCode::TooLarge, message)
}
