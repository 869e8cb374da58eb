//! A measured server -> a new entry of budgets.toml, at the end of the file or in a new one.

mod refusal;

use std::path::Path;
use std::time::Duration;

use super::client;
use super::edit::{Edit, New, Op, Placement, apply};
use super::expand::{has_variable, variable_called};
use super::fault::BudgetsError;
use super::layout::{Home, Layout};
use super::pin::{Move, Pin, band_table, pinned_table, pins_table};
use super::slack::Slack;
use super::{Budgets, EntrySource, Pinned, Places, REQUIRED_BANDS, Server, WrittenBand, WrittenSource, toml_text};
use crate::kind::Kind;
use crate::price::ESTIMATOR;

pub use refusal::InitError;

/// An entry to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewServer {
    /// Its name in the file.
    pub name: String,
    /// Where its definitions come from, as it is to be written.
    pub source: EntrySource,
    /// The revision that was spoken; `None` where none was.
    pub protocol: Option<String>,
    /// How long a capture may take; `None` for the default.
    pub timeout: Option<Duration>,
    /// Client capabilities to declare.
    pub capabilities: Vec<String>,
    /// What was measured.
    pub pin: Pin,
}

impl Budgets {
    /// Reads the file that an entry is to be added to; `None` where there is none. It may have no server yet.
    pub fn read_to_add(path: &Path) -> Result<Option<Self>, BudgetsError> {
        match std::fs::read(path) {
            Ok(bytes) => Budgets::parse_even_without_servers(path, bytes).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(BudgetsError::of_file(path, format!("the file cannot be read: {error}"))),
        }
    }
}

impl Budgets {
    /// Refuses a name that the file has already, or that is one of a client's servers beside its client.
    pub fn refuse_existing(&self, name: &str, kind: Kind) -> Result<(), InitError> {
        client::refuse_beside(self, name, kind)?;
        match self.server(name) {
            None => Ok(()),
            Some(known) => {
                let place = known.places.server;
                Err(InitError::Exists { path: self.path.clone(), place, name: name.to_owned(), kind: known.kind() })
            }
        }
    }
}

impl WrittenSource {
    /// Refuses a header whose value takes nothing from the environment.
    pub fn refuse_literal_headers(&self) -> Result<(), InitError> {
        let WrittenSource::Url { headers, .. } = self else {
            return Ok(());
        };
        match headers.iter().find(|(_, value)| !has_variable(value)) {
            None => Ok(()),
            Some((header, value)) => {
                let variable = variable_called(header);
                let scheme = ["Bearer", "Basic"]
                    .into_iter()
                    .find(|scheme| value.split_once(' ').is_some_and(|(first, _)| first.eq_ignore_ascii_case(scheme)));
                let scheme = scheme.map(|scheme| format!("{scheme} ")).unwrap_or_default();
                Err(InitError::LiteralHeader { header: header.clone(), instead: format!("{scheme}${{{variable}}}") })
            }
        }
    }
}

/// Adds an entry to `existing`, or makes the text of a new file at `path` where there is none; the first line of that
/// names `schema`.
pub fn add_server(
    path: &Path,
    existing: Option<&Budgets>,
    new: &NewServer,
    schema: Option<&str>,
) -> Result<Edit, InitError> {
    existing.map_or(Ok(()), |budgets| budgets.refuse_existing(&new.name, new.source.kind()))?;
    if let EntrySource::Server(source) = &new.source {
        source.refuse_literal_headers()?;
    }
    if new.pin.totals.tools == 0 {
        return Err(InitError::NothingMeasured(new.source.kind(), new.name.clone()));
    }
    if new.source.kind() == Kind::Client {
        let silent = new.pin.tools.iter().filter(|(_, cost)| cost.tokens == 0);
        let silent: Vec<String> = silent.map(|(name, _)| name.clone()).collect();
        if !silent.is_empty() {
            return Err(InitError::SilentMembers(new.name.clone(), silent));
        }
    }
    let fields = fields(new);
    let after = match existing {
        None => format!("{}\n{}", beginning(schema), sections(new, &fields, "\n")),
        Some(budgets) => appended(&budgets.text, new, fields)
            .ok_or_else(|| BudgetsError::of_file(path, "the file cannot be added to; nothing was written"))?,
    };
    let before = existing.map(|budgets| budgets.text.clone());
    let edit = Edit { path: path.to_owned(), before, after, moves: moves(new) };
    let mut meant = existing.map(|budgets| budgets.servers.clone()).unwrap_or_default();
    meant.push(server(new, path));
    edit.must_hold(&meant)?;
    Ok(edit)
}

/// The file beside a new budgets file that the first line of it names, so that editors complete and check it. A path,
/// because it holds without any network, and because a linter refuses a file whose schema it cannot load.
pub const SCHEMA_FILE: &str = "budgets.schema.json";

fn beginning(schema: Option<&str>) -> String {
    let schema = schema.map(|schema| format!("#:schema {schema}\n")).unwrap_or_default();
    format!(
        "{schema}\
         # What each MCP server may cost a model, in tokens. Held by `mcp-footprint check`, moved by `mcp-footprint pin`.\n\
         estimator = \"{ESTIMATOR}\"\n"
    )
}

fn appended(text: &str, new: &NewServer, fields: Vec<(String, New)>) -> Option<String> {
    let layout = Layout::of(text.to_owned())?;
    let parent = vec![new.source.kind().table().to_owned()];
    if layout.spot(&parent).is_some_and(|spot| matches!(spot.home, Home::Braces(_))) {
        let (key, new) = (new.name.clone(), New::Table(fields));
        return apply(text, vec![Op::Put { parent, key, new, placement: Placement::Last }]);
    }
    let line_end = layout.line_end;
    let sections = sections(new, &fields, line_end);
    if text.ends_with('\n') {
        return Some(format!("{text}{line_end}{sections}"));
    }
    Some(format!("{text}{line_end}{line_end}{}", sections.trim_end()))
}

/// The keys of the entry, in the order in which they are written.
fn fields(new: &NewServer) -> Vec<(String, New)> {
    let mut fields: Vec<(&str, New)> = Vec::new();
    let string = |value: &str| New::Text(toml_text::string(value));
    match &new.source {
        EntrySource::Server(WrittenSource::Command { prepare, command, args, env, cwd }) => {
            fields.extend(prepare.as_ref().map(|prepare| ("prepare", New::Text(toml_text::strings(prepare)))));
            fields.push(("command", string(command)));
            fields.extend((!args.is_empty()).then(|| ("args", New::Text(toml_text::strings(args)))));
            fields.extend((!env.is_empty()).then(|| ("env", string_table(env))));
            fields.extend(cwd.as_ref().map(|cwd| ("cwd", string(cwd))));
        }
        EntrySource::Server(WrittenSource::Url { url, headers }) => {
            fields.push(("url", string(url)));
            fields.extend((!headers.is_empty()).then(|| ("headers", string_table(headers))));
        }
        EntrySource::Server(WrittenSource::From(from)) => fields.push(("from", string(from))),
        EntrySource::Config(config) => fields.push(("config", string(config))),
    }
    fields.extend(new.protocol.as_ref().map(|protocol| ("protocol", string(protocol))));
    fields.extend(new.timeout.map(|timeout| ("timeout", New::Text(timeout_text(timeout)))));
    let capabilities = (!new.capabilities.is_empty()).then(|| New::Text(toml_text::strings(&new.capabilities)));
    fields.extend(capabilities.map(|capabilities| ("capabilities", capabilities)));
    fields.extend(bands(new).iter().map(|band| {
        let band = band.band();
        (band.metric.as_str(), band_table(band.budget, band.slack))
    }));
    fields.push(("pins", pins_table(&new.pin.tools)));
    fields.extend((new.pin.pinned != Pinned::default()).then(|| ("pinned", pinned_table(&new.pin.pinned))));
    fields.into_iter().map(|(key, new)| (key.to_owned(), new)).collect()
}

fn bands(new: &NewServer) -> Vec<WrittenBand> {
    let band = |metric| {
        let budget = new.pin.totals.of(metric);
        let slack = Slack::Fixed(Slack::Default.resolve(metric, budget));
        WrittenBand { metric, budget, slack, reason: None, line: 0 }
    };
    REQUIRED_BANDS.map(band).into()
}

fn timeout_text(timeout: Duration) -> String {
    let text = if timeout.subsec_millis() == 0 {
        format!("{}s", timeout.as_secs())
    } else {
        format!("{}ms", timeout.as_millis())
    };
    toml_text::string(&text)
}

fn string_table(pairs: &[(String, String)]) -> New {
    New::Table(pairs.iter().map(|(name, value)| (name.clone(), New::Text(toml_text::string(value)))).collect())
}

/// `[servers.name]` with its own keys, and a section for each band and each table of `pin`.
fn sections(new: &NewServer, fields: &[(String, New)], line_end: &str) -> String {
    let line = |(key, new): &(String, New)| format!("{} = {}{line_end}", toml_text::key(key), new.inline());
    let section_of = |key: &str| !matches!(key, "env" | "headers");
    let header = toml_text::dotted(&[new.source.kind().table(), &new.name]);
    let mut own = format!("[{header}]{line_end}");
    let mut below = String::new();
    for field in fields {
        match field {
            (key, New::Table(lines)) if section_of(key) => {
                below.push_str(&format!("{line_end}[{header}.{key}]{line_end}"));
                below.extend(lines.iter().map(line));
            }
            field => own.push_str(&line(field)),
        }
    }
    own + &below
}

fn moves(new: &NewServer) -> Vec<Move> {
    let (server, kind) = (&new.name, new.source.kind());
    let after = |band: WrittenBand| Move {
        server: server.clone(),
        kind,
        metric: band.metric,
        before: None,
        after: band.budget,
    };
    bands(new).into_iter().map(after).collect()
}

fn server(new: &NewServer, path: &Path) -> Server {
    Server {
        name: new.name.clone(),
        source: new.source.clone(),
        protocol: new.protocol.clone(),
        timeout: new.timeout,
        capabilities: new.capabilities.clone(),
        defer: None,
        bands: bands(new),
        pins: Some(new.pin.tools.clone()),
        pinned: Some(new.pin.pinned.clone()),
        silenced: Default::default(),
        places: Places::nowhere(path),
    }
}
