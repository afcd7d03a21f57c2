//! Messages: what was said, what is wrong with the scenario as a whole, how far a long run is, and the question an import may
//! ask.
//!
//! Invariant: a message is there as long as what it says holds.

use std::time::Duration;

use leptos::prelude::*;
use web_sys::{HtmlElement, SubmitEvent};

use super::desk::{Aside, Elsewhere, FromLink, Full};
use super::explore;
use super::files;
use crate::panels::host::Tools;
use crate::panels::open_tool::OpenTool;
use crate::state::document::DocumentState;
use crate::state::fence::{Fence, Refusal};
use crate::state::messages::Messages;
use crate::state::run::RunState;
use crate::state::runs::Simulating;
use crate::state::settings::Settings;
use crate::state::storage;
use blockstep_sim::examples;
use blockstep_tools::quiz::Quiz;
use blockstep_tools::{ToolId, quiz};
use blockstep_ui::BusyElsewhere;
use blockstep_ui::{Toast, follow_size, safe, set_root_px};
use blockstep_view::dead_end::dead_end;
use blockstep_view::origin::Departure;
use blockstep_view::problems;
use blockstep_view::quantity::{self, Unit, format_count, format_time, format_time_short};

/// How long a message is shown that only says what was done.
const SHOWN_FOR: Duration = Duration::from_secs(12);

/// How far from a cell messages stay, in pixels: it has a ring while it has the focus.
const GAP_PX: f64 = 6.0;

/// All messages, in the order of how long they stay.
#[component]
pub(super) fn Notices() -> impl IntoView {
    let place = NodeRef::<leptos::html::Div>::new();
    follow_size(place, make_way);
    view! {
        <div class="notices" id="notices" role="region" aria-label="Messages" node_ref=place>
            <Stale />
            <Interrupted />
            <Warning />
            <CutShort />
            <NeverComplete />
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

/// Keeps in sight what the reader edits: nothing is scrolled to where the messages are, and a cell that they cover moves up.
fn make_way(messages: &HtmlElement) {
    set_root_px("--messages", Some(messages.offset_height().into()));
    // What is wrong with a cell or a setting is said in it, too, under its value.
    let cell = document().active_element().and_then(|focused| focused.closest("td, .top-field").ok()).flatten();
    let Some(cell) = cell.map(|cell| cell.get_bounding_client_rect()) else { return };
    let messages = messages.get_bounding_client_rect();
    let is_in_sight = cell.top() < messages.bottom() && cell.bottom() > 0.0;
    if is_in_sight && cell.left() < messages.right() && cell.bottom() > messages.top() {
        window().scroll_by_with_x_and_y(0.0, cell.bottom() - messages.top() + GAP_PX);
    }
}

/// What a first visit begins with.
#[derive(Clone, Copy)]
pub(super) struct Hint {
    is_due: RwSignal<bool>,
    tools: Tools,
}

impl Hint {
    /// Due until the reader has begun, or comes by a link to something else than the first example.
    pub(super) fn new(tools: Tools) -> Self {
        let is_due = RwSignal::new(storage::is_hint_due());
        Effect::new(move |_| {
            let is_first = tools.state.document.with(|d| d.example.is_none_or(|id| id == examples::first().id));
            let has_begun =
                tools.open.with(|open| !open.is_empty()) || tools.state.cursor.position.get() > 0 || tools.state.document.is_edited();
            if !is_first || has_begun {
                is_due.set(false);
            }
        });
        Self { is_due, tools }
    }

    fn dismiss(self) {
        self.is_due.set(false);
        storage::dismiss_hint();
    }

    fn take_tour(self) {
        self.dismiss();
        self.tools.open_tool(ToolId::Tour, "start");
    }
}

/// The first stop of the keyboard on a first visit.
#[component]
pub(super) fn Begin(hint: Hint) -> impl IntoView {
    view! {
        <Show when=move || hint.is_due.get()>
            <button class="skip" on:click=move |_| hint.take_tour()>{START}</button>
        </Show>
    }
}

const START: &str = "Start here (3 min)";

/// For the first visit; it stands beside the run.
#[component]
pub(super) fn FirstVisit(hint: Hint) -> impl IntoView {
    view! {
        <Show when=move || hint.is_due.get()>
            <div class="hint" id="hint" role="note">
                <span>
            "Blockstep simulates how a GPU schedules kernels. Step with " <kbd>"→"</kbd> ", click anything to ask why, and edit any cell."
        </span>
                <span class="hint-buttons">
                    <button class="primary" on:click=move |_| hint.take_tour()>{START}</button>
                    <button on:click=move |_| hint.dismiss()>"Dismiss"</button>
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
            Some(not_simulated(&first, o.problems.len()))
        })
    });
    move || {
        text.get().map(|text| {
            view! {
                <Toast id="problems" is_error=true text=text>
                    <button on:click=move |_| doc.undo()>"Undo"</button>
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
            Some(doubtful(&first, o.problems.len()))
        })
    });
    let dismissed = RwSignal::new(None::<String>);
    let shown = move || text.get().filter(|text| dismissed.with(|dismissed| dismissed.as_ref() != Some(text)));
    move || {
        shown().map(|text| {
            let dismiss = text.clone();
            view! {
                <Toast id="warnings" is_error=false text=text>
                    <button class="icon small" aria-label="Dismiss" on:click=move |_| dismissed.set(Some(dismiss.clone()))>"×"</button>
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
            Simulating::Stopped(why) => {
                (format!("The simulation is incomplete: {why} The last complete run stays on screen."), "Simulate again")
            }
            Simulating::Held => {
                ("Opened without running, as the last run did not finish. A background worker can run it.".to_owned(), "Run it")
            }
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
        let text = format!("Cut short: {}. The page shows the run up to that point.", cut.get()?);
        Some(view! { <Toast id="cut" is_error=true text=text /> })
    }
}

/// Work of the run on screen that can never complete; not while what comes is hidden, and not of an example or a question, which is about
/// that and says so itself.
#[component]
fn NeverComplete() -> impl IntoView {
    let (run, doc, settings) = (expect_context::<RunState>(), expect_context::<DocumentState>(), expect_context::<Settings>());
    let is_example = Memo::new(move |_| doc.with(|d| d.example.is_some()) && doc.departure.get() == Departure::None);
    let is_question = Memo::new(move |_| doc.with(|d| explore::is_as_given(d)));
    let why = Memo::new(move |_| run.with(|run| dead_end(&run.run, &run.records)));
    let spins = Memo::new(move |_| run.with(|run| run.trace().scenario().has_spins()));
    let tools = expect_context::<Tools>();
    let is_asked = move || tools.open.with(|open| open.contains(&ToolId::Hang));
    move || {
        let is_told = !is_example.get() && !is_question.get() && !settings.is_future_hidden.get();
        let text = format!("In this run {}.", why.get().filter(|_| is_told)?);
        let ask =
            move || (spins.get() && !is_asked()).then(|| view! { <OpenTool tool=ToolId::Hang>{ToolId::Hang.info().title}</OpenTool> });
        Some(view! {
            <Toast id="never-complete" is_error=false text=text>
                {ask}
            </Toast>
        })
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
                    <button class="icon small" aria-label="Dismiss" on:click=move |_| messages.notice.set(None)>"×"</button>
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
        let text = kept(refused.map(Refusal::sentence), hold.is_asking);
        Some(view! {
            <Toast id="kept" is_error=false text=text>
                {(!is_open).then(|| view! { <button class="primary" on:click=back>"Back to the quiz"</button> })}
                {(is_open && hold.is_asking).then(|| view! { <button on:click=give_up_question>"Give up this question"</button> })}
                <button on:click=give_up>"Give up the quiz"</button>
                {refused
                    .is_some()
                    .then(|| {
                        view! { <button class="icon small" aria-label="Dismiss" on:click=move |_| fence.refused.set(None)>"×"</button> }
                    })}
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
        let typed = RwSignal::new("10 ms".to_owned());
        let error = RwSignal::new(String::new());
        let on_submit = move |event: SubmitEvent| {
            event.prevent_default();
            match quantity::parse(Unit::Time, &typed.get_untracked()) {
                Ok(0) => error.set("0; the minimum is 1 ns".to_owned()),
                Ok(ns) => {
                    if let Some(pending) = messages.needs_duration.get_untracked() {
                        messages.needs_duration.set(None);
                        files::open_text(tools, &pending.name, pending.text, Some(ns));
                    }
                }
                Err(why) => error.set(why.to_string()),
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
                    "Time per block "
                    <input
                        type="text"
                        size="9"
                        id="duration"
                        prop:value=move || typed.get()
                        on:input:target=move |event| on_input(event.target().value())
                    />
                </label>
                " "
                <button class="primary">"Open"</button>
                <button type="button" on:click=move |_| messages.needs_duration.set(None)>"Cancel"</button>
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
        Some(simulating_until(steps.into(), at.ns(), horizon()))
    };
    let share = move || {
        let end = horizon().unwrap_or(u64::MAX).max(1);
        running.get().map_or(0, |(at, _)| u128::from(at.ns()) * 1000 / u128::from(end)).to_string()
    };
    view! {
        <div id="simulating" class="simulating" hidden=move || running.get().is_none()>
            <span class="visually-hidden" role="status" id="simulating-status">
                {move || running.with(Option::is_some).then_some("Simulating")}
            </span>
            <span id="simulating-text">{text}</span>
            <progress max="1000" id="simulating-bar" aria-label="Simulation progress" value=share></progress>
            <button id="cancel" on:click=move |_| run.cancel()>"Cancel"</button>
        </div>
    }
}

/// Of several problems, the first.
fn not_simulated(first: &str, count: usize) -> String {
    let stop = if first.ends_with('?') { "" } else { "." };
    match count {
        0 | 1 => format!("Not simulated: {first}{stop} The last valid run stays on screen."),
        _ => format!("Not simulated: {first} (and {} more). The last valid run stays on screen.", count - 1),
    }
}

/// Of several doubts, the first.
pub(crate) fn doubtful(first: &str, count: usize) -> String {
    match count {
        0 | 1 => format!("Note: {first}"),
        _ => format!("Note: {first} (and {} more)", count - 1),
    }
}

fn simulating_until(steps: u64, at_ns: u64, end_ns: Option<u64>) -> String {
    let (steps, at) = (format_count(steps), format_time_short(at_ns));
    match end_ns {
        Some(end) => format!("Simulating: {steps} steps, {at} of {}", format_time(end)),
        None => format!("Simulating: {steps} steps, {at}"),
    }
}

/// `refused`: what the reader wanted and may not do now.
pub(crate) fn kept(refused: Option<&str>, is_asking: bool) -> String {
    let what = refused.unwrap_or("A quiz is in progress.");
    match is_asking {
        true => format!("{what} Answer the question, or give it up."),
        false => format!("{what} Continue the quiz, or give it up."),
    }
}
