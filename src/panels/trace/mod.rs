//! The panel of the tool of this name.

mod causes;
mod open;
mod operation;
mod paint;
mod panel;
mod tables;
mod timeline;
mod waiting;
mod walk;

pub(crate) use open::open_trace;
