//! What a server says without being asked: counted, never kept, and told in one note a kind. A server may say a
//! million things; the notes stay a handful of sentences.

use super::message::Body;
use crate::codes::{Failure, Note, NoteCode};
use crate::secrets::Secrets;

/// As much of one thing as a note quotes.
const QUOTED_CHARACTERS: usize = 80;

/// What was heard in one session.
#[derive(Debug)]
pub(crate) struct Heard<'a> {
    secrets: &'a Secrets,
    stream: &'static str,
    no_json: Counted,
    no_json_rpc: Counted,
    notifications: Counted,
    requests: Counted,
    unknown_answers: Counted,
    spelled_ids: Counted,
    others: Vec<Note>,
}

/// How often something came, and what it looked like at first.
#[derive(Debug, Default)]
struct Counted {
    times: usize,
    first: String,
}

impl Counted {
    fn count(&mut self, what: &str, secrets: &Secrets) {
        if self.times == 0 {
            self.first = secrets.shortened(what, QUOTED_CHARACTERS);
        }
        self.times += 1;
    }

    /// A sentence that begins with "1 thing was" or "7 things were".
    fn told(&self, code: NoteCode, one: &str, many: &str) -> Option<Note> {
        let rest = if self.first.is_empty() { String::new() } else { format!(": `{}`", self.first) };
        match self.times {
            0 => None,
            1 => Some(Note::new(code, format!("1 {one}{rest}"))),
            times => Some(Note::new(code, format!("{times} {many}{}", rest.replacen(':', ", the first of them:", 1)))),
        }
    }
}

impl<'a> Heard<'a> {
    /// Nothing yet. `stream` is what the server's messages come out of, as it is called in sentences.
    pub(crate) fn on(stream: &'static str, secrets: &'a Secrets) -> Self {
        Heard {
            secrets,
            stream,
            no_json: Counted::default(),
            no_json_rpc: Counted::default(),
            notifications: Counted::default(),
            requests: Counted::default(),
            unknown_answers: Counted::default(),
            spelled_ids: Counted::default(),
            others: Vec::new(),
        }
    }

    /// A line that is no JSON.
    pub(crate) fn no_json(&mut self, line: &str) {
        self.no_json.count(line, self.secrets);
    }

    /// JSON that is no JSON-RPC.
    pub(crate) fn no_json_rpc(&mut self) {
        self.no_json_rpc.count("", self.secrets);
    }

    /// A notification.
    pub(crate) fn notification(&mut self, method: &str) {
        self.notifications.count(method, self.secrets);
    }

    /// A request of the server.
    pub(crate) fn request(&mut self, method: &str) {
        self.requests.count(method, self.secrets);
    }

    /// An answer to nothing that waits for one.
    pub(crate) fn unknown_answer(&mut self, body: &Body<'_>) {
        match body {
            Body::Error(error) => self.unknown_answers.count(&error.told(self.secrets), self.secrets),
            Body::Result(_) | Body::Malformed(_) => self.unknown_answers.count("", self.secrets),
        }
    }

    /// An answer whose id is a string that spells the number.
    pub(crate) fn spelled_id(&mut self) {
        self.spelled_ids.count("", self.secrets);
    }

    /// Something else that is worth a note.
    pub(crate) fn note(&mut self, note: Note) {
        self.others.push(note);
    }

    /// One note a kind, in a fixed order.
    pub(crate) fn notes(self) -> Vec<Note> {
        use NoteCode::{Notifications, ServerRequests, StdoutNoise, StringId, UnknownId};
        let stream = self.stream;
        let told = [
            self.no_json.told(
                StdoutNoise,
                &format!("line on {stream} was no JSON"),
                &format!("lines on {stream} were no JSON"),
            ),
            self.no_json_rpc.told(
                StdoutNoise,
                &format!("message on {stream} was JSON, but no JSON-RPC"),
                &format!("messages on {stream} were JSON, but no JSON-RPC"),
            ),
            self.notifications.told(Notifications, "notification was passed over", "notifications were passed over"),
            self.requests.told(
                ServerRequests,
                "request of the server was answered",
                "requests of the server were answered",
            ),
            self.unknown_answers.told(UnknownId, "answer came to no open request", "answers came to no open request"),
            self.spelled_ids.told(
                StringId,
                "answer has an id that spells the number in a string",
                "answers have ids that spell the number in a string",
            ),
        ];
        told.into_iter().flatten().chain(self.others).collect()
    }

    /// Adds to a failure what was heard in place of the answer.
    pub(crate) fn explain(&self, mut failure: Failure) -> Failure {
        let noise = self.no_json.times + self.no_json_rpc.times;
        if noise > 0 {
            failure.message.push_str(&format!(
                "; what it wrote to {} meanwhile was no JSON-RPC ({noise} {})",
                self.stream,
                if noise == 1 { "line" } else { "lines" }
            ));
        }
        if self.unknown_answers.times > 0 && !self.unknown_answers.first.is_empty() {
            let error = &self.unknown_answers.first;
            failure.message.push_str(&format!("; an answer to no open request says {error}"));
        }
        failure
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::ErrorCode;

    #[test]
    fn a_thousand_things_make_one_note() {
        let secrets = Secrets::default();
        let mut heard = Heard::on("standard output", &secrets);
        heard.no_json("banner");
        (0..1000).for_each(|_| heard.notification("notifications/message"));
        let notes: Vec<_> = heard.notes().into_iter().map(|note| note.message).collect();
        assert_eq!(
            notes,
            [
                "1 line on standard output was no JSON: `banner`",
                "1000 notifications were passed over, the first of them: `notifications/message`"
            ]
        );
    }

    #[test]
    fn a_note_quotes_the_beginning_of_a_long_line() {
        let secrets = Secrets::default();
        let mut heard = Heard::on("standard output", &secrets);
        heard.no_json(&"é".repeat(100_000));
        assert!(heard.notes()[0].message.chars().count() < 200);
    }

    #[test]
    fn no_part_of_a_secret_is_left_where_a_quotation_is_cut() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "hunter22");
        for before in QUOTED_CHARACTERS - 8..=QUOTED_CHARACTERS {
            let mut heard = Heard::on("standard output", &secrets);
            heard.no_json(&format!("{}hunter22 and more", ".".repeat(before)));
            let message = heard.notes().remove(0).message;
            assert!(message.ends_with("…`") && !message.contains(".h"), "{message}");
        }
    }

    #[test]
    fn a_failure_tells_the_noise_that_came_in_place_of_the_answer() {
        let secrets = Secrets::default();
        let mut heard = Heard::on("standard output", &secrets);
        heard.no_json("a");
        heard.no_json_rpc();
        let failure = heard.explain(Failure::new(ErrorCode::Timeout, "60 s passed"));
        assert_eq!(
            failure.message,
            "60 s passed; what it wrote to standard output meanwhile was no JSON-RPC (2 lines)"
        );
    }
}
