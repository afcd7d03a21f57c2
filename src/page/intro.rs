//! What is on screen: title, what to look for, and the moments worth seeing.
//!
//! Invariant: what was written for a built-in scenario is shown only while the document is that scenario, or marked as written for it.

use std::sync::Arc;

use leptos::prelude::*;
use web_sys::HtmlButtonElement;

use crate::state::AppState;
use crate::state::guide::Guide;
use blockstep_sim::policy;
use blockstep_sim::units::Time;
use blockstep_ui::{reads, safe, show_across, starts_at_top, with_unseen};
use blockstep_view::panels::{About, Moment};
use blockstep_view::quantity::format_time;

#[component]
pub(super) fn Intro() -> impl IntoView {
    let state = expect_context::<AppState>();
    let reset = move || {
        if let Some(guide) = state.document.guide.get_untracked() {
            state.open(guide.document(), None);
        }
    };
    // What has departed says so in the text below.
    let is_reset_here = Memo::new(move |_| state.document.is_edited() && !state.document.has_departed.get());
    let text = move || {
        let has_departed = state.document.has_departed.get();
        state.document.guide.get().map(|guide| if has_departed { departed(state, &guide, reset) } else { own_text(state, &guide) })
    };
    let notes = Memo::new(move |_| state.document.with(|d| d.notes.clone()));
    let note_list = move || {
        let notes = notes.get();
        let items = notes.iter().map(|note| view! { <li>{safe(note)}</li> }).collect_view();
        (!notes.is_empty()).then(|| view! { <ul class="notes">{items}</ul> })
    };
    // Tools stand above it, and keep their place.
    let selector = || Some(".stage-side:not(:has(.tool:not([hidden]))) #intro".to_owned());
    starts_at_top(move || state.document.with(|d| d.example).unwrap_or_default().to_owned(), selector);
    let unseen = Memo::new(move |_| state.document.with(|d| with_unseen(&d.rest.name)));
    view! {
        <section class="panel intro" id="intro" aria-label="Scenario">
            <div class="intro-title">
                <textarea
                    id="scenario-name"
                    rows="1"
                    aria-label="Name of the scenario"
                    aria-describedby="scenario-reads"
                    placeholder="Name this scenario"
                    prop:value=move || state.document.with(|d| d.rest.name.clone())
                    on:input:target=move |event| {
                        // A name is one line, on as many as it takes.
                        let text = event.target().value().replace(['\r', '\n'], " ");
                        state.document.edit(Some("name".to_owned()), |d| d.set_top("name", &text));
                    }
                    on:keydown=move |event| {
                        if event.key() == "Enter" {
                            event.prevent_default();
                        }
                    }
                    on:focusout=move |_| state.document.pause_history()
                ></textarea>
                {move || unseen.get().map(|name| view! { <span class="unseen" id="scenario-reads">{reads(&name)}</span> })}
                <span id="reset-place">
                    <Show when=move || is_reset_here.get()>
                        <button class="link" id="reset" on:click=move |_| reset()>"Restore the original"</button>
                    </Show>
                </span>
            </div>
            <div id="intro-text">{text} {note_list}</div>
        </section>
    }
}

/// The text, under that of the moment at which the reader stands, if one is there.
fn own_text(state: AppState, guide: &Arc<Guide>) -> AnyView {
    let (moments, own) = (guide.about.moments.clone(), guide.origin.policy());
    let under = move || {
        let (title, own_title) = (policy::about(state.document.other_policy()?).title, policy::about(own).title);
        let back = move |_| state.document.edit(None, |d| d.rest.policy.kind = own);
        Some(view! {
            <p class="quiet" id="other-policy">
                {format!("This is the run under {title}. The text and the moments are about the run under {own_title}.")}
                <span class="to-press">" · " <button class="link" id="own-policy" on:click=back>{format!("Show it under {own_title}")}</button></span>
            </p>
        })
    };
    let here = Memo::new(move |_| moments.iter().find(|moment| state.cursor.is_at(moment.at)).cloned());
    let at_moment = move || {
        let Moment { label, text, .. } = here.get()?;
        Some(view! { <p class="bookmark-text"><b>{label}</b> " " {text}</p> })
    };
    view! { {under} {at_moment} {whole(&guide.about)} }.into_any()
}

fn whole(about: &About) -> impl IntoView + use<> {
    view! { <p>{about.text.clone()} " " <span class="quiet">{about.source.clone()}</span></p> }
}

/// What is said of a run that has departed from it: a line, and all the rest on demand.
fn departed(state: AppState, guide: &Arc<Guide>, reset: impl Fn() + 'static) -> AnyView {
    let is_shown = state.document.original_shown;
    let title = guide.about.short_title().to_owned();
    let about = guide.about.clone();
    let of_original = move || {
        is_shown.get().then(|| {
            let moment = |moment: &Moment| {
                let head = format!("{}, {}", moment.label, format_time(moment.at.ns()));
                view! { <li><b>{head}</b> " " {moment.text.clone()}</li> }
            };
            let moments = about.moments.iter().map(moment).collect_view();
            let list = (!about.moments.is_empty()).then(|| view! { <ul>{moments}</ul> });
            let head = format!("These notes describe the original {}. They may not apply to this run.", about.short_title());
            view! {
                <div class="of-original" role="note">
                    <p class="of-original-head">{head}</p>
                    {whole(&about)}
                    {list}
                </div>
            }
        })
    };
    let notes = view! {
        <button
            class="link"
            id="original"
            aria-expanded=move || is_shown.get().to_string()
            on:click=move |_| is_shown.update(|is_shown| *is_shown = !*is_shown)
        >
            {move || if is_shown.get() { "Hide its notes" } else { "Show its notes" }}
        </button>
    };
    let restore = view! { <button class="link" id="reset" on:click=move |_| reset()>"Restore it"</button> };
    view! {
        <p class="quiet" id="based-on">"Based on " {title} <span class="to-press">" · " {notes} " · " {restore}</span></p>
        {of_original}
    }
    .into_any()
}

/// Scrolls the row of bookmarks so that one is in sight whole.
fn into_sight(bookmark: &HtmlButtonElement) {
    if let Some(row) = bookmark.parent_element() {
        show_across(&row, bookmark, f64::INFINITY);
    }
}

/// The moments worth seeing, as buttons that go there.
#[component]
pub(super) fn Bookmarks() -> impl IntoView {
    let state = expect_context::<AppState>();
    let moments = move || {
        let has_departed = state.document.has_departed.get();
        state
            .document
            .guide
            .with(|guide| guide.as_ref().filter(|_| !has_departed).map(|guide| guide.about.moments.clone()).unwrap_or_default())
    };
    // What happens at them is said of the run under the example's own policy.
    let own = Memo::new(move |_| {
        let own = state.document.guide.with(|guide| guide.as_ref().map(|guide| guide.origin.policy()));
        own.filter(|_| state.document.other_policy().is_some()).map(|own| policy::about(own).title)
    });
    let button = move |moment: Moment| {
        let at: Time = moment.at;
        let text = moment.text;
        view! {
            <button
                class="bookmark"
                data-bookmark=moment.label.clone()
                title=move || own.get().map_or_else(|| text.clone(), |own| format!("Under {own}: {text}"))
                aria-pressed=move || state.cursor.is_at(at).to_string()
                on:focus:target=move |event| into_sight(&event.target())
                on:click=move |_| state.visit(|| state.cursor.go_to_time(at))
            >
                {moment.label.clone()}
                " "
                <span class="bookmark-time">{format_time(at.ns())}</span>
            </button>
        }
    };
    view! {
        <div class="bookmarks" id="bookmarks" role="group" aria-label="Moments to look at">
            {move || own.get().map(|own| view! { <span class="bookmark-time">"Under " {own} ":"</span> })}
            <For each=moments key=|moment| (moment.at, moment.label.clone()) children=button />
        </div>
    }
}
