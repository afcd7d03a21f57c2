//! The example `cuda-connections`, "Connections: eight streams overlap, the ninth waits".
//!
//! Depends on its parent. Source: [CUDA] section 5.2.3; the question is that of NVIDIA/cutlass#354.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-connections",
    title: "Connections: eight streams overlap, the ninth waits",
    source: "[CUDA] section 5.2.3, NVIDIA/cutlass#354",
    text: "Nine streams with two small kernels each fit on this GPU together, yet S9 starts 1 s late. The streams share 8 hardware \
           connections, and S9 uses that of S1. There K17 stands behind K2, which waits for K1: a false dependency (H1). With a \
           connection for each stream, K17 starts at once. It also does if it is launched before K2.",
    bookmarks: &[
        at(
            500_000_000,
            "K17 waits while SMs are idle",
            "The first kernels of S1 to S8 execute, a block on each of 48 SMs. 32 SMs are empty. K17 heads S9, and nothing that it needs \
             is missing. But in connection 0 it stands behind K2, which waits for K1.",
        ),
        at(
            1_500_000_000,
            "K17 executes beside K2",
            "K1 ended at 1 s, so K2 moved on, and K17 right after it (H1). Both execute now: what shares a connection may overlap. Only what \
             waits in it holds up others.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "Nine streams, eight connections",
  "device": "titanv",
  "connections": 8,
  "kernels": [
    { "name": "K1", "stream": "S1", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K2", "stream": "S1", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K3", "stream": "S2", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K4", "stream": "S2", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K5", "stream": "S3", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K6", "stream": "S3", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K7", "stream": "S4", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K8", "stream": "S4", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K9", "stream": "S5", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K10", "stream": "S5", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K11", "stream": "S6", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K12", "stream": "S6", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K13", "stream": "S7", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K14", "stream": "S7", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K15", "stream": "S8", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K16", "stream": "S8", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K17", "stream": "S9", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K18", "stream": "S9", "blocks": 6, "threads_per_block": 256, "block_time_ns": 1000000000 }
  ]
}
"#,
};
