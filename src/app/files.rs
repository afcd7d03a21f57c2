//! Opening and saving: files picked or dropped, downloads, and what is said about them.
//!
//! Depends on `state` and `format`. Invariant: a file that cannot be read changes nothing.

use gloo::file::callbacks::read_as_text;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{live_part, live_text};
use super::state::{AppState, app};
use crate::format::{self, ImportOptions};
use crate::units::Time;
use crate::view::document::Document;
use crate::view::quantity::{self, Unit};

/// A file whose import waits for an answer.
#[derive(Clone, PartialEq)]
pub(super) struct Pending {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) question: String,
}

/// Reads a file and shows it.
pub(super) fn open_file(state: AppState, file: web_sys::File) {
    let name = file.name();
    if file.size() > format::MAX_FILE_BYTES as f64 {
        state.complain(format!(
            "{name}: the file has {}; at most {} are read",
            quantity::format_bytes(file.size() as u64),
            quantity::format_bytes(format::MAX_FILE_BYTES as u64)
        ));
        return;
    }
    let reader = StoredValue::new_local(None);
    let file = gloo::file::File::from(file);
    let task = read_as_text(&file, move |text| {
        match text {
            Ok(text) => open_text(state, &name, text, None),
            Err(error) => state.complain(format!("{name}: the browser cannot read this file as text ({error})")),
        }
        reader.dispose();
    });
    reader.set_value(Some(task));
}

/// Shows a scenario or an examiner config.
pub(super) fn open_text(state: AppState, name: &str, text: String, default_duration_ns: Option<u64>) {
    match format::open(&text, &ImportOptions { default_duration_ns }) {
        Ok(opened) => {
            let mut document = Document::new(opened.draft);
            document.notes = opened.notes;
            if document.rest.name.is_empty() {
                document.rest.name = name.trim_end_matches(".json").to_owned();
            }
            state.open(document, Time::ZERO);
            state.say(format!("Opened {name}."));
        }
        Err(error) if error.needs_duration => {
            state.needs_duration.set(Some(Pending { name: name.to_owned(), text, question: error.to_string() }));
        }
        Err(error) => state.complain(format!("{name} cannot be opened. {error}")),
    }
}

/// Files dropped anywhere on the page are opened.
pub(super) fn accept_drops(state: AppState) {
    let over = window_event_listener(ev::dragover, |event| {
        if event.data_transfer().is_some_and(|data| data.types().includes(&"Files".into(), 0)) {
            event.prevent_default();
        }
    });
    let drop = window_event_listener(ev::drop, move |event| {
        if let Some(file) = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0)) {
            event.prevent_default();
            open_file(state, file);
        }
    });
    on_cleanup(move || {
        over.remove();
        drop.remove();
    });
}

/// The button that opens a file.
#[component]
pub(super) fn OpenButton() -> impl IntoView {
    let state = app();
    let input = NodeRef::<html::Input>::new();
    view! {
        <button id="open" on:click=move |_| input.get_untracked().into_iter().for_each(|i| i.click())>"Open…"</button>
        <input
            id="open-file"
            node_ref=input
            type="file"
            accept=".json,application/json"
            hidden
            aria-label="Scenario or examiner config"
            on:change=move |event| {
                let input: web_sys::HtmlInputElement = event_target(&event);
                if let Some(file) = input.files().and_then(|files| files.get(0)) {
                    open_file(state, file);
                }
                // The same file can be picked again.
                input.set_value("");
            }
        />
    }
}

/// What can be saved.
#[component]
pub(super) fn SaveMenu() -> impl IntoView {
    let state = app();
    let menu = NodeRef::<html::Details>::new();
    let close = move || menu.get_untracked().into_iter().for_each(|m| m.set_open(false));
    let entry = move |id: &'static str, name: &'static str, what: &'static str, save: fn(AppState)| {
        view! {
            <button
                id=id
                on:click=move |_| {
                    save(state);
                    close();
                }
            >
                <b>{name}</b><span class="quiet">{what}</span>
            </button>
        }
    };
    view! {
        <details class="menu" node_ref=menu>
            <summary>"Save"</summary>
            <div class="menu-list">
                {entry("save-scenario", "Scenario", "JSON, opens here again", save_scenario)}
                {entry("save-figure", "Figure", "PNG of the timeline as it is shown", save_figure)}
                {entry("save-trace", "Trace", "JSON, every block and copy", save_trace)}
                {entry("save-csv", "Blocks and copies", "CSV, for a spreadsheet", save_csv)}
            </div>
        </details>
    }
}

fn save_scenario(state: AppState) {
    let (text, lost) = state.document.with_untracked(|d| (format::write_scenario(&d.draft()), d.raw_texts().len()));
    download(state, "json", "application/json", &text);
    if lost > 0 {
        state.say(format!("Saved. {lost} cells hold text that is no value; the file has the last value of each."));
    }
}

fn save_trace(state: AppState) {
    match state.run.with_untracked(|run| format::write_trace(run.trace(), &run.records)) {
        Ok(text) => download(state, "trace.json", "application/json", &text),
        Err(cut) => state.complain(format!("There is no whole trace to save: {cut}")),
    }
}

fn save_csv(state: AppState) {
    let text = state.run.with_untracked(|run| format::write_csv(run.trace(), &run.records));
    download(state, "csv", "text/csv", &text);
}

fn save_figure(state: AppState) {
    let canvas = document().get_element_by_id("timeline").and_then(|e| e.dyn_into::<web_sys::HtmlCanvasElement>().ok());
    match canvas.and_then(|canvas| canvas.to_data_url().ok()) {
        Some(url) => offer(state, "png", &url),
        None => state.complain("The browser does not hand out the picture of the timeline."),
    }
}

/// Hands a text to the browser as a file.
fn download(state: AppState, extension: &str, mime: &str, text: &str) {
    let blob = gloo::file::Blob::new_with_options(text, Some(mime));
    let url = gloo::file::ObjectUrl::from(blob);
    offer(state, extension, &url);
    // The browser reads it after this returns.
    set_timeout(move || drop(url), std::time::Duration::from_secs(10));
}

/// Offers what is at an address as a file named after the scenario.
fn offer(state: AppState, extension: &str, url: &str) {
    let name = state.document.with_untracked(|d| d.rest.name.clone());
    let stem: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let stem = stem.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let stem = if stem.is_empty() { "scenario" } else { &stem };
    let link = document().create_element("a").ok().and_then(|a| a.dyn_into::<web_sys::HtmlAnchorElement>().ok());
    match link {
        Some(link) => {
            link.set_href(url);
            link.set_download(&format!("{stem}.{extension}"));
            link.click();
        }
        None => state.complain("The browser does not let this page save a file."),
    }
}

/// Messages, problems of the scenario as a whole, and the question an import may ask.
#[component]
pub(super) fn Notices() -> impl IntoView {
    let state = app();
    let notice = move || {
        state.notice.get().map(|notice| {
            view! {
                <div class=if notice.is_error { "notice error" } else { "notice" } role=if notice.is_error { "alert" } else { "status" }>
                    <pre>{notice.text}</pre>
                    <button class="icon small" aria-label="Dismiss" on:click=move |_| state.notice.set(None)>"×"</button>
                </div>
            }
        })
    };
    let cut = move || {
        state.run.with(|run| run.trace().cut().map(|cut| view! { <div class="notice error" id="cut" role="alert"><pre>{format!("Cut short: {cut}. What was simulated until then is shown.")}</pre></div> }))
    };
    let stale = move || {
        state.outcome.with(|o| {
            let first = o.problems.first().filter(|_| o.is_stale())?;
            let more = if o.problems.len() > 1 { format!(" (and {} more)", o.problems.len() - 1) } else { String::new() };
            Some(view! {
                <div class="notice error" id="problems" role="alert">
                    <pre>{format!("Not simulated: {first}{more}. The last valid run stays on screen.")}</pre>
                    <button on:click=move |_| state.undo()>"Undo"</button>
                </div>
            })
        })
    };
    let warnings = move || {
        state.outcome.with(|o| {
            let first = o.problems.first().filter(|_| !o.is_stale())?;
            Some(view! { <div class="notice" id="warnings" role="status"><pre>{format!("Note: {first}")}</pre></div> })
        })
    };
    view! {
        <div class="notices">
            {live_part(stale)}
            {live_part(warnings)}
            {live_part(cut)}
            {live_part(notice)}
            <AskDuration/>
        </div>
    }
}

/// Asks for the execution time that a config does not hold.
#[component]
fn AskDuration() -> impl IntoView {
    let state = app();
    let text = RwSignal::new("10 ms".to_owned());
    let error = RwSignal::new(None::<String>);
    let answer = move |event: ev::SubmitEvent| {
        event.prevent_default();
        match quantity::parse(Unit::Time, &text.get_untracked()) {
            Ok(0) => error.set(Some("0: a block runs for at least 1 ns".to_owned())),
            Ok(ns) => {
                if let Some(pending) = state.needs_duration.get_untracked() {
                    state.needs_duration.set(None);
                    open_text(state, &pending.name, pending.text, Some(ns));
                }
            }
            Err(message) => error.set(Some(message)),
        }
    };
    move || {
        state.needs_duration.get().map(|pending| {
            view! {
                <form class="notice ask" id="ask-duration" on:submit=answer novalidate>
                    <pre>{pending.question}</pre>
                    <label>
                        "Time per block "
                        <input
                            type="text"
                            size="9"
                            prop:value=live_text(move || text.get())
                            on:input=move |event| {
                                text.set(event_target_value(&event));
                                error.set(None);
                            }
                        />
                    </label>
                    <button class="primary">"Open"</button>
                    <button type="button" on:click=move |_| state.needs_duration.set(None)>"Cancel"</button>
                    <span class="field-error" role="alert">{live_part(move || error.get())}</span>
                </form>
            }
        })
    }
}
