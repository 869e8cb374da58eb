//! The rows of the JSON document: what adds up to a server's floor, and what of it is sent late.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::price::Field;
use crate::rows::{Deferred, Row, RowKind};

#[derive(Serialize)]
pub(super) struct Tool<'a> {
    name: Cow<'a, str>,
    tokens: u64,
    description_tokens: u64,
    bytes: u64,
    sha256: &'a str,
    #[serde(serialize_with = "fields")]
    fields: &'a [Field],
    /// Of a deferred tool, whose line the other numbers are about.
    #[serde(skip_serializing_if = "Option::is_none")]
    definition_tokens: Option<u64>,
}

/// What is sent late; there where the server has a `defer`.
#[derive(Serialize)]
pub(super) struct DeferredDocument<'a> {
    globs: &'a [String],
    tool_count: u64,
    line_tokens: u64,
    frame_tokens: u64,
    everything_tokens: u64,
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
