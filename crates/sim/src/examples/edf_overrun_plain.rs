//! The example `edf-overrun-plain`, "A budget overrun, without servers".
//!
//! Depends on its parent. Source: [EDF] section IV; task set ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-overrun-plain",
    title: "A budget overrun, without servers",
    source: "[EDF] section IV; our own task set",
    text: "The same two tasks run under plain EDF, which trusts every deadline. Rogue takes 7 ms instead of the declared 2 ms, and nothing \
           stops it. So every job of good is late. Turn on the servers (CBS) to protect good.",
    bookmarks: &[
        at(2_000_000, "Nothing stops rogue", "Rogue has used its 2 ms, but its deadline of 8 ms is still the earliest."),
        at(7_000_000, "Good starts late", "Rogue completes 1 ms before its deadline. Good has 5 ms left for 6 ms of work."),
        at(
            12_000_000,
            "Good is late",
            "Good reaches its deadline and still needs a millisecond. Its second job has already been released.",
        ),
        at(26_000_000, "Late again", "Good's second job completes 2 ms after its deadline. Rogue is late too, and begins its third job."),
    ],
    json: r#"{
  "version": 1,
  "name": "A task that overruns its budget, without servers",
  "policy": { "kind": "edf", "cbs": false },
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
