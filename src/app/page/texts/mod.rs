//! The texts of the page's own panels: a file for each part of the screen, in the order in which it is met. Panels with a
//! folder of their own have their texts there.
//!
//! Depends on how numbers are written, and on Leptos for sentences with keys and buttons in them. Invariant: a sentence stands
//! whole in one place.

pub(super) mod shell;

pub(super) mod desk;
pub(super) mod header;
pub(super) mod notices;
pub(super) mod timeline;

pub(super) mod tables;

pub(super) mod setup;
pub(super) mod verdicts;

pub(super) mod side;
pub(super) mod transport;

pub(super) mod help;
pub(super) mod preview;

pub(super) mod files;
