//! Replays the saved corpus of the fuzz targets, and every input that once failed, through the functions that the
//! targets run.

#[path = "fuzz/checks/lib.rs"]
pub mod checks;

use std::fs;
use std::path::Path;

/// Runs `check` on every file of a target's folder.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus is part of the repository")
        .map(|entry| entry.expect("a folder can be read").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds no input", folder.display());
    for file in files {
        let input = fs::read(&file).expect("a file can be read");
        let holds = std::panic::catch_unwind(|| check(&input)).is_ok();
        assert!(holds, "{} fails; what is wrong with it stands above", file.display());
    }
}

#[test]
fn definitions_are_compacted_sliced_and_priced_as_the_references_do() {
    replay("compactor", checks::compactor::check);
}

#[test]
fn what_a_server_sends_is_read_whole_or_not_at_all() {
    replay("reader", checks::reader::check);
}

#[test]
fn an_edit_of_budgets_keeps_everything_that_it_is_not_about() {
    replay("editor", checks::editor::check);
}
