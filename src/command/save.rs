//! `capture`: what was listed, saved to be priced another time. Nothing is saved unless every server was captured.

use std::io::Write;

use super::{Prepared, only, tell_failures};
use crate::capture::{self, Capture};
use crate::captured::Captured;
use crate::definition::Definition;
use crate::kind::Kind;
use crate::plan::{Measure, Talk};
use crate::report::{ServerReport, notes_on_names};
use crate::{render, screen};

/// Saves what was captured.
pub(crate) fn capture(
    plan: &Measure,
    prepared: Prepared,
    servers: Vec<Captured>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let (mut captures, mut failed): (Vec<(String, Capture)>, Vec<ServerReport>) = (Vec::new(), Vec::new());
    for server in only(plan, servers) {
        match server.outcome {
            Ok(capture) => captures.push((server.name, capture)),
            Err(failure) => failed.push(ServerReport { name: server.name, kind: Kind::Server, outcome: Err(failure) }),
        }
    }
    if tell_failures(&failed, captures.len() + failed.len(), plan, err)? {
        return Ok(3);
    }
    if plan.screen.talk != Talk::Quiet {
        // Nobody sees a capture before it is uploaded or committed.
        for (name, capture) in &captures {
            let notes =
                [capture.notes.clone(), notes_on_names(capture.definitions.iter().map(Definition::label))].concat();
            render::notes(name, &notes, &screen::look(plan.screen.color), err)?;
        }
    }
    match prepared.capture {
        Some(file) => file.complete(|out| capture::save(&captures, out))?,
        None => capture::save(&captures, out)?,
    }
    Ok(0)
}
