//! The entries of the file: `[servers.NAME]`, and `[clients.NAME]`, which holds all servers of a client's config to one set
//! of bands. Their names must tell every server apart, also those of a client, which documents call `client/server`.

use std::path::Path;

use super::fault::Checked;
use super::fields::{Entry, Fields};
use super::schema::{bands, capabilities, optional, pinned, pins, places, protocol, server, timeout};
use super::{Budgets, BudgetsError, EntrySource, Server, toml_text};
use crate::kind::Kind;
use crate::members::client_of;

/// The keys of a client: its config, what shapes the listing of each server, its bands, what `pin` keeps.
pub(super) const CLIENT_KEYS: [&str; 11] = [
    "config",
    "protocol",
    "timeout",
    "capabilities",
    "floor",
    "descriptions",
    "instructions",
    "tools",
    "largest",
    "pins",
    "pinned",
];

/// Reads every server and every client, in the order of the file.
pub(super) fn entries(root: &Fields<'_>, path: &Path, text: &str) -> Checked<Vec<Server>> {
    let mut found: Vec<(Kind, Entry<'_>)> = Vec::new();
    for &kind in Kind::ALL {
        if let Some(table) = root.get(kind.table()) {
            let table = table.table(&format!("a table of {}", kind.table()))?;
            found.extend(table.entries().map(|entry| (kind, entry)));
        }
    }
    found.sort_by_key(|(_, entry)| entry.first_byte());
    refuse_names_of_others(&found)?;
    let read = |(kind, entry): &(Kind, Entry<'_>)| match kind {
        Kind::Server => server(entry, path, text),
        Kind::Client => client(entry, path, text),
    };
    found.iter().map(read).collect()
}

fn client(entry: &Entry<'_>, path: &Path, text: &str) -> Checked<Server> {
    if entry.name().trim().is_empty() || entry.name().contains('/') {
        return Err(entry.fault("a client needs a name without a slash, such as `[clients.desk]`"));
    }
    let fields = entry.table("a table such as `[clients.desk]`")?;
    fields.only(&CLIENT_KEYS)?;
    let config = fields.require("config", "name the client's config, such as config = \".mcp.json\"")?;
    Ok(Server {
        name: entry.name().to_owned(),
        source: EntrySource::Config(config.filled_string()?.to_owned()),
        protocol: optional(&fields, "protocol", protocol)?,
        timeout: optional(&fields, "timeout", timeout)?,
        capabilities: optional(&fields, "capabilities", capabilities)?.unwrap_or_default(),
        bands: bands(&fields, text)?,
        pins: optional(&fields, "pins", pins)?,
        pinned: optional(&fields, "pinned", pinned)?,
        defer: None,
        silenced: Default::default(),
        places: places(&fields, entry, path, text),
    })
}

/// Refuses a server and a client of one name, and a server that is called like one of a client.
fn refuse_names_of_others(found: &[(Kind, Entry<'_>)]) -> Checked<()> {
    let is_client = |name: &str| found.iter().any(|(kind, entry)| *kind == Kind::Client && entry.name() == name);
    for (place, (kind, entry)) in found.iter().enumerate() {
        let name = toml_text::key(entry.name());
        if found[..place].iter().any(|(_, earlier)| earlier.name() == entry.name()) {
            let message =
                format!("the name `{name}` is taken: a server and a client cannot share one; rename one of them");
            return Err(entry.fault(message));
        }
        if let (Kind::Server, Some((client, _))) = (kind, client_of(entry.name()))
            && is_client(client)
        {
            let client = toml_text::key(client);
            let message = format!("the name `{name}` is that of a server of the client `{client}`; rename the server");
            return Err(entry.fault(message));
        }
    }
    Ok(())
}

/// Refuses a new name that would be one of a client's servers beside that client.
pub(super) fn refuse_beside(budgets: &Budgets, name: &str, kind: Kind) -> Result<(), BudgetsError> {
    let is_part_of = |part: &str, client: &str| client_of(part).is_some_and(|(of, _)| of == client);
    let is_clash = |entry: &&Server| match kind {
        Kind::Server => entry.kind() == Kind::Client && is_part_of(name, &entry.name),
        Kind::Client => entry.kind() == Kind::Server && is_part_of(&entry.name, name),
    };
    let Some(other) = budgets.servers.iter().find(is_clash) else { return Ok(()) };
    let (name, other) = (toml_text::key(name), toml_text::key(&other.name));
    let message = format!(
        "{kind} `{name}` cannot stand beside `{other}`, since documents call the servers of a client `client/server`; \
         choose another name with --name"
    );
    Err(BudgetsError::of_file(&budgets.path, message))
}
