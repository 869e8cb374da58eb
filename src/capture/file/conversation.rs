//! JSON-RPC answers that were saved -> one capture: what opened the session, and one list, page after page.

use super::{ambiguous, bad, capture, identity};
use crate::capture::listing::Listing;
use crate::capture::{Capture, Identity, Outcome};
use crate::codes::{ErrorCode, Failure};
use crate::json::{Kind, Text};

/// The answers of one conversation, as far as they were read.
#[derive(Default)]
pub(super) struct Pages {
    listing: Listing,
    started: bool,
    continues: bool,
    server: Option<Identity>,
    protocol: Option<String>,
    instructions: Option<String>,
}

impl Pages {
    /// Reads the response that stands at this byte.
    pub(super) fn read_response(&mut self, response: Text<'_>, at: usize) -> Result<(), Failure> {
        let foreign = || bad(format!("is no capture, no list of tools and no JSON-RPC answer at byte {at}"));
        if response.kind() != Kind::Object {
            return Err(foreign());
        }
        let [method, error, result] = response.get_all_unique(["method", "error", "result"]).map_err(ambiguous)?;
        if method.is_some() {
            return Ok(());
        }
        if let Some(error) = error {
            let message = error.get("message").and_then(Text::string).unwrap_or_default();
            return Err(Failure::new(ErrorCode::RpcError, format!("holds an error instead of a list: {message}")));
        }
        match result {
            Some(result) if result.get("tools").is_some() => self.add(result),
            Some(result) => {
                self.read_opening(result);
                Ok(())
            }
            None => Err(foreign()),
        }
    }

    /// The answer to `initialize` or `server/discover`.
    fn read_opening(&mut self, result: Text<'_>) {
        let info = result
            .get("serverInfo")
            .or_else(|| result.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo")));
        self.server = info.map(identity).or(self.server.take());
        self.protocol = result.get("protocolVersion").and_then(Text::string).or(self.protocol.take());
        self.instructions = Some(result.get("instructions").and_then(Text::string).unwrap_or_default());
    }

    pub(super) fn add(&mut self, result: Text<'_>) -> Result<(), Failure> {
        if self.started && !self.continues {
            return Err(bad("holds more than one list of tools"));
        }
        self.started = true;
        self.continues = self.listing.add_page(result)?.is_some();
        Ok(())
    }

    pub(super) fn into_capture(self, stem: &str) -> Outcome {
        if !self.started {
            return Err(bad("holds no list of tools"));
        }
        if self.continues {
            return Err(bad("holds a part of a list only: its last page names a further one"));
        }
        let own_name = self.server.as_ref().map(|server| server.name.clone()).filter(|name| !name.trim().is_empty());
        Ok(Capture {
            suggested_name: own_name.unwrap_or_else(|| stem.to_owned()),
            server: self.server,
            protocol: self.protocol,
            instructions: self.instructions,
            ..capture(stem, self.listing)
        })
    }
}
