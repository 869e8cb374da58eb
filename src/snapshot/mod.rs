//! What one server cost at one time, whatever kind of document kept it: a capture, a report, or the pins of a
//! budgets.toml. Two of them can be compared. Pure, except for [`read`], which opens a file and decides its kind.

mod parts;
mod report;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, ensure};

use crate::budgets::{Budgets, EntrySource, Server, WrittenSource};
use crate::capture::source::Origin;
use crate::capture::{Capture, file};
use crate::gate::{Cost, Totals};
use crate::json::Text;
use crate::kind::Kind;
use crate::price::Field;
use crate::report::Measurement;
use crate::rows::{FRAME, RowKind};

pub(crate) use parts::joined;

/// One server at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its name. May be hostile text.
    pub name: String,
    /// Whether it is one server, or a client whose servers are the rows.
    pub kind: Kind,
    /// What is known of the circumstances, such as `platform`; a circumstance that is not known is not there.
    pub facts: BTreeMap<&'static str, String>,
    /// The totals, from pins as far as pins tell them; `None` for an entry without pins, which tells no rows either.
    pub totals: Option<Totals>,
    /// The rows by name: definitions, those of one name together, or the servers of a client.
    pub tools: BTreeMap<String, Listed>,
}

/// All definitions of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// What they cost together.
    pub cost: Cost,
    /// The SHA-256 of each text; empty where only the cost is known.
    pub digests: Vec<String>,
    /// The top-level members by name; empty where only the cost of the whole is known.
    pub fields: BTreeMap<String, Member>,
}

/// What is known of one top-level member of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Tokens that start in it.
    pub tokens: u64,
    /// Its text; `None` in a report, which keeps none.
    pub text: Option<String>,
}

/// The servers in the file at `path`: the pins of a budgets.toml (by the ending), or what [`read_measured`] takes, with
/// every definition sent.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Snapshot>> {
    if is_budgets(path) {
        let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        return Ok(of_budgets(&Budgets::parse_earlier(path, bytes)?));
    }
    read_measured(path, &|_, capture| Measurement::of(capture))
}

fn is_budgets(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// The servers in the file at `path`: a report of this program (by its schema), or anything that `--from` takes. What was
/// captured is priced as `loaded` says that clients load it.
pub(crate) fn read_measured(
    path: &Path,
    loaded: &dyn Fn(&str, Capture) -> Measurement,
) -> anyhow::Result<Vec<Snapshot>> {
    ensure!(
        !is_budgets(path),
        "{} holds budgets, which are no measurement; to compare with what it said before, use `check --base REF` or \
         `diff`",
        path.display()
    );
    let text = file::text(path)?;
    if report::is_report(&text) {
        return report::of_report(&text).with_context(|| file::shown(path));
    }
    let captures = file::parse(path, &text)?;
    let named = captures.into_iter().map(|capture| (capture.suggested_name.clone(), capture));
    Ok(named.map(|(name, capture)| of_measurement(&name, &loaded(&name, capture))).collect())
}

/// What a measurement tells.
pub fn of_measurement(name: &str, measurement: &Measurement) -> Snapshot {
    let mut facts = identity_facts(measurement.server.as_ref().map(|server| (&*server.name, &*server.version)));
    add(&mut facts, "protocol", measurement.protocol.as_deref());
    add(&mut facts, "platform", measurement.platform.as_deref());
    if let Some(origin) = &measurement.origin {
        origin_facts(&mut facts, origin);
        facts.insert("capabilities", listed(&measurement.capabilities));
    }
    facts.insert("estimator", measurement.estimator().to_owned());
    add(&mut facts, "defer", measurement.deferred.as_ref().map(|deferred| deferred.globs.join(" ")).as_deref());
    let mut tools: BTreeMap<String, Listed> = BTreeMap::new();
    for row in measurement.rows() {
        let listed = tools.entry(row.name.to_string()).or_default();
        listed.cost.tokens += row.tokens;
        listed.cost.description += row.description_tokens;
        listed.digests.extend(row.price().map(|price| price.sha256.clone()));
        if let RowKind::Member(member) = row.kind {
            listed.digests.extend(member.measurement.tools.iter().map(|tool| tool.price.sha256.clone()));
            // The order in which a server lists its tools is nothing of the client's.
            listed.digests.sort();
        }
        // The members of a definition that is deferred are not what is sent.
        let RowKind::Sent(tool) = row.kind else { continue };
        let members = Text::parse(tool.definition.compact()).into_iter().flat_map(Text::members);
        for (key, value) in members {
            let member = listed.fields.entry(key.string().unwrap_or_default()).or_default();
            member.text.get_or_insert_default().push_str(value.as_str());
        }
        add_tokens(listed, tool.price.fields.iter().map(|field| (field.key.as_str(), field.tokens)));
    }
    Snapshot { name: name.to_owned(), kind: measurement.kind(), facts, totals: Some(measurement.totals), tools }
}

/// What the pins of a budgets.toml tell, and its bands and sources as circumstances.
pub(crate) fn of_budgets(budgets: &Budgets) -> Vec<Snapshot> {
    budgets.servers.iter().map(|server| of_entry(server, &budgets.estimator)).collect()
}

fn of_entry(server: &Server, estimator: &str) -> Snapshot {
    let pinned = server.pinned.clone().unwrap_or_default();
    let globs = server.defer.as_ref().map(|globs| globs.written().join(" "));
    let estimator = if globs.is_some() { format!("{estimator}+deferred") } else { estimator.to_owned() };
    let mut facts = BTreeMap::from([("estimator", estimator)]);
    add(&mut facts, "defer", globs.as_deref());
    add(&mut facts, "server", pinned.server.as_deref());
    add(&mut facts, "version", pinned.version.as_deref());
    add(&mut facts, "protocol", pinned.protocol.as_deref().or(server.protocol.as_deref()));
    add(&mut facts, "platform", pinned.platform.as_deref());
    facts.insert("capabilities", listed(&server.capabilities));
    origin_facts(&mut facts, &server.source.origin());
    if let EntrySource::Server(WrittenSource::Command { prepare: Some(prepare), .. }) = &server.source {
        facts.insert("prepare", prepare.join(" "));
    }
    for band in server.bands.iter().map(|band| band.band()) {
        let (budget, slack) = (band.budget, band.slack);
        facts.insert(band_fact(band.metric), format!("budget {budget}, slack {slack}"));
    }
    let tools: BTreeMap<String, Listed> = server
        .pins
        .iter()
        .flatten()
        .map(|(name, &cost)| (name.clone(), Listed { cost, ..Listed::default() }))
        .collect();
    let sum = |of: fn(&Cost) -> u64| tools.values().map(|listed| of(&listed.cost)).sum();
    let of_tools = || tools.iter().filter(|(name, _)| globs.is_none() || *name != FRAME);
    let totals = Totals {
        floor: sum(|cost| cost.tokens),
        descriptions: sum(|cost| cost.description),
        instructions: None,
        tools: of_tools().count() as u64,
        largest: of_tools().map(|(_, listed)| listed.cost.tokens).max().unwrap_or(0),
    };
    let totals = server.pins.is_some().then_some(totals);
    Snapshot { name: server.name.clone(), kind: server.kind(), facts, totals, tools }
}

fn band_fact(metric: crate::gate::Metric) -> &'static str {
    use crate::gate::Metric;
    match metric {
        Metric::Floor => "band floor",
        Metric::Descriptions => "band descriptions",
        Metric::Instructions => "band instructions",
        Metric::Tools => "band tools",
        Metric::Largest => "band largest",
    }
}

fn identity_facts(server: Option<(&str, &str)>) -> BTreeMap<&'static str, String> {
    let mut facts = BTreeMap::new();
    add(&mut facts, "server", server.map(|(name, _)| name));
    add(&mut facts, "version", server.map(|(_, version)| version).filter(|version| !version.is_empty()));
    facts
}

fn origin_facts(facts: &mut BTreeMap<&'static str, String>, origin: &Origin) {
    let command = origin.command.iter().chain(&origin.args).map(String::as_str).collect::<Vec<_>>().join(" ");
    add(facts, "command", origin.command.as_ref().map(|_| command.as_str()));
    add(facts, "cwd", origin.cwd.as_deref());
    add(facts, "url", origin.url.as_deref());
    add(facts, "from", origin.from.as_deref());
    add(facts, "config", origin.config.as_deref());
    if !origin.env.is_empty() {
        facts.insert("env", origin.env.join(" "));
    }
}

/// Adds the tokens of members; what belongs to none is left out.
fn add_tokens<'a>(listed: &mut Listed, fields: impl Iterator<Item = (&'a str, u64)>) {
    for (key, tokens) in fields.filter(|(key, _)| *key != Field::NO_KEY) {
        listed.fields.entry(key.to_owned()).or_default().tokens += tokens;
    }
}

fn add(facts: &mut BTreeMap<&'static str, String>, name: &'static str, value: Option<&str>) {
    facts.extend(value.map(|value| (name, value.to_owned())));
}

fn listed(capabilities: &[String]) -> String {
    if capabilities.is_empty() { "none".to_owned() } else { capabilities.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_tell_the_costs_and_the_bands_are_circumstances() {
        let text = "estimator = \"e\"\n[servers.s]\ncommand = \"x\"\nargs = [\"-y\"]\nfloor = { budget = 9, slack = 1 }\n\
                    [servers.s.pins]\na = { tokens = 5, description = 2 }\nb = { tokens = 4, description = 0 }\n";
        let budgets = Budgets::parse_earlier("budgets.toml".as_ref(), text).unwrap();
        let snapshot = of_budgets(&budgets).remove(0);
        let totals = snapshot.totals.unwrap();
        assert_eq!((totals.floor, totals.descriptions, totals.largest), (9, 2, 5));
        assert_eq!(snapshot.facts["command"], "x -y");
        assert_eq!(snapshot.facts["band floor"], "budget 9, slack 1");
    }
}
