//! The example `cuda-copies`, "Copies: cudaMemcpy holds the CPU, cudaMemcpyAsync does not".
//!
//! Depends on its parent. Source: [CUDA] runtime API, API synchronization behavior.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-copies",
    title: "Copies: cudaMemcpy holds the CPU, cudaMemcpyAsync does not",
    source: "[CUDA] runtime API, API synchronization behavior",
    text: "Copies, a memset and kernels, each a call of its own, on a GPU with two copy engines. The task slow copies with cudaMemcpy, in \
           the NULL stream, and waits in each call (T1). The task fast copies with cudaMemcpyAsync in a stream that is non-blocking. It \
           makes all its calls at once, and waits only at the end. The GPU does the same for both, but the thread of fast is free in between.",
    bookmarks: &[
        at(
            100_000_000,
            "One waits, the other is done",
            "The thread of slow stands in cudaMemcpy. That of fast has made all its calls: five operations stand in S2.",
        ),
        at(
            600_000_000,
            "Both kernels",
            "Kslow could be launched only when cudaMemcpy had returned. Kfast was already in its stream, and began when \
             the operations before it were complete.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "Synchronous and asynchronous copies",
  "device": "k5000",
  "streams": [ { "name": "S2", "non_blocking": true } ],
  "tasks": [ { "name": "slow" }, { "name": "fast" } ],
  "kernels": [
    { "name": "in slow", "task": "slow", "stream": "NULL", "call": "copy_to_device", "bytes": 268435456, "synchronous": true },
    { "name": "Kslow", "task": "slow", "stream": "NULL", "blocks": 8, "threads_per_block": 512, "block_time_ns": 500000000 },
    { "name": "out slow", "task": "slow", "stream": "NULL", "call": "copy_to_host", "bytes": 134217728, "synchronous": true },
    { "name": "in fast", "task": "fast", "stream": "S2", "call": "copy_to_device", "bytes": 268435456 },
    { "name": "clear", "task": "fast", "stream": "S2", "call": "memset", "bytes": 67108864 },
    { "name": "Kfast", "task": "fast", "stream": "S2", "blocks": 8, "threads_per_block": 512, "block_time_ns": 500000000 },
    { "name": "keep", "task": "fast", "stream": "S2", "call": "copy_on_device", "bytes": 67108864 },
    { "name": "out fast", "task": "fast", "stream": "S2", "call": "copy_to_host", "bytes": 134217728 },
    { "name": "end", "task": "fast", "stream": "S2", "call": "synchronize_stream" }
  ]
}
"#,
};
