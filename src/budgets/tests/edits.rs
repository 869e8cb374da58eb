//! Which bytes an edit changes: the ones that it is about, and no others.

use super::*;

fn pinned(text: &str, measured: &[(&str, Pin)], raise: Option<&str>) -> Result<Edit, PinError> {
    let measured: Vec<(String, Pin)> = measured.iter().map(|(name, pin)| ((*name).to_owned(), pin.clone())).collect();
    pin(&parse(text).unwrap(), &measured, raise)
}

/// Pins server `a`, checks that a second pin changes no byte, and gives the text.
fn after_pin(text: &str, pin: &Pin) -> String {
    let edit = pinned(text, &[("a", pin.clone())], Some("why")).unwrap();
    let again = pinned(&edit.after, &[("a", pin.clone())], None).unwrap();
    assert_eq!(again.after, edit.after, "a second pin changes no byte");
    assert!(!again.is_change() && again.moves.is_empty());
    edit.after
}

/// The text with every run of digits as one `#`, which is all that a pin of the same names may change.
fn without_numbers(text: &str) -> String {
    let mut shape = String::new();
    for character in text.chars() {
        match character.is_ascii_digit() {
            true if shape.ends_with('#') => {}
            true => shape.push('#'),
            false => shape.push(character),
        }
    }
    shape
}

#[test]
fn only_the_numbers_differ_in_a_file_with_comments_odd_spacing_and_tables_over_two_lines() {
    let pin = pin_of(&[("z", 3, 1), ("b", 2, 2)]);
    for text in [decorated(), decorated().replace('\n', "\r\n"), format!("{}\n", decorated())] {
        let after = after_pin(&text, &pin);
        assert_eq!(without_numbers(&after), without_numbers(&text).replace("+#", "#"));
        assert_eq!(parse(&after).unwrap().servers[0].pins.as_ref().unwrap(), &pin.tools);
        for changed in ["budget=5 # ten", "{tokens=3,description=1} # z", "description = 2 , # below", "tokens = 2"] {
            assert!(after.contains(changed), "{changed} in\n{after}");
        }
    }
}

#[test]
fn a_pin_of_what_is_pinned_changes_nothing_at_all() {
    let edit = pinned(&decorated(), &[("a", pin_of(&[("z", 6, 2), ("b", 4, 3)]))], None).unwrap();
    assert_eq!(edit.after, decorated());
    assert!(!edit.is_change() && edit.moves.is_empty());
}

#[test]
fn tools_come_and_go_in_sorted_place_while_lines_that_stay_keep_theirs() {
    let text = with_estimator(
        "[servers.a]\ncommand = 'x'\n[servers.a.floor]\nbudget = 90\n[servers.a.descriptions]\nbudget = 90\n\n\
         [servers.a.pins]\n# unsorted on purpose\nm = { tokens = 1, description = 1 }  # m\n\
         gone = { tokens = 1, description = 1 } # gone\nc = { tokens = 1, description = 1 }\n# the end\n\n[servers.b]\nfrom = 'y'\n",
    );
    let pin = pin_of(&[("m", 1, 1), ("c", 2, 1), ("a", 1, 1), ("d", 1, 1), ("e f", 1, 1), ("z\u{1b}", 1, 1)]);
    insta::assert_snapshot!(after_pin(&text, &pin));
}

#[test]
fn what_is_missing_is_added_as_sections_beside_the_server() {
    let text = with_estimator(
        "\n[servers.a]\ncommand = 'x'\n# args = ['--debug']\n\n[servers.a.tools]\nbudget = 9\n# about b\n[servers.b]\nfrom = 'y'",
    );
    let mut pin = pin_of(&[("t", 300, 20), ("b", 10, 3)]);
    pin.pinned = Pinned {
        server: Some("no\u{202e}tes".into()),
        version: Some("1.2.0".into()),
        protocol: None,
        platform: Some("linux-x86_64".into()),
    };
    let after = after_pin(&text, &pin);
    insta::assert_snapshot!(after);
    let windows = after_pin(&text.replace('\n', "\r\n"), &pin);
    assert_eq!(windows, after.replace('\n', "\r\n"));
}

#[test]
fn what_is_missing_goes_between_the_braces_of_a_server_that_has_braces() {
    let text = with_estimator("servers = { a = { command = 'x', pinned = {} }, b = { from = 'y' } } # all");
    let mut pin = pin_of(&[("t", 30, 2)]);
    pin.pinned.version = Some("2".into());
    insta::assert_snapshot!(after_pin(&text, &pin));
}

#[test]
fn dotted_keys_stay_dotted() {
    let text = with_estimator(
        "servers.a.command = 'x'\nservers.a.floor.budget = 5 # f\nservers.a.pins.k.tokens = 1\nservers.a.pins.k.description = 1\n\
         servers.a.pins.gone.tokens = 1 # gone\nservers.a.pins.gone.description = 1 # gone\n",
    );
    insta::assert_snapshot!(after_pin(&text, &pin_of(&[("k", 3, 1), ("j", 1, 1), ("l", 1, 1)])));
}

#[test]
fn pins_between_braces_keep_their_lines_and_comments() {
    let tables = [
        "pins = { b = { tokens = 1, description = 1 }, gone = { tokens = 1, description = 1 }, d = { tokens = 1, description = 1 } }",
        "pins = {\n  # first\n  b = { tokens = 1, description = 1 }, # b\n  d = { tokens = 1, description = 1 }, # d\n  gone = { tokens = 1, description = 1 } # gone\n}",
        "pins = {\n  gone = { tokens = 1, description = 1 },\n  b = { tokens = 1, description = 1 }, # b\n  d = { tokens = 1, description = 1 }, # d\n}",
        "pins = { gone.tokens = 1, b.tokens = 1, gone.description = 1, b.description = 1, d = { tokens = 1, description = 1 }, }",
        "pins = { gone = { tokens = 1, description = 1 } }",
        "pins = {}",
        "pins = { # nothing\n}",
    ];
    let pin = pin_of(&[("a", 1, 1), ("b", 1, 1), ("c", 1, 1), ("d", 2, 1), ("e", 1, 1)]);
    let after = tables.map(|pins| {
        let text = with_estimator(&format!("[servers.a]\ncommand = 'x'\nfloor = {{ budget = 9 }}\n{pins}\n"));
        after_pin(&text, &pin)
    });
    insta::assert_snapshot!(after.join("\n"));
}

#[test]
fn pins_that_are_sections_come_and_go_as_sections() {
    let section = |name: &str| format!("\n[servers.a.pins.{name}]\ntokens = 1 # {name}\ndescription = 1\n");
    let text =
        with_estimator(&format!("[servers.a]\ncommand = 'x'\n{}{}{}", section("b"), section("gone"), section("d")));
    let pin = pin_of(&[("a", 1, 1), ("b", 1, 1), ("c", 1, 1), ("d", 2, 1), ("e", 1, 1)]);
    insta::assert_snapshot!(after_pin(&text, &pin));
}

#[test]
fn a_rise_needs_a_reason_and_only_bands_that_rise_get_it() {
    let text = with_estimator(
        "[servers.a]\ncommand = 'x'\n[servers.a.floor]\nbudget = 10\nreason = \"old\" # kept\n[servers.a.descriptions]\n\
         budget = 10\nreason = 'older'\n[servers.a.tools]\nbudget = 1\n\n[servers.b]\nfrom = 'y'\nfloor = { budget = 1 }\n",
    );
    let measured = [("a", pin_of(&[("t", 12, 7), ("u", 1, 1)])), ("b", pin_of(&[("t", 5, 1)]))];
    insta::assert_snapshot!(pinned(&text, &measured, None).unwrap_err());
    let edit = pinned(&text, &measured, Some("issue \"41\"\nmore")).unwrap();
    insta::assert_snapshot!(edit.after);
    let moves: Vec<_> =
        edit.moves.iter().map(|step| (step.server.as_str(), step.metric, step.before, step.after)).collect();
    assert_eq!(
        moves,
        [
            ("a", Metric::Floor, Some(10), 13),
            ("a", Metric::Descriptions, Some(10), 8),
            ("a", Metric::Tools, Some(1), 2),
            ("b", Metric::Floor, Some(1), 5),
            ("b", Metric::Descriptions, None, 1),
        ]
    );
}

#[test]
fn nothing_is_never_pinned_and_an_unknown_server_lists_the_known() {
    let text = decorated();
    insta::assert_snapshot!(pinned(&text, &[("a", pin_of(&[]))], Some("why")).unwrap_err());
    insta::assert_snapshot!(pinned(&text, &[("n", pin_of(&[("t", 1, 1)]))], None).unwrap_err());
}

#[test]
fn unknown_instructions_leave_their_band_and_known_ones_move_it() {
    let text = with_estimator("[servers.a]\ncommand = 'x'\ninstructions = { budget = 40 }\n");
    let mut pin = pin_of(&[("t", 1, 1)]);
    assert!(after_pin(&text, &pin).contains("instructions = { budget = 40 }"));
    pin.totals.instructions = Some(30);
    assert!(after_pin(&text, &pin).contains("instructions = { budget = 30 }"));
}

#[test]
fn what_was_measured_is_kept_up_to_date_key_by_key() {
    let text = with_estimator(
        "[servers.a]\ncommand = 'x'\n[servers.a.pinned]\nserver = 'same' # kept\nversion = '1' # moves\nprotocol = 'p' # goes\n",
    );
    let mut pin = pin_of(&[("t", 1, 1)]);
    pin.pinned = Pinned {
        server: Some("same".into()),
        version: Some("2".into()),
        protocol: None,
        platform: Some("linux-x86_64".into()),
    };
    insta::assert_snapshot!(after_pin(&text, &pin));
}
