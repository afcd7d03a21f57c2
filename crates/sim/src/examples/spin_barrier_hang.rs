//! The example `spin-barrier-hang`, "A grid barrier that hangs: 16 blocks too many".
//!
//! Depends on its parent. Source: NVIDIA/cub#369. H and the times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why does my kernel hang?",
    id: "spin-barrier-hang",
    title: "A grid barrier that hangs: 16 blocks too many",
    source: "NVIDIA/cub#369; the times are ours",
    text: "K never ends. It has 128 blocks, which meet at a grid barrier, and the P100 has room for 112. Those spin until \
           the last 16 begin, and these wait until a block ends. Launch no more blocks than the GPU holds. A cooperative \
           launch would have been refused, with an error to read.",
    bookmarks: &[
        at(25_000, "The barrier fills", "56 blocks of K spin, one on each SM beside a block of H."),
        at(100_000, "It hangs", "112 blocks of K spin. The last 16 find no SM with enough free threads (R2), and no block will ever end."),
    ],
    json: r#"{
  "version": 3,
  "name": "A grid barrier with too many blocks",
  "device": "p100",
  "horizon_ns": 200000,
  "kernels": [
    { "name": "H", "stream": "S0", "blocks": 56, "threads_per_block": 1024, "block_time_ns": 50000 },
    { "name": "K", "stream": "S1", "blocks": 128, "threads_per_block": 1024, "block_time_ns": 100000, "barrier": true }
  ]
}
"#,
};
