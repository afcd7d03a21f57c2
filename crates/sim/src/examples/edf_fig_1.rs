//! The example `edf-fig-1`, "Fig. 1: two high, two medium".
//!
//! Depends on its parent. Source: [EDF] section III-B, Fig. 1. What the paper leaves open is ours,
//! and the text says so.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] runlist and deadlines",
    id: "edf-fig-1",
    title: "Fig. 1: two high, two medium",
    source: "[EDF] section III-B, Fig. 1",
    text: "Four processes have 3 ms of work each. A timeslice is 1 ms. The runlist lists the high processes before every medium one: H1 H2 \
           M1 H1 H2 M2. So H1 and H2 get two turns in a round, and M1 and M2 get one. When H1 and H2 are done, the Host skips their \
           entries at no cost, and the medium processes alternate.",
    bookmarks: &[
        at(0, "H1", "The Host begins with the first entry. All four processes have work."),
        at(2_000_000, "M1 is third", "H1 and H2 have had their first timeslices and are suspended. The third entry is M1's."),
        at(3_000_000, "H1 again", "The fourth entry is H1's second one. H1 waited for two turns of others. M1 now waits for five."),
        at(5_000_000, "M2's first turn", "M2 has been waiting since 0 s. Its only entry is the last of the list."),
        at(
            7_000_000,
            "H1 is done",
            "H1 completed its 3 ms in three timeslices. The list has started again, and its second entry belongs to H2.",
        ),
        at(9_000_000, "Entries without work", "H1 and H2 have no work left. So the Host skipped their entries after M1 and found M2."),
    ],
    json: r#"{
  "version": 1,
  "name": "EDF Fig. 1: the runlist of two high and two medium processes",
  "policy": { "kind": "runlist" },
  "processes": [
    { "name": "H1", "interleave": "high", "timeslice_ns": 1000000 },
    { "name": "H2", "interleave": "high", "timeslice_ns": 1000000 },
    { "name": "M1", "interleave": "medium", "timeslice_ns": 1000000 },
    { "name": "M2", "interleave": "medium", "timeslice_ns": 1000000 }
  ],
  "tasks": [
    { "name": "H1", "process": "H1" },
    { "name": "H2", "process": "H2" },
    { "name": "M1", "process": "M1" },
    { "name": "M2", "process": "M2" }
  ],
  "kernels": [
    { "name": "KH1", "task": "H1", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "KH2", "task": "H2", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "KM1", "task": "M1", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "KM2", "task": "M2", "blocks": 4, "threads_per_block": 1024, "block_time_ns": 3000000 }
  ]
}
"#,
};
