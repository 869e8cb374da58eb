//! (budgets.toml at the base, budgets.toml now) -> what the gate holds less than it did, and the reason for it. Pure.
//!
//! A ratchet that lives in a file turns both ways with one edit, and a merge can put a lowered budget back up without
//! anyone meaning it. So what rises or loosens needs a `reason` that was not there before: that of the band for its
//! numbers, that of any band of the server for its source, that of the file for servers and estimator.

mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::budgets::{Budgets, Server, WrittenBand};
use crate::capture::offer::AUTO;
use crate::codes::vocabulary;
use crate::defer::Globs;
use crate::gate::{Band, Metric, Reason};
use crate::kind::Kind;
use crate::visible::{is_blank, is_hidden};

vocabulary! {
    /// What is other than at the base.
    Loosening {
        /// A budget is higher.
        BudgetRaised = "budget_raised",
        /// A slack is larger.
        SlackRaised = "slack_raised",
        /// A band is gone.
        BandRemoved = "band_removed",
        /// A server is gone.
        ServerRemoved = "server_removed",
        /// A client is gone.
        ClientRemoved = "client_removed",
        /// The definitions come from elsewhere.
        SourceChanged = "source_changed",
        /// Another revision of the protocol is asked for.
        ProtocolChanged = "protocol_changed",
        /// A server of a client may list nothing.
        SilenceMeant = "silence_meant",
        /// Other client capabilities are declared.
        CapabilitiesChanged = "capabilities_changed",
        /// Other tools are deferred.
        DeferChanged = "defer_changed",
        /// Another estimator counts.
        EstimatorChanged = "estimator_changed",
    }
}

/// A budgets.toml beside what it said at a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The revision as it was named. May be hostile text.
    pub reference: String,
    /// The commits at which the file was read; several where branches were merged into each other.
    pub commits: Vec<String>,
    /// Where the file was.
    pub found: Found,
    /// What the gate holds less, the file's own first, then in the order of the servers at the base.
    pub differences: Vec<Difference>,
    /// The bands of each server at the base, those of every file that was read.
    pub bands: Bands,
}

/// Bands by the name of their server.
pub type Bands = BTreeMap<String, Vec<Band>>;

/// Where budgets.toml was at the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Where it is now.
    Here,
    /// At these paths of the repository, which no longer hold it. May be hostile text.
    Moved(Vec<String>),
    /// Nowhere, but this file of a folder above was the nearest one, so what is new here may be less than it held. A path
    /// of the repository. May be hostile text.
    Above(String),
    /// Nowhere: everything is new.
    Nowhere,
}

/// One thing that the gate holds less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The server or client; `None` where it is the whole file's.
    pub server: Option<String>,
    /// What it is.
    pub loosening: Loosening,
    /// The band, where it is about one.
    pub metric: Option<Metric>,
    /// What the file said at the base, without anything that may be secret.
    pub before: String,
    /// What it says now.
    pub after: String,
    /// The new reason; `None` where there is none, which is refused.
    pub reason: Option<String>,
    /// The line of budgets.toml that it is about, from 1; `None` where nothing is left of it.
    pub line: Option<usize>,
}

impl Comparison {
    /// Whether anything is refused.
    pub fn is_refused(&self) -> bool {
        self.differences.iter().any(Difference::is_refused)
    }

    /// Whether anything of one server is refused.
    pub fn refuses(&self, server: &str) -> bool {
        self.differences
            .iter()
            .any(|difference| difference.is_refused() && difference.server.as_deref() == Some(server))
    }
}

impl Found {
    /// Whether the file was there, here or elsewhere.
    pub fn is_somewhere(&self) -> bool {
        matches!(self, Found::Here | Found::Moved(_))
    }

    /// Of several bases, where it was at any of them.
    pub fn or(self, other: Found) -> Found {
        match (self, other) {
            (Found::Here, _) | (_, Found::Here) => Found::Here,
            (Found::Nowhere, found) | (found, Found::Nowhere) => found,
            (Found::Above(_), found) | (found, Found::Above(_)) => found,
            (Found::Moved(mut paths), Found::Moved(others)) => {
                paths.extend(others);
                paths.sort_unstable();
                paths.dedup();
                Found::Moved(paths)
            }
        }
    }
}

impl Difference {
    /// Nothing new says why.
    pub fn is_refused(&self) -> bool {
        self.reason.is_none()
    }

    /// The word of the gate; `None` for a raise that has its reason, which is what a raise is meant to be.
    pub fn code(&self) -> Option<Reason> {
        match self.loosening {
            Loosening::BudgetRaised if self.is_refused() => Some(Reason::BudgetRaisedUnjustified),
            Loosening::BudgetRaised => None,
            _ => Some(Reason::GateLoosened),
        }
    }
}

/// The bands of every server of a file.
pub fn bands(budgets: &Budgets) -> impl Iterator<Item = (String, Vec<Band>)> + '_ {
    budgets.servers.iter().map(|server| (server.name.clone(), server.bands.iter().map(WrittenBand::band).collect()))
}

/// Compares the servers of `now` that `only` names, or all, with `base`.
pub fn differences(base: &Budgets, now: &Budgets, only: &[String]) -> Vec<Difference> {
    let of_file = new_reason(base.reason.as_deref(), now.reason.as_deref());
    let mut differences = Vec::new();
    if base.estimator != now.estimator {
        differences.push(Difference {
            server: None,
            loosening: Loosening::EstimatorChanged,
            metric: None,
            before: base.estimator.clone(),
            after: now.estimator.clone(),
            reason: of_file.clone(),
            line: Some(1),
        });
    }
    for before in base.servers.iter().filter(|server| only.is_empty() || only.contains(&server.name)) {
        match now.server(&before.name) {
            Some(after) => of_server(before, after, of_file.as_deref(), &mut differences),
            None => differences.push(Difference {
                server: Some(before.name.clone()),
                loosening: match before.kind() {
                    Kind::Server => Loosening::ServerRemoved,
                    Kind::Client => Loosening::ClientRemoved,
                },
                metric: None,
                before: before.bands.iter().map(said).collect::<Vec<_>>().join(", "),
                after: "not in the file".to_owned(),
                reason: of_file.clone(),
                line: None,
            }),
        }
    }
    differences
}

fn of_server(before: &Server, after: &Server, of_file: Option<&str>, differences: &mut Vec<Difference>) {
    let of_any_band = after.bands.iter().find_map(|band| {
        new_reason(before.band(band.metric).and_then(|old| old.reason.as_deref()), band.reason.as_deref())
    });
    let of_server = of_any_band.or_else(|| of_file.map(str::to_owned));
    let mut add = |loosening, metric, texts: (String, String), reason, line| {
        let (before, after_text) = texts;
        let server = Some(after.name.clone());
        differences.push(Difference { server, loosening, metric, before, after: after_text, reason, line: Some(line) });
    };
    for old in &before.bands {
        let Some(new) = after.band(old.metric) else {
            let texts = (said(old), "no band".to_owned());
            add(Loosening::BandRemoved, Some(old.metric), texts, of_server.clone(), after.line());
            continue;
        };
        let reason = new_reason(old.reason.as_deref(), new.reason.as_deref());
        if new.budget > old.budget {
            let texts = (old.budget.to_string(), new.budget.to_string());
            add(Loosening::BudgetRaised, Some(old.metric), texts, reason.clone(), new.line);
        }
        // The same share of a budget that moved is the same slack.
        if new.slack != old.slack && new.band().slack > old.band().slack {
            let texts = (old.band().slack.to_string(), new.band().slack.to_string());
            add(Loosening::SlackRaised, Some(old.metric), texts, reason, new.line);
        }
    }
    if let Some(texts) = source::change(&before.source, &after.source) {
        add(Loosening::SourceChanged, None, texts, of_server.clone(), after.line());
    }
    if asked(before) != asked(after) {
        let texts = (asked(before).to_owned(), asked(after).to_owned());
        add(Loosening::ProtocolChanged, None, texts, of_server.clone(), after.line());
    }
    if sorted(&before.capabilities) != sorted(&after.capabilities) {
        let texts = (listed(&before.capabilities), listed(&after.capabilities));
        add(Loosening::CapabilitiesChanged, None, texts, of_server.clone(), after.line());
    }
    if before.kind() == Kind::Client {
        let pinned =
            |server: &Server, name: &str| server.pins.as_ref().and_then(|pins| pins.get(name)).map(|cost| cost.tokens);
        let silent = after.pins.iter().flatten().filter(|(_, cost)| cost.tokens == 0).map(|(name, _)| name);
        for name in silent.filter(|name| pinned(before, name) != Some(0)) {
            let then = pinned(before, name).map_or_else(|| "no pin".to_owned(), |tokens| format!("{tokens} tokens"));
            let texts = (format!("{name}: {then}"), format!("{name}: 0 tokens"));
            add(Loosening::SilenceMeant, None, texts, of_server.clone(), after.line());
        }
    }
    let [globs, globs_now] =
        [before, after].map(|server| server.defer.as_ref().map(Globs::written).unwrap_or_default());
    if sorted(&globs) != sorted(&globs_now) {
        add(Loosening::DeferChanged, None, (listed(&globs), listed(&globs_now)), of_server, after.line());
    }
}

/// The revision of the protocol that is asked for.
fn asked(server: &Server) -> &str {
    server.protocol.as_deref().unwrap_or(AUTO)
}

/// The reason that is there now and was not at the base.
fn new_reason(before: Option<&str>, now: Option<&str>) -> Option<String> {
    let now = now.map(str::trim).filter(|now| !is_blank(now))?;
    (before.map(seen) != Some(seen(now))).then(|| now.to_owned())
}

/// What a reader sees of a reason: other spaces, or what has no shape, say nothing new.
fn seen(reason: &str) -> String {
    let shown: String = reason.chars().filter(|c| c.is_whitespace() || !is_hidden(*c)).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn sorted(names: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { sorted(names).join(", ") }
}

fn said(band: &WrittenBand) -> String {
    format!("{} {}", band.metric, band.budget)
}
