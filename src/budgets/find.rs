//! Which budgets.toml is meant where none is named.

use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE_NAME: &str = "budgets.toml";

/// The nearest budgets.toml at or above a folder. The root of the repository, which holds `.git`, is the last folder
/// that is looked at, and outside of a repository the folder itself: the file names commands, and one that lies further
/// up may be anybody's.
pub fn nearest(folder: &Path) -> Option<PathBuf> {
    let depth = folder.ancestors().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    folder.ancestors().take(depth + 1).map(|folder| folder.join(FILE_NAME)).find(|file| file.is_file())
}

/// Where a file stands in its repository, relative to the root; `None` outside of one.
pub fn within_repository(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    // `..` goes out of a link where the system says, and not where the text does.
    let folder = file.parent()?.canonicalize().ok()?;
    let root = folder.ancestors().find(|folder| folder.join(".git").exists())?;
    Some(folder.strip_prefix(root).ok()?.join(file.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_file_wins_and_the_repository_root_is_the_last_folder() {
        let outside = tempfile::tempdir().unwrap();
        let repository = outside.path().join("repository");
        let deep = repository.join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(repository.join(".git")).unwrap();
        fs::write(outside.path().join(FILE_NAME), "").unwrap();
        assert_eq!(nearest(&deep), None);
        fs::write(repository.join(FILE_NAME), "").unwrap();
        assert_eq!(nearest(&deep), Some(repository.join(FILE_NAME)));
        fs::create_dir(deep.join(FILE_NAME)).unwrap();
        assert_eq!(nearest(&deep), Some(repository.join(FILE_NAME)));
        fs::write(repository.join("a").join(FILE_NAME), "").unwrap();
        assert_eq!(nearest(&deep), Some(repository.join("a").join(FILE_NAME)));
    }

    #[test]
    fn outside_of_a_repository_only_the_folder_itself_is_looked_at() {
        let outside = tempfile::tempdir().unwrap();
        let below = outside.path().join("below");
        fs::create_dir(&below).unwrap();
        fs::write(outside.path().join(FILE_NAME), "").unwrap();
        assert_eq!(nearest(&below), None);
        assert_eq!(nearest(outside.path()), Some(outside.path().join(FILE_NAME)));
    }

    #[test]
    fn a_worktree_whose_git_is_a_file_is_a_root_too() {
        let outside = tempfile::tempdir().unwrap();
        let worktree = outside.path().join("worktree");
        fs::create_dir(&worktree).unwrap();
        fs::write(worktree.join(".git"), "gitdir: elsewhere").unwrap();
        fs::write(outside.path().join(FILE_NAME), "").unwrap();
        assert_eq!(nearest(&worktree), None);
    }

    #[test]
    fn a_file_is_placed_by_the_root_of_its_own_repository() {
        let outside = tempfile::tempdir().unwrap();
        let deep = outside.path().join("repository/a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(outside.path().join("repository/.git")).unwrap();
        let placed = |file: &str| within_repository(&outside.path().join(file));
        assert_eq!(placed("repository/budgets.toml"), Some("budgets.toml".into()));
        assert_eq!(placed("repository/a/b/budgets.toml"), Some(Path::new("a").join("b").join(FILE_NAME)));
        assert_eq!(placed("repository/a/../budgets.toml"), Some("budgets.toml".into()));
        assert_eq!(placed("repository/a/b/../budgets.toml"), Some(Path::new("a").join(FILE_NAME)));
    }
}
