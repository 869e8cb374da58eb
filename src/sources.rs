//! Plan + budgets.toml + environment -> what is captured. Everything that can be wrong before a launch is found here.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::budgets::{
    self, Budgets, FILE_NAME, Lookup, PREPARE_TIMEOUT, Resolved, Server, WrittenSource, expand, plain_target,
    source_secrets,
};
use crate::capture::{Endpoint, Launch, Source, Target, file};
use crate::client_entry;
use crate::clients::{Config, ConfigServer};
use crate::codes::Failure;
use crate::paths::seen_from;
use crate::plan::{self, Launching, Measure};
use crate::secrets::Secrets;
use crate::visible::visible;

/// What is captured: servers to ask, or files that were saved.
#[derive(Clone, Debug)]
pub(crate) enum Sources {
    /// Servers, each with the name that it is known by.
    Targets {
        /// What is captured.
        targets: Vec<Target>,
        /// The clients that cannot be launched, by name, and why.
        failed: Vec<(String, Failure)>,
    },
    /// Files, each of which may hold several servers.
    Files(Vec<PathBuf>),
}

/// The path of the budgets file: the one that was named, else the nearest one upward.
pub(crate) fn budgets_path(named: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    match named {
        Some(path) => Ok(Some(path.to_owned())),
        None => {
            let here = std::env::current_dir().context("the working directory cannot be found out")?;
            Ok(budgets::nearest(&here).map(|path| seen_from(&here, &path)))
        }
    }
}

/// Where the budgets file is, or would be made.
pub(crate) fn budgets_place(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    Ok(budgets_path(named)?.unwrap_or_else(|| FILE_NAME.into()))
}

/// Reads the budgets file of the plan.
pub(crate) fn budgets(plan: &Measure) -> anyhow::Result<Budgets> {
    let Some(path) = budgets_path(plan.budgets.as_deref())? else {
        let way_out = match plan.source {
            plan::Source::Budgets => "or give a SOURCE, as in `mcp-footprint -- COMMAND`",
            _ => "or name another with --budgets: a SOURCE is held to an entry there",
        };
        bail!(
            "there is no {FILE_NAME} here, nor upward to the root of a repository; run `mcp-footprint init -- COMMAND` to \
             write one, {way_out}"
        );
    };
    Ok(Budgets::read(&path)?)
}

/// The servers and clients of the budgets file that the plan is about.
pub(crate) fn chosen<'a>(budgets: &'a Budgets, only: &[String]) -> anyhow::Result<Vec<&'a Server>> {
    if let Some(unknown) = only.iter().find(|name| budgets.server(name).is_none()) {
        let known: Vec<&str> = budgets.servers.iter().map(|server| server.name.as_str()).collect();
        return Err(no_such_server(unknown, &budgets.path, &known));
    }
    Ok(budgets.servers.iter().filter(|server| only.is_empty() || only.contains(&server.name)).collect())
}

/// The error for a name that is not there.
pub(crate) fn no_such_server(name: &str, path: &Path, known: &[&str]) -> anyhow::Error {
    let known: Vec<_> = known.iter().map(|name| visible(name)).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    anyhow::anyhow!("there is no server `{}` in {}; it has: {known}", visible(name), path.display())
}

/// Resolves the sources of a plan. `budgets` is read where the plan names no source.
pub(crate) fn resolve(plan: &Measure, budgets: Option<&Budgets>, lookup: Lookup<'_>) -> anyhow::Result<Sources> {
    let mut failed = Vec::new();
    let mut targets = match (&plan.source, budgets) {
        (plan::Source::Files(paths), _) => {
            let missing = paths.iter().find(|path| !file::is_standard_input(path) && !path.exists());
            return match missing {
                Some(path) => bail!("{} does not exist", path.display()),
                None => Ok(Sources::Files(paths.clone())),
            };
        }
        (plan::Source::Config { file, servers }, _) => {
            let mut targets = of_config(file, servers, &plan.inputs, lookup)?;
            if let ([_], [target], Some(name)) = (servers.as_slice(), targets.as_mut_slice(), &plan.name) {
                target.name = Some(name.clone());
            }
            targets
        }
        (plan::Source::Server(source), _) => vec![target(source, plan.name.clone(), lookup)?],
        (plan::Source::Budgets, Some(budgets)) => {
            let mut targets = Vec::new();
            for entry in chosen(budgets, &plan.only)? {
                match entry.resolve(budgets.folder(), lookup)? {
                    Resolved::Server(target) => targets.push(*target),
                    Resolved::Client(config, secrets) => {
                        match client_entry::targets(entry, &config, budgets.folder(), &plan.inputs, lookup) {
                            Ok(of_client) => targets.extend(of_client),
                            Err(failure) => failed.push((entry.name.clone(), failure.masked(&secrets))),
                        }
                    }
                }
            }
            targets
        }
        (plan::Source::Budgets, None) => bail!("there is no {FILE_NAME} to take servers from"),
    };
    targets.iter_mut().for_each(|target| apply(&plan.launch, target));
    Ok(Sources::Targets { targets, failed })
}

/// A config, and those of its servers that the plan is about: the named ones, or all that the client launches here.
pub(crate) fn config_servers(file: &Path, named: &[String]) -> anyhow::Result<(Config, Vec<ConfigServer>)> {
    let here = std::env::current_dir().context("the working directory cannot be found out")?;
    let config = Config::read(file, None, etcetera::home_dir().ok().as_deref())?;
    let known = config.servers_in(&here);
    if known.is_empty() {
        bail!("{} has no MCP servers for this folder", file.display());
    }
    if let Some(unknown) = named.iter().find(|name| known.iter().all(|server| server.name != **name)) {
        let known: Vec<&str> = known.iter().map(|server| server.name.as_str()).collect();
        return Err(no_such_server(unknown, file, &known));
    }
    let wanted = |server: &&&ConfigServer| if named.is_empty() { server.enabled } else { named.contains(&server.name) };
    let chosen: Vec<ConfigServer> = known.iter().filter(wanted).map(|server| (*server).clone()).collect();
    if chosen.is_empty() {
        bail!(
            "every server of {} is disabled; choose one with --server NAME to measure it all the same",
            file.display()
        );
    }
    Ok((config, chosen))
}

fn of_config(
    file: &Path,
    named: &[String],
    inputs: &[(String, String)],
    lookup: Lookup<'_>,
) -> anyhow::Result<Vec<Target>> {
    let (config, servers) = config_servers(file, named)?;
    servers.iter().map(|server| Ok(config.target(server, inputs, lookup)?)).collect()
}

/// A flag beats the file.
pub(crate) fn apply(launch: &Launching, target: &mut Target) {
    if let Some(timeout) = launch.timeout {
        target.timeout = timeout;
    }
    if launch.protocol.is_some() {
        target.protocol.clone_from(&launch.protocol);
    }
    if !launch.capabilities.is_empty() {
        target.capabilities.clone_from(&launch.capabilities);
    }
}

/// The target of a source that was written on the command line.
fn target(written: &WrittenSource, name: Option<String>, lookup: Lookup<'_>) -> anyhow::Result<Target> {
    let mut secrets = Secrets::default();
    let mut expanded = |text: &str| expand(text, lookup, &mut secrets).context("on the command line");
    let source = match written {
        WrittenSource::Command { prepare, command, args, env, cwd } => {
            let here = std::env::current_dir().context("the working directory cannot be found out")?;
            Source::Stdio(Launch {
                prepare: prepare.clone(),
                prepare_timeout: PREPARE_TIMEOUT,
                // The shell has expanded what it wanted to; only --env, --header and --url are ours.
                command: command.clone(),
                args: args.clone(),
                env: env
                    .iter()
                    .map(|(name, value)| Ok((name.clone(), expanded(value)?)))
                    .collect::<anyhow::Result<_>>()?,
                cwd: cwd.as_ref().map_or_else(|| here.clone(), |cwd| here.join(cwd)),
            })
        }
        WrittenSource::Url { url, headers } => Source::Http(Endpoint {
            url: expanded(url)?,
            headers: headers
                .iter()
                .map(|(name, value)| Ok((name.clone(), expanded(value)?)))
                .collect::<anyhow::Result<_>>()?,
        }),
        WrittenSource::From(path) => Source::File { path: path.into() },
    };
    source_secrets(&source, Secrets::add_if_named_so, &mut secrets);
    Ok(plain_target(name, source, written.origin().masked(&secrets), secrets))
}
