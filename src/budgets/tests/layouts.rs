//! Files in every layout that TOML has, chosen at random: an edit gives exactly the values that were meant, and keeps
//! every byte that it is not about.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::scribe::{Scribe, Tree};
use super::*;

type Tools = BTreeMap<String, (u16, u16)>;

#[derive(Clone, Debug)]
struct Written {
    bands: Vec<(Metric, u16, Option<u8>)>,
    pins: Option<Tools>,
    version: Option<String>,
}

const NAMES: [&str; 3] = ["notes", "b c", "x.y"];

fn written() -> impl Strategy<Value = Written> {
    let band = |metric: Metric| (Just(metric), 0..2000u16, proptest::option::of(0..100u8));
    let bands = proptest::sample::subsequence(Metric::ALL.to_vec(), 0..=5)
        .prop_flat_map(move |metrics| metrics.into_iter().map(band).collect::<Vec<_>>());
    (bands, proptest::option::of(tools(0..5)), proptest::option::of("[a-z]{1,5}"))
        .prop_map(|(bands, pins, version)| Written { bands, pins, version })
}

fn tools(count: std::ops::Range<usize>) -> impl Strategy<Value = Tools> {
    let name = prop_oneof!["[a-e]", "[a-e] [#=\",]", Just("a.b".to_owned()), Just("ü\u{202e}".to_owned())];
    proptest::collection::btree_map(name, (0..1000u16, 0..100u16), count)
}

fn file(servers: &[Written], picks: Vec<u8>) -> String {
    let value = |text: String| Tree::Value(text);
    let string = |text: &str| Tree::Value(toml_text::string(text));
    let server = |server: &Written| {
        let mut entries = vec![("command".to_owned(), string("x")), ("args".to_owned(), value("[ 'a', 'b' ]".into()))];
        for (metric, budget, slack) in &server.bands {
            let mut band = vec![("budget".to_owned(), value(budget.to_string()))];
            band.extend(slack.map(|slack| ("slack".to_owned(), value(slack.to_string()))));
            entries.push((metric.to_string(), Tree::Table(band)));
        }
        entries.extend(server.pins.as_ref().map(|pins| {
            let cost = |&(tokens, description): &(u16, u16)| {
                Tree::Table(vec![
                    ("tokens".to_owned(), value(tokens.to_string())),
                    ("description".to_owned(), value(description.to_string())),
                ])
            };
            ("pins".to_owned(), Tree::Table(pins.iter().map(|(name, costs)| (name.clone(), cost(costs))).collect()))
        }));
        entries.extend(
            server
                .version
                .as_ref()
                .map(|version| ("pinned".to_owned(), Tree::Table(vec![("version".to_owned(), string(version))]))),
        );
        Tree::Table(entries)
    };
    let servers = NAMES.iter().zip(servers).map(|(name, written)| ((*name).to_owned(), server(written)));
    let root = [("estimator".to_owned(), string(ESTIMATOR)), ("servers".to_owned(), Tree::Table(servers.collect()))];
    Scribe::write(picks, &root)
}

fn pin_of_tools(tools: &Tools, version: Option<&str>) -> Pin {
    let sum = |of: fn(&(u16, u16)) -> u16| tools.values().map(|cost| u64::from(of(cost))).sum();
    let cost = |&(tokens, description): &(u16, u16)| Cost { tokens: tokens.into(), description: description.into() };
    Pin {
        totals: crate::gate::Totals {
            floor: sum(|cost| cost.0),
            descriptions: sum(|cost| cost.1),
            instructions: Some(7),
            tools: tools.len() as u64,
            largest: tools.values().map(|cost| cost.0.into()).max().unwrap_or(0),
        },
        tools: tools.iter().map(|(name, costs)| (name.clone(), cost(costs))).collect(),
        pinned: Pinned { version: version.map(str::to_owned), ..Pinned::default() },
    }
}

/// The letters that an edit may not lose: all but numbers.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|character| !character.is_ascii_digit())
}

fn is_subsequence(of: &str, in_text: &str) -> bool {
    let mut rest = letters(in_text);
    letters(of).all(|letter| rest.any(|other| other == letter))
}

fn comments(text: &str) -> BTreeSet<&str> {
    let mut comments = BTreeSet::new();
    for (at, _) in text.match_indices("# c") {
        let rest = &text[at + 3..];
        comments.extend(rest.split_once('c').map(|(number, _)| number).filter(|number| number.parse::<u32>().is_ok()));
    }
    comments
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_gives_what_was_meant_and_keeps_every_byte_that_it_is_not_about(
        servers in proptest::collection::vec(written(), 1..=3),
        picks in proptest::collection::vec(any::<u8>(), 40..120),
        tools in tools(1..6),
        version in proptest::option::of("[a-z]{1,5}"),
        keeps_all in any::<bool>(),
    ) {
        let text = file(&servers, picks);
        let before = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut measured = Vec::new();
        for server in &before.servers {
            let written = &servers[NAMES.iter().position(|name| *name == server.name).unwrap()];
            let mut now = tools.clone();
            let mut version = version.as_deref();
            if keeps_all {
                now.extend(written.pins.clone().unwrap_or_default());
                version = written.version.as_deref();
            }
            measured.push((server.name.clone(), pin_of_tools(&now, version)));
        }
        let edit = pin(&before, &measured, Some("because")).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let after = parse(&edit.after).unwrap();
        for ((name, pin), was) in measured.iter().zip(&before.servers) {
            let is = after.server(name).unwrap();
            prop_assert_eq!(is.pins.as_ref(), Some(&pin.tools));
            prop_assert_eq!(is.pinned.clone().unwrap_or_default(), pin.pinned.clone());
            prop_assert_eq!((&is.source, is.bands.len()), (&was.source, was.bands.len().max(is.bands.len())));
            prop_assert!(is.require_bands().is_ok());
            for band in &is.bands {
                prop_assert_eq!(band.budget, pin.totals.of(band.metric));
                let old = was.band(band.metric);
                prop_assert_eq!(band.reason.is_some(), old.is_some_and(|old| old.budget < band.budget));
                prop_assert!(old.is_none_or(|old| old.slack == band.slack));
            }
        }
        prop_assert_eq!(edit.after.ends_with('\n'), text.ends_with('\n'), "\n{}\n----\n{}", text, edit.after);
        prop_assert_eq!(edit.after.replace("\r\n", "").contains('\n'), text.replace("\r\n", "").contains('\n'));
        prop_assert!(comments(&edit.after).is_subset(&comments(&text)));
        if keeps_all {
            prop_assert!(is_subsequence(&text, &edit.after), "\n{}\n----\n{}", text, edit.after);
        }
        let again = pin(&after, &measured, None).unwrap();
        prop_assert_eq!(again.after, edit.after);
    }

    #[test]
    fn no_damage_to_a_file_makes_reading_or_editing_panic(
        servers in proptest::collection::vec(written(), 1..=2),
        picks in proptest::collection::vec(any::<u8>(), 40..120),
        cut in any::<proptest::sample::Index>(),
        length in 0..12usize,
        instead in "[\\[\\]{}='\"#.,a1\n\r ü<>]{0,4}",
    ) {
        let text = file(&servers, picks);
        let mut bytes = text.into_bytes();
        let start = cut.index(bytes.len());
        let end = (start + length).min(bytes.len());
        bytes.splice(start..end, instead.bytes());
        match Budgets::parse(Path::new("budgets.toml"), bytes) {
            Err(error) => prop_assert!(error.to_string().starts_with("budgets.toml:")),
            Ok(budgets) => {
                let pin_of_all = pin_of_tools(&[("t".to_owned(), (1, 1))].into(), Some("v"));
                let measured: Vec<_> = budgets.servers.iter().map(|server| (server.name.clone(), pin_of_all.clone())).collect();
                prop_assert!(pin(&budgets, &measured, Some("because")).is_ok(), "{}", budgets.text);
            }
        }
    }
}
