//! The example `cuda-events`, "Events: recorded once more, and too late".
//!
//! Depends on its parent. Source: [CUDA] runtime API, cudaEventRecord and cudaStreamWaitEvent; the question is that of NVIDIA/nccl#1431.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-events",
    title: "Events: a wait is for what the event captured last",
    source: "[CUDA] runtime API, cudaEventRecord and cudaStreamWaitEvent; NVIDIA/nccl#1431",
    text: "Two sends need what K1 computes, and wait for the event E (W1). Send1 is launched behind K1, when E has captured K1. Then K2 follows \
           in S1, a long kernel, and E is recorded again behind it. So Send2, which needs K1 alone, waits for K2. Send0, launched before \
           anything was recorded, waits for nothing.",
    bookmarks: &[
        at(
            500_000_000,
            "Two waits, one event",
            "Send1 waits for K1: E was recorded behind K1 when Send1 was launched. Send2 waits for K2, behind which E was recorded once \
             more. Send0 executes.",
        ),
        at(
            2_000_000_000,
            "Send2 waits for what it does not need",
            "K1 ended at 1 s, and Send1 with it began. K2 executes until 4 s, and Send2 waits. An event of its own behind K1 would \
             let it begin with Send1.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "An event recorded twice",
  "kernels": [
    { "name": "Send0", "stream": "S3", "blocks": 1, "threads_per_block": 256, "block_time_ns": 1500000000, "waits_for": ["E"] },
    { "name": "K1", "stream": "S1", "blocks": 4, "threads_per_block": 256, "block_time_ns": 1000000000, "records": "E" },
    { "name": "Send1", "stream": "S2", "blocks": 1, "threads_per_block": 256, "block_time_ns": 1500000000, "waits_for": ["E"] },
    { "name": "K2", "stream": "S1", "blocks": 4, "threads_per_block": 256, "block_time_ns": 3000000000, "records": "E" },
    { "name": "Send2", "stream": "S4", "blocks": 1, "threads_per_block": 256, "block_time_ns": 1500000000, "waits_for": ["E"] }
  ]
}
"#,
};
