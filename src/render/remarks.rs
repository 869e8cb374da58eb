//! What stands beside the numbers for a person: notes, and why a server was not measured.

use std::io::{self, Write};

use super::entries::lead;
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count};
use crate::codes::{ErrorCode, Failure, Note};
use crate::report::ServerReport;

/// The most notes shown for one server; the other formats hold all of them.
const MOST_NOTES: usize = 10;
/// The most lines of standard error shown for one server, and the most columns of each.
const MOST_LINES: usize = 20;
const LONGEST_LINE: usize = 600;

/// Writes why servers were not measured, of how many, where no document says it.
pub(crate) fn failures(servers: &[&ServerReport], of: usize, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let title = look.tint(Tone::Heading, "mcp-footprint").into_owned();
    match of {
        1 => writeln!(out, "{title}: not measured")?,
        _ => writeln!(out, "{title}: {} of {of} not measured", servers.len())?,
    }
    for server in servers {
        writeln!(out)?;
        if let Err(reason) = &server.outcome {
            failure(server, reason, look, out)?;
        }
    }
    Ok(())
}

/// Writes the notes of a server that no document shows.
pub(crate) fn notes_of(server: &str, all: &[Note], look: &Look, out: &mut dyn Write) -> io::Result<()> {
    notes(all, &format!("{}: ", look.quote(server, LONGEST_NAME)), look, out)
}

/// Writes one server's notes, each begun by `owner`, which is visible text.
pub(super) fn notes<'a>(
    notes: impl IntoIterator<Item = &'a Note>,
    owner: &str,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notes: Vec<&Note> = notes.into_iter().collect();
    for note in notes.iter().take(MOST_NOTES) {
        let tool = note.tool.as_deref().map(|tool| format!("{}: ", look.quote(tool, LONGEST_NAME))).unwrap_or_default();
        let text = format!("{owner}{tool}{} ({})", look.quote(&note.message, LONGEST_MESSAGE), note.code);
        look.prose(out, (Tone::Note, "note: "), &text)?;
    }
    match notes.len().saturating_sub(MOST_NOTES) {
        0 => Ok(()),
        more => {
            let text = format!("{owner}{} and {}", look.ellipsis(), count(more as u64, "more note"));
            look.prose(out, (Tone::Note, "note: "), &text)
        }
    }
}

/// Writes why a server was not measured, with the last of its standard error.
pub(super) fn failure(server: &ServerReport, failure: &Failure, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let which = format!("{}{} ({})", lead(server), look.quote(&server.name, LONGEST_NAME), failure.code);
    look.prose(out, (Tone::Refused, "NOT MEASURED  "), &which)?;
    look.prose(out, (Tone::Plain, "  "), &look.quote(&failure.message, LONGEST_MESSAGE))?;
    match failure.stderr_tail.as_deref().map(str::trim_end) {
        None => Ok(()),
        // The sentence says it already.
        Some("") if failure.code == ErrorCode::Exited => Ok(()),
        Some("") => look.prose(out, (Tone::Secondary, "  "), "it wrote nothing to standard error"),
        Some(tail) => stderr_tail(tail, look, out),
    }
}

fn stderr_tail(tail: &str, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = tail.lines().collect();
    let passed_over = lines.len().saturating_sub(MOST_LINES);
    let title = match passed_over {
        0 => "standard error:".to_owned(),
        _ => format!("standard error, the last {MOST_LINES} lines:"),
    };
    writeln!(out, "  {}", look.tint(Tone::Secondary, &title))?;
    for line in &lines[passed_over..] {
        let shown = look.quote(&line.replace('\t', "    "), LONGEST_LINE);
        look.prose(out, (Tone::Secondary, "  | "), &shown)?;
    }
    Ok(())
}
