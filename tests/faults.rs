//! Every fault that a server may have, each a scenario in `fixtures/faults/` that says what must come of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mcp_footprint::capture::{Launch, Source, Target, capture_all};

/// What a scenario says above its line `---`.
struct Fault {
    file: PathBuf,
    expected: BTreeMap<String, String>,
}

impl Fault {
    fn all() -> Vec<Fault> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/faults");
        let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        files.into_iter().map(Fault::read).collect()
    }

    fn read(file: PathBuf) -> Fault {
        let text = std::fs::read_to_string(&file).expect("a scenario is text");
        let (head, _) = text.split_once("\n---\n").expect("a scenario has a head");
        let pairs = head.lines().map(|line| line.split_once(": ").expect("a head has keys"));
        let expected = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        Fault { file, expected }
    }

    fn target(&self) -> Target {
        let timeout = self.expected.get("timeout").map_or(20, |seconds| seconds.parse().expect("seconds"));
        let launch = Launch {
            prepare: None,
            prepare_timeout: Duration::from_secs(5),
            command: scripted().display().to_string(),
            args: vec![self.file.display().to_string()],
            env: vec![],
            cwd: std::env::temp_dir(),
        };
        Target {
            name: None,
            source: Source::Stdio(launch),
            origin: Default::default(),
            protocol: self.expected.get("protocol").cloned(),
            capabilities: vec![],
            timeout: Duration::from_secs(timeout),
            secrets: Default::default(),
        }
    }

    /// What differs from the expectation, in sentences.
    fn play(&self) -> Vec<String> {
        let captures = capture_all(&[self.target()], 1, &|_, _| ()).expect("no signal comes");
        let mut seen = BTreeMap::new();
        match &captures.outcomes[0] {
            Ok(capture) => {
                seen.insert("tools", capture.definitions.len().to_string());
                seen.insert("notes", capture.notes.iter().map(|note| note.code.as_str()).collect::<Vec<_>>().join(" "));
            }
            Err(failure) => {
                seen.insert("error", failure.code.to_string());
                seen.insert("message", failure.message.clone());
                seen.insert("stderr", failure.stderr_tail.clone().unwrap_or_default());
            }
        }
        let said = captures.endings.finish().expect("no signal comes");
        seen.insert("said", said.map(|note| note.code.to_string()).unwrap_or_default());
        let checked = ["error", "message", "stderr", "tools", "notes", "said"];
        let wrong = |key: &&str| {
            let (seen, expected) = (seen.get(key)?, self.expected.get(*key).map_or("", String::as_str));
            let fits = match *key {
                "message" | "stderr" => seen.contains(expected),
                _ => seen == expected,
            };
            (!fits).then(|| format!("{}: {key} is `{seen}` where `{expected}` was expected", self.file.display()))
        };
        checked.iter().filter_map(wrong).collect()
    }
}

fn scripted() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    let examples = test.ancestors().nth(2).expect("tests are built in a folder").join("examples");
    examples.join(format!("scripted{}", std::env::consts::EXE_SUFFIX))
}

#[test]
fn every_fault_ends_as_its_scenario_says() {
    let wrong: Vec<_> = Fault::all().iter().flat_map(Fault::play).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
