//! The example `cuda-graph-branches`, "Nodes of a graph that run at once".
//!
//! Depends on its parent. Source: [CUDA] section 4.2.

use super::{Example, at};

/// The example.
pub(super) const EXAMPLE: Example = Example {
    group: "[CUDA] why did my kernel wait?",
    id: "cuda-graph-branches",
    title: "Nodes of a graph that run at once",
    source: "[CUDA] section 4.2",
    text: "One call launches the whole graph, into one stream. Split comes first; Left and Right both wait for it, and run at once, as no \
           edge is between them. Join waits for both. In its stream the graph has one place: Next, launched right behind it, waits for all \
           four nodes.",
    bookmarks: &[
        at(
            2_000_000,
            "No edge, no order",
            "Left and Right execute together. Join waits by its edges, and Next because it is behind the graph in stream S1.",
        ),
        at(3_500_000, "Not both yet", "Right was complete at 3 ms. Join waits until Left is complete, too, at 4 ms."),
    ],
    json: r#"{
  "version": 2,
  "name": "A graph with two branches",
  "kernels": [
    { "name": "Graph", "stream": "S1", "call": "launch_graph" },
    { "name": "Split", "graph": "Graph", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000 },
    { "name": "Left", "graph": "Graph", "waits_for": ["Split"], "blocks": 2, "threads_per_block": 512, "block_time_ns": 3000000 },
    { "name": "Right", "graph": "Graph", "waits_for": ["Split"], "blocks": 2, "threads_per_block": 512, "block_time_ns": 2000000 },
    { "name": "Join", "graph": "Graph", "waits_for": ["Right", "Left"], "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000 },
    { "name": "Next", "stream": "S1", "blocks": 2, "threads_per_block": 512, "block_time_ns": 1000000 }
  ]
}
"#,
};
