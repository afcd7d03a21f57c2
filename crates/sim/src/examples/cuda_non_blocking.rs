//! The example `cuda-non-blocking`, "NULL: one launch there, and the streams take turns".
//!
//! Depends on its parent. Source: [CUDA] runtime API, stream synchronization behavior; the question is that of pytorch/pytorch#59692.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-non-blocking",
    title: "NULL: two streams take turns, the non-blocking one does not",
    source: "[CUDA] runtime API, stream synchronization behavior; pytorch/pytorch#59692",
    text: "S1 and S2 should overlap, but the program launches K2 to the NULL stream in between. So K2 waits for K1 (N1), and K3 waits for K2 \
           (N2): one after the other, although they need a fraction of the GPU. S3 is non-blocking. K4 was launched last and waits for \
           nobody.",
    bookmarks: &[
        at(
            500_000_000,
            "K4 has overtaken two",
            "K1 executes, and K4 beside it. K2 heads the NULL stream and waits for K1 (N1), not for K4, whose stream is non-blocking. K3 \
             waits for K2 (N2).",
        ),
        at(1_500_000_000, "K2 alone", "K1 and K4 are complete. K2 executes, and K3 still waits for it."),
    ],
    json: r#"{
  "version": 2,
  "name": "Two streams in turn, one beside them",
  "streams": [
    { "name": "S3", "priority": "none", "non_blocking": true }
  ],
  "kernels": [
    { "name": "K1", "stream": "S1", "blocks": 4, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K2", "stream": "NULL", "blocks": 4, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K3", "stream": "S2", "blocks": 4, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K4", "stream": "S3", "blocks": 4, "threads_per_block": 256, "block_time_ns": 1000000000 }
  ]
}
"#,
};
