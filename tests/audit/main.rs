//! `audit` and `--config` through the program, with homes and projects made for each test.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Every secret in these tests holds this.
const MARKER: &str = "hunter2";

struct Desk {
    home: TempDir,
    project: TempDir,
}

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Desk {
    fn new() -> Self {
        let desk =
            Desk { home: tempfile::tempdir().expect("a folder"), project: tempfile::tempdir().expect("a folder") };
        for scenario in ["meets.txt", "heavy.txt", "crashes.txt"] {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/clients").join(scenario);
            std::fs::copy(file, desk.project.path().join(scenario)).expect("a scenario can be copied");
        }
        desk
    }

    fn home(&self, file: &str, text: &str) -> &Self {
        write(&self.home.path().join(file), text);
        self
    }

    fn project(&self, file: &str, text: &str) -> &Self {
        write(&self.project.path().join(file), text);
        self
    }

    fn run(&self, args: &[&str]) -> Run {
        let mut command = Command::cargo_bin("mcp-footprint").expect("the program is built");
        for name in
            ["CI", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "ENABLE_TOOL_SEARCH", "CODEX_HOME", "CLAUDE_CONFIG_DIR"]
        {
            command.env_remove(name);
        }
        command.env_remove("XDG_CONFIG_HOME").env_remove("ANTHROPIC_BASE_URL").env_remove("CLAUDE_CODE_USE_VERTEX");
        command.env("HOME", self.home.path()).env("USERPROFILE", self.home.path());
        command.env("APPDATA", self.home.path().join("AppData").join("Roaming"));
        let folder = scripted().parent().expect("a file has a folder").to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(folder).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(path).expect("paths can be joined"));
        let output = command.current_dir(self.project.path()).args(args).output().expect("the program starts");
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("documents are UTF-8");
            assert!(!text.contains(MARKER), "a secret is shown: {text}");
            self.without_folders(&text)
        };
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The same text on every machine.
    fn without_folders(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (folder, name) in [(self.home.path(), "[home]"), (self.project.path(), "[project]")] {
            let real = folder.canonicalize().expect("it is there");
            for path in [real.to_string_lossy(), folder.to_string_lossy()] {
                // In JSON a backslash is two.
                text = text.replace(&path.replace('\\', "\\\\"), name).replace(&*path, name);
            }
        }
        // How long the folders' names are decides where these lines break.
        let mut text = text.replace("\\\\", "/");
        if cfg!(windows) {
            text = ["[home]", "[project]"].iter().fold(text, |text, name| with_slashes(&text, name));
        }
        while let Some(at) = text.find("\n            ") {
            let rest = text[at..].trim_start().to_owned();
            text = format!("{} {rest}", &text[..at]);
        }
        text
    }
}

/// The paths that begin with this name, as other systems write them.
fn with_slashes(text: &str, name: &str) -> String {
    let mut parts = text.split(name);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(part.len());
        format!("{text}{name}{}{}", part[..end].replace('\\', "/"), &part[end..])
    })
}

impl Run {
    fn shown(&self) -> String {
        format!("exit {:?}\n{}--- stderr\n{}", self.code, self.out, self.err)
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

fn scripted() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    let examples = test.ancestors().nth(2).expect("tests are built in a folder").join("examples");
    examples.join(format!("scripted{}", std::env::consts::EXE_SUFFIX))
}

/// An entry that plays a scenario; the program stands on the `PATH`, the scenario in the project.
fn plays(scenario: &str, env: &str) -> String {
    format!("{{\"command\":\"scripted\",\"args\":[\"{scenario}\"],\"env\":{{{env}}}}}")
}

#[test]
fn ten_servers_of_a_config_run_at_the_same_time() {
    let desk = Desk::new();
    let meeting = tempfile::tempdir().expect("a folder");
    let place = meeting.path().display().to_string();
    let mut servers = String::new();
    for seat in 0..10 {
        let env = format!("\"MEETING_PLACE\":{place:?},\"SEAT\":\"seat-{seat}\"");
        let comma = if seat == 0 { "" } else { "," };
        write!(servers, "{comma}\"server-{seat}\":{}", plays("meets.txt", &env)).expect("a string takes text");
    }
    desk.home(".cursor/mcp.json", &format!("{{\"mcpServers\":{{{servers}}}}}"));
    let run = desk.run(&["audit", "--run", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.shown());
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("the document is JSON");
    assert_eq!(document["schema"], "mcp-footprint/1");
    assert_eq!(document["servers"].as_array().map(Vec::len), Some(10));
    let client = &document["clients"][0];
    assert_eq!(
        (&client["name"], &client["tool_count"], &client["complete"]),
        (&"cursor".into(), &10.into(), &true.into())
    );
    let one = document["servers"][0]["floor_tokens"].as_u64().expect("a count");
    assert_eq!(client["floor_tokens"].as_u64(), Some(10 * one));
    assert_eq!((&client["limits"][0]["code"], &client["limits"][0]["measured"]), (&"same_name".into(), &10.into()));
}

/// Configs of several clients: what is listed, turned off, nearer, of another project, broken.
fn desk_of_many() -> Desk {
    let desk = Desk::new();
    let heavy = plays("heavy.txt", "\"API_KEY\":\"hunter2-env\"");
    desk.home(
        ".claude.json",
        &format!("{{\"mcpServers\":{{\"heavy\":{heavy},\"web\":{{\"command\":\"far\"}}}},\"projects\":{{\"/elsewhere\":{{\"mcpServers\":{{\"x\":{{\"command\":\"x\"}}}}}}}}}}"),
    );
    desk.project(
        ".mcp.json",
        &format!("{{\"mcpServers\":{{\"web\":{heavy},\"off\":{{\"command\":\"off\",\"disabled\":true}}}}}}"),
    );
    let crashes = plays("crashes.txt", "\"API_KEY\":\"hunter2-env\"");
    let crashes = crashes.replace("],\"env\"", ",\"--token\",\"hunter2-argument\"],\"env\"");
    desk.home(".cursor/mcp.json", &format!("{{\"mcpServers\":{{\"heavy\":{heavy},\"crashes\":{crashes}}}}}"));
    desk.project(".vscode/mcp.json", "{\n  // broken\n  \"servers\": {,}\n}\n");
    desk.home(".codex/config.toml", "[mcp_servers.docs]\ncommand = \"docs\"\nenabled = false\n[mcp_servers.asks]\ncommand = \"${NOT_SET_ANYWHERE}\"\n");
    desk
}

#[test]
fn without_run_everything_is_listed_and_nothing_launched() {
    let desk = desk_of_many();
    let run = desk.run(&["audit"]);
    assert_eq!(run.code, Some(2), "a config that cannot be read is said: {}", run.shown());
    insta::assert_snapshot!("listed", run.shown());
    let run = desk.run(&["audit", "--client", "cursor", "--client", "claude-code", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.shown());
    insta::assert_snapshot!("listed_json", run.shown());
}

#[test]
fn with_run_each_client_has_its_own_total_and_one_that_is_not_complete_says_at_least() {
    let run = desk_of_many().run(&["audit", "--run"]);
    assert_eq!(run.code, Some(3), "{}", run.shown());
    insta::assert_snapshot!("measured", run.shown());
}

#[test]
fn the_same_entry_in_two_clients_is_measured_for_both() {
    let run = desk_of_many().run(&["audit", "--run", "--client", "claude-code"]);
    assert_eq!(run.code, Some(0), "{}", run.shown());
    insta::assert_snapshot!("claude_code", run.shown());
}

#[test]
fn a_client_that_chooses_among_tools_is_told_what_it_sends() {
    let desk = Desk::new();
    let server = |choice: &str| {
        format!(
            "[mcp_servers.docs]\ncommand = \"scripted\"\nargs = [\"two.txt\"]\ncwd = '{}'\n{choice}\n",
            desk.project.path().display()
        )
    };
    let list = r#"{"tools":[{"name":"search","description":"Search."},{"name":"ok"}]}"#;
    let steps =
        format!("\n---\ninitialize\nexpect tools/list\nsend {{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{list}}}\n");
    desk.project("two.txt", &steps);
    let total = |choice: &str| {
        desk.home(".codex/config.toml", &server(choice));
        let run = desk.run(&["audit", "--run", "--client", "codex", "--format", "json"]);
        let document: serde_json::Value = serde_json::from_str(&run.out).expect("standard output holds the document");
        let server = &document["servers"][0];
        let notes = server["notes"].as_array().expect("a list").iter().map(|note| note["code"].to_string());
        (server["tool_count"].as_u64(), notes.collect::<String>())
    };
    assert_eq!(total(""), (Some(2), String::new()));
    assert_eq!(total("enabled_tools = [\"ok\"]"), (Some(1), "\"tools_filtered\"".to_owned()));
    assert_eq!(total("disabled_tools = [\"ok\", \"search\"]").0, Some(0));
}

#[test]
fn an_address_that_cannot_be_reached_is_told_without_its_secrets() {
    let desk = Desk::new();
    desk.home(
        ".codeium/windsurf/mcp_config.json",
        r#"{"mcpServers":{"far":{"serverUrl":"http://ada:hunter2-user@127.0.0.1:9/mcp?key=hunter2-query",
            "headers":{"Authorization":"Bearer hunter2-header"}}}}"#,
    );
    for args in [&["audit"][..], &["audit", "--run", "--verbose"], &["audit", "--run", "--format", "json"]] {
        let run = desk.run(args);
        assert!(run.out.to_lowercase().contains("windsurf"), "{}", run.shown());
        assert_eq!(run.code, Some(if args.len() == 1 { 0 } else { 3 }), "{}", run.shown());
    }
}

#[test]
fn a_desk_without_configs_is_no_fault() {
    let run = Desk::new().run(&["audit", "--run"]);
    assert_eq!(run.code, Some(0), "{}", run.shown());
    assert_eq!(run.out, "mcp-footprint audit: no config of a known MCP client in this folder or under your home\n");
}

#[test]
fn a_config_is_a_source_of_every_command() {
    let desk = Desk::new();
    let heavy = plays("heavy.txt", "\"API_KEY\":\"hunter2-env\"");
    let asks = plays("heavy.txt", "\"KEY\":\"${input:the-key}\"");
    desk.project(
        ".vscode/mcp.json",
        &format!(
            "{{\"servers\":{{\"heavy\":{heavy},\"asks\":{asks},\"off\":{{\"command\":\"off\",\"disabled\":true}}}}}}"
        ),
    );
    let config = [".vscode/mcp.json", "--server", "heavy"];
    let run = |args: &[&str]| desk.run(&[args, &["--config"], &config].concat());

    let report = run(&["report"]);
    assert!(report.code == Some(0) && report.out.contains("mcp-footprint: 2 tools"), "{}", report.shown());
    let saved = run(&["capture", "-o", "saved.json"]);
    assert_eq!(saved.code, Some(0), "{}", saved.shown());
    let capture = std::fs::read_to_string(desk.project.path().join("saved.json")).expect("it was written");
    assert!(capture.contains("API_KEY") && !capture.contains(MARKER), "{capture}");
    let init = run(&["init"]);
    assert_eq!(init.code, Some(0), "{}", init.shown());
    let budgets = std::fs::read_to_string(desk.project.path().join("budgets.toml")).expect("it was written");
    assert!(budgets.contains("env = { API_KEY = \"${API_KEY}\" }") && !budgets.contains(MARKER), "{budgets}");
    assert_eq!(run(&["check"]).code, Some(0));
    assert_eq!(run(&["pin"]).code, Some(0));

    let unasked = desk.run(&["--config", ".vscode/mcp.json"]);
    assert_eq!(unasked.code, Some(2));
    assert!(
        unasked.err.contains("server `asks`: it asks for the input `the-key`; give it with --input 'the-key=VALUE'"),
        "{}",
        unasked.err
    );
    let both = desk.run(&["--config", ".vscode/mcp.json", "--input", "the-key=hunter2-input"]);
    assert!(both.code == Some(0) && both.out.contains("2 servers"), "{}", both.shown());
    let nobody = desk.run(&["--config", ".vscode/mcp.json", "--server", "nobody"]);
    assert!(nobody.code == Some(2) && nobody.err.contains("there is no server `nobody`"), "{}", nobody.shown());
}
