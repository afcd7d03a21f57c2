//! What is on screen: title, what to look for, and the moments worth seeing.
//!
//! Depends on `state` and `examples`. Invariant: nothing is shown here that the document does not
//! name.

use leptos::prelude::*;

use super::dynamic::{live_part, live_text};
use super::state::app;
use crate::examples;
use crate::units::Time;
use crate::view::quantity;

/// Title and text of the scenario.
#[component]
pub(super) fn Intro() -> impl IntoView {
    let state = app();
    let example = move || state.document.with(|d| d.example);
    let is_edited = move || {
        let example = example().and_then(examples::find);
        example
            .is_some_and(|e| state.document.with(|d| d.draft() != super::state::example_document(e).draft() || !d.raw_texts().is_empty()))
    };
    let here = move || {
        let bookmark = examples::find(example()?)?.bookmarks.iter().find(|b| b.at_ns == state.now().ns())?;
        Some(view! { <p class="bookmark-text"><b>{bookmark.label}</b>" "{bookmark.text}</p> })
    };
    let text = move || {
        let example = examples::find(example()?)?;
        Some(view! { <p>{example.text}" "<span class="quiet">{example.source}</span></p> })
    };
    let notes = move || {
        let notes = state.document.with(|d| d.notes.clone());
        (!notes.is_empty()).then(|| view! { <ul class="notes">{notes.into_iter().map(|n| view! { <li>{n}</li> }).collect_view()}</ul> })
    };
    view! {
        <section class="panel intro" aria-label="Scenario">
            <div class="intro-title">
                <input
                    id="scenario-name"
                    aria-label="Name of the scenario"
                    placeholder="Name this scenario"
                    prop:value=live_text(move || state.document.with(|d| d.rest.name.clone()))
                    on:input=move |ev| {
                        let text = event_target_value(&ev);
                        state.edit(Some("name".to_owned()), |d| d.set_top("name", &text));
                    }
                    on:blur=move |_| state.pause_history()
                />
                {live_part(move || is_edited().then(|| view! {
                    <button
                        class="link"
                        id="reset"
                        on:click=move |_| if let Some(e) = state.document.with_untracked(|d| d.example).and_then(examples::find) { state.open_example(e) }
                    >
                        "Edited – back to the original"
                    </button>
                }))}
            </div>
            {live_part(here)}
            {live_part(text)}
            {live_part(notes)}
        </section>
    }
}

/// The moments worth seeing, as buttons that go there.
#[component]
pub(super) fn Bookmarks() -> impl IntoView {
    let state = app();
    let example = move || state.document.with(|d| d.example);
    move || {
        let bookmarks = examples::find(example()?)?.bookmarks;
        let buttons = bookmarks.iter().map(|b| {
            let is_here = move || state.now().ns() == b.at_ns;
            view! {
                <button
                    class="bookmark"
                    data-bookmark=b.label
                    aria-pressed=live_text(move || is_here().to_string())
                    title=b.text
                    on:click=move |_| {
                        state.is_playing.set(false);
                        state.go_to_time(Time(b.at_ns));
                        state.show_cursor();
                    }
                >
                    {b.label}" "<span class="bookmark-time">{quantity::format_time(b.at_ns)}</span>
                </button>
            }
        });
        Some(view! { <div class="bookmarks" role="group" aria-label="Moments to look at">{buttons.collect_view()}</div> })
    }
}
