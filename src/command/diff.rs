//! `diff`: what moved between two things that were measured before. Launches nothing, gates nothing.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::budgets::{Budgets, FILE_NAME};
use crate::plan::Diff;
use crate::render::{Comparison, render_diff};
use crate::snapshot::{self, Snapshot};
use crate::{diff, git, screen, sources};

/// Writes the difference.
pub(crate) fn diff(plan: &Diff, out: &mut dyn Write) -> anyhow::Result<()> {
    let before = side(plan, &plan.old)?;
    let (new, after) = match &plan.new {
        Some(new) => (new.clone(), side(plan, new)?),
        None if is_file(&plan.old) => anyhow::bail!(
            "diff needs a second file to compare {} with, as in `mcp-footprint diff before.json after.json`",
            plan.old
        ),
        None => {
            let path = budgets(plan)?;
            (path.display().to_string(), snapshot::of_budgets(&Budgets::read(&path)?))
        }
    };
    let comparison = Comparison { old: &plan.old, new: &new, servers: &diff::servers(&before, &after) };
    match render_diff(plan.format, &comparison, &screen::look(plan.color), out) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("standard output cannot be written"),
    }
}

/// A file where there is one of that name, else a git revision of the budgets file.
fn side(plan: &Diff, named: &str) -> anyhow::Result<Vec<Snapshot>> {
    if is_file(named) {
        return snapshot::read(Path::new(named));
    }
    let path = budgets(plan)?;
    let file = git::Tracked::new(&path)?;
    let commit = file.commit(named).with_context(|| format!("there is no file `{named}`"))?;
    let bytes = file.at(&commit)?.with_context(|| format!("{} was not there at `{named}`", path.display()))?;
    let shown = PathBuf::from(format!("{named}:{}", path.display()));
    Ok(snapshot::of_budgets(&Budgets::parse_earlier(&shown, bytes)?))
}

fn is_file(named: &str) -> bool {
    crate::capture::file::is_standard_input(Path::new(named)) || Path::new(named).is_file()
}

fn budgets(plan: &Diff) -> anyhow::Result<PathBuf> {
    sources::budgets_path(plan.budgets.as_deref())?
        .with_context(|| format!("there is no {FILE_NAME} here whose revisions could be compared"))
}
