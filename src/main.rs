//! The process: arguments in, one exit code out, and one line for what made the run impossible.

use std::io::{self, Write, stderr, stdout};
use std::process::ExitCode;

use mcp_footprint::plan::Plan;

fn main() -> ExitCode {
    let plan = match Plan::from_args(std::env::args_os()) {
        Ok(plan) => plan,
        Err(error) => {
            // --help and --version come this way too; a reader that has gone is no error.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match mcp_footprint::run(&plan, &mut Heedless(stdout().lock()), &mut Heedless(stderr())) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// A stream whose reader may have gone: what nobody reads is no error, so that `| head` changes no exit code and
/// leaves no work half done.
struct Heedless<W>(W);

impl<W: Write> Write for Heedless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}
