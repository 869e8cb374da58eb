//! `diff`: what moved between two things that were measured before. Launches nothing, gates nothing.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::at_revision::budgets_at;
use crate::base::Found;
use crate::budgets::{Budgets, FILE_NAME};
use crate::plan::Diff;
use crate::render::{Comparison, render_diff};
use crate::snapshot::{self, Snapshot};
use crate::visible::visible;
use crate::{diff, git, screen, sources};

/// Writes the difference.
pub(crate) fn diff(plan: &Diff, out: &mut dyn Write) -> anyhow::Result<()> {
    let (old, before) = side(plan, &plan.old)?;
    let (new, after) = match &plan.new {
        Some(new) => side(plan, new)?,
        None if is_file(&plan.old) => anyhow::bail!(
            "diff needs a second file to compare {} with, as in `mcp-footprint diff before.json after.json`",
            plan.old
        ),
        None => {
            let path = budgets(plan)?;
            (path.display().to_string(), snapshot::of_budgets(&Budgets::read(&path)?))
        }
    };
    let (before, after) = (snapshot::joined(before.clone(), &after), snapshot::joined(after, &before));
    let comparison = Comparison { old: &old, new: &new, servers: &diff::servers(&before, &after) };
    Ok(render_diff(plan.format, &comparison, &screen::look(plan.color), out)?)
}

/// A file where there is one of that name, else a git revision of the budgets file; and what to call it.
fn side(plan: &Diff, named: &str) -> anyhow::Result<(String, Vec<Snapshot>)> {
    if is_file(named) {
        return Ok((named.to_owned(), snapshot::read(Path::new(named))?));
    }
    let path = budgets(plan)?;
    let file = git::Tracked::new(&path)?;
    let commit = file.commit(named).with_context(|| format!("there is no file `{named}`"))?;
    let (earlier, found) = budgets_at(&file, &commit).with_context(|| format!("at {}", visible(named)))?;
    let shown = match found {
        Found::Here => named.to_owned(),
        Found::Moved(paths) => format!("{named} ({})", paths.join(", ")),
        Found::Above(_) | Found::Nowhere => anyhow::bail!("{} was not there at `{}`", path.display(), visible(named)),
    };
    Ok((shown, earlier.iter().flat_map(snapshot::of_budgets).collect()))
}

fn is_file(named: &str) -> bool {
    let path = Path::new(named);
    crate::capture::file::is_standard_input(path) || path.exists() && !path.is_dir()
}

fn budgets(plan: &Diff) -> anyhow::Result<PathBuf> {
    sources::budgets_path(plan.budgets.as_deref())?
        .with_context(|| format!("there is no {FILE_NAME} here whose revisions could be compared"))
}
