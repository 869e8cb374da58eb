//! A server behind a URL: streamable HTTP, where every message is a POST and every answer is JSON or a stream of events.
//!
//! What blocks stands on threads that are never joined; this side only waits for events, until the deadline. A stream
//! may stay open after its answer, and a server may never answer at all. No GET stream is opened: nothing that is
//! asked for here comes over one.

mod agent;
mod client;
mod headers;
mod redirect;
mod refusal;
pub(crate) mod sse;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use self::client::{Answer, Call, Client};
use self::headers::Spoken;
use self::refusal::Refusal;
use super::connection::{Awaited, Connection};
use super::deadline::Deadline;
use super::ending::Endings;
use super::interrupt::{self, Subscription};
use super::{Endpoint, Target, offer};
use crate::codes::{ErrorCode, Failure};
use crate::json::{Kind, Text};
use crate::secrets::Secrets;

/// Events that wait to be looked at; a server that sends faster has to wait.
const EVENTS_AHEAD: usize = 4;
/// How long the end of a session may take, which nobody waits for the answer of.
const FAREWELL: Duration = Duration::from_secs(1);

/// What happens to the POST of a number.
enum Event {
    Came(u64, Answer),
    /// The status is no success.
    Refused(u64, Refusal),
    Over(u64),
    Failed(u64, Failure),
    Interrupted,
}

/// A conversation with one endpoint. To drop it ends the session at the server and closes what is open.
pub(super) struct Conversation<'a> {
    client: Arc<Client>,
    endings: &'a Endings,
    deadline: Deadline,
    must_be_modern: bool,
    spoken: Spoken,
    events: Receiver<Event>,
    event: SyncSender<Event>,
    posts: u64,
    /// The number of the POST whose answer is awaited; the threads of others end.
    awaited: Arc<AtomicU64>,
    request: String,
    session_was_lost: bool,
    _subscription: Subscription,
}

impl<'a> Conversation<'a> {
    /// Prepares a conversation; nothing is sent yet. The time begins to run.
    ///
    /// # Errors
    /// `connection_failed` when the URL, a header, a proxy or the certificates cannot be used.
    pub(super) fn begin(endpoint: &Endpoint, target: &Target, endings: &'a Endings) -> Result<Self, Failure> {
        let (event, events) = mpsc::sync_channel(EVENTS_AHEAD);
        let wake = event.clone();
        Ok(Conversation {
            client: Arc::new(Client::new(endpoint, &target.secrets)?),
            endings,
            deadline: Deadline::after(target.timeout),
            must_be_modern: target.protocol.as_deref() == Some(offer::MODERN),
            spoken: Spoken::default(),
            events,
            event,
            posts: 0,
            awaited: Arc::default(),
            request: String::new(),
            session_was_lost: false,
            _subscription: interrupt::subscribe(move || drop(wake.try_send(Event::Interrupted))),
        })
    }

    /// Whether the last failure was that of a server that does not know its session any more.
    pub(super) fn session_was_lost(&self) -> bool {
        self.session_was_lost
    }

    /// What must be masked in all that is told of this server, also what is secret only in the way it is sent over HTTP.
    pub(super) fn secrets(&self) -> Secrets {
        self.client.secrets().clone()
    }

    /// The failure with everything masked that is secret only in the way that it is sent over HTTP.
    pub(super) fn masked(&self, failure: Failure) -> Failure {
        Failure { message: self.client.secrets().mask(&failure.message), ..failure }
    }

    /// Posts a message on a thread of its own.
    fn post(&mut self, message: &str) -> Result<u64, Failure> {
        self.posts += 1;
        let number = self.posts;
        let call =
            Call { message: message.to_owned(), headers: self.spoken.headers(message), deadline: self.deadline.end() };
        let (client, event, awaited) = (Arc::clone(&self.client), self.event.clone(), Arc::clone(&self.awaited));
        let post = move || {
            let on_answer =
                |answer| awaited.load(Ordering::Relaxed) == number && event.send(Event::Came(number, answer)).is_ok();
            let last = match client.post(&call, on_answer) {
                Ok(None) => Event::Over(number),
                Ok(Some(refusal)) => Event::Refused(number, refusal),
                Err(failure) => Event::Failed(number, failure),
            };
            if awaited.load(Ordering::Relaxed) == number {
                // Nobody listens any more when the conversation is over.
                let _ = event.send(last);
            }
        };
        let thread = thread::Builder::new().spawn(post);
        thread.map_err(|error| failed(format!("no thread can be had to talk to the server: {error}")))?;
        Ok(number)
    }

    /// Posts a message and waits for its events from now on.
    fn post_and_listen(&mut self, message: &str) -> Result<(), Failure> {
        self.awaited.store(self.posts + 1, Ordering::Relaxed);
        self.post(message).map(drop)
    }

    /// Posts a message that no answer is wanted to, and waits until the server has taken or refused it. What it makes
    /// of the message shows in its answer to the next request, which must not overtake it.
    fn notify(&mut self, message: &str) -> Result<(), Failure> {
        self.post_and_listen(message)?;
        self.next("a notification to be taken").map(drop)
    }

    /// Waits for the next event of the POST that is listened to.
    fn next(&self, awaited: &str) -> Result<Event, Failure> {
        let current = self.awaited.load(Ordering::Relaxed);
        loop {
            let left = self.deadline.left()?.ok_or_else(|| self.time_is_up(awaited))?;
            match self.events.recv_timeout(left) {
                Ok(event) if event.number() == Some(current) => return Ok(event),
                // What comes of an earlier POST is not wanted any more.
                Ok(_) => {}
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
            self.deadline.in_words()
        );
        Failure::new(ErrorCode::Timeout, message)
    }

    /// What a refused request means: a message for the session, or the end.
    fn refused(&mut self, refusal: &Refusal, awaited: &Awaited) -> Result<Vec<u8>, Failure> {
        let failure = || refusal.failure(awaited, self.client.secrets());
        if refusal.wants_authorisation() {
            return Err(failure());
        }
        if refusal.status == 404 && self.spoken.has_session() {
            self.session_was_lost = true;
            return Err(failure());
        }
        let answer = self.request_id().and_then(|id| refusal.answer(id));
        let must_be_modern = self.must_be_modern && *awaited == Awaited::DISCOVER;
        if must_be_modern && refusal.is_of_older_server(answer.as_deref()) {
            return Err(failure());
        }
        answer.ok_or_else(failure)
    }

    fn request_id(&self) -> Option<Text<'_>> {
        Text::parse(&self.request).ok()?.get("id")
    }

    /// An error without an id is the answer to the request whose POST it came for.
    fn with_id(&self, message: Vec<u8>) -> Vec<u8> {
        let id = std::str::from_utf8(&message).ok().and_then(|text| Text::parse(text).ok()).map(|text| text.get("id"));
        match id {
            Some(None) => {}
            Some(Some(id)) if id.kind() == Kind::Null => {}
            _ => return message,
        }
        self.request_id().and_then(|id| refusal::error_with_id(&message, id)).unwrap_or(message)
    }
}

impl Connection for Conversation<'_> {
    fn send(&mut self, message: &str) -> Result<(), Failure> {
        let json = Text::parse(message).map_err(|error| failed(format!("a message is no JSON: {error}")))?;
        match (json.get("method"), json.get("id")) {
            (Some(_), Some(_)) => {
                self.request = message.to_owned();
                self.post_and_listen(message)
            }
            (Some(_), None) => self.notify(message),
            // An answer to the server, beside the POST in whose stream it asked.
            (None, _) => self.post(message).map(drop),
        }
    }

    fn receive(&mut self, awaited: &Awaited) -> Result<Vec<u8>, Failure> {
        let opens = *awaited == Awaited::INITIALIZE;
        loop {
            match self.next(&format!("the answer to {awaited}"))? {
                Event::Came(_, Answer::Taken(session)) if opens => self.spoken.keep_session(session),
                Event::Came(_, Answer::Taken(_)) | Event::Interrupted => {}
                Event::Came(_, Answer::Message(bytes)) => {
                    if opens {
                        self.spoken.learn(&bytes);
                    }
                    return Ok(self.with_id(bytes));
                }
                Event::Refused(_, refusal) => return self.refused(&refusal, awaited),
                Event::Failed(_, failure) => return Err(failure),
                Event::Over(_) => {
                    let message = format!("the server ended what it sent for {awaited} without an answer to it");
                    return Err(Failure::new(ErrorCode::BadAnswer, message));
                }
            }
        }
    }

    /// An answer ends what is read of its stream.
    fn at_hand(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// There is no process to start again; what was agreed on is forgotten.
    fn restart(&mut self) -> Result<(), Failure> {
        self.spoken = Spoken::default();
        self.session_was_lost = false;
        Ok(())
    }

    fn stream(&self) -> &'static str {
        "the HTTP stream"
    }
}

impl Event {
    fn number(&self) -> Option<u64> {
        match self {
            Event::Came(number, _) | Event::Refused(number, _) | Event::Over(number) | Event::Failed(number, _) => {
                Some(*number)
            }
            Event::Interrupted => None,
        }
    }
}

impl Drop for Conversation<'_> {
    fn drop(&mut self) {
        let client = Arc::clone(&self.client);
        let is_open = self.spoken.has_session() && !self.session_was_lost && interrupt::raised().is_none();
        let headers = is_open.then(|| self.spoken.headers("{}"));
        self.endings.run(move || {
            if let Some(headers) = headers {
                client.delete(headers, FAREWELL);
            }
            client.close();
        });
    }
}

fn failed(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::ConnectionFailed, message)
}
