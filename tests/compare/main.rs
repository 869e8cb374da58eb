//! `check --base`, `check --against` and `diff` through the binary, in a real git repository, on captures.

mod base;
mod differences;

use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

const BUDGETS: &str = "estimator = \"o200k_base:mcp-tool-json-v1\"\n\n[servers.s]\nfrom = \"now.json\"\n\n\
    [servers.s.floor]\nbudget = 30\nslack = 30\n\n[servers.s.descriptions]\nbudget = 10\nslack = 10\n";

struct Repository(TempDir);

impl Repository {
    /// A repository whose `main` holds the budgets and a capture of one tool.
    fn new() -> Self {
        let repository = Repository(tempfile::tempdir().expect("a folder for the test"));
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.write("budgets.toml", BUDGETS);
        repository.write("now.json", &capture(&[("a", "one")]));
        repository.commit();
        repository.git(&["checkout", "--quiet", "-b", "work"]);
        repository
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).expect("a file of the test");
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "a state", "--no-gpg-sign"]);
    }

    fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"];
        let status = Command::new("git").args(identity).args(args).current_dir(self.path()).status();
        assert!(status.expect("git is there").success(), "{args:?}");
    }

    fn run(&self, args: &[&str]) -> (i32, String) {
        said(&run_in(self.path(), args))
    }
}

fn run_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("mcp-footprint"));
    for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE", "GITHUB_ACTIONS"] {
        command.env_remove(name);
    }
    command.args(args).current_dir(folder).output().expect("the program starts")
}

fn said(output: &Output) -> (i32, String) {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8(text).expect("output is UTF-8"))
}

fn capture(tools: &[(&str, &str)]) -> String {
    let tools: Vec<_> = tools
        .iter()
        .map(|(name, description)| serde_json::json!({ "name": name, "description": description }))
        .collect();
    serde_json::json!({
        "schema": "mcp-footprint-capture/1",
        "servers": [{ "name": "s", "server": { "name": "srv", "version": tools.len().to_string() },
                      "platform": "linux-x86_64", "source": { "command": "node", "args": ["x.js"] }, "tools": tools }],
    })
    .to_string()
}

fn holds(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
}
