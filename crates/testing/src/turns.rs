//! A policy for tests of what address spaces show when they take turns.

use blockstep_sim::policy::{self, About, Action, Decision, Policy, View};
use blockstep_sim::scenario::{PolicyKind, StreamQueue};
use blockstep_sim::snapshot::Residency;
use blockstep_sim::trace::{Level, Rule};
use blockstep_sim::units::{SpaceId, Span, Time};

/// Two processes in turns of equal length, whether they have work or not.
pub struct Turns {
    /// Length of a turn.
    pub each_ns: u64,
}

impl Policy for Turns {
    fn about(&self) -> &'static About {
        policy::about(PolicyKind::Runlist)
    }

    fn level(&self, _: &StreamQueue) -> Level {
        Level::Low
    }

    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        match view.state.residency() {
            Residency::Resident { since, .. } => since.after(Span(self.each_ns)),
            _ => None,
        }
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        match view.state.residency() {
            Residency::Idle { last, .. } => {
                Some(Decision { rule: Rule::S1, action: Action::Enter(SpaceId(u32::from(last == Some(SpaceId(0))))) })
            }
            Residency::Resident { since, .. } if view.now.since(since) >= Span(self.each_ns) => {
                Some(Decision { rule: Rule::S4, action: Action::Leave })
            }
            _ => None,
        }
    }
}
