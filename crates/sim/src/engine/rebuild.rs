//! A run put together again from its steps, as another worker simulated them.
//!
//! Depends on the rest of `engine`. Invariant: the run is the same as the one that was simulated,
//! to the last step; only its keyframes may stand elsewhere.

use std::sync::Arc;

use super::{Run, before_the_first_step, policy_of};
use crate::scenario::Scenario;
use crate::snapshot::{Keyframes, Snapshot};
use crate::trace::{Cut, STEP_WORDS, Trace};
use crate::units::{Span, Time};
use crate::work::Budget;

/// A run that is being put together.
pub struct Rebuild {
    trace: Trace,
    state: Snapshot,
    keyframes: Keyframes,
}

impl Rebuild {
    /// Begins the run of a scenario; `budgets` as [`Trace::set_budgets`] takes them.
    #[must_use]
    pub fn new(scenario: &Arc<Scenario>, budgets: Vec<Span>) -> Self {
        let (mut trace, state, keyframes) = before_the_first_step(scenario, policy_of(scenario));
        trace.set_budgets(budgets);
        Self { trace, state, keyframes }
    }

    /// Adds the steps of these words, as many as the budget lasts for; how many words that were, or `None` if one is no
    /// step of this scenario: nothing more can be added then. Words at the end that make up no whole step are left out.
    pub fn add(&mut self, words: &[u32], budget: &mut Budget) -> Option<usize> {
        let mut added = 0;
        for step in words.chunks_exact(STEP_WORDS) {
            if budget.is_spent() {
                break;
            }
            let step = self.trace.add_step_words(step)?;
            let before = self.state.work();
            self.state.apply(&self.trace, &step);
            budget.spend(self.state.work() - before + self.keyframes.offer(&self.state) / 8);
            added += STEP_WORDS;
        }
        Some(added)
    }

    /// Makes room for so many steps in all. A list that grows step by step takes three times its room on the way.
    pub fn reserve(&mut self, steps: usize) {
        self.trace.reserve(steps);
    }

    /// How far it is: the time of the last step.
    #[must_use]
    pub fn now(&self) -> Time {
        self.state.now()
    }

    /// How many steps it has so far.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.state.applied()
    }

    /// The run, with when it ended and why it was cut short, if it was.
    #[must_use]
    pub fn finish(mut self, end: Time, cut: Option<Cut>) -> Run {
        self.trace.finish(end, cut);
        Run { trace: Arc::new(self.trace), keyframes: Arc::new(self.keyframes) }
    }
}
