//! What several tests need: scenarios drawn at random, a second simulator, large and growing scenarios, the fixed set.
//!
//! Depends on the simulator, on `analysis`, on files and on the crate `policy`. Invariant: the second simulator ([`oracle`]) uses nothing of the engine.
#![allow(clippy::unwrap_used, missing_docs, reason = "for tests alone")]

#[cfg(not(target_arch = "wasm32"))]
pub mod arbitrary;
#[cfg(not(target_arch = "wasm32"))]
pub mod batches;
pub mod fixed;
#[cfg(not(target_arch = "wasm32"))]
pub mod golden;
#[cfg(not(target_arch = "wasm32"))]
pub mod growing;
#[cfg(not(target_arch = "wasm32"))]
pub mod large;
#[cfg(not(target_arch = "wasm32"))]
pub mod latex;
#[cfg(not(target_arch = "wasm32"))]
pub mod logs;
#[cfg(not(target_arch = "wasm32"))]
pub mod oracle;
#[cfg(not(target_arch = "wasm32"))]
pub mod processor;
#[cfg(not(target_arch = "wasm32"))]
pub mod recorder;
#[cfg(not(target_arch = "wasm32"))]
pub mod rows;
#[cfg(not(target_arch = "wasm32"))]
pub mod schema;
#[cfg(not(target_arch = "wasm32"))]
pub mod shared;
#[cfg(not(target_arch = "wasm32"))]
pub mod spinning;
pub mod sporadic;
#[cfg(not(target_arch = "wasm32"))]
pub mod stage;
#[cfg(not(target_arch = "wasm32"))]
pub mod svg;
#[cfg(not(target_arch = "wasm32"))]
pub mod turns;

/// The folder of the project.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A name as long as one can be: 200 characters with 10 marks each.
pub fn long_name() -> String {
    format!("Z{}", "\u{301}".repeat(10)).repeat(200)
}
