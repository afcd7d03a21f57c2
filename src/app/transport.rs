//! Transport: stepping, playing, scrubbing, jumping; and what screen readers are told.
//!
//! Depends on `state`, `position` and `sentence`. Invariant: every control has a name, and every
//! move can be made by keyboard.

use std::time::Duration;

use leptos::prelude::*;

use super::dynamic::{live_part, live_text, options};
use super::state::app;
use crate::units::StepId;
use crate::view::{position, quantity, sentence};

/// Speeds offered, steps per second.
const SPEEDS: [u32; 6] = [1, 2, 5, 15, 60, 1000];

/// Most updates of the page per second while playing.
const MAX_TICKS: u32 = 30;

/// The bar under the timeline.
#[component]
pub(super) fn Transport() -> impl IntoView {
    let state = app();
    play(state);
    let count = move || state.step_count();
    let at_start = move || state.position.get() == 0;
    let at_end = move || state.position.get() >= count();
    let moved = move || {
        state.is_playing.set(false);
        state.show_cursor();
    };
    let button = move |id: &'static str,
                       name: &'static str,
                       path: &'static str,
                       disabled: Box<dyn Fn() -> bool + Send>,
                       act: fn(super::state::AppState)| {
        view! {
            <button
                id=id
                class="icon"
                aria-label=name
                title=name
                aria-disabled=live_text(move || disabled().to_string())
                on:click=move |_| {
                    act(state);
                    moved();
                }
            >
                <svg viewBox="0 0 24 24" aria-hidden="true"><path d=path/></svg>
            </button>
        }
    };
    let scrub = move |ev| {
        if let Ok(position) = event_target_value(&ev).parse() {
            state.go_to(position);
            moved();
        }
    };
    let spoken = move || state.run.with(|run| spoken(run.trace(), state.position.get()));
    view! {
        <section class="panel transport" aria-label="Steps">
            <div class="transport-buttons" role="group" aria-label="Move through the steps">
                {button("first", "Before the first step (Home)", "M6 5h2v14H6zM20 5v14L9 12z", Box::new(at_start), |s| s.go_to(0))}
                {button("previous-instant", "Previous instant (,)", "M13 5v14l-9-7zM21 5v14l-8-7z", Box::new(at_start), |s| s.instant(false))}
                {button("back", "One step back (Left)", "M17 5v14L6 12z", Box::new(at_start), |s| s.step(false))}
                <button
                    id="play"
                    class="icon primary"
                    aria-label=live_text(move || if state.is_playing.get() { "Pause (Space)" } else { "Play (Space)" }.to_owned())
                    title="Play or pause (Space)"
                    on:click=move |_| state.is_playing.update(|playing| *playing = !*playing)
                >
                    <svg viewBox="0 0 24 24" aria-hidden="true">
                        <path d=live_text(move || if state.is_playing.get() { "M6 5h4v14H6zM14 5h4v14h-4z" } else { "M7 4v16l13-8z" }.to_owned())/>
                    </svg>
                </button>
                {button("forward", "One step forward (Right)", "M7 5v14l11-7z", Box::new(at_end), |s| s.step(true))}
                {button("next-instant", "Next instant (.)", "M3 5v14l8-7zM11 5v14l9-7z", Box::new(at_end), |s| s.instant(true))}
                {button("last", "After the last step (End)", "M16 5h2v14h-2zM4 5v14l11-7z", Box::new(at_end), |s| s.go_to(u32::MAX))}
            </div>
            <input
                id="scrubber"
                class="scrubber"
                type="range"
                min="0"
                max=live_text(move || count().to_string())
                step="1"
                prop:value=live_text(move || state.position.get().to_string())
                aria-label="Step"
                aria-valuetext=live_text(spoken)
                on:input=scrub
            />
            <div class="transport-where">
                <output id="step-number" title="Steps applied, of all steps of the run">
                    "Step "<b>{live_part(move || quantity::format_count(state.position.get().into()))}</b>" of "{live_part(move || quantity::format_count(count().into()))}
                </output>
                <output id="step-time" title="Time of this step">{live_part(move || quantity::format_time(state.now().ns()))}</output>
            </div>
            <Jump/>
            <label class="speed">
                <span class="quiet">"Speed"</span>
                <select
                    id="speed"
                    on:change=move |ev| if let Ok(speed) = event_target_value(&ev).parse() { state.steps_per_second.set(speed) }
                >
                    {options(SPEEDS.iter().map(|s| (s.to_string(), format!("{s}/s"))).collect(), &state.steps_per_second.get_untracked().to_string())}
                </select>
            </label>
        </section>
    }
}

/// "Go to", by time or step.
#[component]
fn Jump() -> impl IntoView {
    let state = app();
    let text = RwSignal::new(String::new());
    let error = RwSignal::new(None::<String>);
    let go = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        let typed = text.get_untracked();
        match state.run.with_untracked(|run| position::parse(run.trace(), &typed)) {
            Ok(target) => {
                error.set(None);
                match position::parse_time(&typed) {
                    Some(at) => state.go_to_time(at),
                    None => state.go_to(target),
                }
                state.is_playing.set(false);
                state.show_cursor();
            }
            Err(message) => error.set(Some(message)),
        }
    };
    view! {
        <form class="jump" on:submit=go novalidate>
            <label class="visually-hidden" for="jump">"Go to a time or a step"</label>
            <input
                id="jump"
                type="text"
                size="9"
                autocomplete="off"
                placeholder="1.1 s or #12"
                title="A time such as 1.1 s or 200 ms, or a step such as #12"
                aria-invalid=live_text(move || error.get().is_some().to_string())
                aria-describedby="jump-error"
                prop:value=live_text(move || text.get())
                on:input=move |ev| {
                    text.set(event_target_value(&ev));
                    error.set(None);
                }
            />
            <button>"Go"</button>
            <span id="jump-error" class="field-error" role="alert">{live_part(move || error.get())}</span>
        </form>
    }
}

/// Moves on while playing; stops at the end.
fn play(state: super::state::AppState) {
    let handle = StoredValue::new(None::<IntervalHandle>);
    let stop = move || {
        if let Some(Some(handle)) = handle.try_update_value(Option::take) {
            handle.clear();
        }
    };
    Effect::new(move |_| {
        stop();
        if !state.is_playing.get() {
            return;
        }
        let speed = state.steps_per_second.get();
        if state.run.with_untracked(|run| state.position.get_untracked() as usize >= run.trace().steps().len()) {
            state.go_to(0);
        }
        let ticks = speed.min(MAX_TICKS);
        let steps = speed / ticks;
        let tick = move || {
            let position = state.position.get_untracked().saturating_add(steps);
            state.go_to(position);
            state.show_cursor();
            if state.run.with_untracked(|run| position as usize >= run.trace().steps().len()) {
                state.is_playing.set(false);
            }
        };
        handle.set_value(set_interval_with_handle(tick, Duration::from_millis(1000 / u64::from(ticks))).ok());
    });
    on_cleanup(stop);
}

/// The step before a position, in words.
fn spoken(trace: &crate::trace::Trace, position: u32) -> String {
    let step = position.checked_sub(1).map(|i| trace.step(StepId(i)));
    let count = trace.steps().len();
    match step {
        None => format!("Before the first of {count} steps"),
        Some(step) => format!("Step {position} of {count}, {}: {}", quantity::format_time(step.at.ns()), sentence::sentence(trace, step)),
    }
}

/// Tells screen readers what a step did, politely, and not while playing fast.
#[component]
pub(super) fn Announcer() -> impl IntoView {
    let state = app();
    let text = move || {
        let is_fast = state.is_playing.get() && state.steps_per_second.get() > 2;
        if is_fast { String::new() } else { state.run.with(|run| spoken(run.trace(), state.position.get())) }
    };
    view! { <div id="announcer" class="visually-hidden" role="status" aria-live="polite">{live_part(text)}</div> }
}
