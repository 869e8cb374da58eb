//! New entries: in a new file, at the end of one, and when none is added.

use super::*;

fn new_server(name: &str, source: WrittenSource) -> NewServer {
    let mut pin = pin_of(&[("search notes", 300, 20), ("add_note", 88, 14)]);
    pin.pinned.server = Some("notes".into());
    let capabilities = vec!["roots".into()];
    let source = EntrySource::Server(source);
    NewServer { name: name.into(), source, protocol: Some("2025-11-25".into()), timeout: None, capabilities, pin }
}

fn command() -> WrittenSource {
    WrittenSource::Command {
        prepare: None,
        command: "node".into(),
        args: vec!["dist/\"index\".js".into()],
        env: vec![("TOKEN".into(), "${T:-x}".into())],
        cwd: Some("..\\sub".into()),
    }
}

#[test]
fn the_first_server_makes_a_file_and_the_next_goes_to_its_end() {
    let path = Path::new("budgets.toml");
    let first = add_server(path, None, &new_server("notes", command()), Some(SCHEMA_FILE)).unwrap();
    insta::assert_snapshot!(first.after);
    let headers = vec![("Authorization".into(), "Bearer ${T}".into())];
    let url = WrittenSource::Url { url: "https://h/mcp".into(), headers };
    let next = new_server("b c", url);
    let base = parse(&first.after).unwrap();
    let second = add_server(path, Some(&base), &next, None).unwrap();
    assert_eq!(second.after.strip_prefix(&first.after).unwrap().lines().next(), Some(""));
    insta::assert_snapshot!(second.after.strip_prefix(&first.after).unwrap());
    for text in [
        decorated(),
        decorated().replace('\n', "\r\n"),
        with_estimator(""),
        with_estimator("# no server").trim().into(),
    ] {
        let base = Budgets::parse_even_without_servers(path, text.as_str()).unwrap();
        let after = add_server(path, Some(&base), &next, None).unwrap().after;
        assert!(after.starts_with(&text));
        assert_eq!(after.ends_with('\n'), text.ends_with('\n'));
        assert_eq!(after.contains('\r'), text.contains('\r'));
    }
    let base = parse(&with_estimator("servers = { a = { from = 'x' } }")).unwrap();
    insta::assert_snapshot!(add_server(path, Some(&base), &next, None).unwrap().after);
}

#[test]
fn no_entry_is_added_over_another_or_with_a_literal_header_or_for_nothing() {
    let path = Path::new("budgets.toml");
    let base = parse(&with_estimator("[servers.a]\nfrom = 'x'")).unwrap();
    let refusal = |new: &NewServer| add_server(path, Some(&base), new, None).unwrap_err().to_string();
    insta::assert_snapshot!(refusal(&new_server("a", command())));
    for value in ["Bearer hunter22", "hunter22", "my hunter22"] {
        let headers = vec![("Authorization".to_owned(), value.to_owned())];
        let message = refusal(&new_server("b", WrittenSource::Url { url: "u".into(), headers }));
        assert!(!message.contains("hunter22") && !message.contains("my"), "{message}");
        if value.starts_with("Bearer") {
            insta::assert_snapshot!(message);
        }
    }
    let mut nothing = new_server("b", command());
    nothing.pin = pin_of(&[]);
    insta::assert_snapshot!(refusal(&nothing));
}
