//! The example `edf-vi-a-runlist`, "Section VI-A under the runlist".
//!
//! Depends on its parent. Source: [EDF] section VI-A. What the paper leaves open is ours, and the
//! text says so.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] runlist and deadlines",
    id: "edf-vi-a-runlist",
    title: "Section VI-A under the runlist",
    source: "[EDF] section VI-A",
    text: "Two applications have high interleaving: a sphere at 30 frames per second, due after 32 ms, and a neural network every 40 ms, due \
           after 4 ms. Two best-effort applications have low interleaving: a scene that is drawn continuously, and gears at 60 frames per \
           second. Weston, the display server, works before each frame of the sphere. Periods, deadlines, budgets, levels, timeslices and \
           execution times are the paper's, except Weston's: its level and timeslice are ours. In the paper all graphics applications \
           depend on Weston; here only the sphere does. The sphere takes 1.2 ms on average and at most 4 ms, the network 1.5 ms and at most 3 \
           ms. A search found the best fit for the rest: the parts of jobs and their pauses, a switch of 150 µs, and Weston's 0.3 ms. It \
           used ten seeds of 20 s: 5.6 % of the real-time jobs are late there, as in the paper. Over 60 fresh seeds 5.5 % are late, and \
           single seeds range from 3.0 to 10.7 %. In this run, 8 of 110 real-time deadlines are missed, all of them the network's.",
    bookmarks: &[
        at(
            165_000_000,
            "The network begins",
            "The network's fifth job arrives in a timeslice of the scene. High interleaving does not preempt. The job waits until 165.92 \
             ms.",
        ),
        at(
            166_964_586,
            "One part left",
            "The first part is complete. The CPU launches the second part 50 µs later. In between, the network loses the GPU. Weston, the \
             gears and the sphere run first.",
        ),
        at(
            168_979_888,
            "The network's turn again",
            "Weston ran for 0.3 ms, and the gears ran for a timeslice of 1 ms. The sphere ran for 0.12 ms. The GPU switched four times. \
             The next part takes 0.52 ms, but only 20 µs are left.",
        ),
        at(
            169_499_583,
            "Too late",
            "The network completes 4.5 ms after its release, 0.5 ms past its deadline. It has executed for 1.56 ms.",
        ),
        at(
            172_233_076,
            "The sphere's frame is complete",
            "It took 5.57 ms from its release, but it executed for only 0.35 ms. Each of its four parts waited for its own turn. The frame \
             still meets its deadline of 32 ms easily.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "EDF section VI-A: four applications under runlist",
  "policy": { "kind": "runlist", "switch_cost_ns": 150000 },
  "horizon_ns": 2000000000,
  "seed": 0,
  "processes": [
    { "name": "sphere", "interleave": "high", "timeslice_ns": 4000000 },
    { "name": "network", "interleave": "high", "timeslice_ns": 3000000 },
    { "name": "weston", "interleave": "high", "timeslice_ns": 1000000 },
    { "name": "scene", "interleave": "low", "timeslice_ns": 1000000 },
    { "name": "gears", "interleave": "low", "timeslice_ns": 1000000 }
  ],
  "tasks": [
    { "name": "sphere", "process": "sphere", "release": "periodic", "period_ns": 33333333, "deadline_ns": 32000000, "budget_ns": 4000000, "consumes": ["weston"] },
    { "name": "network", "process": "network", "release": "periodic", "period_ns": 40000000, "deadline_ns": 4000000, "offset_ns": 5000000, "budget_ns": 3000000 },
    { "name": "weston", "process": "weston", "release": "periodic", "period_ns": 33333333, "class": "best_effort" },
    { "name": "scene", "process": "scene", "release": "continuous", "priority": 1 },
    { "name": "gears", "process": "gears", "release": "periodic", "period_ns": 16666667, "class": "best_effort", "priority": 2 }
  ],
  "kernels": [
    { "name": "sphere 1", "task": "sphere", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 41111, "block_time_max_ns": 663333, "copy_in_bytes": 26843 },
    { "name": "sphere 2", "task": "sphere", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 41111, "block_time_max_ns": 663333, "after": "sphere 1", "start_ns": 50000 },
    { "name": "sphere 3", "task": "sphere", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 41111, "block_time_max_ns": 663333, "after": "sphere 2", "start_ns": 50000 },
    { "name": "sphere 4", "task": "sphere", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 123333, "block_time_max_ns": 1990000, "after": "sphere 3", "start_ns": 50000 },
    { "name": "network 1", "task": "network", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 495407, "block_time_max_ns": 1495407, "copy_in_bytes": 12288 },
    { "name": "network 2", "task": "network", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 495407, "block_time_max_ns": 1495407, "after": "network 1", "start_ns": 50000, "copy_out_bytes": 40 },
    { "name": "weston", "task": "weston", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 300000 },
    { "name": "scene", "task": "scene", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 3500000, "start_ns": 500000 },
    { "name": "gears", "task": "gears", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 1100000 }
  ]
}
"#,
};
