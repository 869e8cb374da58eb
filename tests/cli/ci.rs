//! What GitHub Actions is told: annotations and a summary, also of a check that was impossible; and nothing of an
//! argument becomes a command of the log.

use crate::place::Place;

fn under_actions(place: &mut Place, line: &str) -> (Option<i32>, String, String) {
    let summary = place.path("summary.md");
    let ran = place.run_with(line, |command| {
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", &summary);
    });
    (ran.code, ran.stderr, std::fs::read_to_string(summary).unwrap_or_default())
}

#[test]
fn a_check_that_is_impossible_is_annotated_and_stands_in_the_summary() {
    let mut place = Place::new();
    place.write("sub/budgets.toml", "estimator = \"o200k_base:mcp-tool-json-v1\"\n\n[servers.s]\ncomand = \"x\"\n");
    let (code, errors, summary) = under_actions(&mut place, "check --budgets sub/budgets.toml");
    assert_eq!(code, Some(2));
    assert!(errors.contains("::error file=sub/budgets.toml,line=4,title=mcp-footprint::"), "{errors}");
    assert!(summary.starts_with("## mcp-footprint: error\n\nNothing was measured, so nothing passed.\n"), "{summary}");
    place.show("summary.md");
    under_actions(&mut place, "check --budgets missing.toml");
    under_actions(&mut place, "report --budgets missing.toml");
    under_actions(&mut place, "check --budgets missing.toml --ci none");
    insta::assert_snapshot!(place.transcript());
    assert_eq!(place.read("summary.md").matches("## mcp-footprint: error").count(), 2);
}

#[test]
fn an_argument_gives_no_command_to_the_log() {
    let mut place = Place::new();
    place.write("tools.json", r#"[{"name":"a"}]"#);
    let hostile = "'x\n::error::y\u{1b}[31m'";
    for line in [
        format!("check --budgets {hostile}"),
        format!("report --from {hostile}"),
        format!("report --config {hostile}"),
        format!("diff {hostile} tools.json"),
        format!("check --against {hostile}"),
        format!("report --from tools.json --output {hostile}"),
        format!("report --from tools.json --output 'json={hostile}/x'").replace("''", ""),
        format!("report --from tools.json --format {hostile}"),
        format!("capture --from tools.json -o '{}/x'", hostile.trim_matches('\'')),
        format!("init --from tools.json --budgets '{}/budgets.toml'", hostile.trim_matches('\'')),
        hostile.to_owned(),
    ] {
        let ran = place.run(&line);
        assert_eq!(ran.code, Some(2), "{line:?}: {}", ran.stderr);
        let is_raw = |line: &str| line.starts_with("::error") || line.contains('\u{1b}');
        assert!(!ran.stderr.lines().chain(ran.stdout.lines()).any(is_raw), "{}", ran.stderr);
    }
}

#[test]
fn a_reason_that_nobody_sees_is_none() {
    let mut place = Place::new();
    place.budgets(&["ok"]);
    let ran = place.run("pin --raise --reason '\u{200b}\u{2060}'");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("say why the budgets rise"), "{}", ran.stderr);
}
