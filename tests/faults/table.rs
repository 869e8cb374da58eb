//! The fault table of CONTRIBUTING.md, made of the scenarios, so that it cannot say anything else than the test does.

use std::path::Path;

use super::scenario::Scenario;

const BEGIN: &str = "<!-- faults: written by the test; see above -->\n";
const END: &str = "<!-- end of faults -->\n";

/// The table in Markdown.
pub(crate) fn of(scenarios: &[Scenario]) -> String {
    let mut table =
        "| kind | fault | exit | expected | may remain running | scenario |\n|---|---|---|---|---|---|\n".to_owned();
    for scenario in scenarios {
        let get = |key| scenario.get(key).unwrap_or_default();
        let expected = match (scenario.get("error"), scenario.get("notes")) {
            (Some(error), _) => format!("`{error}`"),
            (None, Some(notes)) => format!("{}; `{notes}`", tools(get("tools"))),
            (None, None) => tools(get("tools")),
        };
        let remains = scenario.get("may remain").unwrap_or("nothing");
        let cells = [scenario.kind(), get("about"), get("exit"), &expected, remains, &scenario.name()];
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}

fn tools(count: &str) -> String {
    if count == "1" { "1 tool".to_owned() } else { format!("{count} tools") }
}

/// Holds CONTRIBUTING.md to `table`; with `INSTA_UPDATE=always`, writes it there as snapshots are written.
pub(crate) fn compare_or_update(table: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md");
    let text = std::fs::read_to_string(&file).expect("CONTRIBUTING.md is part of the repository");
    let (before, rest) = text.split_once(BEGIN).expect("CONTRIBUTING.md has a place for the table");
    let (written, after) = rest.split_once(END).expect("the table has an end");
    if written == table {
        return;
    }
    assert!(
        std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always"),
        "the fault table of CONTRIBUTING.md is not what fixtures/faults says: INSTA_UPDATE=always cargo test --test \
         faults writes it"
    );
    std::fs::write(&file, format!("{before}{BEGIN}{table}{END}{after}")).expect("CONTRIBUTING.md can be written");
}
