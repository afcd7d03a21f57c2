//! The example `spin-workers`, "A scheduler keeps out its workers".
//!
//! Depends on its parent. Source: mirage-project/mirage#775. The times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why does my kernel hang?",
    id: "spin-workers",
    title: "A scheduler keeps out its workers",
    source: "mirage-project/mirage#775; the times are ours",
    text: "This persistent kernel has two parts, and it hangs. S, the scheduler, spins until all blocks of its workers W \
           have begun. S takes a part of 80 SMs of a B200. No worker fits beside a block of S, as both need shared memory. \
           So 68 of 128 workers begin, and spin for the others. Launch W first: that leaves 20 SMs, which hold all \
           blocks of S.",
    bookmarks: &[
        at(5_000, "Only S", "S has a block on each of 80 SMs. All of them spin, as W is not launched yet."),
        at(1_000_000, "It hangs", "All blocks on the GPU spin. The other 60 workers find no SM with enough free shared memory (R3)."),
    ],
    json: r#"{
  "version": 3,
  "name": "A scheduler and its workers",
  "device": "b200",
  "horizon_ns": 2000000,
  "kernels": [
    { "name": "S", "stream": "S1", "blocks": 80, "threads_per_block": 32, "shared_memory_bytes": 16384, "block_time_ns": 1000000, "until_all_begun": ["W"] },
    { "name": "W", "stream": "S2", "start_ns": 10000, "blocks": 128, "threads_per_block": 384, "shared_memory_bytes": 218112, "block_time_ns": 1000000, "barrier": true }
  ]
}
"#,
};
