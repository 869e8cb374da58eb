//! SARIF 2.1.0, for code scanning: a rule for every word that a finding can carry, a result for every finding.
//!
//! Source of the members: the OASIS standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
//! Locations are lines of budgets.toml, because that is the committed text that a refusal is about; advice stands at its
//! server's table there.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::finding::{self, Finding, Level};
use super::json_text::Layout;
use crate::advice;
use crate::codes::{ErrorCode, NoteCode};
use crate::gate::Reason;
use crate::report::Report;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// GitHub refuses a run with more results.
const MOST_RESULTS: usize = 25_000;

/// Writes one run with every finding. Of more than [`MOST_RESULTS`] the notes are left out first, and it says so.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rules = rules();
    let place = report.listed_in.is_some().then(|| uri(&finding::budgets_path(report)));
    let mut findings = finding::findings(report);
    findings.extend(finding::advice(report));
    let left_out = shorten(&mut findings, MOST_RESULTS);
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &rules, place.as_deref())).collect();
    let exit_code = report.exit_code();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mcp-footprint",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(Rule::descriptor).collect::<Vec<_>>(),
            } },
            // Of two uploads of one category the later replaces the earlier.
            "automationDetails": { "id": format!("mcp-footprint/{}/", place.as_deref().unwrap_or_default()) },
            "invocations": [invocation(exit_code, left_out)],
            "columnKind": "utf16CodeUnits",
            "properties": { "estimator": report.estimator() },
            "results": results,
        }],
    });
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Layout::default()))?;
    writeln!(out)
}

/// Leaves the first `most`, those that refuse before those that only note. Gives how many are left out.
fn shorten(findings: &mut Vec<Finding>, most: usize) -> usize {
    let left_out = findings.len().saturating_sub(most);
    if left_out > 0 {
        findings.sort_by_key(|finding| finding.level != Level::Error);
        findings.truncate(most);
    }
    left_out
}

fn invocation(exit_code: u8, left_out: usize) -> Value {
    let mut invocation = json!({ "executionSuccessful": exit_code != 3, "exitCode": exit_code });
    if left_out > 0 {
        let text = format!("{left_out} more results are left out, since code scanning takes {MOST_RESULTS}");
        invocation["toolExecutionNotifications"] = json!([{ "level": "note", "message": { "text": text } }]);
    }
    invocation
}

struct Rule {
    id: &'static str,
    level: Level,
    meaning: &'static str,
    /// What following it may cost.
    help: Option<&'static str>,
}

/// Every word of the four vocabularies: a refusal, a server that was not measured, a note, advice.
fn rules() -> Vec<Rule> {
    let reasons = Reason::ALL.iter().map(|word| (word.as_str(), Level::Error, word.meaning()));
    let errors = ErrorCode::ALL.iter().map(|word| (word.as_str(), Level::Error, word.meaning()));
    let notes = NoteCode::ALL.iter().map(|word| (word.as_str(), Level::Note, word.meaning()));
    let said = reasons.chain(errors).chain(notes).map(|(id, level, meaning)| Rule { id, level, meaning, help: None });
    let advised = advice::Rule::ALL.iter().map(|word| Rule {
        id: word.as_str(),
        level: Level::Note,
        meaning: word.meaning(),
        help: Some(advice::RISK),
    });
    said.chain(advised).collect()
}

impl Rule {
    fn descriptor(&self) -> Value {
        let mut descriptor = json!({
            "id": self.id,
            "shortDescription": { "text": self.meaning },
            "defaultConfiguration": { "level": level(self.level) },
        });
        if let Some(help) = self.help {
            descriptor["help"] = json!({ "text": help });
        }
        descriptor
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Note => "note",
    }
}

fn result(finding: &Finding, rules: &[Rule], place: Option<&str>) -> Value {
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": rules.iter().position(|rule| rule.id == finding.code),
        "level": level(finding.level),
        // In plain text messages, brackets make links and braces make placeholders.
        "message": { "text": escaped(&finding.message) },
        "partialFingerprints": { "ruleServerTool/v1": finding.fingerprint },
    });
    if let Some(uri) = place {
        let mut location = json!({ "artifactLocation": { "uri": uri } });
        if let Some(line) = finding.line {
            location["region"] = json!({ "startLine": line });
        }
        result["locations"] = json!([{ "physicalLocation": location }]);
    }
    result
}

/// Message text that no viewer takes apart: `{0}` is a placeholder and `[text](target)` a link (sections 3.11.5 and
/// 3.11.6 of the standard).
fn escaped(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for c in message.chars() {
        match c {
            '{' | '}' => text.extend([c, c]),
            '[' | ']' | '\\' => text.extend(['\\', c]),
            _ => text.push(c),
        }
    }
    text
}

/// A path as a URI reference; an absolute one as a `file:` URI.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if path.get(1..3) == Some(":/") {
        uri.push_str("file:///");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_results_the_notes_go_first_and_the_rest_is_counted() {
        let of = |level, message: &str| {
            let (message, fingerprint) = (message.to_owned(), String::new());
            Finding { level, code: "x", message, line: None, fingerprint }
        };
        let mut findings = vec![of(Level::Note, "a"), of(Level::Error, "b"), of(Level::Note, "c")];
        assert_eq!(shorten(&mut findings, 3), 0);
        assert_eq!(shorten(&mut findings, 2), 1);
        assert_eq!(findings.iter().map(|finding| &*finding.message).collect::<String>(), "ba");
        let told = invocation(0, 1)["toolExecutionNotifications"][0]["message"]["text"].to_string();
        assert!(told.starts_with("\"1 more results"), "{told}");
        assert!(invocation(0, 0).get("toolExecutionNotifications").is_none());
    }

    #[test]
    fn a_path_becomes_a_uri_reference() {
        assert_eq!(uri("servers/budgets.toml"), "servers/budgets.toml");
        assert_eq!(uri("/a b/ü.toml"), "file:///a%20b/%C3%BC.toml");
        assert_eq!(uri("C:/x#y?"), "file:///C%3A/x%23y%3F");
        assert_eq!(uri("a:b"), "a%3Ab");
    }

    #[test]
    fn no_message_holds_a_link_or_a_placeholder() {
        assert_eq!(escaped(r"a {0} [x](y) \"), r"a {{0}} \[x\](y) \\");
    }

    #[test]
    fn every_word_is_one_rule() {
        let rules = rules();
        let ids: std::collections::BTreeSet<&str> = rules.iter().map(|rule| rule.id).collect();
        assert_eq!(ids.len(), rules.len());
        assert!(rules.iter().all(|rule| rule.meaning.ends_with('.')));
    }
}
