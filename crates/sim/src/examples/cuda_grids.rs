//! The example `cuda-grids`, "Grids: small ones overlap, large ones only at the end".
//!
//! Depends on its parent. Source: the question is that of NVIDIA's developer forum 286785, and of pytorch/pytorch#48279 and #19103.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-grids",
    title: "Grids: small ones overlap, large ones only at the end",
    source: "NVIDIA developer forum 286785; pytorch/pytorch#48279 and #19103",
    text: "A1 and A2 have a block each and overlap. B1 and B2 have 100 blocks each and overlap only in B1's last wave, although \
           their streams are independent. The GPU holds 30 such blocks. B2 is launched at the same time as B1, but every place that \
           becomes free goes to B1 first, which heads the EE queue (X1). B2 starts when B1 has no block left to assign. \
           Streams let kernels overlap, but only where places are free. Fewer or smaller blocks leave more places free.",
    bookmarks: &[
        at(50_000_000, "Small grids overlap", "A1 has one block on SM 0, A2 one on SM 1. The other SMs are idle."),
        at(
            250_000_000,
            "B1 takes all places",
            "B1 has 30 blocks assigned, two on each SM, and 70 that wait. B2 stands behind B1 in the EE queue and has \
             none.",
        ),
        at(
            550_000_000,
            "The last wave leaves places",
            "B1's last 10 blocks do not fill the GPU. The first 20 blocks of B2 execute beside them.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "Grids of 1 and of 100 blocks",
  "device": "gtx1070",
  "kernels": [
    { "name": "A1", "stream": "S1", "blocks": 1, "threads_per_block": 1024, "block_time_ns": 100000000 },
    { "name": "A2", "stream": "S2", "blocks": 1, "threads_per_block": 1024, "block_time_ns": 100000000 },
    { "name": "B1", "stream": "S1", "blocks": 100, "threads_per_block": 1024, "block_time_ns": 100000000, "start_ns": 200000000 },
    { "name": "B2", "stream": "S2", "blocks": 100, "threads_per_block": 1024, "block_time_ns": 100000000, "start_ns": 200000000 }
  ]
}
"#,
};
