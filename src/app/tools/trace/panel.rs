//! The page: opening a trace, then the answer, the timeline, an operation, and tables.
//!
//! Depends on the state of the trace. Invariant: while a file is read, only its progress changes.

use std::sync::Arc;

use leptos::prelude::*;

use super::causes::Answer;
use super::operation::OperationCard;
use super::tables::{Names, Waits};
use super::timeline::{Look, Timeline};
use super::waiting::waits;
use super::walk::Walk;
use super::{Trace, texts};
use crate::app::components::{FilePicker, safe};
use crate::app::state::AppState;
use crate::app::state::trace::{Status, TraceState, Where};
use crate::app::tool::panel::{Host, Panel};
use crate::format;
use crate::tracer::{Ask, Chosen, Overview};
use crate::view::document::Document;

/// What is shown at all, which changes less often than how far it is.
#[derive(Clone, PartialEq)]
enum Shown {
    Nothing,
    Busy,
    Failed(String),
    Open(String, Arc<Overview>),
}

impl Panel for Trace {
    fn panel(_: Host<Self>, _: Memo<()>) -> AnyView {
        let trace = expect_context::<AppState>().trace;
        let shown = Memo::new(move |_| {
            trace.status.with(|status| match status {
                Status::Nothing => Shown::Nothing,
                Status::Reading(..) | Status::Explaining(..) => Shown::Busy,
                Status::Failed(name, why) => Shown::Failed(texts::failed(&safe(name), &safe(why))),
                Status::Open(name, overview) => Shown::Open(name.clone(), Arc::clone(overview)),
            })
        });
        let name = move || shown.with(|shown| if let Shown::Open(name, _) = shown { safe(name) } else { String::new() });
        let body = move || match shown.get() {
            Shown::Nothing => intro().into_any(),
            Shown::Busy => busy(trace).into_any(),
            Shown::Failed(why) => view! { <p class="field-error" id="trace-failed" role="alert">{why}</p> {intro()} }.into_any(),
            Shown::Open(name, overview) => view! { <Whole name=name overview=overview /> }.into_any(),
        };
        view! {
            <div class="trace">
                <div class="tool-row">
                    <FilePicker
                        class="primary"
                        label=texts::OPEN
                        field="trace-file"
                        name=texts::FILES
                        accept=".json,.gz,.sqlite,.db,application/json,application/gzip"
                        on_files=move |picked: web_sys::FileList| {
                            if let Some(file) = picked.get(0) {
                                trace.open(&file);
                            }
                        }
                    />
                    <button type="button" id="trace-example" on:click=move |_| trace.open_example()>{texts::EXAMPLE}</button>
                    <strong class="trace-name">{name}</strong>
                </div>
                {body}
            </div>
        }
        .into_any()
    }
}

fn intro() -> impl IntoView {
    view! {
        <p>{texts::WHAT}</p>
        <details>
            <summary>{texts::HOW}</summary>
            <p>{texts::HOW_PYTORCH}</p>
            <pre class="trace-code" tabindex="0" role="group" aria-label=texts::HOW_PYTORCH>{texts::PYTORCH}</pre>
            <p>{texts::HOW_NSYS}</p>
            <pre class="trace-code" tabindex="0" role="group" aria-label=texts::HOW_NSYS>{texts::NSYS}</pre>
        </details>
    }
}

fn busy(trace: TraceState) -> impl IntoView {
    let now = move || {
        trace.status.with(|status| match status {
            Status::Reading(name, read, size) => (texts::reading(&safe(name), *read, *size), *read, *size),
            Status::Explaining(name, done, all) => (texts::explaining(&safe(name), *done, *all), *done, *all),
            _ => (String::new(), 0, 1),
        })
    };
    view! {
        <div class="tool-row" id="trace-progress">
            <progress aria-label=texts::FILES max=move || now().2.max(1).to_string() value=move || now().1.to_string()></progress>
            <span role="status">{move || now().0}</span>
            <button type="button" on:click=move |_| trace.cancel()>{texts::CANCEL}</button>
        </div>
    }
}

/// An open trace.
#[component]
fn Whole(name: String, overview: Arc<Overview>) -> impl IntoView {
    let look = Look::new(expect_context::<AppState>().trace, overview.end);
    let of_tables = Arc::clone(&overview);
    view! {
        <Walk look=look />
        <Answer overview=Arc::clone(&overview) />
        <Timeline overview=overview look=look />
        <OperationCard look=look />
        <Waits waits=of_tables.waits.clone() look=look />
        <Names names=of_tables.names.clone() />
        <Scenario name=name look=look />
    }
}

/// Which of what is in sight becomes a scenario.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    All,
    Stream,
    Found,
}

impl Choice {
    const fn id(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Stream => "stream",
            Self::Found => "found",
        }
    }

    fn read(id: &str) -> Self {
        [Self::Stream, Self::Found].into_iter().find(|choice| choice.id() == id).unwrap_or(Self::All)
    }
}

/// A scenario of what is in sight.
#[component]
fn Scenario(name: String, look: Look) -> impl IntoView {
    let state = expect_context::<AppState>();
    let trace = state.trace;
    let title = texts::scenario_name(&name);
    let made_as = title.clone();
    let choice = RwSignal::new(Choice::All);
    let selected = move || trace.card.with(|card| card.as_ref().map(|card| card.operation));
    let found = move || trace.found.with(|found| (!found.text.is_empty()).then(|| found.text.clone()));
    // What is chosen may be gone since.
    let of = move || match choice.get() {
        Choice::Stream => selected().map_or(Chosen::All, Chosen::StreamOf),
        Choice::Found => found().map_or(Chosen::All, Chosen::Named),
        Choice::All => Chosen::All,
    };
    let make = move |_| {
        let sight = look.scale.with_untracked(|scale| scale.visible());
        trace.ask(&Ask::Make { of: untrack(of), from: sight.start, to: sight.end, name: made_as.clone() });
    };
    let option = move |this: Choice, text: &'static str, is_there: Signal<bool>| {
        let is_on = move || this == if of() == Chosen::All { Choice::All } else { choice.get() };
        view! { <option value=this.id() disabled=move || !is_there.get() prop:selected=is_on>{text}</option> }
    };
    let options = [
        option(Choice::All, texts::CHOSEN_ALL, Signal::stored(true)),
        option(Choice::Stream, texts::CHOSEN_STREAM, Signal::derive(move || selected().is_some())),
        option(Choice::Found, texts::CHOSEN_FOUND, Signal::derive(move || found().is_some())),
    ];
    let open = StoredValue::new(title);
    let open = move |_| {
        let Some(Ok((scenario, _))) = trace.made.get_untracked() else { return };
        match format::read_scenario(&scenario) {
            Ok(draft) => {
                // As what a link brings: the reader's own stays as it is.
                state.enter_link(false);
                if state.open(Document::new(draft), None) {
                    state.desk.touch(&state.document.get_untracked());
                    state.messages.say(texts::scenario_opened(&open.get_value()));
                    // Some pages may not change their address; then the reader closes this one.
                    let _ = window().location().set_hash("#/");
                    window().scroll_to_with_x_and_y(0.0, 0.0);
                }
            }
            Err(error) => state.messages.complain(error.to_string()),
        }
    };
    let result = move || {
        trace.made.get().map(|made| match made {
            Err(why) => view! { <p class="field-error" role="alert">{why}</p> }.into_any(),
            Ok((_, left_out)) => {
                let said = if left_out.is_empty() { texts::NOTHING_LEFT_OUT } else { texts::LEFT_OUT };
                view! {
                    <div id="trace-made" role="status">
                        <p>{said}</p>
                        <ul class="trace-list">{left_out.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
                    </div>
                    <button type="button" class="primary" id="trace-open-scenario" on:click=open>{texts::OPEN_SCENARIO}</button>
                }
                .into_any()
            }
        })
    };
    view! {
        <section aria-labelledby="trace-scenario-title">
            <h3 id="trace-scenario-title">{texts::SCENARIO}</h3>
            <p>{texts::SCENARIO_WHAT}</p>
            <div class="tool-row">
                <label>
                    {texts::CHOSEN}
                    " "
                    <select id="trace-chosen" on:change:target=move |event| choice.set(Choice::read(&event.target().value()))>
                        {options}
                    </select>
                </label>
                <button type="button" id="trace-make" on:click=make>{texts::MAKE}</button>
            </div>
            {waits(trace, Where::Scenario)}
            {result}
        </section>
    }
}
