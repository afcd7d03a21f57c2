//! The list of keys and gestures.
//!
//! Depends on the table of commands. Invariant: it lists every key that a command has.

use leptos::prelude::*;

use crate::app::commands::{Command, KEYS};
use crate::app::state::settings::Settings;

/// What the pointer does on the timeline.
const GESTURES: [(&str, &str); 5] = [
    ("Wheel or pinch", "Zoom around the pointer"),
    ("Drag, Shift + wheel", "Pan"),
    ("Double click", "Fit the whole run"),
    ("Click a block", "Select its kernel in every panel"),
    ("Click the axis, drag the line", "Go to that time"),
];

/// The dialog; it opens and closes as the state says.
#[component]
pub(super) fn Help() -> impl IntoView {
    let settings = expect_context::<Settings>();
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    Effect::new(move |_| {
        let (is_open, Some(dialog)) = (settings.help_open.get(), dialog.get()) else { return };
        match (is_open, dialog.open()) {
            // Fails only where it is shown already.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let key = |command: &Command| view! { <kbd>{command.key_name()}</kbd> " " };
    let keys = KEYS.iter().map(|(commands, what)| {
        view! { <tr><th scope="row">{commands.iter().map(key).collect_view()}</th><td>{*what}</td></tr> }
    });
    let gestures = GESTURES.map(|(gesture, what)| view! { <tr><th scope="row"><kbd>{gesture}</kbd></th><td>{what}</td></tr> });
    view! {
        <dialog id="keys" class="help" aria-label="Keys and gestures" node_ref=dialog on:close=move |_| settings.help_open.set(false)>
            <h2>"Keys and gestures"</h2>
            <table><tbody>{keys.collect_view()}</tbody></table>
            <h3>"On the timeline"</h3>
            <table><tbody>{gestures.collect_view()}</tbody></table>
            <p>
                "A number without a unit is in seconds, bytes or pieces, as in the papers' tables; " <code>"200 ms"</code> ", "
                <code>"32KB"</code> " and " <code>"1,024"</code> " work too."
            </p>
            <form method="dialog"><button class="primary">"Close"</button></form>
        </dialog>
    }
}
