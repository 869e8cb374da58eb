//! The rules across flags that clap cannot state, and how a broken one is told.

use clap::CommandFactory;

use super::Goal;
use crate::cli::{Cli, MeasureArgs};
use crate::visible::visible;

/// Refuses flags that say two things, or that would be passed over.
pub(super) fn refuse_contradictions(goal: &Goal, measured: &MeasureArgs) -> Result<(), clap::Error> {
    let MeasureArgs { source, launch } = measured;
    let nameless = source.command.is_empty() && source.url.is_none() && source.from.is_empty();
    if source.name.is_some() && nameless && source.config.is_none() {
        return Err(usage("--name names the server of a SOURCE; to choose one of budgets.toml, use --server"));
    }
    if !source.from.is_empty() && (launch.protocol.is_some() || !launch.capability.is_empty()) {
        let message = "--protocol and --capability say how a server is asked, and what --from reads was listed before; \
                       give them to `capture`";
        return Err(usage(message));
    }
    if source.name.is_some() && source.from.len() > 1 {
        return Err(usage("--name names one server, and several --from hold several"));
    }
    if let Some(name) = given_twice(&source.env, |one, other| one == other) {
        return Err(usage(&format!("--env gives the variable {} twice", visible(name))));
    }
    if let Some(name) = given_twice(&source.header, str::eq_ignore_ascii_case) {
        return Err(usage(&format!("--header gives {} twice", visible(name))));
    }
    let adds_client = matches!(goal, Goal::Init { .. }) && source.server.is_empty();
    if source.name.is_some() && source.config.is_some() && source.server.len() != 1 && !adds_client {
        return Err(usage("--name names one server; choose one of the config with --server"));
    }
    Ok(())
}

fn given_twice(pairs: &[(String, String)], same: fn(&str, &str) -> bool) -> Option<&str> {
    let is_again = |place: usize, name: &str| pairs[..place].iter().any(|(earlier, _)| same(earlier, name));
    pairs.iter().enumerate().find(|(place, (name, _))| is_again(*place, name)).map(|(_, (name, _))| name.as_str())
}

/// The error of a wrong command line.
pub(super) fn usage(message: &str) -> clap::Error {
    usage_of(&mut Cli::command(), message)
}

/// As [`usage`], with the usage line of one command.
pub(super) fn usage_of_init(message: &str) -> clap::Error {
    let mut cli = Cli::command();
    cli.build();
    match cli.find_subcommand_mut("init") {
        Some(init) => usage_of(init, message),
        None => usage_of(&mut cli, message),
    }
}

fn usage_of(command: &mut clap::Command, message: &str) -> clap::Error {
    command.error(clap::error::ErrorKind::MissingRequiredArgument, message)
}
