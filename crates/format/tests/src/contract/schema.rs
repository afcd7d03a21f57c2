//! The JSON Schema of scenario files is that of the code, of the documents and of the files there are
//! (`public/scenario.schema.json`; rewritten by `BLESS=1 cargo test -p blockstep-format-tests contract_schema`).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use blockstep_format::{open_scenario, read_batch, read_scenario, read_sweep, scenario_schema, write_scenario};
use blockstep_sim::examples;
use blockstep_sim::scenario::{Device, DeviceDraft, Draft};
use blockstep_testing::schema::{misfit, resolve};
use serde_json::{Map, Value, json};

use super::fields::{OBJECTS, table};
use super::{file_format, files};

fn schema() -> Value {
    serde_json::from_str(&scenario_schema()).unwrap()
}

/// The properties of the objects in `docs/file-format.md`, in the order of its headings.
fn objects(root: &Value) -> Vec<&Map<String, Value>> {
    let of_row = |field: &str| resolve(root, &root["properties"][field]["items"])["properties"].as_object().unwrap();
    let device = resolve(root, &root["properties"]["device"])["anyOf"].as_array().unwrap();
    let device = device.iter().find_map(|choice| resolve(root, choice)["properties"].as_object()).unwrap();
    let policy = resolve(root, &root["properties"]["policy"])["properties"].as_object().unwrap();
    let root = root["properties"].as_object().unwrap();
    vec![root, policy, of_row("processes"), of_row("tasks"), of_row("batches"), of_row("streams"), of_row("kernels"), device]
}

#[test]
fn contract_schema_is_up_to_date() {
    let file = Path::new(blockstep_testing::ROOT).join("public/scenario.schema.json");
    let made = scenario_schema();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &made).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    let diff = || similar::TextDiff::from_lines(&*committed, &made).unified_diff().to_string();
    assert!(committed == made, "{}\nIf this is meant: BLESS=1 cargo test -p blockstep-format-tests contract_schema", diff());
}

#[test]
fn contract_schema_has_exactly_the_fields_of_the_documents() {
    let root = schema();
    let in_schema = objects(&root);
    assert_eq!(in_schema.len(), OBJECTS.len());
    for ((heading, ..), properties) in OBJECTS.iter().zip(in_schema) {
        let documented: BTreeSet<String> = table(heading).into_iter().map(|[field, ..]| field).collect();
        let known: BTreeSet<String> = properties.keys().filter(|field| *field != "$schema").cloned().collect();
        assert_eq!(known, documented, "{heading}");
        for (field, property) in properties {
            let described = property["description"].as_str().is_some_and(|text| text.len() > 3);
            assert!(described, "{heading} {field} has no description");
        }
    }
    assert!(file_format().contains("`$schema`"));
}

/// What the tables call required is so in the schema, and the defaults that it names are those of the tables.
#[test]
fn contract_schema_has_the_defaults_of_the_documents() {
    let root = schema();
    let mut defaults = 0;
    for ((heading, ..), properties) in OBJECTS.iter().zip(objects(&root)) {
        let parents = std::iter::once(&root).chain(root["$defs"].as_object().unwrap().values());
        let parent = parents.into_iter().find(|parent| parent["properties"].as_object() == Some(properties)).unwrap();
        for [field, default, _] in table(heading) {
            let default = default.replace('\u{1}', "");
            let is_required = parent["required"].as_array().unwrap().contains(&json!(field));
            assert_eq!(is_required, default == "required", "{heading} {field}");
            if let Some(named) = properties[&field].get("default") {
                assert_eq!(serde_json::from_str::<Value>(&default).ok().as_ref(), Some(named), "{heading} {field}");
                defaults += 1;
            }
        }
    }
    assert!(defaults > 10, "{defaults}");
}

#[test]
fn contract_schema_fits_the_scenarios_there_are() {
    let root = schema();
    let fits = |text: &str| misfit(&root, &root, &serde_json::from_str(text).unwrap(), "");
    let mut texts: Vec<String> = examples::all().map(|example| example.json.to_owned()).collect();
    assert!(texts.len() > 15, "{}", texts.len());
    texts.extend(files("tests/golden", &["json"]).iter().map(|path| fs::read_to_string(path).unwrap()));
    for text in texts {
        assert_eq!(fits(&text), None, "{text}");
        // Written out again, without what equals its default, too.
        assert_eq!(fits(&write_scenario(&read_scenario(&text).unwrap())), None, "{text}");
    }
    let device = DeviceDraft::Custom(Device { name: "own".to_owned(), sms: 7, ..Device::default() });
    assert_eq!(fits(&write_scenario(&Draft { device, ..Draft::default() })), None);
}

#[test]
fn contract_schema_refuses_what_the_reader_refuses() {
    let root = schema();
    let row = |fields: &str| {
        format!(
            r#"{{ "version": 1, "kernels": [ {{ "name": "K", "blocks": 1, "threads_per_block": 1, "block_time_ns": 1, {fields} }} ] }}"#
        )
    };
    let top = |fields: &str| format!(r#"{{ "version": 1, "kernels": [], {fields} }}"#);
    for (text, why) in [
        ("{}".to_owned(), "has no"),
        (r#"{ "version": 4, "kernels": [] }"#.to_owned(), ".version: is another value"),
        (r#"{ "version": 2, "kernels": [], "connections": 1.5 }"#.to_owned(), ".connections: is of another type"),
        (
            r#"{ "version": 2, "kernels": [], "streams": [ { "name": "S", "non_blocking": 1 } ] }"#.to_owned(),
            ".streams[0].non_blocking: is of another type",
        ),
        (top(r#""colour": 1"#), "has an unknown colour"),
        (top(r#""horizon_ns": null"#), ".horizon_ns: is of another type"),
        (top(r#""horizon_ns": -1"#), ".horizon_ns: is out of its limits"),
        (top(r#""placement": "best""#), ".placement: fits 0 choices"),
        (top(r#""device": 5"#), ".device: fits 0 choices"),
        (top(r#""device": { "sm": 5 }"#), ".device: fits 0 choices"),
        (top(r#""policy": { "preemption": "Thread" }"#), ".policy.preemption: fits 0 choices"),
        (top(r#""tasks": [ { "consumes": [] } ]"#), ".tasks[0]: has no \"name\""),
        (top(r#""tasks": [ { "name": "T", "class": null } ]"#), ".tasks[0].class: fits 0 choices"),
        (row(r#""records": ["E"]"#).replace("1, \"kernels", "2, \"kernels"), ".kernels[0].records: is of another type"),
        (row(r#""after": 5"#), ".kernels[0].after: is of another type"),
        (row(r#""Stream": "S""#), ".kernels[0]: has an unknown Stream"),
        (row(r#""start_ns": "5 ms""#), ".kernels[0].start_ns: is of another type"),
    ] {
        let misfit = misfit(&root, &root, &serde_json::from_str(&text).unwrap(), "").unwrap_or_default();
        assert!(misfit.contains(why), "{text}: {misfit}");
        assert!(read_scenario(&text).is_err(), "{text}");
    }
}

/// `$schema` is for editors: every file of ours that people write may have it, and it changes nothing.
#[test]
fn contract_schema_may_be_named_in_a_file() {
    let with = |text: &str| text.replacen('{', r#"{ "$schema": "https://example.org/scenario.schema.json","#, 1);
    for example in examples::all() {
        let draft = read_scenario(example.json).unwrap();
        assert_eq!(read_scenario(&with(example.json)).unwrap(), draft, "{}", example.id);
        assert_eq!(open_scenario(&with(example.json)).unwrap(), Some(draft), "{}", example.id);
    }
    let batch = r#"{ "kind": "batch", "version": 1, "gpu": "fermi", "until_ns": 9, "tasks": [ { "name": "a", "copy_in_ns": 1,
        "kernel_ns": 1, "copy_out_ns": 1, "blocks": 1, "threads_per_block": 1, "interval_ns": 9, "deadline_ns": 9 } ] }"#;
    assert_eq!(read_batch(&with(batch)).unwrap(), read_batch(batch).unwrap());
    let sweep = r#"{ "version": 1, "tasks": 2, "period_us": [1, 2], "tests": [ { "kind": "edf_delay", "overhead_us": 1 } ] }"#;
    assert_eq!(read_sweep(&with(sweep)).unwrap(), read_sweep(sweep).unwrap());
    // Elsewhere it is a field like any other, and a file is no scenario for it alone.
    let inside = r#"{ "version": 1, "kernels": [], "policy": { "$schema": "x" } }"#;
    assert!(read_scenario(inside).unwrap_err().to_string().contains("unknown field"));
    assert_eq!(open_scenario(r#"{ "$schema": "x", "compilerOptions": {} }"#).unwrap(), None);
}

/// A file is known for a scenario by any of its fields.
#[test]
fn contract_schema_names_the_fields_by_which_scenarios_are_known() {
    for field in schema()["properties"].as_object().unwrap().keys().filter(|field| *field != "$schema") {
        assert!(open_scenario(&format!("{{ \"{field}\": 0 }}")).is_err(), "{field}");
    }
}

/// The drafts are plain serde types: other formats take them as they are.
#[test]
fn contract_schema_types_are_read_by_serde_json_too() {
    for example in examples::all() {
        let draft: Draft = serde_json::from_str(example.json).unwrap();
        assert_eq!(draft, read_scenario(example.json).unwrap(), "{}", example.id);
        let value = serde_json::to_value(&draft).unwrap();
        assert_eq!(serde_json::from_value::<Draft>(value).unwrap(), draft, "{}", example.id);
    }
}
