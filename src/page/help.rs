//! The list of keys and gestures.
//!
//! Invariant: it lists every key that a command has.

use leptos::prelude::*;

use super::desk::AllAside;
use crate::state::settings::Settings;
use blockstep_tools::commands::{Command, KEYS};
use blockstep_ui::Dialog;

/// What the pointer does on the timeline.
const GESTURES: [(&str, &str); 10] = [
    ("Ctrl + wheel, pinch", "Zoom around the pointer"),
    ("Drag, Shift + wheel", "Pan"),
    ("Double click", "Fit the whole run"),
    ("Click a block", "Ask why it started there and then"),
    ("Click a gap", "Ask why nothing runs there"),
    ("Drag a launch arrow", "Move the kernel's start"),
    ("Drag the end of a block", "Change the kernel's time per block"),
    ("Drag an operation in the queues", "Move its kernel to another stream"),
    ("With a finger: tap a kernel, then drag", "The same"),
    ("Click the axis, drag the line", "Go to that time"),
];

/// The dialog; it opens and closes as the state says.
#[component]
pub(super) fn Help() -> impl IntoView {
    let settings = expect_context::<Settings>();
    let key = |command: &Command| view! { <kbd>{command.key_name()}</kbd> " " };
    let line = |(commands, what): &(&[Command], &'static str)| {
        view! { <tr><th scope="row">{commands.iter().map(key).collect_view()}</th><td>{*what}</td></tr> }
    };
    let keys = KEYS.iter().map(line).collect_view();
    let gestures =
        GESTURES.map(|(gesture, what)| view! { <tr><th scope="row"><kbd>{gesture}</kbd></th><td>{what}</td></tr> }).collect_view();
    view! {
        <Dialog
            id="keys"
            class="help"
            title="Keys and gestures"
            is_open=settings.help_open
            on_close=move |()| settings.help_open.set(false)
        >
            <table><tbody>{keys}</tbody></table>
            <h3>"On the timeline"</h3>
            <table><tbody>{gestures}</tbody></table>
            <p>
                "As in the papers' tables, a number without a unit means seconds, bytes or a count. You can also write " <code>"200 ms"</code>
                ", " <code>"32KB"</code> " and " <code>"1,024"</code> "."
            </p>
            <label class="tick">
                <input
                    type="checkbox"
                    id="motion"
                    prop:checked=move || settings.is_moving.get()
                    on:change:target=move |event| settings.is_moving.set(event.target().checked())
                />
                " Show blocks and copies moving on a step"
            </label>
            <h3>"For teachers"</h3>
            <p>
                "Make an exercise (Tools) turns any run into a quiz, as a link or a file. "
                <a href="#/class" on:click=move |_| settings.help_open.set(false)>"Class results"</a>
                " makes a table of the results that students saved. A "
                <a href="learn/guide-teaching.html">"guide for teachers"</a>
                " says more."
            </p>
            <h3>"If the page is old or broken"</h3>
            // The loader, public/boot.js, listens to it: it is there before all that could be kept wrongly.
            <p>
                "Your browser keeps the page for use without a network. Reload the latest version; your work is kept. "
                <button type="button" class="small" id="reload-without-cache">"Reload without cache"</button>
            </p>
            <AllAside />
            <p><a id="licenses" href="third-party.txt" target="_blank" rel="noopener">"Third-party licenses"</a></p>
        </Dialog>
    }
}
