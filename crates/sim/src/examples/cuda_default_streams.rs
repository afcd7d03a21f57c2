//! The example `cuda-default-streams`, "Default streams: one for all threads, or one for each".
//!
//! Depends on its parent. Source: [CUDA] runtime API, stream synchronization behavior.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-default-streams",
    title: "Default streams: one for all threads, or one for each",
    source: "[CUDA] runtime API, stream synchronization behavior",
    text: "Four threads launch to NULL, that is, they name no stream. A and B belong to the process legacy and use its one NULL \
           stream, so B1 waits for A1. The process own was compiled with --default-stream per-thread: each thread has a blocking \
           stream of its own, so C1 and D1 execute together. To keep the two apart, own begins 2 s later.",
    bookmarks: &[
        at(500_000_000, "One NULL stream", "A1 executes, and B1 stands behind it in the NULL stream, although it would fit."),
        at(2_500_000_000, "A stream for each thread", "A1 and B1 took 2 s, one after the other. C1 and D1 execute side by side."),
    ],
    json: r#"{
  "version": 2,
  "name": "Default streams",
  "processes": [ { "name": "legacy" }, { "name": "own", "default_stream": "per_thread" } ],
  "tasks": [
    { "name": "A", "process": "legacy" },
    { "name": "B", "process": "legacy" },
    { "name": "C", "process": "own", "offset_ns": 2000000000 },
    { "name": "D", "process": "own", "offset_ns": 2000000000 }
  ],
  "kernels": [
    { "name": "A1", "task": "A", "stream": "NULL", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "B1", "task": "B", "stream": "NULL", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "C1", "task": "C", "stream": "NULL", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "D1", "task": "D", "stream": "NULL", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 }
  ]
}
"#,
};
