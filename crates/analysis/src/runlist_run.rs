//! The schedule of the runlist from the worst case that [EDF] Theorem 1 describes.
//!
//! Depends on `runlist`. Invariant: what comes out is a schedule that can happen, with every task
//! released no sooner than its period allows, so a miss found is a miss. Source: [EDF] VI-B, whose
//! figures 3 (a) to (c) simulate that case; docs/semantics.md, section 6, for its details.
//!
//! Theorem 1 bounds the others by a release right after each execution, whatever their periods;
//! here they come again when their period is over. So a set may fail the theorem's test and hold
//! here; and a set that holds here is not proven to hold from every other start.
//!
//! What a switch costs is paid for at every one, or as [EDF] VI-C says: where a timeslice expires and
//! the channel that it was of still has work.

use super::Task;
use super::runlist::RunlistTest;
use blockstep_sim::scenario::SwitchCharge;

impl RunlistTest {
    /// The response time of a job of task `i` that comes right after its entry was checked, when every
    /// other task has a whole job to do and comes again after each period, and a task of a
    /// lower level always has work if there is one. Switches are paid for as the charge says. `None`
    /// if it is longer than the deadline.
    #[must_use]
    pub fn response(&self, set: &[Task], i: usize) -> Option<u64> {
        let mut run = Run { test: self, set, done: vec![0; set.len()], now: 0 };
        let (mine, deadline) = (&set[i], set[i].deadline);
        // The task's own entry is the first, then come the others and the lower level.
        let entry = |place: usize| match place {
            0 => i,
            place if place <= i => place - 1,
            place => place,
        };
        let places = set.len() + usize::from(self.lower > 0);
        // The first switch follows no expiry: the task's entry was passed over.
        let (mut place, mut resident, mut is_first) = (0, i, true);
        while run.done[i] < mine.cost {
            place = (place + 1) % places;
            let at = entry(place);
            if run.pending(at) == 0 {
                continue;
            }
            if at != resident {
                let is_paid = match self.charge {
                    SwitchCharge::Every => true,
                    // Who leaves with work left over leaves because its timeslice expired.
                    SwitchCharge::Expiries => !is_first && run.pending(resident) > 0,
                };
                run.now = run.now.checked_add(if is_paid { self.switch } else { 0 })?;
                resident = at;
            }
            is_first = false;
            run.stay(at, if at == i { mine.cost } else { u64::MAX });
            if run.now > deadline {
                return None;
            }
        }
        Some(run.now)
    }

    /// Whether every task meets its deadline in that case.
    #[must_use]
    pub fn holds(&self, set: &[Task]) -> bool {
        (0..set.len()).all(|i| self.response(set, i).is_some())
    }
}

/// A schedule in the making.
struct Run<'s> {
    test: &'s RunlistTest,
    set: &'s [Task],
    /// Execution of each task so far.
    done: Vec<u64>,
    now: u64,
}

impl Run<'_> {
    /// Work that an entry has now.
    fn pending(&self, entry: usize) -> u64 {
        match self.set.get(entry) {
            Some(task) => (self.now / task.period + 1).saturating_mul(task.cost) - self.done[entry],
            None => self.test.lower,
        }
    }

    /// One stay: until there is no work, the timeslice is over, or `enough` was executed. Work that
    /// comes at the very instant at which there would be none left counts.
    fn stay(&mut self, entry: usize, enough: u64) {
        let mut left = if entry < self.set.len() { self.test.timeslice } else { self.test.lower };
        loop {
            let done = self.done.get(entry).copied().unwrap_or(0);
            let time = self.pending(entry).min(left).min(enough - done);
            if time == 0 {
                break;
            }
            self.now = self.now.saturating_add(time);
            left -= time;
            if let Some(done) = self.done.get_mut(entry) {
                *done += time;
            }
        }
    }
}
