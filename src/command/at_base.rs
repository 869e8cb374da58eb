//! `check --base`: finds budgets.toml as it was where the branches parted, also when it was moved since, and compares.

use std::path::Path;

use anyhow::Context;

use crate::base::{Comparison, Found, differences};
use crate::budgets::Budgets;
use crate::git;
use crate::plan::Measure;

/// What the budgets hold less than at the merge base with `reference`.
///
/// # Errors
/// No repository, an unknown revision, a shallow clone, or a file that could not be read at that time.
pub(super) fn compare(plan: &Measure, reference: &str, budgets: &Budgets) -> anyhow::Result<Comparison> {
    let file = git::Tracked::new(&budgets.path)?;
    let commit = file.merge_base(reference).context("--base")?;
    let read =
        |bytes: Vec<u8>, path: &Path| Budgets::parse_earlier(format!("{commit}:{}", path.display()).as_ref(), bytes);
    let (earlier, found) = match file.at(&commit)? {
        Some(bytes) => (vec![read(bytes, &budgets.path)?], Found::Here),
        None => {
            let (earlier, paths): (Vec<_>, Vec<_>) = moved(&file, &commit)?.into_iter().unzip();
            (earlier, if paths.is_empty() { Found::Nowhere } else { Found::Moved(paths) })
        }
    };
    let differences = earlier.iter().flat_map(|earlier| differences(earlier, budgets, &plan.only)).collect();
    Ok(Comparison { reference: reference.to_owned(), commit, found, differences })
}

/// The budgets files of the commit that are gone now. A file that was moved is no new one, else its budgets could be
/// raised without a word; whichever of them it was, all of them are no longer held.
fn moved(file: &git::Tracked, commit: &str) -> anyhow::Result<Vec<(Budgets, String)>> {
    let gone = file.gone_since(commit)?.into_iter().filter(|path| path.ends_with(".toml"));
    let mut found = Vec::new();
    for path in gone {
        // Most files of this kind are other programs' own, and no budgets.
        if let Ok(earlier) = Budgets::parse_earlier(path.as_ref(), file.read(commit, &path)?) {
            found.push((earlier, path));
        }
    }
    Ok(found)
}
