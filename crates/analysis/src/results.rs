//! Results of a study, whole or in part, and how parts are joined.
//!
//! Depends on `sweep`. Invariant: no task set is counted twice.

use std::ops::Range;

use super::sweep::{Counts, Sweep};

/// What was counted of a study so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// The study.
    pub sweep: Sweep,
    /// The sets that were counted, by index, the same at every point: ascending, neither touching nor
    /// overlapping. `None` of a run that was stopped in the middle, which cannot be joined.
    pub sets: Option<Vec<Range<u64>>>,
    /// By point.
    pub counts: Vec<Counts>,
}

/// Why a part of a study cannot be added to another.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    #[error("is of another study: {0}")]
    OtherStudy(&'static str),
    #[error("was stopped midway, so it is unknown which sets it holds")]
    Stopped,
    #[error("has sets that were counted already, from number {from} on")]
    Twice { from: u64 },
}

impl Results {
    /// Of one part of a study's sets.
    #[must_use]
    pub fn new(sweep: Sweep, sets: Range<u64>, counts: Vec<Counts>) -> Self {
        let sets = if sets.is_empty() { Vec::new() } else { vec![sets] };
        Self { sweep, sets: Some(sets), counts }
    }

    /// Whether all sets of the study were counted.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.missing().is_some_and(|missing| missing.is_empty())
    }

    /// The sets of the study that were not counted, ascending; `None` if it is unknown which were.
    #[must_use]
    pub fn missing(&self) -> Option<Vec<Range<u64>>> {
        let counted = self.sets.as_ref()?;
        let starts = std::iter::once(0).chain(counted.iter().map(|range| range.end));
        let ends = counted.iter().map(|range| range.start).chain(std::iter::once(self.sweep.sets));
        Some(starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty()).collect())
    }

    /// Adds another part of the same study.
    ///
    /// # Errors
    /// If it is of another study, was stopped in the middle, or has sets that are counted already.
    /// Then nothing is added.
    pub fn join(&mut self, other: &Self) -> Result<(), JoinError> {
        if self.sweep != other.sweep {
            return Err(JoinError::OtherStudy(difference(&self.sweep, &other.sweep)));
        }
        let (Some(ours), Some(theirs)) = (&self.sets, &other.sets) else {
            return Err(JoinError::Stopped);
        };
        let mut all = [&ours[..], &theirs[..]].concat();
        blockstep_sim::order::by_number(&mut all, |r| r.start);
        let mut sets: Vec<Range<u64>> = Vec::new();
        for range in all {
            match sets.last_mut() {
                Some(last) if range.start < last.end => {
                    return Err(JoinError::Twice { from: range.start });
                }
                Some(last) if range.start == last.end => last.end = range.end,
                _ => sets.push(range),
            }
        }
        self.sets = Some(sets);
        for (sum, more) in self.counts.iter_mut().zip(&other.counts) {
            sum.add(more);
        }
        Ok(())
    }
}

/// What two studies differ in first.
fn difference(a: &Sweep, b: &Sweep) -> &'static str {
    if a.recipe.seed != b.recipe.seed {
        "the seeds differ"
    } else if a.recipe != b.recipe {
        "the task sets differ"
    } else if a.utilisation != b.utilisation {
        "the utilizations differ"
    } else if a.sets != b.sets {
        "the numbers of sets differ"
    } else if a.tests != b.tests {
        "the tests differ"
    } else {
        "the names or figures differ"
    }
}
