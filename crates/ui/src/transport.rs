//! The bar of steps: stepping, playing, scrubbing, jumping; and what screen readers are told.
//!
//! Invariants: every control has a name, and every move can be made by keyboard; the bar knows no run, but a [`Stepping`].

use std::time::Duration;

use leptos::prelude::*;
use web_sys::SubmitEvent;

use super::command_button::CommandButton;
use super::icon::Icon;
use super::stepping::{Pace, Stepping};
use blockstep_sim::units::Time;
use blockstep_tools::commands::Command;
use blockstep_view::position::{Goal, parse_goal};
use blockstep_view::quantity::{format_count, format_time};

/// Most updates of the page per second while playing.
const MAX_TICKS: u32 = 30;

/// The bar, and what screen readers are told.
#[component]
pub fn TransportBar(
    stepping: Stepping,
    /// Begins the ids of its parts, as a page of its own has a bar beside that of the run.
    prefix: &'static str,
    /// Where the reader stands and what happened there, in a sentence or two.
    #[prop(into)]
    spoken: Signal<String>,
    /// The same, or what else screen readers are to be told.
    #[prop(into)]
    announced: Signal<String>,
    /// What the last step did, and by which rule, in full; nothing before the first.
    #[prop(into)]
    said: ViewFn,
    /// Where events can be gone to, too.
    #[prop(optional)]
    events: Option<EventGoals>,
) -> impl IntoView {
    play(stepping);
    let at_start = Signal::derive(move || stepping.position.get() == 0);
    let at_end = Signal::derive(move || stepping.position.get() >= stepping.count.get());
    let button = move |name: &'static str, command, icon, is_off| {
        let carry_out = move |command| {
            stepping.carry_out(command);
        };
        view! { <CommandButton keeps_focus=true id=id(prefix, name) command=command icon=icon is_off=is_off on_run=carry_out /> }
    };
    let nothing = || view! { <span class="now-sentence">"Nothing has happened yet. Press " <kbd>"→"</kbd> " for the first step."</span> };
    let said = move || if at_start.get() { nothing().into_any() } else { said.run() };
    view! {
        <section class="panel transport" id=id(prefix, "transport") tabindex="-1" aria-label="Move through the run">
            <p class="now" id=id(prefix, "now")>{said}</p>
            <div class="transport-buttons" role="group" aria-label="Move through the steps">
                {button("first", Command::First, Icon::First, at_start)}
                {button("previous-instant", Command::PreviousInstant, Icon::PreviousInstant, at_start)}
                {button("back", Command::StepBack, Icon::Back, at_start)}
                <Play stepping=stepping prefix=prefix />
                {button("forward", Command::StepForward, Icon::Forward, at_end)}
                {button("next-instant", Command::NextInstant, Icon::NextInstant, at_end)}
                {button("last", Command::Last, Icon::Last, at_end)}
            </div>
            <Scrubber stepping=stepping prefix=prefix spoken=spoken />
            <Where stepping=stepping prefix=prefix />
            <Jump stepping=stepping prefix=prefix events=events />
            <Speed stepping=stepping prefix=prefix />
        </section>
        <Announcer stepping=stepping prefix=prefix announced=announced />
    }
}

fn id(prefix: &str, name: &str) -> String {
    format!("{prefix}{name}")
}

#[component]
fn Play(stepping: Stepping, prefix: &'static str) -> impl IntoView {
    let is_playing = stepping.is_playing;
    view! {
        <button
            id=id(prefix, "play")
            class="icon primary"
            title=Command::Play.tooltip()
            aria-label=move || if is_playing.get() { "Pause (Space)" } else { "Play (Space)" }
            on:click=move |_| {
                stepping.carry_out(Command::Play);
            }
        >
            <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d=move || if is_playing.get() { Icon::Pause.path() } else { Icon::Play.path() } />
            </svg>
        </button>
    }
}

#[component]
fn Scrubber(stepping: Stepping, prefix: &'static str, spoken: Signal<String>) -> impl IntoView {
    let on_input = move |text: String| {
        if let Ok(position) = text.parse() {
            stepping.visit(Goal::Step(position));
        }
    };
    view! {
        <input
            id=id(prefix, "scrubber")
            class="scrubber"
            type="range"
            min="0"
            step="1"
            aria-label="Step"
            max=move || stepping.count.get().to_string()
            prop:value=move || {
                // The browser holds a value within its limit, so it is set again when the limit moves.
                stepping.count.track();
                stepping.position.get().to_string()
            }
            aria-valuetext=move || spoken.get()
            on:input:target=move |event| on_input(event.target().value())
        />
    }
}

#[component]
fn Where(stepping: Stepping, prefix: &'static str) -> impl IntoView {
    let is_after = Memo::new(move |_| stepping.position.get() > 0 && stepping.now.get() > stepping.step_time.get());
    let then = move || is_after.get().then(|| format!(" at {}", format_time(stepping.step_time.get().ns())));
    let word = view! { <span id=id(prefix, "step-word")>{move || if is_after.get() { "After step" } else { "Step" }}</span> };
    let step = view! { <b id=id(prefix, "step-at")>{move || format_count(stepping.position.get().into())}</b> };
    let count = view! { <span id=id(prefix, "step-count")>{move || format_count(stepping.count.get().into())}</span> };
    let then = view! { <span id=id(prefix, "step-then")>{then}</span> };
    view! {
        <div class="transport-where">
            <output id=id(prefix, "step-number") class="transport-step" title="Steps applied and steps in the run">
                {word} " " {step} " of " {count} {then}
            </output>
            <output id=id(prefix, "step-time") class="transport-time" title="Current time">{move || format_time(stepping.now.get().ns())}</output>
        </div>
    }
}

/// Events of a run that a reader can go to by typing them.
#[derive(Clone, Copy)]
pub struct EventGoals {
    /// Goes to the next time that what was typed happens, or says why it is no event.
    pub visit: Callback<String, Result<(), String>>,
    /// What is offered.
    pub offered: Signal<Vec<String>>,
    /// One that may be typed.
    pub example: Signal<String>,
}

/// Goes to a time, a step or an event, as typed; Enter again goes to the next such event.
#[component]
fn Jump(stepping: Stepping, prefix: &'static str, events: Option<EventGoals>) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let error = RwSignal::new(String::new());
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let text = typed.get_untracked();
        let gone = match (parse_goal(&text, stepping.count.get_untracked()), events) {
            (Ok(goal), _) => {
                stepping.visit(goal);
                goal.beyond(stepping.end.get_untracked()).map_or(Ok(()), Err)
            }
            // What begins like a number or a step is meant as one.
            (Err(_), Some(events)) if text.trim_start().starts_with(char::is_alphabetic) => events.visit.run(text),
            (Err(why), _) => Err(why.to_string()),
        };
        error.set(gone.err().unwrap_or_default());
    };
    let on_input = move |text: String| {
        typed.set(text);
        error.set(String::new());
    };
    let label = if events.is_some() { "Go to a time, a step or an event" } else { "Go to a time or a step" };
    let example = move || events.map_or_else(|| "1.1 s or #12".to_owned(), |events| events.example.get());
    let help = move || match events {
        Some(events) => format!(
            "A time such as 1.1 s, a step such as #12, or an event: {}, SM 0 full, misses, or a rule such as X1. \
                Enter again goes to the next one.",
            events.example.get()
        ),
        None => "A time such as 1.1 s or 200 ms, or a step such as #12".to_owned(),
    };
    let offered = events.map(|events| {
        let option = |phrase: String| view! { <option value=phrase></option> };
        let options = move || events.offered.get().into_iter().map(option).collect_view();
        view! { <datalist id=id(prefix, "jump-offered")>{options}</datalist> }
    });
    view! {
        <form class="jump" novalidate on:submit=on_submit>
            <label class="visually-hidden" for=id(prefix, "jump")>{label}</label>
            <input
                id=id(prefix, "jump")
                type="text"
                size="9"
                autocomplete="off"
                placeholder=example
                title=help
                list=events.map(|_| id(prefix, "jump-offered"))
                aria-describedby=id(prefix, "jump-error")
                aria-invalid=move || (!error.with(String::is_empty)).to_string()
                on:input:target=move |event| on_input(event.target().value())
            />
            {offered}
            <button>"Go"</button>
            <span id=id(prefix, "jump-error") class="field-error" role="alert">{move || error.get()}</span>
        </form>
    }
}

#[component]
fn Speed(stepping: Stepping, prefix: &'static str) -> impl IntoView {
    let on_change = move |word: String| {
        if let Some(pace) = Pace::ALL.into_iter().find(|pace| pace.word() == word) {
            stepping.pace.set(pace);
        }
    };
    let options = Pace::ALL.map(|pace| {
        view! { <option value=pace.word() selected=pace == stepping.pace.get_untracked()>{pace.title()}</option> }
    });
    view! {
        <label class="speed">
            <span class="quiet">"Play"</span>
            <select id=id(prefix, "speed") aria-label="Speed" on:change:target=move |event| on_change(event.target().value())>
                {options.collect_view()}
            </select>
        </label>
    }
}

/// Tells screen readers what a step did, politely, and not while playing fast.
#[component]
fn Announcer(stepping: Stepping, prefix: &'static str, announced: Signal<String>) -> impl IntoView {
    let text = move || {
        let is_fast = stepping.is_playing.get() && !matches!(stepping.pace.get(), Pace::Steps(..=2));
        if is_fast { String::new() } else { announced.get() }
    };
    view! { <div id=id(prefix, "announcer") class="visually-hidden" role="status" aria-live="polite">{text}</div> }
}

/// Moves on while playing; stops at the end.
fn play(stepping: Stepping) {
    let Stepping { position, count, now, end, is_playing, go_to_step, go_to_time, .. } = stepping;
    let handle = StoredValue::new(None::<IntervalHandle>);
    let stop = move || {
        if let Some(Some(handle)) = handle.try_update_value(Option::take) {
            handle.clear();
        }
    };
    Effect::new(move |_| {
        stop();
        if !is_playing.get() {
            return;
        }
        let pace = stepping.pace.get();
        if position.get_untracked() >= count.get_untracked() {
            go_to_step.run(0);
        }
        let ticks = match pace {
            Pace::Steps(speed) => speed.min(MAX_TICKS),
            Pace::Run(_) => MAX_TICKS,
        };
        let tick = move || {
            match pace {
                Pace::Steps(speed) => go_to_step.run(position.get_untracked().saturating_add(speed / ticks)),
                Pace::Run(seconds) => {
                    let end = end.get_untracked().ns();
                    let by = end / u64::from(seconds * ticks);
                    go_to_time.run(Time(now.get_untracked().ns().saturating_add(by.max(1)).min(end)));
                }
            }
            stepping.show();
            let is_over = match pace {
                Pace::Steps(_) => position.get_untracked() >= count.get_untracked(),
                Pace::Run(_) => now.get_untracked() >= end.get_untracked(),
            };
            if is_over {
                is_playing.set(false);
            }
        };
        handle.set_value(set_interval_with_handle(tick, Duration::from_millis(1000 / u64::from(ticks))).ok());
    });
    on_cleanup(move || {
        stop();
        // The page may be gone in tests.
        let _ = is_playing.try_set(false);
    });
}
