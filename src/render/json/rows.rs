//! The rows of the JSON document: what adds up to a server's floor, and what of it is sent late.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::price::Field;
use crate::rows::{Deferred, Row, RowKind};

/// One row: a definition, the line of a deferred one (`deferred:NAME`), or what stands around the lines.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Tool<'a> {
    /// Its name, or `(unnamed #3)` or `(invalid #3)` by its place in the list.
    name: Cow<'a, str>,
    /// Tokens of its compact text, or of its line.
    tokens: u64,
    /// Tokens of its description alone.
    description_tokens: u64,
    /// UTF-8 bytes of the text that `tokens` counts.
    bytes: u64,
    /// The digest of that text, in lower-case hexadecimal digits.
    sha256: &'a str,
    /// Tokens by top-level key, adding up to `tokens`; what belongs to no key stands under `{}`.
    #[serde(serialize_with = "fields")]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, u64>"))]
    fields: &'a [Field],
    /// Tokens of the whole definition of a deferred tool, whose line the other numbers are about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64"))]
    definition_tokens: Option<u64>,
}

/// What is sent late.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct DeferredDocument<'a> {
    /// The globs of budgets.toml that name the tools.
    globs: &'a [String],
    /// How many tools they name.
    tool_count: u64,
    /// Tokens of their lines.
    line_tokens: u64,
    /// Tokens of what stands around the lines.
    frame_tokens: u64,
    /// Tokens of all definitions: the floor with everything sent.
    everything_tokens: u64,
    /// Tokens of the client's tool that looks them up, which is in no floor.
    lookup_tool_tokens: u64,
}

impl<'a> Tool<'a> {
    /// `None` for a server of a client, which stands in full elsewhere.
    pub(super) fn of(row: Row<'a>) -> Option<Self> {
        let price = row.price()?;
        Some(Tool {
            name: row.name,
            tokens: price.tokens,
            description_tokens: price.description_tokens,
            bytes: price.bytes,
            sha256: &price.sha256,
            fields: &price.fields,
            definition_tokens: match row.kind {
                RowKind::Deferred(tool, _) => Some(tool.price.tokens),
                RowKind::Sent(_) | RowKind::Frame(_) | RowKind::Member(_) => None,
            },
        })
    }
}

impl<'a> DeferredDocument<'a> {
    pub(super) fn of(deferred: &'a Deferred) -> Self {
        DeferredDocument {
            globs: &deferred.globs,
            tool_count: deferred.tools(),
            line_tokens: deferred.line_tokens(),
            frame_tokens: deferred.frame_tokens(),
            everything_tokens: deferred.everything,
            lookup_tool_tokens: deferred.lookup_tool,
        }
    }
}

fn fields<S: Serializer>(fields: &[Field], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(fields.iter().map(|field| (&field.key, field.tokens)))
}
