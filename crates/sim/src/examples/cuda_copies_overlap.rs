//! The example `cuda-copies-overlap`, "Copies overlap with kernels, kernels do not overlap".
//!
//! Depends on its parent. Source: the question is that of NVIDIA's developer forum 334237. Sizes and times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-copies-overlap",
    title: "Copies overlap with kernels, kernels do not overlap",
    source: "NVIDIA developer forum 334237",
    text: "Three streams copy in, compute and copy out. The copies run beside the kernels, but the kernels run one \
           after the other. A copy needs a copy engine and no SM. A kernel of 60 blocks fills the GPU twice, so the \
           next one waits behind it (X1), and then for threads (R2). More streams change nothing here. The gain is that \
           copies are hidden.",
    bookmarks: &[
        at(
            300_000_000,
            "A copy beside a kernel",
            "K1 has all SMs, and a copy engine carries K2's input. The two need different resources.",
        ),
        at(
            600_000_000,
            "K2 has its data and no SM",
            "All input copies are complete. K2 waits behind K1 in the EE queue (X1), and K3 behind it.",
        ),
        at(1_300_000_000, "A copy out beside a kernel", "K1 has ended. Its output is copied while K2 executes."),
    ],
    json: r#"{
  "version": 1,
  "name": "Only copies overlap",
  "device": "gtx1070",
  "kernels": [
    { "name": "K1", "stream": "S1", "blocks": 60, "threads_per_block": 1024, "block_time_ns": 500000000, "copy_in_bytes": 268435456, "copy_out_bytes": 268435456 },
    { "name": "K2", "stream": "S2", "blocks": 60, "threads_per_block": 1024, "block_time_ns": 500000000, "copy_in_bytes": 268435456, "copy_out_bytes": 268435456 },
    { "name": "K3", "stream": "S3", "blocks": 60, "threads_per_block": 1024, "block_time_ns": 500000000, "copy_in_bytes": 268435456, "copy_out_bytes": 268435456 }
  ]
}
"#,
};
