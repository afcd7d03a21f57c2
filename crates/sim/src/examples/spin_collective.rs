//! The example `spin-collective`, "A collective spins for a peer behind a GEMM".
//!
//! Depends on its parent. Source: ours. A collective spins on the device until its peers take part.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why does my kernel hang?",
    id: "spin-collective",
    title: "A collective spins for a peer behind a GEMM",
    source: "the kernels are a model of a collective; sizes and times are ours",
    text: "C0 and C1 are two ends of a collective. Each spins until the other has begun. C1 stands behind a GEMM in its \
           stream, so C0 spins for as long as the GEMM takes. Meanwhile C0 keeps its registers. With them the GEMM would \
           need four waves, and without them it needs five. Launch C0 last, and the GEMM has the room.",
    bookmarks: &[
        at(
            1_000_000,
            "C0 spins",
            "C0 executes on 8 SMs, and waits for C1. Each of these holds one block of the GEMM, where others hold two.",
        ),
        at(1_530_000, "Both ends", "The GEMM has ended, and C1 has begun. C0 goes on, and both do their work."),
    ],
    json: r#"{
  "version": 3,
  "name": "A collective and a peer behind a GEMM",
  "device": "p100",
  "kernels": [
    { "name": "C0", "stream": "S1", "blocks": 8, "threads_per_block": 512, "registers_per_thread": 64, "block_time_ns": 50000, "until_begun": ["C1"] },
    { "name": "GEMM", "stream": "S2", "start_ns": 10000, "blocks": 448, "threads_per_block": 256, "registers_per_thread": 128, "block_time_ns": 300000 },
    { "name": "C1", "stream": "S2", "start_ns": 20000, "blocks": 8, "threads_per_block": 512, "registers_per_thread": 64, "block_time_ns": 50000, "until_begun": ["C0"] }
  ]
}
"#,
};
