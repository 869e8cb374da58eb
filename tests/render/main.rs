//! The documents of hand-made reports, as they look.

mod clients;
mod compare;
mod formats;
mod html;
mod json;
mod reports;

use mcp_footprint::codes::{ErrorCode, Note, NoteCode};
use mcp_footprint::gate::{Metric, Movement};
use mcp_footprint::render::{Format, Look, render};
use mcp_footprint::report::{Report, SortKey};
use mcp_footprint::visible;
use reports::*;

const NARROW: Look = Look { width: 80, ascii: false, color: false };
const WIDE: Look = Look { width: 200, ascii: false, color: false };

fn table(report: &Report, look: Look) -> String {
    let mut out = Vec::new();
    render(Format::Table, report, &look, &mut out).expect("a string takes every document");
    String::from_utf8(out).expect("a string takes every document")
}

/// Snapshots hold no control characters: an escape sequence begins with `␛`.
fn coloured(report: &Report) -> String {
    table(report, Look { color: true, ..NARROW }).replace('\u{1b}', "␛")
}

fn fleet() -> Report {
    let mut small = measured(vec![tool("now", 120, 20), tool("convert", 90, 15)]);
    small.totals.instructions = None;
    ranking(vec![
        server("notes", notes()),
        server("time", small),
        broken("search", ErrorCode::Timeout, "search did not answer tools/list within 60s", Some("")),
    ])
}

fn many_tools() -> Report {
    let tools = (1..=25).map(|place| tool(&format!("tool_{place:02}"), place * 7, place)).collect();
    ranking(vec![server("many", measured(tools))])
}

#[test]
fn the_first_line_has_the_documented_form() {
    let report = ranking(vec![server("notes", notes())]);
    let first = "mcp-footprint: 5 tools · floor 610 est. tokens (2445 bytes, o200k_base:mcp-tool-json-v1)";
    assert_eq!(table(&report, NARROW).lines().next(), Some(first));
    assert_eq!(table(&report, WIDE).lines().next(), Some(first));
}

#[test]
fn a_report_ranks_the_tools() {
    let report = ranking(vec![server("notes", notes())]);
    insta::assert_snapshot!("report_80", table(&report, NARROW));
    insta::assert_snapshot!("report_120", table(&report, Look { width: 120, ..NARROW }));
    insta::assert_snapshot!("report_200", table(&report, WIDE));
    insta::assert_snapshot!("report_ascii", table(&report, Look { ascii: true, ..NARROW }));
    insta::assert_snapshot!("report_color", coloured(&report));
}

#[test]
fn cold_tools_are_rows_of_their_lines_and_both_floors_are_told() {
    insta::assert_snapshot!("cold_report", table(&ranking(vec![server("notes", cold())]), NARROW));
    let fleet = ranking(vec![server("cold", cold()), server("hot", notes())]);
    assert!(
        table(&fleet, WIDE).lines().next().is_some_and(|line| line.contains("o200k_base:mcp-tool-json-v1[+deferred]"))
    );
    let bands = [band(Metric::Floor, 340, 34), band(Metric::Largest, 88, 0)];
    let changes = vec![change("deferred:update_note", Movement::New, 30, 23)];
    insta::assert_snapshot!(
        "cold_check",
        table(&checked(vec![server("notes", gated(cold(), &bands, changes))]), NARROW)
    );
}

#[test]
fn a_report_can_be_ranked_by_name() {
    let report = Report { sort: SortKey::Name, ..ranking(vec![server("notes", notes())]) };
    insta::assert_snapshot!(table(&report, NARROW));
}

#[test]
fn the_closing_row_says_what_is_left_out_and_what_it_costs() {
    let report = Report { top: Some(3), ..many_tools() };
    insta::assert_snapshot!(table(&report, NARROW));
}

#[test]
fn many_servers_are_compared_before_each_is_ranked() {
    insta::assert_snapshot!("fleet_80", table(&fleet(), NARROW));
}

#[test]
fn a_server_that_was_not_measured_says_why_and_shows_its_standard_error() {
    let tail: String = (1..=24).map(|line| format!("\tat frame {line} (index.js:{line})\n")).collect();
    let message = "notes ended with exit code 1 before it answered `initialize`; run its command by hand to see why, \
                   and check the `cwd` and `env` of its entry";
    let report = ranking(vec![broken("notes", ErrorCode::Exited, message, Some(&tail))]);
    insta::assert_snapshot!("not_measured", table(&report, NARROW));
    insta::assert_snapshot!("check_not_measured", table(&checked(report.servers), NARROW));
}

#[test]
fn a_server_without_tools_is_reported_with_its_note() {
    let mut empty = measured(vec![]);
    empty.notes.push(Note::new(NoteCode::NoTools, "the server listed no tool"));
    insta::assert_snapshot!(table(&ranking(vec![server("empty", empty)]), NARROW));
}

#[test]
fn notes_are_shown_and_a_flood_of_them_is_cut() {
    let mut noisy = notes();
    noisy.totals.instructions = Some(432);
    noisy.notes.push(Note::new(
        NoteCode::StdoutNoise,
        "2 lines on standard output were no JSON; the first: Listening on stdio",
    ));
    noisy.notes.extend(
        (1..15).map(|place| Note::about(&format!("(unnamed #{place})"), NoteCode::Unnamed, "a definition has no name")),
    );
    insta::assert_snapshot!(table(&ranking(vec![server("notes", noisy)]), NARROW));
}

#[test]
fn no_number_is_so_long_that_it_pushes_the_verdict_out_of_sight() {
    for (budget, slack) in [(10u64.pow(9), 10u64.pow(8)), (i64::MAX as u64, i64::MAX as u64)] {
        let bands = [band(Metric::Floor, budget, slack), band(Metric::Descriptions, 1, 1)];
        let report = checked(vec![server("a-server-with-a-long-name", gated(notes(), &bands, vec![]))]);
        let text = table(&report, NARROW);
        let row = text.lines().find(|line| line.contains("descriptions")).unwrap();
        assert!(row.ends_with("exceeded") || row.ends_with("DESC_BUDGET_EXCEEDED"), "{text}");
    }
}

#[test]
fn a_check_that_passes_shows_every_band() {
    let bands = [band(Metric::Floor, 610, 61), band(Metric::Descriptions, 118, 25)];
    let exact = checked(vec![server("notes", gated(notes(), &bands, vec![]))]);
    insta::assert_snapshot!("check_pass", table(&exact, NARROW));
    insta::assert_snapshot!("check_pass_color", coloured(&exact));
}

#[test]
fn a_pass_mentions_what_moved_and_what_waits_to_be_banked() {
    let bands = [band(Metric::Floor, 650, 65), band(Metric::Descriptions, 120, 25), band(Metric::Tools, 5, 0)];
    let changes = vec![change("add_note", Movement::Grew, 100, 3), change("list_notes", Movement::Shrank, -100, -5)];
    insta::assert_snapshot!(table(&checked(vec![server("notes", gated(notes(), &bands, changes))]), NARROW));
}

#[test]
fn growth_is_refused_with_the_tools_that_grew_and_the_command() {
    let report = checked(vec![grown()]);
    insta::assert_snapshot!("check_grown_80", table(&report, NARROW));
    insta::assert_snapshot!("check_grown_200", table(&report, WIDE));
    insta::assert_snapshot!("check_grown_ascii", table(&report, Look { ascii: true, ..NARROW }));
    insta::assert_snapshot!("check_grown_color", coloured(&report));
}

#[test]
fn a_win_that_nobody_banked_is_refused_with_the_pin_command() {
    let bands = [band(Metric::Floor, 900, 90), band(Metric::Descriptions, 118, 25)];
    let changes = vec![change("purge_notes", Movement::Gone, -290, -40)];
    let report = Report {
        repeat_args: vec!["--budgets".into(), "ci/my budgets.toml".into()],
        budgets: Some("ci/my budgets.toml".into()),
        ..checked(vec![server("notes", gated(notes(), &bands, changes))])
    };
    insta::assert_snapshot!(table(&report, NARROW));
}

#[test]
fn every_kind_of_refusal_is_shown_at_once_and_the_optional_bands_too() {
    let above: Vec<_> =
        Metric::ALL.iter().map(|&metric| band(metric, notes().totals.of(metric).max(1) - 1, 0)).collect();
    let below: Vec<_> = Metric::ALL.iter().map(|&metric| band(metric, notes().totals.of(metric) + 9, 8)).collect();
    let mut unpinned = gated(notes(), &above, vec![]);
    unpinned.notes.push(Note::new(NoteCode::NoPins, "budgets.toml has no pins for notes yet; `pin` writes them"));
    let report = checked(vec![server("above", unpinned), server("below", gated(notes(), &below, vec![]))]);
    insta::assert_snapshot!("check_all_reasons_80", table(&report, NARROW));
    insta::assert_snapshot!("check_all_reasons_120", table(&report, Look { width: 120, ..NARROW }));
}

#[test]
fn zero_tools_are_never_something_to_pin() {
    let bands = [band(Metric::Floor, 100, 250), band(Metric::Descriptions, 0, 0)];
    let changes = vec![change("add_note", Movement::Gone, -100, -10)];
    let text = table(&checked(vec![server("notes", gated(measured(vec![]), &bands, changes))]), NARROW);
    assert!(!text.contains("mcp-footprint pin"), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_long_list_of_moved_tools_is_cut_and_the_rest_is_summed() {
    let changes = (0..25).map(|place| change(&format!("tool_{place}"), Movement::Grew, 100 - place, 1)).collect();
    let report = checked(vec![server("notes", gated(notes(), &[band(Metric::Floor, 500, 50)], changes))]);
    let text = table(&report, NARROW);
    assert!(text.contains("… and 15 more"), "{text}");
    assert!(text.contains("+1245"), "{text}");
}

#[test]
fn servers_that_pass_fail_and_cannot_be_measured_stand_in_one_document() {
    let bands = [band(Metric::Floor, 610, 61), band(Metric::Descriptions, 118, 25)];
    let report = checked(vec![
        server("notes-stable", gated(notes(), &bands, vec![])),
        grown(),
        broken("search", ErrorCode::Timeout, "search did not answer tools/list within 60s", Some("")),
    ]);
    assert_eq!(report.exit_code(), 3);
    insta::assert_snapshot!("check_mixed_80", table(&report, NARROW));
    insta::assert_snapshot!("check_mixed_200", table(&report, WIDE));
}

#[test]
fn hostile_text_is_made_visible() {
    insta::assert_snapshot!("hostile_report", table(&hostile(false), NARROW));
    insta::assert_snapshot!("hostile_check", table(&hostile(true), NARROW));
    insta::assert_snapshot!("hostile_check_ascii", table(&hostile(true), Look { ascii: true, ..NARROW }));
}

#[test]
fn no_hostile_text_reaches_a_terminal_as_it_was_sent() {
    for report in [hostile(false), hostile(true), compared()] {
        for width in (20..=120).chain([200]) {
            let text = table(&report, Look { width, ascii: false, color: false });
            let hidden: Vec<char> = text.chars().filter(|&c| c != '\n' && visible::is_hidden(c)).collect();
            assert!(hidden.is_empty(), "{hidden:?}\n{text}");
            let is_command = |line: &&str| line.trim_start().starts_with("::") || line.contains("##[");
            let commands: Vec<&str> = text.lines().filter(is_command).collect();
            assert!(commands.is_empty(), "a server gives the runner a command: {commands:?}");
            let plain = table(&report, Look { width, ascii: true, color: false });
            assert!(plain.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "{plain}");
        }
    }
}

#[test]
fn colour_adds_only_its_own_sequences() {
    for report in [hostile(true), fleet(), checked(vec![grown()])] {
        let coloured = table(&report, Look { color: true, ..NARROW });
        let mut plain = String::new();
        let mut parts = coloured.split('\u{1b}');
        plain.push_str(parts.next().unwrap());
        for part in parts {
            let (sequence, rest) = part.split_once('m').unwrap();
            assert!(sequence.starts_with('[') && sequence[1..].bytes().all(|byte| byte.is_ascii_digit()), "{sequence}");
            plain.push_str(rest);
        }
        assert_eq!(plain, table(&report, NARROW));
    }
}

#[test]
fn tables_keep_to_the_width() {
    let long = "a_server_name_that_goes_on_and_on_and_on_without_any_regard_for_the_reader";
    let mut report = checked(vec![server(long, grown().outcome.unwrap())]);
    let tools = vec![tool(&"名前".repeat(60), 50, 5), tool(long, 30, 3)];
    let ranked = ranking(vec![server(long, measured(tools))]);
    for width in [80, 120, 200] {
        for text in [table(&report, Look { width, ..NARROW }), table(&ranked, Look { width, ..NARROW })] {
            let headline_and_commands = |line: &&str| line.contains("mcp-footprint") || line.starts_with("REFUSED");
            for line in text.lines().filter(|line| !headline_and_commands(line)) {
                assert!(visible::width(line) <= width, "{width}: {line}");
            }
        }
    }
    report.servers.push(broken(long, ErrorCode::BadList, &"word ".repeat(60), Some(&"x".repeat(900))));
    let text = table(&report, NARROW);
    assert!(text.lines().filter(|line| line.starts_with("  |")).all(|line| visible::width(line) <= 80), "{text}");
}

#[test]
fn lines_end_in_no_blank() {
    for report in [hostile(true), fleet(), many_tools(), checked(vec![grown()])] {
        let text = table(&report, NARROW);
        assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
    }
}

#[test]
fn wide_characters_stay_aligned() {
    let names = ["日本語のツール", "naïve_🦀_tool", "नमस्ते", "e\u{301}te\u{301}", "한국어", "flag🇩🇪", "plain"];
    let tools = names.iter().zip(1..).map(|(name, place)| tool(name, 100 - place, 10)).collect();
    insta::assert_snapshot!(table(&ranking(vec![server("wide", measured(tools))]), NARROW));
}
