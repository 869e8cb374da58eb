//! A server of a config -> what to launch or ask. What a client would mask is masked here: every value of `env` and
//! `headers`, what is secret in a URL, and arguments that follow a flag whose name says so.

use std::path::PathBuf;

use super::variables::input_variable;
use super::{Config, ConfigError, ConfigServer};
use crate::budgets::{
    ExpandError, Lookup, PREPARE_TIMEOUT, WrittenSource, expand, literal_secrets, masked_origin, plain_target,
    source_secrets,
};
use crate::capture::source::Origin;
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
        let mut secrets = literal_secrets(source, Secrets::add);
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
        Ok(plain_target(Some(server.name.clone()), resolved, masked_origin(source, Secrets::add), secrets))
    }

    /// The folder that a server starts in where its entry does not say.
    fn folder(&self, server: &ConfigServer) -> PathBuf {
        server.project.as_ref().map_or_else(|| self.workspace.clone(), PathBuf::from)
    }
}

impl ConfigServer {
    /// Where its definitions come from, for documents; `None` where nobody but the client can tell.
    pub fn origin(&self) -> Option<Origin> {
        self.source.as_ref().ok().map(|source| masked_origin(source, Secrets::add))
    }

    /// What the client would launch or ask, for a person: secrets masked, variables as they are written.
    pub fn told(&self) -> Result<String, String> {
        let source = self.source.as_ref().map_err(|fault| fault.message.clone())?;
        let origin = masked_origin(source, Secrets::add);
        let words = origin.command.into_iter().chain(origin.args).map(|word| quoted(&word));
        let mut told: Vec<String> = words.chain(origin.url).chain(origin.from).collect();
        if let WrittenSource::Url { headers, .. } = source {
            told.extend(headers.iter().map(|(name, _)| format!("[header {name}]")));
        }
        told.extend(origin.env.iter().map(|name| format!("[env {name}]")));
        Ok(told.join(" "))
    }
}

/// A word as a shell would want it, near enough to be read.
fn quoted(word: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"');
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}
