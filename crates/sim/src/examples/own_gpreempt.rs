//! The example `own-gpreempt`, "A policy as a text: GPreempt".
//!
//! Depends on its parent. Source: Fan and others, *GPreempt*, USENIX ATC 2025, as `crates/policy/src/examples/gpreempt.policy` has it; task
//! set and times ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "Policies of your own",
    id: "own-gpreempt",
    title: "A policy as a text: GPreempt",
    source: "GPreempt, USENIX ATC 2025; task set and times are ours",
    text: "Here a policy written as a text decides who may use the GPU. It hears when a task asks for the GPU, when the task gives the \
           GPU back, and every 200 µs. Best-effort tasks take turns by these ticks. The request of a real-time task interrupts the turn at once. Each \
           step of the policy names the line that decided.",
    bookmarks: &[
        at(0, "Both ask", "Train and index ask for the GPU. They are equals, so the one that asked first goes first: train."),
        at(200_000, "A tick", "The policy moves train to the end of the queue. So index is admitted, and train is suspended."),
        at(
            450_000,
            "A request interrupts the turn",
            "Camera, which is real time, asks. It goes before all best-effort tasks, so train gives way in the middle of its turn.",
        ),
        at(550_000, "Camera is done", "Camera gives the GPU back in time. Train goes on where it was."),
        at(1_100_000, "All complete", "Index is the last."),
    ],
    json: r#"{
  "version": 2,
  "name": "A policy as a text: GPreempt",
  "policy": {
    "kind": "own",
    "text": "urgent, others: queue\nexpect preemption, separation, at most 1\n\non request(t):\n  if t is realtime:\n    add t to urgent\n  else:\n    add t to others\n\non end(t):\n  remove t from urgent\n  remove t from others\n\non tick every 200 us:\n  k = first in others\n  if k is not none and urgent is empty:\n    move k to others\n\nadmit highest priority in urgent + others\n"
  },
  "processes": [
    { "name": "train" },
    { "name": "index" },
    { "name": "camera" }
  ],
  "tasks": [
    { "name": "train", "process": "train" },
    { "name": "index", "process": "index" },
    { "name": "camera", "process": "camera", "offset_ns": 450000, "deadline_ns": 150000 }
  ],
  "kernels": [
    { "name": "KT", "task": "train", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 500000 },
    { "name": "KI", "task": "index", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 500000 },
    { "name": "KC", "task": "camera", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 100000 }
  ]
}
"#,
};
