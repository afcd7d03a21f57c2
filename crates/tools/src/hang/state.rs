//! What *Can it hang?* remembers: which table was asked about.
//!
//! Invariant: the search itself is not here; one that is lost begins anew, with the same end.

use serde::{Deserialize, Serialize};

use crate::runs::scenario_mark;

/// Which table was asked about, and whether its search was stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The scenario file that was asked about, by its mark; empty if none was.
    pub asked: String,
    #[serde(rename = "stopped")]
    pub is_stopped: bool,
}

impl State {
    /// Asks about a scenario, or goes on.
    pub(super) fn ask(&mut self, scenario: &str) {
        *self = Self { asked: scenario_mark(scenario), is_stopped: false };
    }

    /// Whether it was this scenario that was asked about.
    pub(super) fn is_asked(&self, scenario: &str) -> bool {
        self.asked == scenario_mark(scenario)
    }
}
