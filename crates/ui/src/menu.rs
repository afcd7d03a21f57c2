//! A menu: a title that opens a list of entries.
//!
//! Invariants: a choice closes the menu before anything is told of it, so that what is told may move the focus; an open menu closes on
//! Escape, on a click elsewhere and when another opens, and keeps its keys to itself; what an entry stands for is the caller's own
//! type.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node};

#[derive(Clone)]
pub struct MenuEntry<T> {
    pub value: T,
    /// The name of the tool that it opens, if it opens one.
    pub opens: Option<&'static str>,
    pub title: &'static str,
    pub help: String,
}

/// A menu; an entry that is chosen closes it.
#[component]
pub fn Menu<T: Copy + 'static>(
    title: &'static str,
    /// What can be chosen, from top to bottom.
    entries: Vec<MenuEntry<T>>,
    #[prop(into)] on_choose: Callback<T>,
) -> impl IntoView {
    let details = NodeRef::<leptos::html::Details>::new();
    let close = move || {
        if let Some(details) = details.get_untracked().filter(web_sys::HtmlDetailsElement::open) {
            details.set_open(false);
        }
    };
    let outside = window_event_listener(ev::pointerdown, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Node>().ok());
        let is_inside = details.try_get_untracked().flatten().is_some_and(|details| details.contains(target.as_ref()));
        if !is_inside && !details.is_disposed() {
            close();
        }
    });
    on_cleanup(move || outside.remove());
    let on_key = move |event: ev::KeyboardEvent| {
        let Some(menu) = details.get_untracked().filter(web_sys::HtmlDetailsElement::open) else { return };
        let step = match event.key().as_str() {
            "Escape" => {
                close();
                focus(menu.query_selector("summary").ok().flatten());
                None
            }
            "ArrowDown" => Some(1),
            "ArrowUp" => Some(-1),
            // What the browser does with the others is right; the run behind the menu stays as it is.
            "Tab" | "Enter" | " " => return,
            _ => None,
        };
        event.stop_propagation();
        event.prevent_default();
        if let (Some(step), Ok(entries)) = (step, menu.query_selector_all("button")) {
            let active = document().active_element();
            let is_active = |i: &i32| {
                entries.item(*i as u32).is_some_and(|entry| active.as_ref().is_some_and(|active| active.is_same_node(Some(&entry))))
            };
            let count = entries.length() as i32;
            let next = (0..count).find(is_active).map_or(if step > 0 { 0 } else { count - 1 }, |i| (i + step).rem_euclid(count.max(1)));
            focus(entries.item(next as u32).and_then(|entry| entry.dyn_into().ok()));
        }
    };
    let entry = move |entry: MenuEntry<T>| {
        let on_click = move |_| {
            close();
            on_choose.run(entry.value);
        };
        view! {
            <button data-open-tool=entry.opens on:click=on_click>
                <b>{entry.title}</b>
                <span class="quiet">{entry.help}</span>
            </button>
        }
    };
    // Menus of one name close each other.
    view! {
        <details class="menu" name="menu" node_ref=details on:keydown=on_key>
            <summary>{title}</summary>
            <div class="menu-list">{entries.into_iter().map(entry).collect_view()}</div>
        </details>
    }
}

fn focus(element: Option<web_sys::Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Cannot fail on an element of this document.
        let _ = element.focus();
    }
}
