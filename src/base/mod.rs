//! (budgets.toml at the base, budgets.toml now) -> what the gate holds less than it did, and the reason for it. Pure.
//!
//! A ratchet that lives in a file turns both ways with one edit, and a merge can put a lowered budget back up without
//! anyone meaning it. So what rises or loosens needs a `reason` that was not there before: that of the band for its
//! numbers, that of any band of the server for its source, that of the file for servers and estimator.

mod source;

use crate::budgets::{Budgets, Server, WrittenBand};
use crate::codes::vocabulary;
use crate::defer::Globs;
use crate::gate::{Metric, Reason};
use crate::kind::Kind;

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
    /// The commit at which the file was read.
    pub commit: String,
    /// Where the file was.
    pub found: Found,
    /// What the gate holds less, the file's own first, then in the order of the servers at the base.
    pub differences: Vec<Difference>,
}

/// Where budgets.toml was at the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Where it is now.
    Here,
    /// At these paths of the repository, where nothing is left. May be hostile text.
    Moved(Vec<String>),
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
    if sorted(&before.capabilities) != sorted(&after.capabilities) {
        let texts = (listed(&before.capabilities), listed(&after.capabilities));
        add(Loosening::CapabilitiesChanged, None, texts, of_server.clone(), after.line());
    }
    let [globs, globs_now] =
        [before, after].map(|server| server.defer.as_ref().map(Globs::written).unwrap_or_default());
    if sorted(&globs) != sorted(&globs_now) {
        add(Loosening::DeferChanged, None, (listed(&globs), listed(&globs_now)), of_server, after.line());
    }
}

/// The reason that is there now and was not at the base.
fn new_reason(before: Option<&str>, now: Option<&str>) -> Option<String> {
    let now = now.map(str::trim).filter(|now| !now.is_empty())?;
    (before.map(str::trim) != Some(now)).then(|| now.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "[servers.a]\ncommand = \"x\"\nenv = { TOKEN = \"hunter22\" }\n\
        [servers.a.floor]\nbudget = 100\nslack = \"10%\"\nreason = \"issue 1\"\n\
        [servers.a.descriptions]\nbudget = 10\nslack = 5\n[servers.a.tools]\nbudget = 3\n";

    fn budgets(estimator: &str, text: &str) -> Budgets {
        let text = format!("estimator = \"{estimator}\"\n{text}");
        Budgets::parse_earlier("budgets.toml".as_ref(), text).unwrap()
    }

    /// The base with `from` put as `to`: code, what, and the reason that was found.
    fn changed(from: &str, to: &str) -> Vec<(&'static str, Loosening, Option<String>)> {
        assert!(BASE.contains(from), "{from}");
        compared(BASE, &BASE.replacen(from, to, 1))
    }

    fn compared(base: &str, now: &str) -> Vec<(&'static str, Loosening, Option<String>)> {
        differences(&budgets("e", base), &budgets("e", now), &[])
            .into_iter()
            .map(|found| (found.code().map_or("", Reason::as_str), found.loosening, found.reason))
            .collect()
    }

    const RAISED: &str = "BUDGET_RAISED_UNJUSTIFIED";
    const LOOSENED: &str = "GATE_LOOSENED";

    #[test]
    fn what_stays_or_gets_tighter_is_no_difference() {
        assert_eq!(compared(BASE, BASE), []);
        assert_eq!(changed("budget = 100", "budget = 99"), []);
        assert_eq!(changed("slack = 5", "slack = 4"), []);
        assert_eq!(changed("[servers.a.tools]", "[servers.a.largest]\nbudget = 9\n[servers.a.tools]"), []);
        assert_eq!(compared(BASE, &format!("{BASE}[servers.b]\ncommand = \"y\"\n")), []);
    }

    #[test]
    fn a_raise_needs_a_reason_that_is_new() {
        assert_eq!(changed("budget = 100", "budget = 101"), [(RAISED, Loosening::BudgetRaised, None)]);
        assert_eq!(changed("budget = 10\n", "budget = 11\n"), [(RAISED, Loosening::BudgetRaised, None)]);
        assert_eq!(
            changed("budget = 10\n", "budget = 11\nreason = \" \"\n"),
            [(RAISED, Loosening::BudgetRaised, None)]
        );
        assert_eq!(
            changed("budget = 10\n", "budget = 11\nreason = \"issue 2\"\n"),
            [("", Loosening::BudgetRaised, Some("issue 2".to_owned()))]
        );
    }

    #[test]
    fn a_share_that_grows_with_its_budget_is_no_larger_slack() {
        let raised = BASE.replacen("budget = 100", "budget = 200", 1).replacen("issue 1", "issue 2", 1);
        assert_eq!(compared(BASE, &raised), [("", Loosening::BudgetRaised, Some("issue 2".to_owned()))]);
        assert_eq!(changed("\"10%\"", "\"11%\""), [(LOOSENED, Loosening::SlackRaised, None)]);
        assert_eq!(changed("slack = 5\n", ""), [(LOOSENED, Loosening::SlackRaised, None)]);
    }

    #[test]
    fn less_to_hold_is_shown_and_refused_without_a_reason() {
        assert_eq!(changed("[servers.a.tools]\nbudget = 3\n", ""), [(LOOSENED, Loosening::BandRemoved, None)]);
        assert_eq!(changed("\"x\"", "\"y\""), [(LOOSENED, Loosening::SourceChanged, None)]);
        assert_eq!(
            changed("command = \"x\"", "command = \"x\"\ncapabilities = [\"roots\"]"),
            [(LOOSENED, Loosening::CapabilitiesChanged, None)]
        );
        for (before, now) in [("", "defer = [\"a*\"]\n"), ("defer = [\"a*\"]\n", "defer = [\"a*\", \"b\"]\n")] {
            let with = |defer: &str| BASE.replacen("command = \"x\"\n", &format!("command = \"x\"\n{defer}"), 1);
            assert_eq!(compared(&with(before), &with(now)), [(LOOSENED, Loosening::DeferChanged, None)]);
            assert_eq!(compared(&with(now), &with(before)), [(LOOSENED, Loosening::DeferChanged, None)]);
        }
        let justified = BASE.replacen("\"x\"", "\"y\"", 1).replacen("issue 1", "issue 2", 1);
        assert_eq!(compared(BASE, &justified), [(LOOSENED, Loosening::SourceChanged, Some("issue 2".to_owned()))]);
    }

    #[test]
    fn a_removed_server_and_another_estimator_take_the_reason_of_the_file() {
        let other = "[servers.b]\ncommand = \"y\"\n";
        assert_eq!(compared(BASE, other), [(LOOSENED, Loosening::ServerRemoved, None)]);
        let told = format!("reason = \"retired\"\n{other}");
        assert_eq!(compared(BASE, &told), [(LOOSENED, Loosening::ServerRemoved, Some("retired".to_owned()))]);
        let found = differences(&budgets("old", BASE), &budgets("new", BASE), &[]);
        assert_eq!((found.len(), found[0].loosening), (1, Loosening::EstimatorChanged));
        assert!(found[0].is_refused());
    }

    #[test]
    fn a_client_is_held_to_its_base_like_a_server() {
        let base = "[clients.desk]\nconfig = \".mcp.json\"\nfloor = { budget = 100 }\n";
        assert_eq!(compared(base, base), []);
        let raised = base.replace("100", "101");
        assert_eq!(compared(base, &raised), [(RAISED, Loosening::BudgetRaised, None)]);
        let elsewhere = base.replace(".mcp.json", "other.json");
        assert_eq!(compared(base, &elsewhere), [(LOOSENED, Loosening::SourceChanged, None)]);
        let found = differences(&budgets("e", base), &budgets("e", &elsewhere), &[]);
        assert_eq!((found[0].before.as_str(), found[0].after.as_str()), ("config .mcp.json", "config other.json"));
        let server = base.replace("clients", "servers").replace("config =", "from =");
        assert_eq!(compared(base, &server), [(LOOSENED, Loosening::SourceChanged, None)]);
        assert_eq!(compared(base, BASE), [(LOOSENED, Loosening::ClientRemoved, None)]);
    }

    #[test]
    fn a_changed_source_names_its_keys_and_no_value() {
        let now = BASE.replacen("hunter22", "hunter23", 1);
        let found = differences(&budgets("e", BASE), &budgets("e", &now), &[]);
        assert_eq!((found[0].before.as_str(), found[0].after.as_str()), ("command", "another env"));
    }

    #[test]
    fn only_the_servers_in_question_are_compared() {
        let two = format!("{BASE}[servers.b]\ncommand = \"y\"\n");
        let now = two.replacen("budget = 100", "budget = 200", 1);
        assert_eq!(differences(&budgets("e", &two), &budgets("e", &now), &["b".to_owned()]), []);
    }
}
