//! What "Measured traces" remembers: the mark of the logs, how they are judged, and which parts are open.
//!
//! Invariants: the logs are in [`Logs`], only their mark is here; names and values are those of links of version 1.
//!
//! [`Logs`]: crate::runs::logs::Logs

use serde::{Deserialize, Serialize};

use crate::tool::memory;
use blockstep_sim::check::measured::TOLERANCE_NS;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_view::quantity::{self, QuantityError, Unit, format_time};

/// What the tool remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct State {
    /// The mark of the logs; empty without any.
    pub logs: String,
    /// Whether they were made up.
    #[serde(rename = "made-up")]
    pub is_generated: bool,
    /// The mark of the scenario that was made of a config opened with them; empty without one.
    pub config: String,
    /// A built-in device, by its id; empty is what the logs suggest.
    pub device: String,
    /// As it was typed; empty is [`TOLERANCE_NS`].
    pub tolerance: String,
    /// The violation that is shown, from 1.
    pub see: Option<usize>,
    /// Where what of the logs is in sight begins, where they are not laid over a run, ns from their first block.
    pub from: Option<u64>,
    /// Where it ends.
    pub to: Option<u64>,
    /// What is wrong with the files opened last, or with what was asked for.
    pub problem: String,
    /// The mark of the scenario that was built from these logs; empty without one.
    pub built: String,
    /// How far the page's timeline was asked to reach, ns.
    pub reach: u64,
    /// Parts that were opened, or closed where they are open at first.
    pub fold: Vec<Fold>,
}

/// A part that can be opened and closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fold {
    Device,
    Unjudged,
    Judged,
    Assumed,
    /// What the scenario built from the logs assumes.
    Notes,
    Table,
}

impl State {
    pub(super) fn is_open(&self, fold: Fold, is_open_at_first: bool) -> bool {
        self.fold.contains(&fold) != is_open_at_first
    }

    /// The built-in device that was chosen, by its id; empty is what the logs suggest.
    #[must_use]
    pub fn device(&self) -> &str {
        if BUILT_IN.iter().any(|device| device.id == self.device) { &self.device } else { "" }
    }

    /// Judges the logs by another device.
    pub fn set_device(&mut self, id: String) {
        self.device = id;
    }

    /// The tolerance as it was typed.
    #[must_use]
    pub fn tolerance_text(&self) -> String {
        if self.tolerance.is_empty() { format_time(TOLERANCE_NS) } else { self.tolerance.clone() }
    }

    /// Judges the logs with another tolerance.
    pub fn set_tolerance(&mut self, typed: String) {
        self.tolerance = typed;
    }

    /// Shows no violation once an edit has the logs judged anew, as other blocks may break a rule then. A violation that was chosen
    /// just before is not in what the page edited, so the tool sees to it.
    pub(super) fn take_edit(&mut self, changes: &str) {
        let changed = memory::fields(changes);
        if changed.contains_key("device") || changed.contains_key("tolerance") {
            self.see = None;
        }
    }

    /// Shows all that the logs hold, and no violation.
    pub fn show_all(&mut self) {
        (self.from, self.to, self.see) = (None, None, None);
    }

    /// Opens a part, or closes it.
    pub fn toggle(&mut self, fold: Fold) {
        if self.fold.contains(&fold) {
            self.fold.retain(|other| *other != fold);
        } else {
            self.fold.push(fold);
        }
    }

    /// What of the logs is in sight where they are not laid over a run, if that is not all.
    pub(super) fn part(&self) -> Option<(u64, u64)> {
        self.from.zip(self.to).filter(|(from, to)| from < to)
    }

    /// Notes what is wrong, in short.
    pub(super) fn complain(&mut self, problem: &str) {
        const MOST: usize = 1_500;
        self.problem = problem.chars().take(MOST).collect();
        if self.problem.len() < problem.len() {
            self.problem.push('…');
        }
    }

    pub(super) fn tolerance_ns(&self) -> Result<u64, QuantityError> {
        if self.tolerance.trim().is_empty() { Ok(TOLERANCE_NS) } else { quantity::parse(Unit::Time, &self.tolerance) }
    }

    /// Takes other logs in the place of those before.
    pub(super) fn take(&mut self, mark: String, is_generated: bool) {
        let (tolerance, reach) = (std::mem::take(&mut self.tolerance), self.reach);
        *self = Self { logs: mark, is_generated, tolerance, reach, ..Self::default() };
    }
}
