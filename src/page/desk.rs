//! Whose work is on screen: what a link brought, what another tab has stored, what could not be stored or read, and the question
//! before work that did not finish the last time.
//!
//! Invariant: what is said here is quiet, and none of it is lost by it.

use leptos::prelude::*;

use super::files;
use crate::state::begun::{self, Work};
use crate::state::desk::{DeskPlace, open_without_link};
use crate::state::{AppState, aside, storage};
use blockstep_format as format;
use blockstep_tools::stored::Slot;
use blockstep_ui::Toast;

const SCENARIO_FILE: &str = "unfinished.json";

fn dismiss(on_click: impl Fn() + 'static) -> impl IntoView {
    view! { <button class="icon small" aria-label="Dismiss" on:click=move |_| on_click()>"×"</button> }
}

/// That what is on screen is not the reader's own work, with the way back to that.
#[component]
pub(super) fn FromLink() -> impl IntoView {
    let state = expect_context::<AppState>();
    // What is said, and where the way back leads, if not to what the tab showed before.
    let said = Memo::new(move |_| {
        state.desk.at.with(|at| match at {
            DeskPlace::Link { before, is_of_tool, has_own } => {
                let has_brought = *is_of_tool || state.document.with(|now| !std::sync::Arc::ptr_eq(now, before));
                (*has_own && has_brought).then_some("From a link. Your own work is kept: ")
            }
            DeskPlace::Slot(Slot::Kept(_)) => Some("Kept beside your own work: "),
            DeskPlace::Slot(Slot::Own) => None,
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
                <p>{text} <button class="link" on:click=go_back>"go back to it"</button></p>
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
                <Toast id="elsewhere" is_error=false text="Another tab has stored a newer version of this work.".to_owned()>
                    <button on:click=move |_| state.take_other()>"Show it"</button>
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
    let said = || {
        if aside::is_in_place() {
            "Something that was stored cannot be read, and there is no room to put it aside. Nothing is stored in its place. \
     Download it, and delete it in the help."
        } else {
            "Something that was stored cannot be read. It is put aside."
        }
    };
    move || {
        is_aside.get().then(|| {
            view! {
                <Toast id="put-aside" is_error=false text=said().to_owned()>
                    <button on:click=move |_| save_aside(state)>"Download it"</button>
                    {dismiss(move || is_aside.set(false))}
                </Toast>
            }
        })
    }
}

fn save_aside(state: AppState) {
    files::download_as(state, "blockstep-put-aside.txt", "text/plain", &aside::text());
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
                    <p>{all_aside(count)}</p>
                    <div class="tool-row">
                        <button type="button" class="small" on:click=move |_| save_aside(state)>"Download it"</button>
                        <button type="button" class="small" on:click=delete>"Delete it"</button>
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
                <Toast
                    id="not-stored"
                    is_error=false
                    text="The browser cannot keep all of this: it is too large, or storage is switched off. Save it as a file \
                        before you leave.".to_owned()
                >
                    <button on:click=move |_| files::save_scenario(state)>"Save as a file"</button>
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
            <h1 id="unfinished-title">"The last run did not finish."</h1>
            <div class="row">
                <button class="primary" on:click=open>"Open it without running"</button>
                <button on:click=start>{if is_link { "Start without the link" } else { "Start empty" }}</button>
                <button on:click=move |_| download(work)>"Download it"</button>
            </div>
            {(!is_link).then(|| view! { <p class="quiet">"If you start empty, it stays among your scenarios, in the menu."</p> })}
        </main>
    }
}

/// Saves what did not finish as a file: as a scenario, if it is one.
fn download(work: Work) {
    let Some(text) = begun::text(work) else { return };
    match (work, format::read_link(&text)) {
        (Work::Link(_), Ok((link, _))) => files::download_text(SCENARIO_FILE, &format::write_scenario(&link.scenario)),
        (Work::Link(_), Err(_)) => files::download_text("unfinished-link.txt", &text),
        (Work::Stored, _) => files::download_text(SCENARIO_FILE, &text),
    }
}

fn all_aside(texts: usize) -> String {
    match texts {
        1 => "A text that was stored could not be read. It is put aside.".to_owned(),
        _ => format!("{texts} texts that were stored could not be read. They are put aside."),
    }
}
