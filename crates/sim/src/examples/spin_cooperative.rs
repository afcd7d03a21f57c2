//! The example `spin-cooperative`, "Cooperative launches do not hang each other".
//!
//! Depends on its parent. Source: [CUDA], cooperative groups. Sizes and times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why does my kernel hang?",
    id: "spin-cooperative",
    title: "Cooperative launches do not hang each other",
    source: "[CUDA], cooperative groups; sizes and times are ours",
    text: "The same two kernels, now launched by cudaLaunchCooperativeKernel. Nothing hangs. The blocks of a cooperative \
           kernel begin together, once all of them have room (R4). So neither begins while H holds half of the GPU. B goes \
           first when H ends, and A follows it. The price is the half that nobody uses until then.",
    bookmarks: &[
        at(
            30_000,
            "Half is not enough",
            "Half of each SM is free. B heads the high-priority EE queue, but it needs room for all its blocks (R4).",
        ),
        at(100_000, "B has all its room", "All blocks of B began at 50 µs, and passed the barrier at once. A waits until they end."),
    ],
    json: r#"{
  "version": 3,
  "name": "Two cooperative kernels",
  "device": "p100",
  "streams": [
    { "name": "S2", "priority": "high" }
  ],
  "kernels": [
    { "name": "H", "stream": "S0", "blocks": 56, "threads_per_block": 1024, "block_time_ns": 50000 },
    { "name": "A", "stream": "S1", "blocks": 112, "threads_per_block": 1024, "block_time_ns": 100000, "barrier": true, "cooperative": true },
    { "name": "B", "stream": "S2", "start_ns": 10000, "blocks": 112, "threads_per_block": 1024, "block_time_ns": 100000, "barrier": true, "cooperative": true }
  ]
}
"#,
};
