//! The example `own-gcaps`, "A policy as a text: GCAPS".
//!
//! Depends on its parent. Source: Wang, Liu, Wong and Kim, *GCAPS*, ECRTS 2024, Algorithm 1, as `crates/policy/src/examples/gcaps.policy` has
//! it; task set and times ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "Policies of your own",
    id: "own-gcaps",
    title: "A policy as a text: GCAPS",
    source: "GCAPS, ECRTS 2024, Algorithm 1 in our reading; task set and times are ours",
    text: "GCAPS keeps two sets of tasks, running and pending. Tasks in running may use the GPU. A real-time task of a higher priority \
           moves the running task to pending, and the end of a job brings the most urgent one back. Here GCAPS does what it promises. The \
           tour of its Algorithm 1 shows two tables on which it loses a task.",
    bookmarks: &[
        at(
            100_000,
            "Detect asks",
            "Detect is real time, and train is a best-effort task. So detect moves to running, and train moves to pending.",
        ),
        at(150_000, "Brake asks", "Brake has the higher priority. It takes the place of detect."),
        at(250_000, "Brake is done", "Of the real-time tasks that are pending, detect has the highest priority: it goes on."),
        at(400_000, "Detect is done", "No real-time task is pending any more. So all tasks in pending move to running, and train goes on."),
    ],
    json: r#"{
  "version": 2,
  "name": "A policy as a text: GCAPS",
  "policy": {
    "kind": "own",
    "text": "\u0023 GCAPS as printed: Wang, Liu, Wong and Kim, ECRTS 2024, Algorithm 1 and figure 3.\n# Our reading of the listing. Choice, as the paper is silent: a task that begins while nothing runs runs, and an equal does not preempt.\nrunning, pending: set\nexpect preemption, separation, at most 1 realtime\n\non request(t):\n  if t is besteffort:\n    if any in running where realtime:\n      move t to pending\n    else:\n      move t to running\n  else:\n    h = highest priority in running\n    if h is none:\n      move t to running\n    else if priority of t > priority of h:\n      move t to running\n      move h to pending\n    else:\n      move t to pending\n\non end(t):\n  k = highest priority in pending where realtime\n  if k is none:\n    running = pending\n    pending = {}\n  else:\n    move k to running\n    remove t from running\n\nadmit running\n"
  },
  "processes": [
    { "name": "train" },
    { "name": "detect" },
    { "name": "brake" }
  ],
  "tasks": [
    { "name": "train", "process": "train" },
    { "name": "detect", "process": "detect", "offset_ns": 100000, "deadline_ns": 500000, "priority": 2 },
    { "name": "brake", "process": "brake", "offset_ns": 150000, "deadline_ns": 150000, "priority": 1 }
  ],
  "kernels": [
    { "name": "KT", "task": "train", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 400000 },
    { "name": "KD", "task": "detect", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 200000 },
    { "name": "KB", "task": "brake", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 100000 }
  ]
}
"#,
};
