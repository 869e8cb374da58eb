//! `init --write`: the file by which CI, or a commit, runs the check. Never over a file that exists.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::budgets::FILE_NAME;
use crate::cli::ReadyFile;
use crate::paths::relative;
use crate::pending_file::PendingFile;
use crate::visible::visible_path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where a file goes, below the root of the repository, and what it says.
fn of(file: ReadyFile) -> (&'static str, &'static str) {
    match file {
        ReadyFile::Github => (".github/workflows/mcp-footprint.yml", include_str!("ready/github.yml")),
        ReadyFile::Gitlab => (".gitlab-ci.yml", include_str!("ready/gitlab.yml")),
        ReadyFile::PreCommit => (".pre-commit-config.yaml", include_str!("ready/pre-commit.yaml")),
    }
}

/// Refuses files that exist, and a budgets file that they could not name, so that this is known before anything is
/// launched.
pub(crate) fn refuse(files: &[ReadyFile], budgets: &Path) -> anyhow::Result<()> {
    let root = root()?;
    if files.is_empty() {
        return Ok(());
    }
    let budgets = argument(&root, budgets)?;
    match files.iter().map(|&file| root.join(of(file).0)).find(|path| path.symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(path) => {
            let path = path.display();
            bail!("{path} exists and is left alone; move it away, or add `mcp-footprint check{budgets}` to it by hand")
        }
    }
}

/// Writes the files, which check the budgets file at `budgets`, and says where they are.
pub(crate) fn write(files: &[ReadyFile], budgets: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    refuse(files, budgets)?;
    let root = root()?;
    for &file in files {
        let (path, text) = of(file);
        let text = text.replace("@VERSION@", VERSION).replace("@BUDGETS@", &argument(&root, budgets)?);
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        }
        PendingFile::open(&path)?.complete(|out| out.write_all(text.as_bytes()))?;
        writeln!(out, "{}: written", visible_path(&path))?;
    }
    Ok(())
}

/// What a check needs beside itself, which runs at the root: nothing, or the flag that names the budgets file. It stands
/// in YAML, and for a shell.
fn argument(root: &Path, budgets: &Path) -> anyhow::Result<String> {
    let budgets = std::path::absolute(budgets).context("the working directory cannot be found out")?;
    let folder = relative(budgets.parent().unwrap_or(root), root);
    let name = budgets.file_name().unwrap_or_default().to_string_lossy();
    let path = if folder == "." { name.into_owned() } else { format!("{folder}/{name}") };
    let is_tame = |c: char| c.is_alphanumeric() || "_-./@+ ".contains(c);
    match &*path {
        FILE_NAME => Ok(String::new()),
        path if Path::new(path).is_absolute() => {
            bail!("{path} does not lie in {}, so no check there could find it", root.display())
        }
        path if !path.chars().all(is_tame) => bail!("{path} has characters that only a file made by hand can hold"),
        path if path.contains(' ') => Ok(format!(" \"--budgets={path}\"")),
        path => Ok(format!(" --budgets={path}")),
    }
}

/// The root of the repository, else the working directory.
fn root() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir().context("the working directory cannot be found out")?;
    let root = here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned);
    Ok(root.unwrap_or(here))
}
