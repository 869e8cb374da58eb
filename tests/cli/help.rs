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
