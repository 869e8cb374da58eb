//! A client is one entry in budgets.toml and in a report, and in captures it is its servers, each `client/server`: so that
//! the two meet, its servers are put together.

use std::collections::BTreeMap;

use super::{Listed, Snapshot};
use crate::gate::Totals;
use crate::kind::Kind;
use crate::members::client_of;

/// `entries` with the servers of every client of `others` put together, where `entries` has them apart.
pub(crate) fn joined(entries: Vec<Snapshot>, others: &[Snapshot]) -> Vec<Snapshot> {
    let clients = others.iter().filter(|other| other.kind == Kind::Client);
    clients.fold(entries, |entries, client| match of_parts(client, &entries) {
        Some(whole) if !entries.iter().any(|entry| entry.name == client.name) => {
            let is_other = |entry: &Snapshot| client_of(&entry.name).is_none_or(|(of, _)| of != client.name);
            entries.into_iter().filter(is_other).chain([whole]).collect()
        }
        _ => entries,
    })
}

/// A client out of the captures of its servers, which are called `client/server`; `None` where there is none. What a
/// capture does not tell, such as the config, is taken to be as it is `now`.
fn of_parts(now: &Snapshot, parts: &[Snapshot]) -> Option<Snapshot> {
    let is_own = |part: &&Snapshot| client_of(&part.name).is_some_and(|(of, _)| of == now.name);
    let own: Vec<&Snapshot> = parts.iter().filter(is_own).collect();
    let mut tools: BTreeMap<String, Listed> = BTreeMap::new();
    for (part, (_, server)) in own.iter().filter_map(|part| Some((part, client_of(&part.name)?))) {
        let row = tools.entry(server.to_owned()).or_default();
        for listed in part.tools.values() {
            row.cost.tokens += listed.cost.tokens;
            row.cost.description += listed.cost.description;
            row.digests.extend(listed.digests.iter().cloned());
        }
        row.digests.sort();
    }
    let sum = |of: fn(&Totals) -> u64| own.iter().filter_map(|part| part.totals.as_ref()).map(of).sum();
    let totals = Totals {
        floor: sum(|totals| totals.floor),
        descriptions: sum(|totals| totals.descriptions),
        instructions: own.iter().map(|part| part.totals?.instructions).sum(),
        tools: sum(|totals| totals.tools),
        largest: own.iter().filter_map(|part| part.totals).map(|totals| totals.largest).max()?,
    };
    let first = own.first()?;
    let told = ["estimator", "platform", "capabilities", "config"];
    let known = told.map(|fact| first.facts.get_key_value(fact).or_else(|| now.facts.get_key_value(fact)));
    let facts = known.into_iter().flatten().map(|(&fact, value)| (fact, value.clone())).collect();
    Some(Snapshot { name: now.name.clone(), kind: Kind::Client, facts, totals: Some(totals), tools })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(name: &str, kind: Kind, tokens: u64) -> Snapshot {
        let cost = crate::gate::Cost { tokens, description: 1 };
        Snapshot {
            name: name.to_owned(),
            kind,
            facts: BTreeMap::from([("config", ".mcp.json".to_owned())]),
            totals: Some(Totals { floor: tokens, descriptions: 1, tools: 1, largest: tokens, instructions: None }),
            tools: BTreeMap::from([("a".to_owned(), Listed { cost, ..Listed::default() })]),
        }
    }

    #[test]
    fn the_servers_of_a_client_are_one_entry_beside_the_client_and_others_stay_apart() {
        let names = |list: &[Snapshot]| list.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
        let parts = ["desk/a", "desk/b", "other/a", "alone"].map(|name| snapshot(name, Kind::Server, 4)).to_vec();
        let whole = [snapshot("desk", Kind::Client, 9), snapshot("alone", Kind::Server, 4)];
        let joined = super::joined(parts.clone(), &whole);
        assert_eq!(names(&joined), ["other/a", "alone", "desk"]);
        let desk = &joined[2];
        assert_eq!((desk.totals.unwrap().floor, desk.totals.unwrap().tools), (8, 2));
        assert_eq!(desk.tools.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(names(&super::joined(parts.clone(), &parts)), names(&parts));
    }
}
