//! What a document of an insight says of servers that were not measured: a stored document must not look complete.

use serde::Serialize;

use super::json::ErrorDocument;
use crate::report::ServerReport;

/// A server that was not measured.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NotMeasured<'a> {
    /// Its name.
    name: &'a str,
    /// Why.
    error: ErrorDocument<'a>,
}

/// Those of the servers that were not measured.
pub(super) fn not_measured<'a>(servers: &[&'a ServerReport]) -> Vec<NotMeasured<'a>> {
    let failed = servers.iter().filter_map(|server| Some((&server.name, server.outcome.as_ref().err()?)));
    failed.map(|(name, failure)| NotMeasured { name, error: ErrorDocument::of(failure) }).collect()
}
