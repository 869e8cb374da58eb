//! One POST and its answer: the blocking half of a conversation. It knows HTTP, and of messages only where they begin
//! and end.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ureq::http::{HeaderMap, HeaderValue, Uri, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use super::headers::{SESSION, Spoken};
use super::{excerpt, failed, redirect, sse};
use crate::capture::Endpoint;
use crate::capture::connection::Awaited;
use crate::codes::{ErrorCode, Failure};

/// The longest answer, or event, that is read.
const LONGEST: usize = 64 * 1024 * 1024;
/// As much of a refusal as is read.
const LONGEST_REFUSAL: u64 = 64 * 1024;
/// More redirects than this lead nowhere.
const MOST_REDIRECTS: usize = 5;

/// The way to one endpoint.
pub(super) struct Client {
    agent: Agent,
    address: Uri,
    headers: Vec<(String, String)>,
}

/// One message to post.
pub(super) struct Call {
    pub(super) message: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) deadline: Instant,
}

/// An answer whose status is no success. Hostile text.
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    wants: Option<String>,
}

type Response = ureq::http::Response<Body>;

impl Client {
    /// Prepares the way.
    ///
    /// # Errors
    /// `connection_failed` when the URL cannot be used.
    pub(super) fn new(endpoint: &Endpoint) -> Result<Self, Failure> {
        let address: Uri = endpoint.url.parse().map_err(|error| failed(format!("the URL cannot be used: {error}")))?;
        let encrypted = match address.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(failed("the URL cannot be used: it begins neither with http:// nor with https://")),
        };
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("mcp-footprint/", env!("CARGO_PKG_VERSION")));
        if encrypted {
            config = config.tls_config(TlsConfig::builder().root_certs(system_certificates()?).build());
        }
        Ok(Client { agent: config.build().new_agent(), address, headers: endpoint.headers.clone() })
    }

    /// Posts a message and hands every message of the answer to `on_message`, until it returns `false`. Gives the
    /// refusal where the status is no success.
    ///
    /// # Errors
    /// When the server cannot be reached, or its answer cannot be read whole.
    pub(super) fn post(
        &self,
        call: &Call,
        spoken: &Spoken,
        mut on_message: impl FnMut(Vec<u8>) -> bool,
    ) -> Result<Option<Refusal>, Failure> {
        let response = self.follow(call)?;
        let status = response.status().as_u16();
        if !response.status().is_success() {
            let wants = text_of(response.headers(), header::WWW_AUTHENTICATE.as_str());
            let mut body = Vec::new();
            // What can be read of a refusal is enough.
            let _ = response.into_body().into_reader().take(LONGEST_REFUSAL).read_to_end(&mut body);
            return Ok(Some(Refusal { status, body, wants }));
        }
        if let Some(session) = text_of(response.headers(), SESSION) {
            spoken.keep_session(&session);
        }
        let kind = text_of(response.headers(), header::CONTENT_TYPE.as_str()).unwrap_or_default();
        let body = response.into_body().into_reader();
        if kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream") {
            let mut events = sse::Events::new(body, LONGEST);
            while let Some(data) = events.next_data().map_err(|error| broken(&error))? {
                if !on_message(data) {
                    break;
                }
            }
            return Ok(None);
        }
        let mut bytes = Vec::new();
        body.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if bytes.len() > LONGEST {
            return Err(broken(&io::ErrorKind::FileTooLarge.into()));
        }
        let is_json = kind.trim_start().to_ascii_lowercase().starts_with("application/json");
        if !bytes.trim_ascii().is_empty() && !is_json && status != 202 {
            let what = if kind.is_empty() { "an unnamed type" } else { &kind };
            let message = format!(
                "the server answered with {what} instead of JSON or a stream of events: `{}`; is this the address of an \
                 MCP endpoint?",
                excerpt(&bytes)
            );
            return Err(Failure::new(ErrorCode::BadAnswer, message));
        }
        if !bytes.trim_ascii().is_empty() {
            on_message(bytes);
        }
        Ok(None)
    }

    /// Tells the server that the session is over; what it says to that is ignored.
    pub(super) fn delete(&self, spoken: &Spoken, patience: Duration) {
        let mut request = self.agent.delete(&self.address);
        for (name, value) in self.headers.iter().cloned().chain(spoken.session_header()) {
            request = request.header(name, value);
        }
        let _ = request.config().timeout_global(Some(patience)).build().call();
    }

    /// Posts, and posts again where the same origin redirects to.
    fn follow(&self, call: &Call) -> Result<Response, Failure> {
        let mut address = self.address.clone();
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(call, &address)?;
            let location = text_of(response.headers(), header::LOCATION.as_str());
            let (true, Some(location)) = (matches!(response.status().as_u16(), 307 | 308), location) else {
                return Ok(response);
            };
            let next = redirect::target(&address, &location)
                .ok_or_else(|| failed("the server redirects to something that is no address"))?;
            if !redirect::same_origin(&self.address, &next) {
                let to = format!("{}://{}", next.scheme_str().unwrap_or_default(), next.host().unwrap_or_default());
                let message = format!(
                    "the server redirects to another origin, {to}, where no header of yours is sent; give its URL if \
                     you trust it"
                );
                return Err(Failure::new(ErrorCode::CrossOriginRedirect, message));
            }
            address = next;
        }
        Err(failed(format!("the server redirects more than {MOST_REDIRECTS} times")))
    }

    fn send(&self, call: &Call, address: &Uri) -> Result<Response, Failure> {
        let mut request = self
            .agent
            .post(address)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream");
        for (name, value) in self.headers.iter().chain(&call.headers) {
            let value = HeaderValue::from_str(value)
                .map_err(|_| failed(format!("the value of the header {name} holds what no header may hold")))?;
            request = request.header(name, value);
        }
        let left = call.deadline.saturating_duration_since(Instant::now());
        let request = request.config().timeout_global(Some(left)).build();
        request.send(call.message.as_bytes()).map_err(|error| unreachable_server(&error))
    }
}

impl Refusal {
    /// What the refusal of a request means for the measurement.
    pub(super) fn failure(&self, awaited: &Awaited) -> Failure {
        let status = self.status;
        if matches!(status, 401 | 403) {
            let scheme = self.wants.as_deref().and_then(|wants| wants.split([' ', ',']).next());
            let scheme = scheme.filter(|scheme| !scheme.is_empty()).unwrap_or("Bearer");
            let message = format!(
                "the server wants authorisation (HTTP status {status}, scheme {scheme}); give it with \
                 --header 'Authorization: {scheme} ${{TOKEN}}', or with `headers` in budgets.toml"
            );
            return Failure::new(ErrorCode::Unauthorized, message);
        }
        let body = match excerpt(&self.body) {
            body if body.is_empty() => String::new(),
            body => format!(": `{body}`"),
        };
        let hint = match (*awaited == Awaited::INITIALIZE, *awaited == Awaited::DISCOVER, status) {
            (true, _, 400 | 404 | 405) => {
                "; it may speak only the older HTTP+SSE transport, which is deprecated and not spoken here"
            }
            (_, true, 400) => "; it seems to speak only revisions before 2026-07-28",
            _ => "",
        };
        let message = format!("the server answered {awaited} with HTTP status {status}{body}{hint}");
        Failure::new(ErrorCode::HttpStatus, message)
    }
}

/// The certificates that this system trusts, or those that `SSL_CERT_FILE` names.
fn system_certificates() -> Result<RootCerts, Failure> {
    let found = rustls_native_certs::load_native_certs();
    let certificates: Vec<Certificate<'static>> =
        found.certs.iter().map(|certificate| Certificate::from_der(certificate.as_ref()).to_owned()).collect();
    match (certificates.is_empty(), found.errors.first()) {
        (true, Some(error)) => Err(failed(format!("the certificates of this system cannot be read: {error}"))),
        (true, None) => Err(failed("this system trusts no certificate; SSL_CERT_FILE can name a file of them")),
        (false, _) => Ok(RootCerts::Specific(Arc::new(certificates))),
    }
}

fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn unreachable_server(error: &ureq::Error) -> Failure {
    match error {
        ureq::Error::Timeout(_) => Failure::new(ErrorCode::Timeout, "the time was up before the server answered"),
        ureq::Error::HostNotFound => failed("the host of the URL was not found"),
        other => failed(format!("the server cannot be reached: {other}")),
    }
}

fn broken(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::FileTooLarge {
        let message = format!("an answer is longer than {} MiB", LONGEST / (1024 * 1024));
        return Failure::new(ErrorCode::TooLarge, message);
    }
    failed(format!("the server's answer broke off: {error}"))
}
