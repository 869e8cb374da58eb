//! The text of a budgets.toml -> checked values. Every fault is one sentence at a line and column.

use std::path::Path;

use toml_edit::Document;

use super::fault::{BudgetsError, Checked, Fault, place};
use super::fields::{Entry, Fields};
use super::{Budgets, client, schema, toml_text};
use crate::price::ESTIMATOR;

impl Budgets {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> Result<Self, BudgetsError> {
        let bytes = std::fs::read(path)
            .map_err(|error| BudgetsError::of_file(path, format!("the file cannot be read: {error}")))?;
        Budgets::parse(path, bytes)
    }

    /// Checks what was read from `path`. A byte-order mark is accepted and kept.
    pub fn parse(path: &Path, bytes: impl Into<Vec<u8>>) -> Result<Self, BudgetsError> {
        let budgets = Budgets::parse_even_without_servers(path, bytes)?;
        if budgets.servers.is_empty() {
            let message = "no server; add one with `mcp-footprint init -- COMMAND`";
            return Err(BudgetsError::at(path, super::Place { line: 1, column: 1 }, message));
        }
        Ok(budgets)
    }

    /// Checks what was read, for `init`, which may find a file that has no server yet.
    pub(crate) fn parse_even_without_servers(path: &Path, bytes: impl Into<Vec<u8>>) -> Result<Self, BudgetsError> {
        Budgets::parse_with(path, bytes.into(), implemented_estimator)
    }

    /// Checks what a file said at another time, to compare with it and to gate nothing: any estimator is accepted.
    pub fn parse_earlier(path: &Path, bytes: impl Into<Vec<u8>>) -> Result<Self, BudgetsError> {
        Budgets::parse_with(path, bytes.into(), |root| Ok(estimator_entry(root)?.string()?.to_owned()))
    }

    fn parse_with(
        path: &Path,
        bytes: Vec<u8>,
        estimator: fn(&Fields<'_>) -> Checked<String>,
    ) -> Result<Self, BudgetsError> {
        let text = String::from_utf8(bytes).map_err(|error| not_utf8(path, &error))?;
        refuse_conflict_markers(path, &text)?;
        let document = parse_toml(path, text)?;
        let contents = contents(path, &document, estimator).map_err(|fault| fault.within(path, &document))?;
        let (estimator, reason, servers) = contents;
        Ok(Budgets { path: path.to_owned(), estimator, reason, servers, text: document.raw().to_owned() })
    }
}

type Contents = (String, Option<String>, Vec<super::Server>);

fn contents(
    path: &Path,
    document: &Document<String>,
    estimator: fn(&Fields<'_>) -> Checked<String>,
) -> Checked<Contents> {
    let root = Fields::root(document.as_table());
    let estimator = estimator(&root)?;
    root.only(&schema::ROOT_KEYS)?;
    let reason = root.get("reason").map(|reason| reason.string().map(str::to_owned)).transpose()?;
    let servers = client::entries(&root, path, document.raw())?;
    Ok((estimator, reason, servers))
}

fn estimator_entry<'a>(root: &Fields<'a>) -> Checked<Entry<'a>> {
    root.require("estimator", &format!("begin it with: estimator = \"{ESTIMATOR}\""))
}

fn implemented_estimator(root: &Fields<'_>) -> Checked<String> {
    let entry = estimator_entry(root)?;
    match entry.string()? {
        ESTIMATOR => Ok(ESTIMATOR.to_owned()),
        other => Err(entry.value_fault(format!(
            "the estimator {} is not implemented by this version of mcp-footprint, which counts with \"{ESTIMATOR}\"; \
             install the version that the file was written with, or change the line and pin every server again",
            toml_text::string(other)
        ))),
    }
}

fn not_utf8(path: &Path, error: &std::string::FromUtf8Error) -> BudgetsError {
    let valid = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(&error.as_bytes()[..valid]);
    BudgetsError::at(path, place(&text, valid), "the file is not UTF-8 from here on; save it as UTF-8")
}

/// A merge that was not finished leaves lines that no TOML message would explain.
fn refuse_conflict_markers(path: &Path, text: &str) -> Result<(), BudgetsError> {
    const MARKERS: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
    let is_marker = |line: &str| {
        MARKERS
            .iter()
            .any(|marker| line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
    };
    match text.lines().position(|line| is_marker(line.trim_start_matches('\u{feff}'))) {
        None => Ok(()),
        Some(above) => {
            let message = "a merge conflict is not resolved here; keep one side, remove the markers, \
                           and run `mcp-footprint pin` to measure again";
            Err(BudgetsError::at(path, super::Place { line: above + 1, column: 1 }, message))
        }
    }
}

fn parse_toml(path: &Path, text: String) -> Result<Document<String>, BudgetsError> {
    Document::parse(text.clone()).map_err(|error| {
        let fault = syntax_fault(&text, &error);
        BudgetsError::at(path, place(&text, fault.span.start), fault.message)
    })
}

fn syntax_fault(text: &str, error: &toml_edit::TomlError) -> Fault {
    let span = error.span().unwrap_or(0..0);
    let message = match error.message() {
        "duplicate key" => defined_twice(text, span.start),
        "integer number overflowed" => "the number is too large; no budget is beyond 9223372036854775807".to_owned(),
        other => format!("this is not valid TOML: {other}"),
    };
    Fault::new(span, message)
}

fn defined_twice(text: &str, second: usize) -> String {
    let line_start = text[..second].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[line_start..].lines().next().unwrap_or_default().trim();
    let header = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| name.trim());
    let Some(header) = header else {
        return "this key is defined twice; keep one of the two".to_owned();
    };
    let first = text[..line_start].lines().position(|earlier| {
        earlier
            .trim()
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
            .is_some_and(|(name, _)| name.trim() == header)
    });
    let first = first.map(|above| format!(", first on line {}", above + 1)).unwrap_or_default();
    format!("the table `[{header}]` is defined twice{first}; keep one of the two")
}
