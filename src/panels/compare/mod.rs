//! The panel of the tool of this name.

mod panel;
mod under;
