//! A file that takes its place only when it is complete: opened beside its target before any work is done, so that
//! what cannot be written is known at once, and renamed at the end, so that nobody ever reads half of it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::platform;

/// A file on its way to its path.
#[derive(Debug)]
pub(crate) struct PendingFile {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Beside the target, to be renamed.
    Beside(NamedTempFile),
    /// A device or a pipe, which must not be replaced.
    Direct(File),
}

impl PendingFile {
    /// Opens a file beside `path`. A link is followed; what is no regular file is written directly.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let place = Self::place(&target).with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(PendingFile { path: target, place })
    }

    fn place(target: &Path) -> io::Result<Place> {
        match target.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => Ok(Place::Direct(File::options().write(true).open(target)?)),
            existing => {
                let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
                let permissions =
                    existing.map_or_else(|_| platform::new_file_permissions(), |file| Some(file.permissions()));
                let mut builder = tempfile::Builder::new();
                if let Some(permissions) = permissions {
                    builder.permissions(permissions);
                }
                // tempfile's own error names the file that it tried to make, which tells the user nothing.
                let beside =
                    builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(|error| match error.kind() {
                        io::ErrorKind::NotFound => io::Error::other("its folder does not exist"),
                        kind => kind.into(),
                    })?;
                Ok(Place::Beside(beside))
            }
        }
    }

    /// Writes the whole content with `write`, then gives the file its name.
    pub(crate) fn complete(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        let path = self.path;
        let written = match self.place {
            Place::Direct(mut file) => write(&mut file),
            Place::Beside(mut file) => write(file.as_file_mut()).and_then(|()| Ok(file.persist(&path).map(drop)?)),
        };
        written.with_context(|| format!("{} cannot be written", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stands_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        std::fs::write(&path, "old").unwrap();
        let dropped = PendingFile::open(&path).unwrap();
        drop(dropped);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        PendingFile::open(&path).unwrap().complete(|out| out.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_said_when_it_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("missing/out.json")] {
            let error = PendingFile::open(&path).unwrap_err();
            assert!(format!("{error:#}").contains("cannot be written"), "{error:#}");
        }
    }
}
