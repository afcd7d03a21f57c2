//! Moving through a batch.
//!
//! Invariants: where the reader goes is shown at once, and what happened there once the tool has answered; while it has not, only the
//! latest of many moves waits.

use leptos::prelude::*;

use crate::panels::panel::Host;
use blockstep_sim::units::Time;
use blockstep_tools::batch::{Batch, Msg, StepPlace};
use blockstep_ui::{Pace, Stepping, Viewport};

/// Moving through the batch whose place is shown.
pub(super) fn through_batch(host: Host<Batch>, place: Memo<StepPlace>, end: Memo<Time>) -> Stepping {
    // Where the reader goes, until that is shown.
    let wanted = RwSignal::new(None::<u32>);
    let is_asked = StoredValue::new(false);
    let later = RwSignal::new(Time::ZERO);
    let times = Memo::new(move |_| place.with(|place| place.times.clone()));
    let count = Memo::new(move |_| times.with(|times| times.len() as u32));
    let shown = Memo::new(move |_| place.with(|place| place.at as u32));
    let position = Memo::new(move |_| wanted.get().unwrap_or_else(|| shown.get()).min(count.get()));
    let step_time = Memo::new(move |_| times.with(|times| time_at(times, position.get())));
    let now = Memo::new(move |_| {
        let (later, position) = (later.get(), position.get());
        times.with(|times| if at_time(times, later) == position { later.min(end.get()) } else { step_time.get() })
    });
    let ask = move || {
        let position = position.get_untracked();
        // While it is asked, what is shown is about to change: a way back to it is still one.
        if is_asked.get_value() {
            return;
        }
        if position == shown.get_untracked() {
            wanted.set(None);
        } else {
            is_asked.set_value(true);
            host.send(Msg::GoTo(position as usize));
        }
    };
    Effect::new(move |_| {
        place.track();
        is_asked.set_value(false);
        ask();
    });
    let go_to = move |position: u32, at: Time| {
        later.set(at);
        wanted.set(Some(position));
        ask();
    };
    Stepping {
        position: position.into(),
        count: count.into(),
        step_time: step_time.into(),
        now: now.into(),
        end: end.into(),
        is_playing: RwSignal::new(false),
        pace: RwSignal::new(Pace::Steps(2)),
        go_to_step: Callback::new(move |position: u32| {
            let position = position.min(count.get_untracked());
            go_to(position, times.with_untracked(|times| time_at(times, position)));
        }),
        go_to_time: Callback::new(move |at| go_to(times.with_untracked(|times| at_time(times, at)), at)),
        beside: Callback::new(move |forward| times.with_untracked(|times| beside(times, position.get_untracked(), forward))),
        viewport: Viewport::new(end.into(), |_, _| None),
    }
}

/// The time of the last step applied; 0 before the first.
fn time_at(times: &[Time], position: u32) -> Time {
    (position as usize).checked_sub(1).and_then(|step| times.get(step)).copied().unwrap_or(Time::ZERO)
}

/// The position after every step that is not later.
fn at_time(times: &[Time], at: Time) -> u32 {
    times.partition_point(|time| *time <= at) as u32
}

/// The position at the end of the next instant, or of the previous one.
fn beside(times: &[Time], position: u32, forward: bool) -> u32 {
    if forward {
        times.get(position as usize).map_or(position, |next| at_time(times, *next))
    } else {
        let now = time_at(times, position);
        times.partition_point(|time| *time < now) as u32
    }
}
