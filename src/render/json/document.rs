//! What the JSON report holds, version 1. A contract: within the version, fields are only ever added.
//!
//! The structs here are the document's own, in the order in which its fields stand, and are not the internal types,
//! so that nothing inside can change it by accident. What is said of a field here stands in its JSON Schema.

use serde::Serialize;

use super::super::advice::FindingDocument;
use super::super::diff::{RowName, ServerDocument};
use super::super::json_client::Client;
use super::rows::{DeferredDocument, Tool};
use crate::base::Loosening;
use crate::capture::source::Origin;
use crate::codes::{ErrorCode, NoteCode};
use crate::gate::{Metric, Movement, Reason};

/// The JSON report of mcp-footprint: what was measured, and what the gate says of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "mcp-footprint/1, a report"))]
pub(crate) struct Document<'a> {
    /// Names the document and its version.
    #[cfg_attr(test, schemars(extend("const" = super::SCHEMA)))]
    pub(super) schema: &'static str,
    /// What every token count in the document was counted with.
    #[cfg_attr(test, schemars(extend("const" = crate::price::ESTIMATOR)))]
    pub(super) estimator: &'static str,
    /// What the process exits with: 0, 1 where the gate refused, 3 where a server was not measured.
    pub(super) exit_code: u8,
    /// The servers, in the order of budgets.toml or of the command line.
    pub(super) servers: Vec<Server<'a>>,
    /// The clients of budgets.toml, in the order of the file; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) clients: Vec<Client<'a>>,
    /// budgets.toml beside what it said at its base; there with `check --base` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "BaseDocument<'a>"))]
    pub(super) base: Option<BaseDocument<'a>>,
}

/// One server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::render) struct Server<'a> {
    /// The name by which the document calls it.
    pub(super) name: &'a str,
    /// Whether it could be priced completely. What is `not_measured` has `null` for every count, no tools, and an `error`.
    #[cfg_attr(test, schemars(extend("enum" = ["measured", "not_measured"])))]
    pub(super) status: &'static str,
    /// What its floor was counted with; there where some of its tools are deferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", extend("const" = crate::price::ESTIMATOR_DEFERRED)))]
    pub(super) estimator: Option<&'static str>,
    /// What the server says it is; `null` where unknown.
    pub(super) server: Option<Identity<'a>>,
    /// The revision of the protocol that was spoken; `null` where unknown.
    pub(super) protocol: Option<&'a str>,
    /// The way the list came.
    #[cfg_attr(test, schemars(extend("enum" = ["stdio", "http", "file", ()])))]
    pub(super) transport: Option<&'static str>,
    /// Operating system and architecture of the capture; `null` where unknown.
    pub(super) platform: Option<&'a str>,
    /// The client capabilities that were declared.
    pub(super) capabilities: &'a [String],
    /// Where the definitions came from, as it was written, without any secret; `null` where unknown.
    pub(super) source: Option<&'a Origin>,
    /// How many definitions were listed.
    pub(super) tool_count: Option<u64>,
    /// Tokens of all rows: the definitions, and what is sent in the place of those that are deferred.
    pub(super) floor_tokens: Option<u64>,
    /// Tokens of all descriptions, a part of the same text.
    pub(super) description_tokens: Option<u64>,
    /// Tokens of the instructions, beside the floor; `null` where unknown.
    pub(super) instructions_tokens: Option<u64>,
    /// UTF-8 bytes of all rows.
    pub(super) bytes: Option<u64>,
    /// What is sent late; there where some of its tools are deferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "DeferredDocument<'a>"))]
    pub(super) deferred: Option<DeferredDocument<'a>>,
    /// The rows: the definitions in the order in which they were listed, then the frame of those that are deferred.
    pub(super) tools: Vec<Tool<'a>>,
    /// What the gate says; `null` outside `check`.
    pub(super) gate: Option<GateDocument<'a>>,
    /// What moved since an earlier measurement; there with `check --against` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "ServerDocument<'a>"))]
    pub(super) against: Option<ServerDocument<'a>>,
    /// What wants saying beside the numbers.
    pub(super) notes: Vec<NoteDocument<'a>>,
    /// Why it was not measured; `null` where it was.
    pub(super) error: Option<ErrorDocument<'a>>,
}

/// What a server says it is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Identity<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its version.
    pub(super) version: &'a str,
}

/// The verdict on one server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::render) struct GateDocument<'a> {
    /// What the gate says.
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "refused"])))]
    pub(super) verdict: &'static str,
    /// The band of the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Band"))]
    pub(super) floor: Option<Band>,
    /// The band of the descriptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Band"))]
    pub(super) descriptions: Option<Band>,
    /// The band of the instructions, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Band"))]
    pub(super) instructions: Option<Band>,
    /// The band of how many tools there are, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Band"))]
    pub(super) tools: Option<Band>,
    /// The band of the heaviest definition, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Band"))]
    pub(super) largest: Option<Band>,
    /// Every band that is refused; empty for a pass.
    pub(super) reasons: Vec<ReasonDocument>,
    /// The tools that moved since the last pin, largest movement first.
    pub(super) changes: Vec<ChangeDocument<'a>>,
    /// Where it is refused, the largest savings in the definitions that grew, each counted again without it.
    pub(super) savings: Vec<FindingDocument<'a>>,
}

/// A budget and how far below it the measurement may sit, in the unit of its metric.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Band {
    /// The most that may be measured.
    pub(super) budget: u64,
    /// How far below the budget the measurement may sit.
    pub(super) slack: u64,
}

/// Why one band is refused.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ReasonDocument {
    /// The word of the reason.
    pub(super) code: Reason,
    /// What was measured.
    pub(super) measured: u64,
    /// The most that may be measured.
    pub(super) budget: u64,
    /// How far below the budget the measurement may sit.
    pub(super) slack: u64,
    /// Measured minus budget.
    pub(super) difference: i64,
    /// How much of it came since an earlier measurement; there with `check --against` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "SinceDocument"))]
    pub(super) since: Option<SinceDocument>,
}

/// How much of a refusal came since the earlier measurement.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SinceDocument {
    /// Measured now minus measured before.
    pub(super) difference: i64,
    /// Whether the gate would have refused for the same reason before.
    pub(super) inherited: bool,
    /// The budget at the base, where it is another; there with `check --base` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64"))]
    pub(super) budget_before: Option<u64>,
}

/// budgets.toml beside its base.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BaseDocument<'a> {
    /// The git revision as it was named.
    pub(super) reference: &'a str,
    /// The merge base with it, which is what was read; the first, where there are several.
    pub(super) commit: &'a str,
    /// All merge bases with it: branches that were merged into each other have several, and each of them holds.
    pub(super) commits: &'a [String],
    /// Whether the file was there.
    pub(super) had_file: bool,
    /// The file of a folder above that was the nearest one until this file was made; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub(super) nearest_above: Option<&'a str>,
    /// Where the file was, if that is another place; absent where it was here, or nowhere.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) moved_from: &'a [String],
    /// Whether anything was raised or loosened without a new reason.
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "refused"])))]
    pub(super) verdict: &'static str,
    /// What is raised or loosened.
    pub(super) differences: Vec<BaseDifference<'a>>,
}

/// Something that budgets.toml holds less than at its base.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BaseDifference<'a> {
    /// The word of the reason; `null` for a raise that has its reason.
    pub(super) code: Option<Reason>,
    /// What is other.
    pub(super) change: Loosening,
    /// The server; `null` where it is about the whole file.
    pub(super) server: Option<&'a str>,
    /// The band; `null` where it is about none.
    pub(super) band: Option<Metric>,
    /// At the base.
    pub(super) before: &'a str,
    /// Now.
    pub(super) after: &'a str,
    /// The new reason that the file gives; `null` where it gives none.
    pub(super) reason: Option<&'a str>,
    /// Whether it is refused.
    pub(super) refused: bool,
}

/// How one tool, of a client one server, moved since the last pin.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ChangeDocument<'a> {
    #[serde(flatten)]
    pub(super) row: RowName<'a>,
    /// How it moved.
    pub(super) change: Movement,
    /// Tokens now minus tokens pinned.
    pub(super) tokens: i64,
    /// Description tokens now minus those pinned.
    pub(super) description_tokens: i64,
}

/// Something that wants saying beside the numbers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::render) struct NoteDocument<'a> {
    /// The word of the note.
    pub(super) code: NoteCode,
    /// What there is to say.
    pub(super) message: &'a str,
    /// The tool that it is about; `null` where it is about none.
    pub(super) tool: Option<&'a str>,
}

/// Why a server was not measured.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::render) struct ErrorDocument<'a> {
    /// The word of the error.
    pub(super) code: ErrorCode,
    /// What happened, and what to do.
    pub(super) message: &'a str,
    /// The last of what the server wrote to standard error; `null` where that is nothing.
    pub(super) stderr_tail: Option<&'a str>,
}
