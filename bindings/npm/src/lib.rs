//! Blockstep for JavaScript: scenarios are run, and what happened comes as plain objects.
//!
//! Depends on the crates that the command line uses, and on wasm-bindgen. What is exported here is called by `package/api.js` alone,
//! which gives it the form that others see. Invariants: nothing is computed or worded here that the command line computes or words
//! too; every answer is a text, as `answer` says; a run is known by a number that is never used again.

#[cfg(target_arch = "wasm32")]
pub mod answer;
#[cfg(target_arch = "wasm32")]
pub mod input;
#[cfg(target_arch = "wasm32")]
mod rows;
#[cfg(target_arch = "wasm32")]
pub mod run;
