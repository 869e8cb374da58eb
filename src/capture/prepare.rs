//! The command that runs to its end before a launch, so that no check prices yesterday's build.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use super::deadline::Deadline;
use super::ending::{Endings, Guard};
use super::interrupt::Subscription;
use super::process::{self, Exit};
use super::{Launch, command, interrupt, tail};
use crate::codes::{ErrorCode, Failure};
use crate::secrets::Secrets;

/// Lines that wait to be written out.
const LINES_AHEAD: usize = 4;
/// A longer line comes in pieces, of which the first is told, and no more of it than this many characters: where it was
/// cut, it may end in the first half of a secret.
const LONGEST_PIECE: usize = 64 * 1024;
const TOLD_OF_A_PIECE: usize = 1000;
/// How long the rest of the output is waited for once the command has ended.
const LAST_WORDS: Duration = Duration::from_millis(300);

enum Event {
    Line(Vec<u8>),
    RestOfLine(Vec<u8>),
    Closed,
    Exited(Exit),
    Interrupted,
}

/// Runs `words`. `wrote` gets every line that the command writes, secrets masked. What the command leaves running is
/// ended when the guard is dropped: the server may need it.
///
/// # Errors
/// `prepare_failed` when it does not start, fails, or passes its deadline.
pub(super) fn run(
    launch: &Launch,
    words: &[String],
    secrets: &Secrets,
    endings: &Endings,
    wrote: &dyn Fn(String),
) -> Result<Guard, Failure> {
    let deadline = Deadline::after(launch.prepare_timeout);
    let told = words.join(" ");
    let (program, args) = words.split_first().ok_or_else(|| failed(&told, "names no command"))?;
    let mut command = command::command(launch, program, args).map_err(|failure| failed(&told, &failure.message))?;
    let started = start(&mut command, endings);
    let started = started.map_err(|error| failed(&told, &command::does_not_start(program, &error).message))?;
    let mut written = Vec::new();
    let end = started.follow(deadline, |line, begins| {
        tail::push(&mut written, line);
        let text = String::from_utf8_lossy(line);
        let most = if text.ends_with('\n') { LONGEST_PIECE } else { TOLD_OF_A_PIECE };
        if begins {
            wrote(secrets.shortened(text.trim_end_matches(['\n', '\r']), most));
        }
    })?;
    let why = match end {
        Some(Exit::Code(0)) => return Ok(started.guard),
        Some(exit) => exit.to_string(),
        None => format!(
            "did not end within {}, which is all that it gets; run what takes longer before this program",
            deadline.in_words()
        ),
    };
    let mut failure = failed(&told, &why);
    failure.stderr_tail = Some(tail::shown(&written, secrets));
    Err(failure)
}

struct Started {
    events: Receiver<Event>,
    _subscription: Subscription,
    guard: Guard,
}

fn start(command: &mut Command, endings: &Endings) -> std::io::Result<Started> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (event, events) = mpsc::sync_channel(LINES_AHEAD);
    let exited = event.clone();
    let process = process::launch(command, endings, move |exit| drop(exited.send(Event::Exited(exit))))?;
    let no_pipe = || std::io::Error::other("a pipe is missing");
    read_lines(process.stdout.ok_or_else(no_pipe)?, event.clone())?;
    read_lines(process.stderr.ok_or_else(no_pipe)?, event.clone())?;
    let _subscription = interrupt::subscribe(move || drop(event.try_send(Event::Interrupted)));
    Ok(Started { events, _subscription, guard: process.guard })
}

impl Started {
    /// Gives every line to `wrote` until the command has ended, and whether it is the beginning of one; `None` when the
    /// command has not ended by the deadline.
    fn follow(&self, deadline: Deadline, mut wrote: impl FnMut(&[u8], bool)) -> Result<Option<Exit>, Failure> {
        let (mut exit, mut open) = (None, 2);
        loop {
            let Some(left) = deadline.left()? else { return Ok(exit) };
            if exit.is_some() && open == 0 {
                return Ok(exit);
            }
            match self.events.recv_timeout(if exit.is_some() { left.min(LAST_WORDS) } else { left }) {
                Ok(Event::Line(line)) => wrote(&line, true),
                Ok(Event::RestOfLine(piece)) => wrote(&piece, false),
                Ok(Event::Closed) => open -= 1,
                Ok(Event::Exited(how)) => exit = Some(how),
                // Something that was left running holds the pipes.
                Err(_) if exit.is_some() => return Ok(exit),
                Ok(Event::Interrupted) | Err(_) => {}
            }
        }
    }
}

fn read_lines(stream: impl Read + Send + 'static, event: SyncSender<Event>) -> std::io::Result<()> {
    thread::Builder::new().spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut begins = true;
        loop {
            let mut line = Vec::new();
            let read = (&mut stream).take(LONGEST_PIECE as u64).read_until(b'\n', &mut line);
            let ends = line.ends_with(b"\n");
            let next = match read {
                Ok(0) | Err(_) => Event::Closed,
                Ok(_) if begins => Event::Line(line),
                Ok(_) => Event::RestOfLine(line),
            };
            begins = ends;
            let last = matches!(next, Event::Closed);
            if event.send(next).is_err() || last {
                return;
            }
        }
    })?;
    Ok(())
}

fn failed(told: &str, why: &str) -> Failure {
    let message = format!("the server was not launched, because its `prepare` (`{told}`) failed: {why}");
    Failure::new(ErrorCode::PrepareFailed, message)
}
