//! The texts of the list of keys and gestures. Depends on Leptos, for the paragraphs with code and links in them. Commands
//! bring their own titles and keys.

use leptos::prelude::*;

pub(crate) const TITLE: &str = "Keys and gestures";

// Gestures.

pub(crate) const ON_TIMELINE: &str = "On the timeline";

/// What the pointer does on the timeline.
pub(crate) const GESTURES: [(&str, &str); 10] = [
    ("Ctrl + wheel, pinch", "Zoom around the pointer"),
    ("Drag, Shift + wheel", "Pan"),
    ("Double click", "Fit the whole run"),
    ("Click a block", "Ask why it started there and then"),
    ("Click a gap", "Ask why nothing runs there"),
    ("Drag a launch arrow", "Move the kernel's start"),
    ("Drag the end of a block", "Change the kernel's time per block"),
    ("Drag an operation in the queues", "Move its kernel to another stream"),
    ("By finger: tap a kernel, then drag", "The same"),
    ("Click the axis, drag the line", "Go to that time"),
];

// Numbers.

pub(crate) fn units() -> impl IntoView {
    view! {
        "As in the papers' tables, a number without a unit means seconds, bytes or a count. You can also write " <code>"200 ms"</code> ", "
        <code>"32KB"</code> " and " <code>"1,024"</code> "."
    }
}

// Teachers.

pub(crate) const FOR_TEACHERS: &str = "For teachers";

/// `class_results` makes a link of what it is given.
pub(crate) fn teaching<L: IntoView>(class_results: impl FnOnce(&'static str) -> L) -> impl IntoView {
    view! {
        "Make an exercise (Tools) turns any run into a quiz, as a link or a file. " {class_results("Class results")}
        " makes a table of the results that students saved. docs/teaching.md says more."
    }
}

// Trouble.

pub(crate) const FOR_TROUBLE: &str = "If the page is old or broken";
pub(crate) const TROUBLE: &str = "Your browser keeps the page for use without network. This loads it anew. Your work stays.";
pub(crate) const NOTICES: &str = "Licenses of what the page is made of";
pub(crate) const RELOAD: &str = "Reload without cache";
