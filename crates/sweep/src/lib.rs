//! Sweeps over scenarios: one scenario, run once for each combination of values of some of its fields, and what was measured of each run.
//!
//! It also joins parts, of such sweeps and of studies. Depends on `analysis`, the formats, the engine and `draw`. Invariants: a run follows
//! from the scenario, the values and its number alone, so a sweep may be divided in any way; values that are drawn are the same for the same
//! seed, whatever else varies; a run that cannot be made is a row that says why.

mod chart;
mod error;
mod field;
mod measure;
mod merge;
mod names;
mod part;
mod plan;
mod values;

pub use chart::{ChartError, ChartLook, SweepChart, SweepPoint, chart, chart_with_points};
pub use error::{PartError, SweepError};
pub use measure::{Measure, thousandths};
pub use merge::{MergeError, Merged, Whole, merge};
pub use names::Names;
pub use part::{CellKind, Part};
pub use plan::{MAX_RUNS, Plan, RUN};
