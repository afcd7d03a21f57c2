//! Numbers of some jobs of a task, in order.
//!
//! Depends on `units`. Invariants: the first one stands by itself, so that equal sets are equal and a set of one, which most are, allocates
//! nothing; a change looks at as many as the logarithm of their number.

use std::collections::BTreeSet;

use crate::units::JobNo;

/// A set of job numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct JobNumbers {
    first: Option<JobNo>,
    /// Those after the first.
    later: BTreeSet<JobNo>,
}

impl JobNumbers {
    /// The smallest.
    pub(super) fn first(&self) -> Option<JobNo> {
        self.first
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.later.len()
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        self.later.len() * 2 * size_of::<JobNo>()
    }

    /// All of them, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = JobNo> + '_ {
        self.first.into_iter().chain(self.later.iter().copied())
    }

    pub(super) fn insert(&mut self, job: JobNo) {
        match self.first {
            Some(first) if first < job => drop(self.later.insert(job)),
            Some(first) if first == job => {}
            first => {
                self.later.extend(first);
                self.first = Some(job);
            }
        }
    }

    pub(super) fn remove(&mut self, job: JobNo) {
        if self.first == Some(job) {
            self.first = self.later.pop_first();
        } else {
            self.later.remove(&job);
        }
    }
}
