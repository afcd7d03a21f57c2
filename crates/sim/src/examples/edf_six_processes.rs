//! The example `edf-six-processes`, "Six processes on a GPU of 2025".
//!
//! Depends on its parent. Sources: the rule is [EDF] section III-B. Timeslice, switch and the measured quartiles are from logs of
//! github.com/eunomia-bpf/gpu_ext (MIT), six processes without MPS on a GeForce RTX 5090; docs/semantics.md, section 6, says
//! what is known of them. One SM for 170 and how long a kernel takes alone are ours: no source gives that.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] runlist and deadlines",
    id: "edf-six-processes",
    title: "Six processes on a GPU of 2025",
    source: "[EDF] section III-B; eunomia-bpf/gpu_ext, measured on an RTX 5090",
    text: "Six processes launch 200 kernels each, one after the other, on an RTX 5090 without MPS. All have the same level, so they take \
           turns: 2.209 ms each, with a switch of 56 µs between two. A kernel needs 13.9685 ms of the GPU, which is seven turns or eight, \
           depending on where in a turn it begins. So it takes 82.25 ms or 93.64 ms, and the difference is one round of the other processes. Two of \
           three kernels take the shorter time. The logs give 82.18, 82.40 and 93.67 ms as quartiles. Timeslice and switch are \
           those of the logs, and how long a kernel takes alone is ours. One SM stands for all 170, as each does the same.",
    bookmarks: &[
        at(0, "P1's turn", "K1 fills the GPU. Five other processes have a kernel each, and none of them is resident."),
        at(
            13_590_000,
            "A round later",
            "All six processes have had a turn, and nothing executed during the switches between them. P1 is resident again. K1, which was \
             suspended in place, goes on with the time that it had left.",
        ),
        at(82_254_500, "K1 is complete", "It is P1's seventh turn. The next kernel of P1 begins at once, in the rest of the same turn."),
    ],
    json: r#"{
  "version": 1,
  "name": "Six processes on a GPU of 2025",
  "device": { "name": "GeForce RTX 5090, one SM of 170", "sms": 1, "threads_per_sm": 1536, "blocks_per_sm": 24, "shared_memory_per_sm": 102400, "max_shared_memory_per_block": 101376, "max_registers_per_block": 65536, "copy_engines": 2 },
  "policy": { "kind": "runlist", "switch_cost_ns": 56000 },
  "processes": [
    { "name": "P1", "timeslice_ns": 2209000 },
    { "name": "P2", "timeslice_ns": 2209000 },
    { "name": "P3", "timeslice_ns": 2209000 },
    { "name": "P4", "timeslice_ns": 2209000 },
    { "name": "P5", "timeslice_ns": 2209000 },
    { "name": "P6", "timeslice_ns": 2209000 }
  ],
  "tasks": [
    { "name": "T1", "process": "P1", "release": "continuous", "jobs": 200 },
    { "name": "T2", "process": "P2", "release": "continuous", "jobs": 200 },
    { "name": "T3", "process": "P3", "release": "continuous", "jobs": 200 },
    { "name": "T4", "process": "P4", "release": "continuous", "jobs": 200 },
    { "name": "T5", "process": "P5", "release": "continuous", "jobs": 200 },
    { "name": "T6", "process": "P6", "release": "continuous", "jobs": 200 }
  ],
  "kernels": [
    { "name": "K1", "task": "T1", "blocks": 2, "threads_per_block": 768, "block_time_ns": 13968500 },
    { "name": "K2", "task": "T2", "blocks": 2, "threads_per_block": 768, "block_time_ns": 13968500 },
    { "name": "K3", "task": "T3", "blocks": 2, "threads_per_block": 768, "block_time_ns": 13968500 },
    { "name": "K4", "task": "T4", "blocks": 2, "threads_per_block": 768, "block_time_ns": 13968500 },
    { "name": "K5", "task": "T5", "blocks": 2, "threads_per_block": 768, "block_time_ns": 13968500 },
    { "name": "K6", "task": "T6", "blocks": 2, "threads_per_block": 768, "block_time_ns": 13968500 }
  ]
}
"#,
};
