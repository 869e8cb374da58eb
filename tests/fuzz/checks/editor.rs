//! What must hold for every budgets.toml that is read: an edit gives what was meant and leaves everything else as it
//! is, in meaning and in bytes, and a second one changes nothing.
//!
//! The first line of an input chooses what was measured; the rest is the file.

use std::collections::BTreeMap;

use mcp_footprint::budgets::{
    Budgets, Edit, EntrySource, InitError, NewServer, Pin, PinError, Pinned, WrittenSource, add_server, pin,
};
use mcp_footprint::fuzzing;
use mcp_footprint::gate::{Cost, Metric, Totals};

use super::toml::{self, Toml};

/// The most that a budget of any server could be.
const MOST: u64 = 1 << 40;

/// Reads the file, pins what the first line chooses, and adds an entry.
pub fn check(data: &[u8]) {
    let (choices, text) = super::first_line(data);
    let Ok(budgets) = fuzzing::budgets(text) else { return };
    assert_eq!(budgets.text.as_bytes(), text, "the text that was read");
    let mut picks = Picks { bytes: choices, next: 0 };
    let change = [Change::Numbers, Change::Come, Change::Go, Change::Any][picks.next() % 4];
    let names = names(&budgets.text);
    let measured: Vec<(String, Pin)> = budgets
        .servers
        .iter()
        .filter_map(|server| {
            let is_measured = picks.next() % 8 != 7;
            is_measured.then(|| (server.name.clone(), measurement(server, change, &names, &mut picks)))
        })
        .collect();
    pinned(&budgets, &measured, change);
    added(&budgets, &names, &mut picks);
}

/// Choices, one byte each, over and over.
struct Picks<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl Picks<'_> {
    fn next(&mut self) -> usize {
        self.next += 1;
        self.bytes.get(self.next % self.bytes.len().max(1)).copied().map_or(0, usize::from) + self.next / 64
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.next().is_multiple_of(times)
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.next() % all.len()]
    }
}

/// What the tools of a server did since the last pin.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// They cost less.
    Numbers,
    /// There are more of them.
    Come,
    /// There are fewer of them.
    Go,
    Any,
}

/// Names that a server may send: awkward ones, and words that stand in the file.
fn names(text: &str) -> Vec<String> {
    const AWKWARD: [&str; 10] = ["a", "zz", "a.b", "", " ", "\"'", "ü\u{202e}", "\n", "# x", "tokens"];
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    AWKWARD.into_iter().chain(words.take(20)).map(str::to_owned).collect()
}

fn measurement(
    server: &mcp_footprint::budgets::Server,
    change: Change,
    names: &[String],
    picks: &mut Picks<'_>,
) -> Pin {
    let mut tools = server.pins.clone().unwrap_or_default();
    if matches!(change, Change::Go | Change::Any) {
        tools.retain(|_, _| !picks.once_in(3));
    }
    if matches!(change, Change::Come | Change::Any) {
        tools.extend((0..picks.next() % 4).map(|_| (picks.one_of(names).clone(), Cost { tokens: 7, description: 3 })));
    }
    if tools.is_empty() {
        // Where no tool is left, there is nothing to pin.
        let kept = server.pins.iter().flatten().next().map(|(name, cost)| (name.clone(), *cost));
        tools.extend([kept.unwrap_or(("z".to_owned(), Cost { tokens: 1, description: 0 }))]);
    }
    for cost in tools.values_mut() {
        cost.tokens = (cost.tokens / (1 + picks.next() as u64 % 2)).min(MOST);
        cost.description = (cost.description / (1 + picks.next() as u64 % 3)).min(MOST);
    }
    let mut total = |metric| {
        let before = server.band(metric).map_or(MOST, |band| band.budget);
        let after =
            if change == Change::Any { picks.next() as u64 * 100 } else { before / (1 + picks.next() as u64 % 3) };
        after.min(MOST)
    };
    let totals = Totals {
        floor: total(Metric::Floor),
        descriptions: total(Metric::Descriptions),
        instructions: Some(total(Metric::Instructions)),
        tools: total(Metric::Tools).max(1),
        largest: total(Metric::Largest),
    };
    let mut pinned = server.pinned.clone().unwrap_or_default();
    if change == Change::Any {
        let word = |picks: &mut Picks<'_>| (!picks.once_in(3)).then(|| picks.one_of(names).clone());
        pinned = Pinned { server: word(picks), version: word(picks), protocol: word(picks), platform: None };
    }
    Pin { totals, tools, pinned }
}

fn pinned(budgets: &Budgets, measured: &[(String, Pin)], change: Change) {
    let edit = match pin(budgets, measured, Some("it was worth it")) {
        Ok(edit) => edit,
        Err(error) => panic!("{error}\n{}", budgets.text),
    };
    let after = fuzzing::budgets(edit.after.as_bytes()).expect("the changed file is read");
    holds_what_was_meant(budgets, &after, measured);
    let (before, now) = (Toml::read(&budgets.text), Toml::read(&edit.after));
    assert_eq!(
        others(before, budgets, measured),
        others(now, budgets, measured),
        "what was not pinned\n{}",
        edit.after
    );
    keeps_bytes(budgets, &edit, measured, change);
    if edit.moves.iter().any(|change| change.is_raise()) {
        assert!(matches!(pin(budgets, measured, None), Err(PinError::NeedsRaise(_))), "a raise without a reason");
    }
    let again = pin(&after, measured, None).expect("what was pinned is pinned again");
    assert!(!again.is_change() && again.moves.is_empty(), "a second pin\n{}\n----\n{}", edit.after, again.after);
}

fn holds_what_was_meant(before: &Budgets, after: &Budgets, measured: &[(String, Pin)]) {
    for (name, pin) in measured {
        let (was, is) = (before.server(name).expect("it was there"), after.server(name).expect("it is there"));
        assert_eq!(is.pins.as_ref(), Some(&pin.tools));
        assert_eq!(is.pinned.clone().unwrap_or_default(), pin.pinned);
        assert!(is.require_bands().is_ok());
        for band in &is.bands {
            let old = was.band(band.metric);
            assert_eq!(band.budget, pin.totals.of(band.metric), "{}", band.metric);
            assert!(old.is_none_or(|old| old.slack == band.slack), "the slack of {}", band.metric);
            let reason = match old {
                Some(old) if old.budget < band.budget => Some("it was worth it"),
                old => old.and_then(|old| old.reason.as_deref()),
            };
            assert_eq!(band.reason.as_deref(), reason, "the reason of {}", band.metric);
        }
    }
}

/// The values of a file without those that a pin is about.
fn others(mut file: Toml, before: &Budgets, measured: &[(String, Pin)]) -> Toml {
    for (name, _) in measured {
        let entry = before.server(name).expect("it was there");
        let table = entry.kind().table();
        for &metric in Metric::ALL {
            let was = entry.band(metric);
            match was {
                Some(_) => {
                    file.remove(&[table, name, metric.as_str(), "budget"]);
                    file.remove(&[table, name, metric.as_str(), "reason"]);
                }
                None => file.remove(&[table, name, metric.as_str()]),
            }
        }
        file.remove(&[table, name, "pins"]);
        file.remove(&[table, name, "pinned"]);
    }
    file
}

/// Which bytes may differ follows from what has changed.
fn keeps_bytes(budgets: &Budgets, edit: &Edit, measured: &[(String, Pin)], change: Change) {
    let is_complete = |(name, pin): &(String, Pin)| {
        budgets.server(name).is_some_and(|server| {
            let none_comes =
                server.pins.as_ref().is_some_and(|pins| pin.tools.keys().all(|name| pins.contains_key(name)));
            server.require_bands().is_ok() && server.pins.is_some() && (none_comes || change == Change::Come)
        })
    };
    let (was, is) = (toml::without_numbers(&budgets.text), toml::without_numbers(&edit.after));
    match change {
        _ if !measured.iter().all(is_complete) => {}
        Change::Numbers => assert_eq!(was, is, "only numbers differ"),
        Change::Come => assert!(is_inside(&was, &is), "something went\n{was}\n----\n{is}"),
        Change::Go => {
            assert!(is_inside(&is, &was), "something came\n{was}\n----\n{is}");
            let gone = toml::lines_about(&budgets.text, |path| is_gone(path, measured));
            let kept = |line: &&str| !line.trim().is_empty();
            let mut rest = edit.after.lines();
            for (number, line) in budgets.text.lines().enumerate().filter(|(_, line)| kept(line)) {
                let same = |other: &str| toml::without_digits(other) == toml::without_digits(line);
                assert!(gone.contains(&number) || rest.any(same), "line {} went: {line:?}\n{}", number + 1, edit.after);
            }
        }
        Change::Any => {}
    }
}

/// Whether a path leads to the pin of a name that is not there any more.
fn is_gone(path: &[String], measured: &[(String, Pin)]) -> bool {
    match path {
        [_, server, pins, tool, ..] if pins == "pins" => {
            measured.iter().any(|(name, pin)| name == server && !pin.tools.contains_key(tool))
        }
        _ => false,
    }
}

fn is_inside(less: &str, more: &str) -> bool {
    let mut rest = more.chars();
    less.chars().all(|character| rest.any(|other| other == character))
}

fn added(budgets: &Budgets, names: &[String], picks: &mut Picks<'_>) {
    let names: Vec<String> = names.iter().filter(|name| !name.trim().is_empty()).cloned().collect();
    let name = picks.one_of(&names).clone();
    let pair = |picks: &mut Picks<'_>| (picks.one_of(&names).clone(), format!("${{{}}}", "A"));
    let source = match picks.next() % 4 {
        0 => EntrySource::Server(WrittenSource::Command {
            prepare: picks.once_in(2).then(|| vec![picks.one_of(&names).clone()]),
            command: picks.one_of(&names).clone(),
            args: names.iter().take(picks.next() % 3).cloned().collect(),
            env: (0..picks.next() % 2).map(|_| pair(picks)).collect(),
            cwd: picks.once_in(2).then(|| ".".to_owned()),
        }),
        1 => EntrySource::Server(WrittenSource::Url {
            url: "http://localhost/mcp".to_owned(),
            headers: (0..picks.next() % 2).map(|_| ("X-A".to_owned(), "${A}".to_owned())).collect(),
        }),
        2 => EntrySource::Server(WrittenSource::From("capture.json".to_owned())),
        _ => EntrySource::Config(".mcp.json".to_owned()),
    };
    let tools: BTreeMap<String, Cost> =
        (0..1 + picks.next() % 3).map(|_| (picks.one_of(&names).clone(), Cost { tokens: 9, description: 1 })).collect();
    let totals = Totals { floor: 9, descriptions: 1, instructions: Some(0), tools: 1, largest: 9 };
    let pin_of_new = Pin { totals, tools, pinned: Pinned { version: Some(name.clone()), ..Pinned::default() } };
    let table = source.kind().table();
    // A client cannot stand beside a server that is called like one of its own.
    let may_clash = budgets.servers.iter().any(|server| server.name.contains('/'));
    let new = NewServer {
        name: name.clone(),
        source,
        protocol: Some("2025-11-25".to_owned()),
        timeout: None,
        capabilities: Vec::new(),
        pin: pin_of_new.clone(),
    };
    let edit = match add_server(&budgets.path, Some(budgets), &new, None) {
        Ok(edit) => edit,
        Err(InitError::Exists { .. }) => return assert!(budgets.server(&name).is_some()),
        Err(InitError::File(_)) if may_clash => return,
        Err(error) => panic!("{error}\n{}", budgets.text),
    };
    assert!(budgets.server(&name).is_none(), "an entry was added to");
    let after = fuzzing::budgets(edit.after.as_bytes()).expect("the changed file is read");
    let (before, mut now) = (Toml::read(&budgets.text), Toml::read(&edit.after));
    now.remove(&[table, &name]);
    assert_eq!(before.without_empty_tables(), now.without_empty_tables(), "the other entries\n{}", edit.after);
    assert_eq!(after.servers.len(), budgets.servers.len() + 1);
    assert!(is_inside(&budgets.text, &edit.after), "something went\n{}\n----\n{}", budgets.text, edit.after);
    assert!(matches!(add_server(&after.path, Some(&after), &new, None), Err(InitError::Exists { .. })));
    let again = pin(&after, &[(name, pin_of_new)], None).expect("what was added is pinned");
    assert!(!again.is_change(), "a pin of what was added\n{}\n----\n{}", edit.after, again.after);
}
