//! A scenario file: what must come of it stands above its line `---`, what the server does below.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The kinds of faults, in the order of the table.
pub(crate) const KINDS: [&str; 9] =
    ["none", "start-up", "silence", "noise", "size", "paging", "endings", "era", "prepare"];

/// The keys that a head may have, and what each of them says.
///
/// | key | says |
/// |---|---|
/// | `about`, `kind` | what the fault is |
/// | `only` | `unix`, where the scenario needs signals or file descriptors |
/// | `run` | `check`, to play it through a budgets.toml; else it is priced |
/// | `command` | what is launched in place of the scripted server |
/// | `protocol`, `timeout` | what the user sets; seconds |
/// | `exit` | the exit code of the program |
/// | `error`, `message`, `stderr` | the word, and parts of the message and of the tail of standard error |
/// | `tools`, `spoken`, `notes` | how many, the revision, and the words of the notes |
/// | `said` | `escaped`, where processes that left the group are told of on standard error |
/// | `may remain` | what this program does not promise to end; nothing by default |
const KEYS: [&str; 15] = [
    "about", "kind", "only", "run", "command", "protocol", "timeout", "exit", "error", "message", "stderr", "tools",
    "spoken", "notes", "said",
];

pub(crate) struct Scenario {
    pub(crate) file: PathBuf,
    head: BTreeMap<String, String>,
}

impl Scenario {
    /// Every scenario of the folder, by kind and then by name.
    pub(crate) fn all() -> Vec<Scenario> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/faults");
        let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
        let mut all: Vec<_> =
            entries.map(|entry| Scenario::read(entry.expect("a folder can be read").path())).collect();
        let place = |scenario: &Scenario| KINDS.iter().position(|kind| *kind == scenario.kind());
        all.sort_by_key(|scenario| (place(scenario), scenario.file.clone()));
        all
    }

    fn read(file: PathBuf) -> Scenario {
        let text = std::fs::read_to_string(&file).expect("a scenario is text");
        let (head, _) = text.split_once("\n---\n").expect("a scenario has a head");
        let pairs = head.lines().map(|line| line.split_once(": ").expect("a head has keys"));
        let head: BTreeMap<_, _> = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        for key in head.keys() {
            assert!(key == "may remain" || KEYS.contains(&key.as_str()), "{}: unknown key `{key}`", file.display());
        }
        let scenario = Scenario { file, head };
        assert!(KINDS.contains(&scenario.kind()), "{}: unknown kind", scenario.file.display());
        assert!(scenario.get("exit").is_some(), "{}: no exit code", scenario.file.display());
        scenario
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.head.get(key).map(String::as_str)
    }

    pub(crate) fn kind(&self) -> &str {
        self.get("kind").unwrap_or_default()
    }

    pub(crate) fn name(&self) -> String {
        self.file.file_stem().expect("a scenario has a name").to_string_lossy().into_owned()
    }

    pub(crate) fn is_for_this_system(&self) -> bool {
        cfg!(unix) || self.get("only").is_none()
    }
}
