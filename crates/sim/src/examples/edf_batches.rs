//! The example `edf-batches`, "An urgent batch and a lax one".
//!
//! Depends on its parent. Source: [EDF] sections IV-A and V; task set ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-batches",
    title: "An urgent batch and a lax one",
    source: "[EDF] sections IV-A and V, Listing 2; our own task set",
    text: "A job of camera finds obstacles, which is urgent, and draws a map, which is not. Between cudaStreamDeadlineBegin and \
           cudaStreamDeadlineEnd each of these is a batch with a deadline of its own: detect has 5 ms, and map 30 ms. Brake is due between \
           them. A switch takes 100 µs.",
    bookmarks: &[
        at(0, "Two batches of one job", "Detect is due at 5 ms, and map at 30 ms. Each has a server. The scheduler chooses detect."),
        at(
            1_000_000,
            "Brake has to wait",
            "Brake is due at 10 ms. Detect is due before that, so camera stays. If the whole job of camera were one batch, it would give way here.",
        ),
        at(
            2_000_000,
            "Between the batches",
            "Detect is complete. Brake is due before map, so camera gives way, and the Host switches until 2.1 ms.",
        ),
        at(5_100_000, "The lax batch", "Brake is complete. Map starts at 5.2 ms, after the switch."),
    ],
    json: r#"{
  "version": 2,
  "name": "An urgent batch and a lax one",
  "policy": { "kind": "edf", "switch_cost_ns": 100000 },
  "processes": [
    { "name": "camera" },
    { "name": "brake" }
  ],
  "tasks": [
    { "name": "camera", "process": "camera", "deadline_ns": 40000000 },
    { "name": "brake", "process": "brake", "deadline_ns": 9000000, "offset_ns": 1000000 }
  ],
  "batches": [
    { "name": "detect", "deadline_ns": 5000000, "budget_ns": 3000000, "period_ns": 40000000 },
    { "name": "map", "deadline_ns": 30000000, "budget_ns": 8000000, "period_ns": 40000000 }
  ],
  "kernels": [
    { "name": "KD", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000, "batch": "detect" },
    { "name": "KM", "stream": "S2", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 6000000, "batch": "map" },
    { "name": "KB", "task": "brake", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 }
  ]
}
"#,
};
