//! What the program says about itself.

use crate::place::Place;

#[test]
fn the_help_of_every_command_is_as_it_was() {
    for command in ["report", "check", "pin", "init", "capture", "audit", "schema", "completions", "man"] {
        let mut place = Place::new();
        assert_eq!(place.run(&format!("{command} --help")).code, Some(0));
        insta::assert_snapshot!(format!("help_{command}"), place.transcript());
    }
    let mut place = Place::new();
    place.run("--help");
    place.run("-h");
    insta::assert_snapshot!("help", place.transcript());
}

#[test]
fn wrong_usage_is_told_in_a_few_lines() {
    let mut place = Place::new();
    for line in [
        "--colour always",
        "frobnicate",
        "report --from a.json -- scripted",
        "check --format yaml",
        "check --output json",
        "check --output yaml=a",
        "report --timeout soon -- scripted",
        "pin --raise",
        "pin --reason x",
        "init",
        "report --name x",
        "report --env NAME -- scripted",
        "report --jobs 0 -- scripted",
    ] {
        assert_eq!(place.run(line).code, Some(2), "{line}");
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn completions_and_the_man_page_are_printed() {
    let mut place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = place.run(&format!("completions {shell}"));
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains("context-window"), "{shell}");
    }
    let man = place.run("man");
    assert_eq!(man.code, Some(0));
    assert!(man.stdout.contains(".TH mcp-footprint"), "{}", man.stdout);
    let check = place.run("man check").stdout;
    assert!(check.contains(".TH mcp-footprint-check") && check.contains("\\-\\-base"), "{check}");
    let unknown = place.run("man nope");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("there is no command `nope`; there are report, check,"), "{}", unknown.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_behind_a_command() {
    let mut place = Place::new();
    let script = place.run("completions bash").stdout;
    place.write("c.bash", script);
    let completed = |words: &[&str]| {
        let steps = r#"source c.bash; f=$(complete -p mcp-footprint); f=${f#*-F }; f=${f%% *}
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "$f" "$1" "${!#}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\n' "${COMPREPLY[@]}""#;
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", steps, "bash"]).args(words).current_dir(place.path("."));
        let output = bash.output().expect("bash is there");
        String::from_utf8(output.stdout)
            .expect("names are UTF-8")
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(completed(&["mcp-footprint", "ch"]), ["check"]);
    assert_eq!(completed(&["mcp-footprint", "explain", "--th"]), ["--threshold"]);
    assert!(completed(&["mcp-footprint", "schema", ""]).contains(&"budgets".to_owned()));
    assert!(completed(&["mcp-footprint", "report", "--format", ""]).contains(&"sarif".to_owned()));
}

#[test]
fn a_fault_of_the_arguments_tells_what_was_meant() {
    let mut place = Place::new();
    for (line, tip) in [
        ("chek", "tip: did you mean the command `check`?"),
        ("node x.js", "tip: the command of a server stands behind `--`"),
        ("explain x node x.js", "tip: the command of a server stands behind `--`"),
        ("--formt json", "tip: a similar argument exists: '--format'"),
    ] {
        let ran = place.run(line);
        assert_eq!(ran.code, Some(2), "{line}");
        assert!(ran.stderr.contains(tip), "{}", ran.stderr);
        assert!(!ran.stderr.contains("use '-- -"), "{}", ran.stderr);
    }
    let ran = place.run("defer --lookups -1");
    assert!(!ran.stderr.contains("-- -1"), "{}", ran.stderr);
    for (line, way_out) in
        [("check --from x.json", "or name another with --budgets"), ("check --server x", "or give a SOURCE")]
    {
        assert!(place.run(line).stderr.contains(way_out), "{line}");
    }
    place.budgets(&["ok"]);
    assert!(place.run("check --against v1").stderr.contains("--base takes a git revision"));
}

#[test]
fn the_version_is_the_one_of_the_package() {
    let ran = Place::new().run("--version");
    assert_eq!(ran.stdout, format!("mcp-footprint {}\n", env!("CARGO_PKG_VERSION")));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for page in ["--help", "--version", "man"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-footprint"));
        let output = command.arg(page).stdout(full).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{page}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("standard output cannot be written"), "{page}: {said}");
    }
}
