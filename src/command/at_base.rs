//! `check --base`: finds budgets.toml as it was where the branches parted, and compares.

use anyhow::Context;

use super::at_revision::budgets_at;
use crate::base::{Bands, Comparison, Difference, Found, bands, differences};
use crate::budgets::Budgets;
use crate::git;
use crate::plan::Measure;
use crate::visible::visible;

/// What the budgets hold less than at the merge base with `reference`, or at any of them.
///
/// # Errors
/// No repository, an unknown revision, a shallow clone, or a file that could not be read at that time.
pub(super) fn compare(plan: &Measure, reference: &str, budgets: &Budgets) -> anyhow::Result<Comparison> {
    let file = git::Tracked::new(&budgets.path)?;
    let commits = file.merge_bases(reference).context("--base")?;
    let mut found = Found::Nowhere;
    let mut told: Vec<Difference> = Vec::new();
    let mut held = Bands::new();
    for commit in &commits {
        let (earlier, place) = budgets_at(&file, commit)
            .with_context(|| format!("--base: at the merge base with {}", visible(reference)))?;
        found = found.or(place);
        for earlier in &earlier {
            bands(earlier).for_each(|(server, bands)| held.entry(server).or_default().extend(bands));
            for difference in differences(earlier, budgets, &plan.only) {
                // Two files, or two bases, may have said the same.
                if !told.contains(&difference) {
                    told.push(difference);
                }
            }
        }
    }
    Ok(Comparison { reference: reference.to_owned(), commits, found, differences: told, bands: held })
}
