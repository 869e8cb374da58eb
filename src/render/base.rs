//! What budgets.toml holds less than at its base, for a person: every raise and every loosening, with its reason or
//! with what to do about the lack of one.

use std::io::{self, Write};

use super::grid::{Grid, Row, Side};
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count};
use crate::base::{Comparison, Difference, Found, Loosening};
use crate::codes::NoteCode;
use crate::gate::Reason;

/// How many digits name a commit.
const SHORT_COMMIT: usize = 12;

/// The files of the base that no longer hold what they did, in a sentence.
pub(super) fn gone(paths: impl Iterator<Item = String>) -> String {
    let paths: Vec<String> = paths.collect();
    let hold = if paths.len() == 1 { "holds" } else { "hold" };
    format!("{}, which no longer {hold} it", paths.join(" and "))
}

/// What a file that was made below another one leaves behind, in a sentence.
pub(super) fn above(path: &str) -> String {
    format!("until now {path} held this folder, so keep checking that too")
}

/// Writes the comparison; nothing where nothing was loosened, but for the base that was looked at.
pub(super) fn write(base: &Comparison, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let reference = look.quote(&base.reference, LONGEST_NAME);
    let short = |commit: &String| commit.get(..SHORT_COMMIT).unwrap_or(commit).to_owned();
    let commit = base.commits.iter().map(short).collect::<Vec<_>>().join(" and ");
    let lead = (Tone::Heading, "against the base: ");
    let at = match &base.found {
        Found::Moved(paths) => {
            let gone = gone(paths.iter().map(|path| look.quote(path, LONGEST_NAME)));
            format!("{reference} ({commit}, where it was {gone})")
        }
        _ => format!("{reference} ({commit})"),
    };
    match &base.found {
        Found::Above(path) => {
            let above = above(&look.quote(path, LONGEST_NAME));
            return look.prose(out, lead, &format!("{at} has no such file, so every budget is new; {above}"));
        }
        Found::Nowhere => return look.prose(out, lead, &format!("{at} has no such file, so every budget is new")),
        Found::Here | Found::Moved(_) => {}
    }
    if base.differences.is_empty() {
        return look.prose(out, lead, &format!("nothing is raised or loosened since {at}"));
    }
    let refused = base.differences.iter().filter(|difference| difference.is_refused()).count() as u64;
    let found = count(base.differences.len() as u64, "change");
    look.prose(out, lead, &format!("{found} since {at}, {refused} without a new reason"))?;
    grid(base, look).write(out, look)?;
    for difference in base.differences.iter().filter(|difference| !difference.is_refused()) {
        let (what, why) = (subject(difference, look), difference.reason.as_deref().unwrap_or_default());
        look.prose(out, (Tone::Secondary, "  reason: "), &format!("{what}: {}", look.quote(why, LONGEST_MESSAGE)))?;
    }
    let mut told: Vec<&str> = Vec::new();
    for difference in base.differences.iter().filter(|difference| difference.is_refused()) {
        let what_to_do = remedy(difference.loosening);
        if !told.contains(&what_to_do) {
            told.push(what_to_do);
            look.prose(out, (Tone::Plain, "  "), what_to_do)?;
        }
    }
    Ok(())
}

/// What to do about a difference that no new reason justifies.
fn remedy(loosening: Loosening) -> &'static str {
    match loosening {
        Loosening::BudgetRaised | Loosening::SlackRaised => {
            "put the number back, or say why in a new `reason` in the table of the band"
        }
        Loosening::BandRemoved
        | Loosening::SourceChanged
        | Loosening::ProtocolChanged
        | Loosening::SilenceMeant
        | Loosening::CapabilitiesChanged
        | Loosening::DeferChanged => "put it back, or say why in the `reason` of a band of the server",
        Loosening::ServerRemoved | Loosening::ClientRemoved | Loosening::EstimatorChanged => {
            "put it back, or say why in `reason = \"...\"` at the top of budgets.toml"
        }
    }
}

fn grid(base: &Comparison, look: &Look) -> Grid {
    let titles = ["server", "change", "base", "now", "verdict"].map(|title| (Side::Left, title));
    let mut grid = Grid::new(2, titles);
    for difference in &base.differences {
        let (tone, verdict) = match difference.code() {
            _ if !difference.is_refused() => (Tone::Note, "has a reason".to_owned()),
            code => (Tone::Refused, code.map(|code| code.to_string()).unwrap_or_default()),
        };
        grid.push(Row::new([
            (Tone::Plain, difference.server.as_deref().map(|name| look.quote(name, LONGEST_NAME)).unwrap_or_default()),
            (Tone::Plain, what(difference)),
            (Tone::Plain, look.quote(&difference.before, LONGEST_NAME)),
            (Tone::Plain, look.quote(&difference.after, LONGEST_NAME)),
            (tone, verdict),
        ]));
    }
    grid
}

/// One difference in one sentence: what it is, and its reason or the lack of one. Visible text.
pub(super) fn sentence(base: &Comparison, difference: &Difference, look: &Look) -> String {
    let reference = look.quote(&base.reference, LONGEST_NAME);
    let why = match &difference.reason {
        Some(reason) => format!("with the reason: {}", look.quote(reason, LONGEST_MESSAGE)),
        None => format!("without a new reason; {}", remedy(difference.loosening).replace('`', "")),
    };
    format!("{} since {reference}, {why}", subject(difference, look))
}

/// The word for a difference: that of the gate, or that of a note for a raise that has its reason.
pub(super) fn code(difference: &Difference) -> &'static str {
    difference.code().map_or(NoteCode::Raised.as_str(), Reason::as_str)
}

fn what(difference: &Difference) -> String {
    let metric = difference.metric.map(|metric| format!("{metric} ")).unwrap_or_default();
    match difference.loosening {
        Loosening::BudgetRaised => format!("{metric}budget"),
        Loosening::SlackRaised => format!("{metric}slack"),
        Loosening::BandRemoved => format!("{metric}band"),
        Loosening::ServerRemoved => "server".to_owned(),
        Loosening::ClientRemoved => "client".to_owned(),
        Loosening::SourceChanged => "source".to_owned(),
        Loosening::ProtocolChanged => "protocol".to_owned(),
        Loosening::SilenceMeant => "empty server".to_owned(),
        Loosening::CapabilitiesChanged => "capabilities".to_owned(),
        Loosening::DeferChanged => "defer".to_owned(),
        Loosening::EstimatorChanged => "estimator".to_owned(),
    }
}

fn subject(difference: &Difference, look: &Look) -> String {
    let server = difference.server.as_deref().map(|name| format!("{} ", look.quote(name, LONGEST_NAME)));
    let (before, after) = (look.quote(&difference.before, LONGEST_NAME), look.quote(&difference.after, LONGEST_NAME));
    format!("{}{} {before} -> {after}", server.unwrap_or_default(), what(difference))
}
