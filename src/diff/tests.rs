//! What moved between two snapshots made by hand.

use super::*;
use crate::gate::{Band, Metric};

fn listed(tokens: u64, description: u64, text: &str) -> Listed {
    Listed {
        cost: Cost { tokens, description },
        digests: vec![text.to_owned()],
        fields: [("description", text), ("name", "n")].map(|(name, text)| (name.to_owned(), member(text, 1))).into(),
    }
}

fn member(text: &str, tokens: u64) -> Member {
    Member { tokens, text: Some(text.to_owned()) }
}

fn snapshot(name: &str, tools: &[(&str, Listed)], facts: &[(&'static str, &str)]) -> Snapshot {
    let tools: BTreeMap<String, Listed> =
        tools.iter().map(|(name, listed)| ((*name).to_owned(), listed.clone())).collect();
    let floor = tools.values().map(|tool| tool.cost.tokens).sum();
    let descriptions = tools.values().map(|tool| tool.cost.description).sum();
    Snapshot {
        name: name.to_owned(),
        kind: Kind::Server,
        facts: facts.iter().map(|&(fact, value)| (fact, value.to_owned())).collect(),
        totals: Some(Totals { floor, descriptions, tools: tools.len() as u64, ..Totals::default() }),
        tools,
    }
}

#[test]
fn tools_that_moved_come_before_those_that_say_another_thing_at_the_same_price() {
    let before = [("a", listed(10, 3, "x")), ("b", listed(5, 1, "y")), ("same", listed(1, 0, "z"))];
    let after = [("a", listed(10, 3, "other")), ("c", listed(7, 1, "y")), ("same", listed(1, 0, "z"))];
    let found = server(Some(&snapshot("s", &before, &[])), Some(&snapshot("s", &after, &[])));
    let seen: Vec<_> =
        found.tools.iter().map(|tool| (tool.tool.as_str(), tool.movement, tool.tokens, tool.fields.len())).collect();
    assert_eq!(
        seen,
        [("c", ToolMovement::New, 7, 0), ("b", ToolMovement::Gone, -5, 0), ("a", ToolMovement::Reworded, 0, 1)]
    );
    assert_eq!(found.tools[2].fields, ["description"]);
    assert_eq!((found.tokens(), found.description_tokens()), (2, 0));
}

#[test]
fn a_side_without_texts_tells_the_members_whose_tokens_moved() {
    let tool = |fields: [(&str, Member); 2]| Listed {
        fields: fields.map(|(name, member)| (name.to_owned(), member)).into(),
        ..listed(10, 3, "")
    };
    let reported = |tokens| Member { tokens, text: None };
    let before = tool([("description", reported(3)), ("title", reported(2))]);
    let after = |description, other| Listed {
        cost: Cost { tokens: 11, description: 3 },
        ..tool([("description", description), (other, reported(2))])
    };
    let fields = |after: Listed| {
        let [before, after] = [before.clone(), after].map(|tool| snapshot("s", &[("a", tool)], &[]));
        server(Some(&before), Some(&after)).tools.remove(0).fields
    };
    assert_eq!(fields(after(reported(4), "title")), ["description"]);
    assert_eq!(fields(after(member("x", 3), "title")), [""; 0]);
    assert_eq!(fields(after(reported(3), "icons")), ["icons", "title"]);
}

#[test]
fn pins_know_no_text_so_nothing_in_them_is_reworded() {
    let pin = Listed { digests: Vec::new(), fields: BTreeMap::new(), ..listed(10, 3, "") };
    let found =
        server(Some(&snapshot("s", &[("a", pin)], &[])), Some(&snapshot("s", &[("a", listed(10, 3, "x"))], &[])));
    assert_eq!(found.tools, []);
}

#[test]
fn an_entry_without_pins_moves_nothing_and_says_so() {
    let bare = Snapshot { totals: None, ..snapshot("s", &[], &[("platform", "linux")]) };
    let pinned = snapshot("s", &[("a", listed(10, 3, "x"))], &[]);
    for (before, after) in [(&bare, &pinned), (&pinned, &bare), (&bare, &bare)] {
        let found = server(Some(before), Some(after));
        assert!(found.unpinned && found.tools.is_empty(), "{found:?}");
    }
    assert!(!server(Some(&pinned), None).unpinned);
}

#[test]
fn circumstances_that_differ_are_told_and_those_of_one_side_alone_too() {
    let before = snapshot("s", &[], &[("platform", "linux"), ("version", "1"), ("command", "x")]);
    let after = snapshot("s", &[], &[("version", "2"), ("command", "x")]);
    let found: Vec<_> = server(Some(&before), Some(&after))
        .facts
        .into_iter()
        .map(|fact| (fact.fact, fact.before.unwrap_or_default(), fact.after.unwrap_or_default()))
        .collect();
    let own = |fact: &'static str, before: &str, after: &str| (fact, before.to_owned(), after.to_owned());
    assert_eq!(found, [own("platform", "linux", ""), own("version", "1", "2")]);
}

#[test]
fn servers_meet_by_name_and_two_lone_ones_meet_whatever_they_are_called() {
    let [a, b, c] = ["a", "b", "c"].map(|name| snapshot(name, &[("t", listed(4, 1, "x"))], &[]));
    let names = |found: Vec<ServerDifference>| -> Vec<(String, i64)> {
        found.iter().map(|server| (server.name.clone(), server.tokens())).collect()
    };
    let found = names(servers(&[a.clone(), b.clone()], &[b.clone(), c.clone()]));
    assert_eq!(found, [("b".to_owned(), 0), ("c".to_owned(), 4), ("a".to_owned(), -4)]);
    let lone = servers(&[a], &[c]);
    assert_eq!(lone[0].facts.iter().map(|fact| fact.fact).collect::<Vec<_>>(), ["name"]);
    assert_eq!(names(lone), [("c".to_owned(), 0)]);
}

#[test]
fn a_refusal_that_was_there_before_is_inherited_and_one_that_came_is_not() {
    let difference = |before, after| ServerDifference {
        name: "s".to_owned(),
        kind: Kind::Server,
        before: Some(Totals { floor: before, tools: 1, ..Totals::default() }),
        after: Some(Totals { floor: after, tools: 1, ..Totals::default() }),
        unpinned: false,
        tools: Vec::new(),
        facts: Vec::new(),
        bands: None,
    };
    let band = |budget| Band { metric: Metric::Floor, budget, slack: 10 };
    let share = |before, after, bands| {
        let difference = ServerDifference { bands, ..difference(before, after) };
        let judged = gate::judge(&difference.after.unwrap(), &[band(100)]);
        let share = difference.share_of(&judged[0]).unwrap();
        (share.difference, share.inherited, share.budget_before)
    };
    assert_eq!(share(110, 110, None), (0, true, None));
    assert_eq!(share(110, 115, None), (5, true, None));
    assert_eq!(share(95, 110, None), (15, false, None));
    assert_eq!(share(80, 110, None), (30, false, None));
    assert_eq!(share(110, 95, None), (-15, false, None));
    // Held to more before: the budget made the refusal, not the server.
    assert_eq!(share(110, 110, Some(vec![band(120)])), (0, false, Some(120)));
    assert_eq!(share(110, 110, Some(vec![band(100)])), (0, true, None));
    assert_eq!(share(110, 110, Some(vec![band(90)])), (0, true, Some(90)));
    assert_eq!(share(110, 110, Some(vec![band(100), band(120)])), (0, false, Some(120)));
    let other = Band { metric: Metric::Tools, budget: 1, slack: 0 };
    assert_eq!(share(110, 110, Some(vec![other])), (0, false, None));
}
