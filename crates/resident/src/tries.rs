//! Searches of tables that are close to the one that was asked about, in portions.
//!
//! Depends on `search`. Invariant: whoever asks does so in the same order each time, so that an answer is found by its place. What asks is a
//! plain function: it ends at the first question without an answer, and is called again when that is there.

use blockstep_sim::scenario::Draft;
use blockstep_sim::work::Budget;

use super::search::{Found, Hang, Search};

/// States of each table that is tried, at most.
pub(crate) const STATES_OF_A_TRY: u64 = 20_000;

/// An answer is not there yet.
pub(crate) struct Pending;

/// Answers so far, and the search that is under way.
#[derive(Default)]
pub(crate) struct Tries {
    answers: Vec<Found>,
    /// How many were taken since [`Self::rewind`].
    taken: usize,
    now: Option<Search>,
}

impl Tries {
    /// Before what asks is called again.
    pub(crate) fn rewind(&mut self) {
        self.taken = 0;
    }

    /// Tables that were searched.
    pub(crate) fn count(&self) -> usize {
        self.answers.len()
    }

    /// Whether any order of a table hangs, `first`'s call before all others; with `subsets` without some of its other rows, too.
    pub(crate) fn ask(&mut self, draft: &Draft, subsets: bool, first: Option<&str>) -> Result<&Found, Pending> {
        if self.taken == self.answers.len() {
            match Search::new(draft, subsets, first, STATES_OF_A_TRY) {
                Ok(search) => {
                    self.now = Some(search);
                    return Err(Pending);
                }
                // In it nothing spins, or it is no scenario.
                Err(_) => self.answers.push(Found::Open),
            }
        }
        self.taken += 1;
        Ok(&self.answers[self.taken - 1])
    }

    /// Whether no order of a table hangs, whatever else runs.
    pub(crate) fn is_clean(&mut self, draft: &Draft, first: Option<&str>) -> Result<bool, Pending> {
        Ok(matches!(self.ask(draft, true, first)?, Found::None))
    }

    /// The hang of a table with all its rows, if there is one.
    pub(crate) fn hang(&mut self, draft: &Draft) -> Result<Option<Hang>, Pending> {
        Ok(match self.ask(draft, false, None)? {
            Found::Hang(hang) => Some((**hang).clone()),
            Found::None | Found::Open => None,
        })
    }

    /// Goes on with the search under way; whether it is over.
    pub(crate) fn advance(&mut self, budget: &mut Budget) -> bool {
        let Some(search) = &mut self.now else { return true };
        let found = match search.advance(budget) {
            Ok(None) => return false,
            Ok(Some(answer)) => answer.found,
            // It came to a limit of the engine.
            Err(_) => Found::Open,
        };
        self.answers.push(found);
        self.now = None;
        true
    }
}
