//! The example `edf-channels`, "Two channels of one process".
//!
//! Depends on its parent. Source: the rule is [EDF] section III-B. The scenario is ours, and so is which stream has which channel: the
//! paper leaves that to the application.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[EDF] runlist and deadlines",
    id: "edf-channels",
    title: "Two channels of one process",
    source: "[EDF] section III-B (scenario ours)",
    text: "The runlist lists channels, and process A has two: its streams S1 and S2 have one each. K1 and K2 would fit on the GPU \
           together, but they never run together, because only one channel is resident. A gets two timeslices in a round, B gets one. \
           K3 is in S1 and waits for K2 of the other channel. Until K2 is complete, channel 1 of A has no work; if its turn came \
           then, the Host would skip it. In the table of processes, give A one channel: K1 and K2 then share each timeslice, and A is \
           done at 7 ms instead of 10 ms.",
    bookmarks: &[
        at(0, "A channel 1", "The Host begins with the first entry. Both channels of A have work, and so has B."),
        at(
            1_000_000,
            "A channel 2",
            "The timeslice of A channel 1 expired. The next entry is A's second channel, and K1 is suspended although K2 leaves \
             half of each SM free.",
        ),
        at(
            7_000_000,
            "Channel 1 of A has no work",
            "K1 is complete, and K3 waits for an event that is recorded behind K2. So channel 1 of A has no work. The next \
             entry is that of channel 2.",
        ),
        at(8_000_000, "K3 is ready", "K2 is complete, so K3 is work for A channel 1. But the next entry is B's."),
    ],
    json: r#"{
  "version": 2,
  "name": "EDF III-B: a process of two channels",
  "policy": { "kind": "runlist" },
  "processes": [
    { "name": "A", "channels": 2, "timeslice_ns": 1000000 },
    { "name": "B", "timeslice_ns": 1000000 }
  ],
  "tasks": [
    { "name": "TA", "process": "A" },
    { "name": "TB", "process": "B" }
  ],
  "kernels": [
    { "name": "K1", "task": "TA", "stream": "S1", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "K2", "task": "TA", "stream": "S2", "records": "done", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 3000000 },
    { "name": "K3", "task": "TA", "stream": "S1", "waits_for": ["done"], "blocks": 2, "threads_per_block": 1024, "block_time_ns": 1000000 },
    { "name": "KB", "task": "TB", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 3000000 }
  ]
}
"#,
};
