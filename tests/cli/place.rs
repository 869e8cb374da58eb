//! A folder in which commands run, and the transcript of what they print: each command with its exit code, standard
//! output and standard error, so that a snapshot shows all three beside the command.
//!
//! The environment is empty but for what a process needs to start. Servers are found by name through PATH, and
//! scenarios by relative paths, so that no path of this machine stands in a transcript.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// The estimator line that every budgets file begins with.
pub(crate) const ESTIMATOR: &str = "estimator = \"o200k_base:mcp-tool-json-v1\"\n";

/// What one command left behind.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder, and what was run in it.
pub(crate) struct Place {
    folder: TempDir,
    transcript: String,
}

impl Place {
    /// An empty folder, which is a repository's root, so that no budgets.toml is looked for above it.
    pub(crate) fn new() -> Self {
        let place =
            Place { folder: tempfile::tempdir().expect("what the test itself sets up"), transcript: String::new() };
        std::fs::create_dir(place.path(".git")).expect("what the test itself sets up");
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("what the test itself sets up"))
            .expect("what the test itself sets up");
        std::fs::write(path, text).expect("what the test itself sets up");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.path(name)).expect("what the test itself sets up"))
            .expect("what the test itself sets up")
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// A scenario for `scripted NAME`. Whoever launches it leaves a line in the file `launches`.
    pub(crate) fn scenario(&self, name: &str, steps: &str) {
        let launches = self.path("launches");
        self.write(name, format!("\n---\nappend {} {name}\n{steps}\n", launches.display()));
    }

    /// A scenario that lists these tools, written as JSON without the brackets.
    pub(crate) fn lists(&self, name: &str, tools: &str) {
        self.scenario(name, &listing(tools));
    }

    /// A budgets file of servers that `scripted` plays, each with a floor and descriptions that fit one tool `ok`.
    pub(crate) fn budgets(&self, servers: &[&str]) {
        let entries = servers.iter().map(|name| {
            format!(
                "\n[servers.{name}]\ncommand = \"scripted\"\nargs = [\"{name}.txt\"]\n\n\
                 [servers.{name}.floor]\nbudget = 5\nslack = 0\n\n\
                 [servers.{name}.descriptions]\nbudget = 0\nslack = 0\n\n\
                 [servers.{name}.pins]\nok = {{ tokens = 5, description = 0 }}\n"
            )
        });
        self.write("budgets.toml", format!("{ESTIMATOR}{}", entries.collect::<String>()));
    }

    /// How often a scenario of this name was launched.
    pub(crate) fn launches(&self, name: &str) -> usize {
        let launches = std::fs::read_to_string(self.path("launches")).unwrap_or_default();
        launches.lines().filter(|line| *line == name).count()
    }

    /// The binary, with the environment scrubbed.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-footprint"));
        command.current_dir(self.folder.path()).env_clear();
        for name in ["SystemRoot", "PATHEXT", "TEMP", "TMP", "TMPDIR", "LLVM_PROFILE_FILE"] {
            std::env::var_os(name).map(|value| command.env(name, value));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(examples()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(path).expect("what the test itself sets up"));
        command.env("HOME", self.folder.path()).env("TZ", "Etc/UTC");
        command
    }

    /// Runs a command that is written as in a shell, and adds it to the transcript.
    pub(crate) fn run(&mut self, line: &str) -> Ran {
        self.run_with(line, |_| ())
    }

    /// As [`Place::run`], with the environment, directory or standard input that `change` sets.
    pub(crate) fn run_with(&mut self, line: &str, change: impl FnOnce(&mut Command)) -> Ran {
        let mut command = self.command();
        command.args(words(line));
        change(&mut command);
        let output = command.output().expect("what the test itself sets up");
        let text = |bytes: Vec<u8>| self.redacted(&String::from_utf8(bytes).expect("what the test itself sets up"));
        let ran = Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        let code = ran.code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
        let line = self.redacted(line);
        let part = format!(
            "$ mcp-footprint {line}\nexit {code}\n{}{}",
            part("stdout", &ran.stdout),
            part("stderr", &ran.stderr)
        );
        self.tell(&part);
        ran
    }

    /// Forgets the commands so far.
    pub(crate) fn tell_nothing(&mut self) {
        self.transcript.clear();
    }

    /// Adds a file to the transcript.
    pub(crate) fn show(&mut self, name: &str) {
        let text = self.redacted(&self.read(name));
        self.tell(&format!("$ cat {name}\n{text}"));
    }

    fn tell(&mut self, part: &str) {
        let gap = if self.transcript.is_empty() { "" } else { "\n" };
        write!(self.transcript, "{gap}{part}").expect("what the test itself sets up");
    }

    /// The commands so far, with what they printed.
    pub(crate) fn transcript(&self) -> &str {
        &self.transcript
    }

    /// Text without what differs from machine to machine.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let folder = self.folder.path();
        let real = folder.canonicalize().expect("what the test itself sets up");
        let shown = |text: String, path: &Path| {
            let path = path.display().to_string();
            // In JSON a backslash is two.
            let spellings = [path.replace('\\', "\\\\"), path.replace('\\', "/"), path];
            spellings.iter().fold(text, |text, path| text.replace(path, "[FOLDER]"))
        };
        let text = without_platform(&text.replace("\r\n", "\n"));
        as_on_unix(shown(shown(text, &real), folder))
    }
}

/// Text without the operating system and the architecture of the test.
pub(crate) fn without_platform(text: &str) -> String {
    text.replace(&format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH), "[PLATFORM]")
}

/// Paths, programs and the system's own errors as Windows would say them if it were another system.
fn as_on_unix(text: String) -> String {
    if !cfg!(windows) {
        return text;
    }
    let spellings = [
        ("[FOLDER]\\\\", "[FOLDER]/"),
        ("[FOLDER]\\", "[FOLDER]/"),
        ("..\\", "../"),
        (".exe", ""),
        ("The system cannot find the file specified.", "No such file or directory"),
        // The same on Wine.
        ("File not found.", "No such file or directory"),
    ];
    spellings.iter().fold(text, |text, (windows, unix)| text.replace(windows, unix))
}

/// The steps of a server that opens and lists these tools.
pub(crate) fn listing(tools: &str) -> String {
    format!("initialize\nexpect tools/list\nsend {{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{{\"tools\":[{tools}]}}}}")
}

/// Where `notes` and `scripted` are.
fn examples() -> PathBuf {
    let test = std::env::current_exe().expect("what the test itself sets up");
    test.ancestors().nth(2).expect("what the test itself sets up").join("examples")
}

fn part(name: &str, text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("--- {name}\n{text}{}", if text.ends_with('\n') { "" } else { "⏎ missing\n" }),
    }
}

/// Words between spaces; single quotes hold one together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
