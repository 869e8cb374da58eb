//! What the `git` program knows of a file at another revision. Only reads; no other file talks to git.
//!
//! The program is asked and no library: it knows every repository format, and it is there wherever a base is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, bail};

use crate::visible::visible;

/// One file of a work tree.
pub(crate) struct Tracked {
    folder: PathBuf,
    name: String,
}

impl Tracked {
    /// The file at `path`, which must exist; a link is followed to the repository that holds the file itself.
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
        let real = path.canonicalize().with_context(|| format!("{} cannot be found", path.display()))?;
        let name = real.file_name().and_then(OsStr::to_str).map(str::to_owned);
        let folder = real.parent().map(Path::to_owned);
        match (folder, name) {
            (Some(folder), Some(name)) => Ok(Tracked { folder, name }),
            _ => bail!("{} has no name that git could be asked for", path.display()),
        }
    }

    /// The commit that a revision names.
    pub(crate) fn commit(&self, reference: &str) -> anyhow::Result<String> {
        let inside = self.git(&["rev-parse", "--is-inside-work-tree"])?;
        if !inside.status.success() {
            let folder = self.folder.display();
            // A repository of somebody else is one that git refuses, and says how to trust.
            match said(&inside) {
                said if said.contains("not a git repository") => {
                    bail!("{folder} is in no git repository, so there is no revision to compare with")
                }
                said => bail!("git reads no repository at {folder}: {said}"),
            }
        }
        let commit = format!("{reference}^{{commit}}");
        let found = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
        if found.status.success() {
            return Ok(line(&found));
        }
        let shown = visible(reference);
        if self.is_shallow()? {
            bail!("this clone is shallow and does not hold `{shown}`; {FETCH_ALL}");
        }
        bail!("git knows no revision `{shown}` here; fetch it first, as in `git fetch origin`, or correct the name");
    }

    /// The last commits that a revision and the work tree have in common, never none. Of branches that were merged into
    /// each other there are several, and none of them is the older one.
    pub(crate) fn merge_bases(&self, reference: &str) -> anyhow::Result<Vec<String>> {
        let commit = self.commit(reference)?;
        // A truncated history may answer with a commit that is older than the true one.
        if self.is_shallow()? {
            bail!("this clone is shallow, so where it left `{}` cannot be told; {FETCH_ALL}", visible(reference));
        }
        let found = self.git(&["merge-base", "--all", &commit, "HEAD"])?;
        let bases: Vec<String> = line(&found).lines().map(str::to_owned).collect();
        if bases.is_empty() {
            bail!("`{}` and the work tree have no commit in common", visible(reference));
        }
        Ok(bases)
    }

    /// The bytes of the file at a commit; `None` where it was not there.
    pub(crate) fn at(&self, commit: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let path = self.path_from_root()?;
        if !self.is_there(commit, &path)? {
            return Ok(None);
        }
        if self.is_link(commit, &path)? {
            bail!("{} is a link at {commit}; compare a revision in which it is a file", visible(&path));
        }
        self.read(commit, &path).map(Some)
    }

    /// The path of the file from the root of the repository.
    pub(crate) fn path_from_root(&self) -> anyhow::Result<String> {
        Ok(format!("{}{}", line(&self.git(&["rev-parse", "--show-prefix"])?), self.name))
    }

    /// The files of a commit that the work tree has no longer, or no longer as they were, by their paths from the root of
    /// the repository. A move that also changed much is a removal to git, so what a file was called does not matter here.
    pub(crate) fn changed_since(&self, commit: &str) -> anyhow::Result<Vec<String>> {
        let options = ["--no-ext-diff", "--no-renames", "--no-relative", "--diff-filter=a", "--name-only", "-z"];
        let changed = self.git(&[&["diff"], options.as_slice(), &[commit, "--"]].concat())?;
        if !changed.status.success() {
            bail!("git cannot tell what changed since {commit}: {}", said(&changed));
        }
        let paths = changed.stdout.split(|byte| *byte == 0).filter_map(|path| std::str::from_utf8(path).ok());
        Ok(paths.filter(|path| !path.is_empty()).map(str::to_owned).collect())
    }

    /// What the work tree has now at a path from the root of the repository; `None` where that is no file, or only a link
    /// to one, such as to this file itself.
    pub(crate) fn now(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let file = PathBuf::from(line(&self.git(&["rev-parse", "--show-toplevel"])?)).join(path);
        let is_file = file.symlink_metadata().is_ok_and(|found| found.is_file());
        Ok(is_file.then(|| std::fs::read(&file).ok()).flatten())
    }

    /// The ending of the file's name, with its dot; empty where it has none.
    pub(crate) fn ending(&self) -> &str {
        self.name.rfind('.').map_or("", |dot| &self.name[dot..])
    }

    /// Whether a commit has a file, by its path from the root of the repository.
    pub(crate) fn is_there(&self, commit: &str, path: &str) -> anyhow::Result<bool> {
        let listed = self.git(&["ls-tree", "--full-tree", "--name-only", "-z", commit, "--", path])?;
        if !listed.status.success() {
            bail!("git cannot list the files of {commit}: {}", said(&listed));
        }
        Ok(!listed.stdout.is_empty())
    }

    fn is_link(&self, commit: &str, path: &str) -> anyhow::Result<bool> {
        let listed = self.git(&["ls-tree", "--full-tree", commit, "--", path])?;
        Ok(line(&listed).starts_with("120000 "))
    }

    /// The bytes of any file at a commit, by its path from the root of the repository.
    pub(crate) fn read(&self, commit: &str, path: &str) -> anyhow::Result<Vec<u8>> {
        let blob = self.git(&["cat-file", "blob", &format!("{commit}:{path}")])?;
        if !blob.status.success() {
            bail!("git cannot read {} at {commit}: {}", visible(path), said(&blob));
        }
        Ok(blob.stdout)
    }

    fn is_shallow(&self) -> anyhow::Result<bool> {
        Ok(line(&self.git(&["rev-parse", "--is-shallow-repository"])?) == "true")
    }

    fn git(&self, args: &[&str]) -> anyhow::Result<Output> {
        // Names are taken as they are, nothing asks for a lock or a password, and messages come in one language.
        let mut command = Command::new("git");
        command.arg("--literal-pathspecs").arg("-C").arg(&self.folder).args(args);
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        // Within a hook they lead to the repository of the hook, and to its root as the folder.
        for name in PLACES {
            command.env_remove(name);
        }
        command.output().context("git cannot be started; it is needed to look at another revision")
    }
}

/// The variables by which git takes another repository, work tree or index than those of the folder. git-rev-parse(1),
/// `--local-env-vars`, without those of the configuration.
const PLACES: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_SHALLOW_FILE",
];

const FETCH_ALL: &str = "fetch the whole history: `fetch-depth: 0` for actions/checkout, `GIT_DEPTH: 0` on GitLab, or \
                         `git fetch --unshallow`";

fn line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim_end_matches(['\r', '\n']).to_owned()
}

fn said(output: &Output) -> String {
    visible(String::from_utf8_lossy(&output.stderr).trim()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> (tempfile::TempDir, Tracked) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("budgets.toml");
        std::fs::write(&file, "one\r\n").unwrap();
        let tracked = Tracked::new(&file).unwrap();
        run(&tracked, &["init", "--quiet", "--initial-branch=main"]);
        (folder, tracked)
    }

    fn run(tracked: &Tracked, args: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"];
        let output = tracked.git(&[identity.as_slice(), args].concat()).unwrap();
        assert!(output.status.success(), "{args:?}: {}", said(&output));
    }

    fn commit(tracked: &Tracked, text: &str) {
        std::fs::write(tracked.folder.join("budgets.toml"), text).unwrap();
        run(tracked, &["add", "budgets.toml"]);
        run(tracked, &["commit", "--quiet", "--message", text, "--no-gpg-sign"]);
    }

    #[test]
    fn the_file_comes_back_byte_for_byte_from_where_the_branches_parted() {
        let (_folder, tracked) = repository();
        commit(&tracked, "one\r\n");
        run(&tracked, &["checkout", "--quiet", "-b", "work"]);
        commit(&tracked, "two\n");
        run(&tracked, &["checkout", "--quiet", "main"]);
        commit(&tracked, "three\n");
        run(&tracked, &["checkout", "--quiet", "work"]);
        let bases = tracked.merge_bases("main").unwrap();
        assert_eq!(bases.len(), 1);
        assert_eq!(tracked.at(&bases[0]).unwrap().unwrap(), b"one\r\n");
        assert_eq!(tracked.at(&tracked.commit("main").unwrap()).unwrap().unwrap(), b"three\n");
    }

    #[test]
    fn a_file_that_was_not_there_yet_is_told_from_a_revision_that_is_unknown() {
        let (_folder, tracked) = repository();
        run(&tracked, &["commit", "--quiet", "--allow-empty", "--message", "none", "--no-gpg-sign"]);
        assert_eq!(tracked.at(&tracked.merge_bases("main").unwrap()[0]).unwrap(), None);
        for unknown in ["origin/nowhere", "--help", "main:budgets.toml"] {
            let error = tracked.merge_bases(unknown).unwrap_err().to_string();
            assert!(error.contains("git knows no revision"), "{error}");
        }
    }

    #[test]
    fn what_is_gone_is_told_from_the_root_and_can_be_read() {
        let (folder, tracked) = repository();
        commit(&tracked, "one\n");
        let base = tracked.commit("main").unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        std::fs::rename(folder.path().join("budgets.toml"), folder.path().join("sub/other.toml")).unwrap();
        let odd = folder.path().join(" ö {x}");
        std::fs::create_dir(&odd).unwrap();
        std::fs::write(odd.join("odd.toml"), "odd\n").unwrap();
        let odd = Tracked::new(&odd.join("odd.toml")).unwrap();
        run(&odd, &["add", "odd.toml"]);
        run(&odd, &["commit", "--quiet", "--message", "odd", "--no-gpg-sign"]);
        assert_eq!(odd.at("main").unwrap().unwrap(), b"odd\n");
        let moved = Tracked::new(&folder.path().join("sub/other.toml")).unwrap();
        assert_eq!(moved.at(&base).unwrap(), None);
        run(&tracked, &["config", "diff.relative", "true"]);
        assert_eq!(moved.changed_since(&base).unwrap(), ["budgets.toml"]);
        assert_eq!(moved.now("budgets.toml").unwrap(), None);
        assert_eq!(moved.now("sub/other.toml").unwrap().unwrap(), b"one\n");
        assert_eq!((moved.ending(), tracked.ending()), (".toml", ".toml"));
        assert_eq!(moved.read(&base, "budgets.toml").unwrap(), b"one\n");
    }

    #[test]
    fn a_shallow_clone_says_how_to_fetch_the_rest() {
        let (folder, tracked) = repository();
        commit(&tracked, "one\n");
        commit(&tracked, "two\n");
        let clone = tempfile::tempdir().unwrap();
        let from = format!("file://{}", folder.path().display());
        run(&tracked, &["clone", "--quiet", "--depth", "1", &from, &clone.path().display().to_string()]);
        let clone = Tracked::new(&clone.path().join("budgets.toml")).unwrap();
        for reference in ["main", "main~1"] {
            let error = clone.merge_bases(reference).unwrap_err().to_string();
            assert!(error.contains("fetch-depth: 0"), "{error}");
        }
    }

    #[test]
    fn a_repository_that_git_refuses_is_told_in_the_words_of_git() {
        let (folder, tracked) = repository();
        std::fs::write(folder.path().join(".git/config"), "[core").unwrap();
        let error = tracked.commit("main").unwrap_err().to_string();
        assert!(error.contains("git reads no repository at") && error.contains("bad config"), "{error}");
    }

    #[test]
    fn outside_a_repository_there_is_no_revision() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("budgets.toml");
        std::fs::write(&file, "").unwrap();
        let error = Tracked::new(&file).unwrap().merge_bases("main").unwrap_err().to_string();
        assert!(error.contains("in no git repository"), "{error}");
    }
}
