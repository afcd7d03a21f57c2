//! `own`: a text says who may use the GPU, and the processes of those take turns as on a runlist.
//!
//! Depends on the trait; the state tells what the text is told next and what it has decided. Invariants: the text decides
//! only when it is told of something; whoever is resident and not admitted leaves as its mode allows. Source: docs/semantics.md, section 14.

use std::marker::PhantomData;

use super::runlist::{expiry_time, turns};
use super::{About, Action, AsTheRun, Decision, Entry, Plain, Policy, Ruling, Setting, View};
use crate::scenario::{PolicyKind, Scenario};
use crate::trace::{Rule, Told};
use crate::units::Time;

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
        [expiry_time::<V>(view), view.state.next_telling(view.trace, view.now)].into_iter().flatten().min()
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        // docs/semantics.md, section 4, line 3.
        if let Some((told, deadline)) = view.state.next_told(view.trace, view.now) {
            let rule = match told {
                Told::Request(..) => Rule::P1,
                Told::End(..) => Rule::P2,
                Told::Tick => Rule::P3,
                Told::Launch(..) => Rule::P6,
                Told::Finish(..) => Rule::P7,
            };
            return Some(Decision { rule, action: Action::Tell(told, deadline) });
        }
        // Line 4.
        if view.state.gates_launches(view.trace)
            && let Some(op) = view.state.next_launch(view.trace)
        {
            return Some(Decision { rule: Rule::P5, action: Action::Launch(op) });
        }
        turns::<V>(view, || view.state.next_admitted(view.trace), |space| !view.state.may_go(view.trace, space))
    }
}
