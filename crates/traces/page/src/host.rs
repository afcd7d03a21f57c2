//! What the page around this one does for it: all that is known of that here.

use leptos::prelude::*;

/// What the page does for this one.
#[derive(Clone, Copy)]
pub struct TraceHost {
    /// Whether it is shown in dark colors.
    pub is_dark: Signal<bool>,
    /// Opens files that a reader takes for traces.
    pub on_files: Callback<Vec<web_sys::File>>,
    /// Opens a scenario file that was made of a trace: its text, and what it is called.
    pub on_scenario: Callback<(String, String)>,
    /// Puts a text on the clipboard.
    pub on_copy: Callback<String>,
    /// The link to runs measured on a GPU, whose logs open here, too.
    pub measured_link: Callback<(), AnyView>,
}
