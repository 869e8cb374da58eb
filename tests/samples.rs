//! The samples that README.md shows are what the program writes: one refusal in every format, from the capture beside
//! them. `INSTA_UPDATE=always cargo test --test samples` writes them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Each format, and the sample of it.
const SAMPLES: [(&str, &str); 8] = [
    ("table", "check.txt"),
    ("json", "check.json"),
    ("markdown", "check.md"),
    ("junit", "check.junit.xml"),
    ("gitlab", "check.gitlab.json"),
    ("sarif", "check.sarif"),
    ("catalog", "catalog.json"),
    ("fak", "fak.json"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples")
}

/// The lines, but for the one that holds the version of the program.
fn lines(text: &str) -> Vec<&str> {
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    text.lines().filter(|line| !line.contains(version)).collect()
}

#[test]
fn every_format_of_the_readme_is_shown_as_it_is_written() {
    let into = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-footprint"));
    command.current_dir(folder()).env_clear().args(["check", "--against", "before.json", "--format", "html"]);
    for (format, name) in SAMPLES {
        command.arg("--output").arg(format!("{format}={}", into.path().join(name).display()));
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    // tests/real/documents.sh looks at the page in a browser.
    let documents = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    std::fs::create_dir_all(&documents).unwrap();
    std::fs::write(documents.join("sample.html"), output.stdout).unwrap();
    let writes = std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always");
    for (_, name) in SAMPLES {
        let written = std::fs::read_to_string(into.path().join(name)).unwrap();
        if writes {
            std::fs::write(folder().join(name), &written).unwrap();
        }
        let committed = std::fs::read_to_string(folder().join(name)).unwrap();
        assert_eq!(lines(&committed), lines(&written), "{name} is another; write it with INSTA_UPDATE=always");
    }
}

#[test]
fn the_readme_names_every_sample() {
    let readme = include_str!("../README.md");
    for (_, name) in SAMPLES {
        assert!(readme.contains(&format!("(fixtures/samples/{name})")), "{name}");
    }
}
