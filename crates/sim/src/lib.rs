//! The simulator of Blockstep: how a GPU schedules kernels, thread blocks and copies, step by step.
//!
//! Data flows one way: a [`scenario`] goes into the [`engine`], which yields a [`trace`] of
//! steps; a [`snapshot`] is the whole state after any step. [`check`] judges traces and logs without the engine.
//!
//! What a run is, rule by rule, is the contract in `docs/semantics.md`; what files hold is in
//! `docs/file-format.md`. Comments cite both by section, the papers by the short names used there
//! ([TX2], [EDF], [LP]) and [MT] for `docs/batches.md`.

pub mod check;
pub mod dice;
pub mod engine;
pub mod examples;
pub mod language;
mod listed;
pub mod measured;
pub mod occupancy;
pub mod order;
pub mod policy;
pub mod record;
pub mod scenario;
pub mod snapshot;
pub mod trace;
pub mod units;
pub mod work;
