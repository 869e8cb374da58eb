//! Writes a changed file whole or not at all: beside the target, to the disk, then in its place.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::edit::Edit;

/// Why a file was not written. It is as it was.
#[derive(Debug)]
pub struct WriteError {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Changed,
    ReadOnly,
    Io(io::Error),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path.display();
        match &self.cause {
            Cause::Changed => write!(
                out,
                "{path} was changed by someone else since it was read; nothing was written; run the command again"
            ),
            Cause::ReadOnly => {
                write!(out, "{path} is read-only; nothing was written; make it writable and run the command again")
            }
            Cause::Io(error) => write!(out, "{path} cannot be written, and is as it was: {error}"),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Cause::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Cause {
    fn from(error: io::Error) -> Self {
        Cause::Io(error)
    }
}

impl Edit {
    /// Writes the file; a file that stays the same is not touched. Keeps its mode, and writes through symbolic links.
    /// A file that was changed since it was read is an error, as is one that is read-only.
    pub fn write(&self) -> Result<(), WriteError> {
        let written = match &self.before {
            _ if !self.is_change() => Ok(()),
            Some(before) => replace(&self.path, before, &self.after),
            None => create(&self.path, &self.after),
        };
        written.map_err(|cause| WriteError { path: self.path.clone(), cause })
    }
}

/// An empty file first, which takes the mode that the user's new files have and is refused where another came first.
fn create(path: &Path, text: &str) -> Result<(), Cause> {
    File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Cause::Changed,
        _ => Cause::Io(error),
    })?;
    replace(path, "", text).inspect_err(|_| drop(fs::remove_file(path)))
}

fn replace(path: &Path, before: &str, after: &str) -> Result<(), Cause> {
    let target = fs::canonicalize(path)?;
    if fs::read(&target)? != before.as_bytes() {
        return Err(Cause::Changed);
    }
    let permissions = fs::metadata(&target)?.permissions();
    if permissions.readonly() {
        return Err(Cause::ReadOnly);
    }
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut beside = tempfile::Builder::new().prefix(".budgets-").suffix(".toml").tempfile_in(folder)?;
    beside.write_all(after.as_bytes())?;
    beside.as_file().set_permissions(permissions)?;
    beside.as_file().sync_all()?;
    beside.persist(&target).map_err(|error| Cause::Io(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(path: &Path, before: Option<&str>, after: &str) -> Edit {
        Edit { path: path.to_owned(), before: before.map(str::to_owned), after: after.to_owned(), moves: Vec::new() }
    }

    fn message(error: &WriteError, folder: &Path) -> String {
        error.to_string().replace(&folder.display().to_string(), "").replace('\\', "/")
    }

    #[test]
    fn a_change_replaces_the_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("budgets.toml");
        edit(&path, None, "new\n").write().unwrap();
        edit(&path, Some("new\n"), "newer\r\n").write().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"newer\r\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_stays_the_same_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("budgets.toml");
        fs::write(&path, "same").unwrap();
        let old = std::time::SystemTime::UNIX_EPOCH;
        File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
        edit(&path, Some("same"), "same").write().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), old);
    }

    #[test]
    fn a_file_that_somebody_else_changed_or_made_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("budgets.toml");
        fs::write(&path, "theirs").unwrap();
        let changed = edit(&path, Some("ours"), "new").write().unwrap_err();
        insta::assert_snapshot!(message(&changed, folder.path()), @"/budgets.toml was changed by someone else since it was read; nothing was written; run the command again");
        assert!(edit(&path, None, "new").write().is_err());
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
    }

    #[test]
    fn a_read_only_file_and_a_missing_folder_have_clear_messages() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("budgets.toml");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).unwrap();
        let read_only = edit(&path, Some("old"), "new").write().unwrap_err();
        insta::assert_snapshot!(message(&read_only, folder.path()), @"/budgets.toml is read-only; nothing was written; make it writable and run the command again");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        let missing = edit(&folder.path().join("no/budgets.toml"), None, "new").write().unwrap_err();
        assert!(message(&missing, folder.path()).starts_with("/no/budgets.toml cannot be written, and is as it was: "));
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_is_kept_and_symbolic_links_are_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.toml"), folder.path().join("budgets.toml"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.toml", &link).unwrap();
        edit(&link, Some("old"), "new").write().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
