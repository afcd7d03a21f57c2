//! The example `spin-two-barriers`, "Two grid barriers hang each other".
//!
//! Depends on its parent. Source: [CUDA], thread blocks and grids, which may run in any order. Sizes and times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why does my kernel hang?",
    id: "spin-two-barriers",
    title: "Two grid barriers hang each other",
    source: "[CUDA], thread blocks and grids; sizes and times are ours",
    text: "A and B each fit on the empty GPU, and the blocks of each meet at a grid barrier. They hang together. H holds \
           half of the room, so A begins with half of its blocks. B has a high priority, and takes what H leaves. Now each \
           spins for blocks that the other leaves no room for. Launch both in one stream, or as cooperative kernels: see \
           the next example.",
    bookmarks: &[
        at(30_000, "Half of A spins", "A has begun on the half of each SM that H leaves. B is launched, and goes before the rest of A."),
        at(
            200_000,
            "Each holds half",
            "Half of A and half of B spin. B heads the high-priority EE queue, and finds no room for the rest (R2).",
        ),
    ],
    json: r#"{
  "version": 3,
  "name": "Two grid barriers hang each other",
  "device": "p100",
  "horizon_ns": 300000,
  "streams": [
    { "name": "S2", "priority": "high" }
  ],
  "kernels": [
    { "name": "H", "stream": "S0", "blocks": 56, "threads_per_block": 1024, "block_time_ns": 50000 },
    { "name": "A", "stream": "S1", "blocks": 112, "threads_per_block": 1024, "block_time_ns": 100000, "barrier": true },
    { "name": "B", "stream": "S2", "start_ns": 10000, "blocks": 112, "threads_per_block": 1024, "block_time_ns": 100000, "barrier": true }
  ]
}
"#,
};
