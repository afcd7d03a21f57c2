//! The example `cuda-synchronize`, "cudaDeviceSynchronize between launches: nothing overlaps".
//!
//! Depends on its parent. Source: [CUDA] section 2.3.7; the question is that of pytorch/pytorch#25540.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-synchronize",
    title: "cudaDeviceSynchronize between launches: nothing overlaps",
    source: "[CUDA] section 2.3.7; the question is that of pytorch/pytorch#25540",
    text: "Two kernels in two streams, each on a quarter of the GPU: they could execute together. But the CPU thread waits for \
           the device after each launch (T1), as a loop with a check of errors often does. K2 is launched only when K1 is \
           complete (T2). Take the row wait1 out of the table, and both execute at once.",
    bookmarks: &[
        at(
            500_000_000,
            "The CPU waits",
            "K1 executes, and three quarters of each SM are free. The thread stands in cudaDeviceSynchronize, so K2 is \
             not even issued.",
        ),
        at(
            1_500_000_000,
            "One after the other",
            "The wait ended with K1 at 1 s, and only then K2 was launched. No queue holds anything: the program itself \
             makes the gap.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "Synchronizing after each launch",
  "kernels": [
    { "name": "K1", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "wait1", "call": "synchronize_device" },
    { "name": "K2", "stream": "S2", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "wait2", "call": "synchronize_device" }
  ]
}
"#,
};
