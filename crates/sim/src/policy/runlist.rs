//! `runlist`: the Host serves the channels of processes in the order of a list in which those of a higher
//! level stand more often, each for a timeslice at most.
//!
//! Depends on the trait. Invariants: the pointer and the entry served are part of the state; a
//! timeslice is counted from the end of the switch-in, and one that nobody else needs is followed
//! by the next without a step. Source: [EDF] section III-B; docs/semantics.md, section 6.

use std::marker::PhantomData;

use super::{About, Action, AsTheRun, Decision, Entry, Plain, Policy, Ruling, Setting, View, has_to_finish};
use crate::scenario::PolicyKind;
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

    /// The end of the timeslice that is going on, if somebody waits for it. Whoever gets work
    /// later does so at an instant at which this is asked again.
    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        let Residency::Resident { space, .. } = view.state.residency() else { return None };
        let left = view
            .state
            .timeslice_left_with(view.trace, V::variants(view), view.now)
            .filter(|_| view.state.others_have_work(view.trace, space))?;
        view.now.after(left)
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        let (rule, action) = match view.state.residency() {
            Residency::Idle { .. } => match view.state.runlist().serving {
                Some(entry) => (Rule::S1, Action::Enter(view.trace.scenario().runlist().entry(entry))),
                None => (Rule::L1, Action::Note(browse(view)?)),
            },
            Residency::Resident { space, draining: true, .. } => (Rule::S3, (!has_to_finish(view, space)).then_some(Action::Leave)?),
            Residency::Resident { space, .. } if !view.state.has_work(space) => (Rule::L3, Action::Leave),
            Residency::Resident { space, .. } => (Rule::L2, expiry::<V>(view, space)?),
            Residency::Submitting { .. } | Residency::Switching { .. } | Residency::Shared => return None,
        };
        Some(Decision { rule, action })
    }
}

/// The first entry from the pointer on whose channel has work.
fn browse(view: View<'_>) -> Option<Change> {
    let (skipped, space) = view.state.next_with_work(view.trace)?;
    let entry = (view.state.runlist().pointer + skipped) % view.trace.scenario().runlist().len();
    Some(Change::EntryVisited { space, entry })
}

/// What a channel does when a timeslice expires now and somebody else has work.
fn expiry<V: Ruling>(view: View<'_>, space: SpaceId) -> Option<Action> {
    let expires = view.state.timeslice_left_with(view.trace, V::variants(view), view.now)? == Span::ZERO;
    expires.then_some(if has_to_finish(view, space) { Action::Drain(None) } else { Action::Leave })
}
