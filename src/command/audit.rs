//! `audit`: what the MCP clients on this machine would launch, and with `--run` what it costs. Configs are data until
//! then: nothing is launched, and no address is asked.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

use crate::audit::{Audit, AuditServer, ClientAudit, State};
use crate::budgets::Lookup;
use crate::capture::{Capture, Endings, Outcome, Target};
use crate::captured::{self, Captured};
use crate::clients::{self, Config, ConfigServer, Found, Seen, Surroundings};
use crate::codes::{ErrorCode, Failure};
use crate::plan::{self, Talk};
use crate::render::render_audit;
use crate::report::Measurement;
use crate::visible::visible;
use crate::{screen, sources};

/// Where a target's outcome goes: the places of its client and its server.
struct Seat {
    client: usize,
    server: usize,
    target: Target,
}

/// Lists the servers of every client, and measures them where the plan says so.
pub(crate) fn audit(plan: &plan::Audit, out: &mut dyn Write, err: &mut (dyn Write + Send)) -> anyhow::Result<u8> {
    let here = std::env::current_dir().context("the working directory cannot be found out")?;
    let folders = Surroundings::of_process(&here)
        .context("the home directory cannot be found out; set HOME, or USERPROFILE on Windows")?;
    let lookup: Lookup<'_> = &|name| std::env::var(name).ok();
    let mut seats = Vec::new();
    let found = clients::find(&folders, lookup);
    let found = found.into_iter().filter(|found| plan.clients.is_empty() || plan.clients.contains(&found.client));
    let mut clients: Vec<ClientAudit> = Vec::new();
    for found in found {
        let (client, launched) = client_audit(found, &folders, &plan.inputs, lookup);
        seats.extend(launched.into_iter().map(|(server, target)| Seat { client: clients.len(), server, target }));
        clients.push(client);
    }
    let mut endings = None;
    if plan.run {
        let (seen, ending) = match measure(plan, &mut clients, seats, err) {
            Ok(measured) => measured,
            Err(interrupted) => return Ok(interrupted.exit_code),
        };
        endings = ending;
        for (client, seen) in clients.iter_mut().zip(seen) {
            conclude(client, &seen, plan.context_window, &folders, lookup);
        }
    } else {
        list_only(&mut clients);
    }
    let audit = Audit { clients, ran: plan.run, top: plan.top, context_window: plan.context_window };
    match render_audit(plan.format, &audit, &screen::look(plan.screen.color), out) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    match endings.map(Endings::finish) {
        Some(Err(interrupted)) => return Ok(interrupted.exit_code),
        Some(Ok(Some(note))) if plan.screen.talk != Talk::Quiet => {
            writeln!(err, "note: {} ({})", visible(&note.message), note.code)?;
        }
        _ => {}
    }
    Ok(audit.exit_code())
}

/// Reads the configs of one client. What it would launch comes back beside it, by the place of the server.
fn client_audit(
    found: Found,
    folders: &Surroundings,
    inputs: &[(String, String)],
    lookup: Lookup<'_>,
) -> (ClientAudit, Vec<(usize, Target)>) {
    let mut client = ClientAudit {
        client: found.client,
        files: found.files,
        faults: Vec::new(),
        other_projects: Vec::new(),
        servers: Vec::new(),
        passed: Vec::new(),
        loading: None,
    };
    let mut launched = Vec::new();
    for file in client.files.clone() {
        let config = match Config::read(&file, Some(&folders.project), Some(&folders.home)) {
            Ok(config) => config,
            Err(fault) => {
                client.faults.push(fault);
                continue;
            }
        };
        let others = config.other_projects(&folders.project);
        client.other_projects.extend(others.into_iter().map(|(project, count)| (project.to_owned(), count)));
        for server in config.servers_in(&folders.project) {
            let known = client.servers.iter().any(|nearer: &AuditServer| nearer.name == server.name);
            let state = match (known, server.enabled) {
                (true, _) => State::Shadowed,
                (false, false) => State::Disabled,
                (false, true) => match config.target(server, inputs, lookup) {
                    Ok(target) => {
                        launched.push((client.servers.len(), target));
                        State::Listed
                    }
                    Err(fault) => State::NotMeasured(Failure::new(ErrorCode::NotLaunchable, fault.message)),
                },
            };
            client.servers.push(audit_server(server, &file, state));
        }
    }
    (client, launched)
}

fn audit_server(server: &ConfigServer, file: &Path, state: State) -> AuditServer {
    AuditServer {
        name: server.name.clone(),
        file: file.to_owned(),
        told: server.told(),
        always_loaded: server.always_loaded,
        filter: server.filter.clone(),
        state,
    }
}

/// Where nothing is launched, a variable that is not set is no failure yet.
fn list_only(clients: &mut [ClientAudit]) {
    let servers = clients.iter_mut().flat_map(|client| &mut client.servers);
    for server in servers.filter(|server| matches!(server.state, State::NotMeasured(_))) {
        server.state = State::Listed;
    }
}

type Measured = (Vec<Vec<Seen>>, Option<Endings>);

/// Launches all servers of all clients at the same time, and puts what came of each into its place.
fn measure(
    plan: &plan::Audit,
    clients: &mut [ClientAudit],
    seats: Vec<Seat>,
    err: &mut (dyn Write + Send),
) -> Result<Measured, crate::capture::Interrupted> {
    let name = |seat: &Seat| {
        let client = &clients[seat.client];
        format!("{}/{}", client.client, client.servers[seat.server].name)
    };
    let names: Vec<String> = seats.iter().map(name).collect();
    let (places, mut targets): (Vec<(usize, usize)>, Vec<Target>) =
        seats.into_iter().map(|seat| ((seat.client, seat.server), seat.target)).unzip();
    targets.iter_mut().for_each(|target| sources::apply(&plan.launch, target));
    let jobs = plan.launch.jobs.unwrap_or(targets.len());
    let all = captured::capture_targets(&targets, &names, jobs, plan.screen.talk, err)?;
    let mut seen: Vec<Vec<Seen>> = clients.iter().map(|_| Vec::new()).collect();
    for ((client, server), Captured { name, mut outcome }) in places.into_iter().zip(all.servers) {
        if let (Ok(capture), Some(filter)) = (&mut outcome, &clients[client].servers[server].filter) {
            filter.apply(capture);
        }
        seen[client].extend(outcome.as_ref().ok().map(|capture| seen_of(name, capture)));
        clients[client].servers[server].state = state_of(outcome);
    }
    Ok((seen, all.endings))
}

fn state_of(outcome: Outcome) -> State {
    match outcome {
        Ok(capture) => State::Measured(Box::new(Measurement::of(capture))),
        Err(failure) => State::NotMeasured(failure),
    }
}

fn seen_of(server: String, capture: &Capture) -> Seen {
    let tools = capture.definitions.iter();
    Seen {
        server,
        tools: tools.map(|tool| (tool.label().to_string(), tool.description().to_owned())).collect(),
        instructions: capture.instructions.as_ref().map(|text| text.len() as u64),
    }
}

/// Adds what follows from the measurements: the limits that are passed, and when the definitions reach the model.
fn conclude(client: &mut ClientAudit, seen: &[Seen], window: u64, folders: &Surroundings, lookup: Lookup<'_>) {
    client.passed = clients::passed(client.client, seen);
    let floor = client.sum(|measurement| measurement.totals.floor);
    let tools = client.sum(|measurement| measurement.totals.tools);
    let folders = (folders.home.as_path(), folders.project.as_path());
    client.loading = Some(clients::loading(client.client, floor, tools, window, folders, lookup));
}
