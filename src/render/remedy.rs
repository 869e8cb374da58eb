//! What to do about a verdict, as a command that can be pasted. The same words serve every format.

use crate::codes::{Note, NoteCode};
use crate::report::{Gate, Measurement, Report};
use crate::visible::is_hidden;

/// The way on from a refusal, or from tokens that nobody banked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Nothing was listed, so there is nothing to pin: look at the server.
    Inspect,
    /// Something grew: raise the budget with a reason, or trim.
    Raise,
    /// Something shrank: bank it.
    Pin,
}

impl Remedy {
    /// What a refused server needs.
    pub(super) fn of(measurement: &Measurement, gate: &Gate) -> Self {
        // A note about a whole entry; one about a server of a client has its name.
        let lists_none = |note: &Note| note.code == NoteCode::NoTools && note.tool.is_none();
        if measurement.totals.tools == 0 || measurement.notes.iter().any(lists_none) {
            Remedy::Inspect
        } else if gate.refusals().any(|(_, reason)| reason.is_growth()) {
            Remedy::Raise
        } else {
            Remedy::Pin
        }
    }

    /// What the command is for, to stand before it.
    pub(super) fn purpose(self) -> &'static str {
        match self {
            Remedy::Inspect => "a server without tools is nothing to pin; see what it says:",
            Remedy::Raise => "to accept the growth, say why:",
            Remedy::Pin => "to bank what was saved:",
        }
    }

    /// The command line, quoted for a shell.
    pub(super) fn command(self, server: &str, report: &Report, ascii: bool) -> String {
        match self {
            Remedy::Inspect => command(&["report"], server, &["--verbose"], report),
            Remedy::Raise if ascii => command(&["pin"], server, &["--raise", "--reason", "\"...\""], report),
            Remedy::Raise => command(&["pin"], server, &["--raise", "--reason", "\"…\""], report),
            Remedy::Pin => command(&["pin"], server, &[], report),
        }
    }
}

/// What can be done about a refused server: what each way is for, and its command.
pub(super) fn ways(
    report: &Report,
    server: &str,
    measurement: &Measurement,
    gate: &Gate,
    ascii: bool,
) -> Vec<(&'static str, String)> {
    let remedy = Remedy::of(measurement, gate);
    let mut ways = vec![(remedy.purpose(), remedy.command(server, report, ascii))];
    if remedy == Remedy::Raise {
        ways.push(("or find what to trim:", command(&["advise"], server, &[], report)));
    }
    ways
}

fn command(verb: &[&str], server: &str, flags: &[&str], report: &Report) -> String {
    let mut words = vec!["mcp-footprint".to_owned()];
    words.extend(verb.iter().map(|&word| word.to_owned()));
    let join = if server.starts_with('-') { "=" } else { " " };
    words.push(format!("--server{join}{}", quoted(server)));
    words.extend(report.repeat_args.iter().map(|argument| quoted(argument)));
    words.extend(flags.iter().map(|&flag| flag.to_owned()));
    words.join(" ")
}

/// One argument for a shell: bare where that is safe, in double quotes where every common shell (Windows' own too)
/// reads them alike, else in the quotes of POSIX, and in `$'…'` of bash and zsh what could not be seen, is not ASCII,
/// or would be a command to a CI system.
fn quoted(argument: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-./:=@+,".contains(c);
    if !argument.is_empty() && argument.chars().all(is_bare) {
        argument.to_owned()
    } else if argument.contains("##") || !argument.chars().all(|c| c.is_ascii() && !is_hidden(c)) {
        format!("$'{}'", argument.chars().map(ansi_c).collect::<String>())
    } else if !argument.contains(['"', '$', '`', '\\', '!', '%']) {
        format!("\"{argument}\"")
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

fn ansi_c(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        ' '..='~' if c != '#' => c.to_string(),
        _ if u32::from(c) > 0xffff => format!("\\U{:08x}", u32::from(c)),
        _ => format!("\\u{:04x}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_quoted_only_where_a_shell_would_read_it_otherwise() {
        assert_eq!(quoted("notes-2.1_x"), "notes-2.1_x");
        assert_eq!(quoted("my notes"), "\"my notes\"");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted("a;rm -rf b"), "\"a;rm -rf b\"");
        assert_eq!(quoted("$HOME"), "'$HOME'");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
    }

    #[test]
    fn what_cannot_be_seen_is_spelled_in_a_form_that_a_shell_reads_back() {
        assert_eq!(quoted("##[group]"), r"$'\u0023\u0023[group]'");
        assert_eq!(quoted("a\n'\u{202e}\u{e0041}é"), r"$'a\u000a\'\u202e\U000e0041\u00e9'");
    }
}
