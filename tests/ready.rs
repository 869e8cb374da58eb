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
fn ready_files_name_the_budgets_that_no_check_at_the_root_would_find() {
    let repository = tempfile::tempdir().expect("a folder for the test");
    let root = repository.path();
    let below = root.join("my servers/notes");
    std::fs::create_dir_all(&below).expect("a folder for the test");
    std::fs::create_dir(root.join(".git")).expect("a folder for the test");
    std::fs::write(below.join("tools.json"), r#"[{"name":"a"}]"#).expect("a file of the test");
    std::fs::write(root.join("tools.json"), r#"[{"name":"a"}]"#).expect("a file of the test");
    let all = ["--write", "github", "--write", "gitlab", "--write", "pre-commit"];
    let written = [".github/workflows/mcp-footprint.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml"];
    let told = |folder: &Path, args: &[&str]| -> Vec<String> {
        let (code, said) = init(folder, args);
        assert_eq!(code, Some(0), "{said}");
        written
            .map(|path| {
                let text = std::fs::read_to_string(root.join(path)).expect("it was written");
                std::fs::remove_file(root.join(path)).expect("a file of the test");
                let line = text.lines().find(|line| line.contains("mcp-footprint check") && !line.contains("name:"));
                line.and_then(|line| line.split("mcp-footprint check").nth(1)).expect("it checks").to_owned()
            })
            .into()
    };
    let flag = " \"--budgets=my servers/notes/budgets.toml\"";
    // Alone, where the file is not there yet, then with it, then by its own name.
    for args in [all.as_slice(), &[&all[..], &["--from", "tools.json"]].concat(), &all] {
        assert!(told(&below, args).iter().all(|rest| rest.starts_with(flag)), "{args:?}");
    }
    let named = [&all[..], &["--budgets", "budgets/own.toml", "--from", "tools.json"]].concat();
    std::fs::create_dir(root.join("budgets")).expect("a folder for the test");
    assert!(told(root, &named).iter().all(|rest| rest.starts_with(" --budgets=budgets/own.toml")));
    assert!(told(root, &all).iter().all(|rest| !rest.contains("--budgets")));

    let outside = tempfile::tempdir().expect("a folder for the test");
    let elsewhere = outside.path().join("budgets.toml").display().to_string();
    for (budgets, told) in [(elsewhere.as_str(), "does not lie in"), ("a#b.toml", "only a file made by hand")] {
        let (code, said) = init(root, &["--write", "gitlab", "--budgets", budgets, "--from", "tools.json"]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(told) && !root.join(budgets).exists(), "{said}");
    }
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
