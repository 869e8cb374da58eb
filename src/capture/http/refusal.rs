//! An answer that is no success, and what it means: the JSON-RPC error in it, or a failure in sentences.

use ureq::http::{HeaderMap, Uri, header};

use super::redirect;
use super::sse::Events;
use crate::capture::connection::Awaited;
use crate::codes::{ErrorCode, Failure};
use crate::json::{Kind, Text};
use crate::secrets::Secrets;

/// As much of an answer as a message quotes.
const SHOWN_CHARACTERS: usize = 200;
/// The errors that only servers of 2026-07-28 know: headers that differ from the message, or are missing, and a
/// revision that is not spoken.
const MODERN_ERRORS: std::ops::RangeInclusive<i64> = -32022..=-32020;

/// An answer whose status is no success. Hostile text.
pub(super) struct Refusal {
    /// Its status.
    pub(super) status: u16,
    /// The address that gave it.
    pub(super) address: Uri,
    /// Its headers.
    pub(super) headers: HeaderMap,
    /// Its body, as far as it was read.
    pub(super) body: Vec<u8>,
}

impl Refusal {
    /// The JSON-RPC error in it, as the answer to the request with this id. What an error answers is told by the
    /// connection: one that is found before the message is read has no id.
    pub(super) fn answer(&self, id: Text<'_>) -> Option<Vec<u8>> {
        let body = match is_events(&self.headers) {
            true => Events::new(self.body.as_slice(), self.body.len()).next_data().ok()??,
            false => self.body.clone(),
        };
        error_with_id(&body, id)
    }

    /// Whether a server that was to speak 2026-07-28 shows by this that it does not.
    pub(super) fn is_of_older_server(&self, answer: Option<&[u8]>) -> bool {
        let error = answer.and_then(|answer| Text::parse(std::str::from_utf8(answer).ok()?).ok()?.get("error"));
        let code = error.and_then(|error| error.get("code")).and_then(|code| code.as_str().parse().ok());
        self.status == 400 && !code.is_some_and(|code: i64| MODERN_ERRORS.contains(&code))
    }

    /// Whether the server wants to be told who asks.
    pub(super) fn wants_authorisation(&self) -> bool {
        matches!(self.status, 401 | 403)
    }

    /// What the refusal of a request means for the measurement.
    pub(super) fn failure(&self, awaited: &Awaited, secrets: &Secrets) -> Failure {
        if self.wants_authorisation() {
            return self.unauthorized(awaited, secrets);
        }
        if (300..400).contains(&self.status)
            && let Some(to) = text_of(&self.headers, header::LOCATION.as_str())
            && let Some(next) = redirect::target(&self.address, &to)
        {
            return self.redirected(&next);
        }
        let hint = match (*awaited == Awaited::INITIALIZE, *awaited == Awaited::DISCOVER, self.status) {
            (true, _, 400 | 404 | 405) => {
                "; look at the URL; if it is right, the server may speak only the older HTTP+SSE transport, which is \
                 deprecated and not spoken here"
            }
            (_, true, 400) => {
                "; it seems to speak only revisions before 2026-07-28: leave out `protocol`, or name an older one"
            }
            _ => "",
        };
        let message = format!(
            "the server answered {awaited} with HTTP status {}{}{hint}",
            self.status,
            quoted(&self.body, secrets)
        );
        Failure::new(ErrorCode::HttpStatus, message)
    }

    fn unauthorized(&self, awaited: &Awaited, secrets: &Secrets) -> Failure {
        let wants = text_of(&self.headers, header::WWW_AUTHENTICATE.as_str());
        let scheme = wants.as_deref().and_then(|wants| wants.split([' ', ',']).next());
        let scheme = scheme.filter(|scheme| !scheme.is_empty());
        let told = scheme.map(|scheme| format!(", scheme {scheme}")).unwrap_or_default();
        let message = format!(
            "the server wants authorisation: it answered {awaited} with HTTP status {}{told}{}; give it with --header \
             'Authorization: {} ${{TOKEN}}', or with `headers` in budgets.toml; no browser is opened and nothing is \
             asked for here",
            self.status,
            quoted(&self.body, secrets),
            scheme.unwrap_or("Bearer"),
        );
        Failure::new(ErrorCode::Unauthorized, message)
    }

    /// A redirect that was not followed.
    fn redirected(&self, next: &Uri) -> Failure {
        let status = self.status;
        if !redirect::same_origin(&self.address, next) {
            let message = format!(
                "the server redirects to another origin, {} (HTTP status {status}), where nothing is sent; give its \
                 URL if you trust it",
                redirect::origin(next)
            );
            return Failure::new(ErrorCode::CrossOriginRedirect, message);
        }
        let message = format!(
            "the server redirects to {} with HTTP status {status}; only 307 and 308 keep a message as it is, and not \
             for ever; give the URL that it leads to",
            next.path()
        );
        Failure::new(ErrorCode::HttpStatus, message)
    }
}

/// A JSON-RPC error that stands alone, as the answer to the request with this id.
pub(super) fn error_with_id(body: &[u8], id: Text<'_>) -> Option<Vec<u8>> {
    let body = Text::parse(std::str::from_utf8(body).ok()?).ok()?;
    let error = body.get("error").filter(|error| error.kind() == Kind::Object)?;
    Some(format!(r#"{{"jsonrpc":"2.0","id":{},"error":{}}}"#, id.as_str(), error.as_str()).into_bytes())
}

/// Refuses a body that is compressed: this program asks for none, and reads none.
///
/// # Errors
/// `bad_answer`, with the coding.
pub(super) fn refuse_coded(headers: &HeaderMap, secrets: &Secrets) -> Result<(), Failure> {
    match text_of(headers, header::CONTENT_ENCODING.as_str()) {
        Some(coding) if !coding.trim().eq_ignore_ascii_case("identity") => {
            let coding = secrets.shortened(coding.trim(), SHOWN_CHARACTERS);
            let message = format!(
                "the server compressed its answer ({coding}), which nobody asked for; turn that off for this endpoint"
            );
            Err(Failure::new(ErrorCode::BadAnswer, message))
        }
        _ => Ok(()),
    }
}

/// Whether the body is a stream of events.
pub(super) fn is_events(headers: &HeaderMap) -> bool {
    media_type(headers) == "text/event-stream"
}

/// The media type without its parameters, in lower case; empty where none is named.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let named = text_of(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The value of a header. Hostile text.
pub(super) fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// The beginning of a body after a colon, short enough for a sentence; nothing for an empty one. Secrets are masked
/// before it is cut, so that no part of one is left at the end.
pub(super) fn quoted(body: &[u8], secrets: &Secrets) -> String {
    match secrets.shortened(String::from_utf8_lossy(body).trim(), SHOWN_CHARACTERS).as_str() {
        "" => String::new(),
        text => format!(": `{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_secret_is_left_where_a_quotation_ends() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "hunter22");
        for length in SHOWN_CHARACTERS - 8..=SHOWN_CHARACTERS {
            let body = format!("{}hunter22", ".".repeat(length));
            assert!(!quoted(body.as_bytes(), &secrets).contains("hunt"), "{length}");
        }
        assert_eq!(quoted(b" \n", &secrets), "");
    }
}
