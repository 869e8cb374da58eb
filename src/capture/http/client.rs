//! One POST and its answer: the blocking half of a conversation. It knows HTTP, and of messages only where they begin
//! and end.

use std::io::{self, Read};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::{HeaderMap, Request, Uri, header};
use ureq::{Agent, Body};

use super::headers::{self, SESSION};
use super::refusal::{Refusal, is_events, media_type, quoted, refuse_coded, text_of};
use super::{agent, failed, redirect, sse};
use crate::capture::Endpoint;
use crate::codes::{ErrorCode, Failure};
use crate::secrets::Secrets;

/// The longest answer that is read.
const LONGEST: usize = 64 * 1024 * 1024;
/// As much of a refusal as is read.
const LONGEST_REFUSAL: usize = 1024 * 1024;
/// How long the body of a refusal may take.
const REFUSAL_PATIENCE: Duration = Duration::from_secs(2);
/// More redirects than this lead nowhere.
const MOST_REDIRECTS: usize = 5;
/// A thread gives up this long after the deadline, which whoever waits for it has seen by then.
const AFTER_DEADLINE: Duration = Duration::from_secs(1);

/// The way to one endpoint.
pub(super) struct Client {
    agent: Agent,
    address: Uri,
    headers: HeaderMap,
    secrets: Secrets,
}

/// One message to post.
pub(super) struct Call {
    pub(super) message: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) deadline: Instant,
}

/// What comes of a POST, as it comes.
pub(super) enum Answer {
    /// The server takes the message; the session that it names.
    Taken(Option<String>),
    /// A message of the server.
    Message(Vec<u8>),
}

type Response = ureq::http::Response<Body>;

impl Client {
    /// Prepares the way.
    ///
    /// # Errors
    /// `connection_failed` when the URL, a header, a proxy or the certificates cannot be used.
    pub(super) fn new(endpoint: &Endpoint, secrets: &Secrets) -> Result<Self, Failure> {
        let (url, user_info) = redirect::without_user_info(&endpoint.url);
        let address: Uri = url.parse().map_err(|error| failed(format!("the URL cannot be used: {error}")))?;
        if !matches!(address.scheme_str(), Some("http" | "https")) {
            return Err(failed("the URL cannot be used: it begins neither with http:// nor with https://"));
        }
        let mut secrets = secrets.clone();
        let headers = headers::of_user(&endpoint.headers, user_info.as_deref(), &mut secrets)?;
        Ok(Client { agent: agent::agent(&address)?, address, headers, secrets })
    }

    /// What must be masked in messages about this server.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Posts a message and hands on what comes back, until `on_answer` returns `false`. Gives the refusal where the
    /// status is no success.
    ///
    /// # Errors
    /// When the server cannot be reached, or its answer cannot be read whole.
    pub(super) fn post(
        &self,
        call: &Call,
        mut on_answer: impl FnMut(Answer) -> bool,
    ) -> Result<Option<Refusal>, Failure> {
        let (address, response) = self.follow(call)?;
        let (head, body) = response.into_parts();
        let mut body = body.into_reader();
        // A part of an answer is none.
        if !head.status.is_success() || head.status == 206 {
            let (status, headers, body) = (head.status.as_u16(), head.headers, beginning(body));
            return Ok(Some(Refusal { status, address, headers, body }));
        }
        if !on_answer(Answer::Taken(text_of(&head.headers, SESSION))) {
            return Ok(None);
        }
        if head.status != 202 {
            refuse_coded(&head.headers, &self.secrets)?;
        }
        if is_events(&head.headers) {
            // One byte more than an answer may have, so that the limit shows.
            let mut left = (&mut body).take(LONGEST as u64 + 1);
            let mut events = sse::Events::new(&mut left, LONGEST);
            while let Some(data) = events.next_data().map_err(|error| broken(&error))? {
                if !on_answer(Answer::Message(data)) {
                    return Ok(None);
                }
            }
            return if left.limit() == 0 { Err(too_large()) } else { Ok(None) };
        }
        let mut bytes = Vec::new();
        body.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if bytes.len() > LONGEST {
            return Err(too_large());
        }
        if bytes.trim_ascii().is_empty() || head.status == 202 {
            return Ok(None);
        }
        let kind = media_type(&head.headers);
        if kind != "application/json" {
            let what = if kind.is_empty() { "something of an unnamed type" } else { &kind };
            let message = format!(
                "the server answered with {what} instead of JSON or a stream of events{}; is this the URL of an MCP \
                 endpoint?",
                quoted(&bytes, &self.secrets)
            );
            return Err(Failure::new(ErrorCode::BadAnswer, message));
        }
        on_answer(Answer::Message(bytes));
        Ok(None)
    }

    /// Tells the server that the session is over; what it says to that is ignored.
    pub(super) fn delete(&self, headers: Vec<(String, String)>, patience: Duration) {
        let Ok(mut request) = Request::delete(&self.address).body(()) else { return };
        *request.headers_mut() = headers::with(&self.headers, headers);
        let _ = self.agent.run(self.agent.configure_request(request).timeout_global(Some(patience)).build());
    }

    /// Closes every connection. A thread that still reads from one ends.
    pub(super) fn close(&self) {
        self.agent.clone().shutdown();
    }

    /// Posts, and posts again where the same origin redirects to. Gives where the answer comes from.
    fn follow(&self, call: &Call) -> Result<(Uri, Response), Failure> {
        let mut address = self.address.clone();
        let mut redirects = 0;
        loop {
            let response = self.send(call, &address)?;
            let location = text_of(response.headers(), header::LOCATION.as_str());
            let next = location.and_then(|location| redirect::target(&address, &location));
            let is_kept = matches!(response.status().as_u16(), 307 | 308) && redirects < MOST_REDIRECTS;
            match next.filter(|next| is_kept && redirect::same_origin(&address, next)) {
                Some(next) => address = next,
                None => return Ok((address, response)),
            }
            redirects += 1;
        }
    }

    fn send(&self, call: &Call, address: &Uri) -> Result<Response, Failure> {
        let request = Request::post(address).body(call.message.as_str());
        let mut request = request.map_err(|error| failed(format!("the request cannot be made: {error}")))?;
        let ours = [
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
        ];
        *request.headers_mut() = headers::with(&self.headers, ours.into_iter().chain(call.headers.clone()));
        let left = call.deadline.saturating_duration_since(Instant::now()) + AFTER_DEADLINE;
        let request = self.agent.configure_request(request).timeout_global(Some(left)).build();
        self.agent.run(request).map_err(|error| agent::unreachable_server(&error, address))
    }
}

/// What comes of a refusal's body in a moment: its status is known, and a body that never ends must not hide it.
fn beginning(mut body: impl Read + Send + 'static) -> Vec<u8> {
    let (part, parts) = mpsc::channel();
    let read = move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = body.read(&mut buffer) {
            if part.send(buffer[..length].to_vec()).is_err() {
                return;
            }
        }
    };
    let end = Instant::now() + REFUSAL_PATIENCE;
    let mut beginning = Vec::new();
    // Without a thread there is nobody to send, and the wait is over at once.
    let _ = thread::Builder::new().spawn(read);
    while beginning.len() < LONGEST_REFUSAL
        && let Ok(part) = parts.recv_timeout(end.saturating_duration_since(Instant::now()))
    {
        beginning.extend(part);
    }
    beginning
}

fn broken(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(),
        _ => failed(format!("the server's answer broke off: {error}")),
    }
}

fn too_large() -> Failure {
    Failure::new(ErrorCode::TooLarge, format!("an answer is longer than {} MiB", LONGEST / (1024 * 1024)))
}
