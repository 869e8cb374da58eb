//! One path as seen from another.

use std::path::{Path, PathBuf};

/// A file in `here` or in a folder above it, as a person there would write it.
pub(crate) fn seen_from(here: &Path, file: &Path) -> PathBuf {
    let up = file.parent().and_then(|folder| here.strip_prefix(folder).ok()).map(|below| below.components().count());
    match (up, file.file_name()) {
        (Some(up), Some(name)) => std::iter::repeat_n("..", up).collect::<PathBuf>().join(name),
        _ => file.to_owned(),
    }
}

/// `path` as seen from `folder`, with slashes; absolute where it does not lie below.
pub(crate) fn relative(path: &Path, folder: &Path) -> String {
    let real = |path: &Path| -> PathBuf { path.canonicalize().unwrap_or_else(|_| path.to_owned()) };
    let (path, folder) = (real(path), real(folder));
    match path.strip_prefix(&folder) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => below.to_string_lossy().replace('\\', "/"),
        Err(_) => path.to_string_lossy().into_owned(),
    }
}
