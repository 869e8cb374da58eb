//! A server behind a URL: streamable HTTP, where every message is a POST and every answer is JSON or a stream of events.
//!
//! What blocks stands on threads that are never joined; this side only waits for events, until the deadline. A stream
//! may stay open after its answer, and a server may never answer at all.

mod client;
mod headers;
mod redirect;
mod sse;

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use self::client::{Call, Client, Refusal};
use self::headers::Spoken;
use super::connection::{Awaited, Connection};
use super::ending::Endings;
use super::interrupt::{self, Subscription};
use super::stdio::{in_words, interrupted};
use super::{Endpoint, message};
use crate::codes::{ErrorCode, Failure};
use crate::json::{Kind, Text};

/// Events that wait to be looked at; a server that sends faster has to wait.
const EVENTS_AHEAD: usize = 4;
/// How long the end of a session may take, which nobody waits for the answer of.
const FAREWELL: Duration = Duration::from_secs(1);
/// As much of an answer as a message quotes.
const SHOWN_CHARACTERS: usize = 200;

/// What happens to one POST, by its number.
enum Event {
    /// A message came.
    Message(Vec<u8>),
    /// The server answered the POST of this number with a status that is no success.
    Refused(u64, Refusal),
    /// The POST of this number is over.
    Over(u64),
    /// The POST of this number cannot be done.
    Failed(u64, Failure),
    Interrupted,
}

/// A conversation with one endpoint. To drop it ends the session at the server.
pub(super) struct Conversation<'a> {
    client: Arc<Client>,
    endings: &'a Endings,
    timeout: Duration,
    deadline: Instant,
    spoken: Spoken,
    events: Receiver<Event>,
    event: SyncSender<Event>,
    posts: u64,
    request: String,
    initialize: Option<String>,
    session_was_lost: bool,
    _subscription: Subscription,
}

impl<'a> Conversation<'a> {
    /// Prepares a conversation; nothing is sent yet. The time begins to run.
    ///
    /// # Errors
    /// `connection_failed` when the URL or a header cannot be used.
    pub(super) fn begin(endpoint: &Endpoint, timeout: Duration, endings: &'a Endings) -> Result<Self, Failure> {
        let (event, events) = mpsc::sync_channel(EVENTS_AHEAD);
        let wake = event.clone();
        Ok(Conversation {
            client: Arc::new(Client::new(endpoint)?),
            endings,
            timeout,
            deadline: Instant::now() + timeout,
            spoken: Spoken::default(),
            events,
            event,
            posts: 0,
            request: String::new(),
            initialize: None,
            session_was_lost: false,
            _subscription: interrupt::subscribe(move || drop(wake.try_send(Event::Interrupted))),
        })
    }

    /// Posts a message on a thread of its own.
    fn post(&mut self, message: &str) -> Result<u64, Failure> {
        self.posts += 1;
        let number = self.posts;
        let call = Call { message: message.to_owned(), headers: self.spoken.headers(message), deadline: self.deadline };
        let (client, event, spoken) = (Arc::clone(&self.client), self.event.clone(), self.spoken.clone());
        let post = move || {
            let on_message = |bytes| event.send(Event::Message(bytes)).is_ok();
            let last = match client.post(&call, &spoken, on_message) {
                Ok(None) => Event::Over(number),
                Ok(Some(refusal)) => Event::Refused(number, refusal),
                Err(failure) => Event::Failed(number, failure),
            };
            // Nobody listens any more when the conversation is over.
            let _ = event.send(last);
        };
        let thread = thread::Builder::new().spawn(post);
        thread.map_err(|error| failed(format!("no thread can be had to talk to the server: {error}")))?;
        Ok(number)
    }

    /// Waits for the next event.
    fn next(&self, awaited: &str) -> Result<Event, Failure> {
        loop {
            if interrupt::raised().is_some() {
                return Err(interrupted());
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Interrupted) => {}
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(self.time_is_up(awaited));
                }
            }
        }
    }

    fn time_is_up(&self, awaited: &str) -> Failure {
        let message = format!(
            "{} passed while waiting for {awaited}; a server that needs longer gets it by `--timeout`, or by `timeout` \
             in budgets.toml",
            in_words(self.timeout)
        );
        Failure::new(ErrorCode::Timeout, message)
    }

    /// Posts a message whose answer says nothing, and waits until the server has taken it.
    fn post_and_wait(&mut self, message: &str) -> Result<(), Failure> {
        let number = self.post(message)?;
        loop {
            match self.next("a notification to be taken")? {
                Event::Over(over) if over == number => return Ok(()),
                // A notification that is refused is no reason to stop: what counts is the list.
                Event::Refused(over, _) if over == number => return Ok(()),
                Event::Failed(over, failure) if over == number => return Err(failure),
                _ => {}
            }
        }
    }

    /// What a refused request means: a message for the session, or the end.
    fn refused(&mut self, refusal: &Refusal, awaited: &Awaited) -> Result<Option<Vec<u8>>, Failure> {
        let error = self.error_in(refusal);
        // A server of the modern era says -32020 to -32022 with this status; any other error comes from an older one.
        let older = *awaited == Awaited::DISCOVER
            && refusal.status == 400
            && !error.as_ref().is_some_and(|(code, _)| code.is_some_and(|code| (-32022..=-32020).contains(&code)));
        if let Some((_, answer)) = error.filter(|_| !older) {
            return Ok(Some(answer));
        }
        if refusal.status == 404 && self.spoken.has_session() && !self.session_was_lost {
            return self.initialize_again().map(|()| None);
        }
        Err(refusal.failure(awaited))
    }

    /// The JSON-RPC error in a refusal: its code, and an answer to the request, whatever id the server gave it.
    fn error_in(&self, refusal: &Refusal) -> Option<(Option<i64>, Vec<u8>)> {
        let body = Text::parse(std::str::from_utf8(&refusal.body).ok()?).ok()?;
        let error = body.get("error").filter(|error| error.kind() == Kind::Object)?;
        let id = Text::parse(&self.request).ok()?.get("id")?;
        let code = error.get("code").and_then(|code| code.as_str().parse().ok());
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"error":{}}}"#, id.as_str(), error.as_str());
        Some((code, answer.into_bytes()))
    }

    /// A session that the server has forgotten is opened once more, and the request repeated in it.
    fn initialize_again(&mut self) -> Result<(), Failure> {
        self.session_was_lost = true;
        self.spoken.forget_session();
        let Some(initialize) = self.initialize.clone() else {
            return Err(failed("the server forgot a session that was never opened"));
        };
        let number = self.post(&initialize)?;
        loop {
            match self.next("the answer to `initialize`, after the server forgot the session")? {
                Event::Over(over) if over == number => break,
                Event::Refused(over, refusal) if over == number => return Err(refusal.failure(&Awaited::INITIALIZE)),
                Event::Failed(over, failure) if over == number => return Err(failure),
                _ => {}
            }
        }
        self.post_and_wait(&message::notification("notifications/initialized"))?;
        let request = self.request.clone();
        self.post(&request).map(drop)
    }
}

impl Connection for Conversation<'_> {
    fn send(&mut self, message: &str) -> Result<(), Failure> {
        let json = Text::parse(message).map_err(|error| failed(format!("a message is no JSON: {error}")))?;
        match (json.get("method"), json.get("id")) {
            (Some(method), Some(_)) => {
                if method.is(Awaited::INITIALIZE.method) {
                    self.initialize = Some(message.to_owned());
                }
                self.request = message.to_owned();
                self.post(message).map(drop)
            }
            (Some(_), None) => self.post_and_wait(message),
            (None, _) => self.post(message).map(drop),
        }
    }

    fn receive(&mut self, awaited: &Awaited) -> Result<Vec<u8>, Failure> {
        loop {
            match self.next(&format!("the answer to {awaited}"))? {
                Event::Message(bytes) => {
                    if *awaited == Awaited::INITIALIZE {
                        self.spoken.learn(&bytes);
                    }
                    return Ok(bytes);
                }
                Event::Refused(number, refusal) if number == self.posts => {
                    if let Some(answer) = self.refused(&refusal, awaited)? {
                        return Ok(answer);
                    }
                }
                Event::Failed(number, failure) if number == self.posts => return Err(failure),
                Event::Over(number) if number == self.posts => {
                    return Err(failed(format!("the server ended its answer to {awaited} without a result")));
                }
                _ => {}
            }
        }
    }

    /// There is no process to start again.
    fn restart(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

impl Drop for Conversation<'_> {
    fn drop(&mut self) {
        if self.spoken.has_session() {
            let (client, spoken) = (Arc::clone(&self.client), self.spoken.clone());
            self.endings.run(move || client.delete(&spoken, FAREWELL));
        }
    }
}

fn failed(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::ConnectionFailed, message)
}

/// The beginning of a body, short enough for a sentence.
fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match text.trim().char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text.trim()[..end]),
        None => text.trim().to_owned(),
    }
}
