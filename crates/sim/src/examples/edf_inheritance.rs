//! The example `edf-inheritance`, "A producer inherits a deadline".
//!
//! Depends on its parent. Source: [EDF] section IV-A; task set ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-inheritance",
    title: "A producer inherits a deadline",
    source: "[EDF] section IV-A; our own task set",
    text: "A detector with a deadline of 10 ms needs the camera's picture. The camera's own deadline is 30 ms, and a display has a \
           deadline of 15 ms. If the camera kept its own deadline, the display would interrupt it from 1 to 6 ms. The camera would \
           complete at 9 ms. That is too late for the detector, which needs 2 ms more. So the camera inherits the deadline of the job that \
           waits for it.",
    bookmarks: &[
        at(
            0,
            "The camera first",
            "The detector has the earliest deadline but waits for the camera's job. So the camera is scheduled with the detector's \
             deadline of 10 ms instead of its own.",
        ),
        at(
            1_000_000,
            "The display has to wait",
            "The display's job arrives with a deadline of 15 ms. That is earlier than the camera's own deadline of 30 ms, but later than \
             the inherited one of 10 ms.",
        ),
        at(4_000_000, "The detector follows", "The camera's picture is complete, so the detector's kernel can start."),
        at(6_000_000, "Detected in time", "The detector completes 4 ms before its deadline. Now the display runs."),
        at(11_000_000, "All in time", "The display completes at 11 ms. Its deadline is 15 ms."),
    ],
    json: r#"{
  "version": 1,
  "name": "A consumer, its producer and a task in between",
  "policy": { "kind": "edf", "cbs": false },
  "processes": [
    { "name": "camera" },
    { "name": "detector" },
    { "name": "display" }
  ],
  "tasks": [
    { "name": "camera", "process": "camera", "deadline_ns": 30000000 },
    { "name": "detector", "process": "detector", "deadline_ns": 10000000, "consumes": ["camera"] },
    { "name": "display", "process": "display", "offset_ns": 1000000, "deadline_ns": 14000000 }
  ],
  "kernels": [
    { "name": "grab", "task": "camera", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 4000000 },
    { "name": "detect", "task": "detector", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 },
    { "name": "draw", "task": "display", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 5000000 }
  ]
}
"#,
};
