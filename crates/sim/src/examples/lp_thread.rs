//! The example `lp-thread`, "Full preemption".
//!
//! Depends on its parent. Source: [LP] Table II; task set ours. The switch costs are the greatest
//! measured there: 434 µs with the registers and local memory of running blocks, 44 µs without.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[LP] full, limited and no preemption",
    id: "lp-thread",
    title: "Full preemption",
    source: "[LP] Table II; our own task set",
    text: "Task short needs 2 ms every 10 ms. Its relative deadline is 5 ms. Task long runs 15 rounds of blocks every 40 ms. A round takes \
           2 ms. With full preemption, short interrupts blocks in the middle. Their registers and local memory must be saved, so each \
           switch takes 434 µs. Short is always in time, but long is late. Without the seven switches, long would complete 2 ms before its \
           deadline.",
    bookmarks: &[
        at(10_000_000, "Interrupted at once", "Short's second job arrives. Long's four blocks are suspended, and the switch has begun."),
        at(10_434_000, "Short runs", "Short is resident 434 µs later. It will complete at 12.434 ms, and its deadline is 15 ms."),
        at(12_868_000, "Long resumes", "The switch back took another 434 µs. Switches take 0.868 ms of each 10 ms period of short."),
        at(
            41_038_000,
            "Long is late",
            "Long completes 1.038 ms after its deadline. It needs 30 ms, and short's jobs need 8 ms. Without the switches, both would fit \
             into 40 ms.",
        ),
    ],
    json: r#"{
  "version": 1,
  "name": "LP: EDF with preemption \"thread\"",
  "policy": { "kind": "edf", "switch_cost_ns": 434000, "cbs": false },
  "horizon_ns": 80000000,
  "processes": [
    { "name": "short" },
    { "name": "long" }
  ],
  "tasks": [
    { "name": "short", "process": "short", "release": "periodic", "period_ns": 10000000, "deadline_ns": 5000000 },
    { "name": "long", "process": "long", "release": "periodic", "period_ns": 40000000 }
  ],
  "kernels": [
    { "name": "KS", "task": "short", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 },
    { "name": "KL", "task": "long", "blocks": 60, "threads_per_block": 1024, "block_time_ns": 2000000 }
  ]
}
"#,
};
