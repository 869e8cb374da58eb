//! The process: arguments in, one exit code out, and one line for what made the run impossible.

use std::ffi::OsString;
use std::io::{self, Write, stderr, stdout};
use std::process::ExitCode;

use mcp_footprint::plan::Plan;
use mcp_footprint::visible::{is_hidden, visible_lines};

fn main() -> ExitCode {
    let mut out = Stream { to: stdout().lock(), name: "standard output" };
    let mut err = Stream { to: stderr(), name: "standard error" };
    let code = match Plan::from_args(std::env::args_os()) {
        Ok(plan) => mcp_footprint::run(&plan, &mut out, &mut err),
        Err(answer) => {
            let exit_code = u8::try_from(answer.exit_code()).unwrap_or(2);
            printed(&answer, &mut err).map(|()| exit_code).map_err(Into::into)
        }
    };
    match code {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(err, "error: {}", visible_lines(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

/// What clap answers: help and versions on standard output, and faults, which repeat the arguments that they are about.
fn printed(answer: &clap::Error, err: &mut dyn Write) -> io::Result<()> {
    let is_plain = |argument: OsString| !argument.to_string_lossy().chars().any(is_hidden);
    if answer.use_stderr() && !std::env::args_os().all(is_plain) {
        return writeln!(err, "{}", visible_lines(&answer.render().to_string()));
    }
    told(if answer.use_stderr() { "standard error" } else { "standard output" }, answer.print())
}

/// A stream whose reader may have gone: what nobody reads is no error, so that `| head` changes no exit code and
/// leaves no work half done. Any other error says which stream it was.
struct Stream<W> {
    to: W,
    name: &'static str,
}

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.to.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => told(self.name, written),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        told(self.name, self.to.flush())
    }
}

fn told<T: Default>(stream: &str, written: io::Result<T>) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(T::default()),
        Err(error) => Err(io::Error::new(error.kind(), format!("{stream} cannot be written: {error}"))),
        Ok(done) => Ok(done),
    }
}
