//! The words of a launch -> a command that can be started: which file the program is, in which folder, with which
//! environment. The messages here say what was looked for and where, because this is where most first runs fail.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Launch;
use crate::codes::{ErrorCode, Failure};

/// More folders of `PATH` than these are only counted.
const SHOWN_FOLDERS: usize = 8;

/// The command that starts `program` with `args` in the surroundings of `launch`.
///
/// # Errors
/// `spawn_failed` when the working directory or the program is missing.
pub(super) fn command(launch: &Launch, program: &str, args: &[String]) -> Result<Command, Failure> {
    if !launch.cwd.is_dir() {
        let cwd = launch.cwd.display();
        return Err(spawn_failed(format!(
            "the working directory `{cwd}` does not exist; correct `cwd`, or create the folder"
        )));
    }
    let mut command = Command::new(find(launch, program)?);
    command.args(args).current_dir(&launch.cwd).envs(launch.env.iter().map(|(name, value)| (name, value)));
    Ok(command)
}

/// The failure of a command that was found but does not start.
pub(super) fn does_not_start(program: &str, error: &std::io::Error) -> Failure {
    let hint = match error.kind() {
        std::io::ErrorKind::PermissionDenied => "; is the file executable?",
        _ => "",
    };
    spawn_failed(format!("the command `{program}` could not be started: {error}{hint}"))
}

fn find(launch: &Launch, program: &str) -> Result<PathBuf, Failure> {
    let paths = search_path(&launch.env);
    let found = which::which_in(program, paths.as_ref(), &launch.cwd);
    found.map_err(|_| match names_a_file(program) {
        true => no_such_file(program, &launch.cwd.join(program).components().collect::<PathBuf>()),
        false => not_in_path(program, paths.as_deref()),
    })
}

/// Whether the program is given as a path, which is relative to the working directory, instead of a bare name.
fn names_a_file(program: &str) -> bool {
    program.contains(std::path::is_separator)
}

/// The `PATH` of the server, which its own environment may replace.
fn search_path(env: &[(String, String)]) -> Option<OsString> {
    // Windows spells it `Path`, and does not mind.
    let is_path = |name: &str| if cfg!(windows) { name.eq_ignore_ascii_case("PATH") } else { name == "PATH" };
    let own = env.iter().rev().find(|(name, _)| is_path(name)).map(|(_, value)| OsString::from(value));
    own.or_else(|| std::env::var_os("PATH"))
}

fn no_such_file(program: &str, file: &Path) -> Failure {
    let file_name = file.display();
    spawn_failed(match file.exists() {
        true => format!("the command `{program}` is `{file_name}`, which is no executable file"),
        false => format!(
            "the command `{program}` was not found: there is no file `{file_name}`; a command with a slash is \
             relative to `cwd`, so correct one of the two, or build the program first (`prepare`)"
        ),
    })
}

fn not_in_path(program: &str, paths: Option<&OsStr>) -> Failure {
    let folders: Vec<_> = paths.map(|paths| std::env::split_paths(paths).collect()).unwrap_or_default();
    let shown: Vec<_> = folders.iter().take(SHOWN_FOLDERS).map(|folder| folder.display().to_string()).collect();
    let place = match folders.len() {
        0 => "`PATH` is empty or not set".to_owned(),
        1..=SHOWN_FOLDERS => format!("no folder of `PATH` holds it ({})", shown.join(", ")),
        all => format!("none of the {all} folders of `PATH` holds it ({}, …)", shown.join(", ")),
    };
    spawn_failed(format!(
        "the command `{program}` was not found: {place}; install it, or give its path (`./{program}` for a file in \
         the working directory)"
    ))
}

fn spawn_failed(message: String) -> Failure {
    Failure::new(ErrorCode::SpawnFailed, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(cwd: &Path, env: &[(&str, &str)]) -> Launch {
        Launch {
            prepare: None,
            prepare_timeout: std::time::Duration::from_secs(1),
            command: String::new(),
            args: vec![],
            env: env.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            cwd: cwd.to_owned(),
        }
    }

    fn refused(launch: &Launch, program: &str) -> String {
        let failure = command(launch, program, &[]).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SpawnFailed);
        failure.message
    }

    #[test]
    fn a_missing_working_directory_has_its_own_message() {
        let missing = std::env::temp_dir().join("no/such/folder");
        assert!(refused(&launch(&missing, &[]), "x").starts_with("the working directory `"));
    }

    #[test]
    fn a_bare_name_is_looked_for_in_the_path_of_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let message = refused(&launch(folder.path(), &[("PATH", "no-folder")]), "no-such-command");
        assert!(message.contains("no folder of `PATH` holds it (no-folder)"), "{message}");
    }

    #[test]
    fn a_command_with_a_slash_is_relative_to_the_working_directory() {
        let folder = tempfile::tempdir().unwrap();
        let message = refused(&launch(folder.path(), &[]), "./server");
        assert!(message.contains(&folder.path().join("server").display().to_string()), "{message}");
        std::fs::write(folder.path().join("server"), "").unwrap();
        if cfg!(unix) {
            assert!(refused(&launch(folder.path(), &[]), "./server").contains("no executable file"));
        }
    }

    #[test]
    fn what_is_found_is_absolute() {
        let executable = std::env::current_exe().unwrap();
        let folder = executable.parent().unwrap();
        let name = executable.file_name().unwrap().to_str().unwrap();
        for (program, env) in
            [(format!("./{name}"), vec![]), (name.to_owned(), vec![("PATH", folder.to_str().unwrap())])]
        {
            let command = command(&launch(folder, &env), &program, &[]).unwrap();
            assert!(Path::new(command.get_program()).is_absolute(), "{program}");
        }
    }
}
