//! The list of keys and gestures.
//!
//! Depends on `state`. Invariant: it lists every key that `keys` knows.

use leptos::html;
use leptos::prelude::*;

use super::state::app;

const KEYS: &[(&str, &str)] = &[
    ("→  ←", "One step forward, one step back"),
    (".  ,", "To the end of the next instant, of the previous instant"),
    ("Home  End", "Before the first step, after the last"),
    ("Space", "Play or pause"),
    ("W  S", "Zoom the timeline in and out"),
    ("A  D", "Pan the timeline to the left and to the right"),
    ("F", "Fit the whole run"),
    ("Ctrl+Z  Ctrl+Y", "Undo and redo any edit"),
    ("Esc", "Select nothing, close this list"),
    ("?", "This list"),
];

const GESTURES: &[(&str, &str)] = &[
    ("Wheel or pinch", "Zoom around the pointer"),
    ("Drag, Shift + wheel", "Pan"),
    ("Double click", "Fit the whole run"),
    ("Click a block", "Select its kernel in every panel"),
    ("Click the axis, drag the line", "Go to that time"),
];

/// The dialog, open while the state says so.
#[component]
pub(super) fn Help() -> impl IntoView {
    let state = app();
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let open = state.help_open.get();
        let Some(dialog) = dialog.get() else { return };
        match (open, dialog.open()) {
            // Fails only where it is shown already.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let rows = |list: &'static [(&str, &str)]| {
        list.iter()
            .map(|(keys, what)| {
                let keys = keys.split("  ").map(|key| view! { <kbd>{key}</kbd>" " }).collect_view();
                view! { <tr><th scope="row">{keys}</th><td>{*what}</td></tr> }
            })
            .collect_view()
    };
    view! {
        <dialog node_ref=dialog class="help" aria-labelledby="help-title" on:close=move |_| state.help_open.set(false)>
            <h2 id="help-title">"Keys and gestures"</h2>
            <table><tbody>{rows(KEYS)}</tbody></table>
            <h3>"On the timeline"</h3>
            <table><tbody>{rows(GESTURES)}</tbody></table>
            <p>"A number without a unit is in seconds, bytes or pieces, as in the papers' tables; "<code>"200 ms"</code>", "<code>"32KB"</code>" and "<code>"1,024"</code>" work too."</p>
            <form method="dialog"><button class="primary">"Close"</button></form>
        </dialog>
    }
}
