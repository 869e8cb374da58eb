//! Every way in which a file can be wrong, with its one message.

use super::*;

/// The messages of several files, one after the other.
fn told(files: &[&str]) -> String {
    let told = files.iter().map(|text| match parse(text) {
        Ok(_) => format!("accepted: {text}\n"),
        Err(error) => format!("{error}\n"),
    });
    told.collect::<Vec<_>>().join("\n")
}

/// The messages of several servers, each in a file of its own.
fn told_of_servers(servers: &[&str]) -> String {
    let files: Vec<String> =
        servers.iter().map(|server| with_estimator(&format!("\n[servers.notes]\n{server}\n"))).collect();
    told(&files.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn faults_of_the_whole_file() {
    insta::assert_snapshot!(told(&[
        "",
        "[servers.a]\ncommand = 'x'",
        "estimator = 3",
        "estimator = 'cl100k_base:other'\nunknown = 1",
        &with_estimator(""),
        &with_estimator("[servers]"),
        &with_estimator("server = 3"),
        &with_estimator("[clients.claude]"),
        &with_estimator("servers = 3"),
        &with_estimator("[[servers]]\ncommand = 'x'"),
        &with_estimator("[servers]\na = 'x'"),
        &with_estimator("[servers.'']\ncommand = 'x'"),
    ]));
}

#[test]
fn text_that_is_no_toml() {
    insta::assert_snapshot!(told(&[
        &with_estimator("[servers.a]\ncommand = x"),
        &with_estimator("[servers.a\ncommand = 'x'"),
        &with_estimator("[servers.a]\ncommand = 'x"),
        &with_estimator("[servers.a]\ncommand = 'x'\ncommand = 'y'"),
        &with_estimator("[servers.a]\ncommand = 'x'\n\n[ servers.a ]\nargs = []"),
        &with_estimator("[servers.a]\ncommand = 'x'\nfloor = { budget = 1 }\n[servers.a.floor]\nslack = 1"),
        &with_estimator("[servers.a]\nfloor = { budget = 9223372036854775808 }"),
        &with_estimator("[servers.a]\nfloor = { budget = 012 }"),
        &with_estimator("é = { 'ü' = 1 1 }"),
    ]));
}

#[test]
fn a_merge_that_was_not_finished() {
    insta::assert_snapshot!(told(&[
        &with_estimator("[servers.a.floor]\n<<<<<<< HEAD\nbudget = 1\n=======\nbudget = 2\n>>>>>>> other\n"),
        &with_estimator("[servers.a.floor]\r\nbudget = 2\r\n=======\r\n"),
        "\u{feff}<<<<<<< HEAD\n",
    ]));
}

#[test]
fn bytes_that_are_no_utf8() {
    let bytes = [b"estimator = \"\xc3\xa9\n# \xc3\xa9 ".as_slice(), &[0xff, 0xfe]].concat();
    insta::assert_snapshot!(Budgets::parse(Path::new("budgets.toml"), bytes).unwrap_err());
}

#[test]
fn a_file_that_is_missing() {
    let message = Budgets::read(Path::new("no/such/budgets.toml")).unwrap_err().to_string();
    assert!(message.starts_with("no/such/budgets.toml: the file cannot be read: "), "{message}");
}

#[test]
fn sources_that_contradict_themselves() {
    insta::assert_snapshot!(told_of_servers(&[
        "protocol = '2025-11-25'",
        "command = 'x'\nurl = 'y'",
        "from = 'x'\nargs = []\ncommand = 'y'",
        "url = 'x'\nargs = ['a']",
        "from = 'x'\nprepare = ['make']",
        "from = 'x'\nenv.A = 'a'",
        "command = 'x'\nheaders = { A = 'b' }",
        "command = ''",
        "command = 'x'\ncwd = ' '",
        "command = 'x'\nprepare = []",
    ]));
}

#[test]
fn keys_that_are_unknown() {
    insta::assert_snapshot!(told_of_servers(&[
        "comand = 'x'",
        "command = 'x'\nflor = { budget = 1 }",
        "command = 'x'\ndeferred = true",
        "command = 'x'\nfloor = { buget = 1 }",
        "command = 'x'\n\n[servers.notes.descriptions]\nbudget = 1\nslak = 1",
        "command = 'x'\npins.a = { tokens = 1, descriptions = 1 }",
        "command = 'x'\npins.\"\\u001b[31m\\u202e\" = { token = 1 }",
        "command = 'x'\npinned.name = 'x'",
        "command = 'x'\n\"we\\nird\" = 1",
    ]));
}

#[test]
fn globs_that_are_none() {
    insta::assert_snapshot!(told_of_servers(&[
        "command = 'x'\ndefer = true",
        "command = 'x'\ndefer = []",
        "command = 'x'\ndefer = ['a', '']",
        "command = 'x'\ndefer = ['a', 'b**']",
        "command = 'x'\ndefer = ['[a']",
    ]));
}

#[test]
fn values_of_the_wrong_type() {
    insta::assert_snapshot!(told_of_servers(&[
        "command = ['x']",
        "command = 'x'\nargs = 'y'",
        "command = 'x'\nargs = [\n  'y',\n  3,\n]",
        "command = 'x'\nenv = ['A=b']",
        "command = 'x'\nenv = { SECRET = 'hunter22', PORT = 8080 }",
        "url = 'x'\nheaders = { Authorization = ['Bearer hunter22'] }",
        "command = 'x'\nprepare = 'npm run build'",
        "command = 'x'\ntimeout = 60",
        "command = 'x'\nprotocol = 2025-11-25",
        "command = 'x'\nfloor = 4507",
        "command = 'x'\nfloor = { budget = '4507' }",
        "command = 'x'\nfloor = { budget = 4.5 }",
        "command = 'x'\nfloor = { budget = 1, slack = true }",
        "command = 'x'\ntools = { budget = 1, reason = 3 }",
        "command = 'x'\npins.a = 88",
        "command = 'x'\npins = []",
    ]));
}

#[test]
fn values_that_mean_nothing() {
    insta::assert_snapshot!(told_of_servers(&[
        "command = 'x'\nfloor = { budget = -1 }",
        "command = 'x'\ntools = { budget = 1, slack = -1 }",
        "command = 'x'\nfloor = { slack = 1 }",
        "command = 'x'\nfloor = { budget = 1, slack = '5' }",
        "command = 'x'\nfloor = { budget = 1, slack = '101%' }",
        "command = 'x'\ntimeout = '60'",
        "command = 'x'\ntimeout = '0s'",
        "command = 'x'\ntimeout = '2 weeks'",
        "command = 'x'\ntimeout = '48h'",
        "command = 'x'\nprotocol = '2025-11-52'",
        "command = 'x'\ncapabilities = ['roots', 'samplings']",
        "command = 'x'\nenv = { 'A=B' = 'c' }",
        "command = 'x'\npins.a.tokens = 3",
        "command = 'x'\npins.a = { tokens = -3, description = 1 }",
    ]));
}

#[test]
fn no_message_shows_what_may_be_secret() {
    for server in [
        "command = 'x'\nenv = { TOKEN = 'hunter22', X = 1 }",
        "command = 'x'\nenv = { TOKEN = hunter22 }",
        "command = 'x'\nenv = { TOKEN = 'hunter22 }",
        "command = 'x'\nargs = ['--token', 'hunter22', 3]",
        "url = 'https://u:hunter22@h'\nheaders = { A = 'hunter22', B = { c = 'hunter22' } }",
        "url = ['https://u:hunter22@h']",
    ] {
        let error = parse(&with_estimator(&format!("[servers.a]\n{server}\n"))).unwrap_err();
        assert!(!error.to_string().contains("hunter22"), "{error}");
    }
}
