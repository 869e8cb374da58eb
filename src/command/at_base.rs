//! `check --base`: finds budgets.toml as it was where the branches parted, and compares.

use anyhow::Context;

use super::at_revision::budgets_at;
use crate::base::{Comparison, Difference, differences};
use crate::budgets::Budgets;
use crate::git;
use crate::plan::Measure;
use crate::visible::visible;

/// What the budgets hold less than at the merge base with `reference`.
///
/// # Errors
/// No repository, an unknown revision, a shallow clone, or a file that could not be read at that time.
pub(super) fn compare(plan: &Measure, reference: &str, budgets: &Budgets) -> anyhow::Result<Comparison> {
    let file = git::Tracked::new(&budgets.path)?;
    let commit = file.merge_base(reference).context("--base")?;
    let (earlier, found) =
        budgets_at(&file, &commit).with_context(|| format!("--base: at the merge base with {}", visible(reference)))?;
    let mut told: Vec<Difference> = Vec::new();
    for difference in earlier.iter().flat_map(|earlier| differences(earlier, budgets, &plan.only)) {
        // Two files that are gone may have said the same.
        if !told.contains(&difference) {
            told.push(difference);
        }
    }
    Ok(Comparison { reference: reference.to_owned(), commit, found, differences: told })
}
