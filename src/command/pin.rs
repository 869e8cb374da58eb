//! `pin`: the measurement becomes the budget. All or nothing, and nothing from a server that was not measured.

use std::io::Write;

use anyhow::Context;

use super::matching::matched;
use super::{Prepared, only, tell_failures, tell_notes};
use crate::budgets::{self, Edit, Move, Pin, PinError};
use crate::captured::Captured;
use crate::check::{pinned, refuse_unknown_instructions};
use crate::gate::signed_difference;
use crate::plan::Measure;
use crate::report::{Measurement, ServerReport};
use crate::visible::{visible, visible_path};

/// Writes what was measured into the budgets file.
pub(crate) fn pin(
    plan: &Measure,
    raise: Option<&str>,
    dry_run: bool,
    prepared: Prepared,
    servers: Vec<Captured>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let budgets = prepared.budgets.context("pin needs a budgets file")?;
    let mut servers = matched(plan, &budgets, only(plan, servers))?;
    for ServerReport { name, outcome, .. } in &mut servers {
        if let (Ok(measurement), Some(entry)) = (&*outcome, budgets.server(name))
            && let Err(failure) = refuse_unknown_instructions(measurement, entry)
        {
            *outcome = Err(failure);
        }
    }
    if tell_failures(&servers, servers.len(), plan, err)? {
        return Ok(3);
    }
    servers.iter().try_for_each(|server| tell_notes(server, plan, err))?;
    let pins: Vec<(String, Pin)> = servers.iter().filter_map(pin_of).collect();
    let edit = match budgets::pin(&budgets, &pins, raise) {
        Ok(edit) => edit,
        Err(PinError::File(error)) => return Err(error.into()),
        Err(refusal) => {
            writeln!(err, "{refusal}")?;
            return Ok(1);
        }
    };
    if !dry_run {
        edit.write()?;
    }
    let state = if edit.is_change() && !dry_run { "was written" } else { "is as it was" };
    tell_moves(&edit, dry_run, out)
        .with_context(|| format!("{} {state}, and not all of it could be told", edit.path.display()))?;
    Ok(0)
}

/// What is pinned of one measurement.
pub(super) fn pin_from(measurement: &Measurement) -> Pin {
    Pin { totals: measurement.totals, tools: measurement.costs(), pinned: pinned(measurement) }
}

fn pin_of(server: &ServerReport) -> Option<(String, Pin)> {
    Some((server.name.clone(), pin_from(server.outcome.as_ref().ok()?)))
}

fn tell_moves(edit: &Edit, dry_run: bool, out: &mut dyn Write) -> std::io::Result<()> {
    for Move { server, metric, before, after, .. } in &edit.moves {
        let server = visible(server);
        match before {
            Some(before) => {
                let difference = signed_difference(*after, *before);
                let unit = metric.unit_of(difference.unsigned_abs());
                writeln!(out, "{server}: {metric} {before} -> {after} ({difference:+} {unit})")?;
            }
            None => writeln!(out, "{server}: {metric} {after} {} (new)", metric.unit_of(*after))?,
        }
    }
    let path = visible_path(&edit.path);
    let beside = if edit.moves.is_empty() { ", what each tool costs; no budget moved" } else { "" };
    match (edit.is_change(), dry_run) {
        (false, _) => writeln!(out, "{path}: nothing to change"),
        (true, true) => writeln!(out, "{path}: would be written{beside}; --dry-run writes nothing"),
        (true, false) => writeln!(out, "{path}: written{beside}"),
    }
}
