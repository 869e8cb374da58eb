//! The process: arguments in, one exit code out, and one line for what made the run impossible.

use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use mcp_footprint::plan::Plan;

fn main() -> ExitCode {
    let plan = match Plan::from_args(std::env::args_os()) {
        Ok(plan) => plan,
        Err(error) => {
            // --help and --version come this way too; a reader that has gone is no error.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match mcp_footprint::run(&plan, &mut stdout().lock(), &mut stderr()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}
