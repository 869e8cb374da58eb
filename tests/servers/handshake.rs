//! A bare handshake: the least that any client does to get the first page of a list, and so the floor that
//! `tests/benches/processes.py` holds this program's run against.
//!
//! It counts nothing and checks nothing. Only when its line is out, it waits for the server to leave, so that the end of
//! one run takes nothing from the next. It must not become a client.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"handshake","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#;

fn main() -> io::Result<()> {
    let mut words = std::env::args_os().skip(1);
    let no_command = || io::Error::new(io::ErrorKind::InvalidInput, "usage: handshake COMMAND [ARGS…]");
    let mut command = Command::new(words.next().ok_or_else(no_command)?);
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = command.spawn()?;
    let (Some(mut requests), Some(answers)) = (server.stdin.take(), server.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let mut answers = BufReader::with_capacity(64 * 1024, answers);
    let mut line = Vec::new();
    requests.write_all(format!("{INITIALIZE}\n").as_bytes())?;
    read_answer(&mut answers, 1, &mut line)?;
    requests.write_all(format!("{INITIALIZED}\n{LIST}\n").as_bytes())?;
    read_answer(&mut answers, 2, &mut line)?;
    writeln!(io::stdout(), "{} bytes", line.len())?;
    drop(requests);
    server.wait().map(|_| ())
}

/// Reads lines until one holds the id near one of its ends; servers say other things in between.
fn read_answer(answers: &mut impl BufRead, id: u8, line: &mut Vec<u8>) -> io::Result<()> {
    const NEAR: usize = 64;
    let spellings = [format!("\"id\":{id}"), format!("\"id\": {id}")];
    loop {
        line.clear();
        if answers.read_until(b'\n', line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let ends = [&line[..line.len().min(NEAR)], &line[line.len().saturating_sub(NEAR)..]];
        if ends.map(String::from_utf8_lossy).iter().any(|end| spellings.iter().any(|id| end.contains(id.as_str()))) {
            return Ok(());
        }
    }
}
