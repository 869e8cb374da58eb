//! (measurement, entry of budgets.toml) -> the gate's verdict on one server, with what attributes it. Pure.

use crate::advice::{self, largest_savings};
use crate::budgets::{Pinned, Server, meant_to_list_none};
use crate::codes::{ErrorCode, Failure, Note, NoteCode};
use crate::defer::line_tokens;
use crate::gate::{self, Change, Metric};
use crate::members::Member;
use crate::price::tokenizer;
use crate::report::{BudgetedJudgement, Gate, Measurement};
use crate::rows::{Row, RowKind};

/// The most moved tools whose savings are looked for, and the most savings of each.
const MOST_MOVED: usize = 10;
const MOST_SAVINGS: usize = 3;

/// Holds a measurement to its budgets: adds the verdict, and the notes that explain it.
///
/// # Errors
/// `instructions_unknown` when they are budgeted and the source does not tell them: that is no measurement of zero.
pub fn hold(mut measurement: Measurement, server: &Server) -> Result<Measurement, Failure> {
    refuse_unknown_instructions(&measurement, server)?;
    let mut judgements = gate::judge(&measurement.totals, &server.bands());
    if let Some(note) = silent_members(&measurement, server) {
        judgements.iter_mut().for_each(|judgement| judgement.measured_nothing());
        measurement.notes.push(note);
    }
    let changes = server.pins.as_ref().map(|pins| gate::changes(pins, &measurement.costs())).unwrap_or_default();
    if server.pins.is_none() {
        let kind = server.kind();
        let message =
            format!("budgets.toml has no pins of this {kind}, so no change can be told; `mcp-footprint pin` adds them");
        measurement.notes.push(Note::new(NoteCode::NoPins, message));
    }
    for judgement in &judgements {
        let unbanked = judgement.difference().unsigned_abs();
        if judgement.reason.is_none() && judgement.measured < judgement.band.budget {
            let metric = judgement.band.metric;
            let unit = metric.unit_of(unbanked);
            let message = format!("{metric}: {unbanked} {unit} below the budget, not banked yet");
            measurement.notes.push(Note::new(NoteCode::Unbanked, message));
        }
    }
    measurement.notes.extend(server.pinned.as_ref().and_then(|pinned| pinned_elsewhere(pinned, &measurement)));
    let is_refused = judgements.iter().any(|judgement| judgement.reason.is_some());
    let savings = if is_refused { savings(&measurement, server, &changes) } else { Vec::new() };
    let judgements = judgements
        .into_iter()
        .map(|judgement| {
            let band = server.band(judgement.band.metric);
            BudgetedJudgement {
                judgement,
                reason_text: band.and_then(|band| band.reason.clone()),
                line: band.map_or(server.line(), |band| band.line),
            }
        })
        .collect();
    measurement.gate = Some(Gate { judgements, changes, savings });
    Ok(measurement)
}

/// A band of instructions that the source does not tell has nothing that could be held to it, or pinned.
///
/// # Errors
/// `instructions_unknown`.
pub fn refuse_unknown_instructions(measurement: &Measurement, server: &Server) -> Result<(), Failure> {
    if measurement.totals.instructions.is_some() || server.band(Metric::Instructions).is_none() {
        return Ok(());
    }
    let message = "budgets.toml has a band for the instructions, and this source does not tell them; capture the server \
                   with `mcp-footprint capture`, which keeps them";
    Err(Failure::new(ErrorCode::InstructionsUnknown, message))
}

/// The servers of a client that list no tools: as with a server without tools that is no win, and no other server may
/// grow in its place. Only a pin of no tokens says that one is meant to have none.
fn silent_members(measurement: &Measurement, entry: &Server) -> Option<Note> {
    let is_meant = |member: &Member| {
        entry.pins.as_ref().and_then(|pins| pins.get(&member.name)).is_some_and(|cost| cost.tokens == 0)
    };
    let members = measurement.members.iter().flatten();
    let silent: Vec<&str> = members
        .filter(|member| member.measurement.tools.is_empty() && !is_meant(member))
        .map(|member| member.name.as_str())
        .collect();
    let (first, names) = (silent.first()?, silent.join(", "));
    let message = format!("no band passes while {names} lists no tools; {}", meant_to_list_none(&entry.name, first));
    Some(Note::new(NoteCode::NoTools, message))
}

/// The way out of a refusal: what the definitions that grew most could do without. Of a deferred tool only its line is
/// sent, and so weighed.
fn savings(measurement: &Measurement, server: &Server, changes: &[Change]) -> Vec<advice::Finding> {
    let is_silenced = |rule| server.is_silenced(rule);
    let of_row = |row: Row<'_>| match row.kind {
        RowKind::Sent(tool) => {
            largest_savings(tool, MOST_SAVINGS, &is_silenced, &|definition| tokenizer::count(definition.compact()))
        }
        RowKind::Deferred(tool, _) => {
            largest_savings(tool, MOST_SAVINGS, &is_silenced, &|definition| line_tokens(&server.name, definition))
        }
        RowKind::Frame(_) | RowKind::Member(_) => Vec::new(),
    };
    let grown = changes.iter().take(MOST_MOVED).filter(|change| change.tokens > 0);
    let rows = grown.filter_map(|change| measurement.rows().find(|row| row.name == change.tool));
    rows.flat_map(of_row).collect()
}

/// What was pinned, as a measurement tells it.
pub fn pinned(measurement: &Measurement) -> Pinned {
    let server = measurement.server.as_ref();
    let told = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    Pinned {
        server: server.and_then(|server| told(&server.name)),
        version: server.and_then(|server| told(&server.version)),
        protocol: measurement.protocol.clone(),
        platform: measurement.platform.clone(),
    }
}

/// Says what differs from the time of the last pin, where both are known: the first thing to look at when numbers do.
fn pinned_elsewhere(then: &Pinned, measurement: &Measurement) -> Option<Note> {
    let now = pinned(measurement);
    let pairs = [
        ("server", &then.server, &now.server),
        ("version", &then.version, &now.version),
        ("protocol", &then.protocol, &now.protocol),
        ("platform", &then.platform, &now.platform),
    ];
    let differences: Vec<String> = pairs
        .into_iter()
        .filter_map(|(what, then, now)| Some((what, then.as_ref()?, now.as_ref()?)))
        .filter(|(_, then, now)| then != now)
        .map(|(what, then, now)| format!("{what} {now} (pinned: {then})"))
        .collect();
    let message = format!("since the last pin another {}", differences.join(", another "));
    (!differences.is_empty()).then(|| Note::new(NoteCode::PinnedElsewhere, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budgets::Budgets;
    use crate::capture::file;

    fn measurement(capture: &str) -> Measurement {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("capture.json");
        std::fs::write(&path, capture).unwrap();
        Measurement::of(file::read(&path).unwrap().remove(0))
    }

    fn held(bands: &str, capture: &str) -> Result<Measurement, Failure> {
        let text = format!(
            "estimator = \"o200k_base:mcp-tool-json-v1\"\n[servers.s]\ncommand = \"x\"\n\
             [servers.s.floor]\nbudget = 90\nslack = 90\n[servers.s.descriptions]\nbudget = 0\n{bands}"
        );
        let budgets = Budgets::parse("budgets.toml".as_ref(), text).unwrap();
        hold(measurement(capture), &budgets.servers[0])
    }

    fn codes(measurement: &Measurement) -> Vec<NoteCode> {
        measurement.notes.iter().map(|note| note.code).collect()
    }

    const ONE_TOOL: &str = r#"[{"name":"a"}]"#;

    #[test]
    fn a_server_without_pins_is_told_so_and_unbanked_tokens_are_mentioned() {
        let held = held("", ONE_TOOL).unwrap();
        assert!(!held.is_refused());
        assert_eq!(codes(&held), [NoteCode::NoPins, NoteCode::Unbanked]);
    }

    #[test]
    fn budgeted_instructions_that_the_source_does_not_tell_are_not_measured_as_zero() {
        let failure = held("[servers.s.instructions]\nbudget = 0\n", ONE_TOOL).unwrap_err();
        assert_eq!(failure.code, ErrorCode::InstructionsUnknown);
    }

    #[test]
    fn what_differs_from_the_last_pin_is_shown_and_refuses_nothing() {
        let capture = r#"{"schema":"mcp-footprint-capture/1","servers":[{"name":"s","server":{"name":"n","version":"2"},
            "platform":"linux-x86_64","tools":[{"name":"a"}]}]}"#;
        let held = held(
            "[servers.s.pins]\na = { tokens = 1, description = 0 }\n\
             [servers.s.pinned]\nserver = \"n\"\nversion = \"1\"\nplatform = \"macos-aarch64\"\n",
            capture,
        )
        .unwrap();
        let note = held.notes.iter().find(|note| note.code == NoteCode::PinnedElsewhere).unwrap();
        assert_eq!(
            note.message,
            "since the last pin another version 2 (pinned: 1), another platform linux-x86_64 (pinned: macos-aarch64)"
        );
        assert!(!held.is_refused());
    }
}
