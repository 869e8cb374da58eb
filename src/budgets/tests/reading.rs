//! What sound files are read as.

use super::*;

#[test]
fn every_key_is_read_and_servers_stand_in_the_order_of_the_file() {
    let budgets = parse(&with_estimator(
        r#"
[servers.zebra.floor]
budget = 4507
slack = 250
reason = "search_notes, issue 41"

[servers.zebra]
prepare = ["npm", "run", "build"]
command = "node"
args = ["dist/index.js"]
env = { NOTES_DIR = "fixtures/notes", A = "${A:-dummy}" }
cwd = "sub"
protocol = "2025-11-25"
timeout = "2m"
capabilities = ["roots"]
defer = ["old_*", "x"]

[servers.zebra.pins]
add_note = { tokens = 88, description = 14 }
"odd name" = { tokens = 1_000, description = 0 }

[servers.zebra.pinned]
server = "notes-server"
version = "1.2.0"

[servers.alpha]
url = "https://host/mcp"
headers = { Authorization = "Bearer ${T}" }
tools = { budget = 3 }
floor = { budget = 100, slack = "5%" }

[servers.beta]
from = "capture.json"
"#,
    ))
    .unwrap();
    let names: Vec<&str> = budgets.servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(names, ["zebra", "alpha", "beta"]);
    let zebra = budgets.server("zebra").unwrap();
    let EntrySource::Server(WrittenSource::Command { prepare, command, args, env, cwd }) = &zebra.source else {
        panic!()
    };
    assert_eq!(prepare.as_ref().unwrap(), &["npm", "run", "build"]);
    assert_eq!(
        (command.as_str(), args.as_slice(), cwd.as_deref()),
        ("node", &["dist/index.js".into()][..], Some("sub"))
    );
    assert_eq!(env, &[("NOTES_DIR".into(), "fixtures/notes".into()), ("A".into(), "${A:-dummy}".into())]);
    assert_eq!((zebra.protocol.as_deref(), zebra.timeout), (Some("2025-11-25"), Some(Duration::from_secs(120))));
    assert_eq!(zebra.capabilities, ["roots"]);
    assert_eq!(zebra.defer.as_ref().map(Globs::written), Some(vec!["old_*".to_owned(), "x".to_owned()]));
    let floor = zebra.band(Metric::Floor).unwrap();
    assert_eq!((floor.budget, floor.slack, floor.line), (4507, Slack::Fixed(250), 4));
    assert_eq!(floor.reason.as_deref(), Some("search_notes, issue 41"));
    let pins = zebra.pins.as_ref().unwrap();
    assert_eq!(pins["add_note"], Cost { tokens: 88, description: 14 });
    assert_eq!(pins["odd name"], Cost { tokens: 1000, description: 0 });
    assert_eq!(zebra.pinned.as_ref().unwrap().version.as_deref(), Some("1.2.0"));
    assert_eq!(zebra.line(), 3 + 5);

    let alpha = budgets.server("alpha").unwrap();
    assert_eq!(
        alpha.source,
        EntrySource::Server(WrittenSource::Url {
            url: "https://host/mcp".into(),
            headers: vec![("Authorization".into(), "Bearer ${T}".into())],
        })
    );
    let bands = [(Metric::Floor, 100, 5), (Metric::Tools, 3, 1)];
    assert_eq!(alpha.bands(), bands.map(|(metric, budget, slack)| Band { metric, budget, slack }));
    assert_eq!((alpha.pins.is_none(), alpha.pinned.is_none(), alpha.timeout), (true, true, None));
    assert_eq!(budgets.server("beta").unwrap().source, EntrySource::Server(WrittenSource::From("capture.json".into())));
}

#[test]
fn one_meaning_may_be_written_in_every_way_that_toml_has() {
    let sections = "[servers.a]\ncommand = 'x'\nenv = { K = 'v' }\n[servers.a.floor]\nbudget = 5\nslack = 1\n\
                    [servers.a.pins]\nt = { tokens = 5, description = 1 }";
    let values = |text: &str| parse(&with_estimator(text)).unwrap().values().1;
    for text in [
        "servers = { a = { command = 'x', env = { K = 'v' }, floor = { budget = 5, slack = 1 }, pins = { t = { tokens = 5, description = 1 } } } }",
        "servers.a.command = 'x'\nservers.a.env.K = 'v'\nservers.a.floor.budget = 5\nservers.a.floor.slack = 1\n\
         servers.a.pins.t.tokens = 5\nservers.a.pins.t.description = 1",
        "[servers]\na.command = 'x'\na.env = { K = 'v' }\na.floor = { budget = 5, slack = 1 }\n\
         [servers.a.pins.t]\ntokens = 5\ndescription = 1",
        "[servers.a.pins]\nt.tokens = 5\nt.description = 1\n[servers.a.floor]\nslack = 1\nbudget = 5\n\
         [servers.a.env]\nK = 'v'\n[servers.a]\ncommand = 'x'",
        "servers = {\n  # TOML 1.1\n  a.command = \"x\", a.env.K = 'v',\n  a.floor = {\n    budget = 0x5,\n    slack = +1,\n  },\n\
         a.pins.t = { tokens = 5, description = 1 } }",
    ] {
        assert_eq!(values(text), values(sections), "{text}");
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_accepted_and_kept() {
    let text = format!("\u{feff}{}", with_estimator("[servers.a]\ncommand = 'x'\n").replace('\n', "\r\n"));
    let budgets = parse(&text).unwrap();
    assert_eq!(budgets.text, text);
    assert_eq!(budgets.servers[0].line(), 2);
}

#[test]
fn a_server_without_a_required_band_says_what_adds_it() {
    let budgets =
        parse(&with_estimator("[servers.a]\ncommand = 'x'\n[servers.'b c']\nfrom = 'y'\nfloor.budget = 1")).unwrap();
    let message = |name: &str| budgets.server(name).unwrap().require_bands().unwrap_err().to_string();
    insta::assert_snapshot!(message("a"));
    insta::assert_snapshot!(message("b c"));
}
