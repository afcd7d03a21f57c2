//! The time zero is a time: what begins then is read as anything else, in every format. What has no time is left out and counted.

use blockstep_traces::files::read_profile;
use blockstep_traces::{Flaw, Recording};
use serde_json::json;

use super::nsys::of_statements;

fn read(bytes: &[u8]) -> Recording {
    read_profile(bytes, &mut |_| true).unwrap_or_else(|why| panic!("{why}"))
}

/// A call at zero, an operation that it launches, and one at zero whose call is not in the file; besides those, one without a time.
fn check(recording: &Recording) {
    let starts: Vec<(&str, u64)> = recording.operations.iter().map(|of| (recording.name(of), of.start.ns())).collect();
    assert_eq!(starts, [("B", 0), ("A", 9_001)]);
    assert_eq!((recording.calls.len(), recording.calls[0].start.ns(), recording.operations[1].call), (1, 0, Some(0)));
    assert_eq!((recording.spans.len(), recording.spans[0].start.ns()), (1, 0));
    assert_eq!(recording.flaws, [Flaw::WithoutCall(1), Flaw::WithoutTime(1)]);
}

#[test]
fn what_begins_at_zero_is_kept_of_a_trace_of_pytorch() {
    let event = |cat: &str, name: &str, ts: serde_json::Value, id: u64| {
        json!({ "ph": "X", "cat": cat, "name": name, "pid": 0, "tid": 7,
        "ts": ts, "dur": 5, "args": { "correlation": id, "stream": 7 } })
    };
    let mut events = vec![
        event("cuda_runtime", "cudaLaunchKernel", json!(0), 1),
        event("kernel", "A", json!(9.001), 1),
        event("kernel", "B", json!(0), 2),
        event("cpu_op", "aten::mm", json!("0"), 0),
        event("kernel", "C", json!(null), 3),
    ];
    check(&read(json!({ "traceEvents": events }).to_string().as_bytes()));
    events.iter_mut().for_each(|event| event["ts"] = json!(0));
    events.remove(4);
    let all = read(json!({ "traceEvents": events }).to_string().as_bytes());
    assert_eq!((all.operations.len(), all.calls.len(), all.spans.len(), all.end().ns()), (2, 1, 1, 5_000), "all of it at zero");
}

#[test]
fn what_begins_at_zero_is_kept_of_an_export_of_nsight() {
    check(&read(&of_statements(
        "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'A'), (3, 'B');
         CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId, demangledName);
         INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (9001, 14001, 7, 1, 2), (0, 5000, 7, 2, 3), (NULL, 9, 7, 3, 3);
         CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId);
         INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0, 5000, 1, 1);
         CREATE TABLE NVTX_EVENTS (start, end, eventType, text, globalTid); INSERT INTO NVTX_EVENTS VALUES (0, 5000, 59, 'step', 0);",
    )));
}
