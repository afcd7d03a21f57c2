//! Blockstep for JavaScript: scenarios are run, and what happened comes as plain objects.
//!
//! Depends on the crates that the command line uses, and on wasm-bindgen. It is built once for each entry of the package: with `runs` for
//! `package/api.js`, with `analysis` for `package/analysis-api.js`, which alone call what is exported here and give it the form that others
//! see. Invariants: nothing is computed or worded here that the command line computes or words too; every answer is a text, as `answer`
//! says; a run is known by a number that is never used again.

#[cfg(all(target_arch = "wasm32", feature = "analysis"))]
pub mod analysis;
#[cfg(target_arch = "wasm32")]
pub mod answer;
#[cfg(target_arch = "wasm32")]
pub mod input;
#[cfg(target_arch = "wasm32")]
mod rows;
#[cfg(all(target_arch = "wasm32", feature = "runs"))]
pub mod run;
