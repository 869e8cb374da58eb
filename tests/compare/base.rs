//! `check --base`: budgets.toml beside what it said where the branches parted.

use super::*;

#[test]
fn a_file_that_was_moved_is_held_to_what_it_said_before() {
    let repository = Repository::new();
    std::fs::create_dir(repository.path().join("sub")).expect("a folder of the test");
    std::fs::remove_file(repository.path().join("budgets.toml")).expect("a file of the test");
    repository.write("Cargo.toml", "[package]\n");
    let from = BUDGETS.replace("now.json", "../now.json");
    repository.write("sub/b.toml", &from.replace("budget = 30", "budget = 35"));
    let moved = ["check", "--base", "main", "--budgets", "sub/b.toml"];
    for is_committed in [false, true] {
        if is_committed {
            repository.commit();
        }
        let (code, text) = repository.run(&moved);
        assert_eq!(code, 1, "{text}");
        holds(
            &text,
            &["where it was budgets.toml,", "which no longer holds it", "BUDGET_RAISED_UNJUSTIFIED", "30", "35"],
        );
    }
    let (code, text) = repository.run(&["diff", "main", "--budgets", "sub/b.toml"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["main (budgets.toml) -> sub/b.toml", "another band floor: budget 30, slack 30 -> budget 35"]);
    repository.write("budgets.toml", BUDGETS);
    let (_, text) = repository.run(&moved);
    holds(&text, &["has no such file, so every budget is new"]);
}

#[test]
fn a_file_that_no_longer_holds_its_entries_was_moved_whatever_is_left_in_its_place() {
    let raised = |path: &str| BUDGETS.replace("now.json", path).replace("budget = 30", "budget = 35");
    let refused = |repository: &Repository, budgets: &str| {
        let (code, text) = repository.run(&["check", "--base", "main", "--budgets", budgets]);
        assert_eq!(code, 1, "{text}");
        holds(&text, &["which no longer holds it", "BUDGET_RAISED_UNJUSTIFIED", "30", "35"]);
    };
    let repository = Repository::new();
    std::fs::create_dir(repository.path().join("gate")).expect("a folder of the test");
    repository.write("gate/b.toml", &raised("../now.json"));
    // Emptied of what it held.
    repository.write("budgets.toml", "# see gate/b.toml\n");
    refused(&repository, "gate/b.toml");
    repository.write("budgets.toml", &BUDGETS.replace("servers.s", "servers.other"));
    refused(&repository, "gate/b.toml");
    // A folder of its name.
    std::fs::remove_file(repository.path().join("budgets.toml")).expect("a file of the test");
    std::fs::create_dir(repository.path().join("budgets.toml")).expect("a folder of the test");
    repository.write("budgets.toml/b.toml", &raised("../now.json"));
    refused(&repository, "budgets.toml/b.toml");
    // A file of another ending.
    let repository = Repository::new();
    repository.git(&["mv", "budgets.toml", "gate.conf"]);
    repository.commit();
    repository.git(&["branch", "--force", "main"]);
    repository.git(&["mv", "gate.conf", "gate2.conf"]);
    repository.write("gate2.conf", &raised("now.json"));
    refused(&repository, "gate2.conf");
    // One that still holds its own is another file.
    let repository = Repository::new();
    repository.write("budgets.toml", &format!("# more\n{BUDGETS}"));
    repository.write("new.toml", &raised("now.json"));
    let (code, text) = repository.run(&["check", "--base", "main", "--budgets", "new.toml"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["has no such file, so every budget is new"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_is_left_where_the_file_was_is_no_file() {
    let repository = Repository::new();
    std::fs::create_dir(repository.path().join("gate")).expect("a folder of the test");
    let raised = BUDGETS.replace("budget = 30", "budget = 35");
    repository.write("gate/b.toml", &raised);
    std::fs::remove_file(repository.path().join("budgets.toml")).expect("a file of the test");
    std::os::unix::fs::symlink("gate/b.toml", repository.path().join("budgets.toml")).expect("a link of the test");
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["BUDGET_RAISED_UNJUSTIFIED", "which no longer holds it"]);
    repository.commit();
    repository.git(&["branch", "--force", "main"]);
    std::fs::remove_file(repository.path().join("budgets.toml")).expect("a file of the test");
    repository.write("budgets.toml", BUDGETS);
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 2, "{text}");
    holds(&text, &["budgets.toml is a link at"]);
}

#[test]
fn what_two_files_that_are_gone_both_said_is_told_once() {
    let repository = Repository::new();
    repository.write("copy.toml", BUDGETS);
    repository.commit();
    repository.git(&["branch", "--force", "twice"]);
    for gone in ["budgets.toml", "copy.toml"] {
        std::fs::remove_file(repository.path().join(gone)).expect("a file of the test");
    }
    repository.write("b.toml", &BUDGETS.replace("budget = 30", "budget = 35"));
    let (code, text) = repository.run(&["check", "--base", "twice", "--budgets", "b.toml"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["1 change since", "and copy.toml, which no longer hold it"]);
    assert_eq!(text.lines().filter(|line| line.contains("BUDGET_RAISED_UNJUSTIFIED")).count(), 1, "{text}");
}

#[test]
fn a_file_that_is_broken_at_the_base_is_named_so_that_git_shows_it() {
    let repository = Repository::new();
    std::fs::create_dir(repository.path().join("sub")).expect("a folder of the test");
    repository.write("sub/budgets.toml", "servers = [");
    repository.commit();
    repository.git(&["branch", "--force", "broken"]);
    repository.write("sub/budgets.toml", BUDGETS);
    for (args, at) in [(&["check", "--base"][..], "--base: at the merge base with broken"), (&["diff"], "at broken")] {
        let (code, text) = repository.run(&[args, &["broken", "--budgets", "sub/budgets.toml"]].concat());
        assert_eq!(code, 2, "{text}");
        holds(&text, &[at, ":sub/budgets.toml:1:"]);
        let hash = text.split(": ").find_map(|part| part.split_once(":sub/")).expect("a commit and a path").0;
        assert_eq!(hash.len(), 12, "{text}");
    }
}

#[test]
fn a_raise_passes_its_band_and_is_refused_against_its_base_until_it_says_why() {
    let repository = Repository::new();
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["nothing is raised or loosened since main"]);

    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 35"));
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["BUDGET_RAISED_UNJUSTIFIED", "floor budget", "1 gate change without a reason"]);
    holds(&text, &["put the number back, or say why in a new `reason` in the table of the band"]);
    assert_eq!(repository.run(&["check"]).0, 0);

    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 35\nreason = \"issue 7\""));
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["has a reason", "reason: s floor budget 30 -> 35: issue 7"]);
}

#[test]
fn other_cold_tools_than_at_the_base_need_a_reason_and_a_difference_tells_them() {
    let repository = Repository::new();
    let deferred = BUDGETS.replace("\"now.json\"", "\"now.json\"\ndefer = [\"*\"]");
    repository.write("budgets.toml", &deferred);
    repository.run(&["pin", "--raise", "--reason", "the frame"]);
    let pinned = std::fs::read_to_string(repository.path().join("budgets.toml")).expect("it was written");
    let silent = pinned.replace("reason = \"the frame\"\n", "");
    repository.write("budgets.toml", &silent);
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["GATE_LOOSENED", "defer", "none", "*"]);
    repository.write("budgets.toml", &pinned);
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["reason: s defer none -> *: the frame"]);
    let (_, text) = repository.run(&["diff", "main"]);
    holds(&text, &["another defer: none -> *", "another estimator: ", "+deferred"]);
}

#[test]
fn a_merge_that_puts_a_lowered_budget_back_up_is_refused() {
    let repository = Repository::new();
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 25"));
    repository.commit();
    repository.git(&["checkout", "--quiet", "work"]);
    repository.write("other", "x");
    repository.commit();
    repository.git(&["merge", "--quiet", "--no-edit", "--strategy=ours", "--no-gpg-sign", "main"]);
    let (code, text) = repository.run(&["check", "--base", "main", "--format", "json"]);
    assert_eq!(code, 1, "{text}");
    let document: serde_json::Value = serde_json::from_str(&text).expect("standard output holds the document");
    assert_eq!(document["servers"][0]["gate"]["verdict"], "refused");
    let found = &document["base"]["differences"][0];
    assert_eq!((&found["before"], &found["after"], &found["refused"]), (&"25".into(), &"30".into(), &true.into()));
}

#[test]
fn of_branches_that_were_merged_into_each_other_every_base_holds() {
    let repository = Repository::new();
    let [lowered, plain] = ["lowered", "plain"].map(|branch| {
        repository.git(&["checkout", "--quiet", "-b", branch, "main"]);
        if branch == "lowered" {
            repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 25"));
        }
        repository.write(branch, "x");
        repository.commit();
        branch
    });
    let merge = |into: &str, other: &str| {
        repository.git(&["checkout", "--quiet", "-B", into, if into == "work" { plain } else { lowered }]);
        repository.git(&["merge", "--quiet", "--no-edit", "--no-gpg-sign", other]);
    };
    merge("main", plain);
    merge("work", lowered);
    let (code, text) = repository.run(&["check", "--base", "main", "--format", "json"]);
    assert_eq!(code, 0, "{text}");
    let document: serde_json::Value = serde_json::from_str(&text).expect("standard output holds the document");
    assert_eq!(document["base"]["commits"].as_array().map(Vec::len), Some(2), "{text}");

    repository.write("budgets.toml", BUDGETS);
    repository.commit();
    for order in ["work", "main"] {
        // Which base git names first depends on the dates; both are held to, whichever it is.
        let other = if order == "work" { "main" } else { "work" };
        repository.git(&["checkout", "--quiet", order]);
        repository.write("budgets.toml", BUDGETS);
        let (code, text) = repository.run(&["check", "--base", other]);
        assert_eq!(code, 1, "{text}");
        holds(&text, &["1 change since", " and ", "BUDGET_RAISED_UNJUSTIFIED", "25", "30"]);
    }
}

#[test]
fn a_refusal_that_a_lowered_budget_made_is_not_inherited() {
    let repository = Repository::new();
    let against = ["check", "--base", "main", "--against", "now.json"];
    repository.write("budgets.toml", &BUDGETS.replace("budget = 30", "budget = 5"));
    let (code, text) = repository.run(&against);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["FLOOR_BUDGET_EXCEEDED: +0 here, where the budget was 30"]);
    assert!(!text.contains("inherited"), "{text}");
    repository.commit();
    repository.git(&["branch", "--force", "main"]);
    let (code, text) = repository.run(&against);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["FLOOR_BUDGET_EXCEEDED: inherited, +0 here"]);
}

#[test]
fn what_is_removed_is_refused_and_a_new_file_has_no_base() {
    let repository = Repository::new();
    repository.write("budgets.toml", &BUDGETS.replace("servers.s", "servers.renamed"));
    let (code, text) = repository.run(&["check", "--base", "main"]);
    assert_eq!(code, 1, "{text}");
    holds(&text, &["GATE_LOOSENED", "at the top of budgets.toml"]);
    repository.write("budgets.toml", BUDGETS);
    repository.write("other.toml", BUDGETS);
    let (code, text) = repository.run(&["check", "--budgets", "other.toml", "--base", "main"]);
    assert_eq!(code, 0, "{text}");
    holds(&text, &["has no such file, so every budget is new"]);
}

#[test]
fn a_file_below_another_one_is_new_and_what_held_its_folder_is_named() {
    let repository = Repository::new();
    std::fs::create_dir_all(repository.path().join("sub/deep")).expect("a folder of the test");
    repository.write("sub/deep/budgets.toml", &BUDGETS.replace("now.json", "../../now.json"));
    let below = repository.path().join("sub/deep");
    let run = |format: &str| said(&run_in(&below, &["check", "--base", "main", "--format", format]));
    let (code, text) = run("table");
    assert_eq!(code, 0, "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    holds(&text, &["every budget is new; until now budgets.toml held this folder, so keep checking that too"]);
    let document: serde_json::Value = serde_json::from_str(&run("json").1).expect("standard output holds the document");
    assert_eq!(document["base"]["nearest_above"], "budgets.toml");
    holds(&run("markdown").1, &["until now `budgets.toml` held this folder"]);
    holds(&run("html").1, &["until now budgets.toml held this folder"]);
    repository.write("sub/deep/own.toml", &BUDGETS.replace("now.json", "../../now.json"));
    let (_, text) = said(&run_in(&below, &["check", "--base", "main", "--budgets", "own.toml"]));
    assert!(!text.contains("until now"), "{text}");
}

#[test]
fn a_hook_of_git_leads_to_no_other_file() {
    let repository = Repository::new();
    std::fs::create_dir(repository.path().join("sub")).expect("a folder of the test");
    repository.write("sub/budgets.toml", &BUDGETS.replace("now.json", "../now.json").replace("= 30", "= 20"));
    repository.commit();
    repository
        .write("sub/budgets.toml", &BUDGETS.replace("now.json", "../now.json").replace("budget = 30", "budget = 25"));
    let mut command = Command::new(cargo_bin("mcp-footprint"));
    command.args(["check", "--base", "HEAD"]).current_dir(repository.path().join("sub"));
    let git = repository.path().join(".git");
    command.env("GIT_DIR", &git).env("GIT_INDEX_FILE", git.join("index")).env("GIT_PREFIX", "");
    let (code, text) = said(&command.output().expect("the program starts"));
    assert_eq!(code, 1, "{text}");
    holds(&text, &["BUDGET_RAISED_UNJUSTIFIED", "20", "25"]);
    assert!(!text.contains("which no longer holds it"), "{text}");
}

#[test]
fn a_base_that_cannot_be_known_is_wrong_usage_and_nothing_is_measured() {
    let repository = Repository::new();
    let (code, text) = repository.run(&["check", "--base", "origin/main"]);
    assert_eq!(code, 2, "{text}");
    holds(&text, &["git knows no revision `origin/main`"]);
    repository.write("second", "x");
    repository.commit();
    let clone = tempfile::tempdir().expect("a folder for the test");
    let from = format!("file://{}", repository.path().display());
    repository.git(&["clone", "--quiet", "--depth", "1", &from, &clone.path().display().to_string()]);
    let (code, text) = said(&run_in(clone.path(), &["check", "--base", "main"]));
    assert_eq!(code, 2, "{text}");
    holds(&text, &["fetch-depth: 0"]);
}
