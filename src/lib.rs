//! Blockstep: how a GPU schedules kernels, thread blocks and copies, step by step.
//!
//! Data flows one way: a [`scenario`] goes into the [`engine`], which yields a [`trace`] of
//! steps; a [`snapshot`] is the whole state after any step; [`view`] turns both into geometry and
//! sentences, [`draw`] paints them, and the page shows them.
//!
//! What a run is, rule by rule, is the contract in `docs/semantics.md`; what files hold is in
//! `docs/file-format.md`. Comments cite both by section, the papers by the short names used there
//! ([TX2], [EDF], [LP]) and [MT] for `docs/batches.md`.

pub mod analysis;
pub mod app;
pub mod batch;
pub mod check;
pub mod dice;
pub mod draw;
pub mod engine;
pub mod examples;
pub mod format;
mod language;
pub mod learn;
pub mod measured;
pub mod occupancy;
mod order;
mod percent;
pub mod policy;
pub mod profile;
pub mod protocol;
pub mod record;
pub mod report;
pub mod runs;
pub mod scenario;
pub mod snapshot;
pub mod trace;
pub mod tracer;
pub mod units;
pub mod view;
pub mod work;
pub mod worker;

#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub mod cli;
