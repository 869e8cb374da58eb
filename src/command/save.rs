//! `capture`: what was listed, saved to be priced another time. Nothing is saved unless every server was captured.

use std::io::Write;

use super::{Prepared, only, tell_failures};
use crate::capture::{self, Capture};
use crate::captured::Captured;
use crate::kind::Kind;
use crate::plan::Measure;
use crate::report::ServerReport;

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
    if tell_failures(&failed, plan, err)? {
        return Ok(3);
    }
    match prepared.capture {
        Some(file) => file.complete(|out| capture::save(&captures, out))?,
        None => capture::save(&captures, out)?,
    }
    Ok(0)
}
