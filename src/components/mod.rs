//! Components that panels and tools share and that know the page: where the reader stands. Those that know nothing
//! of it are in `crates/ui`.

mod links;
mod pool;
mod sheet;

pub(crate) use links::{OpLink, StepLink, TimeLink};
pub(crate) use pool::PoolProgress;
pub(crate) use sheet::{ChartFigure, JumpLink, Legend, Scrolled, SheetTable, sheet_cell, tone_class};
