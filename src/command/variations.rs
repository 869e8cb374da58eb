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
    let lookup: Lookup<'_> = &|name| std::env::var(name).ok();
    let Sources::Targets { targets, .. } = sources::resolve(plan, None, lookup)? else { return Ok(None) };
    let elsewhere = tempfile::tempdir()?;
    let variations: Vec<Variation> =
        targets.iter().enumerate().flat_map(|(server, target)| variations(server, target, elsewhere.path())).collect();
    let targets = variations.iter().map(|variation| variation.target.clone()).collect();
    let captured = match captured::capture_all(plan, Sources::Targets { targets, failed: Vec::new() }, err) {
        Ok(captured) => captured,
        Err(interrupted) => return Ok(Some(interrupted)),
    };
    for (variation, launched) in variations.iter().zip(&captured.servers) {
        let Some((name, own)) = base.get(variation.server) else { continue };
        let lead = if base.len() > 1 { format!("{}: ", visible(name)) } else { String::new() };
        tell_one(&lead, variation.what, own, launched, out)?;
    }
    match captured.endings.map(crate::capture::Endings::finish) {
        Some(Err(interrupted)) => Ok(Some(interrupted)),
        _ => Ok(None),
    }
}

fn variations(server: usize, target: &Target, elsewhere: &std::path::Path) -> Vec<Variation> {
    let declared = Target {
        capabilities: ["roots", "sampling", "elicitation"].map(str::to_owned).to_vec(),
        name: Some("every capability".to_owned()),
        ..target.clone()
    };
    let capabilities = Variation { server, what: "the capabilities that the client declares", target: declared };
    let Source::Stdio(launch) = &target.source else { return vec![capabilities] };
    let launched = |what: &'static str, name: &str, launch: Launch| Variation {
        server,
        what,
        target: Target { source: Source::Stdio(launch), name: Some(name.to_owned()), ..target.clone() },
    };
    let with = |name: &str, value: &str| {
        let mut launch = launch.clone();
        launch.env.push((name.to_owned(), value.to_owned()));
        launch
    };
    let home = elsewhere.to_string_lossy();
    let mut home_launch = with("HOME", &home);
    home_launch.env.push(("USERPROFILE".to_owned(), home.into_owned()));
    vec![
        launched("chance: it differs from launch to launch", "once more", launch.clone()),
        launched("the time zone", "another time zone", with("TZ", "America/Argentina/Buenos_Aires")),
        launched("the home directory", "another home", home_launch),
        launched("the working directory", "another directory", elsewhere_launched(launch, elsewhere)),
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

fn tell_one(lead: &str, what: &str, base: &Capture, launched: &Captured, out: &mut dyn Write) -> std::io::Result<()> {
    match &launched.outcome {
        // A server that does not start elsewhere, such as one whose arguments are relative paths, tells nothing.
        Err(_) => {
            writeln!(out, "{lead}not known whether the list depends on {what}: the server did not list its tools there")
        }
        Ok(capture) => {
            let tools = different(base, capture);
            match tools.is_empty() {
                true => Ok(()),
                false => writeln!(out, "{lead}depends on {what}: {}", tools.join(", ")),
            }
        }
    }
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
