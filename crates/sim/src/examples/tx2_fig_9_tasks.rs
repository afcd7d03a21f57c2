//! The example `tx2-fig-9-tasks`, "Fig. 9: two tasks".
//!
//! Depends on its parent. Source: [TX2] appendix A, Figs. 9 and 10. The paper gives neither block
//! times nor block counts of its Mandelbrot kernels; ours are 48 blocks of 10.2 to 12.08 ms.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] tasks and processes",
    id: "tx2-fig-9-tasks",
    title: "Fig. 9: two tasks",
    source: "[TX2] appendix A, Figs. 9 and 10",
    text: "Two CPU tasks of one process launch the same large kernel at the same instant. Each kernel has 48 blocks of 512 threads. Eight \
           blocks at a time fill the GPU. All blocks of K1 are assigned before the first block of K2. A block is never interrupted, so its \
           block time is its execution time. The next example differs only in the address spaces. The paper does not give block counts and \
           times, so these are ours.",
    bookmarks: &[
        at(
            5_000_000,
            "K1 fills the GPU",
            "Eight blocks of K1 hold all 4,096 threads. K2 is second in the EE queue and has nothing on the SMs (X1).",
        ),
        at(
            66_000_000,
            "From K1 to K2",
            "All of K1's blocks have been assigned. One of the last eight has ended, and a block of K2 has taken its place. Both kernels \
             have threads on the GPU only around this time. Together they never have more threads than the GPU holds.",
        ),
        at(100_000_000, "K2 alone", "K1 ended at 66.96 ms. K2 has the GPU to itself until 133.92 ms."),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2 Fig. 9 and 10: two tasks",
  "device": "tx2",
  "policy": { "kind": "priority" },
  "tasks": [
    { "name": "T1" },
    { "name": "T2" }
  ],
  "kernels": [
    { "name": "K1", "task": "T1", "stream": "S1", "blocks": 48, "threads_per_block": 512, "block_time_ns": [10200000, 12080000, 12040000, 12000000, 11960000, 11920000, 11880000, 11840000, 11800000, 11760000, 11720000, 11680000, 11640000, 11600000, 11560000, 11520000, 11480000, 11440000, 11400000, 11360000, 11320000, 11280000, 11240000, 11200000, 11160000, 11120000, 11080000, 11040000, 11000000, 10960000, 10920000, 10880000, 10840000, 10800000, 10760000, 10720000, 10680000, 10640000, 10600000, 10560000, 10520000, 10480000, 10440000, 10400000, 10360000, 10320000, 10280000, 10240000] },
    { "name": "K2", "task": "T2", "stream": "S2", "blocks": 48, "threads_per_block": 512, "block_time_ns": [10200000, 12080000, 12040000, 12000000, 11960000, 11920000, 11880000, 11840000, 11800000, 11760000, 11720000, 11680000, 11640000, 11600000, 11560000, 11520000, 11480000, 11440000, 11400000, 11360000, 11320000, 11280000, 11240000, 11200000, 11160000, 11120000, 11080000, 11040000, 11000000, 10960000, 10920000, 10880000, 10840000, 10800000, 10760000, 10720000, 10680000, 10640000, 10600000, 10560000, 10520000, 10480000, 10440000, 10400000, 10360000, 10320000, 10280000, 10240000] }
  ]
}
"#,
};
