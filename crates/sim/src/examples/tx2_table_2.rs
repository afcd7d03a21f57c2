//! The example `tx2-table-2`, "Table 2: the NULL stream".
//!
//! Depends on its parent. Source: [TX2] Table 2, Fig. 5.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] one address space",
    id: "tx2-table-2",
    title: "Table 2: the NULL stream",
    source: "[TX2] Table 2, Fig. 5",
    text: "K2 and K5 go to the NULL stream. They wait for everything launched before them, and everything launched after them waits for \
           them. Six kernels could share the GPU, but they run one after the other. Note how much of each SM stays empty, and how long K6 \
           waits although no resource is short.",
    bookmarks: &[
        at(
            900_000_000,
            "Only K1 in the EE queue",
            "All six kernels have been launched. K2 heads the NULL stream but may not move on before K1 is complete (N1). K3 and K6 head \
             S2 and S3, and K4 is behind K3. None of them may pass K2 (N2). Only K1 is in the EE queue.",
        ),
        at(
            2_500_000_000,
            "K2 alone",
            "K1 has ended, and K2's single block has the GPU to itself. K3 and K6 would fit beside it, but N2 holds them in their streams.",
        ),
        at(
            3_500_000_000,
            "K3 alone",
            "K2 is complete, so K5 heads the NULL stream. K3 was launched before K5 and runs. K6 was launched after K5 and keeps waiting \
             (N2). K5 itself waits for K3 and then for K4 (N1).",
        ),
        at(
            5_500_000_000,
            "K5 alone",
            "S1 and S2 are empty, and K6 was launched later, so K5 runs alone. K6 can start only when K5 is complete. That is 5.2 s after \
             the launch of K6.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2 Table 2: the NULL stream",
  "device": "tx2",
  "policy": { "kind": "priority" },
  "tasks": [
    { "name": "CPU 0" }
  ],
  "streams": [
    { "name": "S1", "priority": "none" },
    { "name": "S2", "priority": "none" },
    { "name": "S3", "priority": "none" }
  ],
  "kernels": [
    { "name": "K1", "task": "CPU 0", "stream": "S1", "start_ns": 0, "blocks": 6, "threads_per_block": 768, "block_time_ns": 1000000000 },
    { "name": "K2", "task": "CPU 0", "stream": "NULL", "start_ns": 200000000, "blocks": 1, "threads_per_block": 1024, "block_time_ns": 1000000000 },
    { "name": "K3", "task": "CPU 0", "stream": "S2", "start_ns": 200000000, "blocks": 4, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K4", "task": "CPU 0", "stream": "S2", "start_ns": 400000000, "blocks": 4, "threads_per_block": 256, "block_time_ns": 1000000000 },
    { "name": "K5", "task": "CPU 0", "stream": "NULL", "start_ns": 600000000, "blocks": 1, "threads_per_block": 1024, "block_time_ns": 1000000000 },
    { "name": "K6", "task": "CPU 0", "stream": "S3", "start_ns": 800000000, "blocks": 2, "threads_per_block": 256, "block_time_ns": 1000000000 }
  ]
}
"#,
};
