//! The panel of the tool of this name.

mod causes;
mod compared;
mod open;
mod operation;
mod paint;
mod panel;
mod ranks;
mod tables;
mod timeline;
mod waiting;
mod walk;

pub(crate) use open::{open_trace, open_traces};
