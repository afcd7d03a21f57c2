//! `runlist`: the Host serves the processes in the order of a list in which those of a higher
//! level stand more often, each for a timeslice at most.
//!
//! Depends on the trait. Invariants: the pointer and the entry served are part of the state; a
//! timeslice is counted from the end of the switch-in, and one that nobody else needs is followed
//! by the next without a step. Source: [EDF] section III-B; contract, section 6.

use std::marker::PhantomData;

use super::{Action, Decision, Policy, Ruling, View};
use crate::scenario::{PolicyKind, Preemption, ProcessDraft};
use crate::snapshot::Residency;
use crate::trace::{Change, Rule};
use crate::units::{ProcessId, SpaceId, Span, Time};

/// The policy.
pub(super) struct Runlist<V>(PhantomData<V>);

impl<V> Runlist<V> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<V: Ruling> Policy for Runlist<V> {
    fn kind(&self) -> PolicyKind {
        PolicyKind::Runlist
    }

    fn takes_turns(&self) -> bool {
        true
    }

    /// The end of the timeslice that is going on, if somebody waits for it. Whoever gets work
    /// later does so at an instant at which this is asked again.
    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        let Residency::Resident { space, .. } = view.state.residency() else { return None };
        let left =
            view.state.timeslice_left_with(view.trace, V::variants(view), view.now).filter(|_| view.state.others_have_work(space))?;
        view.now.after(left)
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        let (rule, action) = match view.state.residency() {
            Residency::Idle { .. } => match view.state.runlist().serving {
                Some(entry) => (Rule::S1, Action::Enter(space_of(view.trace.scenario().runlist().entry(entry)))),
                None => (Rule::L1, Action::Note(browse(view)?)),
            },
            Residency::Resident { space, .. } if !view.state.has_work(space) => (Rule::L3, Action::Leave),
            Residency::Resident { space, draining: true, .. } => (Rule::S3, (!executes(view, space)).then_some(Action::Leave)?),
            Residency::Resident { space, .. } => (Rule::L2, expiry::<V>(view, space)?),
            Residency::Switching { .. } | Residency::Shared => return None,
        };
        Some(Decision { rule, action })
    }
}

/// The first entry from the pointer on whose process has work.
fn browse(view: View<'_>) -> Option<Change> {
    let (list, pointer) = (view.trace.scenario().runlist(), view.state.runlist().pointer);
    let spaces = (0..view.state.spaces().len()).map(SpaceId::at).filter(|&space| view.state.has_work(space));
    let away = |space: SpaceId| list.distance(pointer, ProcessId(space.0));
    let (distance, space) = spaces.map(|space| (away(space), space)).min()?;
    Some(Change::EntryVisited { space, entry: (pointer + distance) % list.len() })
}

/// What a process does when a timeslice expires now and somebody else has work.
fn expiry<V: Ruling>(view: View<'_>, space: SpaceId) -> Option<Action> {
    let expires = view.state.timeslice_left_with(view.trace, V::variants(view), view.now)? == Span::ZERO;
    let drains = process(view, space).preemption == Preemption::Block && executes(view, space);
    expires.then_some(if drains { Action::Drain } else { Action::Leave })
}

fn process(view: View<'_>, space: SpaceId) -> &ProcessDraft {
    &view.trace.scenario().processes()[space.index()]
}

/// Whether the resident address space has a block or copy on the device.
fn executes(view: View<'_>, space: SpaceId) -> bool {
    view.state.space(space).running().next().is_some()
}

/// Every process has an address space of its own.
fn space_of(process: ProcessId) -> SpaceId {
    SpaceId(process.0)
}
