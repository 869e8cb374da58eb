//! What the tokens of definitions are spent on, across tools: the same partition by kind of part instead of by path.
//!
//! Pure. Every token is in exactly one class.

use std::collections::BTreeMap;

use crate::codes::vocabulary;
use crate::definition::Definition;
use crate::json::Kind;
use crate::price::Partition;
use crate::tree::{Step, Tree};

vocabulary! {
    /// What a part of a definition is for.
    Class {
        /// The tool's name.
        Name = "name",
        /// The tool's title.
        Title = "title",
        /// The tool's description.
        Description = "description",
        /// Types, nesting, required lists and everything else that says what is allowed.
        InputStructure = "inputSchema: structure",
        /// Names of parameters.
        InputNames = "inputSchema: property names",
        /// Descriptions of parameters.
        InputDescriptions = "inputSchema: property descriptions",
        /// Lists of allowed values.
        InputEnums = "inputSchema: enums",
        /// Defaults and examples.
        InputDefaults = "inputSchema: defaults and examples",
        /// Definitions that the schema refers to.
        InputDefinitions = "inputSchema: $defs",
        /// Titles of parameters, `$schema`, identifiers and comments.
        InputMetadata = "inputSchema: metadata",
        /// The schema of the result.
        Output = "outputSchema",
        /// Hints on behaviour.
        Annotations = "annotations",
        /// How it may be executed.
        Execution = "execution",
        /// Pictures.
        Icons = "icons",
        /// What clients and servers tell each other.
        Meta = "_meta",
        /// Every other key.
        Other = "other",
        /// The outer braces and commas.
        NoKey = "{}",
    }
}

/// What the values inside a part are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A schema: its keys say what they mean.
    Schema,
    /// Members are parameters, each with a schema.
    Properties,
    /// Elements are schemas.
    Schemas,
    /// Everything is of one class.
    Whole(Class),
}

/// The tokens of a definition by class; classes without tokens are left out. They add up to its tokens.
pub fn classes(definition: &Definition) -> BTreeMap<Class, u64> {
    let tree = Tree::of(definition.compact());
    let partition = Partition::of(definition.compact());
    let mut places: Vec<Place> = Vec::with_capacity(tree.nodes().len());
    let mut tokens: BTreeMap<Class, u64> = BTreeMap::new();
    for (at, node) in tree.nodes().iter().enumerate() {
        let key = tree.key(at).unwrap_or_default();
        let holder = node.parent.map(|parent| places[parent]);
        let place = match holder {
            None => Place::Whole(Class::NoKey),
            Some(_) if node.depth == 1 => top(&key),
            Some(Place::Schema) => keyword(&key),
            Some(Place::Properties | Place::Schemas) => Place::Schema,
            Some(Place::Whole(class)) => Place::Whole(class),
        };
        // The older form of `prefixItems` is a list under `items`.
        let place = if place == Place::Schema && node.kind == Kind::Array { Place::Schemas } else { place };
        places.push(place);
        let mut own = partition.own_tokens_of(&tree, at);
        if let (Some(Place::Properties), Step::Key(name)) = (holder, &node.step) {
            let named = partition.tokens(name.clone());
            *tokens.entry(Class::InputNames).or_default() += named;
            own -= named;
        }
        let class = match place {
            Place::Whole(class) => class,
            _ => Class::InputStructure,
        };
        *tokens.entry(class).or_default() += own;
    }
    tokens.retain(|_, count| *count > 0);
    tokens
}

/// What a key of the definition holds.
fn top(key: &str) -> Place {
    Place::Whole(match key {
        "inputSchema" => return Place::Schema,
        "name" => Class::Name,
        "title" => Class::Title,
        "description" => Class::Description,
        "outputSchema" => Class::Output,
        "annotations" => Class::Annotations,
        "execution" => Class::Execution,
        "icons" => Class::Icons,
        "_meta" => Class::Meta,
        _ => Class::Other,
    })
}

/// What a keyword of a schema holds.
fn keyword(key: &str) -> Place {
    Place::Whole(match key {
        "properties" | "patternProperties" | "dependentSchemas" => return Place::Properties,
        "items"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "additionalItems" => return Place::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => return Place::Schemas,
        "description" => Class::InputDescriptions,
        "enum" | "const" => Class::InputEnums,
        "default" | "example" | "examples" => Class::InputDefaults,
        "$defs" | "definitions" => Class::InputDefinitions,
        "title" | "$schema" | "$id" | "id" | "$comment" | "$anchor" => Class::InputMetadata,
        _ => Class::InputStructure,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Text;
    use crate::price;

    fn of(raw: &str) -> (BTreeMap<Class, u64>, u64) {
        let definition = Definition::new(Text::parse(raw).unwrap(), 1);
        (classes(&definition), price::price(&definition).tokens)
    }

    #[test]
    fn the_classes_add_up_and_each_part_has_its_own() {
        let (classes, tokens) = of(
            r##"{"name":"add note","title":"Add","description":"Adds","inputSchema":{"$schema":"http://json-schema.org/x",
            "type":"object","properties":{"the_title":{"title":"The Title","type":"string","enum":["a","b"],"default":"a",
            "description":"A title"}},"$defs":{"x":{"type":"string"}}},"outputSchema":{"type":"object"},"annotations":
            {"readOnlyHint":true},"execution":{"taskSupport":"x"},"icons":[{"src":"x"}],"_meta":{"a":1},"x":2}"##,
        );
        assert_eq!(classes.values().sum::<u64>(), tokens);
        assert_eq!(classes.keys().copied().collect::<Vec<_>>(), Class::ALL);
    }

    #[test]
    fn a_parameter_called_description_is_a_name_and_its_schema_structure() {
        let (classes, _) = of(r#"{"inputSchema":{"properties":{"description":{"type":"string"}}}}"#);
        let expected = [Class::InputStructure, Class::InputNames, Class::NoKey];
        assert_eq!(classes.into_keys().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_list_of_schemas_under_items_holds_schemas() {
        let list = |key: &str| {
            let raw = r#"{"inputSchema":{"KEY":[{"description":"The first one"},{"enum":["a","b"]}]}}"#;
            of(&raw.replace("KEY", key)).0
        };
        for class in [Class::InputDescriptions, Class::InputEnums] {
            assert_eq!(list("items").get(&class), list("prefixItems").get(&class), "{class}");
            assert!(list("items").contains_key(&class), "{class}");
        }
    }

    #[test]
    fn what_is_no_object_belongs_to_no_key() {
        let (classes, tokens) = of(r#""text""#);
        assert_eq!(classes, BTreeMap::from([(Class::NoKey, tokens)]));
    }
}
