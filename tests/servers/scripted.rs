//! A server that plays a scenario: everything that a server built on a real SDK would not do.
//!
//! `scripted FILE` plays FILE. What stands above its line `---` is for the test that runs it; below, each line is one
//! step, `#` begins a comment. `scripted --prepare FILE` plays the steps below the line `--- prepare`. Standard input is
//! read only by the steps that say so.
//!
//! | step | does |
//! |---|---|
//! | `expect METHOD` | reads until a message with this method; its id is `$id` from now on; exits at end-of-file |
//! | `send TEXT` | writes a line; `$id`, and `$n` in a loop, are replaced, and so are the surroundings: `$cwd`, `$home`, `$zone`, `$args` after FILE, `$pid`, and `$declared`, the names of the client's capabilities |
//! | `raw TEXT` | writes without a newline; `\n`, `\r`, `\\` and `\xHH` are bytes |
//! | `fill N TEXT` | writes TEXT N times without a newline |
//! | `initialize` | expects `initialize`, answers it, expects `notifications/initialized` |
//! | `list` | expects `tools/list`, answers one tool called `ok` |
//! | `repeat N` … `end` | plays the steps between N times; `repeat forever` |
//! | `serve` … `end` | reads until end-of-file; at each message plays the steps below its `on METHOD`, if it has one |
//! | `eof` | reads until end-of-file |
//! | `mark` | creates the file that `SCRIPTED_MARK` names, so that a test knows how far the scenario has come |
//! | `sleep MS` | waits |
//! | `meet N` | leaves a file in the folder `$MEETING_PLACE`, named by `$SEAT`, and waits until N are there |
//! | `stderr TEXT`, `fill-stderr N TEXT` | as `send` and `fill`, on standard error |
//! | `append FILE TEXT` | adds a line to a file, so that a test can count launches |
//! | `exit CODE`, `abort` | ends at once |
//! | `ignore TERM` | heeds SIGTERM no more |
//! | `spawn child`, `spawn stubborn`, `spawn session`, `spawn daemon` | starts a process that sleeps for ever and holds the pipes: in the group, there without heeding SIGTERM, in a session of its own, and in one without a parent |
//! | `close stdin`, `close stdout` | closes the pipe |
//! | `stay` | sleeps for ever, whatever happens to standard input |
//!
//! At the end of the scenario it reads until end-of-file and exits with 0.

use std::error::Error;
use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let played = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--linger"] => stay(),
        ["--linger-stubbornly"] => ignore_sigterm().and_then(|()| stay()),
        ["--linger-in-own-session"] => own_session().and_then(|()| stay()),
        ["--linger-as-daemon"] => linger("--linger-in-own-session").map(|()| Some(0)),
        ["--prepare", file] => play_file(file, true),
        // What follows is for the eyes of those who list processes.
        [file, ..] => play_file(file, false),
        _ => Err("usage: scripted [--prepare] FILE".into()),
    };
    match played {
        Ok(code) => ExitCode::from(code.unwrap_or_default()),
        Err(error) => {
            let _ = writeln!(stderr(), "scripted: {error}");
            ExitCode::from(99)
        }
    }
}

fn play_file(file: &str, prepare: bool) -> Result<Option<u8>> {
    let text = std::fs::read_to_string(file)?;
    let script = text.split_once("\n---\n").ok_or("the scenario has no line `---`")?.1;
    let (serving, preparing) = script.split_once("--- prepare\n").unwrap_or((script, ""));
    let script = if prepare { preparing } else { serving };
    let steps: Vec<_> =
        script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let mut player = Player { id: "null".to_owned(), declared: String::new(), round: 0 };
    if let Some(code) = player.play(&steps)? {
        return Ok(Some(code));
    }
    if !prepare {
        read_to_end()?;
    }
    Ok(None)
}

fn read_to_end() -> Result<()> {
    std::io::copy(&mut stdin().lock(), &mut std::io::sink())?;
    Ok(())
}

struct Player {
    id: String,
    declared: String,
    round: usize,
}

impl Player {
    /// Plays the steps, and gives the exit code where they end the program.
    fn play(&mut self, steps: &[&str]) -> Result<Option<u8>> {
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            at += 1;
            let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
            let ended = match word {
                "repeat" => {
                    let body = &steps[at..end_of_loop(steps, at)?];
                    at += body.len() + 1;
                    self.repeat(rest, body)?
                }
                "serve" => {
                    let body = &steps[at..end_of_loop(steps, at)?];
                    at += body.len() + 1;
                    self.serve(body)?
                }
                _ => self.step(word, rest).map_err(|error| format!("`{step}`: {error}"))?,
            };
            if ended.is_some() {
                return Ok(ended);
            }
        }
        Ok(None)
    }

    fn repeat(&mut self, times: &str, body: &[&str]) -> Result<Option<u8>> {
        let times = if times == "forever" { usize::MAX } else { times.parse()? };
        for round in 0..times {
            self.round = round;
            if let Some(code) = self.play(body)? {
                return Ok(Some(code));
            }
        }
        Ok(None)
    }

    fn serve(&mut self, body: &[&str]) -> Result<Option<u8>> {
        while let Some(method) = self.read_method()? {
            let part = body.iter().position(|step| step.strip_prefix("on ") == Some(&method));
            let steps = part.map_or(&[][..], |at| &body[at + 1..]);
            let end = steps.iter().position(|step| step.starts_with("on ")).unwrap_or(steps.len());
            if let Some(code) = self.play(&steps[..end])? {
                return Ok(Some(code));
            }
        }
        Ok(None)
    }

    fn step(&mut self, word: &str, rest: &str) -> Result<Option<u8>> {
        match word {
            "expect" => return self.expect(rest),
            "send" => self.write(&mut stdout(), format!("{}\n", self.filled_in(rest)).as_bytes(), 1)?,
            "raw" => self.write(&mut stdout(), &unescaped(&self.filled_in(rest))?, 1)?,
            "stderr" => self.write(&mut stderr(), format!("{}\n", self.filled_in(rest)).as_bytes(), 1)?,
            "fill" | "fill-stderr" => {
                let (times, text) = rest.split_once(' ').ok_or("no text")?;
                let (times, text) = (times.parse()?, unescaped(text)?);
                match word {
                    "fill" => self.write(&mut stdout(), &text, times)?,
                    _ => self.write(&mut stderr(), &text, times)?,
                }
            }
            "initialize" => {
                return self.play(&[
                    "expect initialize",
                    r#"send {"jsonrpc":"2.0","id":$id,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}}"#,
                    "expect notifications/initialized",
                ]);
            }
            "list" => {
                return self.play(&[
                    "expect tools/list",
                    r#"send {"jsonrpc":"2.0","id":$id,"result":{"tools":[{"name":"ok"}]}}"#,
                ]);
            }
            "append" => {
                let (file, text) = rest.split_once(' ').ok_or("no text")?;
                writeln!(std::fs::File::options().create(true).append(true).open(file)?, "{text}")?;
            }
            "eof" => read_to_end()?,
            "mark" => std::fs::write(std::env::var("SCRIPTED_MARK")?, "")?,
            "sleep" => std::thread::sleep(Duration::from_millis(rest.parse()?)),
            "meet" => meet(rest.parse()?)?,
            "exit" => return Ok(Some(rest.parse()?)),
            "abort" => std::process::abort(),
            "ignore" => ignore_sigterm()?,
            "spawn" => linger(match rest {
                "child" => "--linger",
                "stubborn" => "--linger-stubbornly",
                "session" => "--linger-in-own-session",
                "daemon" => "--linger-as-daemon",
                _ => return Err("unknown kind of child".into()),
            })?,
            "close" => close(rest)?,
            "stay" => return stay(),
            _ => return Err("unknown step".into()),
        }
        Ok(None)
    }

    fn expect(&mut self, method: &str) -> Result<Option<u8>> {
        loop {
            match self.read_method()? {
                None => return Ok(Some(0)),
                Some(read) if read == method => return Ok(None),
                Some(_) => {}
            }
        }
    }

    /// The method of the next message, whose id is `$id` from now on; `None` at end-of-file.
    fn read_method(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        if stdin().lock().read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let message: serde_json::Value = serde_json::from_str(&line)?;
        if !message["id"].is_null() {
            self.id = message["id"].to_string();
        }
        if let Some(declared) = message["params"]["capabilities"].as_object() {
            self.declared = declared.keys().map(String::as_str).collect::<Vec<_>>().join(" ");
        }
        Ok(Some(message["method"].as_str().unwrap_or_default().to_owned()))
    }

    fn filled_in(&self, text: &str) -> String {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let cwd = || std::env::current_dir().map_or_else(|_| String::new(), |cwd| cwd.display().to_string());
        // What is put into JSON must not end its string.
        let put = |text: String, name: &str, value: &dyn Fn() -> String| match text.contains(name) {
            true => text.replace(name, &value().replace('\\', "/").replace('"', "'")),
            false => text,
        };
        let text = text.replace("$id", &self.id).replace("$n", &self.round.to_string());
        let text = put(text, "$cwd", &cwd);
        let text = put(text, "$home", &|| variable("HOME"));
        let text = put(text, "$zone", &|| variable("TZ"));
        let text = put(text, "$args", &|| std::env::args().skip(2).collect::<Vec<_>>().join(" "));
        let text = put(text, "$pid", &|| std::process::id().to_string());
        put(text, "$declared", &|| self.declared.clone())
    }

    fn write(&self, stream: &mut dyn Write, bytes: &[u8], times: usize) -> Result<()> {
        // In large pieces, or a long line would take minutes.
        let piece = bytes.repeat((65_536 / bytes.len().max(1)).clamp(1, times.max(1)));
        let mut left = bytes.len() * times;
        while left > 0 {
            let part = piece.len().min(left);
            stream.write_all(&piece[..part])?;
            left -= part;
        }
        Ok(stream.flush()?)
    }
}

/// Waits until so many servers have come this far at the same time. Nothing here ends the wait but the others: a
/// server that is launched after another has ended never lets that one end.
fn meet(servers: usize) -> Result<()> {
    let place = std::path::PathBuf::from(std::env::var("MEETING_PLACE")?);
    std::fs::write(place.join(std::env::var("SEAT")?), "")?;
    while std::fs::read_dir(&place)?.count() < servers {
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn end_of_loop(steps: &[&str], start: usize) -> Result<usize> {
    let mut depth = 1;
    for (at, step) in steps.iter().enumerate().skip(start) {
        depth += usize::from(step.starts_with("repeat ") || *step == "serve");
        depth -= usize::from(*step == "end");
        if depth == 0 {
            return Ok(at);
        }
    }
    Err("a `repeat` or a `serve` has no `end`".into())
}

fn unescaped(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let (byte, length) = match (first, after.first()) {
            (b'\\', Some(b'n')) => (b'\n', 2),
            (b'\\', Some(b'r')) => (b'\r', 2),
            (b'\\', Some(b'\\')) => (b'\\', 2),
            (b'\\', Some(b'x')) => {
                (u8::from_str_radix(std::str::from_utf8(rest.get(2..4).ok_or("short \\x")?)?, 16)?, 4)
            }
            (other, _) => (*other, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    Ok(bytes)
}

fn linger(how: &str) -> Result<()> {
    let mut child = Command::new(std::env::current_exe()?).arg(how).stdin(Stdio::null()).spawn()?;
    match how {
        "--linger-as-daemon" => child.wait().map(|_| ())?,
        "--linger-in-own-session" => has_own_session(&child)?,
        _ => {}
    }
    Ok(())
}

fn stay() -> Result<Option<u8>> {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

#[cfg(unix)]
fn own_session() -> Result<()> {
    rustix::process::setsid()?;
    Ok(())
}

/// Waits until the child leads a session, so that the scenario goes on with it outside. The system is not asked for
/// the child's session by number: in a container, that of our own may have none. To lead a session is to lead a group.
#[cfg(unix)]
fn has_own_session(child: &std::process::Child) -> Result<()> {
    let pid = rustix::process::Pid::from_child(child);
    while rustix::process::test_kill_process_group(pid).is_err() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

#[cfg(unix)]
fn ignore_sigterm() -> Result<()> {
    let heard = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGTERM, heard)?;
    Ok(())
}

#[cfg(unix)]
fn close(pipe: &str) -> Result<()> {
    let null = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    match pipe {
        "stdin" => rustix::stdio::dup2_stdin(&null)?,
        _ => rustix::stdio::dup2_stdout(&null)?,
    }
    Ok(())
}

#[cfg(not(unix))]
fn own_session() -> Result<()> {
    Err("there are no sessions here".into())
}

#[cfg(not(unix))]
fn has_own_session(_child: &std::process::Child) -> Result<()> {
    Err("there are no sessions here".into())
}

#[cfg(not(unix))]
fn ignore_sigterm() -> Result<()> {
    Err("there are no signals here".into())
}

#[cfg(not(unix))]
fn close(_pipe: &str) -> Result<()> {
    Err("pipes cannot be closed here".into())
}
