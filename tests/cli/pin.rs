//! `pin` through the binary: free downward, with a reason upward, and not a byte more than the numbers.

use crate::place::{ESTIMATOR, Place, without_platform};

/// A file as nobody would format it: CRLF, a byte-order mark, comments, odd spacing, no line end at its end.
fn odd() -> String {
    let text = format!(
        "\u{feff}# our gate\n{ESTIMATOR}\n\n  [servers . ok]  # the only one\ncommand='scripted'\nargs = [ 'ok.txt' ]\n\
         [servers.ok.floor]\n  budget   =  900 # too much\nslack = 9_00\n[servers.ok.descriptions]\nbudget=40\n\
         slack = \"100%\"\n[servers.ok.pins]\n'ok' = {{tokens=900,description = 40}}   # fat"
    );
    text.replace('\n', "\r\n")
}

#[test]
fn only_the_numbers_change_and_a_second_pin_changes_nothing() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    place.write("budgets.toml", odd());
    let ran = place.run("pin");
    assert_eq!(ran.code, Some(0));
    let pinned = place.read("budgets.toml");
    assert_eq!(pinned.matches('\n').count(), pinned.matches("\r\n").count());
    assert!(pinned.starts_with('\u{feff}'));
    assert_eq!(place.run("pin").code, Some(0));
    assert_eq!(place.read("budgets.toml"), pinned);
    let shown = without_platform(&pinned.replace('\r', "^M"));
    insta::assert_snapshot!(format!("{}\n$ cat -A budgets.toml\n{shown}", place.transcript()));
}

#[test]
fn a_rise_needs_a_reason_and_a_dry_run_writes_nothing() {
    let mut place = Place::new();
    place.budgets(&["ok"]);
    place.lists("ok.txt", r#"{"name":"ok","description":"Adds a note."},{"name":"new"}"#);
    let before = place.read("budgets.toml");
    assert_eq!(place.run("check").code, Some(1));
    assert_eq!(place.run("pin").code, Some(1));
    assert_eq!(place.run("pin --dry-run --raise --reason 'notes, issue 7'").code, Some(0));
    assert_eq!(place.read("budgets.toml"), before);
    assert_eq!(place.run("pin --raise --reason 'notes, issue 7'").code, Some(0));
    assert_eq!(place.run("check").code, Some(0));
    place.show("budgets.toml");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn one_server_that_would_rise_keeps_every_server_from_being_pinned() {
    let mut place = Place::new();
    place.budgets(&["ok", "other"]);
    place.write("budgets.toml", place.read("budgets.toml").replacen("budget = 5", "budget = 6", 1));
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    place.lists("other.txt", r#"{"name":"other"},{"name":"ok"}"#);
    let before = place.read("budgets.toml");
    assert_eq!(place.run("pin").code, Some(1));
    assert_eq!(place.read("budgets.toml"), before);
    assert_eq!(place.run("pin --server ok").code, Some(0));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn a_reader_that_has_gone_keeps_no_pin_from_being_written() {
    let place = Place::new();
    place.budgets(&["ok"]);
    place.write("budgets.toml", place.read("budgets.toml").replace("budget = 5", "budget = 6"));
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    assert_eq!(crate::documents::with_closed_output(&place, &["pin"]), Some(0));
    assert!(place.read("budgets.toml").contains("budget = 5"));
}

#[test]
fn a_pin_that_moves_no_budget_says_what_it_wrote() {
    let mut place = Place::new();
    place.budgets(&["one"]);
    place.lists("one.txt", r#"{"name":"ok"}"#);
    let without_pins = place.read("budgets.toml").replace("ok = { tokens = 5, description = 0 }\n", "");
    place.write("budgets.toml", without_pins);
    let pinned = place.run("pin");
    assert_eq!(pinned.stdout, "budgets.toml: written, what each tool costs; no budget moved\n");
    assert!(place.read("budgets.toml").contains("ok = { tokens = 5, description = 0 }"));
}
