//! The example `tx2-fig-9-processes`, "Fig. 9: two processes".
//!
//! Depends on its parent. Source: [TX2] appendix A, Figs. 9 and 10. The paper gives neither block
//! times nor block counts of its Mandelbrot kernels; ours are 48 blocks of 10.2 to 12.08 ms.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] tasks and processes",
    id: "tx2-fig-9-processes",
    title: "Fig. 9: two processes",
    source: "[TX2] appendix A, Figs. 9 and 10",
    text: "The same two kernels come from two processes. Each process sees the GPU as its own. The processes take turns every 2 ms. \
           Running blocks are suspended and keep their place. The paper's kernels measure only when a block began and ended. By that \
           measure, 8,192 threads are on a GPU that holds only 4,096. Block times are more than twice those of the tasks, in the median \
           and in the worst case. Both kernels end late, because they take turns until the end. The timeslice of 2 ms and the switch cost \
           of 50 µs are ours.",
    bookmarks: &[
        at(1_000_000, "P1's first timeslice", "Eight blocks of K1 run. K2 has been launched too, but its process is not resident."),
        at(
            2_000_000,
            "The timeslice expires",
            "K1's blocks are suspended in place, and the switch to P2 has begun. Nothing executes until 2.05 ms.",
        ),
        at(
            2_050_000,
            "Twice the GPU",
            "P2 is resident and finds all SMs empty. Eight blocks of K2 start, although eight blocks of K1 are not complete. Each process \
             now appears to have 4,096 threads on the GPU.",
        ),
        at(5_000_000, "Turn by turn", "P1 has been resident again since 4.1 ms. Its blocks resumed with the time they had left."),
        at(
            136_000_000,
            "Both nearly done",
            "The last blocks of both kernels are on the SMs. With tasks, the first kernel completed in about half this time.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2 Fig. 9 and 10: two processes",
  "device": "tx2",
  "policy": { "kind": "runlist", "switch_cost_ns": 50000 },
  "processes": [
    { "name": "P1" },
    { "name": "P2" }
  ],
  "tasks": [
    { "name": "T1", "process": "P1" },
    { "name": "T2", "process": "P2" }
  ],
  "kernels": [
    { "name": "K1", "task": "T1", "stream": "S1", "blocks": 48, "threads_per_block": 512, "block_time_ns": [10200000, 12080000, 12040000, 12000000, 11960000, 11920000, 11880000, 11840000, 11800000, 11760000, 11720000, 11680000, 11640000, 11600000, 11560000, 11520000, 11480000, 11440000, 11400000, 11360000, 11320000, 11280000, 11240000, 11200000, 11160000, 11120000, 11080000, 11040000, 11000000, 10960000, 10920000, 10880000, 10840000, 10800000, 10760000, 10720000, 10680000, 10640000, 10600000, 10560000, 10520000, 10480000, 10440000, 10400000, 10360000, 10320000, 10280000, 10240000] },
    { "name": "K2", "task": "T2", "stream": "S2", "blocks": 48, "threads_per_block": 512, "block_time_ns": [10200000, 12080000, 12040000, 12000000, 11960000, 11920000, 11880000, 11840000, 11800000, 11760000, 11720000, 11680000, 11640000, 11600000, 11560000, 11520000, 11480000, 11440000, 11400000, 11360000, 11320000, 11280000, 11240000, 11200000, 11160000, 11120000, 11080000, 11040000, 11000000, 10960000, 10920000, 10880000, 10840000, 10800000, 10760000, 10720000, 10680000, 10640000, 10600000, 10560000, 10520000, 10480000, 10440000, 10400000, 10360000, 10320000, 10280000, 10240000] }
  ]
}
"#,
};
