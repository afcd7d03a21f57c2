//! The turns that address spaces took: stays, drains, switches, and what servers were given.
//!
//! Depends on `units` and `trace`. Invariant: every interval kept is of positive length and ends
//! no later than the run; each list is in order of time.

use super::Records;
use crate::trace::Change;
use crate::units::{ClaimantId, SpaceId, Time, TimeRange};

/// A server that got its whole budget, with a new deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refill {
    /// Whose server it is.
    pub claimant: ClaimantId,
    /// When the server got its budget.
    pub at: Time,
    /// The deadline that scheduling uses from then on.
    pub deadline: Time,
    /// Whether the budget was used up, so that the deadline was postponed; else a job arrived.
    pub is_postponed: bool,
}

/// What is going on.
#[derive(Default)]
pub(super) struct Turns {
    resident: Option<(SpaceId, Time)>,
    /// Since when the resident one drains.
    draining: Option<Time>,
    switching: Option<(SpaceId, Time)>,
    /// Whose job `edf` has chosen.
    chosen: Option<ClaimantId>,
    /// Since when its server pays.
    paying: Option<Time>,
}

impl Turns {
    pub(super) fn step(&mut self, records: &mut Records, at: Time, change: Change) {
        let refill = |claimant, deadline, is_postponed| Refill { claimant, at, deadline, is_postponed };
        match change {
            Change::RunlistSubmitted { to, .. } => self.switching = Some((to, at)),
            // It follows on the runlist that was submitted for it, if that took time.
            Change::SwitchStarted { to, .. } => self.switching = self.switching.or(Some((to, at))),
            Change::Entered { space } => {
                self.arrive(records, at);
                self.resident = Some((space, at));
                self.paying = self.chosen.map(|_| at);
            }
            Change::DrainStarted { .. } => {
                self.choose(records, None, at);
                self.draining = Some(at);
            }
            Change::Left { .. } => self.leave(records, at),
            Change::Chosen { claimant, .. } => self.choose(records, Some(claimant), at),
            Change::ServerRenewed { claimant, deadline } => records.refills.push(refill(claimant, deadline, false)),
            Change::DeadlinePostponed { claimant, deadline } => records.refills.push(refill(claimant, deadline, true)),
            _ => {}
        }
    }

    pub(super) fn finish(mut self, records: &mut Records, end: Time) {
        self.arrive(records, end);
        self.leave(records, end);
    }

    fn arrive(&mut self, records: &mut Records, at: Time) {
        if let Some((to, since)) = self.switching.take() {
            push(&mut records.switches, to, since, at);
        }
    }

    /// Another job is the chosen one; until now the last one has paid.
    fn choose(&mut self, records: &mut Records, chosen: Option<ClaimantId>, at: Time) {
        if let (Some(claimant), Some(since)) = (self.chosen, self.paying) {
            match records.charges.last_mut() {
                Some((last, range)) if *last == claimant && range.end == since => range.end = at,
                _ if since < at => records.charges.push((claimant, TimeRange::new(since, at))),
                _ => {}
            }
        }
        self.chosen = chosen;
        let pays = chosen.is_some() && self.resident.is_some() && self.draining.is_none();
        self.paying = pays.then_some(at);
    }

    fn leave(&mut self, records: &mut Records, at: Time) {
        self.choose(records, None, at);
        let Some((space, since)) = self.resident.take() else { return };
        if let Some(drains) = self.draining.take() {
            push(&mut records.drains, space, drains, at);
        }
        match records.residency.last_mut() {
            Some((last, range)) if *last == space && range.end == since => range.end = at,
            _ => push(&mut records.residency, space, since, at),
        }
    }
}

fn push(list: &mut Vec<(SpaceId, TimeRange)>, space: SpaceId, since: Time, at: Time) {
    if since < at {
        list.push((space, TimeRange::new(since, at)));
    }
}
