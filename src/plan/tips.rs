//! What a fault of the arguments is told to do about it, where clap's own tip would lead astray.

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::Cli;

/// How alike a word and a command must be.
const ALIKE: f64 = 0.8;

/// A word that nothing takes is most likely a command that is misspelled, or that of a server without `--` before it. A
/// flag that nothing takes is never meant as a program to launch.
pub(super) fn with_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    if word.starts_with('-') {
        error.remove(ContextKind::Suggested);
        return error;
    }
    let tip = match nearest_command(word) {
        Some(command) => format!("did you mean the command `{command}`?"),
        None => "the command of a server stands behind `--`, as in `mcp-footprint -- node server.js`".to_owned(),
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

fn nearest_command(word: &str) -> Option<String> {
    let program = Cli::command();
    let alike = program.get_subcommands().map(|command| command.get_name().to_owned());
    let alike = alike.map(|name| (strsim::jaro_winkler(word, &name), name)).filter(|(likeness, _)| *likeness >= ALIKE);
    alike.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, name)| name)
}
