//! The example `cuda-event-wait`, "cudaEventSynchronize: wait for a part of a stream".
//!
//! Depends on its parent. Source: [CUDA] runtime API, cudaEventSynchronize.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-event-wait",
    title: "cudaEventSynchronize: wait for a part of a stream",
    source: "[CUDA] runtime API, cudaEventSynchronize",
    text: "The CPU thread needs the result of K1 alone. It waits for the event behind K1 (T1), then goes on and launches K3, \
           while K2, which stands behind K1 in the same stream, still executes. With cudaStreamSynchronize in its place, K3 would \
           be launched at 4 s.",
    bookmarks: &[
        at(
            500_000_000,
            "The CPU waits for E",
            "K1 executes and K2 stands behind it. The thread waits for the event, which has captured K1.",
        ),
        at(
            1_500_000_000,
            "Only as long as needed",
            "The event was complete with K1, at 1 s. K3 was launched then, and executes beside K2.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "Waiting for an event",
  "kernels": [
    { "name": "K1", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000, "records": "E" },
    { "name": "K2", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 3000000000 },
    { "name": "wait", "call": "synchronize_event", "waits_for": ["E"] },
    { "name": "K3", "stream": "S2", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 }
  ]
}
"#,
};
