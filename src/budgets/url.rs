//! What of a URL is secret, and what of it documents may show.

use super::expand::{Piece, pieces};
use crate::secrets::Secrets;

/// Keeps the user info and the query of a URL as secrets, each in whole and by its values.
pub fn url_secrets(url: &str, secrets: &mut Secrets) {
    let parts = UrlParts::of(url);
    if let Some(user_info) = parts.user_info {
        secrets.add("URL user info", user_info);
        user_info.split(':').for_each(|part| secrets.add("URL user info", part));
    }
    if let Some(query) = parts.query {
        secrets.add("URL query", query);
        query
            .split('&')
            .filter_map(|pair| Some(pair.split_once('=')?.1))
            .for_each(|value| secrets.add("URL query", value));
    }
}

/// A URL as it was written, for documents: without fragment, and without user info and query unless all that they
/// hold is `${NAME}` without a default.
pub fn url_without_secrets(written: &str) -> String {
    let Ok(pieces) = pieces(written) else {
        return UrlParts::of(written).bare();
    };
    // Each variable stands as one private character while the URL is taken apart, since a default may hold a slash.
    let mut variables: Vec<(&str, bool)> = Vec::new();
    let mut masked = String::new();
    for piece in pieces {
        match piece {
            Piece::Literal(literal) => masked.extend(literal.chars().filter(|character| !is_stand_in(*character))),
            Piece::Variable { written, default, .. } => {
                masked.extend(char::from_u32(FIRST_STAND_IN + variables.len() as u32));
                variables.push((written, default.is_none()));
            }
        }
    }
    let variable = |stand_in: char| {
        u32::from(stand_in).checked_sub(FIRST_STAND_IN).and_then(|place| variables.get(place as usize))
    };
    let is_name_only = |text: &str| text.chars().all(|character| variable(character).is_some_and(|(_, bare)| *bare));
    let parts = UrlParts::of(&masked);
    let kept_user = parts.user_info.filter(|user_info| user_info.split(':').all(is_name_only));
    let kept_query = parts.query.filter(|query| {
        query.split('&').all(|pair| is_name_only(pair.split_once('=').map_or(pair, |(_, value)| value)))
    });
    let shown = parts.with(kept_user, kept_query);
    let mut text = String::new();
    for character in shown.chars() {
        match variable(character) {
            Some((written, _)) => text.push_str(written),
            None => text.push(character),
        }
    }
    text
}

/// The first of the private-use characters, 6,400 of them.
const FIRST_STAND_IN: u32 = 0xe000;

fn is_stand_in(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}')
}

struct UrlParts<'a> {
    scheme: &'a str,
    user_info: Option<&'a str>,
    host_and_path: &'a str,
    query: Option<&'a str>,
}

impl<'a> UrlParts<'a> {
    fn of(url: &'a str) -> Self {
        let url = url.split_once('#').map_or(url, |(before, _)| before);
        let (before_query, query) = match url.split_once('?') {
            Some((before, query)) => (before, Some(query)),
            None => (url, None),
        };
        let authority_start = before_query.find("://").map_or(0, |colon| colon + 3);
        let (scheme, rest) = before_query.split_at(authority_start);
        let authority_end = rest.find('/').unwrap_or(rest.len());
        let (user_info, host_and_path) = match rest[..authority_end].rfind('@') {
            Some(at) => (Some(&rest[..at]), &rest[at + 1..]),
            None => (None, rest),
        };
        UrlParts { scheme, user_info, host_and_path, query }
    }

    fn bare(&self) -> String {
        self.with(None, None)
    }

    fn with(&self, user_info: Option<&str>, query: Option<&str>) -> String {
        let user_info = user_info.map(|user_info| format!("{user_info}@")).unwrap_or_default();
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        format!("{}{user_info}{}{query}", self.scheme, self.host_and_path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_info_and_query_of_a_url_are_secret() {
        let mut secrets = Secrets::default();
        url_secrets("https://alice:wonderland@host/mcp?key=abcdefgh&x=1#f", &mut secrets);
        assert_eq!(secrets.mask("wonderland, abcdefgh"), "[URL user info], [URL query]");
        assert_eq!(secrets.mask("alice:wonderland@ key=abcdefgh&x=1"), "[URL user info]@ [URL query]");
    }

    #[test]
    fn a_url_in_documents_keeps_variables_and_nothing_else_that_may_be_secret() {
        for (written, shown) in [
            ("https://host/mcp", "https://host/mcp"),
            ("https://u:p@host/mcp?key=k#f", "https://host/mcp"),
            ("https://${USER}:${PASS}@host/mcp?key=${KEY}", "https://${USER}:${PASS}@host/mcp?key=${KEY}"),
            ("https://u:${PASS}@host/mcp?key=${KEY}&a=b", "https://host/mcp"),
            ("https://host/?key=${KEY:-literal}", "https://host/"),
            ("${URL:-https://a/b?c}", "${URL:-https://a/b?c}"),
            ("https://${HOST}/${PATH}", "https://${HOST}/${PATH}"),
            ("http://u:p@h/${broken", "http://h/${broken"),
        ] {
            assert_eq!(url_without_secrets(written), shown, "{written}");
        }
    }
}
