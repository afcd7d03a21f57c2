//! The example `tx2-process-priorities`, "Stream priorities across processes".
//!
//! Depends on its parent. Source: [TX2] appendix A. The paper gives neither block times nor block
//! counts of its Mandelbrot kernels; ours are 48 blocks of 10.2 to 12.08 ms.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] tasks and processes",
    id: "tx2-process-priorities",
    title: "Stream priorities across processes",
    source: "[TX2] appendix A",
    text: "The two processes are the same, but P1 has a low-priority stream and P2 has a high-priority stream. Every instant is the same \
           as in the previous example. A stream's priority orders kernels inside its own process, and the runlist ignores it. The policy \
           priority treats both as tasks of one process. Under that policy, K2 overtakes K1.",
    bookmarks: &[
        at(1_000_000, "Low goes first", "P1 is first in the runlist. So its low-priority kernel runs, and the high-priority kernel waits."),
        at(2_050_000, "P2's turn", "P1's timeslice has expired, so P2 is resident. The same happens without priorities."),
        at(
            5_000_000,
            "P1's turn again",
            "The high-priority kernel is suspended in the middle of its blocks, and the low-priority kernel of the other process runs.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2: two processes with stream priorities",
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
  "streams": [
    { "process": "P1", "name": "S1", "priority": "low" },
    { "process": "P2", "name": "S2", "priority": "high" }
  ],
  "kernels": [
    { "name": "K1", "task": "T1", "stream": "S1", "blocks": 48, "threads_per_block": 512, "block_time_ns": [10200000, 12080000, 12040000, 12000000, 11960000, 11920000, 11880000, 11840000, 11800000, 11760000, 11720000, 11680000, 11640000, 11600000, 11560000, 11520000, 11480000, 11440000, 11400000, 11360000, 11320000, 11280000, 11240000, 11200000, 11160000, 11120000, 11080000, 11040000, 11000000, 10960000, 10920000, 10880000, 10840000, 10800000, 10760000, 10720000, 10680000, 10640000, 10600000, 10560000, 10520000, 10480000, 10440000, 10400000, 10360000, 10320000, 10280000, 10240000] },
    { "name": "K2", "task": "T2", "stream": "S2", "blocks": 48, "threads_per_block": 512, "block_time_ns": [10200000, 12080000, 12040000, 12000000, 11960000, 11920000, 11880000, 11840000, 11800000, 11760000, 11720000, 11680000, 11640000, 11600000, 11560000, 11520000, 11480000, 11440000, 11400000, 11360000, 11320000, 11280000, 11240000, 11200000, 11160000, 11120000, 11080000, 11040000, 11000000, 10960000, 10920000, 10880000, 10840000, 10800000, 10760000, 10720000, 10680000, 10640000, 10600000, 10560000, 10520000, 10480000, 10440000, 10400000, 10360000, 10320000, 10280000, 10240000] }
  ]
}
"#,
};
