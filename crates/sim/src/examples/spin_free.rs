//! The example `spin-free`, "cudaFree beside a kernel that polls".
//!
//! Depends on its parent. Source: ai-dynamo/nixl#965. Sizes and times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why does my kernel hang?",
    id: "spin-free",
    title: "cudaFree beside a kernel that polls",
    source: "ai-dynamo/nixl#965; sizes and times are ours",
    text: "The program hangs in cudaFree. Poll spins until Send is complete. The thread frees memory before it launches \
           Send, and cudaFree waits for everything that was issued before (T3), so for Poll. Now Send is never launched. \
           Take the row free out, or free with cudaFreeAsync, which waits for nothing.",
    bookmarks: &[
        at(0, "Poll begins", "Poll has its block on the GPU. It spins until Send is complete."),
        at(100_000, "The thread waits in cudaFree", "Poll spins for Send. The thread waits for Poll, and has not launched Send."),
    ],
    json: r#"{
  "version": 3,
  "name": "cudaFree beside a kernel that polls",
  "horizon_ns": 200000,
  "kernels": [
    { "name": "Poll", "stream": "S1", "blocks": 1, "threads_per_block": 32, "block_time_ns": 10000, "until_completed": ["Send"] },
    { "name": "free", "call": "free" },
    { "name": "Send", "stream": "S2", "blocks": 1, "threads_per_block": 256, "block_time_ns": 50000 }
  ]
}
"#,
};
