//! The example `tx2-table-4`, "Table 4: two priorities, not three".
//!
//! Depends on its parent. Source: [TX2] Table 4, Fig. 7.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[TX2] one address space",
    id: "tx2-table-4",
    title: "Table 4: two priorities, not three",
    source: "[TX2] Table 4, Fig. 7",
    text: "Does a stream without a priority rank above or below a low-priority stream? The stream of K2 has no priority. The streams of K1 \
           and K4 have low priority, and that of K3 has high priority. Only K3 overtakes. The others run in the order of their launches, \
           so no priority means the same as low priority.",
    bookmarks: &[
        at(
            400_000_000,
            "One high, two low",
            "Four of K1's eight blocks hold all threads. K3 waits alone in the high-priority EE queue. K2's stream has no priority. K2 is \
             behind K1 in the low-priority EE queue.",
        ),
        at(
            1_300_000_000,
            "K3 went first",
            "K3 went first at 0.5 s, and again at 1.0 s. The low-priority EE queue now holds K1, K2 and K4, in the order of their \
             launches.",
        ),
        at(
            1_500_000_000,
            "K1 resumes, not K2",
            "K3 is complete, so K1's remaining four blocks run. If no priority ranked above low, K2 would run now.",
        ),
        at(
            2_000_000_000,
            "K2 before K4",
            "K2 is next, and K4 is behind it in the same EE queue. If no priority ranked below low, K4 would run now.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "TX2 Table 4: two priority levels, not three",
  "device": "tx2",
  "policy": { "kind": "priority" },
  "tasks": [
    { "name": "CPU 0" }
  ],
  "streams": [
    { "name": "S1", "priority": "low" },
    { "name": "S2", "priority": "none" },
    { "name": "S3", "priority": "high" },
    { "name": "S4", "priority": "low" }
  ],
  "kernels": [
    { "name": "K1", "task": "CPU 0", "stream": "S1", "start_ns": 0, "blocks": 8, "threads_per_block": 1024, "block_time_ns": 500000000 },
    { "name": "K2", "task": "CPU 0", "stream": "S2", "start_ns": 200000000, "blocks": 8, "threads_per_block": 1024, "block_time_ns": 500000000 },
    { "name": "K3", "task": "CPU 0", "stream": "S3", "start_ns": 300000000, "blocks": 8, "threads_per_block": 1024, "block_time_ns": 500000000 },
    { "name": "K4", "task": "CPU 0", "stream": "S4", "start_ns": 1200000000, "blocks": 8, "threads_per_block": 1024, "block_time_ns": 500000000 }
  ]
}
"#,
};
