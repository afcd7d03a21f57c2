//! The example `lp-block`, "Limited preemption".
//!
//! Depends on its parent. Source: [LP] section IV and Table II; task set ours. The switch costs are
//! the greatest measured there: 434 µs with the registers and local memory of running blocks, 44 µs
//! without.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[LP] full, limited and no preemption",
    id: "lp-block",
    title: "Limited preemption",
    source: "[LP] section IV and Table II; our own task set",
    text: "The tasks are those of “Full preemption”, but a process leaves only between blocks: the SMs drain first. A block that has ended \
           has no state to save, so a switch takes 44 µs. Short waits for at most one round of long's blocks, which takes 2 ms. Every job is \
           in time.",
    bookmarks: &[
        at(10_000_000, "Draining", "Short's second job arrives. Long gets no new blocks, and its four running blocks end in 44 µs."),
        at(
            10_044_000,
            "A cheap switch",
            "The SMs are empty, and the switch has begun. No block is half done, so there are no registers to save.",
        ),
        at(12_132_000, "Long resumes", "Short completed at 12.088 ms. Long's next blocks start after a switch of 44 µs."),
        at(38_308_000, "Both in time", "Long completes about 1.7 ms before its deadline."),
    ],
    json: r#"{
  "version": 1,
  "name": "LP: EDF with preemption \"block\"",
  "policy": { "kind": "edf", "switch_cost_ns": 44000, "cbs": false, "preemption": "block" },
  "horizon_ns": 80000000,
  "processes": [
    { "name": "short" },
    { "name": "long" }
  ],
  "tasks": [
    { "name": "short", "process": "short", "release": "periodic", "period_ns": 10000000, "deadline_ns": 5000000 },
    { "name": "long", "process": "long", "release": "periodic", "period_ns": 40000000 }
  ],
  "kernels": [
    { "name": "KS", "task": "short", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 },
    { "name": "KL", "task": "long", "blocks": 60, "threads_per_block": 1024, "block_time_ns": 2000000 }
  ]
}
"#,
};
