//! A dialog over the page.
//!
//! The browser's own `<dialog>` keeps the focus inside and closes at Escape. Invariant: it is open when its signal says so; however it
//! is closed, `on_close` is told.

use leptos::prelude::*;

/// A dialog with a title and a button that closes it.
#[component]
pub fn Dialog(
    id: &'static str,
    class: &'static str,
    title: &'static str,
    #[prop(into)] is_open: Signal<bool>,
    /// The button that closes it, where the dialog has another button that matters more.
    #[prop(optional)]
    cancel: Option<&'static str>,
    /// Told when it was closed: by the button, by Escape, or by the signal.
    #[prop(into)]
    on_close: Callback<()>,
    /// What stands between the title and the button.
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    let close = NodeRef::<leptos::html::Button>::new();
    Effect::new(move |_| {
        let (is_open, Some(dialog)) = (is_open.get(), dialog.get()) else { return };
        match (is_open, dialog.open()) {
            (true, false) => {
                // Fails only where it is shown already.
                drop(dialog.show_modal());
                // Enter closes what was opened by a key, whatever links stand before the button, unless something asks to be first.
                let has_first = dialog.query_selector("[autofocus]").is_ok_and(|first| first.is_some());
                if let Some(close) = close.get_untracked().filter(|_| !has_first) {
                    // An element that takes the focus.
                    let _ = close.focus();
                }
                // The button that has the focus may stand below what is in sight.
                dialog.set_scroll_top(0);
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog id=id class=class aria-label=title node_ref=dialog on:close=move |_| on_close.run(())>
            <h2>{title}</h2>
            {children()}
            <form method="dialog">
                <button class=cancel.is_none().then_some("primary") node_ref=close>{cancel.unwrap_or("Close")}</button>
            </form>
        </dialog>
    }
}
