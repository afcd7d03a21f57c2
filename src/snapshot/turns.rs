//! What policies remember about the turns that processes take.
//!
//! Depends on the rest of `snapshot`. Invariant: it follows from the steps, like all of the state.

use super::Snapshot;
use crate::scenario::Runlist;

/// Where the Host is on the runlist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunlistState {
    /// The entry it looks at next.
    pub pointer: u64,
    /// The entry it serves, whose process is resident or being switched to.
    pub serving: Option<u64>,
}

impl RunlistState {
    pub(super) fn visit(&mut self, entry: u64, list: &Runlist) {
        self.serving = Some(entry);
        self.pointer = if entry + 1 >= list.len() { 0 } else { entry + 1 };
    }

    pub(super) fn leave(&mut self) {
        self.serving = None;
    }
}

impl Snapshot {
    /// Where the Host is on the runlist, under `runlist`.
    #[must_use]
    pub fn runlist(&self) -> RunlistState {
        self.runlist
    }
}
