//! `own`: a text says who may use the GPU, and the processes of those take turns as on a runlist.
//!
//! Depends on the trait and on `snapshot`, which knows what the text is told next and what it has decided. Invariants: the text decides
//! only when it is told of something; whoever is resident and not admitted leaves as its mode allows. Source: docs/semantics.md, section 14.

use super::{About, Action, AsTheRun, Decision, Entry, Plain, Policy, Ruling, Setting, View, has_to_finish};
use crate::scenario::{PolicyKind, Preemption, Scenario};
use crate::snapshot::Residency;
use crate::trace::{Change, Rule, Told};
use crate::units::{SpaceId, Span, Time};
use std::marker::PhantomData;

/// What it is called and looks at.
const ABOUT: About = About {
    kind: PolicyKind::Own,
    title: "Your own",
    name: "your own policy",
    help: "A text of yours says who may use the GPU",
    uses: &[
        Setting::Text,
        Setting::SwitchCost,
        Setting::Timeslice,
        Setting::ProcessPreemption,
        Setting::Class,
        Setting::Rank,
        Setting::Wake,
        Setting::StreamPriority,
    ],
};

/// Its line in the table of policies.
pub(super) const ENTRY: Entry = Entry { about: &ABOUT, plain: &Own::<Plain>::NEW, varied: &Own::<AsTheRun>::NEW };

/// The policy.
struct Own<V>(PhantomData<V>);

impl<V> Own<V> {
    const NEW: Self = Self(PhantomData);
}

impl<V: Ruling> Policy for Own<V> {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// Where the text looks at it, how long a job takes alone must be known.
    fn needs_durations(&self, scenario: &Scenario) -> bool {
        scenario.own().is_some_and(|own| own.program().reads().sizes)
    }

    /// What the text is told that nothing else brings, and the end of a timeslice that somebody waits for.
    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        let expiry = || {
            let Residency::Resident { space, .. } = view.state.residency() else { return None };
            let left = view.state.timeslice_left_with(view.trace, V::variants(view), view.now)?;
            view.now.after(Some(left).filter(|_| view.state.others_have_work(view.trace, space))?)
        };
        [expiry(), view.state.next_telling(view.trace, view.now)].into_iter().flatten().min()
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        if let Some((told, deadline)) = view.state.next_told(view.trace, view.now) {
            let rule = match told {
                Told::Request(..) => Rule::P1,
                Told::End(..) => Rule::P2,
                Told::Tick => Rule::P3,
            };
            return Some(Decision { rule, action: Action::Tell(told, deadline) });
        }
        let (rule, action) = match view.state.residency() {
            Residency::Idle { .. } => match view.state.runlist().serving {
                Some(entry) => (Rule::S1, Action::Enter(view.trace.scenario().runlist().entry(entry))),
                None => (Rule::L1, Action::Note(browse(view)?)),
            },
            Residency::Resident { space, draining: true, .. } => (Rule::S3, (!has_to_finish(view, space)).then_some(Action::Leave)?),
            Residency::Resident { space, .. } if !view.state.has_work(space) => (Rule::L3, Action::Leave),
            Residency::Resident { space, .. } if !view.state.may_go(view.trace, space) => (Rule::P4, held_back(view, space)?),
            Residency::Resident { space, .. } => (Rule::L2, expiry::<V>(view, space)?),
            Residency::Submitting { .. } | Residency::Switching { .. } | Residency::Shared => return None,
        };
        Some(Decision { rule, action })
    }
}

/// The first process from the pointer on that may go.
fn browse(view: View<'_>) -> Option<Change> {
    let (skipped, space) = view.state.next_admitted(view.trace)?;
    let entry = (view.state.runlist().pointer + skipped) % view.trace.scenario().runlist().len();
    Some(Change::EntryVisited { space, entry })
}

/// What a process does that is no longer admitted; under `none` it stays until it has no work.
fn held_back(view: View<'_>, space: SpaceId) -> Option<Action> {
    (view.trace.scenario().preemption(space) != Preemption::None).then(|| give_way(view, space))
}

/// What a process does when a timeslice expires now and somebody else may go.
fn expiry<V: Ruling>(view: View<'_>, space: SpaceId) -> Option<Action> {
    let expires = view.state.timeslice_left_with(view.trace, V::variants(view), view.now)? == Span::ZERO;
    expires.then(|| give_way(view, space))
}

fn give_way(view: View<'_>, space: SpaceId) -> Action {
    if has_to_finish(view, space) { Action::Drain(None) } else { Action::Leave }
}
