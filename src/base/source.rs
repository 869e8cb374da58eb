//! How an entry of budgets.toml gets its definitions from elsewhere than at the base.

use crate::budgets::{EntrySource, WrittenSource};

/// How the sources of two entries of one name differ. Where a config lies is no secret.
pub(super) fn change(before: &EntrySource, after: &EntrySource) -> Option<(String, String)> {
    let told = |source: &EntrySource| match source {
        EntrySource::Server(source) => kind(source).to_owned(),
        EntrySource::Config(config) => format!("config {config}"),
    };
    match (before, after) {
        (EntrySource::Server(before), EntrySource::Server(after)) => source_change(before, after),
        _ if before == after => None,
        _ => Some((told(before), told(after))),
    }
}

/// The keys by which two sources differ. Their values stay out: arguments, variables and headers may hold secrets.
fn source_change(before: &WrittenSource, after: &WrittenSource) -> Option<(String, String)> {
    let keys = match (before, after) {
        (before, after) if before == after => return None,
        (
            WrittenSource::Command { prepare, command, args, env, cwd },
            WrittenSource::Command {
                prepare: prepare_now,
                command: command_now,
                args: args_now,
                env: env_now,
                cwd: cwd_now,
            },
        ) => vec![
            ("prepare", prepare != prepare_now),
            ("command", command != command_now),
            ("args", args != args_now),
            ("env", env != env_now),
            ("cwd", cwd != cwd_now),
        ],
        (WrittenSource::Url { url, headers }, WrittenSource::Url { url: url_now, headers: headers_now }) => {
            vec![("url", url != url_now), ("headers", headers != headers_now)]
        }
        (WrittenSource::From(_), WrittenSource::From(_)) => vec![("from", true)],
        _ => return Some((kind(before).to_owned(), kind(after).to_owned())),
    };
    let keys: Vec<&str> = keys.into_iter().filter(|(_, differs)| *differs).map(|(key, _)| key).collect();
    Some((kind(before).to_owned(), format!("another {}", keys.join(", "))))
}

fn kind(source: &WrittenSource) -> &'static str {
    match source {
        WrittenSource::Command { .. } => "command",
        WrittenSource::Url { .. } => "url",
        WrittenSource::From(_) => "from",
    }
}
