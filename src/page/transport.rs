//! Transport: stepping, playing, scrubbing, jumping; and what screen readers are told.
//!
//! Invariant: every control has a name, and every move can be made by keyboard.

use std::time::Duration;

use leptos::either::Either;
use leptos::prelude::*;
use web_sys::SubmitEvent;

use super::actions;
use super::command_button::CommandButton;
use crate::components::{Chip, Icon, safe};
use crate::panels::host::Tools;
use crate::state::AppState;
use crate::state::cursor::{CursorState, Pace};
use crate::state::run::RunState;
use crate::state::runs::RunData;
use blockstep_sim::units::{StepId, Time};
use blockstep_tools::commands::Command;
use blockstep_view::position::{self, Stop};
use blockstep_view::quantity::format_time;
use blockstep_view::{quantity, sentence};

/// Most updates of the page per second while playing.
const MAX_TICKS: u32 = 30;

/// The bar, and what screen readers are told.
#[component]
pub(super) fn Transport() -> impl IntoView {
    let state = expect_context::<AppState>();
    play(state);
    let at_start = Signal::derive(move || state.cursor.position.get() == 0);
    let at_end = Signal::derive(move || state.cursor.position.get() >= state.run.step_count());
    view! {
        <section class="panel transport" id="transport" tabindex="-1" aria-label="Move through the run">
            <Now />
            <div class="transport-buttons" role="group" aria-label="Move through the steps">
                <CommandButton keeps_focus=true id="first" command=Command::First icon=Icon::First is_off=at_start />
                <CommandButton
                    keeps_focus=true
                    id="previous-instant"
                    command=Command::PreviousInstant
                    icon=Icon::PreviousInstant
                    is_off=at_start
                />
                <CommandButton keeps_focus=true id="back" command=Command::StepBack icon=Icon::Back is_off=at_start />
                <Play />
                <CommandButton keeps_focus=true id="forward" command=Command::StepForward icon=Icon::Forward is_off=at_end />
                <CommandButton keeps_focus=true id="next-instant" command=Command::NextInstant icon=Icon::NextInstant is_off=at_end />
                <CommandButton keeps_focus=true id="last" command=Command::Last icon=Icon::Last is_off=at_end />
            </div>
            <Scrubber />
            <Where />
            <Jump />
            <Speed />
        </section>
        <Announcer />
    }
}

#[component]
fn Play() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let cursor = expect_context::<CursorState>();
    view! {
        <button
            id="play"
            class="icon primary"
            title=Command::Play.tooltip()
            aria-label=move || if cursor.is_playing.get() { "Pause (Space)" } else { "Play (Space)" }
            on:click=move |_| actions::run(tools, Command::Play)
        >
            <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d=move || if cursor.is_playing.get() { Icon::Pause.path() } else { Icon::Play.path() } />
            </svg>
        </button>
    }
}

/// What the last step did, and by which rule, in full.
#[component]
fn Now() -> impl IntoView {
    let state = expect_context::<AppState>();
    let last = Memo::new(move |_| {
        state.run.with(|run| {
            let step = run.trace().step(StepId(state.cursor.position.get().checked_sub(1)?));
            Some((step.rule, sentence::sentence(run.trace(), step)))
        })
    });
    let said = move || match last.get() {
        Some((rule, sentence)) => Either::Left(view! {
            <Chip rule=rule is_focusable=false />
            <span class="now-sentence">{safe(&sentence)}</span>
            <span class="now-rule">{rule.sentence()}</span>
        }),
        None => Either::Right(
            view! { <span class="now-sentence">"Nothing has happened yet. Press " <kbd>"→"</kbd> " for the first step."</span> },
        ),
    };
    view! { <p class="now" id="now">{said}</p> }
}

#[component]
fn Scrubber() -> impl IntoView {
    let state = expect_context::<AppState>();
    let on_input = move |text: String| {
        if let Ok(position) = text.parse() {
            state.visit(|| state.cursor.go_to(position));
        }
    };
    view! {
        <input
            id="scrubber"
            class="scrubber"
            type="range"
            min="0"
            step="1"
            aria-label="Step"
            max=move || state.run.step_count().to_string()
            prop:value=move || {
                // The browser holds a value within its limit, so it is set again when the limit moves.
                state.run.track();
                state.cursor.position.get().to_string()
            }
            aria-valuetext=move || spoken(state)
            on:input:target=move |event| on_input(event.target().value())
        />
    }
}

#[component]
fn Where() -> impl IntoView {
    let cursor = expect_context::<CursorState>();
    let run = expect_context::<RunState>();
    let is_after = move || cursor.is_later.get() && cursor.position.get() > 0;
    let then = move || {
        let at = || run.with(|run| position::time_at(run.trace(), cursor.position.get()));
        is_after().then(|| format!(" at {}", format_time(at().ns())))
    };
    let word = view! { <span id="step-word">{move || if is_after() { "After step" } else { "Step" }}</span> };
    let step = view! { <b id="step-at">{move || quantity::format_count(cursor.position.get().into())}</b> };
    let count = view! { <span id="step-count">{move || quantity::format_count(run.step_count().into())}</span> };
    let then = view! { <span id="step-then">{then}</span> };
    view! {
        <div class="transport-where">
            <output id="step-number" title="Steps applied and steps in the run">
                {word} " " {step} " of " {count} {then}
            </output>
            <output id="step-time" title="Current time">{move || quantity::format_time(cursor.now().ns())}</output>
        </div>
    }
}

/// Goes to a time or a step, as typed.
#[component]
fn Jump() -> impl IntoView {
    let state = expect_context::<AppState>();
    let typed = RwSignal::new(String::new());
    let error = RwSignal::new(String::new());
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        error.set(jump(state, &typed.get_untracked()).err().unwrap_or_default());
    };
    let on_input = move |text: String| {
        typed.set(text);
        error.set(String::new());
    };
    view! {
        <form class="jump" novalidate on:submit=on_submit>
            <label class="visually-hidden" for="jump">"Go to a time or a step"</label>
            <input
                id="jump"
                type="text"
                size="9"
                autocomplete="off"
                placeholder="1.1 s or #12"
                title="A time such as 1.1 s or 200 ms, or a step such as #12"
                aria-describedby="jump-error"
                aria-invalid=move || (!error.with(String::is_empty)).to_string()
                on:input:target=move |event| on_input(event.target().value())
            />
            <button>"Go"</button>
            <span id="jump-error" class="field-error" role="alert">{move || error.get()}</span>
        </form>
    }
}

fn jump(state: AppState, typed: &str) -> Result<(), String> {
    let position = state.run.with_untracked(|run| position::parse(run.trace(), typed))?;
    state.visit(|| match position::parse_time(typed) {
        Some(at) => state.cursor.go_to_time(at),
        None => state.cursor.go_to(position),
    });
    Ok(())
}

#[component]
fn Speed() -> impl IntoView {
    let cursor = expect_context::<CursorState>();
    let on_change = move |word: String| {
        if let Some(pace) = Pace::ALL.into_iter().find(|pace| pace.word() == word) {
            cursor.pace.set(pace);
        }
    };
    let options = Pace::ALL.map(|pace| {
        view! { <option value=pace.word() selected=pace == cursor.pace.get_untracked()>{pace.title()}</option> }
    });
    view! {
        <label class="speed">
            <span class="quiet">"Play"</span>
            <select id="speed" aria-label="Speed" on:change:target=move |event| on_change(event.target().value())>
                {options.collect_view()}
            </select>
        </label>
    }
}

/// Tells screen readers what a step did, politely, and not while playing fast.
#[component]
fn Announcer() -> impl IntoView {
    let state = expect_context::<AppState>();
    let text = move || {
        let (at, said) = state.cursor.spoken.get();
        let is_fast = state.cursor.is_playing.get() && !matches!(state.cursor.pace.get(), Pace::Steps(..=2));
        if is_fast {
            String::new()
        } else if said.is_empty() || at != state.cursor.position.get() {
            spoken(state)
        } else {
            said
        }
    };
    view! { <div id="announcer" class="visually-hidden" role="status" aria-live="polite">{text}</div> }
}

fn spoken(state: AppState) -> String {
    state.run.with(|run| sentence::spoken(run.trace(), Stop { position: state.cursor.position.get(), at: state.cursor.now() }))
}

/// Moves on while playing; stops at the end.
fn play(state: AppState) {
    let handle = StoredValue::new(None::<IntervalHandle>);
    let stop = move || {
        if let Some(Some(handle)) = handle.try_update_value(Option::take) {
            handle.clear();
        }
    };
    Effect::new(move |_| {
        stop();
        if !state.cursor.is_playing.get() {
            return;
        }
        let pace = state.cursor.pace.get();
        if state.run.with_untracked(|run| state.cursor.position.get_untracked() as usize >= run.trace().steps().len()) {
            state.cursor.go_to(0);
        }
        let ticks = match pace {
            Pace::Steps(speed) => speed.min(MAX_TICKS),
            Pace::Run(_) => MAX_TICKS,
        };
        let tick = move || {
            match pace {
                Pace::Steps(speed) => state.cursor.go_to(state.cursor.position.get_untracked().saturating_add(speed / ticks)),
                Pace::Run(seconds) => {
                    let end = state.run.with_untracked(|run| run.timeline.end()).ns();
                    let by = end / u64::from(seconds * ticks);
                    state.cursor.go_to_time(Time(state.cursor.now_untracked().ns().saturating_add(by.max(1)).min(end)));
                }
            }
            state.show_cursor();
            let (position, now) = (state.cursor.position.get_untracked(), state.cursor.now_untracked());
            let is_over = |run: &RunData| match pace {
                Pace::Steps(_) => position as usize >= run.trace().steps().len(),
                Pace::Run(_) => now >= run.timeline.end(),
            };
            if state.run.with_untracked(is_over) {
                state.cursor.is_playing.set(false);
            }
        };
        handle.set_value(set_interval_with_handle(tick, Duration::from_millis(1000 / u64::from(ticks))).ok());
    });
    on_cleanup(stop);
}
