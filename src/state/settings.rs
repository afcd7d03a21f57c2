//! How the page looks, and what of it is shown.
//!
//! Depends on the browser. Invariant: nothing here changes what a run is.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::storage;
use blockstep_tools::stored::{Panes, Theme};

/// How much larger the timeline is in the presenter view, and in a window so low that the queues need the room.
const PRESENTED: f64 = 1.5;
const PRESENTED_LOW: f64 = 1.2;

/// Lower windows are low, px.
const LOW_PX: f64 = 760.0;

/// How the page looks; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) theme: RwSignal<Theme>,
    is_system_dark: RwSignal<bool>,
    is_printing: RwSignal<bool>,
    pub(crate) help_open: RwSignal<bool>,
    pub(crate) scenarios_open: RwSignal<bool>,
    /// Whether what comes after the current step is hidden.
    pub(crate) is_future_hidden: RwSignal<bool>,
    /// Whether only timeline and queues are shown, and large.
    pub(crate) is_presenting: RwSignal<bool>,
    /// Whether the path of a submission is shown in place of the queues, where processes take turns.
    pub(crate) is_path_shown: RwSignal<bool>,
    /// How large the reader has made the parts of the page.
    pub(crate) panes: RwSignal<Panes>,
    /// Whether many SMs share lanes of the timeline.
    pub(crate) are_sms_grouped: RwSignal<bool>,
    /// Whether what a step moves is seen to move, as the reader wants it.
    pub(crate) is_moving: RwSignal<bool>,
    is_calm: RwSignal<bool>,
    /// How high the browser's window is, px.
    pub(crate) window_height: RwSignal<f64>,
}

impl Settings {
    pub(super) fn new(theme: Theme) -> Self {
        Self {
            theme: RwSignal::new(theme),
            is_system_dark: matches_media("(prefers-color-scheme: dark)"),
            is_printing: matches_media("print"),
            help_open: RwSignal::new(false),
            scenarios_open: RwSignal::new(false),
            is_future_hidden: RwSignal::new(false),
            is_presenting: RwSignal::new(false),
            is_path_shown: RwSignal::new(false),
            panes: RwSignal::new(storage::panes()),
            are_sms_grouped: RwSignal::new(true),
            is_moving: RwSignal::new(!storage::is_still()),
            is_calm: matches_media("(prefers-reduced-motion: reduce)"),
            window_height: window_height(),
        }
    }

    /// How much larger than usual the timeline is.
    pub(crate) fn magnification(self) -> f64 {
        match self.is_presenting.get() {
            true if self.window_height.get() < LOW_PX => PRESENTED_LOW,
            true => PRESENTED,
            false => 1.0,
        }
    }

    /// Whether what is shown is printed.
    pub(crate) fn is_on_paper(self) -> bool {
        self.is_printing.get()
    }

    /// Whether what a step moves is seen to move: neither reader nor system wants it otherwise.
    pub(crate) fn shows_motion(self) -> bool {
        self.is_moving.get() && !self.is_calm.get()
    }

    /// Whether it is shown in dark colors; on paper never.
    pub(crate) fn is_dark(self) -> bool {
        if self.is_on_paper() {
            return false;
        }
        match self.theme.get() {
            Theme::System => self.is_system_dark.get(),
            Theme::Light => false,
            Theme::Dark => true,
        }
    }
}

/// How high the browser's window is, px, followed as it changes.
fn window_height() -> RwSignal<f64> {
    let height = move || window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(900.0);
    let signal = RwSignal::new(height());
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        // The page may be gone in tests.
        let _ = signal.try_set(height());
    });
    on_cleanup(move || resized.remove());
    signal
}

/// Whether a query of the medium holds, followed as it changes.
fn matches_media(query: &str) -> RwSignal<bool> {
    use wasm_bindgen::closure::Closure;

    let query = window().match_media(query).ok().flatten();
    let holds = RwSignal::new(query.as_ref().is_some_and(web_sys::MediaQueryList::matches));
    if let Some(query) = query {
        let on_change = Closure::<dyn FnMut(web_sys::MediaQueryListEvent)>::new(move |e: web_sys::MediaQueryListEvent| {
            // The page may be gone in tests.
            let _ = holds.try_set(e.matches());
        });
        if query.add_event_listener_with_callback("change", on_change.as_ref().unchecked_ref()).is_ok() {
            on_change.forget();
        }
    }
    holds
}
