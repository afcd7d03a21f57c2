//! The example `cuda-priority`, "Priority: a high one waits for running blocks".
//!
//! Depends on its parent. Source: the question is that of NVIDIA's developer forum 78183; [TX2] section 4.2. Sizes and times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-priority",
    title: "Priority: a high one waits for running blocks",
    source: "NVIDIA developer forum 78183; [TX2] section 4.2",
    text: "High arrives at 1 ms in a stream of high priority and waits until 10 ms. A stream's priority decides who \
           gets the next free place (A2), and takes no place away. So High waits for a wave of Low to end, and then \
           goes before the blocks of Low that still wait. Shorter blocks of Low would shorten the wait. Only another \
           process can take the GPU away, by timeslices.",
    bookmarks: &[
        at(
            5_000_000,
            "Low keeps its places",
            "High heads the EE queue of high priority. No SM has threads for it (R2), and the blocks of Low execute to \
             their end.",
        ),
        at(
            11_000_000,
            "High goes first",
            "A wave of Low ended at 10 ms. All blocks of High were assigned before any further one of Low, which took \
             the 20 places that were left.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "A high priority does not preempt",
  "device": "gtx1070",
  "policy": { "kind": "priority" },
  "streams": [ { "name": "S1", "priority": "low" }, { "name": "S2", "priority": "high" } ],
  "kernels": [
    { "name": "Low", "stream": "S1", "blocks": 90, "threads_per_block": 1024, "block_time_ns": 10000000 },
    { "name": "High", "stream": "S2", "blocks": 10, "threads_per_block": 1024, "block_time_ns": 2000000, "start_ns": 1000000 }
  ]
}
"#,
};
