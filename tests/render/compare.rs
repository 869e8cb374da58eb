//! The documents of comparisons: with a base, with an earlier measurement, and of two measurements.

use mcp_footprint::base;
use mcp_footprint::gate::Metric;
use mcp_footprint::render::{Comparison, DiffFormat, Format, annotations, render, render_diff};
use mcp_footprint::visible;

use crate::reports::*;
use crate::{NARROW, WIDE, table};

#[test]
fn a_check_that_compares_says_what_moved_and_what_was_loosened() {
    insta::assert_snapshot!("compared", table(&compared(), NARROW));
    insta::assert_snapshot!("compared_wide", table(&compared(), WIDE));
}

#[test]
fn a_base_without_anything_to_say_is_one_line() {
    let bands = [band(Metric::Floor, 610, 61), band(Metric::Descriptions, 118, 25)];
    let report = |found| {
        let mut report = checked(vec![server("notes", gated(notes(), &bands, vec![]))]);
        let (reference, commits) = ("main".to_owned(), vec!["0123456789abcdef".to_owned()]);
        let bands = Default::default();
        report.base = Some(base::Comparison { reference, commits, found, differences: vec![], bands });
        table(&report, NARROW)
    };
    assert!(report(base::Found::Here).contains("nothing is raised or loosened since main (0123456789ab)"));
    assert!(report(base::Found::Nowhere).contains("main (0123456789ab) has no such file, so every budget is new"));
    let above = report(base::Found::Above(HOSTILE.to_owned()));
    assert!(above.contains("until now") && !above.contains('\u{1b}'), "{above}");
    let moved = report(base::Found::Moved(vec!["old/budgets.toml".to_owned()]));
    let moved = moved.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "loosened since main (0123456789ab, where it was old/budgets.toml, which no longer holds it)";
    assert!(moved.contains(told), "{moved}");
}

#[test]
fn a_difference_is_a_table_and_a_document() {
    let servers: Vec<_> = compared().against.expect("it compares").servers.into_values().collect();
    let comparison = Comparison { old: HOSTILE, new: "after.json", servers: &servers };
    for (format, name) in [(DiffFormat::Table, "diff_table"), (DiffFormat::Json, "diff_json")] {
        let mut out = Vec::new();
        render_diff(format, &comparison, &NARROW, &mut out).expect("a string is written");
        let text = String::from_utf8(out).expect("documents are UTF-8");
        assert!(!text.chars().any(|c| c != '\n' && visible::is_hidden(c)), "{text}");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn every_document_tells_what_was_raised_or_loosened_and_its_reason() {
    for (format, name) in [
        (Format::Markdown, "compared_markdown"),
        (Format::Junit, "compared_junit"),
        (Format::Gitlab, "compared_gitlab"),
        (Format::Sarif, "compared_sarif"),
    ] {
        let mut out = Vec::new();
        render(format, &compared(), &NARROW, &mut out).expect("a string is written");
        let text = String::from_utf8(out).expect("documents are UTF-8");
        assert!(text.contains("BUDGET_RAISED_UNJUSTIFIED") && text.contains("GATE_LOOSENED"), "{text}");
        assert!(text.contains("inherited, +0 here"), "{text}");
        assert!(text.contains("floor budget 600 -&gt; 700") || text.contains("floor budget 600 -> 700"), "{text}");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn an_annotation_tells_what_was_refused_before() {
    let mut out = Vec::new();
    annotations(&compared(), &mut out).expect("a string is written");
    let text = String::from_utf8(out).expect("annotations are UTF-8");
    assert!(text.lines().any(|line| line.contains("DESC_BUDGET_EXCEEDED::") && line.contains("inherited, +0 here")));
}
