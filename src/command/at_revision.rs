//! budgets.toml as it was at a commit, also when it was moved since.

use std::path::Path;

use anyhow::Context;

use crate::base::Found;
use crate::budgets::{Budgets, FILE_NAME};
use crate::git;

/// What the file said at a commit, and where it was. Of a file that was moved, whichever of those that are gone it was,
/// each of them is told.
///
/// # Errors
/// A file that git cannot read, or that is no budgets.toml under its own name.
pub(super) fn budgets_at(file: &git::Tracked, commit: &str) -> anyhow::Result<(Vec<Budgets>, Found)> {
    match file.at(commit)? {
        Some(bytes) => {
            let name = format!("{}:{}", shortened(commit), file.path_from_root()?);
            Ok((vec![Budgets::parse_earlier(Path::new(&name), bytes)?], Found::Here))
        }
        None => {
            let (earlier, paths): (Vec<_>, Vec<_>) = moved(file, commit)?.into_iter().unzip();
            let found = match paths.is_empty() {
                true => above(file, commit)?.map_or(Found::Nowhere, Found::Above),
                false => Found::Moved(paths),
            };
            Ok((earlier, found))
        }
    }
}

/// The budgets files of the commit with the entries that they no longer hold. A file that was moved is no new one, else
/// its budgets could be raised without a word, whatever is left in its place: nothing, a link, or a file without them.
fn moved(file: &git::Tracked, commit: &str) -> anyhow::Result<Vec<(Budgets, String)>> {
    let may_hold = |path: &String| path.ends_with(".toml") || path.ends_with(file.ending());
    let mut found = Vec::new();
    for path in file.changed_since(commit)?.into_iter().filter(may_hold) {
        let bytes = file.read(commit, &path).context("a file that changed")?;
        let mut earlier = match Budgets::parse_earlier(path.as_ref(), bytes) {
            Ok(earlier) => earlier,
            Err(fault) if Path::new(&path).file_name().is_some_and(|name| name == FILE_NAME) => {
                return Err(fault.into());
            }
            // Most files of this kind are other programs' own, and no budgets.
            Err(_) => continue,
        };
        let now = file.now(&path)?.and_then(|bytes| Budgets::parse_earlier(path.as_ref(), bytes).ok());
        earlier.servers.retain(|server| now.as_ref().is_none_or(|now| now.server(&server.name).is_none()));
        if !earlier.servers.is_empty() {
            found.push((earlier, path));
        }
    }
    Ok(found)
}

/// The file that was the nearest one before this file was made below it.
fn above(file: &git::Tracked, commit: &str) -> anyhow::Result<Option<String>> {
    let path = file.path_from_root()?;
    let Some(folder) = path.strip_suffix(FILE_NAME).map(|folder| Path::new(folder.trim_end_matches('/'))) else {
        return Ok(None);
    };
    for folder in folder.ancestors().skip(1) {
        let above = folder.join(FILE_NAME).to_string_lossy().replace('\\', "/");
        if file.is_there(commit, &above)? {
            return Ok(Some(above));
        }
    }
    Ok(None)
}

/// As much of a commit's name as git takes for the whole of it.
fn shortened(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
