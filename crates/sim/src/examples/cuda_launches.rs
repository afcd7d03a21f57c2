//! The example `cuda-launches`, "Short kernels: the CPU cannot launch fast enough".
//!
//! Depends on its parent. Source: [CUDA] section 2.3.7; the questions are those of pytorch/pytorch#48279 and pytorch/pytorch#19103.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-launches",
    title: "Short kernels: the CPU cannot launch fast enough",
    source: "[CUDA] section 2.3.7; the questions are those of pytorch/pytorch#48279 and #19103",
    text: "Each launch keeps the CPU thread for 10 µs, and each kernel needs 4 µs. So a kernel is over before the next one is \
           launched, and two streams never overlap, although there is room. The last two kernels are longer than a call, and they \
           do overlap. Larger kernels, or a CUDA graph, help; more streams do not.",
    bookmarks: &[
        at(
            22_000,
            "The GPU waits for the CPU",
            "K1 was complete at 14 µs, and K2 was launched at 20 µs. Between them the GPU was idle: the thread was in the \
             call.",
        ),
        at(65_000, "Longer than a call", "K5 runs for 30 µs. The thread could launch K6 meanwhile, and both execute."),
    ],
    json: r#"{
  "version": 2,
  "name": "Short kernels in two streams",
  "tasks": [ { "name": "T0", "call_ns": 10000 } ],
  "kernels": [
    { "name": "K1", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 4000 },
    { "name": "K2", "stream": "S2", "blocks": 2, "threads_per_block": 512, "block_time_ns": 4000 },
    { "name": "K3", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 4000 },
    { "name": "K4", "stream": "S2", "blocks": 2, "threads_per_block": 512, "block_time_ns": 4000 },
    { "name": "K5", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 30000 },
    { "name": "K6", "stream": "S2", "blocks": 2, "threads_per_block": 512, "block_time_ns": 30000 }
  ]
}
"#,
};
