//! The example `cuda-one-connection`, "One connection: the order of launch is kept".
//!
//! Depends on its parent. Source: the question is that of NVIDIA/Megatron-LM#533. Sizes and times are ours.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-one-connection",
    title: "One connection: the order of launch is kept",
    source: "NVIDIA/Megatron-LM#533",
    text: "Why do training scripts set CUDA_DEVICE_MAX_CONNECTIONS to 1? Gather waits for an event and is launched \
           before the GEMM. All streams share one connection, so the GEMM stands behind Gather (H1), although its own \
           stream is ready. When the event is complete, Gather gets its SMs first, and the GEMM takes the rest. With a \
           connection for each stream the GEMM starts as soon as its stream is ready and fills the GPU. Then Gather \
           waits for places, and the two hardly overlap.",
    bookmarks: &[
        at(
            1_100_000,
            "The GEMM waits in the connection",
            "Grad has ended, so the GEMM heads its stream and could start. But Gather stands before it in the \
             connection and waits for the event (W1).",
        ),
        at(2_000_000, "Both execute", "Gather has a block on 16 SMs. The GEMM took all other places at the same instant."),
    ],
    json: r#"{
  "version": 2,
  "name": "One connection: communication first",
  "device": "titanv",
  "connections": 1,
  "kernels": [
    { "name": "Grad", "stream": "Compute", "blocks": 80, "threads_per_block": 1024, "block_time_ns": 1000000 },
    { "name": "Cast", "stream": "Side", "blocks": 8, "threads_per_block": 256, "block_time_ns": 1200000, "records": "ready" },
    { "name": "Gather", "stream": "Comm", "blocks": 16, "threads_per_block": 512, "block_time_ns": 4000000, "waits_for": ["ready"] },
    { "name": "GEMM", "stream": "Compute", "blocks": 960, "threads_per_block": 512, "block_time_ns": 1000000 }
  ]
}
"#,
};
