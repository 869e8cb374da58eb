//! `completions` and `man`: what a shell and a reader know of the program, out of its own definition.

use std::io::Write;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::visible::visible;

const PROGRAM: &str = "mcp-footprint";

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), PROGRAM, &mut script);
    if shell == Shell::Bash {
        // Of a program with a hyphen in its name the script looks commands up by one name and knows them by another, so
        // that nothing behind a command completes: clap-rs/clap#6421
        script = String::from_utf8(script)?.replace("mcp__subcmd__footprint", "mcp__footprint").into_bytes();
    }
    Ok(out.write_all(&script)?)
}

/// Prints the man page of the program, or of one of its commands.
pub(crate) fn man(command: Option<&str>, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut program = Cli::command();
    program.build();
    let page = match command {
        None => program,
        Some(name) => {
            let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
            let message = || format!("there is no command `{}`; there are {}", visible(name), known.join(", "));
            program.find_subcommand(name).with_context(message)?.clone()
        }
    };
    Ok(clap_mangen::Man::new(page).render(out)?)
}
