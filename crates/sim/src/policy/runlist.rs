//! `runlist`: the Host serves the channels of processes in the order of a list in which those of a higher
//! level stand more often, each for a timeslice at most.
//!
//! Depends on the trait. Invariants: the pointer and the entry served are part of the state; a
//! timeslice is counted from the end of the switch-in, and one that nobody else needs is followed
//! by the next without a step. Source: [EDF] section III-B; docs/semantics.md, section 6.

use std::marker::PhantomData;

use super::{About, Action, AsTheRun, Decision, Entry, Plain, Policy, Ruling, Setting, View, has_to_finish};
use crate::scenario::{PolicyKind, Preemption};
use crate::snapshot::Residency;
use crate::trace::{Change, Rule};
use crate::units::{SpaceId, Span, Time};

/// What it is called and looks at.
const ABOUT: About = About {
    kind: PolicyKind::Runlist,
    title: "Runlist",
    name: "runlist",
    help: "Processes take turns in time slices",
    uses: &[
        Setting::SwitchCost,
        Setting::SwitchCharge,
        Setting::Interleave,
        Setting::Channels,
        Setting::Timeslice,
        Setting::ProcessPreemption,
        Setting::StreamPriority,
    ],
};

/// Its line in the table of policies.
pub(super) const ENTRY: Entry = Entry { about: &ABOUT, plain: &Runlist::<Plain>::NEW, varied: &Runlist::<AsTheRun>::NEW };

/// The policy.
struct Runlist<V>(PhantomData<V>);

impl<V> Runlist<V> {
    const NEW: Self = Self(PhantomData);
}

impl<V: Ruling> Policy for Runlist<V> {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        expiry_time::<V>(view)
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        turns::<V>(view, || view.state.next_with_work(view.trace), |_| false)
    }
}

/// The end of the timeslice that is going on, if somebody waits for it. Whoever gets work
/// later does so at an instant at which this is asked again.
pub(super) fn expiry_time<V: Ruling>(view: View<'_>) -> Option<Time> {
    let Residency::Resident { space, .. } = view.state.residency() else { return None };
    let left = view.state.timeslice_left_with(view.trace, V::variants(view), view.now)?;
    view.now.after(Some(left).filter(|_| view.state.others_have_work(view.trace, space))?)
}

/// Turns by timeslices (docs/semantics.md, section 6, and section 4, lines 6 to 22). `next` is who stands next from the pointer on and how many entries are skipped;
/// `is_held_back` is whether the resident one, which has work, may not go on (section 14).
pub(super) fn turns<V: Ruling>(
    view: View<'_>,
    next: impl FnOnce() -> Option<(u64, SpaceId)>,
    is_held_back: impl FnOnce(SpaceId) -> bool,
) -> Option<Decision> {
    let (rule, action) = match view.state.residency() {
        Residency::Idle { .. } => match view.state.runlist().serving {
            // Line 25.
            Some(entry) => (Rule::S1, Action::Enter(view.trace.scenario().runlist().entry(entry))),
            // Line 22.
            None => {
                let (skipped, space) = next()?;
                let entry = (view.state.runlist().pointer + skipped) % view.trace.scenario().runlist().len();
                (Rule::L1, Action::Note(Change::EntryVisited { space, entry }))
            }
        },
        // Lines 9 and 11.
        Residency::Resident { space, draining: true, .. } => (Rule::S3, (!has_to_finish(view, space)).then_some(Action::Leave)?),
        // Line 12.
        Residency::Resident { space, .. } if !view.state.has_work(space) => (Rule::L3, Action::Leave),
        // Line 13.
        Residency::Resident { space, .. } if is_held_back(space) => {
            let stays = view.trace.scenario().preemption(space) == Preemption::None;
            (Rule::P4, (!stays).then(|| give_way(view, space))?)
        }
        // Lines 14 and 15.
        Residency::Resident { space, .. } => {
            let left = view.state.timeslice_left_with(view.trace, V::variants(view), view.now)?;
            (Rule::L2, (left == Span::ZERO).then(|| give_way(view, space))?)
        }
        // Line 6.
        Residency::Submitting { .. } | Residency::Switching { .. } | Residency::Shared => return None,
    };
    Some(Decision { rule, action })
}

fn give_way(view: View<'_>, space: SpaceId) -> Action {
    if has_to_finish(view, space) { Action::Drain(None) } else { Action::Leave }
}
