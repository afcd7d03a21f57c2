//! Understanding a run: why something waits, which rules were used, what differs between runs, what
//! comes next, and where to look.
//!
//! Depends on the simulator, on the crate `policy`, on `format` and on `view`. Invariant: every answer is computed from scenarios and runs;
//! nothing here is written for one example, but for tours and cards, whose every claim is tested.

pub mod class;
pub mod compare;
pub mod divergence;
pub mod explore;
pub mod find;
pub mod generated_logs;
pub mod glossary;
pub mod ledger;
pub mod occupancy;
pub mod quiz;
pub mod showcases;
pub mod tour;
pub mod until;
pub mod why;
