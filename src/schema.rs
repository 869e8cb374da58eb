//! The JSON Schemas of budgets.toml and of the JSON documents, as they are committed under fixtures/schema/.
//!
//! Those of the documents are written from the types that write them, by the tests below; that of budgets.toml is held
//! to its reader by tests there. The texts are a part of the program, so that an editor gets the one of its version
//! without asking the network.

#[cfg(test)]
mod tests;

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Schema {
    /// budgets.toml
    Budgets,
    /// `report` and `check` with --format json
    Report,
    /// `audit --format json`
    Audit,
    /// What `capture` saves and --from reads
    Capture,
    /// `diff --format json`
    Diff,
    /// `explain --format json`
    Explain,
    /// `advise --format json`
    Advice,
    /// `defer --format json`
    Defer,
    /// `report --by field --format json`
    Fields,
    /// `report --view` with --format json
    View,
    /// `report --format catalog`
    Catalog,
}

impl Schema {
    /// Its text: JSON Schema of draft 2020-12, with a line end.
    pub fn text(self) -> &'static str {
        match self {
            Schema::Budgets => include_str!("../fixtures/schema/budgets.schema.json"),
            Schema::Report => include_str!("../fixtures/schema/report.schema.json"),
            Schema::Audit => include_str!("../fixtures/schema/audit.schema.json"),
            Schema::Capture => include_str!("../fixtures/schema/capture.schema.json"),
            Schema::Diff => include_str!("../fixtures/schema/diff.schema.json"),
            Schema::Explain => include_str!("../fixtures/schema/explain.schema.json"),
            Schema::Advice => include_str!("../fixtures/schema/advice.schema.json"),
            Schema::Defer => include_str!("../fixtures/schema/defer.schema.json"),
            Schema::Fields => include_str!("../fixtures/schema/fields.schema.json"),
            Schema::View => include_str!("../fixtures/schema/view.schema.json"),
            Schema::Catalog => include_str!("../fixtures/schema/catalog.schema.json"),
        }
    }
}
