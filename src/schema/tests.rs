//! The committed schemas say what the types write: `INSTA_UPDATE=always cargo test --lib schema` writes them.

use std::path::Path;

use clap::ValueEnum;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::Schema;
use crate::capture::SavedDocument;
use crate::render::documents;

/// Without this the reader of a schema could take an older one for the contract.
const ABOUT: &str = "Later versions of mcp-footprint add members and words, and change none: `mcp-footprint schema` prints \
                     the schema of its own version.";

fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    schema["$comment"] = json!(ABOUT);
    schema
}

/// The schema of the types; `None` for what is no document.
fn generated(schema: Schema) -> Option<Value> {
    Some(match schema {
        Schema::Budgets => return None,
        Schema::Report => of::<documents::Report<'_>>(),
        Schema::Audit => of::<documents::Audit<'_>>(),
        Schema::Capture => of::<SavedDocument<'_>>(),
        Schema::Diff => of::<documents::Diff<'_>>(),
        Schema::Explain => of::<documents::Explain<'_>>(),
        Schema::Advice => of::<documents::Advice<'_>>(),
        Schema::Defer => of::<documents::Defer<'_>>(),
        Schema::Fields => of::<documents::Fields<'_>>(),
        Schema::View => of::<documents::View<'_>>(),
        Schema::Catalog => of::<documents::Catalog<'_>>(),
    })
}

fn name(schema: Schema) -> String {
    schema.to_possible_value().unwrap().get_name().to_owned()
}

#[test]
fn every_committed_schema_is_the_one_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/schema");
    let writes = std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always");
    for (schema, generated) in Schema::value_variants().iter().filter_map(|&schema| Some((schema, generated(schema)?)))
    {
        let path = folder.join(format!("{}.schema.json", name(schema)));
        let text = format!("{generated:#}\n");
        if writes {
            std::fs::write(&path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(committed == text, "{} is another; write it with INSTA_UPDATE=always", path.display());
    }
}

#[test]
fn every_schema_is_told_of_and_says_what_it_is() {
    for schema in Schema::value_variants() {
        let value: Value = serde_json::from_str(schema.text()).unwrap();
        assert_eq!(value["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert!(value["title"].is_string(), "{schema:?}");
        assert!(schema.text().ends_with("}\n"));
    }
}
