//! `init --write` through the binary: the ready files, at the root of the repository, and never over one that is there.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

fn init(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(cargo_bin("mcp-footprint")).arg("init").args(args).current_dir(folder).output();
    let output = output.expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn ready_files_stand_at_the_root_and_are_never_written_over() {
    let repository = tempfile::tempdir().expect("a folder for the test");
    let below = repository.path().join("a/b");
    std::fs::create_dir_all(&below).expect("a folder for the test");
    std::fs::create_dir(repository.path().join(".git")).expect("a folder for the test");
    let (code, said) = init(&below, &["--write", "github", "--write", "gitlab", "--write", "pre-commit"]);
    assert_eq!(code, Some(0), "{said}");
    for path in [".github/workflows/mcp-footprint.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml"] {
        let text = std::fs::read_to_string(repository.path().join(path)).expect("it was written");
        assert!(text.contains("mcp-footprint check") && !text.contains("@VERSION@"), "{text}");
        assert!(said.contains(path.rsplit('/').next().unwrap_or(path)), "{said}");
        std::fs::write(repository.path().join(path), "mine").expect("a file of the test");
    }
    let (code, said) = init(&below, &["--write", "gitlab"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("exists and is left alone"), "{said}");
    assert_eq!(std::fs::read_to_string(repository.path().join(".gitlab-ci.yml")).expect("it is there"), "mine");
}

#[test]
fn a_ready_file_that_exists_is_found_before_anything_is_measured() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    std::fs::create_dir(folder.path().join(".git")).expect("a folder for the test");
    std::fs::write(folder.path().join("tools.json"), r#"[{"name":"a"}]"#).expect("a file of the test");
    std::fs::write(folder.path().join(".gitlab-ci.yml"), "mine").expect("a file of the test");
    assert_eq!(init(folder.path(), &["--write", "gitlab", "--from", "tools.json"]).0, Some(2));
    assert!(!folder.path().join("budgets.toml").exists());
    assert_eq!(init(folder.path(), &["--write", "pre-commit", "--from", "tools.json"]).0, Some(0));
    assert!(folder.path().join("budgets.toml").exists() && folder.path().join(".pre-commit-config.yaml").exists());
}
