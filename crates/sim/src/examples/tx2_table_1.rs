//! The example `tx2-table-1`, "Table 1: the basic rules".
//!
//! Depends on its parent. Source: [TX2] Table 1, Figs. 3 and 4.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] one address space",
    id: "tx2-table-1",
    title: "Table 1: the basic rules",
    source: "[TX2] Table 1, Figs. 3 and 4",
    text: "Two CPU tasks share the GPU through three streams. Every kernel queues twice: first in its stream, then in the EE queue. The \
           head of the EE queue blocks all kernels behind it. K4 fits beside K1 when it is launched, but it waits for 0.8 s. Later the \
           single copy engine becomes the bottleneck. The five bookmarks are the snapshots of the paper's Fig. 4 \
           (its clock starts 0.3 s earlier).",
    bookmarks: &[
        at(
            800_000_000,
            "(a) K1 blocks the queue",
            "Four blocks of K1 run, and a fifth block of 768 threads does not fit. So K1 stays at the head of the EE queue, and K4 and K5 \
             wait behind it (X1). But two blocks of K4 would fit on each SM. S1 holds K1, K2, C2o, C3i, K3 and C3o. S2 holds K4, and S3 \
             holds K5 and C5o. No copy is at the head of a stream, so the CE queue and the copy engine are empty.",
        ),
        at(
            1_800_000_000,
            "(b) K5 lacks shared memory",
            "K1's last two blocks and all four of K4 run. Both kernels have left the EE queue but still head S1 and S2. K5 is now first in \
             the EE queue. There are enough threads for it, but K4's blocks hold all 64 KiB of shared memory on each SM (R3).",
        ),
        at(
            2_700_000_000,
            "(c) K5 and K2 run",
            "K1 and K4 are complete. Each SM runs one block of K5 and one of K2, and the EE queue is empty. S2 is empty too. C2o waits \
             behind K2 in S1, and C5o waits behind K5 in S3, because a stream is strictly in order.",
        ),
        at(
            3_020_000_000,
            "(d) two copies, one engine",
            "K5 and K2 ended together. The paper has no rule for that. Our rule puts K5 first, because it was assigned first. So C5o was \
             first in the CE queue and holds the copy engine until 3.2 s. C2o waits in the CE queue, and C3i, K3 and C3o wait behind it in \
             S1. K6 was launched at 2.8 s. It found S2 and the EE queue empty, so it runs beside the copies.",
        ),
        at(
            3_700_000_000,
            "(e) all dispatched",
            "All blocks of K3 and K6 run, one of each on each SM. Their output copies C3o and C6o wait behind them in S1 and S2. So the EE \
             queue, the CE queue and the copy engine are all empty. S3 is finished.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2 Table 1: basic scheduling rules",
  "device": "tx2",
  "policy": { "kind": "priority" },
  "tasks": [
    { "name": "CPU 0" },
    { "name": "CPU 1" }
  ],
  "streams": [
    { "name": "S1", "priority": "none" },
    { "name": "S2", "priority": "none" },
    { "name": "S3", "priority": "none" }
  ],
  "kernels": [
    { "name": "K1", "task": "CPU 0", "stream": "S1", "start_ns": 0, "blocks": 6, "threads_per_block": 768, "block_time_ns": 1000000000 },
    { "name": "K2", "task": "CPU 0", "stream": "S1", "start_ns": 0, "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000, "copy_out_bytes": 268435456 },
    { "name": "K3", "task": "CPU 0", "stream": "S1", "start_ns": 0, "blocks": 2, "threads_per_block": 1024, "block_time_ns": 1000000000, "copy_in_bytes": 268435456, "copy_out_bytes": 268435456 },
    { "name": "K4", "task": "CPU 1", "stream": "S2", "start_ns": 200000000, "blocks": 4, "threads_per_block": 256, "shared_memory_bytes": 32768, "block_time_ns": 1000000000 },
    { "name": "K5", "task": "CPU 1", "stream": "S3", "start_ns": 400000000, "blocks": 2, "threads_per_block": 256, "shared_memory_bytes": 32768, "block_time_ns": 1000000000, "copy_out_bytes": 268435456 },
    { "name": "K6", "task": "CPU 1", "stream": "S2", "start_ns": 2800000000, "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000, "copy_out_bytes": 268435456 }
  ]
}
"#,
};
