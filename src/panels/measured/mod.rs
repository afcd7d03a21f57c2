//! The panel of the tool of this name.

mod examples;
mod fold_button;
mod panel;
mod wide_panel;
