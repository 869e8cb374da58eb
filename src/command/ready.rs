//! `init --write`: the file by which CI, or a commit, runs the check. Never over a file that exists.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::cli::ReadyFile;
use crate::pending_file::PendingFile;
use crate::visible::visible_path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where a file goes, below the root of the repository, and what it says.
fn of(file: ReadyFile) -> (&'static str, String) {
    let (path, text) = match file {
        ReadyFile::Github => (".github/workflows/mcp-footprint.yml", include_str!("ready/github.yml")),
        ReadyFile::Gitlab => (".gitlab-ci.yml", include_str!("ready/gitlab.yml")),
        ReadyFile::PreCommit => (".pre-commit-config.yaml", include_str!("ready/pre-commit.yaml")),
    };
    (path, text.replace("@VERSION@", VERSION))
}

/// Refuses files that exist, so that this is known before anything is launched.
pub(crate) fn refuse_existing(files: &[ReadyFile]) -> anyhow::Result<()> {
    let root = root()?;
    match files.iter().map(|&file| root.join(of(file).0)).find(|path| path.symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(path) => {
            let path = path.display();
            bail!("{path} exists and is left alone; move it away, or add `mcp-footprint check` to it by hand")
        }
    }
}

/// Writes the files and says where they are.
pub(crate) fn write(files: &[ReadyFile], out: &mut dyn Write) -> anyhow::Result<()> {
    refuse_existing(files)?;
    let root = root()?;
    for &file in files {
        let (path, text) = of(file);
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        }
        PendingFile::open(&path)?.complete(|out| out.write_all(text.as_bytes()))?;
        writeln!(out, "{}: written", visible_path(&path))?;
    }
    Ok(())
}

/// The root of the repository, else the working directory.
fn root() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir().context("the working directory cannot be found out")?;
    let root = here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned);
    Ok(root.unwrap_or(here))
}
