//! The page of profilers' traces: opening them, the answer, the timeline, an operation, and tables.
//!
//! It is empty elsewhere than in a browser. Invariant: what the page around it does for it stands in [`TraceHost`]; it knows nothing else of
//! that.
#![cfg(target_arch = "wasm32")]
// Leptos makes the props of a component as public as they can be.
#![allow(unreachable_pub, missing_docs)]

mod answer;
mod causes;
mod compared;
mod files;
mod host;
mod minimap;
mod more;
mod operation;
mod paint;
mod panel;
mod range;
mod ranks;
mod state;
mod tables;
mod timeline;
mod waiting;
mod walk;

pub use files::are_traces;
pub use host::TraceHost;
pub use panel::TracePage;
pub use state::TraceState;
