//! Values against JSON Schemas: the words of ours, each checked.
//!
//! Depends on serde_json. Invariant: a word that nobody checks fails the test.

use serde_json::{Value, json};

/// What a reference refers to.
pub fn resolve<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    match schema["$ref"].as_str() {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("there is no {reference}")),
        None => schema,
    }
}

/// The words of schemas that this test knows; one that it does not know would check nothing.
const WORDS: [&str; 18] = [
    "$ref",
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    "format",
    "type",
    "const",
    "enum",
    "anyOf",
    "oneOf",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "minimum",
    "maximum",
];

/// A whole number of any sign.
fn whole(value: &Value) -> Option<i128> {
    value.as_number()?.as_i128()
}

/// Where a value does not fit a schema, and why; nothing if it fits.
pub fn misfit(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let unknown: Vec<_> = schema.as_object().unwrap().keys().filter(|word| !WORDS.contains(&word.as_str())).collect();
    assert!(unknown.is_empty(), "{path}: nobody checks {unknown:?}");
    let schema = resolve(root, schema);
    let because = |why: &str| Some(format!("{path}: {why}"));
    let number = |word: &str| whole(&schema[word]);
    let is_type = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => whole(value).is_some(),
        Some(other) => panic!("{path}: nobody checks {other}"),
        None => {
            assert!(schema["type"].is_null(), "{path}: {}", schema["type"]);
            true
        }
    };
    if !is_type {
        return because("is of another type");
    }
    if schema.get("const").is_some_and(|one| one != value) || schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return because("is another value");
    }
    if whole(value).is_some_and(|n| number("minimum").is_some_and(|least| n < least) || number("maximum").is_some_and(|most| n > most)) {
        return because("is out of its limits");
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[word].as_array() {
            let fitting = choices.iter().filter(|choice| misfit(root, choice, value, path).is_none()).count();
            if fitting == 0 || word == "oneOf" && fitting > 1 {
                return because(&format!("fits {fitting} choices"));
            }
        }
    }
    if let (Some(items), Value::Array(values)) = (schema.get("items"), value) {
        return values.iter().enumerate().find_map(|(i, value)| misfit(root, items, value, &format!("{path}[{i}]")));
    }
    let (Some(properties), Value::Object(fields)) = (schema["properties"].as_object(), value) else { return None };
    let required = schema["required"].as_array().unwrap();
    if let Some(missing) = required.iter().find(|name| !fields.contains_key(name.as_str().unwrap())) {
        return because(&format!("has no {missing}"));
    }
    assert_eq!(schema["additionalProperties"], json!(false), "{path}");
    fields.iter().find_map(|(name, value)| match properties.get(name) {
        Some(property) => misfit(root, property, value, &format!("{path}.{name}")),
        None => because(&format!("has an unknown {name}")),
    })
}
