//! `init`: a measured server, or all servers of a config, become an entry of budgets.toml. Each is looked at once more:
//! does what it lists depend on where it runs? A gate on such a server flaps between a desk and CI, so this is the
//! moment to say it.

use std::io::Write;
use std::path::Path;

use super::pin::pin_from;
use super::schema_file::SchemaFile;
use super::{Prepared, priced, ready, tell_failures, tell_notes, variations, written};
use crate::budgets::{self, Budgets, Edit, InitError, NewServer, WrittenSource};
use crate::capture::Capture;
use crate::capture::offer::parse_revision;
use crate::capture::source::Origin;
use crate::captured::Captured;
use crate::cli::ReadyFile;
use crate::kind::Kind;
use crate::plan::{Measure, Source, Talk};
use crate::report::{Measurement, ServerReport};
use crate::sources;
use crate::visible::{visible, visible_path};
use crate::{client_entry, client_sum};

/// The budgets file that an entry is to be added to, unless it has the entry already.
pub(super) fn existing(plan: &Measure) -> anyhow::Result<Option<Budgets>> {
    let path = sources::budgets_place(plan.budgets.as_deref())?;
    let budgets = Budgets::read_to_add(&path)?;
    let client = client_name(plan);
    if let Some(name) = client.as_ref().filter(|name| name.trim().is_empty() || name.contains('/')) {
        anyhow::bail!("a client needs a name without a slash, and `{}` is none; choose one with --name", visible(name));
    }
    let kind = if client.is_some() { Kind::Client } else { Kind::Server };
    if let (Some(budgets), Some(name)) = (&budgets, client.as_ref().or(plan.name.as_ref())) {
        budgets.refuse_existing(name, kind)?;
    }
    match &plan.source {
        Source::Server(source) => source.refuse_literal_headers()?,
        Source::Config { file, servers } if client.is_some() => drop(sources::config_servers(file, servers)?),
        Source::Config { file, servers } => {
            let (_, chosen) = sources::config_servers(file, servers)?;
            if let (Some(budgets), None) = (&budgets, &plan.name) {
                chosen.iter().try_for_each(|server| budgets.refuse_existing(&server.name, Kind::Server))?;
            }
            chosen.iter().flat_map(|server| &server.source).try_for_each(WrittenSource::refuse_literal_headers)?;
        }
        Source::Budgets | Source::Files(_) => {}
    }
    Ok(budgets)
}

/// Adds what was measured to the budgets file.
pub(crate) fn init(
    plan: &Measure,
    ready_files: &[ReadyFile],
    prepared: Prepared,
    servers: Vec<Captured>,
    out: &mut dyn Write,
    err: &mut (dyn Write + Send),
) -> anyhow::Result<u8> {
    let captures: Vec<(String, Capture)> = servers
        .iter()
        .filter_map(|server| Some((server.name.clone(), server.outcome.as_ref().ok()?.clone())))
        .collect();
    let server = one_entry(plan, servers)?;
    if tell_failures(std::slice::from_ref(&server), 1, plan, err)? {
        return Ok(3);
    }
    tell_notes(&server, plan, err)?;
    let ServerReport { name, kind, outcome: Ok(measurement) } = server else { return Ok(3) };
    anyhow::ensure!(!name.trim().is_empty(), "the server has no name; give it one with --name");
    let path = &prepared.budgets_path;
    let new = new_server(plan, path, (name, kind), &measurement)?;
    let schema = prepared.budgets.is_none().then(|| SchemaFile::beside(path)).transpose()?;
    let named = schema.as_ref().and_then(SchemaFile::name);
    let edit = match budgets::add_server(path, prepared.budgets.as_ref(), &new, named) {
        Ok(edit) => edit,
        Err(nothing @ (InitError::NothingMeasured(..) | InitError::SilentMembers(..))) => {
            writeln!(err, "{nothing}")?;
            return Ok(1);
        }
        Err(error) => return Err(error.into()),
    };
    edit.write()?;
    let schema = schema.map(SchemaFile::complete).transpose()?.flatten();
    tell_added(&edit, &new, &measurement, out)?;
    if let Some(schema) = &schema {
        writeln!(out, "{}: written, by which editors complete and check the budgets", visible_path(schema))?;
    }
    ready::write(ready_files, path, out)?;
    written::warn(plan, &new.source, err)?;
    if let Some(interrupted) = variations::tell(plan, &captures, out, err)? {
        return Ok(interrupted.exit_code);
    }
    if plan.screen.talk != Talk::Quiet {
        let schema = schema.map(|schema| format!(" and {}", visible_path(&schema))).unwrap_or_default();
        writeln!(err, "next: commit {}{schema}, and run `mcp-footprint check` in CI", visible_path(&edit.path))?;
    }
    Ok(0)
}

/// What the client is called that `init` adds; `None` where it adds a server. The config's own name says most.
fn client_name(plan: &Measure) -> Option<String> {
    let Source::Config { file, servers } = &plan.source else { return None };
    let stem = || file.file_stem().map(|stem| stem.to_string_lossy().trim_start_matches('.').to_owned());
    servers.is_empty().then(|| plan.name.clone().or_else(stem).unwrap_or_default())
}

/// What was captured, as the one entry that it becomes.
fn one_entry(plan: &Measure, mut servers: Vec<Captured>) -> anyhow::Result<ServerReport> {
    if let (Some(name), Source::Config { file, .. }) = (client_name(plan), &plan.source) {
        let config = Some(file.to_string_lossy().into_owned());
        let origin = Origin { config, ..Origin::default() };
        let (_, chosen) = sources::config_servers(file, &[])?;
        let filters = client_entry::filters_of(&chosen);
        return Ok(client_sum::together(&name, origin, plan.launch.capabilities.clone(), servers, &filters));
    }
    anyhow::ensure!(servers.len() == 1, "the file holds {} servers; init adds one at a time", servers.len());
    Ok(priced(servers.swap_remove(0)))
}

/// The entry as it is to be written.
fn new_server(
    plan: &Measure,
    budgets: &Path,
    (name, kind): (String, Kind),
    measurement: &Measurement,
) -> anyhow::Result<NewServer> {
    let is_launched = kind == Kind::Server && !matches!(plan.source, Source::Files(_));
    Ok(NewServer {
        name,
        source: written::source(plan, budgets)?,
        // A revision that this client has never heard of cannot be asked for again; it is pinned all the same.
        protocol: measurement.protocol.clone().filter(|spoken| is_launched && parse_revision(spoken).is_ok()),
        timeout: plan.launch.timeout,
        capabilities: plan.launch.capabilities.clone(),
        pin: pin_from(measurement),
    })
}

fn tell_added(edit: &Edit, new: &NewServer, measurement: &Measurement, out: &mut dyn Write) -> std::io::Result<()> {
    let totals = measurement.totals;
    let plural = |number: u64, word: &str| if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") };
    let servers = measurement.members.as_ref().map(|members| plural(members.len() as u64, "server"));
    writeln!(
        out,
        "{}: `{}` added with floor {} and descriptions {} est. tokens of {}{}",
        visible_path(&edit.path),
        visible(&new.name),
        totals.floor,
        totals.descriptions,
        plural(totals.tools, "tool"),
        servers.map(|servers| format!(" on {servers}")).unwrap_or_default(),
    )
}
