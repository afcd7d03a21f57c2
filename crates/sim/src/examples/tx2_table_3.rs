//! The example `tx2-table-3`, "Table 3: starvation by priority".
//!
//! Depends on its parent. Source: [TX2] Table 3, Fig. 6.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] one address space",
    id: "tx2-table-3",
    title: "Table 3: starvation by priority",
    source: "[TX2] Table 3, Fig. 6",
    text: "K1 is in a low-priority stream. Half of its blocks run when two high-priority kernels arrive. Running blocks are never stopped. \
           But each time threads become free, the GPU serves the high-priority EE queue first. K1's other four blocks start only after all \
           blocks of K2 and K3 have been assigned and threads are free again.",
    bookmarks: &[
        at(
            300_000_000,
            "K2 waits for threads",
            "K1 runs four blocks of 1,024 threads. They take every thread of both SMs. Four blocks are left, so K1 stays in the \
             low-priority EE queue. K2 is alone in the high-priority EE queue. It is next, but no block ends before 0.5 s (R2).",
        ),
        at(
            500_000_000,
            "K2 overtakes K1",
            "K1's four blocks have ended. K2 took all the freed threads, because the high-priority EE queue comes first (A2). K3 has just \
             been launched and is second in that queue (X1). K1 is still at the head of the low-priority EE queue.",
        ),
        at(2_500_000_000, "K3 follows", "K2 is complete, and K3 takes its place. Nothing has changed for K1 in two seconds."),
        at(
            4_500_000_000,
            "K1 resumes",
            "Both high-priority kernels are complete, and the high-priority EE queue is empty. So K1's other four blocks start, four \
             seconds after its first ones ended.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2 Table 3: starving a low-priority stream",
  "device": "tx2",
  "policy": { "kind": "priority" },
  "tasks": [
    { "name": "CPU 0" }
  ],
  "streams": [
    { "name": "S1", "priority": "low" },
    { "name": "S2", "priority": "high" },
    { "name": "S3", "priority": "high" }
  ],
  "kernels": [
    { "name": "K1", "task": "CPU 0", "stream": "S1", "start_ns": 0, "blocks": 8, "threads_per_block": 1024, "block_time_ns": 500000000 },
    { "name": "K2", "task": "CPU 0", "stream": "S2", "start_ns": 200000000, "blocks": 16, "threads_per_block": 1024, "block_time_ns": 500000000 },
    { "name": "K3", "task": "CPU 0", "stream": "S3", "start_ns": 500000000, "blocks": 16, "threads_per_block": 1024, "block_time_ns": 500000000 }
  ]
}
"#,
};
