//! `${VAR}`, `${VAR:-default}` and `$$` in text that a user wrote, and which secrets come to light on the way.
//!
//! The environment is passed in: this file never looks at it.

use crate::secrets::Secrets;

/// Looks a variable of the environment up.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Why a text cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpandError {
    /// The variable is not set, and the text has no default for it.
    Unset(String),
    /// The text after `${` is no variable.
    Malformed(&'static str),
}

impl std::fmt::Display for ExpandError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExpandError::Unset(variable) => write!(
                out,
                "the variable {variable} is not set; set it, or write a default: ${{{variable}:-some value}}"
            ),
            ExpandError::Malformed(fault) => {
                write!(out, "{fault}; write ${{NAME}} or ${{NAME:-some value}}, and $$ for a dollar sign")
            }
        }
    }
}

impl std::error::Error for ExpandError {}

/// Part of a text that a user wrote.
pub(super) enum Piece<'a> {
    Literal(&'a str),
    Variable { written: &'a str, name: &'a str, default: Option<&'a str> },
}

/// Expands a text, and keeps every value that came in as a secret under its variable's name.
///
/// A default is taken where the variable is unset or empty. A dollar sign before anything but `{` or `$` is itself.
pub fn expand(text: &str, lookup: Lookup<'_>, secrets: &mut Secrets) -> Result<String, ExpandError> {
    let mut expanded = String::new();
    for piece in pieces(text)? {
        match piece {
            Piece::Literal(literal) => expanded.push_str(literal),
            Piece::Variable { name, default, .. } => {
                let value = lookup(name).filter(|value| default.is_none() || !value.is_empty());
                let value = value.or_else(|| default.map(str::to_owned));
                let value = value.ok_or_else(|| ExpandError::Unset(name.to_owned()))?;
                secrets.add(name, &value);
                expanded.push_str(&value);
            }
        }
    }
    Ok(expanded)
}

/// The text that expands to this one: nothing in it is a variable.
pub(crate) fn literal(text: &str) -> String {
    match text.contains("${") || text.contains("$$") {
        true => text.replace('$', "$$"),
        false => text.to_owned(),
    }
}

/// The variables that must be set for a text to expand.
pub(crate) fn needed_variables(text: &str) -> Vec<&str> {
    let needed = |piece| match piece {
        Piece::Variable { name, default: None, .. } => Some(name),
        Piece::Variable { .. } | Piece::Literal(_) => None,
    };
    pieces(text).unwrap_or_default().into_iter().filter_map(needed).collect()
}

/// Whether a text takes something from the environment.
pub(crate) fn has_variable(text: &str) -> bool {
    pieces(text).is_ok_and(|pieces| pieces.iter().any(|piece| matches!(piece, Piece::Variable { .. })))
}

pub(super) fn pieces(text: &str) -> Result<Vec<Piece<'_>>, ExpandError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        pieces.push(Piece::Literal(&rest[..dollar]));
        rest = &rest[dollar..];
        if rest.starts_with("${") {
            let end = rest.find('}').ok_or(ExpandError::Malformed("a `${` is never closed"))?;
            pieces.push(variable(&rest[..=end])?);
            rest = &rest[end + 1..];
        } else {
            pieces.push(Piece::Literal("$"));
            rest = rest.strip_prefix("$$").unwrap_or(&rest[1..]);
        }
    }
    pieces.push(Piece::Literal(rest));
    Ok(pieces)
}

fn variable(written: &str) -> Result<Piece<'_>, ExpandError> {
    let inside = written.trim_start_matches("${").trim_end_matches('}');
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    if default.is_some_and(|default| default.contains("${")) {
        return Err(ExpandError::Malformed("a default cannot hold another `${`"));
    }
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !starts_well || !name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
        return Err(ExpandError::Malformed("what stands in `${…}` is no name of a variable"));
    }
    Ok(Piece::Variable { written, name, default })
}

/// Keeps the value of a header, and what follows its scheme, as secrets under the header's name.
pub fn header_secrets(name: &str, value: &str, secrets: &mut Secrets) {
    let value = value.trim();
    secrets.add(name, value);
    if let Some((_scheme, credentials)) = value.split_once(char::is_whitespace) {
        secrets.add(name, credentials.trim());
    }
}

/// The variable of the environment that is called like something else, such as a flag or a header.
pub(crate) fn variable_called(name: &str) -> String {
    let upper = name.to_ascii_uppercase();
    upper.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "TOKEN" => Some("hunter22".into()),
            "EMPTY" => Some(String::new()),
            _ => None,
        }
    }

    fn expanded(text: &str) -> Result<String, ExpandError> {
        expand(text, &environment, &mut Secrets::default())
    }

    #[test]
    fn variables_defaults_and_dollar_signs_expand() {
        assert_eq!(expanded("a ${TOKEN} b").unwrap(), "a hunter22 b");
        assert_eq!(expanded("${TOKEN:-x}${NONE:-y z}${EMPTY:-e}${EMPTY}").unwrap(), "hunter22y ze");
        assert_eq!(expanded("${NONE:-}").unwrap(), "");
        assert_eq!(expanded("$$ $${TOKEN} $5 $HOME $").unwrap(), "$ ${TOKEN} $5 $HOME $");
        assert_eq!(expanded("$$$${TOKEN}$$${TOKEN}").unwrap(), "$${TOKEN}$hunter22");
        for text in ["", "a", "$5", "$", "$HOME", "$$", "${TOKEN}", "a$${B}$$$c ${", "$$$"] {
            assert_eq!(expanded(&literal(text)).unwrap(), text);
        }
        assert_eq!(literal("$5 $HOME"), "$5 $HOME");
    }

    #[test]
    fn what_cannot_be_expanded_says_what_to_write() {
        let message = |text| expanded(text).unwrap_err().to_string();
        insta::assert_snapshot!(message("${NONE}"), @"the variable NONE is not set; set it, or write a default: ${NONE:-some value}");
        insta::assert_snapshot!(message("${TOKEN"), @"a `${` is never closed; write ${NAME} or ${NAME:-some value}, and $$ for a dollar sign");
        insta::assert_snapshot!(message("${1A}"), @"what stands in `${…}` is no name of a variable; write ${NAME} or ${NAME:-some value}, and $$ for a dollar sign");
        insta::assert_snapshot!(message("${A:-${TOKEN}}"), @"a default cannot hold another `${`; write ${NAME} or ${NAME:-some value}, and $$ for a dollar sign");
        for text in ["${}", "${:-x}", "${A-B}", "${A B}"] {
            assert!(matches!(expanded(text), Err(ExpandError::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn every_expanded_value_is_a_secret_under_its_variable() {
        let mut secrets = Secrets::default();
        expand("Bearer ${TOKEN} and ${OTHER:-default-value}", &environment, &mut secrets).unwrap();
        assert_eq!(secrets.mask("hunter22 default-value Bearer"), "[TOKEN] [OTHER] Bearer");
    }

    #[test]
    fn a_header_is_secret_in_whole_and_after_its_scheme() {
        let mut secrets = Secrets::default();
        header_secrets("Authorization", "Bearer abcdefgh", &mut secrets);
        assert_eq!(secrets.mask("sent Bearer abcdefgh, got abcdefgh"), "sent [Authorization], got [Authorization]");
    }
}
