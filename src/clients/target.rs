//! A server of a config -> what to launch or ask. What a client would mask is masked here: every value of `env` and
//! `headers`, what is secret in a URL, and arguments that follow a flag whose name says so.

use std::path::PathBuf;

use super::variables::input_variable;
use super::{Config, ConfigError, ConfigServer};
use crate::budgets::{
    ExpandError, Lookup, PREPARE_TIMEOUT, WrittenSource, argument_secrets, expand, header_secrets, plain_target,
    source_secrets, url_secrets, url_without_secrets,
};
use crate::capture::{Endpoint, Launch, Source, Target};
use crate::secrets::Secrets;

impl Config {
    /// Resolves one server of this config; `inputs` holds the values of inputs by id.
    ///
    /// # Errors
    /// A variable that is not set, an input that was not given, an entry that only its client understands.
    pub fn target(
        &self,
        server: &ConfigServer,
        inputs: &[(String, String)],
        lookup: Lookup<'_>,
    ) -> Result<Target, ConfigError> {
        let source = server.source.as_ref().map_err(|fault| self.fault(server, fault.place, &fault.message))?;
        let given = |name: &str| {
            let input = inputs.iter().find(|(id, _)| input_variable(id) == name && server.inputs.contains(id));
            input.map(|(_, value)| value.clone()).or_else(|| lookup(name))
        };
        let mut secrets = literal_secrets(source);
        let mut expanded = |text: &str| {
            expand(text, &given, &mut secrets).map_err(|error| {
                let id = match &error {
                    ExpandError::Unset(name) => server.inputs.iter().find(|id| input_variable(id) == *name),
                    ExpandError::Malformed(_) => None,
                };
                let message = match id {
                    Some(id) => format!("it asks for the input `{id}`; give it with --input '{id}=VALUE'"),
                    None => error.to_string(),
                };
                self.fault(server, server.place, &message)
            })
        };
        let mut pairs = |pairs: &[(String, String)]| {
            pairs.iter().map(|(name, value)| Ok((name.clone(), expanded(value)?))).collect::<Result<Vec<_>, _>>()
        };
        let resolved = match source {
            WrittenSource::Command { command, args, env, cwd, .. } => {
                let env = pairs(env)?;
                Source::Stdio(Launch {
                    prepare: None,
                    prepare_timeout: PREPARE_TIMEOUT,
                    command: expanded(command)?,
                    args: args.iter().map(|arg| expanded(arg)).collect::<Result<_, _>>()?,
                    env,
                    cwd: match cwd {
                        Some(cwd) => self.folder(server).join(expanded(cwd)?),
                        None => self.folder(server),
                    },
                })
            }
            WrittenSource::Url { url, headers } => {
                let headers = pairs(headers)?;
                Source::Http(Endpoint { url: expanded(url)?, headers })
            }
            WrittenSource::From(from) => Source::File { path: self.folder(server).join(expanded(from)?) },
        };
        source_secrets(&resolved, Secrets::add, &mut secrets);
        Ok(plain_target(Some(server.name.clone()), resolved, masked_origin(source), secrets))
    }

    /// The folder that a server starts in where its entry does not say.
    fn folder(&self, server: &ConfigServer) -> PathBuf {
        server.project.as_ref().map_or_else(|| self.workspace.clone(), PathBuf::from)
    }
}

impl ConfigServer {
    /// What the client would launch or ask, for a person: secrets masked, variables as they are written.
    pub fn told(&self) -> Result<String, String> {
        let source = self.source.as_ref().map_err(|fault| fault.message.clone())?;
        let origin = masked_origin(source);
        let words = origin.command.into_iter().chain(origin.args).map(|word| quoted(&word));
        let mut told: Vec<String> = words.chain(origin.url).chain(origin.from).collect();
        if let WrittenSource::Url { headers, .. } = source {
            told.extend(headers.iter().map(|(name, _)| format!("[header {name}]")));
        }
        told.extend(origin.env.iter().map(|name| format!("[env {name}]")));
        Ok(told.join(" "))
    }
}

/// The source for documents: environment and headers by name only, and no literal secret in the arguments.
pub(super) fn masked_origin(source: &WrittenSource) -> crate::capture::source::Origin {
    let secrets = literal_secrets(source);
    let mut origin = source.origin();
    origin.command = origin.command.map(|command| secrets.mask(&command));
    origin.args = origin.args.iter().map(|arg| secrets.mask(arg)).collect();
    origin.url = origin.url.map(|url| secrets.mask(&url_without_secrets(&url)));
    origin
}

/// What of a written source is secret before anything expands.
fn literal_secrets(source: &WrittenSource) -> Secrets {
    let mut secrets = Secrets::default();
    let is_literal = |value: &str| !value.contains("${");
    match source {
        WrittenSource::Command { args, env, .. } => {
            for (name, value) in env.iter().filter(|(_, value)| is_literal(value)) {
                secrets.add(name, value);
            }
            argument_secrets(args, &mut secrets);
        }
        WrittenSource::Url { url, headers } => {
            url_secrets(url, &mut secrets);
            for (name, value) in headers.iter().filter(|(_, value)| is_literal(value)) {
                header_secrets(name, value, &mut secrets);
            }
        }
        WrittenSource::From(_) => {}
    }
    secrets
}

/// A word as a shell would want it, near enough to be read.
fn quoted(word: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"');
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}
