//! What is written must not be what is read, nor be written twice: a document that replaced budgets.toml would take the
//! gate with it, and one that replaced another would be lost without a word.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::budgets::{Budgets, EntrySource, WrittenSource};
use crate::plan::{Goal, Measure, Source};

/// Refuses outputs of the plan that collide with each other or with an input.
pub(super) fn refuse(plan: &Measure, budgets: Option<&Budgets>) -> anyhow::Result<()> {
    let mut read: Vec<PathBuf> = plan.budgets.iter().cloned().collect();
    if let Some(budgets) = budgets {
        read.push(budgets.path.clone());
        read.extend(budgets.servers.iter().filter_map(|server| match &server.source {
            EntrySource::Server(WrittenSource::From(path)) | EntrySource::Config(path) => {
                Some(budgets.folder().join(path))
            }
            EntrySource::Server(_) => None,
        }));
    }
    if let Source::Files(paths) = &plan.source {
        read.extend(paths.iter().cloned());
    }
    let written: Vec<PathBuf> = match &plan.goal {
        Goal::Report(documents) => documents.files.iter().map(|(_, path)| path.clone()).collect(),
        Goal::Check(documents, references) => {
            read.extend(references.against.iter().cloned());
            documents.files.iter().map(|(_, path)| path.clone()).collect()
        }
        Goal::Capture { file } => vec![file.clone()],
        _ => Vec::new(),
    };
    refuse_paths(&written, &read)
}

fn refuse_paths(written: &[PathBuf], read: &[PathBuf]) -> anyhow::Result<()> {
    let read: Vec<PathBuf> = read.iter().map(|path| real(path)).collect();
    for (place, path) in written.iter().enumerate().filter(|(_, path)| !is_device(path)) {
        let target = real(path);
        if read.contains(&target) {
            bail!("{} is read by this run and cannot be written by it as well; choose another path", path.display());
        }
        if written[..place].iter().any(|earlier| real(earlier) == target) {
            bail!("{} would be written twice; give every document a path of its own", path.display());
        }
    }
    Ok(())
}

/// A device or a pipe takes what it is given, as often as it is given it.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The path without links and detours, also of a file that is not there yet.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_read_or_written_already_is_refused_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("budgets.toml"), "").unwrap();
        assert!(refuse_paths(&[at("a"), at("b")], &[at("budgets.toml")]).is_ok());
        for written in [vec![at("./budgets.toml")], vec![at("a"), at("./a")]] {
            assert!(refuse_paths(&written, &[at("budgets.toml")]).is_err(), "{written:?}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_device_may_be_written_twice() {
        let null = PathBuf::from("/dev/null");
        assert!(refuse_paths(&[null.clone(), null.clone()], &[null]).is_ok());
    }
}
