//! The list of keys and gestures.
//!
//! Depends on `state`. Invariant: it lists every key that `keys` knows.

use leptos::prelude::*;

use super::dynamic::{by_id, effect, listen};
use super::state::AppState;

/// What it says.
pub(super) const KEYS: &str = r#"<dialog id="keys" class="help" aria-labelledby="help-title"><h2 id="help-title">Keys and gestures</h2>
<table><tbody>
<tr><th scope="row"><kbd>→</kbd> <kbd>←</kbd></th><td>One step forward, one step back</td></tr>
<tr><th scope="row"><kbd>.</kbd> <kbd>,</kbd></th><td>To the end of the next instant, of the previous instant</td></tr>
<tr><th scope="row"><kbd>Home</kbd> <kbd>End</kbd></th><td>Before the first step, after the last</td></tr>
<tr><th scope="row"><kbd>Space</kbd></th><td>Play or pause</td></tr>
<tr><th scope="row"><kbd>W</kbd> <kbd>S</kbd></th><td>Zoom the timeline in and out</td></tr>
<tr><th scope="row"><kbd>A</kbd> <kbd>D</kbd></th><td>Pan the timeline to the left and to the right</td></tr>
<tr><th scope="row"><kbd>F</kbd></th><td>Fit the whole run</td></tr>
<tr><th scope="row"><kbd>C</kbd> <kbd>T</kbd> <kbd>Q</kbd></th><td>Compare runs, tours, predict</td></tr>
<tr><th scope="row"><kbd>U</kbd> <kbd>R</kbd> <kbd>G</kbd></th><td>Run until, rules, glossary</td></tr>
<tr><th scope="row"><kbd>P</kbd></th><td>Presenter view; there <kbd>PageDown</kbd> and <kbd>PageUp</kbd> go from stop to stop</td></tr>
<tr><th scope="row"><kbd>Ctrl+Z</kbd> <kbd>Ctrl+Y</kbd></th><td>Undo and redo any edit</td></tr>
<tr><th scope="row"><kbd>Esc</kbd></th><td>Select nothing, close this list</td></tr>
<tr><th scope="row"><kbd>?</kbd></th><td>This list</td></tr>
</tbody></table>
<h3>On the timeline</h3>
<table><tbody>
<tr><th scope="row"><kbd>Wheel or pinch</kbd></th><td>Zoom around the pointer</td></tr>
<tr><th scope="row"><kbd>Drag, Shift + wheel</kbd></th><td>Pan</td></tr>
<tr><th scope="row"><kbd>Double click</kbd></th><td>Fit the whole run</td></tr>
<tr><th scope="row"><kbd>Click a block</kbd></th><td>Select its kernel in every panel</td></tr>
<tr><th scope="row"><kbd>Click the axis, drag the line</kbd></th><td>Go to that time</td></tr>
</tbody></table>
<p>A number without a unit is in seconds, bytes or pieces, as in the papers' tables; <code>200 ms</code>, <code>32KB</code> and <code>1,024</code> work too.</p>
<form method="dialog"><button class="primary">Close</button></form></dialog>"#;

/// Opens and closes the dialog as the state says.
pub(super) fn start(state: AppState) {
    effect(move || {
        let open = state.help_open.get();
        let Some(dialog) = by_id::<web_sys::HtmlDialogElement>("keys") else { return };
        match (open, dialog.open()) {
            // Fails only where it is shown already.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    listen("keys", "close", move |_: &web_sys::Event| state.help_open.set(false));
}
