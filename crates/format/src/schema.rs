//! The JSON Schema of scenario files, by which editors complete and check.
//!
//! Depends on `scenario`, from whose types schemars makes it, and on schemars. Invariant: a file that is read without a
//! problem of form fits the schema; what is refused by its form does not, as far as a schema can tell. What only a
//! whole scenario tells (that names exist, that blocks fit) is not in it. The descriptions are the types' comments.

use serde_json::{Map, Value, json};

use super::scenario::{FORMS, ScenarioFile, VERSIONS};
use blockstep_sim::scenario::device::{BUILT_IN, LIMITS};
use blockstep_sim::scenario::{MAX_CHANNELS, MAX_CONNECTIONS};

/// Numbers that are at least 1, by type; those of devices have their limits.
const AT_LEAST_1: [(&str, &[&str]); 4] = [
    ("PolicyDraft", &["watchdog_ns"]),
    ("ProcessDraft", &["timeslice_ns", "channels"]),
    ("TaskDraft", &["period_ns", "jobs", "budget_ns"]),
    ("KernelDraft", &["blocks", "threads_per_block"]),
];

/// The schema of scenario files, as JSON.
#[must_use]
pub fn scenario_schema() -> String {
    let mut root = Value::from(schemars::schema_for!(ScenarioFile<'static>));
    root["title"] = json!("Blockstep scenario");
    root["properties"]["version"] = json!({ "description": root["properties"]["version"]["description"], "enum": VERSIONS });
    root["properties"]["connections"]["minimum"] = json!(1);
    root["properties"]["connections"]["maximum"] = json!(MAX_CONNECTIONS);
    root["properties"]["$schema"] = json!({ "description": "Where this schema is, for editors; ignored by Blockstep.", "type": "string" });
    without_null(&mut root);
    object("Draft", &mut root);
    for (name, schema) in root["$defs"].as_object_mut().into_iter().flatten() {
        match name.as_str() {
            "DeviceDraft" => schema["anyOf"][0]["enum"] = BUILT_IN.iter().map(|device| device.id).collect(),
            "BlockTimes" => {
                schema["anyOf"][0]["minimum"] = json!(1);
                schema["anyOf"][1]["items"]["minimum"] = json!(1);
            }
            _ => object(name, schema),
        }
    }
    // Values are written without an error.
    serde_json::to_string_pretty(&root).unwrap_or_default() + "\n"
}

/// What the reader asks of an object: no other fields, those that are required, and the least of its numbers.
fn object(name: &str, schema: &mut Value) {
    let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    let form = FORMS.iter().find(|form| form.type_name == name);
    let required = form.map_or(&[][..], |form| form.required);
    let unless = form.and_then(|form| form.unless.as_ref());
    for field in required.iter().chain(unless.map_or(&[][..], |unless| unless.required)) {
        fields.get_mut(*field).and_then(Value::as_object_mut).and_then(|field| field.remove("default"));
    }
    for field in AT_LEAST_1.iter().filter(|(of, _)| *of == name).flat_map(|(_, fields)| *fields) {
        fields[*field]["minimum"] = json!(1);
    }
    if name == "ProcessDraft" {
        fields["channels"]["maximum"] = json!(MAX_CHANNELS);
    }
    for limit in LIMITS.iter().filter(|_| name == "Device") {
        fields[limit.field]["minimum"] = json!(1);
        fields[limit.field]["maximum"] = json!(limit.max);
    }
    schema["additionalProperties"] = json!(false);
    schema["required"] = json!(required);
    if let Some(unless) = unless {
        let is_other = json!({ "not": { "const": unless.word } });
        schema["if"] = json!({ "required": [unless.field], "properties": { unless.field: is_other } });
        schema["else"] = json!({ "required": unless.required });
    }
}

/// Takes null out of the types: in files it is not "left out".
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Array(types)) = fields.get_mut("type") {
                types.retain(|one| one != "null");
                if let [only] = &mut types[..] {
                    let only = only.take();
                    fields.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
                choices.retain(|one| one["type"] != "null");
                if let [Value::Object(only)] = &mut choices[..] {
                    let only: Map<String, Value> = std::mem::take(only);
                    fields.remove("anyOf");
                    fields.extend(only);
                }
            }
            fields.values_mut().for_each(without_null);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null),
        _ => {}
    }
}
