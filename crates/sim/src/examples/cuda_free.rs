//! The example `cuda-free`, "cudaFree between launches: a wait that nobody wrote".
//!
//! Depends on its parent. Source: [CUDA] section 4.3.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-free",
    title: "cudaFree between launches: a wait that nobody wrote",
    source: "[CUDA] section 4.3",
    text: "Two streams with two kernels each. Between the launches to S1 and those to S2 the program frees memory. cudaFree waits \
           for everything that was issued before (T3), so the streams do not overlap. A pool, with cudaFreeAsync, waits for \
           nothing: take the row free out, and they do.",
    bookmarks: &[
        at(
            500_000_000,
            "The CPU waits in cudaFree",
            "K1 executes and K2 stands behind it in S1. The thread waits for both, although what it frees may belong to \
             neither.",
        ),
        at(
            2_500_000_000,
            "No overlap",
            "cudaFree returned at 2 s, with the end of K2. Only then K3 was launched: S2 begins when S1 is done.",
        ),
    ],
    json: r#"{
  "version": 2,
  "name": "Freeing memory between launches",
  "kernels": [
    { "name": "K1", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K2", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "free", "call": "free" },
    { "name": "K3", "stream": "S2", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 },
    { "name": "K4", "stream": "S2", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000000 }
  ]
}
"#,
};
