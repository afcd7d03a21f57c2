//! Reads scenario files for tests.
//!
//! Depends on the library's input types. Only the fields that tests use; anything else panics.

use blockstep::scenario::*;
use serde_json::{Map, Value};

pub fn draft(json: &str) -> Draft {
    let value: Value = serde_json::from_str(json).unwrap();
    let mut draft = Draft::default();
    for (key, value) in value.as_object().unwrap() {
        match key.as_str() {
            "version" => assert_eq!(value, 1),
            "name" => draft.name = string(value),
            "device" => draft.device = DeviceDraft::BuiltIn(string(value)),
            "policy" => draft.policy.kind = PolicyKind::from_word(value["kind"].as_str().unwrap()).unwrap(),
            "horizon_ns" => draft.horizon_ns = value.as_u64(),
            "tasks" => draft.tasks = rows(value).map(|o| TaskDraft::named(string(&o["name"]))).collect(),
            "streams" => draft.streams = rows(value).map(stream).collect(),
            "kernels" => draft.kernels = rows(value).map(kernel).collect(),
            other => panic!("field {other}"),
        }
    }
    draft
}

fn rows(value: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    value.as_array().unwrap().iter().map(|v| v.as_object().unwrap())
}

fn string(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn stream(o: &Map<String, Value>) -> StreamDraft {
    StreamDraft { process: None, name: string(&o["name"]), priority: StreamPriority::from_word(o["priority"].as_str().unwrap()).unwrap() }
}

fn kernel(o: &Map<String, Value>) -> KernelDraft {
    let n = |key: &str| o.get(key).map_or(0, |v| v.as_u64().unwrap());
    let mut k = KernelDraft::named(string(&o["name"]), n("blocks"), n("threads_per_block"), n("block_time_ns"));
    k.task = o.get("task").map(string);
    k.stream = string(&o["stream"]);
    k.start_ns = n("start_ns");
    k.shared_memory_bytes = n("shared_memory_bytes");
    k.copy_in_bytes = n("copy_in_bytes");
    k.copy_out_bytes = n("copy_out_bytes");
    k
}
