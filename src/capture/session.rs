//! One conversation with a server: the opening in either era, the list page by page, and everything that a server
//! says in between. Knows nothing of pipes and sockets, and counts tokens only to choose between two lists.
//!
//! MCP has two eras. Until 2025-11-25 a session begins with `initialize`; since 2026-07-28 there is no opening, and
//! every request names its revision. All modern servers among 66 that were tried still accept `initialize`, while
//! one legacy server exits on `server/discover` and others wait for ever, so `initialize` goes first.

use super::Identity;
use super::connection::{Awaited, Connection};
use super::heard::Heard;
use super::listing::{Cursor, Listing};
use super::message::{self, Body, IdMatch, Message, RpcError};
use super::offer::{self, Offer};
use super::opening::{self, Opening};
use crate::codes::{ErrorCode, Failure, Note, NoteCode};
use crate::definition::Definition;
use crate::json::Text;
use crate::price::tokenizer;

/// A complete list and what was learnt on the way.
#[derive(Debug)]
pub(crate) struct Listed {
    /// What the server says it is.
    pub(crate) server: Option<Identity>,
    /// The revision that was spoken.
    pub(crate) protocol: Option<String>,
    /// The server's instructions; empty where it sent none.
    pub(crate) instructions: String,
    /// The list.
    pub(crate) definitions: Vec<Definition>,
    /// What happened that does not change the list.
    pub(crate) notes: Vec<Note>,
}

/// Opens a session and reads the whole list. `listing` is called when the opening is over.
///
/// # Errors
/// Whatever keeps the list from being complete.
pub(crate) fn list(connection: &mut dyn Connection, offer: Offer<'_>, listing: &dyn Fn()) -> Result<Listed, Failure> {
    let heard = Heard::on(connection.stream(), offer.secrets);
    let mut session = Session { connection, offer, last_id: 0, heard, list_changed: None };
    let opening = session.open()?;
    listing();
    let definitions = session.list_twice_if_it_changes(&opening)?;
    let mut notes = session.heard.notes();
    notes.extend(opening.note(offer.secrets));
    let Opening { server, protocol, instructions, .. } = opening;
    Ok(Listed { server, protocol, instructions, definitions, notes })
}

struct Session<'a> {
    connection: &'a mut dyn Connection,
    offer: Offer<'a>,
    last_id: u64,
    heard: Heard<'a>,
    /// Whether the list was said to have changed; `None` where that means nothing, as long as it is not read.
    list_changed: Option<bool>,
}

impl Session<'_> {
    fn open(&mut self) -> Result<Opening, Failure> {
        match self.offer.protocol {
            None | Some(offer::AUTO) => match self.initialize(offer::NEWEST_LEGACY)? {
                Ok(opening) => Ok(opening),
                Err(refused) => self.discover_after(&refused),
            },
            Some(offer::MODERN) => self.discover()?.map_err(|error| {
                let mut failure = self.refused(&Awaited::DISCOVER, &error);
                failure.message.push_str(opening::discover_hint(&error));
                failure
            }),
            Some(revision) => self.initialize(revision)?.map_err(|error| self.refused(&Awaited::INITIALIZE, &error)),
        }
    }

    fn initialize(&mut self, revision: &str) -> Result<Result<Opening, RpcError>, Failure> {
        let params = opening::initialize_params(revision, self.offer.capabilities);
        match self.ask(Awaited::INITIALIZE, &params, opening::read_initialized)? {
            Ok(opening) => {
                let opening = opening?;
                self.connection.send(&message::notification("notifications/initialized"))?;
                Ok(Ok(opening))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    fn discover(&mut self) -> Result<Result<Opening, RpcError>, Failure> {
        let Offer { capabilities, secrets, .. } = self.offer;
        let params = opening::modern_params(None, capabilities);
        self.ask(Awaited::DISCOVER, &params, |result| opening::read_discovered(result, secrets))?
            .map_or_else(|error| Ok(Err(error)), |opening| opening.map(Ok))
    }

    /// A server that speaks only 2026-07-28 must answer `initialize` with an error. It may exit after that.
    fn discover_after(&mut self, refusal: &RpcError) -> Result<Opening, Failure> {
        if opening::names_only_unknown_revisions(refusal) {
            return Err(self.refused(&Awaited::INITIALIZE, refusal));
        }
        let mut discovered = self.discover();
        if discovered.as_ref().is_err_and(|failure| failure.code == ErrorCode::Exited) {
            self.connection.restart()?;
            discovered = self.discover();
        }
        let second = match discovered {
            Ok(Ok(opening)) => return Ok(opening),
            Ok(Err(error)) => self.refused(&Awaited::DISCOVER, &error),
            Err(failure) => failure,
        };
        if second.code == ErrorCode::NoCommonProtocol {
            return Err(second);
        }
        let mut failure = self.refused(&Awaited::INITIALIZE, refusal);
        failure.message.push_str("; it does not speak revision 2026-07-28 either, where there is no `initialize`: ");
        failure.message.push_str(&second.message);
        Err(failure)
    }

    /// The list, read once more where the server said meanwhile that it has changed. The heavier one counts.
    fn list_twice_if_it_changes(&mut self, opening: &Opening) -> Result<Vec<Definition>, Failure> {
        self.list_changed = Some(false);
        let first = self.list(opening)?;
        self.hear_what_is_at_hand();
        if self.list_changed.take() != Some(true) {
            return Ok(first);
        }
        let second = self.list(opening)?;
        if first.iter().map(Definition::compact).eq(second.iter().map(Definition::compact)) {
            return Ok(first);
        }
        let tokens = |list: &[Definition]| list.iter().map(|tool| tokenizer::count(tool.compact())).sum::<u64>();
        let (before, after) = (tokens(&first), tokens(&second));
        let tools = |list: &[Definition]| match list.len() {
            1 => "1 tool".to_owned(),
            more => format!("{more} tools"),
        };
        self.heard.note(Note::new(
            NoteCode::Dynamic,
            format!(
                "the list changed while it was read: {} with {before} est. tokens, then {} with {after}; \
                 the heavier list counts",
                tools(&first),
                tools(&second),
            ),
        ));
        Ok(if after > before { second } else { first })
    }

    /// Takes note of what came right behind the last page. The list is complete, so nothing in it can be a failure.
    fn hear_what_is_at_hand(&mut self) {
        for _ in 0..100 {
            let Some(received) = self.connection.at_hand() else { return };
            let Ok(Some(line)) = self.readable(&received, &Awaited::page(1)) else { continue };
            for message in message::read(line) {
                if let Ok(Some(body)) = self.serve(message) {
                    self.heard.unknown_answer(&body);
                }
            }
        }
    }

    fn list(&mut self, opening: &Opening) -> Result<Vec<Definition>, Failure> {
        let mut listing = Listing::default();
        let mut cursor: Option<Cursor> = None;
        loop {
            let awaited = Awaited::page(listing.pages() + 1);
            let params = match opening.modern {
                true => opening::modern_params(cursor.as_ref(), self.offer.capabilities),
                false => opening::legacy_params(cursor.as_ref()),
            };
            match self.ask(awaited, &params, |result| listing.add_page(result))? {
                Ok(next) => cursor = next?,
                Err(error)
                    if awaited.page == 1 && !opening.has_tools && error.code == Some(opening::METHOD_NOT_FOUND) => {}
                Err(error) => return Err(self.refused(&awaited, &error)),
            }
            if cursor.is_none() {
                return Ok(listing.into_definitions());
            }
        }
    }

    /// Sends a request and gives what `read` makes of its result, serving the server's own messages meanwhile.
    fn ask<T>(
        &mut self,
        awaited: Awaited,
        params: &str,
        read: impl FnOnce(Text<'_>) -> T,
    ) -> Result<Result<T, RpcError>, Failure> {
        self.last_id += 1;
        self.connection.send(&message::request(self.last_id, awaited.method, params))?;
        loop {
            let received = self.connection.receive(&awaited).map_err(|failure| self.heard.explain(failure))?;
            let Some(line) = self.readable(&received, &awaited)? else { continue };
            let mut answer = None;
            for message in message::read(line) {
                match self.serve(message)? {
                    Some(body) if answer.is_some() => self.heard.unknown_answer(&body),
                    Some(body) => answer = Some(body),
                    None => {}
                }
            }
            match answer {
                Some(Body::Result(result)) => return Ok(Ok(read(result))),
                Some(Body::Error(error)) => return Ok(Err(error)),
                Some(Body::Malformed(why)) => return Err(bad_answer(&awaited, &why)),
                None => {}
            }
        }
    }

    /// The JSON of what was received; `None` where it is noise.
    fn readable<'b>(&mut self, received: &'b [u8], awaited: &Awaited) -> Result<Option<Text<'b>>, Failure> {
        let line = received.strip_prefix("\u{feff}".as_bytes()).unwrap_or(received);
        let line = line.trim_ascii();
        if line.is_empty() {
            return Ok(None);
        }
        let text = match std::str::from_utf8(line) {
            Ok(text) => text,
            Err(error) => return self.not_utf8(line, error.valid_up_to(), awaited).map(|()| None),
        };
        match Text::parse(text) {
            Ok(json) => Ok(Some(json)),
            Err(error) if message::was_meant_as_answer(text, self.last_id) => {
                Err(bad_answer(awaited, &format!("is no JSON: {error}")))
            }
            Err(_) => {
                self.heard.no_json(text);
                Ok(None)
            }
        }
    }

    /// A line that is not UTF-8 is noise, unless it was meant to be the answer.
    fn not_utf8(&mut self, line: &[u8], offset: usize, awaited: &Awaited) -> Result<(), Failure> {
        let lossy = String::from_utf8_lossy(line);
        let answers = |message: &Message<'_>| match message {
            Message::Response { id, .. } => message::compare_id(*id, self.last_id) != IdMatch::Other,
            _ => false,
        };
        let is_answer = match Text::parse(&lossy) {
            Ok(json) => message::read(json).iter().any(answers),
            Err(_) => message::was_meant_as_answer(&lossy, self.last_id),
        };
        if is_answer {
            let message = format!("the answer to {awaited} is not UTF-8: the byte at offset {offset} is wrong");
            return Err(Failure::new(ErrorCode::NotUtf8, message));
        }
        self.heard.no_json(&lossy);
        Ok(())
    }

    /// Takes note of a message, or serves it; gives its body when it answers the last request.
    fn serve<'b>(&mut self, message: Message<'b>) -> Result<Option<Body<'b>>, Failure> {
        match message {
            Message::Noise => self.heard.no_json_rpc(),
            Message::Notification { method } => match &mut self.list_changed {
                Some(changed) if method == "notifications/tools/list_changed" => *changed = true,
                _ => self.heard.notification(&method),
            },
            Message::Request { id, method } => {
                self.heard.request(&method);
                let roots_declared = self.offer.capabilities.iter().any(|name| name.split('.').next() == Some("roots"));
                let answer = match method.as_str() {
                    "ping" => message::answer(id, "{}"),
                    "roots/list" if roots_declared => message::answer(id, r#"{"roots":[]}"#),
                    _ => message::refusal(id),
                };
                self.connection.send(&answer)?;
            }
            Message::Response { id, body } => match message::compare_id(id, self.last_id) {
                IdMatch::Same => return Ok(Some(body)),
                IdMatch::Spelled => {
                    self.heard.spelled_id();
                    return Ok(Some(body));
                }
                IdMatch::Other => self.heard.unknown_answer(&body),
            },
        }
        Ok(None)
    }

    /// The failure that an error in place of the awaited answer means.
    fn refused(&self, awaited: &Awaited, error: &RpcError) -> Failure {
        let secrets = self.offer.secrets;
        match error.code {
            Some(UNSUPPORTED_REVISION) => opening::no_common_revision(&error.supported, secrets),
            _ => {
                Failure::new(ErrorCode::RpcError, format!("the server answered {awaited} with {}", error.told(secrets)))
            }
        }
    }
}

/// MCP 2026-07-28: the revision of the request is not spoken.
const UNSUPPORTED_REVISION: i64 = -32022;

fn bad_answer(awaited: &Awaited, why: &str) -> Failure {
    Failure::new(ErrorCode::BadAnswer, format!("the answer to {awaited} {why}"))
}
