//! Messages: what was said, what is wrong with the scenario as a whole, how far a long run is, and the question an import may
//! ask.
//!
//! Depends on the page's state and on the shared message. Invariant: a message is there as long as what it says holds.

use std::time::Duration;

use leptos::prelude::*;
use web_sys::SubmitEvent;

use super::desk::{Aside, Elsewhere, FromLink, Full};
use super::files;
use super::texts::notices as texts;
use crate::app::components::{BusyElsewhere, Toast, safe};
use crate::app::state::document::DocumentState;
use crate::app::state::fence::{Fence, Refusal};
use crate::app::state::messages::Messages;
use crate::app::state::run::RunState;
use crate::app::state::runs::Simulating;
use crate::app::state::storage;
use crate::app::tools::ToolId;
use crate::app::tools::host::Tools;
use crate::app::tools::quiz::{self, Quiz};
use crate::view::problems;
use crate::view::quantity::{self, Unit};

/// How long a message is shown that only says what was done.
const SHOWN_FOR: Duration = Duration::from_secs(12);

/// All messages, in the order of how long they stay.
#[component]
pub(super) fn Notices() -> impl IntoView {
    view! {
        <div class="notices" id="notices" role="region" aria-label=texts::MESSAGES>
            <Stale />
            <Interrupted />
            <Warning />
            <CutShort />
            <Said />
            <Kept />
            <AskDuration />
            <FromLink />
            <Elsewhere />
            <Aside />
            <Full />
            <Progress />
            <BusyElsewhere />
        </div>
    }
}

/// For the first visit; it stands beside the run.
#[component]
pub(super) fn FirstVisit() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let is_due = RwSignal::new(storage::is_hint_due());
    let dismiss = move || {
        is_due.set(false);
        storage::dismiss_hint();
    };
    let take_tour = move |_| {
        dismiss();
        tools.open_tool(ToolId::Tour, "start");
    };
    view! {
        <Show when=move || is_due.get()>
            <div class="hint" id="hint" role="note">
                <span>{texts::welcome()}</span>
                <span class="hint-buttons">
                    <button class="primary" on:click=take_tour>{texts::START}</button>
                    <button on:click=move |_| dismiss()>{texts::DISMISS}</button>
                </span>
            </div>
        </Show>
    }
}

/// What keeps the document from being simulated.
#[component]
fn Stale() -> impl IntoView {
    let run = expect_context::<RunState>();
    let doc = expect_context::<DocumentState>();
    let text = Memo::new(move |_| {
        run.outcome.with(|o| {
            let first = o.problems.first().filter(|_| o.is_stale())?;
            let first = doc.with(|d| problems::sentence(d, first));
            Some(texts::not_simulated(&first, o.problems.len()))
        })
    });
    move || {
        text.get().map(|text| {
            view! {
                <Toast id="problems" is_error=true text=text>
                    <button on:click=move |_| doc.undo()>{texts::UNDO}</button>
                </Toast>
            }
        })
    }
}

/// What is doubtful about a document that is simulated.
#[component]
fn Warning() -> impl IntoView {
    let run = expect_context::<RunState>();
    let doc = expect_context::<DocumentState>();
    let text = Memo::new(move |_| {
        run.outcome.with(|o| {
            let first = o.problems.first().filter(|_| !o.is_stale())?;
            let first = doc.with(|d| problems::sentence(d, first));
            Some(texts::doubtful(&first, o.problems.len()))
        })
    });
    let dismissed = RwSignal::new(None::<String>);
    let shown = move || text.get().filter(|text| dismissed.with(|dismissed| dismissed.as_ref() != Some(text)));
    move || {
        shown().map(|text| {
            let dismiss = text.clone();
            view! {
                <Toast id="warnings" is_error=false text=text>
                    <button class="icon small" aria-label=texts::DISMISS on:click=move |_| dismissed.set(Some(dismiss.clone()))>"×"</button>
                </Toast>
            }
        })
    }
}

/// Why the worker did not finish a run.
#[component]
fn Interrupted() -> impl IntoView {
    let run = expect_context::<RunState>();
    move || {
        let (text, button) = match run.simulating.get() {
            Simulating::Stopped(why) => (texts::incomplete(&why), texts::SIMULATE_AGAIN),
            Simulating::Held => (texts::HELD.to_owned(), texts::RUN_IT),
            _ => return None,
        };
        Some(view! {
            <Toast id="not-simulated" is_error=true text=text>
                <button on:click=move |_| run.simulate_again()>{button}</button>
            </Toast>
        })
    }
}

/// Why the run on screen ends before its end.
#[component]
fn CutShort() -> impl IntoView {
    let run = expect_context::<RunState>();
    let cut = Memo::new(move |_| run.with(|run| run.trace().cut().map(ToString::to_string)));
    move || {
        let text = texts::cut_short(&cut.get()?);
        Some(view! { <Toast id="cut" is_error=true text=text /> })
    }
}

/// What was said last. It goes by itself, unless it says that something is wrong, or the reader is at it.
#[component]
fn Said() -> impl IntoView {
    let messages = expect_context::<Messages>();
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        if let Some(timer) = timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    };
    let start = move || {
        stop();
        let go = move || {
            // The page may be gone in tests.
            let _ = messages.notice.try_set(None);
        };
        timer.set_value(set_timeout_with_handle(go, SHOWN_FOR).ok());
    };
    Effect::new(move |_| match messages.notice.with(|notice| notice.as_ref().is_some_and(|notice| !notice.is_error)) {
        true => start(),
        false => stop(),
    });
    move || {
        let notice = messages.notice.get()?;
        let is_error = notice.is_error;
        Some(view! {
            <div on:pointerenter=move |_| stop() on:focusin=move |_| stop() on:pointerleave=move |_| if !is_error { start() }>
                <Toast id="said" is_error=is_error text=notice.text>
                    <button class="icon small" aria-label=texts::DISMISS on:click=move |_| messages.notice.set(None)>"×"</button>
                </Toast>
            </div>
        })
    }
}

/// What a quiz has just kept the reader from; and the way back to it while its panel is closed.
#[component]
fn Kept() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let fence = expect_context::<Fence>();
    let tool = ToolId::Quiz;
    let back = move |_| tools.open_tool(tool, "");
    let give_up_question = move |_| {
        fence.refused.set(None);
        tools.send::<Quiz>(tool, quiz::Msg::Pass);
    };
    let give_up = move |_| {
        tools.send::<Quiz>(tool, quiz::Msg::End);
        tools.open_tool(tool, "");
    };
    move || {
        let hold = fence.hold.get()?;
        let (is_open, refused) = (tools.is_open(tool), fence.refused.get());
        if refused.is_none() && is_open {
            return None;
        }
        let text = texts::kept(refused.map(Refusal::sentence), hold.is_asking);
        Some(view! {
            <Toast id="kept" is_error=false text=text>
                {(!is_open).then(|| view! { <button class="primary" on:click=back>{texts::BACK_TO_QUIZ}</button> })}
                {(is_open && hold.is_asking).then(|| view! { <button on:click=give_up_question>{texts::GIVE_UP_QUESTION}</button> })}
                <button on:click=give_up>{texts::GIVE_UP_QUIZ}</button>
                {refused
                    .is_some()
                    .then(|| view! { <button class="icon small" aria-label=texts::DISMISS on:click=move |_| fence.refused.set(None)>"×"</button> })}
            </Toast>
        })
    }
}

/// Asks for the execution time that a config does not hold.
#[component]
fn AskDuration() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let messages = expect_context::<Messages>();
    let question = move || {
        let pending = messages.needs_duration.get()?;
        let typed = RwSignal::new(texts::USUAL_TIME.to_owned());
        let error = RwSignal::new(String::new());
        let on_submit = move |event: SubmitEvent| {
            event.prevent_default();
            match quantity::parse(Unit::Time, &typed.get_untracked()) {
                Ok(0) => error.set(texts::TIME_IS_ZERO.to_owned()),
                Ok(ns) => {
                    if let Some(pending) = messages.needs_duration.get_untracked() {
                        messages.needs_duration.set(None);
                        files::open_text(tools, &pending.name, pending.text, Some(ns));
                    }
                }
                Err(message) => error.set(message),
            }
        };
        let on_input = move |text: String| {
            error.set(String::new());
            typed.set(text);
        };
        Some(view! {
            <form class="notice ask" id="ask-duration" novalidate on:submit=on_submit>
                <pre>{safe(&pending.question)}</pre>
                <label>
                    {texts::TIME_PER_BLOCK}
                    <input
                        type="text"
                        size="9"
                        id="duration"
                        prop:value=move || typed.get()
                        on:input:target=move |event| on_input(event.target().value())
                    />
                </label>
                " "
                <button class="primary">{texts::OPEN}</button>
                <button type="button" on:click=move |_| messages.needs_duration.set(None)>{texts::CANCEL}</button>
                <span class="field-error" role="alert" id="duration-error">{move || error.get()}</span>
            </form>
        })
    };
    view! { <div id="notice-ask">{question}</div> }
}

/// How far the worker is with a long run.
#[component]
fn Progress() -> impl IntoView {
    let run = expect_context::<RunState>();
    let doc = expect_context::<DocumentState>();
    let running = Memo::new(move |_| {
        run.simulating.with(|simulating| if let Simulating::Running { at, steps } = simulating { Some((*at, *steps)) } else { None })
    });
    let horizon = move || doc.with(|d| d.rest.horizon_ns);
    let text = move || {
        let (at, steps) = running.get()?;
        Some(texts::simulating(steps.into(), at.ns(), horizon()))
    };
    let share = move || {
        let end = horizon().unwrap_or(u64::MAX).max(1);
        running.get().map_or(0, |(at, _)| u128::from(at.ns()) * 1000 / u128::from(end)).to_string()
    };
    view! {
        <div id="simulating" class="simulating" hidden=move || running.get().is_none()>
            <span class="visually-hidden" role="status" id="simulating-status">
                {move || running.with(Option::is_some).then_some(texts::SIMULATING)}
            </span>
            <span id="simulating-text">{text}</span>
            <progress max="1000" id="simulating-bar" aria-label=texts::SIMULATION_PROGRESS value=share></progress>
            <button id="cancel" on:click=move |_| run.cancel()>{texts::CANCEL}</button>
        </div>
    }
}
