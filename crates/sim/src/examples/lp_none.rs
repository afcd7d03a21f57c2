//! The example `lp-none`, "No preemption".
//!
//! Depends on its parent. Source: [LP] sections II-B, IV and Table II; task set ours. The switch
//! costs are the greatest measured there: 434 µs with the registers and local memory of running
//! blocks, 44 µs without.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[LP] full, limited and no preemption",
    id: "lp-none",
    title: "No preemption",
    source: "[LP] sections II-B, IV and Table II; our own task set",
    text: "The tasks are those of “Full preemption”, but a chosen job keeps the GPU until it completes. There are few switches, and each takes \
           44 µs. But short waits for a whole job of long, and three of its first four jobs are late. Each job here is one kernel, so \
           preemption mode kernel gives the same times. In that mode the engines pause after the running kernel, as on the GPUs that the \
           paper measured.",
    bookmarks: &[
        at(10_000_000, "Short has to wait", "Short's second job has the earlier deadline, but long was chosen at 2 ms and keeps the GPU."),
        at(15_000_000, "Already late", "Short's second job reaches its deadline without having started."),
        at(32_044_000, "Long is done", "Long completes almost 8 ms before its deadline. Three jobs of short are waiting."),
        at(36_088_000, "Three late jobs", "Two of them are complete, and both are late. The third runs now. Its deadline was 35 ms."),
    ],
    json: r#"{
  "version": 1,
  "name": "LP: EDF with preemption \"none\"",
  "policy": { "kind": "edf", "switch_cost_ns": 44000, "cbs": false, "preemption": "none" },
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
