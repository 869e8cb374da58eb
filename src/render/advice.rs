//! Advice for a person and for programs: each finding with its measured saving, the total priced again, and once what
//! trimming may cost.

use std::io::{self, Write};

use serde::Serialize;

use super::json_text::Layout;
use super::look::{LONGEST_MESSAGE, LONGEST_NAME, Look, Tone, count, percent};
use super::unmeasured::{NotMeasured, not_measured};
use crate::advice::{Advice, Finding, RISK};
use crate::price::ESTIMATOR;
use crate::report::ServerReport;

/// Names this document and its version.
const SCHEMA: &str = "mcp-footprint-advice/1";

/// Writes the findings of one server, the `top` largest, and the total of all.
pub(crate) fn table(
    server: &str,
    advice: &Advice,
    top: Option<usize>,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = look.tint(Tone::Heading, &look.quote(server, LONGEST_NAME)).into_owned();
    let (before, after) = (advice.floor, advice.floor_after);
    let findings = count(advice.findings.len() as u64, "finding");
    writeln!(out, "{title}: {findings} {} floor {before} est. tokens ({ESTIMATOR})\n", look.dot())?;
    let shown = top.unwrap_or(usize::MAX).min(advice.findings.len());
    for finding in &advice.findings[..shown] {
        let lead =
            if finding.saved > 0 { format!("{:>8}  ", -(finding.saved as i64)) } else { format!("{:>8}  ", "-") };
        look.prose(out, (Tone::Pass, &lead), &text(finding, look))?;
    }
    if shown < advice.findings.len() {
        let more = count((advice.findings.len() - shown) as u64, "more finding");
        writeln!(out, "{:>8}  {} and {more}", "", look.ellipsis())?;
    }
    let total = match before.saturating_sub(after) {
        0 => "nothing that can be measured would be saved".to_owned(),
        saved => format!(
            "with all of it made, priced again: floor {after} est. tokens, {saved} less ({})",
            percent(saved, before)
        ),
    };
    writeln!(out)?;
    look.prose(out, (Tone::Heading, ""), &total)
}

/// Writes once what trimming may cost.
pub(crate) fn risk(look: &Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    look.prose(out, (Tone::Secondary, ""), RISK)
}

/// One finding as a sentence: tool, what to do, where, rule.
pub(super) fn text(finding: &Finding, look: &Look) -> String {
    let tool = finding.tool.as_deref().map(|tool| format!("{}: ", look.quote(tool, LONGEST_NAME))).unwrap_or_default();
    let path = match finding.path.as_str() {
        "" => String::new(),
        path => format!(" {}", look.quote(path, LONGEST_NAME)),
    };
    format!("{tool}{} [{}{path}]", look.quote(&finding.advice, LONGEST_MESSAGE), finding.rule)
}

/// The JSON document of `mcp-footprint advise`: what to trim.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint-advice/1"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = ESTIMATOR)))]
    estimator: &'static str,
    /// What trimming may cost.
    risk: &'static str,
    /// The servers that were measured.
    servers: Vec<Server<'a>>,
    /// The servers that were not measured, of which the document says nothing more.
    not_measured: Vec<NotMeasured<'a>>,
}

/// One server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Server<'a> {
    /// Its name.
    name: &'a str,
    /// Tokens of all definitions.
    floor_tokens: u64,
    /// The same with all of the advice made, priced again: savings do not simply add.
    floor_tokens_after: u64,
    /// What to trim, largest saving first.
    findings: Vec<FindingDocument<'a>>,
}

/// One thing to trim.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FindingDocument<'a> {
    /// The rule that found it, by which budgets.toml can silence it.
    #[cfg_attr(test, schemars(with = "crate::advice::Rule"))]
    rule: &'static str,
    /// The tool; `null` where it is about the whole server.
    tool: Option<&'a str>,
    /// The JSON pointer of the part; empty for the whole.
    path: &'a str,
    /// What to do.
    advice: &'a str,
    /// What that saves, counted by making the change and pricing again.
    tokens_saved: u64,
}

impl<'a> FindingDocument<'a> {
    pub(super) fn of(found: &'a Finding) -> Self {
        FindingDocument {
            rule: found.rule.as_str(),
            tool: found.tool.as_deref(),
            path: &found.path,
            advice: &found.advice,
            tokens_saved: found.saved,
        }
    }
}

/// Writes all findings of all servers.
pub(crate) fn json(servers: &[(String, Advice)], failed: &[&ServerReport], out: &mut dyn Write) -> io::Result<()> {
    let servers = servers
        .iter()
        .map(|(name, advice)| Server {
            name,
            floor_tokens: advice.floor,
            floor_tokens_after: advice.floor_after,
            findings: advice.findings.iter().map(FindingDocument::of).collect(),
        })
        .collect();
    let not_measured = not_measured(failed);
    let document = Document { schema: SCHEMA, estimator: ESTIMATOR, risk: RISK, servers, not_measured };
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}
