//! The example `cuda-send-behind-gemm`, "A send waits for the whole GEMM".
//!
//! Depends on its parent. Source: the question is that of NVIDIA/nccl#1431 and #1432. Sizes and times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-send-behind-gemm",
    title: "A send waits for the whole GEMM",
    source: "NVIDIA/nccl#1431 and #1432",
    text: "Send is one block in a stream of its own, launched just after a GEMM of 960 blocks. It waits for all six \
           waves of the GEMM. Two things hold it. The GEMM heads the EE queue until its last block is assigned, so each \
           free place is the GEMM's (X1). And two blocks of the GEMM leave no registers on an SM. Launch Send first, \
           give its stream a high priority, or let the GEMM use fewer SMs.",
    bookmarks: &[
        at(
            500_000,
            "Behind the GEMM",
            "The GEMM has 160 blocks assigned, two on each of 80 SMs. Send heads its stream, and stands behind the GEMM \
             in the EE queue (X1).",
        ),
        at(
            5_500_000,
            "The last wave",
            "All blocks of the GEMM are assigned. Send now heads the EE queue, but no SM has 49,152 registers free \
             (R1).",
        ),
        at(6_500_000, "Send executes", "The GEMM has ended, and Send executes alone."),
    ],
    json: r#"{
  "version": 1,
  "name": "A send behind a GEMM",
  "device": "titanv",
  "kernels": [
    { "name": "GEMM", "stream": "S1", "blocks": 960, "threads_per_block": 256, "registers_per_thread": 128, "block_time_ns": 1000000 },
    { "name": "Send", "stream": "S2", "blocks": 1, "threads_per_block": 512, "registers_per_thread": 96, "block_time_ns": 2000000, "start_ns": 100000 }
  ]
}
"#,
};
