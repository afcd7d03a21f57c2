//! The example `spin-barrier`, "A grid barrier that just fits".
//!
//! Depends on its parent. Source: NVIDIA/cub#369. H and the times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why does my kernel hang?",
    id: "spin-barrier",
    title: "A grid barrier that just fits",
    source: "the numbers are those of NVIDIA/cub#369, but for the times",
    text: "All blocks of K meet at a grid barrier: each spins until all have begun. A P100 has room for 112 blocks of \
           1,024 threads, and K has as many. H still holds half of the room when K is launched. So half of K spins until H \
           ends and the rest begins. One block more would hang, as in the next example.",
    bookmarks: &[
        at(25_000, "Half of K spins", "56 blocks of K have begun, one on each SM beside a block of H. They execute, but get nothing done."),
        at(100_000, "Past the barrier", "H ended at 50 µs. The rest of K began at once, and all blocks went on."),
    ],
    json: r#"{
  "version": 3,
  "name": "A grid barrier that fits",
  "device": "p100",
  "kernels": [
    { "name": "H", "stream": "S0", "blocks": 56, "threads_per_block": 1024, "block_time_ns": 50000 },
    { "name": "K", "stream": "S1", "blocks": 112, "threads_per_block": 1024, "block_time_ns": 100000, "barrier": true }
  ]
}
"#,
};
