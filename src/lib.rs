//! Blockstep: how a GPU schedules kernels, thread blocks and copies, step by step.
//!
//! Data flows one way: a [`scenario`] goes into the [`engine`], which yields a [`trace`] of
//! steps; a [`snapshot`] is the whole state after any step; `view` turns both into pictures and
//! sentences, `draw` paints them.

pub mod engine;
pub mod policy;
pub mod record;
pub mod scenario;
pub mod snapshot;
pub mod trace;
pub mod units;
