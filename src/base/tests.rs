//! A budgets.toml against itself with one thing changed.

use super::*;

const BASE: &str = "[servers.a]\ncommand = \"x\"\nenv = { TOKEN = \"hunter22\" }\n\
    [servers.a.floor]\nbudget = 100\nslack = \"10%\"\nreason = \"issue 1\"\n\
    [servers.a.descriptions]\nbudget = 10\nslack = 5\n[servers.a.tools]\nbudget = 3\n";

fn budgets(estimator: &str, text: &str) -> Budgets {
    let text = format!("estimator = \"{estimator}\"\n{text}");
    Budgets::parse_earlier("budgets.toml".as_ref(), text).unwrap()
}

/// The base with `from` put as `to`: code, what, and the reason that was found.
fn changed(from: &str, to: &str) -> Vec<(&'static str, Loosening, Option<String>)> {
    assert!(BASE.contains(from), "{from}");
    compared(BASE, &BASE.replacen(from, to, 1))
}

fn compared(base: &str, now: &str) -> Vec<(&'static str, Loosening, Option<String>)> {
    differences(&budgets("e", base), &budgets("e", now), &[])
        .into_iter()
        .map(|found| (found.code().map_or("", Reason::as_str), found.loosening, found.reason))
        .collect()
}

const RAISED: &str = "BUDGET_RAISED_UNJUSTIFIED";
const LOOSENED: &str = "GATE_LOOSENED";

#[test]
fn what_stays_or_gets_tighter_is_no_difference() {
    assert_eq!(compared(BASE, BASE), []);
    assert_eq!(changed("budget = 100", "budget = 99"), []);
    assert_eq!(changed("slack = 5", "slack = 4"), []);
    assert_eq!(changed("[servers.a.tools]", "[servers.a.largest]\nbudget = 9\n[servers.a.tools]"), []);
    assert_eq!(compared(BASE, &format!("{BASE}[servers.b]\ncommand = \"y\"\n")), []);
}

#[test]
fn a_raise_needs_a_reason_that_is_new() {
    assert_eq!(changed("budget = 100", "budget = 101"), [(RAISED, Loosening::BudgetRaised, None)]);
    assert_eq!(changed("budget = 10\n", "budget = 11\n"), [(RAISED, Loosening::BudgetRaised, None)]);
    assert_eq!(changed("budget = 10\n", "budget = 11\nreason = \" \"\n"), [(RAISED, Loosening::BudgetRaised, None)]);
    assert_eq!(
        changed("budget = 10\n", "budget = 11\nreason = \"issue 2\"\n"),
        [("", Loosening::BudgetRaised, Some("issue 2".to_owned()))]
    );
    // What a reader does not see says nothing new.
    for unseen in ["budget = 11\nreason = \"\\u200b\"\n", "budget = 11\nreason = \"\\u2060 \\ufeff\"\n"] {
        assert_eq!(changed("budget = 10\n", unseen), [(RAISED, Loosening::BudgetRaised, None)]);
    }
    let raised = BASE.replacen("budget = 100", "budget = 200", 1);
    for same in ["issue 1\\u200b", "issue  1", "\\u200dissue 1 "] {
        let now = raised.replacen("issue 1", same, 1);
        assert_eq!(compared(BASE, &now), [(RAISED, Loosening::BudgetRaised, None)]);
    }
}

#[test]
fn a_share_that_grows_with_its_budget_is_no_larger_slack() {
    let raised = BASE.replacen("budget = 100", "budget = 200", 1).replacen("issue 1", "issue 2", 1);
    assert_eq!(compared(BASE, &raised), [("", Loosening::BudgetRaised, Some("issue 2".to_owned()))]);
    assert_eq!(changed("\"10%\"", "\"11%\""), [(LOOSENED, Loosening::SlackRaised, None)]);
    assert_eq!(changed("slack = 5\n", ""), [(LOOSENED, Loosening::SlackRaised, None)]);
}

#[test]
fn less_to_hold_is_shown_and_refused_without_a_reason() {
    assert_eq!(changed("[servers.a.tools]\nbudget = 3\n", ""), [(LOOSENED, Loosening::BandRemoved, None)]);
    assert_eq!(changed("\"x\"", "\"y\""), [(LOOSENED, Loosening::SourceChanged, None)]);
    assert_eq!(
        changed("command = \"x\"", "command = \"x\"\ncapabilities = [\"roots\"]"),
        [(LOOSENED, Loosening::CapabilitiesChanged, None)]
    );
    let revision = "command = \"x\"\nprotocol = \"2025-06-18\"";
    assert_eq!(changed("command = \"x\"", revision), [(LOOSENED, Loosening::ProtocolChanged, None)]);
    assert_eq!(changed("command = \"x\"", &revision.replace("2025-06-18", "auto")), []);
    for (before, now) in [("", "defer = [\"a*\"]\n"), ("defer = [\"a*\"]\n", "defer = [\"a*\", \"b\"]\n")] {
        let with = |defer: &str| BASE.replacen("command = \"x\"\n", &format!("command = \"x\"\n{defer}"), 1);
        assert_eq!(compared(&with(before), &with(now)), [(LOOSENED, Loosening::DeferChanged, None)]);
        assert_eq!(compared(&with(now), &with(before)), [(LOOSENED, Loosening::DeferChanged, None)]);
    }
    let justified = BASE.replacen("\"x\"", "\"y\"", 1).replacen("issue 1", "issue 2", 1);
    assert_eq!(compared(BASE, &justified), [(LOOSENED, Loosening::SourceChanged, Some("issue 2".to_owned()))]);
}

#[test]
fn a_server_of_a_client_that_may_list_nothing_from_now_on_needs_a_reason() {
    let client = |pins: &str, reason: &str| {
        format!(
            "[clients.desk]\nconfig = \".mcp.json\"\n[clients.desk.floor]\nbudget = 9\n{reason}[clients.desk.descriptions]\n\
             budget = 1\n[clients.desk.pins]\n{pins}"
        )
    };
    let pin = |tokens: u64| format!("docs = {{ tokens = {tokens}, description = 0 }}\n");
    let before = client(&pin(5), "");
    assert_eq!(compared(&before, &client(&pin(0), "")), [(LOOSENED, Loosening::SilenceMeant, None)]);
    assert_eq!(compared(&client("", ""), &client(&pin(0), "")), [(LOOSENED, Loosening::SilenceMeant, None)]);
    assert_eq!(compared(&client(&pin(0), ""), &client(&pin(0), "")), []);
    assert_eq!(compared(&before, &client(&pin(3), "")), []);
    let why = Some("it is new".to_owned());
    assert_eq!(
        compared(&before, &client(&pin(0), "reason = \"it is new\"\n")),
        [(LOOSENED, Loosening::SilenceMeant, why)]
    );
}

#[test]
fn a_removed_server_and_another_estimator_take_the_reason_of_the_file() {
    let other = "[servers.b]\ncommand = \"y\"\n";
    assert_eq!(compared(BASE, other), [(LOOSENED, Loosening::ServerRemoved, None)]);
    let told = format!("reason = \"retired\"\n{other}");
    assert_eq!(compared(BASE, &told), [(LOOSENED, Loosening::ServerRemoved, Some("retired".to_owned()))]);
    let found = differences(&budgets("old", BASE), &budgets("new", BASE), &[]);
    assert_eq!((found.len(), found[0].loosening), (1, Loosening::EstimatorChanged));
    assert!(found[0].is_refused());
}

#[test]
fn a_client_is_held_to_its_base_like_a_server() {
    let base = "[clients.desk]\nconfig = \".mcp.json\"\nfloor = { budget = 100 }\n";
    assert_eq!(compared(base, base), []);
    let raised = base.replace("100", "101");
    assert_eq!(compared(base, &raised), [(RAISED, Loosening::BudgetRaised, None)]);
    let elsewhere = base.replace(".mcp.json", "other.json");
    assert_eq!(compared(base, &elsewhere), [(LOOSENED, Loosening::SourceChanged, None)]);
    let found = differences(&budgets("e", base), &budgets("e", &elsewhere), &[]);
    assert_eq!((found[0].before.as_str(), found[0].after.as_str()), ("config .mcp.json", "config other.json"));
    let server = base.replace("clients", "servers").replace("config =", "from =");
    assert_eq!(compared(base, &server), [(LOOSENED, Loosening::SourceChanged, None)]);
    assert_eq!(compared(base, BASE), [(LOOSENED, Loosening::ClientRemoved, None)]);
}

#[test]
fn a_changed_source_names_its_keys_and_no_value() {
    let now = BASE.replacen("hunter22", "hunter23", 1);
    let found = differences(&budgets("e", BASE), &budgets("e", &now), &[]);
    assert_eq!((found[0].before.as_str(), found[0].after.as_str()), ("command", "another env"));
}

#[test]
fn only_the_servers_in_question_are_compared() {
    let two = format!("{BASE}[servers.b]\ncommand = \"y\"\n");
    let now = two.replacen("budget = 100", "budget = 200", 1);
    assert_eq!(differences(&budgets("e", &two), &budgets("e", &now), &["b".to_owned()]), []);
}
