//! The example `own-orion`, "A policy as a text: Orion".
//!
//! Depends on its parent. Source: Strati, Ma and Klimovic, *Orion*, EuroSys 2024, as `crates/policy/src/examples/orion.policy` has it; task
//! set, times and thresholds ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "Policies of your own",
    id: "own-orion",
    title: "A policy as a text: Orion",
    source: "Orion, EuroSys 2024; task set, times and thresholds are ours",
    text: "Three tasks share one process. The policy decides about each kernel: its launch line names the tasks whose next kernel may join \
           the EE queue. A real-time kernel is launched at once. While a real-time kernel waits, a best-effort kernel is launched only if it \
           fits beside those running. Under FIFO, detect would miss its deadline.",
    bookmarks: &[
        at(0, "Nobody is urgent", "Train asks, and no real-time task does. So T1 is launched, and T2 when T1 has finished."),
        at(
            150_000,
            "Detect asks",
            "D1 is launched at once. It waits for room, as T2 runs on: the policy cannot take back a launched kernel. From now on kernels of train are held back.",
        ),
        at(
            200_000,
            "A small kernel fits",
            "T2 has finished, and D1 executes. I1 has one block, which is below the threshold: it is launched. T3 is held back, as it would \
             need both SMs.",
        ),
        at(320_000, "Detect is done", "D2 did not wait for T3, so detect met its deadline. Now T3 is launched."),
        at(560_000, "All complete", "Train is the last."),
    ],
    json: r#"{
  "version": 2,
  "name": "A policy as a text: Orion",
  "policy": {
    "kind": "own",
    "text": "out: number\nspent: number\nfull: flag\n\non launch(t):\n  if t is besteffort:\n    out = out + sms of t\n    spent = spent + duration of t\n    full = spent > 500000\n\non finish(t):\n  if t is besteffort:\n    out = out - sms of t\n    if out == 0:\n      spent = 0\n      full = false\n\nadmit ready\nlaunch highest 64 priority in ready where realtime or not full and (out + sms < 2 or not any in ready where realtime)\n"
  },
  "tasks": [
    { "name": "train", "class": "best_effort" },
    { "name": "index", "class": "best_effort", "offset_ns": 160000 },
    { "name": "detect", "offset_ns": 150000, "deadline_ns": 200000 }
  ],
  "kernels": [
    { "name": "T1", "task": "train", "stream": "train", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 100000 },
    { "name": "T2", "task": "train", "stream": "train", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 100000 },
    { "name": "T3", "task": "train", "stream": "train", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 100000 },
    { "name": "T4", "task": "train", "stream": "train", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 100000 },
    { "name": "I1", "task": "index", "stream": "index", "blocks": 1, "threads_per_block": 512, "block_time_ns": 80000 },
    { "name": "I2", "task": "index", "stream": "index", "blocks": 1, "threads_per_block": 512, "block_time_ns": 80000 },
    { "name": "D1", "task": "detect", "stream": "detect", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 60000 },
    { "name": "D2", "task": "detect", "stream": "detect", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 60000 }
  ]
}
"#,
};
