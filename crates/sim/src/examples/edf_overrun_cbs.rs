//! The example `edf-overrun-cbs`, "A budget overrun, with servers".
//!
//! Depends on its parent. Source: [EDF] section IV, constant bandwidth server; task set ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-overrun-cbs",
    title: "A budget overrun, with servers",
    source: "[EDF] section IV, constant bandwidth server; our own task set",
    text: "Task rogue declares 2 ms of work every 8 ms. But each of its jobs takes 7 ms. Task good needs 6 ms every 12 ms and takes no \
           more. Each task has a server. When rogue has used its 2 ms, the server postpones its deadline by a period. So rogue gets more \
           than its share only while good has no work, and good is always in time. The next example runs the same tasks without servers.",
    bookmarks: &[
        at(
            2_000_000,
            "The budget is used up",
            "Rogue had the earlier deadline, 8 ms, and has run for 2 ms. Its server's deadline is now 16 ms. Good's deadline is 12 ms, so \
             good goes first.",
        ),
        at(
            8_000_000,
            "Good is in time",
            "Good completes 4 ms before its deadline. Rogue's first job resumes. Its second job is released now and waits.",
        ),
        at(
            12_000_000,
            "Postponed twice more",
            "Rogue has used up two more budgets since 8 ms. Its server's deadline is now 32 ms. Good's second job runs, because its \
             deadline is 24 ms.",
        ),
        at(
            19_000_000,
            "Rogue is late, good is not",
            "Rogue's first job completes 11 ms after its own deadline. Only the task with the wrong declaration is late.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "A task that overruns its budget, with servers",
  "policy": { "kind": "edf" },
  "horizon_ns": 36000000,
  "processes": [
    { "name": "good" },
    { "name": "rogue" }
  ],
  "tasks": [
    { "name": "good", "process": "good", "release": "periodic", "period_ns": 12000000, "budget_ns": 6000000 },
    { "name": "rogue", "process": "rogue", "release": "periodic", "period_ns": 8000000, "budget_ns": 2000000 }
  ],
  "kernels": [
    { "name": "KG", "task": "good", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 6000000 },
    { "name": "KR", "task": "rogue", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 7000000 }
  ]
}
"#,
};
