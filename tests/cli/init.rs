//! `init`: an entry for the file, and what the list depends on.

use crate::place::{Place, listing};

#[test]
fn a_first_server_makes_the_file_and_a_second_goes_to_its_end() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok","description":"Adds a note."}"#);
    assert_eq!(place.run("init -- notes").code, Some(0));
    assert_eq!(place.run("init --name ok --env A=b -- scripted ok.txt").code, Some(0));
    assert_eq!(place.run("check").code, Some(0));
    place.show("budgets.toml");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn an_entry_that_exists_is_left_alone_and_nothing_is_launched_for_it() {
    let mut place = Place::new();
    place.budgets(&["ok"]);
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    let before = place.read("budgets.toml");
    assert_eq!(place.run("init --name ok -- scripted ok.txt").code, Some(2));
    assert_eq!(place.launches("ok.txt"), 0);
    assert_eq!(
        place.run("init --name h --url http://localhost/mcp --header 'Authorization: Bearer abcdefgh'").code,
        Some(2)
    );
    assert_eq!(place.read("budgets.toml"), before);
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_tool_that_depends_on_its_surroundings_is_named() {
    let mut place = Place::new();
    let seen = |name: &str| format!("{{\"name\":\"says_{name}\",\"description\":\"in ${name}\"}}");
    let tools = ["zone", "home", "cwd", "declared"].map(seen).join(",");
    place.scenario("ok.txt", &listing(&format!("{tools},{{\"name\":\"steady\"}}")));
    let scenario = place.path("ok.txt").display().to_string();
    let ran = place.run(&format!("init --name ok -- scripted {scenario}"));
    assert_eq!(ran.code, Some(0));
    assert!(!ran.stdout.contains("steady"), "{}", ran.stdout);
    // The first line counts paths of this machine.
    let told: Vec<&str> = ran.stdout.lines().skip(1).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_differs_by_chance_is_told_of_nothing_else_and_a_variable_in_an_argument_is_varied_too() {
    let mut place = Place::new();
    let tools =
        r#"{"name":"process","description":"$pid"},{"name":"notes","description":"in $args"},{"name":"steady"}"#;
    place.scenario("ok.txt", &listing(tools));
    let scenario = place.path("ok.txt").display().to_string().replace('\\', "/");
    place.write(
        ".mcp.json",
        format!(
            "{{\"mcpServers\":{{\"ok\":{{\"command\":\"scripted\",\"args\":[\"{scenario}\",\"${{HOME}}/notes\"]}}}}}}"
        ),
    );
    let ran = place.run("init --config .mcp.json --server ok");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("depends on")).collect();
    assert_eq!(
        told,
        ["depends on chance: it differs from launch to launch: process", "depends on the home directory: notes"]
    );
}

#[test]
fn what_was_launched_is_written_so_that_check_launches_the_same() {
    let mut place = Place::new();
    place.scenario("ok.txt", &listing(r#"{"name":"ok","description":"in $args"}"#));
    assert_eq!(place.run("init --name ok -- scripted ok.txt '${NOWHERE}/notes' 'a$$b' '$5'").code, Some(0));
    assert!(place.read("budgets.toml").contains(r#"["ok.txt", "$${NOWHERE}/notes", "a$$$$b", "$5"]"#));
    let ran = place.run("check --format json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!ran.stdout.contains("unbanked"), "{}", ran.stdout);
}

#[test]
fn a_path_that_only_this_machine_has_is_told() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    let scenario = place.path("ok.txt").display().to_string();
    let ran = place.run(&format!("init --name own -- scripted {scenario}"));
    assert!(ran.stderr.contains("warning: only this machine has [FOLDER]/ok.txt; write it relative"), "{}", ran.stderr);
    let ran = place.run("init --name shared -- scripted ok.txt /usr/share/words");
    assert!(!ran.stderr.contains("only this machine"), "{}", ran.stderr);
}

#[test]
fn a_server_that_starts_nowhere_else_is_told_and_added_all_the_same() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    assert_eq!(place.run("init --name ok -- scripted ok.txt").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn init_from_another_folder_writes_the_working_directory() {
    let mut place = Place::new();
    place.lists("below/ok.txt", r#"{"name":"ok"}"#);
    let below = place.path("below");
    let ran = place.run_with("init --name ok --budgets ../budgets.toml -- scripted ok.txt", |command| {
        command.current_dir(&below);
    });
    assert_eq!(ran.code, Some(0));
    place.show("budgets.toml");
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!(place.run("init --name again --cwd below -- scripted ok.txt").code, Some(0));
    assert_eq!(place.run("check --server again").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_capture_can_be_the_source_and_standard_input_cannot() {
    let mut place = Place::new();
    place.write("saved/tools.json", r#"[{"name":"ok"}]"#);
    assert_eq!(place.run("init --name saved --from saved/tools.json").code, Some(0));
    assert_eq!(place.run("check").code, Some(0));
    let piped = place.run_with("init --name piped --from -", |command| {
        command.write_stdin("[{\"name\":\"ok\"}]");
    });
    assert_eq!(piped.code, Some(2));
    place.show("budgets.toml");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn variables_are_kept_as_they_are_written_and_never_their_values() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    let with_token = |command: &mut assert_cmd::Command| {
        command.env("MINE", "hunter2222");
    };
    assert_eq!(place.run_with("init --name ok --env 'TOKEN=${MINE}' -- scripted ok.txt", with_token).code, Some(0));
    assert_eq!(place.run("init --name literal --env TOKEN=hunter3333 -- scripted ok.txt").code, Some(0));
    assert_eq!(
        place.run_with("capture -o out.json --env 'TOKEN=${MINE}' -- scripted ok.txt", with_token).code,
        Some(0)
    );
    assert!(!place.read("budgets.toml").contains("hunter2222"));
    assert!(!place.read("out.json").contains("hunter2222"));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_revision_that_nobody_has_heard_of_is_pinned_and_never_asked_for() {
    let mut place = Place::new();
    place.scenario(
        "later.txt",
        "expect initialize\nsend {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2031-01-01\",\
         \"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"later\",\"version\":\"1\"}}}\n\
         expect notifications/initialized\nexpect tools/list\n\
         send {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[{\"name\":\"ok\"}]}}",
    );
    assert_eq!(place.run("init -- scripted later.txt").code, Some(0));
    let protocol = |line: &&str| line.starts_with("protocol");
    let budgets = place.read("budgets.toml");
    assert_eq!(budgets.lines().filter(protocol).collect::<Vec<_>>(), ["protocol = \"2031-01-01\""]);
    assert!(budgets.split_once("[servers.later.pinned]").is_some_and(|(before, _)| !before.contains("protocol")));
    assert_eq!(place.run("check").code, Some(0));
    assert_eq!(place.run("capture -o later.json --server later").code, Some(0));
    assert_eq!(place.run("check --from later.json").code, Some(0));
}

#[test]
fn a_server_without_a_name_needs_one() {
    let mut place = Place::new();
    place.write(
        "nameless.json",
        r#"{"schema":"mcp-footprint-capture/1","servers":[{"name":" ","tools":[{"name":"ok"}]}]}"#,
    );
    let nameless = place.run("init --from nameless.json");
    assert_eq!(nameless.code, Some(2));
    assert!(nameless.stderr.contains("give it one with --name"), "{}", nameless.stderr);
    assert!(!place.exists("budgets.toml"));
    assert_eq!(place.run("init --from nameless.json --name named").code, Some(0));
    assert_eq!(place.run("check").code, Some(0));
}

#[test]
fn the_schema_goes_beside_a_new_file_and_never_over_one_that_is_there() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    assert_eq!(place.run("init --name ok -- scripted ok.txt").code, Some(0));
    let schema = place.read("budgets.schema.json");
    assert!(schema.contains("budgets.toml of mcp-footprint"), "{schema}");
    let before = place.read("budgets.toml");
    place.write("budgets.schema.json", "{}");
    assert_eq!(place.run("init --name more -- scripted ok.txt").code, Some(0));
    assert!(place.read("budgets.toml").starts_with(&before));
    std::fs::remove_file(place.path("budgets.toml")).unwrap();
    let again = place.run("init --name ok -- scripted ok.txt");
    assert!(!again.stdout.contains("schema"), "{}", again.stdout);
    // Another file under that name stays, and is not called a schema.
    assert_eq!(Some(place.read("budgets.toml").as_str()), before.strip_prefix("#:schema budgets.schema.json\n"));
    assert_eq!(place.read("budgets.schema.json"), "{}");
}
