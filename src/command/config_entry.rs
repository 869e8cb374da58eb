//! One server of a client's config -> the source of an entry of budgets.toml. A config is private and budgets.toml is
//! committed, so what may be a secret there becomes a variable of its name.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::budgets::{
    WrittenSource, has_variable, literal_secrets, needed_variables, url_without_secrets, variable_called,
};
use crate::paths::relative;
use crate::sources;
use crate::visible::visible;

/// The source as a committed file may say it; `folder` is that of the file.
pub(super) fn source(file: &Path, servers: &[String], folder: &Path) -> anyhow::Result<WrittenSource> {
    let (config, chosen) = sources::config_servers(file, servers)?;
    let server = chosen.first().context("init needs one SOURCE")?;
    let source = server.source.clone().map_err(|fault| config.fault(server, fault.place, &fault.message))?;
    // Every literal value of `env` becomes a variable, so only the words themselves are searched.
    let secrets = literal_secrets(&source, |_, _, _| {});
    let public = |word: &str| match has_variable(word) {
        true => word.to_owned(),
        false => secrets.replaced(word, reference),
    };
    Ok(match source {
        WrittenSource::Command { prepare, command, args, env, cwd } => {
            let workspace = server.project.as_ref().map_or_else(|| config.workspace.clone(), PathBuf::from);
            let cwd = cwd.map_or_else(|| workspace.clone(), |cwd| workspace.join(cwd));
            let same = cwd.canonicalize().ok() == folder.canonicalize().ok();
            let named = |(name, value): (String, String)| {
                let value = if has_variable(&value) { value } else { format!("${{{name}}}") };
                (name, value)
            };
            WrittenSource::Command {
                prepare,
                command: public(&command),
                args: args.iter().map(|arg| public(arg)).collect(),
                env: env.into_iter().map(named).collect(),
                cwd: (!same).then(|| relative(&cwd, folder)),
            }
        }
        WrittenSource::Url { url, headers } if url_without_secrets(&url) == url => WrittenSource::Url { url, headers },
        WrittenSource::Url { url, headers } => WrittenSource::Url { url: secrets.replaced(&url, reference), headers },
        from @ WrittenSource::From(_) => from,
    })
}

fn reference(name: &str) -> String {
    format!("${{{}}}", variable_called(name))
}

/// Says which variables must be set where the entry is checked.
pub(super) fn tell_variables(source: &WrittenSource, err: &mut dyn Write) -> std::io::Result<()> {
    let names: Vec<String> = variables(source).iter().map(|name| visible(name).into_owned()).collect();
    match names.as_slice() {
        [] => Ok(()),
        names => {
            let names = names.join(", ");
            writeln!(err, "note: the entry takes {names} from the environment; set what is missing where `check` runs")
        }
    }
}

/// The variables without a default that a source takes.
fn variables(source: &WrittenSource) -> BTreeSet<&str> {
    let texts: Vec<&String> = match source {
        WrittenSource::Command { command, args, env, .. } => {
            std::iter::once(command).chain(args).chain(env.iter().map(|(_, value)| value)).collect()
        }
        WrittenSource::Url { url, headers } => {
            std::iter::once(url).chain(headers.iter().map(|(_, value)| value)).collect()
        }
        WrittenSource::From(from) => vec![from],
    };
    texts.into_iter().flat_map(|text| needed_variables(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_secret_in_a_url_becomes_a_variable_and_variables_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mcp.json");
        for (url, public) in [
            ("https://host/mcp", "https://host/mcp"),
            ("https://host/mcp?key=${KEY}", "https://host/mcp?key=${KEY}"),
            ("https://host/mcp?key=hunter2222", "https://host/mcp?${URL_QUERY}"),
            ("https://ada:hunter2222@host/mcp", "https://${URL_USER_INFO}@host/mcp"),
            ("https://ada:hunter2222@host/?key=${KEY}", "https://${URL_USER_INFO}@host/?${URL_QUERY}"),
        ] {
            std::fs::write(&file, format!(r#"{{"mcpServers":{{"s":{{"url":"{url}"}}}}}}"#)).unwrap();
            let source = source(&file, &["s".to_owned()], folder.path()).unwrap();
            assert_eq!(source, WrittenSource::Url { url: public.to_owned(), headers: Vec::new() });
        }
    }
}
