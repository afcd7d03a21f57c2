//! The button that opens and closes a part of the panel, or of what stands under the timeline.
//!
//! Invariant: it says whether the part is open.

use leptos::prelude::*;

use crate::panels::panel::StateForm;
use blockstep_tools::measured::{Fold, Measured};

pub(super) fn fold_button(form: StateForm<Measured>, fold: Fold, title: &'static str, is_open: bool) -> impl IntoView {
    view! {
        <button
            type="button"
            class="measured-fold"
            aria-expanded=is_open.to_string()
            on:click=move |_| form.edit(|state| state.toggle(fold))
        >
            {title}
        </button>
    }
}
