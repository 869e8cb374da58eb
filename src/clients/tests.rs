//! Each client's shape on a file of its own, as it is told and as it would be launched.

use std::path::{Path, PathBuf};

use super::*;
use crate::capture::Source;

/// Every secret of the fixtures holds this.
const MARKER: &str = "hunter2";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/clients").join(name)
}

fn read(name: &str) -> Config {
    Config::read(&fixture(name), None, Some(Path::new("/home/ada"))).unwrap()
}

fn environment(name: &str) -> Option<String> {
    (name.ends_with("TOKEN") || name == "DESIGN_KEY").then(|| format!("{MARKER}-{name}"))
}

/// What is told of a config before and after its variables expand.
fn told(name: &str) -> String {
    let config = read(name);
    let inputs = [("perplexity-key".to_owned(), format!("{MARKER}-input"))];
    let lines = config.servers.iter().flat_map(|server| {
        let scope = server.project.as_ref().map(|project| format!(" (in {project})")).unwrap_or_default();
        let marks = [("disabled", !server.enabled), ("always loaded", server.always_loaded)];
        let marks: String = marks.iter().filter(|(_, says)| *says).map(|(mark, _)| format!(" [{mark}]")).collect();
        let resolved = match config.target(server, &inputs, &environment) {
            Ok(target) => target.secrets.mask(&resolved(&target.source)),
            Err(error) => error.to_string(),
        };
        [
            format!("{}{scope}{marks}: {}", server.name, server.told().unwrap_or_else(|fault| fault)),
            format!("  {resolved}"),
        ]
    });
    let text: String = lines.map(|line| line + "\n").collect();
    let text = text.replace(env!("CARGO_MANIFEST_DIR"), "[here]").replace('\\', "/");
    assert!(!text.contains(MARKER), "{text}");
    text
}

fn resolved(source: &Source) -> String {
    let pairs = |pairs: &[(String, String)]| -> String {
        pairs.iter().map(|(name, value)| format!(" {name}={value}")).collect()
    };
    match source {
        Source::Stdio(launch) => {
            let env = pairs(&launch.env);
            format!("{} {}{env} in {}", launch.command, launch.args.join(" "), launch.cwd.display())
        }
        Source::Http(endpoint) => format!("{}{}", endpoint.url, pairs(&endpoint.headers)),
        Source::File { path } => path.display().to_string(),
    }
}

#[test]
fn every_client_is_read_in_its_own_shape_and_no_secret_is_told() {
    insta::assert_snapshot!("claude_desktop", told("claude_desktop_config.json"));
    insta::assert_snapshot!("claude_code_user", told(".claude.json"));
    insta::assert_snapshot!("claude_code_project", told(".mcp.json"));
    insta::assert_snapshot!("cursor", told("cursor.json"));
    insta::assert_snapshot!("windsurf", told("windsurf_mcp_config.json"));
    insta::assert_snapshot!("vscode", told(".vscode/mcp.json"));
    insta::assert_snapshot!("zed", told("zed_settings.json"));
    insta::assert_snapshot!("codex", told("codex_config.toml"));
    insta::assert_snapshot!("gemini", told(".gemini/settings.json"));
    insta::assert_snapshot!("opencode", told("opencode.jsonc"));
}

#[test]
fn a_project_has_its_own_servers_before_everybodys() {
    let config = read(".claude.json");
    let names = |folder: &str| -> Vec<(String, bool)> {
        let servers = config.servers_in(Path::new(folder));
        servers.iter().map(|server| (server.name.clone(), server.project.is_some())).collect()
    };
    assert_eq!(names("/home/me/app"), [("notes".to_owned(), true), ("search".to_owned(), false)]);
    assert_eq!(names("/work"), [("search".to_owned(), false), ("notes".to_owned(), false)]);
    assert_eq!(config.other_projects(Path::new("/home/me/app")), [("/home/me/site", 2)]);
}

fn fault(file: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, text).unwrap();
    let config = Config::read(&path, None, None);
    let message = match config {
        Err(error) => error.to_string(),
        Ok(config) => match config.target(&config.servers[0], &[], &|_| None) {
            Err(error) => error.to_string(),
            Ok(_) => "no fault".to_owned(),
        },
    };
    message.replace(&folder.path().display().to_string(), "").replace(['/', '\\'], "")
}

#[test]
fn a_fault_has_its_line_and_column_and_shows_no_value() {
    for (text, expected) in [
        (
            "{\n  \"mcpServers\": [\"hunter2\"]\n}",
            "a.json:2:17: `mcpServers` is a list, and should be an object of servers",
        ),
        ("{\n  \"mcpServers\": {,}\n}", "a.json:2:18: this is not valid JSON: "),
        (
            "{\"mcpServers\":{\"s\":\n \"hunter2\"}}",
            "a.json:2:2: server `s`: `the server` is a string, and should be an object",
        ),
        (
            "{\"mcpServers\":{\"s\":{\"command\":\"x\",\n\"args\":\"hunter2\"}}}",
            "a.json:2:8: server `s`: `args` is a string, and should be a list of strings",
        ),
        (
            "{\"mcpServers\":{\"s\":{\"command\":\"x\",\n\"env\":{\"A\":7}}}}",
            "a.json:2:12: server `s`: `env.A` is a number, and should be a string",
        ),
        ("{\"mcpServers\":{\"s\":{\"command\":\"${NONE}\"}}}", "a.json:1:16: server `s`: the variable NONE is not set"),
        (
            "{\"servers\":{\"s\":{\"command\":\"x\",\"env\":{\"A\":\"${input:id}\"}}}}",
            "a.json:1:13: server `s`: it asks for the input `id`; give it with --input 'id=VALUE'",
        ),
        ("{\"servers\":{\"s\":{\"extension\":\"x\"}}}", "a.json:1:17: server `s`: it has neither `command` nor `url`"),
        ("\"hunter2\"", "a.json: the file holds a string, and no object"),
        ("", "a.json: the file is empty"),
    ] {
        let seen = fault("a.json", text);
        assert!(seen.starts_with(expected) && !seen.contains("hunter2"), "{text}\n{seen}");
    }
    let seen = fault("a.toml", "[mcp_servers.s]\ncommand = 7\n");
    assert!(seen.starts_with("a.toml:2:11: server `s`: `command` is a number, and should be a string"), "{seen}");
    let seen = fault("a.toml", "[mcp_servers.s]\ncommand = \n");
    assert!(seen.starts_with("a.toml:2:11: this is not valid TOML"), "{seen}");
}

#[test]
fn an_entry_that_clients_would_read_in_two_ways_is_not_launched() {
    for (entry, expected) in [
        (r#""command":"x","url":"http://y""#, "it has both `command` and `url`, and no `type` says which"),
        (r#""command":"x","serverUrl":"http://y""#, "it has both `command` and `serverUrl`"),
        (r#""command":"x","type":"extension""#, "its `type` is none of stdio, local, http, sse"),
        (r#""url":"http://y","type":"Http""#, "its `type` is none of"),
        (r#""command":"x","type":7"#, "`type` is a number, and should be a string"),
        (r#""command":"x","type":"http""#, "its `type` needs a `url`, and it has none"),
        (r#""url":"http://y","type":"stdio""#, "its `type` needs a `command`, and it has none"),
        (r#""command":"x","disabled":"true""#, "`disabled` is a string, and should be true or false"),
        (r#""command":"x","disabled":1"#, "`disabled` is a number, and should be true or false"),
        (r#""command":"x","enabled":"no""#, "`enabled` is a string, and should be true or false"),
        (r#""command":"x","env":{"A=B":"c"}"#, "`env` holds `A=B`, which is no name of a variable"),
        (r#""command":"x","env":{"":"c"}"#, "`env` holds ``, which is no name of a variable"),
        (r#""command":"x","envFile":".env""#, "it takes variables from `envFile`, which only its client reads"),
    ] {
        let seen = fault("a.json", &format!("{{\"mcpServers\":{{\"s\":{{{entry}}}}}}}"));
        assert!(seen.contains(expected), "{entry}\n{seen}");
    }
}

#[test]
fn a_switch_of_another_client_turns_nothing_off() {
    let told = |file: &str, text: &str| fault(file, text);
    for (file, text, expected) in [
        (".mcp.json", r#"{"mcpServers":{"s":{"command":"x","enabled":false}}}"#, "`enabled` turns it off for other"),
        ("a.json", r#"{"servers":{"s":{"command":"x","enabled":false}}}"#, "this one knows `disabled`"),
        ("config.toml", "[mcp_servers.s]\ncommand = \"x\"\ndisabled = true\n", "this one knows `enabled`"),
        ("opencode.json", r#"{"mcp":{"s":{"command":["x"],"disabled":true}}}"#, "this one knows `enabled`"),
        (".mcp.json", r#"{"mcpServers":{"s":{"command":"x","disabled":false,"enabled":false}}}"#, "for other clients"),
    ] {
        let seen = told(file, text);
        assert!(seen.contains(expected), "{file}\n{seen}");
    }
    let on = r#"{"mcpServers":{"s":{"command":"x","enabled":true,"disabled":false}}}"#;
    assert_eq!(told(".mcp.json", on), "no fault");
}

#[test]
fn the_lists_of_gemini_turn_servers_off() {
    let on = |file: &str, settings: &str| -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let servers = r#"{"a":{"command":"x"},"Docs":{"command":"x"},"c":{"command":"x","disabled":true}}"#;
        std::fs::write(&path, format!(r#"{{{settings}"mcpServers":{servers}}}"#)).unwrap();
        let servers = Config::read(&path, None, None).unwrap().servers;
        servers.into_iter().filter(|server| server.enabled).map(|server| server.name).collect()
    };
    let gemini = |settings: &str| on(".gemini/settings.json", settings);
    assert_eq!(gemini(""), ["a", "Docs"]);
    assert_eq!(gemini(r#""mcp":{"allowed":["docs ","c"]},"#), ["Docs"]);
    assert_eq!(gemini(r#""mcp":{"excluded":["DOCS"]},"#), ["a"]);
    assert_eq!(gemini(r#""mcp":{"allowed":["a","docs"],"excluded":["a"]},"#), ["Docs"]);
    assert_eq!(gemini(r#""mcp":{"allowed":[]},"#), ["a", "Docs"]);
    assert_eq!(on(".mcp.json", r#""mcp":{"excluded":["a"]},"#), ["a", "Docs"]);
}

#[test]
fn a_file_of_a_client_is_read_under_that_clients_key_and_any_other_under_its_only_one() {
    let both = |one: &str, other: &str| {
        format!(r#"{{"{one}":{{"light":{{"command":"x"}}}},"{other}":{{"heavy":{{"command":["y"]}}}}}}"#)
    };
    let names = |file: &str, text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let config = Config::read(&path, None, None).map_err(|error| error.message)?;
        Ok::<_, String>(config.servers.iter().map(|server| server.name.clone()).collect::<Vec<_>>())
    };
    for (file, key) in [
        (".vscode/mcp.json", "servers"),
        ("User/mcp.json", "servers"),
        (".zed/settings.json", "context_servers"),
        ("opencode.jsonc", "mcp"),
        (".opencode/opencode.json", "mcp"),
    ] {
        assert_eq!(names(file, &both("mcpServers", key)).unwrap(), ["heavy"], "{file}");
        assert_eq!(names(file, r#"{"mcpServers":{"a":{"command":"x"}}}"#).unwrap(), [""; 0], "{file}");
    }
    for file in [".mcp.json", ".cursor/mcp.json", ".gemini/settings.json", "claude_desktop_config.json"] {
        assert_eq!(names(file, &both("mcpServers", "servers")).unwrap(), ["light"], "{file}");
    }
    for (one, other) in [("mcpServers", "servers"), ("servers", "context_servers"), ("mcp", "mcpServers")] {
        let fault = names("any.json", &both(one, other)).unwrap_err();
        assert!(fault.contains("and its name does not say which of them a client reads"), "{fault}");
    }
    assert_eq!(names("any.json", r#"{"mcpServers":{},"servers":{"a":{"command":"x"}}}"#).unwrap(), ["a"]);
}

#[test]
fn a_type_says_which_source_counts_and_null_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    let told = |entry: &str| {
        std::fs::write(&path, format!("{{\"mcpServers\":{{\"s\":{{{entry}}}}}}}")).unwrap();
        Config::read(&path, None, None).unwrap().servers[0].told().unwrap()
    };
    assert_eq!(told(r#""type":"stdio","command":"x","url":"http://y/""#), "x");
    for kind in ["http", "sse", "streamable-http", "streamableHttp", "remote"] {
        assert_eq!(told(&format!(r#""type":"{kind}","command":"x","url":"http://y/""#)), "http://y/");
    }
    assert_eq!(told(r#""type":null,"disabled":null,"command":"x""#), "x");
    assert_eq!(told(r#""command":"x","env":{"A":"one","B":"two","A":"three"}"#), "x [env B] [env A]");
}

#[test]
fn a_file_without_servers_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.json");
    std::fs::write(&path, "{\"theme\": \"dark\"}").unwrap();
    assert_eq!(Config::read(&path, None, None).unwrap().servers, []);
}

#[test]
fn the_nearest_file_of_each_client_comes_first() {
    let home = tempfile::tempdir().unwrap();
    let project = tempfile::tempdir().unwrap();
    for (folder, file) in [
        (&home, ".claude.json"),
        (&project, ".mcp.json"),
        (&home, ".cursor/mcp.json"),
        (&project, ".cursor/mcp.json"),
        (&project, ".vscode/mcp.json"),
        (&home, ".codeium/windsurf/mcp_config.json"),
        (&home, "config/opencode/opencode.json"),
        (&home, "applications/Claude/claude_desktop_config.json"),
        (&home, "codex/config.toml"),
        (&home, ".gemini/settings.json"),
    ] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "{}").unwrap();
    }
    let surroundings = Surroundings {
        home: home.path().to_owned(),
        applications: home.path().join("applications"),
        programs: home.path().join("config"),
        project: project.path().to_owned(),
    };
    let codex = home.path().join("codex").to_string_lossy().into_owned();
    let found = find(&surroundings, &|name| (name == "CODEX_HOME").then(|| codex.clone()));
    let told: Vec<(&str, Vec<&str>)> = found
        .iter()
        .map(|found| {
            let near = |file: &PathBuf| if file.starts_with(project.path()) { "project" } else { "user" };
            (found.client.as_str(), found.files.iter().map(near).collect())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("claude-desktop", vec!["user"]),
            ("claude-code", vec!["project", "user"]),
            ("cursor", vec!["project", "user"]),
            ("vscode", vec!["project"]),
            ("windsurf", vec!["user"]),
            ("codex", vec!["user"]),
            ("gemini", vec!["user"]),
            ("opencode", vec!["user"]),
        ]
    );
}

#[test]
fn a_config_works_in_its_project_also_where_that_is_hidden() {
    let place = tempfile::tempdir().unwrap();
    let workspace = |file: &str| {
        let path = place.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "{}").unwrap();
        let workspace = Config::read(&path, None, None).unwrap().workspace;
        workspace.strip_prefix(place.path()).unwrap().to_string_lossy().replace('\\', "/")
    };
    std::fs::create_dir_all(place.path().join(".dotfiles/.git")).unwrap();
    assert_eq!(workspace("project/.vscode/mcp.json"), "project");
    assert_eq!(workspace("project/.mcp.json"), "project");
    assert_eq!(workspace(".hidden/.mcp.json"), ".hidden");
    assert_eq!(workspace(".dotfiles/opencode.json"), ".dotfiles");
    assert_eq!(workspace(".dotfiles/.cursor/mcp.json"), ".dotfiles");
}

#[test]
fn of_two_entries_of_one_name_the_last_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    std::fs::write(&path, r#"{"mcpServers":{"a":{"command":"old"},"b":{"command":"b"},"a":{"command":"new"}}}"#)
        .unwrap();
    let config = Config::read(&path, None, None).unwrap();
    let told: Vec<_> = config.servers.iter().map(|server| (server.name.as_str(), server.told().unwrap())).collect();
    assert_eq!(told, [("b", "b".to_owned()), ("a", "new".to_owned())]);
}
