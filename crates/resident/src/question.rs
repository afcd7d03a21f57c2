//! The question whether a table can hang, from the search to what would mend it, in portions.
//!
//! Depends on the rest of the crate. Invariant: what is found is the same whatever the portions are.

use blockstep_sim::scenario::Draft;
use blockstep_sim::work::{Budget, Progress};

use super::numbers::{Resident, residents};
use super::repair::mend;
use super::report::Report;
use super::search::{Found, Search};
use super::shrink::shrink;
use super::tries::{Pending, Tries};
use super::{MAX_STATES, Refused};

/// A question, as far as its answer is.
pub struct Question {
    draft: Draft,
    search: Search,
    stage: Stage,
    tries: Tries,
    residents: Vec<Resident>,
    report: Option<Report>,
}

/// What is looked for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// An order that hangs.
    Hang,
    /// What would keep it from hanging.
    Repairs,
    /// The smallest table that hangs.
    Smallest,
    /// All is found.
    Over,
}

impl Question {
    /// Nothing is looked at yet. `states`: how many are looked at before the answer is left open, [`MAX_STATES`] at most.
    ///
    /// # Errors
    /// If there is nothing to ask.
    pub fn new(draft: &Draft, states: u64) -> Result<Self, Refused> {
        let search = Search::new(draft, true, None, states.min(MAX_STATES))?;
        let (tries, residents) = (Tries::default(), residents(draft));
        Ok(Self { draft: draft.clone(), search, stage: Stage::Hang, tries, residents, report: None })
    }

    /// What is looked for now.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// States that were looked at for an order that hangs.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.search.states()
    }

    /// Tables that were searched for what would mend it, or is smaller, since that began.
    #[must_use]
    pub fn tried(&self) -> usize {
        self.tries.count()
    }

    /// How many blocks of each kernel are resident at most; known at once.
    #[must_use]
    pub fn residents(&self) -> &[Resident] {
        &self.residents
    }

    /// The answer, once it is known, with what has been found after it so far.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Goes on until the budget is spent or all is found.
    ///
    /// # Errors
    /// If the engine comes to a limit.
    pub fn advance(&mut self, budget: &mut Budget) -> Result<Progress, Refused> {
        loop {
            let Some(report) = &mut self.report else {
                let Some(answer) = self.search.advance(budget)? else { return Ok(Progress::Paused) };
                self.stage = if matches!(answer.found, Found::Hang(_)) { Stage::Repairs } else { Stage::Over };
                self.report = Some(Report::new(&self.draft, answer, self.residents.clone()));
                continue;
            };
            self.tries.rewind();
            let is_found = match self.stage {
                Stage::Hang | Stage::Over => return Ok(Progress::Done),
                Stage::Repairs => mend(&self.draft, &mut self.tries, &mut report.repairs),
                Stage::Smallest => shrink(&report.answer, &mut self.tries).map(|smallest| report.smallest = smallest),
            };
            match is_found {
                Err(Pending) if !self.tries.advance(budget) => return Ok(Progress::Paused),
                Err(Pending) => {}
                Ok(()) => {
                    self.tries = Tries::default();
                    self.stage = if self.stage == Stage::Repairs { Stage::Smallest } else { Stage::Over };
                }
            }
        }
    }

    /// The whole answer, however long it takes.
    ///
    /// # Errors
    /// If the engine comes to a limit.
    pub fn finish(mut self) -> Result<Report, Refused> {
        let mut endless = Budget::UNLIMITED;
        while self.advance(&mut endless)? == Progress::Paused {}
        self.report.ok_or_else(|| Refused::Limit("the search has no answer".to_owned()))
    }
}
