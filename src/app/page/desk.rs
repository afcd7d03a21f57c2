//! Whose work is on screen: what a link brought, what another tab has stored, what could not be stored or read, and the question
//! before work that did not finish the last time.
//!
//! Depends on the page's state and on the shared message. Invariant: what is said here is quiet, and none of it is lost by it.

use leptos::prelude::*;

use super::files;
use super::texts::{desk as texts, notices};
use crate::app::components::Toast;
use crate::app::state::begun::{self, Work};
use crate::app::state::desk::{At, open_without_link};
use crate::app::state::{AppState, aside, storage};
use crate::app::stored::Slot;
use crate::format;

/// A button that closes a message.
fn dismiss(on_click: impl Fn() + 'static) -> impl IntoView {
    view! { <button class="icon small" aria-label=notices::DISMISS on:click=move |_| on_click()>"×"</button> }
}

/// That what is on screen is not the reader's own work, with the way back to that.
#[component]
pub(super) fn FromLink() -> impl IntoView {
    let state = expect_context::<AppState>();
    // What is said, and where the way back leads, if not to what the tab showed before.
    let said = Memo::new(move |_| {
        state.desk.at.with(|at| match at {
            At::Link { before, is_of_tool, has_own } => {
                let has_brought = *is_of_tool || state.document.with(|now| !std::sync::Arc::ptr_eq(now, before));
                (*has_own && has_brought).then_some(texts::FROM_LINK)
            }
            At::Slot(Slot::Kept(_)) => Some(texts::BESIDE),
            At::Slot(Slot::Own) => None,
        })
    });
    let dismissed = RwSignal::new(None::<&'static str>);
    let go_back = move |_| match state.desk.stores() {
        Some(_) => state.go_to(Slot::Own),
        None => open_without_link(),
    };
    move || {
        let text = said.get().filter(|said| dismissed.get() != Some(*said) && !storage::is_embedded())?;
        Some(view! {
            <div class="notice" id="from-link" role="status">
                <p>{text} <button class="link" on:click=go_back>{texts::GO_BACK}</button></p>
                {dismiss(move || dismissed.set(Some(text)))}
            </div>
        })
    }
}

/// That another tab has stored the same work.
#[component]
pub(super) fn Elsewhere() -> impl IntoView {
    let state = expect_context::<AppState>();
    move || {
        state.desk.is_elsewhere().then(|| {
            view! {
                <Toast id="elsewhere" is_error=false text=texts::ELSEWHERE.to_owned()>
                    <button on:click=move |_| state.take_other()>{texts::SHOW_IT}</button>
                </Toast>
            }
        })
    }
}

/// That something that was stored could not be read.
#[component]
pub(super) fn Aside() -> impl IntoView {
    let state = expect_context::<AppState>();
    let is_aside = state.desk.is_aside;
    let said = || if aside::is_in_place() { texts::ASIDE_STAYS } else { texts::ASIDE };
    move || {
        is_aside.get().then(|| {
            view! {
                <Toast id="put-aside" is_error=false text=said().to_owned()>
                    <button on:click=move |_| save_aside(state)>{texts::DOWNLOAD}</button>
                    {dismiss(move || is_aside.set(false))}
                </Toast>
            }
        })
    }
}

fn save_aside(state: AppState) {
    files::download_as(state, texts::ASIDE_FILE, "text/plain", &aside::text());
}

/// What was put aside, as long as there is something: to be saved, and to be deleted.
#[component]
pub(super) fn AllAside() -> impl IntoView {
    let state = expect_context::<AppState>();
    let deleted = RwSignal::new(());
    let count = move || {
        state.settings.help_open.track();
        state.desk.is_aside.track();
        deleted.track();
        aside::count()
    };
    let delete = move |_| {
        aside::delete();
        state.desk.is_aside.set(false);
        deleted.set(());
    };
    move || {
        let count = count();
        (count > 0).then(|| {
            view! {
                <div id="all-aside">
                    <p>{texts::all_aside(count)}</p>
                    <div class="tool-row">
                        <button type="button" class="small" on:click=move |_| save_aside(state)>{texts::DOWNLOAD}</button>
                        <button type="button" class="small" on:click=delete>{texts::DELETE_ASIDE}</button>
                    </div>
                </div>
            }
        })
    }
}

/// That something could not be stored.
#[component]
pub(super) fn Full() -> impl IntoView {
    let state = expect_context::<AppState>();
    let is_full = state.desk.is_full;
    move || {
        is_full.get().then(|| {
            view! {
                <Toast id="not-stored" is_error=false text=texts::FULL.to_owned()>
                    <button on:click=move |_| files::save_scenario(state)>{texts::SAVE}</button>
                    {dismiss(move || is_full.set(false))}
                </Toast>
            }
        })
    }
}

/// What to do with work that did not finish the last time; nothing of it is run before the answer.
#[component]
pub(super) fn Unfinished(
    /// What did not finish.
    work: Work,
    /// Told when the page may be shown.
    #[prop(into)]
    on_answer: Callback<()>,
) -> impl IntoView {
    let is_link = matches!(work, Work::Link(_));
    let open = move |_| {
        begun::hold();
        on_answer.run(());
    };
    let start = move |_| {
        begun::start_empty(work);
        on_answer.run(());
    };
    view! {
        <main class="unfinished" id="unfinished" aria-labelledby="unfinished-title">
            <h1 id="unfinished-title">{texts::UNFINISHED}</h1>
            <div class="row">
                <button class="primary" on:click=open>{texts::OPEN_WITHOUT_RUNNING}</button>
                <button on:click=start>{if is_link { texts::START_WITHOUT_LINK } else { texts::START_EMPTY }}</button>
                <button on:click=move |_| download(work)>{texts::DOWNLOAD}</button>
            </div>
            {(!is_link).then(|| view! { <p class="quiet">{texts::EMPTY_KEEPS}</p> })}
        </main>
    }
}

/// Saves what did not finish as a file: as a scenario, if it is one.
fn download(work: Work) {
    let Some(text) = begun::text(work) else { return };
    match (work, format::read_link(&text)) {
        (Work::Link(_), Ok((link, _))) => files::download_text(texts::SCENARIO_FILE, &format::write_scenario(&link.scenario)),
        (Work::Link(_), Err(_)) => files::download_text(texts::LINK_FILE, &text),
        (Work::Stored, _) => files::download_text(texts::SCENARIO_FILE, &text),
    }
}
