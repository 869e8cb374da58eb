//! `[clients.NAME]`: read, held apart from the servers, and edited where it stands.

use super::*;
use crate::kind::Kind;

const DESK: &str = "[clients.desk]\nconfig = '.mcp.json' # ours\ntimeout = '2m'\nprotocol = '2025-11-25'\ncapabilities = ['roots']\n\
    [clients.desk.floor]\nbudget = 40\nslack = '5%'\n[clients.desk.pins]\ndocs = { tokens = 30, description = 9 }\n";

#[test]
fn clients_and_servers_stand_in_the_order_of_the_file() {
    let text = format!("servers.a.command = 'x'\n{DESK}[servers.b]\nfrom = 'y'\n[clients.last]\nconfig = 'z.toml'\n");
    let budgets = parse(&with_estimator(&text)).unwrap();
    let told: Vec<_> = budgets.servers.iter().map(|entry| (entry.name.as_str(), entry.kind())).collect();
    let kinds = [("a", Kind::Server), ("desk", Kind::Client), ("b", Kind::Server), ("last", Kind::Client)];
    assert_eq!(told, kinds);
    let desk = budgets.server("desk").unwrap();
    assert_eq!(desk.source, EntrySource::Config(".mcp.json".into()));
    assert_eq!((desk.timeout, desk.protocol.as_deref()), (Some(Duration::from_secs(120)), Some("2025-11-25")));
    assert_eq!((desk.capabilities.len(), desk.bands()[0].slack), (1, 2));
    assert_eq!(desk.pins.as_ref().unwrap()["docs"], Cost { tokens: 30, description: 9 });
    assert_eq!(desk.line(), 3);
}

#[test]
fn a_file_of_clients_alone_is_sound() {
    assert_eq!(parse(&with_estimator(DESK)).unwrap().servers.len(), 1);
}

#[test]
fn what_is_wrong_with_a_client_is_told_at_its_place() {
    let told = [
        "[clients.desk]\ncommand = 'x'",
        "[clients.desk]\nconfig = ''",
        "[clients.desk]\nconfig = 'x'\nsilence = {}",
        "[clients.'a/b']\nconfig = 'x'",
        "clients = 3",
        "[clients.desk]\nconfig = 'x'\n[servers.desk]\ncommand = 'x'",
        "[servers.'desk/docs']\ncommand = 'x'\n[clients.desk]\nconfig = 'x'",
    ]
    .map(|text| parse(&with_estimator(text)).unwrap_err().to_string());
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn a_pin_changes_the_numbers_of_a_client_and_names_its_servers() {
    let text = with_estimator(&format!("{DESK}[servers.docs]\ncommand = 'x'\nfloor = {{ budget = 9 }}\n"));
    let measured = [("desk".to_owned(), pin_of(&[("docs", 20, 5), ("notes", 12, 3)]))];
    let edit = pin(&parse(&text).unwrap(), &measured, None).unwrap();
    insta::assert_snapshot!(edit.after);
    let moved: Vec<_> = edit.moves.iter().map(|step| (step.kind, step.metric, step.before, step.after)).collect();
    assert_eq!(moved, [(Kind::Client, Metric::Floor, Some(40), 32), (Kind::Client, Metric::Descriptions, None, 8)]);
    let heavier = [("desk".to_owned(), pin_of(&[("docs", 50, 5)]))];
    insta::assert_snapshot!(pin(&parse(&text).unwrap(), &heavier, None).unwrap_err());
    let nothing = [("desk".to_owned(), pin_of(&[]))];
    insta::assert_snapshot!(pin(&parse(&text).unwrap(), &nothing, Some("why")).unwrap_err());
}

#[test]
fn the_config_of_a_client_is_relative_to_the_file_and_takes_variables() {
    let lookup = |name: &str| (name == "HOME").then(|| "/home/ada".to_owned());
    let resolved = |config: &str, folder: &str| {
        let budgets = parse(&with_estimator(&format!("[clients.desk]\nconfig = '{config}'"))).unwrap();
        match budgets.servers[0].resolve(Path::new(folder), &lookup) {
            Ok(Resolved::Client(path, _)) => path,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(resolved(".mcp.json", "."), Path::new(".mcp.json"));
    assert_eq!(resolved(".mcp.json", "sub"), Path::new("sub/.mcp.json"));
    assert_eq!(resolved("${HOME}/.claude.json", "sub"), Path::new("/home/ada/.claude.json"));
    let budgets = parse(&with_estimator("[clients.desk]\nconfig = '${NONE}'")).unwrap();
    let error = budgets.servers[0].resolve(Path::new("."), &lookup).unwrap_err().to_string();
    assert!(
        error.starts_with("budgets.toml:3:1: client `desk`, key `config`: the variable NONE is not set"),
        "{error}"
    );
}
