//! Plays one scenario through the binary and compares what came of it with what its head says.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::processes::{self, Mark};
use super::scenario::Scenario;

/// No scenario may take longer: then something hangs. Far above what any of them needs.
const BOUND: Duration = Duration::from_secs(50);

/// The scripted server. It is an example target, which `cargo test --test faults` alone neither builds nor refreshes.
pub(crate) fn scripted() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build_scripted).clone()
}

fn build_scripted() -> PathBuf {
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "--quiet", "--example", "scripted"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let is_built = build.status().is_ok_and(|status| status.success());
    let test = std::env::current_exe().expect("a test has a file");
    let examples = test.ancestors().nth(2).expect("tests are built in a folder").join("examples");
    let scripted = examples.join(format!("scripted{}", std::env::consts::EXE_SUFFIX));
    assert!(
        is_built && scripted.is_file(),
        "the scripted server is missing: `cargo build --example scripted` builds it"
    );
    scripted
}

/// What differs from the expectation, in sentences.
pub(crate) fn play(scenario: &Scenario) -> Vec<String> {
    let mark = Mark::new(&scenario.name());
    let folder = tempfile::tempdir().expect("a folder for one test");
    let (stdout, stderr) = (folder.path().join("stdout"), folder.path().join("stderr"));
    // Into files, because whoever is left behind would hold a pipe.
    let mut command = command(scenario, folder.path());
    command.current_dir(folder.path()).stdin(Stdio::null());
    command
        .stdout(File::create(&stdout).expect("the folder takes files"))
        .stderr(File::create(&stderr).expect("the folder takes files"));
    command.env(Mark::VARIABLE, mark.value()).env_remove("CI").env_remove("GITHUB_ACTIONS");
    let mut wrong = Vec::new();
    match run(command) {
        Some(status) => {
            let read = |file: &Path| {
                String::from_utf8_lossy(&std::fs::read(file).expect("the file was just written")).into_owned()
            };
            wrong.extend(compare(scenario, status, &read(&stdout), &read(&stderr)));
        }
        None => wrong.push(format!("it still ran after {} s", BOUND.as_secs())),
    }
    if !(cfg!(not(target_os = "linux")) && scenario.get("may remain").is_some()) {
        wrong.extend(
            processes::alive(&mark).iter().map(|left| format!("`{}` ({}) is still alive", left.command, left.pid)),
        );
    }
    wrong.into_iter().map(|what| format!("{}: {what}", scenario.name())).collect()
}

fn command(scenario: &Scenario, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-footprint"));
    if scenario.get("run") == Some("check") {
        std::fs::write(folder.join("budgets.toml"), budgets(&scenario.file)).expect("the folder takes files");
        command.args(["check", "--format", "json"]);
        return command;
    }
    command.args(["--format", "json", "--timeout", &format!("{}s", scenario.get("timeout").unwrap_or("40"))]);
    if let Some(protocol) = scenario.get("protocol") {
        command.args(["--protocol", protocol]);
    }
    match scenario.get("command") {
        Some(program) => command.args(["--", program]),
        None => command.arg("--").arg(scripted()).arg(&scenario.file),
    };
    command
}

/// A file whose bands pass whatever the scenario lists.
pub(crate) fn budgets(file: &Path) -> String {
    let scripted = scripted();
    format!(
        "estimator = '{}'\n[servers.faulty]\nprepare = ['{scripted}', '--prepare', '{file}']\n\
         command = '{scripted}'\nargs = ['{file}']\nfloor = {{ budget = 99, slack = 99 }}\n\
         descriptions = {{ budget = 99, slack = 99 }}\n",
        mcp_footprint::price::ESTIMATOR,
        scripted = scripted.display(),
        file = file.display(),
    )
}

fn run(mut command: Command) -> Option<ExitStatus> {
    wait(command.spawn().expect("the program was built for this test"))
}

/// Waits for the end of the program; `None` when it had to be killed.
pub(crate) fn wait(mut child: Child) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < BOUND {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("a child can be waited for");
    child.wait().expect("a child can be waited for");
    None
}

fn compare(scenario: &Scenario, status: ExitStatus, stdout: &str, stderr: &str) -> Vec<String> {
    let Ok(document) = serde_json::from_str::<Value>(stdout) else {
        return vec![format!("{status}, no document; standard error: {}", beginning(stderr))];
    };
    let server = &document["servers"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let codes: Vec<_> = server["notes"].as_array().into_iter().flatten().map(|note| text(&note["code"])).collect();
    let mut wrong = Vec::new();
    let mut expect = |key: &str, seen: String, fits: fn(&str, &str) -> bool| {
        let expected = scenario.get(key).unwrap_or_default();
        if !fits(&seen, expected) {
            wrong.push(format!("{key} is `{}` where `{expected}` was expected", beginning(&seen)));
        }
    };
    let same = |seen: &str, expected: &str| seen == expected;
    let contains = |seen: &str, expected: &str| seen.contains(expected);
    let same_if_told = |seen: &str, expected: &str| expected.is_empty() || seen == expected;
    expect("exit", status.code().map(|code| code.to_string()).unwrap_or_default(), same);
    expect("exit", document["exit_code"].to_string(), same);
    expect("error", text(&server["error"]["code"]), same);
    expect("message", text(&server["error"]["message"]), contains);
    expect("stderr", text(&server["error"]["stderr_tail"]), contains);
    expect("tools", server["tool_count"].as_u64().map(|count| count.to_string()).unwrap_or_default(), same);
    expect("spoken", text(&server["protocol"]), same_if_told);
    expect("notes", codes.join(" "), same);
    if cfg!(target_os = "linux") {
        let escaped = stderr.contains("had left the group");
        expect("said", if escaped { "escaped".to_owned() } else { String::new() }, same);
    }
    wrong.extend(half_measured(server));
    wrong
}

/// A server is priced whole or not at all.
fn half_measured(server: &Value) -> Option<String> {
    let counts = ["tool_count", "floor_tokens", "description_tokens", "bytes"].map(|key| &server[key]);
    let rows = server["tools"].as_array().map_or(0, Vec::len);
    let is_sound = match server["status"].as_str() {
        Some("measured") => server["error"].is_null() && counts[0].as_u64() == Some(rows as u64),
        Some("not_measured") => server["error"].is_object() && rows == 0 && counts.iter().all(|count| count.is_null()),
        _ => false,
    };
    (!is_sound).then(|| format!("it is neither measured nor not measured: {}", beginning(&server.to_string())))
}

fn beginning(text: &str) -> String {
    text.chars().take(600).collect()
}
