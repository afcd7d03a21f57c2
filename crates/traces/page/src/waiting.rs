//! That a question about the open trace takes long, where its answer will appear, with a way to cancel it.
//!
//! Invariant: nothing is there of what is answered within a second.

use leptos::prelude::*;

use crate::state::{TraceState, Where};
use blockstep_ui::busy_line;

/// The line at a place. To cancel ends the worker, which has the file, and opens that anew.
pub(crate) fn waits(trace: TraceState, place: Where) -> impl IntoView {
    let is_slow = Memo::new(move |_| trace.slow() == Some(place));
    move || is_slow.get().then(|| busy_line(move || trace.give_up()))
}
