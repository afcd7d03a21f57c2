//! The example `edf-path`, "From the guests to the engines".
//!
//! Depends on its parent. Source: [EDF] sections III-C and III-D, Fig. 2b; task set ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-path",
    title: "From the guests to the engines",
    source: "[EDF] sections III-C and III-D, Fig. 2b; our own task set",
    text: "Three guests of a hypervisor share the GPU. The guest infotainment has two best-effort processes, video and map. The guests \
           vision and control have a real-time process each. Choose Path above the queues: it shows how their work reaches the \
           engines. A switch takes 100 µs. Signals take no time here.",
    bookmarks: &[
        at(
            2_000_000,
            "A batch is submitted",
            "Camera has pushed a copy and two kernels. The scheduler learns of it by signal A. The runlist now has the channel of camera \
             alone, and the Host switches until 2.1 ms.",
        ),
        at(
            6_100_000,
            "A budget expires",
            "Brake has used up its 1 ms: signal C. Its deadline is postponed from 11 ms to 17 ms, so camera goes first.",
        ),
        at(
            7_300_000,
            "A batch is complete",
            "Camera's last kernel has completed: signal B. Brake is the only real-time job left, and the Host switches to it.",
        ),
        at(9_400_000, "Best effort again", "No real-time job is pending. By its priority, video goes before map."),
    ],
    json: r#"{
  "version": 2,
  "name": "From the guests to the engines",
  "policy": { "kind": "edf", "switch_cost_ns": 100000 },
  "processes": [
    { "name": "video", "guest": "infotainment" },
    { "name": "map", "guest": "infotainment" },
    { "name": "camera", "guest": "vision" },
    { "name": "brake", "guest": "control" }
  ],
  "tasks": [
    { "name": "video", "process": "video" },
    { "name": "map", "process": "map", "offset_ns": 1000000, "priority": 1 },
    { "name": "camera", "process": "camera", "deadline_ns": 12000000, "offset_ns": 2000000, "budget_ns": 5000000 },
    { "name": "brake", "process": "brake", "deadline_ns": 6000000, "offset_ns": 5000000, "budget_ns": 1000000 }
  ],
  "kernels": [
    { "name": "KV", "task": "video", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 6000000 },
    { "name": "KM", "task": "map", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 1000000 },
    { "name": "K1", "task": "camera", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000, "copy_in_bytes": 671088 },
    { "name": "K2", "task": "camera", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 1500000 },
    { "name": "KB", "task": "brake", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 }
  ]
}
"#,
};
