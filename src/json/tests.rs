//! What the walk over JSON text keeps, on texts that serde's own types cannot hold.

use super::*;
use proptest::prelude::*;

fn text(raw: &str) -> Text<'_> {
    Text::parse(raw).unwrap()
}

#[test]
fn members_keep_order_and_duplicates() {
    let object = text(r#" { "a" : 1 , "b":[2,{"c":"}"}] , "a":"x\"," } "#);
    let members: Vec<_> = object.members().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(members, [(r#""a""#, "1"), (r#""b""#, r#"[2,{"c":"}"}]"#), (r#""a""#, r#""x\",""#)]);
}

#[test]
fn the_last_of_two_equal_keys_is_read() {
    assert_eq!(text(r#"{"k":1,"\u006b":2}"#).get("k").map(Text::as_str), Some("2"));
}

#[test]
fn a_key_that_must_be_unique_is_refused_when_it_stands_twice() {
    assert_eq!(text(r#"{"tools":1,"tools":2}"#).get_unique("tools"), Err(DuplicateKey("tools")));
    assert_eq!(text(r#"{"tools":1}"#).get_unique("tools").unwrap().map(Text::as_str), Some("1"));
    assert_eq!(text("{}").get_unique("tools"), Ok(None));
}

#[test]
fn elements_of_arrays_only() {
    let elements: Vec<_> = text("[ 1, [2 , 3] ,\n\"]\" , null]").elements().map(Text::as_str).collect();
    assert_eq!(elements, ["1", "[2 , 3]", "\"]\"", "null"]);
    assert_eq!(text("{\"a\":1}").elements().count(), 0);
    assert_eq!(text("[]").elements().count(), 0);
    assert_eq!(text("{ }").members().count(), 0);
}

#[test]
fn strings_decode_with_lone_surrogates_replaced() {
    assert_eq!(text(r#""a\ud83d\ude00\ud800\/\u0041""#).string().unwrap(), "a😀\u{fffd}/A");
    assert_eq!(text("42").string(), None);
}

#[test]
fn the_golden_texts_compact_exactly() {
    let golden: Vec<serde_json::Value> = serde_json::from_str(include_str!("../../fixtures/golden.json")).unwrap();
    assert!(golden.len() >= 36);
    for case in golden {
        let raw = case["raw"].as_str().unwrap();
        assert_eq!(text(raw).compact(), case["compact"].as_str().unwrap(), "{raw}");
    }
}

#[test]
fn nesting_of_any_depth_is_walked_without_recursion() {
    let deep = format!("{}{}", "[ ".repeat(200_000), "]".repeat(200_000));
    assert_eq!(text(&deep).compact().len(), 400_000);
    assert_eq!(text(&deep).elements().count(), 1);
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Writes JSON the long way: white space everywhere, every character of every string escaped.
fn long_form(value: &serde_json::Value) -> String {
    let string = |text: &str| {
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        format!("\"{units}\"")
    };
    match value {
        serde_json::Value::String(text) => string(text),
        serde_json::Value::Array(items) => {
            format!("[ {}\t]", items.iter().map(long_form).collect::<Vec<_>>().join(" ,\r\n"))
        }
        serde_json::Value::Object(members) => {
            let members = members.iter().map(|(key, value)| format!("{} : {}", string(key), long_form(value)));
            format!("{{ {}\n}}", members.collect::<Vec<_>>().join(" , "))
        }
        other => other.to_string(),
    }
}

proptest! {
    #[test]
    fn the_compact_form_has_the_same_value_and_is_stable(value in any_json()) {
        let long = long_form(&value);
        let compact = text(&long).compact();
        prop_assert_eq!(&compact, &value.to_string());
        prop_assert_eq!(text(&compact).compact(), compact);
    }
}
