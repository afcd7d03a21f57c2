//! The example `edf-overrun-cbs`, "A budget overrun, with servers".
//!
//! Depends on its parent. Source: [EDF] section IV, constant bandwidth server; task set ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-overrun-cbs",
    title: "A budget overrun, with servers",
    source: "[EDF] section IV, constant bandwidth server; task set ours",
    text: "The task rogue declares 2 ms in 8 but takes 7. The task good needs 6 ms in 12 and takes no more. Each has a server. When rogue \
           has used its 2 ms, its deadline is postponed by a period. So it can never take more than its share from good, which \
           is always in time. The next example is the same without servers.",
    bookmarks: &[
        at(
            2_000_000,
            "The budget is used up",
            "Rogue had the earlier deadline, 8 ms, and has run for 2 ms. Its server now stands at 16 ms, so good with \
             12 ms goes first.",
        ),
        at(8_000_000, "Good is in time", "Good is complete, 4 ms early. Rogue's first job resumes; its second job, released now, waits."),
        at(
            12_000_000,
            "Postponed twice more",
            "Rogue has used two more budgets since 8 ms and its server stands at 32 ms. Good's second job is due at 24 ms and runs.",
        ),
        at(
            19_000_000,
            "Rogue is late, good is not",
            "Rogue's first job is complete, 11 ms after its own deadline. Only the task with the wrong declaration is late.",
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
