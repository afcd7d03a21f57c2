//! A menu: a title that opens a list of entries.
//!
//! Depends on Leptos and the browser. Invariants: a choice closes the menu before anything is told of it, so that what is
//! told may move the focus; what an entry stands for is the caller's own type.

use leptos::prelude::*;

/// An entry of a menu.
#[derive(Clone)]
pub(crate) struct MenuEntry<T> {
    /// What it stands for.
    pub(crate) value: T,
    /// Its id, if something links to it.
    pub(crate) id: Option<&'static str>,
    /// The name of the tool that it opens, if it opens one.
    pub(crate) opens: Option<&'static str>,
    /// Its name.
    pub(crate) title: &'static str,
    /// What it is for, in a few words.
    pub(crate) help: String,
}

/// A menu; an entry that is chosen closes it.
#[component]
pub(crate) fn Menu<T: Copy + 'static>(
    /// What it is called.
    title: &'static str,
    /// What can be chosen, from top to bottom.
    entries: Vec<MenuEntry<T>>,
    /// Told what the reader chose.
    #[prop(into)]
    on_choose: Callback<T>,
) -> impl IntoView {
    let details = NodeRef::<leptos::html::Details>::new();
    let entry = move |entry: MenuEntry<T>| {
        let on_click = move |_| {
            if let Some(details) = details.get_untracked() {
                details.set_open(false);
            }
            on_choose.run(entry.value);
        };
        view! {
            <button id=entry.id data-open-tool=entry.opens on:click=on_click>
                <b>{entry.title}</b>
                <span class="quiet">{entry.help}</span>
            </button>
        }
    };
    view! {
        <details class="menu" node_ref=details>
            <summary>{title}</summary>
            <div class="menu-list">{entries.into_iter().map(entry).collect_view()}</div>
        </details>
    }
}
