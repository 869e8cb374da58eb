//! How a session begins, in both eras: the parameters that a client sends, and what the server's first answer says
//! about the server. Sends and receives nothing itself.

use serde_json::{Map, Value, json};

use super::Identity;
use super::listing::Cursor;
use super::message::{self, RpcError};
use super::offer::{KNOWN, MODERN};
use crate::codes::{ErrorCode, Failure, Note, NoteCode};
use crate::json::{Kind, Text};
use crate::secrets::Secrets;

/// JSON-RPC 2.0: the method does not exist.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;

/// What the first answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    /// What the server says it is.
    pub(crate) server: Option<Identity>,
    /// The revision that is spoken from now on.
    pub(crate) protocol: Option<String>,
    /// The server's instructions; empty where it sent none.
    pub(crate) instructions: String,
    /// Whether the server declares tools.
    pub(crate) has_tools: bool,
    /// Whether every request names its revision.
    pub(crate) modern: bool,
}

impl Opening {
    /// What is odd about the revision.
    pub(crate) fn note(&self, secrets: &Secrets) -> Option<Note> {
        let said = match &self.protocol {
            Some(revision) if KNOWN.contains(&revision.as_str()) => return None,
            Some(revision) => format!("speaks revision {} of the protocol", message::shortened(revision, secrets)),
            None => "does not say which revision of the protocol it speaks".to_owned(),
        };
        let message = format!("the server {said}, which this client has never heard of; it is measured all the same");
        Some(Note::new(NoteCode::UnknownProtocol, message))
    }
}

/// `params` of `initialize`.
pub(crate) fn initialize_params(revision: &str, capabilities: &[String]) -> String {
    let capabilities = declared(capabilities);
    json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": client_info() }).to_string()
}

/// `params` of `tools/list` before 2026-07-28.
pub(crate) fn legacy_params(cursor: Option<&Cursor>) -> String {
    match cursor {
        Some(cursor) => format!(r#"{{"cursor":{}}}"#, cursor.as_json()),
        None => "{}".to_owned(),
    }
}

/// `params` of any request of 2026-07-28, which carries what `initialize` carried before.
pub(crate) fn modern_params(cursor: Option<&Cursor>, capabilities: &[String]) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": client_info(),
        "io.modelcontextprotocol/clientCapabilities": declared(capabilities),
    });
    match cursor {
        Some(cursor) => format!(r#"{{"_meta":{meta},"cursor":{}}}"#, cursor.as_json()),
        None => format!(r#"{{"_meta":{meta}}}"#),
    }
}

/// Reads the result of `initialize`.
///
/// # Errors
/// `bad_answer` when it is no object.
pub(crate) fn read_initialized(result: Text<'_>) -> Result<Opening, Failure> {
    expect_object("initialize", result)?;
    Ok(Opening {
        server: result.get("serverInfo").and_then(identity),
        protocol: result.get("protocolVersion").and_then(Text::string),
        instructions: result.get("instructions").and_then(Text::string).unwrap_or_default(),
        has_tools: has_tools(result),
        modern: false,
    })
}

/// Reads the result of `server/discover`.
///
/// # Errors
/// `bad_answer` when it is no object, `no_common_protocol` when it names revisions without ours.
pub(crate) fn read_discovered(result: Text<'_>, secrets: &Secrets) -> Result<Opening, Failure> {
    expect_object("server/discover", result)?;
    if let Some(supported) = result.get("supportedVersions") {
        let supported: Vec<_> = supported.elements().filter_map(Text::string).collect();
        if !supported.iter().any(|revision| revision == MODERN) {
            return Err(no_common_revision(&supported, secrets));
        }
    }
    let meta = result.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
    Ok(Opening {
        server: meta.or_else(|| result.get("serverInfo")).and_then(identity),
        protocol: Some(MODERN.to_owned()),
        instructions: result.get("instructions").and_then(Text::string).unwrap_or_default(),
        has_tools: has_tools(result),
        modern: true,
    })
}

/// Whether the server has named the revisions that it speaks, and this client has heard of none of them.
pub(crate) fn names_only_unknown_revisions(error: &RpcError) -> bool {
    !error.supported.is_empty() && !error.supported.iter().any(|revision| KNOWN.contains(&revision.as_str()))
}

/// The failure of a server that speaks none of our revisions.
pub(crate) fn no_common_revision(supported: &[String], secrets: &Secrets) -> Failure {
    let theirs = match supported {
        [] => "does not say which ones it speaks".to_owned(),
        revisions => format!("speaks {}", message::shortened(&revisions.join(", "), secrets)),
    };
    let message = format!(
        "no revision of the protocol is spoken by both sides: the server {theirs}, this program speaks {}",
        KNOWN.join(", ")
    );
    Failure::new(ErrorCode::NoCommonProtocol, message)
}

/// What to add when a server that was to speak 2026-07-28 refuses `server/discover`.
pub(crate) fn discover_hint(error: &RpcError) -> &'static str {
    match error.code {
        Some(METHOD_NOT_FOUND) => {
            "; every server of revision 2026-07-28 has to know that method, so this one speaks older revisions only: \
             leave out `protocol`, or name an older one"
        }
        _ => "",
    }
}

fn expect_object(method: &str, result: Text<'_>) -> Result<(), Failure> {
    match result.kind() {
        Kind::Object => Ok(()),
        kind => {
            let message = format!("the result of `{method}` is {}, where an object was expected", kind.with_article());
            Err(Failure::new(ErrorCode::BadAnswer, message))
        }
    }
}

fn identity(info: Text<'_>) -> Option<Identity> {
    let name = info.get("name").and_then(Text::string)?;
    Some(Identity { name, version: info.get("version").and_then(Text::string).unwrap_or_default() })
}

fn has_tools(result: Text<'_>) -> bool {
    let tools = result.get("capabilities").and_then(|capabilities| capabilities.get("tools"));
    tools.is_some_and(|tools| tools.kind() != Kind::Null)
}

fn client_info() -> Value {
    json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") })
}

/// `["roots", "sampling.tools"]` -> `{"roots":{},"sampling":{"tools":{}}}`.
fn declared(capabilities: &[String]) -> Value {
    fn declare(object: &mut Map<String, Value>, path: &str) {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        let inner = object.entry(name).or_insert_with(|| json!({}));
        if let (Some(rest), Value::Object(inner)) = (rest, inner) {
            declare(inner, rest);
        }
    }
    let mut object = Map::new();
    capabilities.iter().for_each(|path| declare(&mut object, path));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_are_declared_as_empty_objects_and_dots_nest() {
        let names = ["roots", "sampling.tools", "sampling", "elicitation.form"].map(str::to_owned);
        let expected = json!({"roots": {}, "sampling": {"tools": {}}, "elicitation": {"form": {}}});
        assert_eq!(declared(&names), expected);
    }

    #[test]
    fn the_initialize_result_tells_server_revision_and_instructions() {
        let result = r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"instructions":"i",
                         "serverInfo":{"name":"n","version":""}}"#;
        let opening = read_initialized(Text::parse(result).unwrap()).unwrap();
        assert_eq!(opening.server, Some(Identity { name: "n".into(), version: String::new() }));
        assert_eq!(opening.protocol.as_deref(), Some("2024-11-05"));
        assert_eq!(
            (opening.instructions.as_str(), opening.has_tools, opening.note(&Secrets::default())),
            ("i", true, None)
        );
    }

    #[test]
    fn a_revision_never_heard_of_and_none_at_all_are_accepted_with_a_note() {
        for result in [r#"{"protocolVersion":"2031-01-01"}"#, "{}"] {
            let opening = read_initialized(Text::parse(result).unwrap()).unwrap();
            assert_eq!(opening.note(&Secrets::default()).unwrap().code, NoteCode::UnknownProtocol, "{result}");
        }
    }

    #[test]
    fn an_initialize_result_that_is_no_object_is_a_bad_answer() {
        let failure = read_initialized(Text::parse("null").unwrap()).unwrap_err();
        assert_eq!(failure.code, ErrorCode::BadAnswer);
    }

    #[test]
    fn the_discover_result_tells_the_server_and_must_name_our_revision() {
        let result = r#"{"supportedVersions":["2026-07-28"],"_meta":
                         {"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}}"#;
        let opening = read_discovered(Text::parse(result).unwrap(), &Secrets::default()).unwrap();
        assert_eq!(opening.server.unwrap().name, "n");
        assert!(opening.modern && !opening.has_tools);
        let failure =
            read_discovered(Text::parse(r#"{"supportedVersions":["2031-01-01"]}"#).unwrap(), &Secrets::default())
                .unwrap_err();
        assert_eq!(failure.code, ErrorCode::NoCommonProtocol);
        assert!(failure.message.contains("2031-01-01"));
    }

    #[test]
    fn a_modern_request_names_its_revision_its_client_and_its_capabilities() {
        let params: Value = serde_json::from_str(&modern_params(None, &[])).unwrap();
        assert_eq!(params["_meta"]["io.modelcontextprotocol/protocolVersion"], MODERN);
        assert_eq!(params["_meta"]["io.modelcontextprotocol/clientCapabilities"], json!({}));
        assert_eq!(params["_meta"]["io.modelcontextprotocol/clientInfo"]["name"], "mcp-footprint");
    }
}
