//! The panel of the tool of this name.

mod causes;
mod operation;
mod paint;
mod panel;
mod tables;
mod timeline;
mod waiting;
mod walk;
