//! What an audit found, client by client. A total is a client's own: no two clients are ever added up, since no model
//! reads the tools of both.

use std::path::PathBuf;

use crate::clients::{Client, ConfigError, Filter, Loading, Passed};
use crate::codes::Failure;
use crate::price::Price;
use crate::report::{Measurement, Priced};

/// Everything that an audit shows.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The clients that have a config here, in the order in which they are known.
    pub clients: Vec<ClientAudit>,
    /// Whether the servers were launched.
    pub ran: bool,
    /// How many of a client's heaviest tools are shown.
    pub top: usize,
    /// Tokens of the context window that shares are told of.
    pub context_window: u64,
}

/// One client.
#[derive(Clone, Debug)]
pub struct ClientAudit {
    /// The client.
    pub client: Client,
    /// Its configs, the nearest first.
    pub files: Vec<PathBuf>,
    /// The configs that cannot be read.
    pub faults: Vec<ConfigError>,
    /// Projects that have servers of their own, and how many.
    pub other_projects: Vec<(String, usize)>,
    /// Its servers, the nearest file's first.
    pub servers: Vec<AuditServer>,
    /// The limits that are passed.
    pub passed: Vec<Passed>,
    /// When its definitions reach the model; `None` where nothing was launched.
    pub loading: Option<Loading>,
}

/// One server of a client.
#[derive(Clone, Debug)]
pub struct AuditServer {
    /// Its name in the config. May be hostile text.
    pub name: String,
    /// The config.
    pub file: PathBuf,
    /// What the client launches or asks, secrets masked; or why that is not known.
    pub told: Result<String, String>,
    /// Whether its definitions are sent even where the client defers.
    pub always_loaded: bool,
    /// How the client chooses among its tools; `None` where it sends all of them.
    pub filter: Option<Filter>,
    /// What became of it.
    pub state: State,
}

/// What became of a server.
#[derive(Clone, Debug)]
pub enum State {
    /// The client launches it; the audit did not.
    Listed,
    /// The config turns it off.
    Disabled,
    /// A nearer config has a server of the same name, which the client takes instead.
    Shadowed,
    /// It was measured.
    Measured(Box<Measurement>),
    /// It was to be measured, and was not.
    NotMeasured(Failure),
}

impl State {
    /// The word that documents carry.
    pub fn as_str(&self) -> &'static str {
        match self {
            State::Listed => "listed",
            State::Disabled => "disabled",
            State::Shadowed => "shadowed",
            State::Measured(_) => "measured",
            State::NotMeasured(_) => "not_measured",
        }
    }

    /// Whether the client launches the server.
    pub fn is_launched(&self) -> bool {
        !matches!(self, State::Disabled | State::Shadowed)
    }
}

impl Audit {
    /// What the process exits with: where servers were launched, 3 when the total of a client is not complete; where
    /// they were only listed, 2 when a config cannot be read.
    pub fn exit_code(&self) -> u8 {
        match (self.clients.iter().all(ClientAudit::is_complete), self.ran) {
            (true, _) => 0,
            (false, true) => 3,
            (false, false) => 2,
        }
    }
}

impl ClientAudit {
    /// The servers that were measured, the heaviest first, ties in the order of the configs.
    pub fn ranked(&self) -> Vec<(&AuditServer, &Measurement)> {
        let mut ranked: Vec<(&AuditServer, &Measurement)> = self
            .servers
            .iter()
            .filter_map(|server| match &server.state {
                State::Measured(measurement) => Some((server, measurement.as_ref())),
                _ => None,
            })
            .collect();
        ranked.sort_by_key(|(_, measurement)| std::cmp::Reverse(measurement.totals.floor));
        ranked
    }

    /// The servers that were not measured, and why.
    pub fn not_measured(&self) -> impl Iterator<Item = (&AuditServer, &Failure)> {
        self.servers.iter().filter_map(|server| match &server.state {
            State::NotMeasured(failure) => Some((server, failure)),
            _ => None,
        })
    }

    /// Whether every config was read, and every server that was launched was measured: else a total is a lower bound.
    pub fn is_complete(&self) -> bool {
        self.faults.is_empty() && self.not_measured().next().is_none()
    }

    /// The sum of a number over the servers that were measured.
    pub fn sum(&self, of: fn(&Measurement) -> u64) -> u64 {
        self.ranked().iter().map(|(_, measurement)| of(measurement)).sum()
    }

    /// The heaviest tools of all servers, ties by server and name.
    pub fn heaviest(&self) -> Vec<(&str, &Priced)> {
        let ranked = self.ranked();
        let tools = ranked
            .iter()
            .flat_map(|(server, measurement)| measurement.tools.iter().map(|tool| (server.name.as_str(), tool)));
        let mut tools: Vec<(&str, &Priced)> = tools.collect();
        tools.sort_by_cached_key(|(server, tool)| {
            let Price { tokens, .. } = tool.price;
            (std::cmp::Reverse(tokens), (*server).to_owned(), tool.definition.label().to_string())
        });
        tools
    }
}
