//! The example `edf-signals`, "From a call to the engines".
//!
//! Depends on its parent. Source: [EDF] section III-D, Fig. 2b; task set and times ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-signals",
    title: "From a call to the engines",
    source: "[EDF] section III-D, Fig. 2b; task set and times are ours",
    text: "The scheduler of [EDF] is part of the RunList Manager, a guest of its own. It knows only what the signals say. Signal A says that new \
           work was submitted, and signal B that a batch has completed. Each takes 5 µs here. Signal C, budget expired, comes from its own \
           timer at once. To make a process resident, the manager submits a runlist, which takes 2 µs. Then comes the switch, 3 µs. So a job waits \
           for A, and the GPU idles until B.",
    bookmarks: &[
        at(
            0,
            "Signal A is under way",
            "Map and log have launched their kernels. Nothing runs, as the RunList Manager does not know of them before 5 µs.",
        ),
        at(
            5_000,
            "A runlist is submitted",
            "Both signals have arrived. Map has the earlier deadline, 400 µs. Its runlist is being submitted until 7 µs.",
        ),
        at(
            25_000,
            "Brake goes first",
            "Brake launched its kernel at 20 µs, and its signal A arrives now. Its deadline, 120 µs, is the earliest, so map is preempted. \
             Runlist and switch end at 30 µs.",
        ),
        at(
            50_000,
            "The GPU idles until signal B",
            "Brake is complete, but its process stays. The RunList Manager does not know that until 55 µs.",
        ),
        at(
            82_000,
            "Signal C: budget expired",
            "Map has used up its budget of 40 µs. Its server's deadline is now 800 µs. So log, due at 500 µs, goes first.",
        ),
        at(127_000, "All in time", "Map is the last to complete. The last signal B arrives at 132 µs, and the process leaves."),
    ],
    json: r#"{
  "version": 2,
  "name": "From a call to the engines",
  "policy": { "kind": "edf", "switch_cost_ns": 3000, "signal_ns": 5000, "runlist_ns": 2000 },
  "processes": [
    { "name": "map" },
    { "name": "brake" },
    { "name": "log" }
  ],
  "tasks": [
    { "name": "map", "process": "map", "deadline_ns": 400000, "budget_ns": 40000 },
    { "name": "brake", "process": "brake", "deadline_ns": 100000, "offset_ns": 20000 },
    { "name": "log", "process": "log", "deadline_ns": 500000 }
  ],
  "kernels": [
    { "name": "KM", "task": "map", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 60000 },
    { "name": "KB", "task": "brake", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 20000 },
    { "name": "KL", "task": "log", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 10000 }
  ]
}
"#,
};
