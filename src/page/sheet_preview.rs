//! Cells of a spreadsheet, shown as they would be read, before they are taken.
//!
//! Invariant: nothing changes before the reader says so.

use leptos::prelude::*;

use crate::components::{Dialog, cells_preview};
use crate::state::AppState;
use crate::state::fence::Refusal;
use crate::state::messages::Cells;
use blockstep_sim::scenario::Draft;
use blockstep_view::document::Document;

/// The dialog; it is open while cells wait.
#[component]
pub(super) fn SheetPreview() -> impl IntoView {
    let state = expect_context::<AppState>();
    let cells = state.messages.cells;
    // A file is a scenario of its own; pasted cells go into the present one.
    let preview = Memo::new(move |_| {
        cells.with(|cells| {
            let Cells { file, text, table, row, column } = cells.as_ref()?;
            let base = if file.is_some() { Document::new(Draft::default()) } else { (*state.document.get_untracked()).clone() };
            Some(base.preview(*table, *row, *column, text))
        })
    });
    let close = move || cells.set(None);
    let take = move |_| {
        // The cells stay here until the quiz is over.
        if state.fence.refuses(Refusal::Edit) {
            return;
        }
        let (Some(waiting), Some(preview)) = (cells.get_untracked(), preview.get_untracked()) else { return };
        let told = preview.pasted.told();
        match waiting.file {
            Some(file) => {
                let mut document = preview.document;
                document.rest.name = file.rsplit_once('.').map_or(&*file, |(stem, _)| stem).to_owned();
                state.desk.touch(&state.document.get_untracked());
                if state.open(document, None) {
                    state.messages.say(format!("Opened {file}: {told}"));
                }
            }
            None => {
                if state.document.try_edit(None, |d| *d = preview.document) {
                    state.messages.say(format!("Pasted {told}"));
                }
            }
        }
        close();
    };
    let add = move |_| {
        if state.fence.refuses(Refusal::Edit) {
            return;
        }
        let Some(waiting) = cells.get_untracked() else { return };
        let mut told = String::new();
        if state.document.try_edit(None, |d| told = d.paste(waiting.table, d.len(waiting.table), 0, &waiting.text).told()) {
            state.messages.say(format!("Added {told}"));
        }
        close();
    };
    let content = move || {
        preview.get().map(|preview| {
            let is_file = cells.with_untracked(|cells| cells.as_ref().is_some_and(|cells| cells.file.is_some()));
            let label = if is_file { "Open as a new scenario" } else { "Paste" };
            let add = is_file.then(|| view! { <button type="button" id="preview-add" on:click=add>"Add to the table"</button> });
            view! {
                {cells_preview(&preview.table)}
                <div class="tool-row">
                    <button type="button" class="primary" id="preview-take" on:click=take>
                        {label}
                    </button>
                    {add}
                </div>
            }
        })
    };
    view! {
        <Dialog
            id="preview"
            class="help preview"
            title="Cells from a spreadsheet"
            cancel="Cancel"
            is_open=Signal::derive(move || cells.with(Option::is_some))
            on_close=move |()| close()
        >
            {content}
        </Dialog>
    }
}
