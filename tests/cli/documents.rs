//! Documents: many from one launch, opened before it, and never the reason of an exit code.

use std::process::Stdio;

use crate::place::{Place, listing};

/// Runs with a standard output and a standard error that nobody reads.
pub(crate) fn with_closed_output(place: &Place, args: &[&str]) -> Option<i32> {
    let closed = || {
        let (reader, writer) = std::io::pipe().expect("what the test itself sets up");
        drop(reader);
        Stdio::from(writer)
    };
    let scrubbed = place.command();
    let mut command = std::process::Command::new(scrubbed.get_program());
    command.args(args).current_dir(scrubbed.get_current_dir().expect("what the test itself sets up")).env_clear();
    for (name, value) in scrubbed.get_envs() {
        value.map(|value| command.env(name, value));
    }
    command
        .stdin(Stdio::null())
        .stdout(closed())
        .stderr(closed())
        .status()
        .expect("what the test itself sets up")
        .code()
}

#[test]
fn a_reader_that_has_gone_changes_no_verdict() {
    let place = Place::new();
    place.budgets(&["ok"]);
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    for args in [&["check"][..], &["report"], &["check", "--format", "json"], &["capture", "-o", "-"], &["man"]] {
        assert_eq!(with_closed_output(&place, args), Some(0), "{args:?}");
    }
    assert_eq!(with_closed_output(&place, &["completions", "bash"]), Some(0));
    assert_eq!(with_closed_output(&place, &["init", "--name", "new", "--", "scripted", "ok.txt"]), Some(0));
    place.lists("ok.txt", r#"{"name":"ok"},{"name":"more"}"#);
    for args in [&["check"][..], &["check", "--format", "json"], &["pin"]] {
        assert_eq!(with_closed_output(&place, args), Some(1), "{args:?}");
    }
    place.scenario("ok.txt", "exit 7");
    for args in [&["check"][..], &["report"], &["pin"]] {
        assert_eq!(with_closed_output(&place, args), Some(3), "{args:?}");
    }
}

#[test]
fn a_document_that_cannot_be_written_is_told_before_anything_is_launched() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    place.budgets(&["ok"]);
    place.write("folder/x", "");
    for line in [
        "report --output json=missing/out.json -- scripted ok.txt",
        "check --output json=missing/out.json",
        "check --output table=fine.txt --output json=missing/out.json",
        "capture -o missing/out.json",
    ] {
        assert_eq!(place.run(line).code, Some(2), "{line}");
    }
    assert_eq!(place.launches("ok.txt"), 0);
    assert!(!place.exists("fine.txt"));
    insta::assert_snapshot!(place.transcript());
    assert_eq!(place.run("check --output json=folder").code, Some(2));
    assert_eq!(place.launches("ok.txt"), 0);
}

#[test]
fn many_documents_come_from_one_launch() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    place.budgets(&["ok"]);
    assert_eq!(place.run("check --format json --output table=out.txt --output json=out.json").code, Some(0));
    assert_eq!(place.launches("ok.txt"), 1);
    place.show("out.txt");
    place.show("out.json");
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn the_document_of_a_run_that_failed_is_written_all_the_same() {
    let mut place = Place::new();
    place.budgets(&["ok", "broken"]);
    place.lists("ok.txt", r#"{"name":"ok"},{"name":"more"}"#);
    place.scenario("broken.txt", "stderr no database\nexit 7");
    assert_eq!(place.run("check --format json").code, Some(3));
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn rows_are_ranked_cut_and_told_of_the_window() {
    let mut place = Place::new();
    let tool =
        |name: &str, words: usize| format!("{{\"name\":\"{name}\",\"description\":\"{}\"}}", "word ".repeat(words));
    place.lists("many", &[tool("small", 1), tool("large", 40), tool("middle", 9), tool("宽的名字", 5)].join(","));
    for flags in ["", "--top 2", "--sort name", "--sort description --top 1", "--sort bytes", "--context-window 1000"] {
        assert_eq!(place.run(&format!("report {flags} -- scripted many")).code, Some(0), "{flags}");
    }
    insta::assert_snapshot!(place.transcript());
}

#[test]
fn colour_comes_where_it_is_asked_for_and_never_into_files() {
    let mut place = Place::new();
    place.lists("ok.txt", r#"{"name":"ok"}"#);
    let plain = place.run("report -- scripted ok.txt").stdout;
    let coloured = place.run("report --color always --output table=out.txt -- scripted ok.txt").stdout;
    assert!(coloured.contains('\u{1b}') && !plain.contains('\u{1b}'));
    assert_eq!(place.read("out.txt"), plain);
}

#[test]
fn quiet_leaves_only_errors_and_verbose_tells_the_steps() {
    let mut place = Place::new();
    place.scenario("ok.txt", &format!("send banner\n{}", listing(r#"{"name":"ok"}"#)));
    assert_eq!(place.run("report --quiet -- scripted ok.txt").stderr, "");
    let told = place.run("report --verbose -- scripted ok.txt").stderr;
    for step in ["starting", "listing its tools", "1 tool"] {
        assert!(told.contains(step), "{told}");
    }
    assert_eq!(place.run("report --quiet -- no-such-command").code, Some(3));
}
