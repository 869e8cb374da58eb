//! The JSON Schema of budgets.toml says what the reader accepts: an editor that complains about a good file, or is silent
//! about an unknown key, would be worse than none.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::budgets::client::CLIENT_KEYS;
use crate::budgets::schema::{BAND_KEYS, ROOT_KEYS, SERVER_KEYS};
use crate::price::ESTIMATOR;

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../fixtures/schema/budgets.schema.json")).unwrap()
}

fn keys(object: &Value) -> BTreeSet<&str> {
    assert_eq!(object["additionalProperties"], false, "an unknown key is a fault");
    object["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_schema_knows_exactly_the_keys_that_are_read() {
    let schema = schema();
    assert_eq!(keys(&schema), ROOT_KEYS.into());
    assert_eq!(keys(&schema["$defs"]["server"]), SERVER_KEYS.into());
    assert_eq!(keys(&schema["$defs"]["client"]), CLIENT_KEYS.into());
    for band in ["tokens", "tools"] {
        assert_eq!(keys(&schema["$defs"][band]), BAND_KEYS.into());
    }
    assert_eq!(schema["properties"]["estimator"]["const"], ESTIMATOR);
}
