//! The example `tx1-processes`, "TX1: two processes, block by block".
//!
//! Depends on its parent. Source: [TX2] appendix A, on the TX1. The paper gives neither block times
//! nor block counts of its Mandelbrot kernels; ours are 48 blocks of 10.2 to 12.08 ms.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] tasks and processes",
    id: "tx1-processes",
    title: "TX1: two processes, block by block",
    source: "[TX2] appendix A, on the TX1",
    text: "On the TX1, the GPU changes processes only between thread blocks. At the end of its timeslice, a process gets no new blocks. \
           When its running blocks have ended, the other process takes over. Kernels of different processes never run together. No block \
           is ever suspended, so block times are the same as with tasks. A timeslice is 2 ms, but a turn lasts as long as a block, and the \
           SMs empty one block at a time.",
    bookmarks: &[
        at(
            2_000_000,
            "The drain begins",
            "P1's timeslice is over and P2 has work. K1's eight blocks keep running, but no further blocks will be assigned.",
        ),
        at(
            11_000_000,
            "A block has ended",
            "One of K1's blocks has ended. Its threads stay free: P1 is draining, and P2 may not start before the drain ends.",
        ),
        at(13_000_000, "P2's turn", "Eight blocks of K1 have ended, and its other blocks wait. Eight blocks of K2 run."),
    ],
    json: r#"{
  "version": 1,
  "name": "TX1: two processes",
  "device": "tx1",
  "policy": { "kind": "runlist", "switch_cost_ns": 50000 },
  "processes": [
    { "name": "P1", "preemption": "block" },
    { "name": "P2", "preemption": "block" }
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
