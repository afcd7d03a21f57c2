//! What a cell of a table and a field of the document are typed into.
//!
//! Invariant: what is typed stays as it was typed until the control is left; then the control shows how it was read.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

/// A text that is read at every keystroke.
#[component]
pub fn QuantityInput(
    #[prop(into)] text: Signal<String>,
    /// What is being typed; nothing once it is left.
    draft: RwSignal<Option<String>>,
    #[prop(into)] is_wrong: Signal<bool>,
    error_id: String,
    #[prop(into)] on_input: Callback<String>,
    /// Told when it is left, of what was typed if anything was.
    #[prop(into)]
    on_leave: Callback<Option<String>>,
    /// Undo (or redo, if false) was asked for while nothing was being typed.
    #[prop(into)]
    on_undo: Callback<bool>,
    /// Enter and the arrows up and down lead to the rows below (true) and above.
    #[prop(optional, into)]
    on_row: Option<Callback<bool>>,
    /// Text was pasted; true if that is dealt with.
    #[prop(optional, into)]
    on_paste: Option<Callback<String, bool>>,
    #[prop(optional, into)] id: Option<String>,
    /// Its place in a table, for those who look for it.
    #[prop(optional, into)]
    cell: Option<String>,
    /// What it is, where no label says so.
    #[prop(optional, into)]
    label: Option<Signal<String>>,
    /// What an empty one stands for.
    #[prop(default = "")]
    placeholder: &'static str,
    #[prop(optional_no_strip)] list: Option<&'static str>,
    #[prop(default = false)] is_number: bool,
) -> impl IntoView {
    let typing = move |text: String| {
        draft.set(Some(text.clone()));
        on_input.run(text);
    };
    let leave = move |text: String| {
        // What has the focus when the page is taken away loses it when the page is gone.
        let Some(was_typed) = draft.try_with_untracked(Option::is_some) else { return };
        if was_typed {
            draft.set(None);
        }
        on_leave.run(was_typed.then_some(text));
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else { return };
        let is_undo = (event.ctrl_key() || event.meta_key()) && draft.with_untracked(Option::is_none);
        match (event.key().as_str(), on_row) {
            (key @ ("Enter" | "ArrowDown" | "ArrowUp"), Some(on_row)) => {
                event.prevent_default();
                leave(input.value());
                on_row.run(key != "ArrowUp");
            }
            ("Escape", _) => {
                draft.set(None);
                // Cannot fail on an element of this document.
                let _ = input.blur();
            }
            (key @ ("z" | "y" | "Z"), _) if is_undo => {
                event.prevent_default();
                on_undo.run(key == "z" && !event.shift_key());
            }
            _ => {}
        }
    };
    let paste = move |event: ev::ClipboardEvent| {
        let Some(on_paste) = on_paste else { return };
        let pasted = event.clipboard_data().and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
        if on_paste.run(pasted) {
            event.prevent_default();
            draft.set(None);
        }
    };
    view! {
        <input
            type="text"
            id=id
            data-cell=cell
            autocomplete="off"
            spellcheck="false"
            class=is_number.then_some("numeric")
            placeholder=(!placeholder.is_empty()).then_some(placeholder)
            list=list
            aria-label=move || label.map(|label| label.get())
            aria-invalid=move || is_wrong.get().to_string()
            aria-describedby=error_id
            prop:value=move || draft.get().unwrap_or_else(|| text.get())
            on:input:target=move |event| typing(event.target().value())
            on:change:target=move |event| leave(event.target().value())
            on:focusout:target=move |event| leave(event.target().value())
            on:keydown=on_key
            on:paste=paste
        />
    }
}
