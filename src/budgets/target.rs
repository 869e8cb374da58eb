//! A written server -> what to launch, ask or open. The only step that meets the environment.

use std::path::{Path, PathBuf};

use super::arguments::argument_secrets;
use super::expand::{Lookup, expand, has_variable, header_secrets};
use super::fault::BudgetsError;
use super::timeout::{DEFAULT_TIMEOUT, PREPARE_TIMEOUT};
use super::url::{url_secrets, url_without_secrets};
use super::{EntrySource, Server, WrittenSource, toml_text};
use crate::capture::source::Origin;
use crate::capture::{Endpoint, Launch, Source, Target};
use crate::secrets::Secrets;

/// Expands the values of one server and gathers what must not be shown.
struct Expansion<'a> {
    server: &'a Server,
    lookup: Lookup<'a>,
    secrets: Secrets,
}

/// What an entry means here and now.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// A server to launch, ask or open.
    Server(Box<Target>),
    /// The config whose servers are meant, seen from where the file was, and what of its path must not be shown.
    Client(PathBuf, Secrets),
}

impl Server {
    /// Resolves the source: variables expanded, relative paths taken from the folder that the file is in. A variable
    /// that is not set is an error that names the server and the key.
    pub fn resolve(&self, file_folder: &Path, lookup: Lookup<'_>) -> Result<Resolved, BudgetsError> {
        let mut expansion = Expansion { server: self, lookup, secrets: Secrets::default() };
        let written = match &self.source {
            EntrySource::Server(written) => written,
            EntrySource::Config(config) => {
                let here = Path::new(".");
                let folder = if file_folder == here { Path::new("") } else { file_folder };
                let path = folder.join(expansion.expand("config", config)?);
                return Ok(Resolved::Client(path, expansion.secrets));
            }
        };
        let folder = expansion.absolute(file_folder)?;
        let source = expansion.source(written, folder)?;
        let origin = written.origin().masked(&expansion.secrets);
        Ok(Resolved::Server(Box::new(Target {
            name: Some(self.name.clone()),
            source,
            origin,
            protocol: self.protocol.clone(),
            capabilities: self.capabilities.clone(),
            timeout: self.timeout.unwrap_or(DEFAULT_TIMEOUT),
            secrets: expansion.secrets,
        })))
    }
}

impl Expansion<'_> {
    fn source(&mut self, written: &WrittenSource, folder: PathBuf) -> Result<Source, BudgetsError> {
        Ok(match written {
            WrittenSource::Command { prepare, command, args, env, cwd } => Source::Stdio(Launch {
                prepare: prepare.clone(),
                prepare_timeout: PREPARE_TIMEOUT,
                command: self.expand("command", command)?,
                args: self.arguments(args)?,
                env: self.environment(env)?,
                cwd: match cwd {
                    Some(cwd) => folder.join(self.expand("cwd", cwd)?),
                    None => folder,
                },
            }),
            WrittenSource::Url { url, headers } => {
                Source::Http(Endpoint { url: self.url(url)?, headers: self.headers(headers)? })
            }
            WrittenSource::From(from) => Source::File { path: folder.join(self.expand("from", from)?) },
        })
    }

    fn arguments(&mut self, args: &[String]) -> Result<Vec<String>, BudgetsError> {
        argument_secrets(args, &mut self.secrets);
        args.iter().map(|arg| self.expand("args", arg)).collect()
    }

    fn environment(&mut self, env: &[(String, String)]) -> Result<Vec<(String, String)>, BudgetsError> {
        let mut expanded = Vec::new();
        for (name, written) in env {
            let value = self.expand_member("env", name, written)?;
            self.secrets.add_if_named_so(name, &value);
            expanded.push((name.clone(), value));
        }
        Ok(expanded)
    }

    fn headers(&mut self, headers: &[(String, String)]) -> Result<Vec<(String, String)>, BudgetsError> {
        let mut expanded = Vec::new();
        for (name, written) in headers {
            let value = self.expand_member("headers", name, written)?;
            header_secrets(name, &value, &mut self.secrets);
            expanded.push((name.clone(), value));
        }
        Ok(expanded)
    }

    fn url(&mut self, written: &str) -> Result<String, BudgetsError> {
        let url = self.expand("url", written)?;
        url_secrets(&url, &mut self.secrets);
        Ok(url)
    }

    fn expand(&mut self, key: &str, written: &str) -> Result<String, BudgetsError> {
        self.expand_at(key, key, written)
    }

    fn expand_member(&mut self, table: &str, member: &str, written: &str) -> Result<String, BudgetsError> {
        self.expand_at(&format!("{table}.{member}"), &toml_text::dotted(&[table, member]), written)
    }

    fn expand_at(&mut self, place: &str, key: &str, written: &str) -> Result<String, BudgetsError> {
        expand(written, self.lookup, &mut self.secrets).map_err(|error| {
            let places = &self.server.places;
            let place = places.keys.get(place).copied().unwrap_or(places.server);
            let (kind, server) = (self.server.kind(), toml_text::key(&self.server.name));
            BudgetsError::at(&places.file, place, format!("{kind} `{server}`, key `{key}`: {error}"))
        })
    }

    fn absolute(&self, folder: &Path) -> Result<PathBuf, BudgetsError> {
        std::path::absolute(folder).map_err(|error| {
            let message = format!("the working directory cannot be found out: {error}");
            BudgetsError::of_file(&self.server.places.file, message)
        })
    }
}

impl EntrySource {
    /// The source for documents, as it was written.
    pub fn origin(&self) -> Origin {
        match self {
            EntrySource::Server(written) => written.origin(),
            EntrySource::Config(config) => Origin { config: Some(config.clone()), ..Origin::default() },
        }
    }
}

impl WrittenSource {
    /// The source for documents: as it was written, environment and headers by name only.
    pub fn origin(&self) -> Origin {
        match self {
            WrittenSource::Command { command, args, env, cwd, .. } => Origin {
                command: Some(command.clone()),
                args: args.clone(),
                env: env.iter().map(|(name, _)| name.clone()).collect(),
                cwd: cwd.clone(),
                ..Origin::default()
            },
            WrittenSource::Url { url, .. } => Origin { url: Some(url_without_secrets(url)), ..Origin::default() },
            WrittenSource::From(from) => Origin { from: Some(from.clone()), ..Origin::default() },
        }
    }
}

/// Adds what is secret in a source whose variables were filled in; `add` decides which values of `env` are.
pub(crate) fn source_secrets(source: &Source, add: fn(&mut Secrets, &str, &str), secrets: &mut Secrets) {
    match source {
        Source::Stdio(launch) => {
            launch.env.iter().for_each(|(name, value)| add(secrets, name, value));
            argument_secrets(&launch.args, secrets);
        }
        Source::Http(endpoint) => {
            url_secrets(&endpoint.url, secrets);
            endpoint.headers.iter().for_each(|(name, value)| header_secrets(name, value, secrets));
        }
        Source::File { .. } => {}
    }
}

/// What of a written source is secret before anything expands; `add` decides which values of `env` are.
pub(crate) fn literal_secrets(source: &WrittenSource, add: fn(&mut Secrets, &str, &str)) -> Secrets {
    let mut secrets = Secrets::default();
    match source {
        WrittenSource::Command { args, env, .. } => {
            for (name, value) in env.iter().filter(|(_, value)| !has_variable(value)) {
                add(&mut secrets, name, value);
            }
            argument_secrets(args, &mut secrets);
        }
        WrittenSource::Url { url, headers } => {
            url_secrets(url, &mut secrets);
            for (name, value) in headers.iter().filter(|(_, value)| !has_variable(value)) {
                header_secrets(name, value, &mut secrets);
            }
        }
        WrittenSource::From(_) => {}
    }
    secrets
}

/// The source for documents: environment and headers by name only, and no literal secret in its words.
pub(crate) fn masked_origin(source: &WrittenSource, add: fn(&mut Secrets, &str, &str)) -> Origin {
    let secrets = literal_secrets(source, add);
    let origin = source.origin().masked(&secrets);
    Origin { url: origin.url.map(|url| secrets.mask(&url)), ..origin }
}

/// A target of which nothing else was written.
pub(crate) fn plain_target(name: Option<String>, source: Source, origin: Origin, secrets: Secrets) -> Target {
    Target { name, source, origin, protocol: None, capabilities: Vec::new(), timeout: DEFAULT_TIMEOUT, secrets }
}

#[cfg(test)]
mod tests {
    use super::super::Budgets;
    use super::*;

    fn target(server: &str) -> Result<Target, BudgetsError> {
        let text = format!("estimator = \"{}\"\n[servers.notes]\n{server}", crate::price::ESTIMATOR);
        let budgets = Budgets::parse(Path::new("budgets.toml"), text).unwrap();
        let lookup = |name: &str| (name == "TOKEN").then(|| "hunter22".to_owned());
        match budgets.servers[0].resolve(&folder(), &lookup)? {
            Resolved::Server(target) => Ok(*target),
            other => panic!("{other:?}"),
        }
    }

    fn folder() -> PathBuf {
        std::env::temp_dir()
    }

    fn launch(target: &Target) -> &Launch {
        match &target.source {
            Source::Stdio(launch) => launch,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_command_is_expanded_and_starts_in_the_folder_of_the_file() {
        let target = target(
            "command = '${TOKEN}/x'\nargs = ['--token', '${TOKEN}', '$$1']\nprepare = ['make', '${TOKEN}']\n\
             env = { B = '${TOKEN}!', A = '${NONE:-a}' }\nprotocol = '2025-11-25'\ncapabilities = ['roots']",
        )
        .unwrap();
        let launch = launch(&target);
        assert_eq!(launch.command, "hunter22/x");
        assert_eq!(launch.args, ["--token", "hunter22", "$1"]);
        assert_eq!(launch.prepare.as_deref(), Some(["make".to_owned(), "${TOKEN}".to_owned()].as_slice()));
        assert_eq!(launch.env, [("B".into(), "hunter22!".into()), ("A".into(), "a".into())]);
        assert_eq!(launch.cwd, folder());
        assert_eq!((target.name.as_deref(), target.timeout), (Some("notes"), DEFAULT_TIMEOUT));
        assert_eq!((target.protocol.as_deref(), target.capabilities.len()), (Some("2025-11-25"), 1));
        assert_eq!(target.origin.args, ["--token", "${TOKEN}", "$$1"]);
        assert_eq!(target.origin.env, ["B", "A"]);
    }

    #[test]
    fn relative_paths_are_relative_to_the_file() {
        assert_eq!(launch(&target("command = 'x'\ncwd = 'sub'\ntimeout = '2m'").unwrap()).cwd, folder().join("sub"));
        assert_eq!(target("from = 'a/b.json'").unwrap().source, Source::File { path: folder().join("a/b.json") });
    }

    #[test]
    fn what_is_secret_is_masked_by_its_name() {
        let mask = |server: &str, text: &str| target(server).unwrap().secrets.mask(text);
        let env = "command = 'x'\nenv = { API_KEY = 'literal-key', DIR = 'directory' }\nargs = ['${TOKEN}']";
        assert_eq!(mask(env, "literal-key directory hunter22"), "[API_KEY] directory [TOKEN]");
        let url = "url = 'https://u:secretive@h/?k=queryvalue'\nheaders = { X-Key = 'Bearer headervalue' }";
        assert_eq!(mask(url, "secretive queryvalue headervalue"), "[URL user info] [URL query] [X-Key]");
        assert_eq!(target(url).unwrap().origin.url.as_deref(), Some("https://h/"));
    }

    #[test]
    fn an_unset_variable_names_server_and_key() {
        let message = |server: &str| target(server).unwrap_err().to_string();
        insta::assert_snapshot!(message("command = 'x'\nenv = { A = 'a', 'B.C' = '${NONE}' }"), @"budgets.toml:4:18: server `notes`, key `env.\"B.C\"`: the variable NONE is not set; set it, or write a default: ${NONE:-some value}");
        insta::assert_snapshot!(message("command = 'x'\nargs = ['${NONE}']"), @"budgets.toml:4:1: server `notes`, key `args`: the variable NONE is not set; set it, or write a default: ${NONE:-some value}");
        insta::assert_snapshot!(message("url = 'x'\nheaders.Authorization = 'Bearer ${NONE}'"), @"budgets.toml:4:9: server `notes`, key `headers.Authorization`: the variable NONE is not set; set it, or write a default: ${NONE:-some value}");
        insta::assert_snapshot!(message("from = '${NONE}/x'"), @"budgets.toml:3:1: server `notes`, key `from`: the variable NONE is not set; set it, or write a default: ${NONE:-some value}");
        insta::assert_snapshot!(message("command = '${'"), @"budgets.toml:3:1: server `notes`, key `command`: a `${` is never closed; write ${NAME} or ${NAME:-some value}, and $$ for a dollar sign");
    }
}
