//! An audit as JSON: version 1 with `clients` added. `servers` holds every server that was to be measured, as
//! `client/name`; a client refers to its own by that name, and its sums are its own.

use std::io::{self, Write};

use serde::Serialize;

use super::json::{SCHEMA, Server};
use super::json_text::Layout;
use crate::audit::{Audit, AuditServer, ClientAudit, State};
use crate::clients::{Client, LimitCode, LoadingCode};
use crate::kind::Kind;
use crate::price::ESTIMATOR;
use crate::report::{Report, ServerReport, SortKey};

pub(super) fn write(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    let report = Report {
        servers: audit.clients.iter().flat_map(reports).collect(),
        budgets: None,
        listed_in: None,
        budgets_in_repository: None,
        base: None,
        against: None,
        repeat_args: Vec::new(),
        sort: SortKey::default(),
        top: None,
        context_window: audit.context_window,
    };
    let document = Document {
        schema: SCHEMA,
        estimator: ESTIMATOR,
        exit_code: audit.exit_code(),
        servers: report.servers.iter().map(|server| Server::of(&report, server)).collect(),
        clients: audit.clients.iter().map(|client| ClientDocument::of(client, audit)).collect(),
    };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}

fn reports(client: &ClientAudit) -> Vec<ServerReport> {
    let outcome = |server: &AuditServer| match &server.state {
        State::Measured(measurement) => Some(Ok(measurement.as_ref().clone())),
        State::NotMeasured(failure) => Some(Err(failure.clone())),
        _ => None,
    };
    let report = |server| {
        let name = document_name(client.client, server);
        Some(ServerReport { name, kind: Kind::Server, outcome: outcome(server)? })
    };
    client.servers.iter().filter_map(report).collect()
}

fn document_name(client: Client, server: &AuditServer) -> String {
    format!("{client}/{}", server.name)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    estimator: &'static str,
    exit_code: u8,
    servers: Vec<Server<'a>>,
    clients: Vec<ClientDocument<'a>>,
}

#[derive(Serialize)]
struct ClientDocument<'a> {
    name: Client,
    files: Vec<String>,
    /// Whether the sums are complete; `false` makes them lower bounds.
    complete: bool,
    tool_count: Option<u64>,
    floor_tokens: Option<u64>,
    description_tokens: Option<u64>,
    context_window: u64,
    loading: Option<LoadingDocument<'a>>,
    limits: Vec<LimitDocument<'a>>,
    servers: Vec<ClientServer<'a>>,
    unreadable: Vec<String>,
}

#[derive(Serialize)]
struct LoadingDocument<'a> {
    code: LoadingCode,
    message: &'a str,
}

#[derive(Serialize)]
struct LimitDocument<'a> {
    code: LimitCode,
    limit: Option<u64>,
    measured: u64,
    servers: &'a [String],
    tool: Option<&'a str>,
}

#[derive(Serialize)]
struct ClientServer<'a> {
    name: &'a str,
    file: String,
    status: &'static str,
    /// The name under `servers`; `null` where there is nothing of it.
    document: Option<String>,
    /// What is launched or asked, secrets masked; `null` where only the client knows.
    launch: Option<&'a str>,
    always_loaded: bool,
}

impl<'a> ClientDocument<'a> {
    fn of(client: &'a ClientAudit, audit: &Audit) -> Self {
        let sum = |of| audit.ran.then(|| client.sum(of));
        ClientDocument {
            name: client.client,
            files: client.files.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
            complete: client.is_complete(),
            tool_count: sum(|measurement| measurement.totals.tools),
            floor_tokens: sum(|measurement| measurement.totals.floor),
            description_tokens: sum(|measurement| measurement.totals.descriptions),
            context_window: audit.context_window,
            loading: client
                .loading
                .as_ref()
                .map(|loading| LoadingDocument { code: loading.code, message: &loading.because }),
            limits: client
                .passed
                .iter()
                .map(|passed| LimitDocument {
                    code: passed.code,
                    limit: passed.limit,
                    measured: passed.measured,
                    servers: &passed.servers,
                    tool: passed.tool.as_deref(),
                })
                .collect(),
            servers: client.servers.iter().map(|server| ClientServer::of(client.client, server)).collect(),
            unreadable: client.faults.iter().map(ToString::to_string).collect(),
        }
    }
}

impl<'a> ClientServer<'a> {
    fn of(client: Client, server: &'a AuditServer) -> Self {
        let measured = matches!(server.state, State::Measured(_) | State::NotMeasured(_));
        ClientServer {
            name: &server.name,
            file: server.file.to_string_lossy().into_owned(),
            status: server.state.as_str(),
            document: measured.then(|| document_name(client, server)),
            launch: server.told.as_deref().ok(),
            always_loaded: server.always_loaded,
        }
    }
}
