//! The extra launches of `init`: once more as it was, then with another time zone, home and working directory, and with
//! every client capability declared. They tell which definitions depend on what, and never change what was written.

use std::collections::BTreeMap;
use std::io::Write;

use crate::budgets::Lookup;
use crate::capture::{Capture, Interrupted, Launch, Source, Target};
use crate::captured::{self, Captured};
use crate::plan::{self, Measure};
use crate::sources::{self, Sources};
use crate::visible::visible;

/// What a launch had different, as a sentence names it.
struct Variation {
    /// The place of the server among those that were captured.
    server: usize,
    what: &'static str,
    target: Target,
}

/// Launches each server in other surroundings and tells which tools depend on them. `base` holds the captures as they
/// were, by name; the name is told where there are several.
pub(super) fn tell(
    plan: &Measure,
    base: &[(String, Capture)],
    out: &mut dyn Write,
    err: &mut (dyn Write + Send),
) -> anyhow::Result<Option<Interrupted>> {
    let (plan::Source::Server(_) | plan::Source::Config { .. }) = plan.source else { return Ok(None) };
    let elsewhere = tempfile::tempdir()?;
    let home = elsewhere.path().to_string_lossy().into_owned();
    let resolved = |changed: &[(&str, &str)]| {
        let lookup: Lookup<'_> = &|name| match changed.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => Some((*value).to_owned()),
            None => std::env::var(name).ok(),
        };
        match sources::resolve(plan, None, lookup)? {
            Sources::Targets { targets, .. } => anyhow::Ok(targets),
            Sources::Files(_) => Ok(Vec::new()),
        }
    };
    // What an argument takes from a variable changes with it.
    let zone = [("TZ", ANOTHER_ZONE)];
    let home = [("HOME", home.as_str()), ("USERPROFILE", home.as_str())];
    let (targets, zoned, housed) = (resolved(&[])?, resolved(&zone)?, resolved(&home)?);
    let variations: Vec<Variation> = targets
        .iter()
        .zip(zoned.iter().map(|target| with(target, &zone)).zip(housed.iter().map(|target| with(target, &home))))
        .enumerate()
        .flat_map(|(server, (target, (zoned, housed)))| variations(server, target, zoned, housed, elsewhere.path()))
        .collect();
    let targets = variations.iter().map(|variation| variation.target.clone()).collect();
    let captured = match captured::capture_all(plan, Sources::Targets { targets, failed: Vec::new() }, err) {
        Ok(captured) => captured,
        Err(interrupted) => return Ok(Some(interrupted)),
    };
    // What differs from launch to launch tells nothing about its surroundings.
    let mut by_chance: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (variation, launched) in variations.iter().zip(&captured.servers) {
        let Some((name, own)) = base.get(variation.server) else { continue };
        let lead = if base.len() > 1 { format!("{}: ", visible(name)) } else { String::new() };
        let known = by_chance.entry(variation.server).or_default();
        let found = tell_one(&lead, variation.what, own, launched, known, out)?;
        if variation.what == CHANCE {
            *known = found;
        }
    }
    match captured.endings.map(crate::capture::Endings::finish) {
        Some(Err(interrupted)) => Ok(Some(interrupted)),
        _ => Ok(None),
    }
}

const CHANCE: &str = "chance: it differs from launch to launch";
const ANOTHER_ZONE: &str = "America/Argentina/Buenos_Aires";

/// The same launch with more variables.
fn with(target: &Target, variables: &[(&str, &str)]) -> Target {
    let mut target = target.clone();
    if let Source::Stdio(launch) = &mut target.source {
        launch.env.extend(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    }
    target
}

fn variations(
    server: usize,
    target: &Target,
    zoned: Target,
    housed: Target,
    elsewhere: &std::path::Path,
) -> Vec<Variation> {
    let declared = Target {
        capabilities: ["roots", "sampling", "elicitation"].map(str::to_owned).to_vec(),
        name: Some("every capability".to_owned()),
        ..target.clone()
    };
    let capabilities = Variation { server, what: "the capabilities that the client declares", target: declared };
    let Source::Stdio(launch) = &target.source else { return vec![capabilities] };
    let launched = |what: &'static str, name: &str, target: Target| Variation {
        server,
        what,
        target: Target { name: Some(name.to_owned()), ..target },
    };
    let moved = Target { source: Source::Stdio(elsewhere_launched(launch, elsewhere)), ..target.clone() };
    vec![
        launched(CHANCE, "once more", target.clone()),
        launched("the time zone", "another time zone", zoned),
        launched("the home directory", "another home", housed),
        launched("the working directory", "another directory", moved),
        capabilities,
    ]
}

/// The same program in another directory: a relative command is the one that it was.
fn elsewhere_launched(launch: &Launch, elsewhere: &std::path::Path) -> Launch {
    let is_path = launch.command.contains(['/', std::path::MAIN_SEPARATOR]);
    let command = launch.cwd.join(&launch.command).to_string_lossy().into_owned();
    Launch {
        command: if is_path { command } else { launch.command.clone() },
        cwd: elsewhere.to_owned(),
        ..launch.clone()
    }
}

/// Tells which tools differ there but for those that are `known` to differ anyway, and gives them.
fn tell_one(
    lead: &str,
    what: &str,
    base: &Capture,
    launched: &Captured,
    known: &[String],
    out: &mut dyn Write,
) -> std::io::Result<Vec<String>> {
    let Ok(capture) = &launched.outcome else {
        // A server that does not start elsewhere, such as one whose arguments are relative paths, tells nothing.
        writeln!(out, "{lead}not known whether the list depends on {what}: the server did not list its tools there")?;
        return Ok(Vec::new());
    };
    let tools: Vec<String> = different(base, capture).into_iter().filter(|tool| !known.contains(tool)).collect();
    if !tools.is_empty() {
        writeln!(out, "{lead}depends on {what}: {}", tools.join(", "))?;
    }
    Ok(tools)
}

/// The names whose definitions are not the same in both captures, or in one of them only.
fn different(one: &Capture, other: &Capture) -> Vec<String> {
    let texts = |capture: &Capture| {
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for definition in &capture.definitions {
            texts.entry(definition.label().to_string()).or_default().push(definition.compact().to_owned());
        }
        texts
    };
    let (one, other) = (texts(one), texts(other));
    let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).map(|name| visible(name).into_owned()).collect()
}
