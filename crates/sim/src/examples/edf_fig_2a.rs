//! The example `edf-fig-2a`, "Fig. 2a: just missed".
//!
//! Depends on its parent. Source: [EDF] Fig. 2a and Theorem 1. What the paper leaves open is ours,
//! and the text says so.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] runlist and deadlines",
    id: "edf-fig-2a",
    title: "Fig. 2a: just missed",
    source: "[EDF] Fig. 2a and Theorem 1",
    text: "The worst case for H2 is work that arrives just after the Host has looked at its entry. Here the Host looks at it at 1 ms, and \
           the work arrives 1 ns later. H2 then waits for the timeslices of M1 and H1. It waits as long again after each of its own timeslices \
           that does not finish the job. By Theorem 1, the wait for a turn is at most l = 1 ms + 1 ms = 2 ms. It is a timeslice of H1 and \
           one of a medium process. The job needs the GPU for 2.5 ms, so it takes three turns. Its response time is at most 3 × 2 + 2.5 = \
           8.5 ms. The actual response time is 8.499999 ms. H2 misses its deadline of 8 ms, although its job is short.",
    bookmarks: &[
        at(1_000_000, "No work for H2", "H1's timeslice is over. The Host found H2's entry without work and went on to M1."),
        at(1_000_001, "Work for H2", "One nanosecond later H2's kernel is launched. The next entry of H2 is two places ahead, after H1's."),
        at(3_000_000, "H2's first turn", "M1 and H1 have had a timeslice each. H2 has waited for 1 ns less than 2 ms."),
        at(4_000_000, "Suspended", "H2's timeslice is over, and 1.5 ms of its work is left. M2 is resident now, and H1 is next."),
        at(9_000_001, "Deadline", "8 ms have passed since the launch. H2 is in its third turn and still needs half a millisecond."),
        at(9_500_000, "Done", "H2's job completes 8.499999 ms after its release, 1 ns under the bound."),
    ],
    json: r#"{
  "version": 1,
  "name": "EDF Fig. 2a: arrival just after the entry was checked",
  "policy": { "kind": "runlist" },
  "horizon_ns": 12000000,
  "processes": [
    { "name": "H1", "interleave": "high", "timeslice_ns": 1000000 },
    { "name": "H2", "interleave": "high", "timeslice_ns": 1000000 },
    { "name": "M1", "interleave": "medium", "timeslice_ns": 1000000 },
    { "name": "M2", "interleave": "medium", "timeslice_ns": 1000000 }
  ],
  "tasks": [
    { "name": "H1", "process": "H1", "release": "continuous" },
    { "name": "H2", "process": "H2", "offset_ns": 1000001, "deadline_ns": 8000000 },
    { "name": "M1", "process": "M1", "release": "continuous" },
    { "name": "M2", "process": "M2", "release": "continuous" }
  ],
  "kernels": [
    { "name": "KH1", "task": "H1", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 },
    { "name": "KH2", "task": "H2", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2500000 },
    { "name": "KM1", "task": "M1", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 },
    { "name": "KM2", "task": "M2", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 2000000 }
  ]
}
"#,
};
