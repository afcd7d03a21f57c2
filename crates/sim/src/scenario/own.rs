//! A policy of one's own: its text, read, and what it may know of tasks.
//!
//! Depends on the rest of `scenario`, on `dice`, and on the crate `policy`. Invariant: the text of a scenario has no mistake, and there are
//! no more tasks than its language knows. Source: docs/semantics.md, section 14.

use std::sync::Arc;

use blockstep_policy::{Draw, MAX_TASKS, Program};

use super::validate::FoundProblems;
use super::{Draft, Turns};
use crate::dice::Dice;

/// A policy whose text was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    program: Arc<Program>,
    seed: u64,
}

impl Own {
    /// What it does.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What a decision draws with, by how many there were before it.
    #[must_use]
    pub fn draws(&self, decision: u32) -> impl Draw + use<> {
        Drawn(Dice::new(self.seed, &[OF_OWN, decision.into()]))
    }
}

/// Draws by a policy are others than those of times.
const OF_OWN: u64 = 0x6f77_6e00;

struct Drawn(Dice);

impl Draw for Drawn {
    fn draw(&mut self, weights: &[u64]) -> usize {
        let sum = weights.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
        let mut left = self.0.below(sum);
        let is_it = |weight: &u64| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        };
        weights.iter().position(is_it).unwrap_or(0)
    }
}

/// The policy of a draft, where its text is what decides.
pub(super) fn own(draft: &Draft, found: &mut FoundProblems) -> Option<Own> {
    if draft.policy.kind.turns() != Turns::Text {
        return None;
    }
    if draft.tasks.len() > MAX_TASKS {
        found.add(&"tasks", &format_args!("has {} rows; a policy of your own knows at most {MAX_TASKS} tasks", draft.tasks.len()));
    }
    if draft.policy.text.trim().is_empty() {
        found.add(&"policy.text", &"is empty; under own it says who may use the GPU");
        return None;
    }
    match Program::new(&draft.policy.text) {
        Ok(program) => Some(Own { program: Arc::new(program), seed: draft.seed }),
        Err(mistake) => {
            found.add(&"policy.text", &mistake);
            None
        }
    }
}
