//! The example `edf-chain`, "A chain on one runlist".
//!
//! Depends on its parent. Source: [EDF] section IV-A; task set and times ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-chain",
    title: "A chain on one runlist",
    source: "[EDF] section IV-A; task set and times are ours",
    text: "Fusion is due at 12 ms and needs the data of camera and radar. [EDF] puts a consumer and all that it waits for on one runlist, \
           with the priority of the consumer. So camera and radar take turns of 2 ms, and the channel of fusion waits for both. Submitting a \
           runlist takes 100 µs; a switch takes 50 µs. If you set \"Chain of a consumer\" to one process, each \
           process gets a runlist of its own.",
    bookmarks: &[
        at(
            0,
            "One runlist for three",
            "Fusion has the earliest deadline, but waits for camera and radar. A runlist with all three processes is being submitted until 100 µs.",
        ),
        at(
            2_100_000,
            "A turn ends",
            "The timeslice of camera, 2 ms, is over, and radar has work of the same chain. So camera gives way by rule E7. Radar is on the \
             runlist already, so only the switch takes time.",
        ),
        at(
            5_200_000,
            "Camera is done",
            "Camera's picture is complete. Its process has no more work of the chain, so it gives way to radar.",
        ),
        at(
            6_250_000,
            "Fusion follows at once",
            "Radar is complete, too. Fusion no longer waits for data, and its process is on the runlist already, so only the switch \
             takes time.",
        ),
        at(
            7_300_000,
            "Another runlist",
            "Fusion completes at 7.3 ms. Display is not part of the chain, so a runlist is submitted for it until 7.4 ms.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "A chain on one runlist",
  "policy": { "kind": "edf", "switch_cost_ns": 50000, "runlist_ns": 100000, "chain": "resident", "cbs": false },
  "processes": [
    { "name": "camera" },
    { "name": "radar" },
    { "name": "fusion" },
    { "name": "display" }
  ],
  "tasks": [
    { "name": "camera", "process": "camera", "deadline_ns": 40000000 },
    { "name": "radar", "process": "radar", "deadline_ns": 40000000 },
    { "name": "fusion", "process": "fusion", "deadline_ns": 12000000, "consumes": ["camera", "radar"] },
    { "name": "display", "process": "display", "offset_ns": 1000000, "deadline_ns": 19000000 }
  ],
  "kernels": [
    { "name": "grab", "task": "camera", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "scan", "task": "radar", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "fuse", "task": "fusion", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 1000000 },
    { "name": "draw", "task": "display", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 }
  ]
}
"#,
};
