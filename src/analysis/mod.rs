//! What can be said of a scenario without watching a run: bounds and tests from the papers.
//!
//! Depends on everything up to `engine`. Invariant: times are exact integers; what a theorem does
//! not cover has no number, but a reason.

pub mod runlist_bound;
