//! The source of a new entry, as budgets.toml is to say it, and what to look at before the file is committed.

use std::io::Write;
use std::path::Path;

use anyhow::Context;

use super::config_entry;
use crate::budgets::{EntrySource, WrittenSource, literal, literal_secrets};
use crate::paths::relative;
use crate::plan::{Measure, Source};
use crate::secrets::Secrets;
use crate::visible::visible;

/// The source as the file is to say it: paths relative to the file, the working directory when it is another, and the
/// words of a command as they were launched, whatever a variable would look like.
pub(super) fn source(plan: &Measure, budgets: &Path) -> anyhow::Result<EntrySource> {
    let here = std::env::current_dir().context("the working directory cannot be found out")?;
    let folder = here.join(budgets.parent().unwrap_or(Path::new("")));
    let relative = |path: &Path| literal(&relative(&here.join(path), &folder));
    Ok(EntrySource::Server(match &plan.source {
        Source::Server(WrittenSource::Command { prepare, command, args, env, cwd }) => {
            let cwd = here.join(cwd.as_deref().unwrap_or_default());
            let same = cwd.canonicalize().ok() == folder.canonicalize().ok();
            WrittenSource::Command {
                prepare: prepare.clone(),
                command: literal(command),
                args: args.iter().map(|arg| literal(arg)).collect(),
                env: env.clone(),
                cwd: if same { None } else { Some(relative(&cwd)) },
            }
        }
        Source::Server(source) => source.clone(),
        Source::Files(paths) => WrittenSource::From(paths.first().map(|path| relative(path)).unwrap_or_default()),
        Source::Config { file, servers } if servers.is_empty() => return Ok(EntrySource::Config(relative(file))),
        Source::Config { file, servers } => config_entry::source(file, servers, &folder)?,
        Source::Budgets => anyhow::bail!("init needs one SOURCE"),
    }))
}

/// What to look at before the file is committed.
pub(super) fn warn(plan: &Measure, source: &EntrySource, err: &mut dyn Write) -> std::io::Result<()> {
    let EntrySource::Server(source) = source else { return Ok(()) };
    match &plan.source {
        Source::Config { .. } => config_entry::tell_variables(source, err)?,
        _ => warn_of_literal_secrets(source, err)?,
    }
    warn_of_own_paths(source, err)
}

fn warn_of_literal_secrets(source: &WrittenSource, err: &mut dyn Write) -> std::io::Result<()> {
    for name in literal_secrets(source, Secrets::add_if_named_so).names() {
        let name = visible(name);
        writeln!(
            err,
            "warning: the value of {name} was written as it is; if it is a secret, put ${{NAME}} in its place before you \
             commit the file"
        )?;
    }
    Ok(())
}

/// Folders whose paths are the same on many machines.
const SYSTEM: [&str; 16] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/opt",
    "/etc",
    "/nix",
    "/dev",
    "/proc",
    "/System",
    "/Library",
    "/Applications",
    r"C:\Windows",
    r"C:\Program Files",
    r"C:\Program Files (x86)",
];

/// A path that is there, and is none of the system's, is nowhere else the same.
fn warn_of_own_paths(source: &WrittenSource, err: &mut dyn Write) -> std::io::Result<()> {
    let WrittenSource::Command { command, args, cwd, .. } = source else { return Ok(()) };
    let is_own = |word: &&String| {
        let path = Path::new(word.as_str());
        path.is_absolute() && path.exists() && !SYSTEM.iter().any(|folder| path.starts_with(folder))
    };
    let secrets = literal_secrets(source, Secrets::add_if_named_so);
    let paths: Vec<String> = std::iter::once(command)
        .chain(args)
        .filter(is_own)
        .chain(cwd.iter().filter(|cwd| Path::new(cwd.as_str()).is_absolute()))
        .map(|path| visible(&secrets.mask(path)).into_owned())
        .collect();
    if paths.is_empty() {
        return Ok(());
    }
    writeln!(
        err,
        "warning: only this machine has {}; write it relative to the file's folder, or with a variable such as ${{NAME}}, \
         before you commit the file",
        paths.join(" and ")
    )
}
