//! Prices the tool definitions of MCP servers and holds them to committed budgets.
//!
//! Data goes one way: arguments -> plan -> sources -> captures -> prices -> verdicts -> report -> documents.

pub mod advice;
pub mod audit;
pub mod base;
pub mod budgets;
pub mod capture;
mod captured;
pub mod check;
mod ci;
pub mod classes;
mod cli;
mod client_entry;
mod client_sum;
pub mod clients;
pub mod codes;
mod command;
pub mod defer;
pub mod definition;
pub mod diff;
mod documents;
pub mod explain;
#[doc(hidden)]
pub mod fuzzing;
pub mod gate;
mod git;
pub mod json;
pub mod kind;
pub mod members;
mod paths;
mod pending_file;
pub mod plan;
mod platform;
pub mod price;
mod progress;
pub mod render;
pub mod report;
pub mod rows;
pub mod schema;
mod screen;
pub mod secrets;
pub mod snapshot;
mod sources;
pub mod tree;
pub mod usage;
pub mod view;
pub mod visible;

use std::io::Write;

use crate::plan::{Goal, Measure, Plan};

/// Runs the plan and gives the code to exit with: documents go to `out`, everything else to `err`.
///
/// # Errors
/// What makes the run impossible: wrong usage, a bad budgets file, a document that cannot be opened. The exit code is 2.
pub fn run(plan: &Plan, out: &mut dyn Write, err: &mut (dyn Write + Send)) -> anyhow::Result<u8> {
    match plan {
        Plan::Measure(plan) => {
            let done = measure(plan, out, err);
            if let (Err(error), Goal::Check(documents, _)) = (&done, &plan.goal) {
                // A reader that has gone changes no verdict.
                let _ = ci::tell_impossible(documents.ci, error, err);
            }
            return done;
        }
        Plan::Diff(plan) => command::diff(plan, out)?,
        Plan::Audit(plan) => return command::audit(plan, out, err),
        Plan::Write { files, budgets } => {
            command::write_ready(files, &sources::budgets_place(budgets.as_deref())?, out)?;
        }
        Plan::Schema(schema) => out.write_all(schema.text().as_bytes())?,
        Plan::Completions(shell) => command::completions(*shell, out)?,
        Plan::Man(command) => command::man(command.as_deref(), out)?,
    }
    Ok(0)
}

/// The stages of a run that measures servers.
fn measure(plan: &Measure, out: &mut dyn Write, err: &mut (dyn Write + Send)) -> anyhow::Result<u8> {
    let prepared = command::Prepared::open(plan)?;
    let sources = sources::resolve(plan, prepared.budgets.as_ref(), &|name| std::env::var(name).ok())?;
    let captured = match captured::capture_all(plan, sources, err) {
        Ok(captured) => captured,
        Err(interrupted) => return Ok(interrupted.exit_code),
    };
    let code = match &plan.goal {
        Goal::Report(documents) => command::report(plan, documents, prepared, captured.servers, out, err)?,
        Goal::Check(documents, _) => command::check(plan, documents, prepared, captured.servers, out, err)?,
        Goal::Study { study, format } => command::study(plan, study, *format, &prepared, captured.servers, out, err)?,
        Goal::Pin { raise, dry_run } => {
            command::pin(plan, raise.as_deref(), *dry_run, prepared, captured.servers, out, err)?
        }
        Goal::Init { write } => command::init(plan, write, prepared, captured.servers, out, err)?,
        Goal::Capture { .. } => command::capture(plan, prepared, captured.servers, out, err)?,
    };
    match captured.endings.map(capture::Endings::finish) {
        Some(Err(interrupted)) => Ok(interrupted.exit_code),
        Some(Ok(Some(note))) if plan.screen.talk != plan::Talk::Quiet => {
            writeln!(err, "note: {} ({})", visible::visible(&note.message), note.code)?;
            Ok(code)
        }
        _ => Ok(code),
    }
}
