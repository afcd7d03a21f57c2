//! Tests of the command line, and of what the whole keeps, in one binary.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod checks;
mod claims;
mod cli;
mod guides;
mod layering;
mod metadata;
mod surface;
mod types;
mod validate;
mod words;
