//! Parts of the panel that can be closed.
//!
//! Invariant: what is in a part that is closed is not made.

use serde::{Deserialize, Serialize};

use super::state::{Fold, State};

/// A part that can be closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folded<T> {
    pub is_open: bool,
    /// What is in it; nothing while it is closed.
    pub items: Vec<T>,
}

/// A part with what is in it while it is open.
pub(super) fn folded<T>(state: &State, fold: Fold, is_open_at_first: bool, items: impl FnOnce() -> Vec<T>) -> Folded<T> {
    let is_open = state.is_open(fold, is_open_at_first);
    Folded { is_open, items: if is_open { items() } else { Vec::new() } }
}
