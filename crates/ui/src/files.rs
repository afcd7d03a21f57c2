//! A button that opens files.
//!
//! Invariant: the same file can be picked again.

use leptos::prelude::*;
use web_sys::{File, FileList, HtmlInputElement};

/// The button, with the hidden field that asks for files, one or several.
#[component]
pub fn FilePicker(
    #[prop(optional)] id: Option<&'static str>,
    #[prop(optional)] class: Option<&'static str>,
    label: &'static str,
    field: &'static str,
    name: &'static str,
    /// The kinds of files that are offered, as the browser has them.
    accept: &'static str,
    #[prop(into)] on_files: Callback<Vec<File>>,
) -> impl IntoView {
    let input = NodeRef::<leptos::html::Input>::new();
    let on_click = move |_| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let on_change = move |input: HtmlInputElement| {
        if let Some(files) = input.files() {
            on_files.run(listed(&files));
        }
        input.set_value("");
    };
    view! {
        <button type="button" id=id class=class on:click=on_click>{label}</button>
        <input
            id=field
            type="file"
            accept=accept
            multiple
            hidden
            aria-label=name
            node_ref=input
            on:change:target=move |event| on_change(event.target())
        />
    }
}

/// A list of files of the browser's, which may be emptied later, as a list of its own.
pub fn listed(files: &FileList) -> Vec<File> {
    (0..files.length()).filter_map(|i| files.get(i)).collect()
}
