//! Transport: stepping, playing, scrubbing, jumping; and what screen readers are told.
//!
//! Depends on `state`, `position` and `sentence`. Invariant: every control has a name, and every
//! move can be made by keyboard.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;

use super::dynamic::{Of, bind, by_id, effect, held, listen, said, target};
use super::state::AppState;
use crate::view::position::{self, Stop};
use crate::view::{quantity, sentence};

/// Most updates of the page per second while playing.
const MAX_TICKS: u32 = 30;

/// Its fixed parts.
pub(super) const BAR: &str = r##"<section class="panel transport" id="transport" aria-label="Move through the run"><div class="transport-buttons" role="group" aria-label="Move through the steps"><button id="first" data-act="first" class="icon" aria-label="Before the first step (Home)" title="Before the first step (Home)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 5h2v14H6zM20 5v14L9 12z"/></svg></button><button id="previous-instant" data-act="previous-instant" class="icon" aria-label="Previous instant (,)" title="Previous instant (,)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M13 5v14l-9-7zM21 5v14l-8-7z"/></svg></button><button id="back" data-act="back" class="icon" aria-label="One step back (Left)" title="One step back (Left)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M17 5v14L6 12z"/></svg></button><button id="play" data-act="play" class="icon primary" title="Play or pause (Space)"><svg viewBox="0 0 24 24" aria-hidden="true"><path id="play-path"/></svg></button><button id="forward" data-act="forward" class="icon" aria-label="One step forward (Right)" title="One step forward (Right)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 5v14l11-7z"/></svg></button><button id="next-instant" data-act="next-instant" class="icon" aria-label="Next instant (.)" title="Next instant (.)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5v14l8-7zM11 5v14l9-7z"/></svg></button><button id="last" data-act="last" class="icon" aria-label="After the last step (End)" title="After the last step (End)"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M16 5h2v14h-2zM4 5v14l11-7z"/></svg></button></div>
<input id="scrubber" class="scrubber" type="range" min="0" step="1" aria-label="Step">
<div class="transport-where"><output id="step-number" title="Steps applied, of all steps of the run"><span id="step-word"></span> <b id="step-at"></b> of <span id="step-count"></span><span id="step-then"></span></output><output id="step-time" title="The time shown"></output></div>
<form class="jump" novalidate><label class="visually-hidden" for="jump">Go to a time or a step</label><input id="jump" type="text" size="9" autocomplete="off" placeholder="1.1 s or #12" title="A time such as 1.1 s or 200 ms, or a step such as #12" aria-describedby="jump-error"><button>Go</button><span id="jump-error" class="field-error" role="alert"></span></form>
<label class="speed"><span class="quiet">Speed</span><select id="speed" aria-label="Speed"><option value="1">1/s<option value="2" selected>2/s<option value="5">5/s<option value="15">15/s<option value="60">60/s<option value="1000">1000/s</select></label></section><div id="announcer" class="visually-hidden" role="status" aria-live="polite"></div>"##;

/// Keeps the bar in step with the state, and screen readers told.
pub(super) fn start(state: AppState) {
    play(state);
    announce(state);
    let jump_error = RwSignal::new(String::new());
    let at_start = move || (state.position.get() == 0).to_string();
    let at_end = move || (state.position.get() >= state.step_count()).to_string();
    for id in ["first", "previous-instant", "back"] {
        bind(id, Of::Attribute("aria-disabled"), at_start);
    }
    for id in ["forward", "next-instant", "last"] {
        bind(id, Of::Attribute("aria-disabled"), at_end);
    }
    bind("play", Of::Attribute("aria-label"), move || if state.is_playing.get() { "Pause (Space)" } else { "Play (Space)" }.to_owned());
    bind("play-path", Of::Attribute("d"), move || {
        if state.is_playing.get() { "M6 5h4v14H6zM14 5h4v14h-4z" } else { "M7 4v16l13-8z" }.to_owned()
    });
    bind("scrubber", Of::Attribute("max"), move || state.step_count().to_string());
    bind("scrubber", Of::Value, move || {
        // The browser holds a value within its limit, so it is set again when the limit moves.
        state.run.track();
        state.position.get().to_string()
    });
    bind("scrubber", Of::Attribute("aria-valuetext"), move || spoken(state));
    bind("step-at", Of::Text, move || quantity::format_count(state.position.get().into()));
    bind("step-count", Of::Text, move || quantity::format_count(state.step_count().into()));
    let is_after = move || state.is_later.get() && state.position.get() > 0;
    bind("step-word", Of::Text, move || if is_after() { "After step" } else { "Step" }.to_owned());
    bind("step-then", Of::Text, move || {
        let then = || state.run.with(|run| position::time_at(run.trace(), state.position.get()));
        if is_after() { format!(" at {}", quantity::format_time(then().ns())) } else { String::new() }
    });
    bind("step-time", Of::Text, move || quantity::format_time(state.now().ns()));
    bind("jump-error", Of::Text, move || jump_error.get());
    bind("jump", Of::Attribute("aria-invalid"), move || (!jump_error.with(String::is_empty)).to_string());
    let on_input = move |event: &ev::Event| match target(event).map(|t| t.id()).as_deref() {
        Some("scrubber") => {
            if let Ok(position) = held(event).parse() {
                state.go_to(position);
                moved(state);
            }
        }
        _ => jump_error.set(String::new()),
    };
    let on_change = move |event: &ev::Event| {
        if let (Some("speed"), Ok(speed)) = (target(event).map(|t| t.id()).as_deref(), held(event).parse()) {
            state.steps_per_second.set(speed);
        }
    };
    let on_submit = move |event: &ev::SubmitEvent| {
        event.prevent_default();
        let typed = by_id::<web_sys::HtmlInputElement>("jump");
        jump_error.set(jump(state, &typed.map(|input| input.value()).unwrap_or_default()).err().unwrap_or_default());
    };
    let on_click = move |event: &ev::MouseEvent| {
        match said(event, "data-act").as_deref() {
            Some("first") => state.go_to(0),
            Some("previous-instant") => state.instant(false),
            Some("back") => state.step(false),
            Some("forward") => state.step(true),
            Some("next-instant") => state.instant(true),
            Some("last") => state.go_to(u32::MAX),
            Some("play") => return state.is_playing.update(|playing| *playing = !*playing),
            _ => return,
        }
        moved(state);
    };
    listen("transport", "click", on_click);
    listen("transport", "input", on_input);
    listen("transport", "change", on_change);
    listen("transport", "submit", on_submit);
}

/// After every move by hand.
fn moved(state: AppState) {
    state.is_playing.set(false);
    state.show_cursor();
}

/// Goes to a time or a step, as typed.
fn jump(state: AppState, typed: &str) -> Result<(), String> {
    let position = state.run.with_untracked(|run| position::parse(run.trace(), typed))?;
    match position::parse_time(typed) {
        Some(at) => state.go_to_time(at),
        None => state.go_to(position),
    }
    moved(state);
    Ok(())
}

/// Moves on while playing; stops at the end.
fn play(state: AppState) {
    let handle = StoredValue::new(None::<IntervalHandle>);
    let stop = move || {
        if let Some(Some(handle)) = handle.try_update_value(Option::take) {
            handle.clear();
        }
    };
    effect(move || {
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

/// The last step, in words.
fn spoken(state: AppState) -> String {
    state.run.with(|run| sentence::spoken(run.trace(), Stop { position: state.position.get(), at: state.now() }))
}

/// Tells screen readers what a step did, politely, and not while playing fast.
fn announce(state: AppState) {
    bind("announcer", Of::Text, move || {
        let (at, said) = state.spoken.get();
        let is_fast = state.is_playing.get() && state.steps_per_second.get() > 2;
        if is_fast {
            String::new()
        } else if said.is_empty() || at != state.position.get() {
            spoken(state)
        } else {
            said
        }
    });
}
