//! The keys of budgets.toml and what each may hold. A key that is not named here is a fault.

use std::collections::BTreeMap;
use std::path::Path;

use super::fault::{Checked, place};
use super::fields::{Entry, Fields};
use super::slack::Slack;
use super::timeout::parse_timeout;
use super::{EntrySource, Pinned, Places, Server, WrittenBand, WrittenSource, toml_text};
use crate::advice::Rule;
use crate::capture::offer::{parse_capability, parse_revision};
use crate::defer::Globs;
use crate::gate::{Cost, Metric};

/// The keys of the file.
pub(super) const ROOT_KEYS: [&str; 4] = ["estimator", "reason", "servers", "clients"];

/// The keys of a server: its source, what shapes the listing, its bands, what `pin` keeps.
pub(super) const SERVER_KEYS: [&str; 20] = [
    "command",
    "args",
    "env",
    "cwd",
    "prepare",
    "url",
    "headers",
    "from",
    "protocol",
    "timeout",
    "capabilities",
    "defer",
    "floor",
    "descriptions",
    "instructions",
    "tools",
    "largest",
    "pins",
    "pinned",
    "silence",
];

/// The keys of a band.
pub(super) const BAND_KEYS: [&str; 3] = ["budget", "slack", "reason"];

/// The keys that go with one kind of source, beside the key that is that source.
const COMPANIONS: [(&str, &[&str]); 3] =
    [("command", &["args", "env", "cwd", "prepare"]), ("url", &["headers"]), ("from", &[])];

pub(super) fn server(entry: &Entry<'_>, path: &Path, text: &str) -> Checked<Server> {
    if entry.name().trim().is_empty() {
        return Err(entry.fault("a server needs a name, such as `[servers.notes]`"));
    }
    let fields = entry.table("a table such as `[servers.notes]`")?;
    fields.only(&SERVER_KEYS)?;
    Ok(Server {
        name: entry.name().to_owned(),
        source: EntrySource::Server(source(&fields, entry.name())?),
        protocol: optional(&fields, "protocol", protocol)?,
        timeout: optional(&fields, "timeout", timeout)?,
        capabilities: optional(&fields, "capabilities", capabilities)?.unwrap_or_default(),
        defer: optional(&fields, "defer", defer)?,
        bands: bands(&fields, text)?,
        pins: optional(&fields, "pins", pins)?,
        pinned: optional(&fields, "pinned", pinned)?,
        silenced: optional(&fields, "silence", silenced)?.unwrap_or_default(),
        places: places(&fields, entry, path, text),
    })
}

pub(super) fn optional<'a, T>(
    fields: &Fields<'a>,
    name: &str,
    read: fn(&Entry<'a>) -> Checked<T>,
) -> Checked<Option<T>> {
    fields.get(name).map(|entry| read(&entry)).transpose()
}

fn source(fields: &Fields<'_>, server: &str) -> Checked<WrittenSource> {
    let server = toml_text::key(server);
    let mut kinds: Vec<Entry<'_>> = COMPANIONS.iter().filter_map(|(kind, _)| fields.get(kind)).collect();
    kinds.sort_by_key(Entry::first_byte);
    let kind = match kinds.as_slice() {
        [one] => one,
        [] => {
            return Err(fields.fault(format!(
                "server `{server}` has no source; add `command` to launch it, `url` to ask it, or `from` to read a capture"
            )));
        }
        [first, second, ..] => {
            let (first, second_name) = (first.name(), second.name());
            return Err(second.fault(format!(
                "server `{server}` has both `{first}` and `{second_name}`; keep the one that its tools come from"
            )));
        }
    };
    for (owner, companions) in COMPANIONS.iter().filter(|(owner, _)| *owner != kind.name()) {
        if let Some(stray) = companions.iter().find_map(|companion| fields.get(companion)) {
            let (stray_name, kind) = (stray.name(), kind.name());
            return Err(stray.fault(format!(
                "`{stray_name}` goes with `{owner}`, but server `{server}` has `{kind}`; remove `{stray_name}`"
            )));
        }
    }
    Ok(match kind.name() {
        "command" => WrittenSource::Command {
            prepare: optional(fields, "prepare", prepare)?,
            command: kind.filled_string()?.to_owned(),
            args: optional(fields, "args", Entry::strings)?.unwrap_or_default(),
            env: optional(fields, "env", variables)?.unwrap_or_default(),
            cwd: optional(fields, "cwd", Entry::filled_string)?.map(str::to_owned),
        },
        "url" => WrittenSource::Url {
            url: kind.filled_string()?.to_owned(),
            headers: optional(fields, "headers", string_pairs)?.unwrap_or_default(),
        },
        _ => WrittenSource::From(kind.filled_string()?.to_owned()),
    })
}

fn prepare(entry: &Entry<'_>) -> Checked<Vec<String>> {
    let command = entry.strings()?;
    if command.first().is_none_or(|program| program.trim().is_empty()) {
        return Err(entry.fault("`prepare` names no program; write it such as [\"npm\", \"run\", \"build\"]"));
    }
    Ok(command)
}

fn string_pairs(entry: &Entry<'_>) -> Checked<Vec<(String, String)>> {
    let pairs = entry.table("a table of strings")?.entries();
    pairs.map(|pair| Ok((pair.name().to_owned(), pair.string()?.to_owned()))).collect()
}

/// Whether the environment can hold a variable of this name; with `=` it would be another one.
pub(crate) fn is_variable_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

fn variables(entry: &Entry<'_>) -> Checked<Vec<(String, String)>> {
    let pairs = entry.table("a table of strings")?.entries();
    pairs
        .map(|pair| match pair.name() {
            name if is_variable_name(name) => Ok((name.to_owned(), pair.string()?.to_owned())),
            name => Err(pair.fault(format!(
                "`{}` is no name of a variable; write it such as {{ TOKEN = \"${{TOKEN}}\" }}",
                toml_text::key(name)
            ))),
        })
        .collect()
}

pub(super) fn protocol(entry: &Entry<'_>) -> Checked<String> {
    let text = entry.string()?;
    parse_revision(text)
        .map_err(|what_to_do| entry.value_fault(format!("`protocol` is {}; {what_to_do}", toml_text::string(text))))
}

pub(super) fn capabilities(entry: &Entry<'_>) -> Checked<Vec<String>> {
    let known = |name: String| {
        parse_capability(&name).map_err(|what_to_do| {
            entry.value_fault(format!("`capabilities` holds {}; {what_to_do}", toml_text::string(&name)))
        })
    };
    entry.strings()?.into_iter().map(known).collect()
}

pub(super) fn timeout(entry: &Entry<'_>) -> Checked<std::time::Duration> {
    let text = entry.string()?;
    parse_timeout(text)
        .map_err(|what_to_do| entry.value_fault(format!("`timeout` is {}; {what_to_do}", toml_text::string(text))))
}

fn defer(entry: &Entry<'_>) -> Checked<Globs> {
    let globs = entry.strings()?;
    if globs.is_empty() || globs.iter().any(String::is_empty) {
        return Err(entry.value_fault("`defer` names no tool; write globs such as [\"search_*\"], or remove it"));
    }
    Globs::parse(&globs).map_err(|place| {
        let glob = toml_text::string(&globs[place]);
        entry.value_fault(format!(
            "{glob} is no glob; write `*` for any characters, `?` for one, `[a-z]` for one of several, `[*]` for a star"
        ))
    })
}

pub(super) fn bands(fields: &Fields<'_>, text: &str) -> Checked<Vec<WrittenBand>> {
    let written = Metric::ALL.iter().filter_map(|&metric| Some((metric, fields.get(metric.as_str())?)));
    written.map(|(metric, entry)| band(metric, &entry, text)).collect()
}

fn band(metric: Metric, entry: &Entry<'_>, text: &str) -> Checked<WrittenBand> {
    let fields = entry.table("a table such as { budget = 1000, slack = 100 }")?;
    fields.only(&BAND_KEYS)?;
    let budget = fields.require("budget", "write the most that may be measured, such as budget = 1000")?;
    Ok(WrittenBand {
        metric,
        budget: budget.number(metric.unit())?,
        slack: fields.get("slack").map_or(Ok(Slack::Default), |entry| slack(metric, &entry))?,
        reason: optional(&fields, "reason", Entry::string)?.map(str::to_owned),
        line: place(text, budget.value_span().start).line,
    })
}

fn slack(metric: Metric, entry: &Entry<'_>) -> Checked<Slack> {
    if entry.is_integer() {
        return entry.number(metric.unit()).map(Slack::Fixed);
    }
    let text = entry
        .string()
        .map_err(|_| entry.wrong_type(&format!("a number of {} or a percentage \"5%\"", metric.unit())))?;
    Slack::parse_percent(text)
        .map_err(|what_to_do| entry.value_fault(format!("`slack` is {}; {what_to_do}", toml_text::string(text))))
}

pub(super) fn pins(entry: &Entry<'_>) -> Checked<BTreeMap<String, Cost>> {
    let tools = entry.table("the table that `mcp-footprint pin` writes")?.entries();
    tools.map(|tool| Ok((tool.name().to_owned(), cost(&tool)?))).collect()
}

fn cost(entry: &Entry<'_>) -> Checked<Cost> {
    const PIN_AGAIN: &str = "remove the line and run `mcp-footprint pin` to write it again";
    let fields = entry.table("a table such as { tokens = 88, description = 14 }")?;
    fields.only(&["tokens", "description"])?;
    Ok(Cost {
        tokens: fields.require("tokens", PIN_AGAIN)?.number("tokens")?,
        description: fields.require("description", PIN_AGAIN)?.number("tokens")?,
    })
}

/// The rules of `advise` that are not asked, each with the reason why.
fn silenced(entry: &Entry<'_>) -> Checked<BTreeMap<Rule, String>> {
    let rules = entry.table("a table such as { output-schema = \"why\" }")?.entries();
    rules
        .map(|written| {
            let rule = Rule::ALL.iter().find(|rule| rule.as_str() == written.name());
            let known = || Rule::ALL.iter().map(|rule| rule.as_str()).collect::<Vec<_>>().join(", ");
            let rule =
                rule.ok_or_else(|| written.fault(format!("there is no such rule; the rules are {}", known())))?;
            Ok((*rule, written.filled_string()?.to_owned()))
        })
        .collect()
}

pub(super) fn pinned(entry: &Entry<'_>) -> Checked<Pinned> {
    let fields = entry.table("the table that `mcp-footprint pin` writes")?;
    fields.only(&["server", "version", "protocol", "platform"])?;
    let text = |name: &str| Ok(optional(&fields, name, Entry::string)?.map(str::to_owned));
    Ok(Pinned {
        server: text("server")?,
        version: text("version")?,
        protocol: text("protocol")?,
        platform: text("platform")?,
    })
}

/// The places of the keys whose values are expanded, for the faults that only an expansion finds.
pub(super) fn places(fields: &Fields<'_>, server: &Entry<'_>, path: &Path, text: &str) -> Places {
    let at = |entry: &Entry<'_>| place(text, entry.key_span().start);
    let mut keys = BTreeMap::new();
    let expanded = ["command", "args", "env", "cwd", "url", "headers", "from", "config"];
    for entry in expanded.iter().filter_map(|key| fields.get(key)) {
        keys.insert(entry.name().to_owned(), at(&entry));
        for child in entry.table("").iter().flat_map(Fields::entries) {
            keys.insert(format!("{}.{}", entry.name(), child.name()), at(&child));
        }
    }
    Places { file: path.to_owned(), server: at(server), keys }
}
