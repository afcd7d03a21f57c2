//! The example `edf-graphics`, "A frame, a stuck shader and the watchdog".
//!
//! Depends on its parent. Source: [EDF] section VI-C; task set ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] servers and dependencies",
    id: "edf-graphics",
    title: "A frame, a stuck shader and the watchdog",
    source: "[EDF] section VI-C; our own task set",
    text: "Graphics work is preempted at the end of a pixel, not at once. The game's pixels take up to 750 µs. The shader is stuck in a \
           long loop: its pixels take 10 ms. Brake asks for the GPU every 10 ms. The watchdog resets a channel that has not yielded for \
           1.5 ms.",
    bookmarks: &[
        at(
            2_000_000,
            "The end of a pixel",
            "Brake's job is due first. The game has to give way, and its blocks run on to the end of a pixel, at 2.75 ms.",
        ),
        at(2_800_000, "As late as a pixel", "Brake starts 800 µs after its release: the pixel and the switch of 50 µs."),
        at(7_150_000, "Best effort", "The frame is complete, and no real-time job is pending. The shader starts."),
        at(12_000_000, "A pixel that takes too long", "Brake asks again. The shader drains, and its pixel would take until 22 ms."),
        at(
            13_500_000,
            "The reset",
            "The shader has not yielded for 1.5 ms. Its channel is reset: its blocks never go on. Brake is in time, with 1.45 ms to spare.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "A frame, a stuck shader and the watchdog",
  "device": "drivepx",
  "policy": { "kind": "edf", "switch_cost_ns": 50000, "watchdog_ns": 1500000 },
  "horizon_ns": 26000000,
  "processes": [
    { "name": "game" },
    { "name": "shader" },
    { "name": "brake" }
  ],
  "tasks": [
    { "name": "game", "process": "game", "deadline_ns": 20000000, "budget_ns": 8000000, "pixel_latency_ns": 750000 },
    { "name": "shader", "process": "shader", "pixel_latency_ns": 10000000 },
    { "name": "brake", "process": "brake", "release": "periodic", "period_ns": 10000000, "offset_ns": 2000000, "deadline_ns": 4000000, "budget_ns": 1500000 }
  ],
  "kernels": [
    { "name": "frame", "task": "game", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 6000000 },
    { "name": "loop", "task": "shader", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 30000000 },
    { "name": "KB", "task": "brake", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 1000000 }
  ]
}
"#,
};
