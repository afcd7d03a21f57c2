//! The example `tx2-table-5`, "Table 5: no cutting ahead".
//!
//! Depends on its parent. Source: [TX2] Table 5, Fig. 8.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] one address space",
    id: "tx2-table-5",
    title: "Table 5: no cutting ahead",
    source: "[TX2] Table 5, Fig. 8",
    text: "Can small low-priority kernels keep a large high-priority kernel out indefinitely by filling every gap? Seven small kernels \
           leave 512 threads free on one SM. K8 has high priority and needs 1,024 threads on a single SM. K9 has low priority and would \
           fit at once, but it waits until K8 has been placed.",
    bookmarks: &[
        at(
            750_000_000,
            "K9 fits but waits",
            "The seven small kernels leave 512 threads free on SM 1. That is too few for K8 (R2). K9 needs exactly 512 threads, but it \
             waits for the high-priority EE queue (A2).",
        ),
        at(
            1_050_000_000,
            "Free, but not on one SM",
            "K1 has ended on SM 0, so 512 threads are free on each SM. Together that would be enough for K8, but a block runs on one SM \
             only. K9 still waits behind it.",
        ),
        at(
            1_100_000_000,
            "K8, then K9",
            "K2 has ended on SM 1, so 1,024 threads were free there, and K8 took them. The high-priority EE queue became empty. At the \
             same instant, K9 took the 512 threads of SM 0.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2 Table 5: priority and resource blocking",
  "device": "tx2",
  "policy": { "kind": "priority" },
  "tasks": [
    { "name": "CPU 0" }
  ],
  "streams": [
    { "name": "S1", "priority": "low" },
    { "name": "S2", "priority": "low" },
    { "name": "S3", "priority": "low" },
    { "name": "S4", "priority": "low" },
    { "name": "S5", "priority": "low" },
    { "name": "S6", "priority": "low" },
    { "name": "S7", "priority": "low" },
    { "name": "S8", "priority": "high" },
    { "name": "S9", "priority": "low" }
  ],
  "kernels": [
    { "name": "K1", "task": "CPU 0", "stream": "S1", "start_ns": 0, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K2", "task": "CPU 0", "stream": "S2", "start_ns": 100000000, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K3", "task": "CPU 0", "stream": "S3", "start_ns": 200000000, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K4", "task": "CPU 0", "stream": "S4", "start_ns": 300000000, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K5", "task": "CPU 0", "stream": "S5", "start_ns": 400000000, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K6", "task": "CPU 0", "stream": "S6", "start_ns": 500000000, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K7", "task": "CPU 0", "stream": "S7", "start_ns": 600000000, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K8", "task": "CPU 0", "stream": "S8", "start_ns": 650000000, "blocks": 1, "threads_per_block": 1024, "block_time_ns": 500000000 },
    { "name": "K9", "task": "CPU 0", "stream": "S9", "start_ns": 700000000, "blocks": 1, "threads_per_block": 512, "block_time_ns": 1000000000 }
  ]
}
"#,
};
