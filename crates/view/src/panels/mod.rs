//! Panels as values: what was written for a scenario, the cells of the tables, the results of a run, and what schedulability
//! tests say.
//!
//! Depends on the other view models. Invariant: nothing is decided here.

mod about;
mod grid;
pub mod results;
pub mod sheet;
pub mod study;
pub mod verdicts;

pub use about::{About, Moment};
pub use grid::{GridCell, GridRow, Standing, grid, is_name, is_picked, problem_at, unused_columns};
