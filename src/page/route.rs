//! Pages by their addresses: `#/` is Explore, `#/lab` the run; `#/batch`, `#/class`, `#/policy`, `#/sweep`, `#/trace`. The plain address
//! is the page that the reader begins with.
//!
//! Invariants: the address names the page that is shown, so that a reload, a link and the browser's back button lead where they
//! should; so does the document's title.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::explore;
use crate::panels::host::{Tools, title_id};
use crate::panels::tool_panels::ToolContent;
use crate::state::page::{Page, question};
use crate::state::storage;
use blockstep_tools::ToolId;
use blockstep_tools::tool::Event;

pub(super) fn is_route(hash: &str) -> bool {
    hash.starts_with("#/")
}

fn hash() -> String {
    window().location().hash().unwrap_or_default()
}

/// The page of an address that names no other one is the run.
fn page_of(hash: &str) -> Page {
    hash.strip_prefix("#/").and_then(Page::from_word).unwrap_or(Page::Run)
}

/// Shows the page that the address names.
fn follow(tools: Tools) {
    let hash = hash();
    let page = page_of(&hash);
    if let Some(word) = hash.strip_prefix("#/").filter(|word| Page::from_word(word).is_none()) {
        let name: String = word.chars().take(40).collect();
        tools.state.messages.complain(format!("There is no page “{name}” here. This is the run."));
    }
    if tools.page.get_untracked() != page {
        tools.show_page(page, &Event::Opened(String::new()));
    }
    open_question(tools, &hash, false);
}

/// Opens the question of Explore that the address names.
fn open_question(tools: Tools, hash: &str, is_arriving: bool) {
    let Some(id) = hash.strip_prefix("#/").and_then(question) else { return };
    if !explore::open_named(tools.state, id, is_arriving) {
        let id: String = id.chars().take(40).collect();
        tools.state.messages.complain(format!("There is no question “{id}” here."));
    }
}

/// Follows the address, and has it follow the page.
pub(super) fn start(tools: Tools, first: Page) {
    // Any other one is shown by following its address, which tells its model.
    if first.has_run() {
        tools.page.set(first);
    }
    Effect::new(move |_| {
        if let Some(root) = document().document_element() {
            // The name of an attribute.
            let _ = match tools.page.get() {
                Page::Run => root.remove_attribute("data-page"),
                page => root.set_attribute("data-page", if page == Page::Explore { "explore" } else { page.word() }),
            };
        }
    });
    if storage::is_embedded() {
        return;
    }
    let title = document().title();
    let begun = hash();
    if is_route(&begun) {
        open_question(tools, &begun, true);
        follow(tools);
        // What is written in an address is chosen.
        if first.has_run() {
            storage::keep_first_page(first.word());
        }
    } else if first == Page::Explore {
        storage::keep_first_page(first.word());
        set_address("#/", false);
    }
    let listener = window_event_listener_untyped("hashchange", move |_| follow(tools));
    on_cleanup(move || listener.remove());
    Effect::new(move |last: Option<Page>| {
        let page = tools.page.get();
        if last.is_some_and(|last| last != page) && page.has_run() {
            storage::keep_first_page(page.word());
        }
        let of_model = |model: ToolId| format!("{} · Blockstep", model.info().title);
        document().set_title(&page.model().map_or_else(|| title.clone(), of_model));
        if page_of(&hash()) != page {
            match page {
                Page::Run => set_address(&window().location().pathname().unwrap_or_default(), true),
                page => set_address(&format!("#/{}", page.word()), true),
            }
        }
        page
    });
}

/// Changes the address, as a step that the browser's back button takes back if it `is_step`.
fn set_address(address: &str, is_step: bool) {
    // Some pages may not change their address; then it stays as it is.
    let _ = window().history().and_then(|history| {
        if is_step {
            history.push_state_with_url(&JsValue::NULL, "", Some(address))
        } else {
            history.replace_state_with_url(&JsValue::NULL, "", Some(address))
        }
    });
}

/// The page that is shown, where it is not the run, with the way back.
#[component]
pub(super) fn PagePanel(tools: Tools) -> impl IntoView {
    let panel = move |model: ToolId| {
        let info = model.info();
        view! {
            <section class="panel tool is-page" id=format!("tool-{}", info.name) data-tool=info.name aria-labelledby=title_id(info)>
                <div class="tool-head">
                    <h2 id=title_id(info) tabindex="-1">{info.title}</h2>
                    <a class="back-to-run" href="#/lab">"Back to the run"</a>
                    <button class="icon small" aria-label="Close" title="Close" on:click=move |_| tools.dismiss(model)>"×"</button>
                </div>
                <ToolContent tools=tools tool=model />
            </section>
        }
    };
    move || tools.page.get().model().map(panel)
}
