//! Cells of a spreadsheet, shown as they would be read, before they are taken.
//!
//! Invariant: nothing changes before the reader says so.

use leptos::prelude::*;

use crate::state::AppState;
use crate::state::fence::Refusal;
use crate::state::messages::Cells;
use blockstep_sim::scenario::Draft;
use blockstep_ui::{CellChoices, Dialog, cells_preview};
use blockstep_view::document::{Document, PasteInto, Preview};
use blockstep_view::quantity::format_count;
use blockstep_view::table::Table;

/// The dialog; it is open while cells wait.
#[component]
pub(super) fn SheetPreview() -> impl IntoView {
    let state = expect_context::<AppState>();
    let cells = state.messages.cells;
    let preview = Memo::new(move |_| cells.with(|cells| cells.as_ref().map(|cells| read(state, cells))));
    let table = Memo::new(move |_| preview.with(|preview| preview.as_ref().map(|preview| preview.table.clone()).unwrap_or_default()));
    // What does not change while the reader chooses: whose cells they are.
    let source = Memo::new(move |_| {
        cells.with(|cells| cells.as_ref().map(|cells| (cells.file.clone(), cells.table, cells.waiting.row, cells.waiting.column)))
    });
    let close = move || cells.set(None);
    let take = move |_| {
        // The cells stay here until the quiz is over.
        if state.fence.refuses(Refusal::Edit) {
            return;
        }
        let (Some(waiting), Some(preview)) = (cells.get_untracked(), preview.get_untracked()) else { return };
        take_cells(state, &waiting, preview);
        close();
    };
    let on_choice = Callback::new(move |choice| {
        cells.update(|cells| {
            if let Some(cells) = cells {
                cells.waiting.choose(cells.table.columns(), choice);
            }
        });
    });
    let content = move || {
        source.get().map(|(file, of, row, column)| {
            let choices = CellChoices { whole: whole(state, &file, of), part: part(&file, of, row, column), on_choice };
            let label = move || match (table.with(|table| table.replaces), file.is_some()) {
                (true, true) => "Open as a new scenario",
                (false, true) => "Add to the table",
                (_, false) => "Paste",
            };
            view! {
                {cells_preview(table, of.columns(), choices)}
                <div class="tool-row">
                    <button
                        type="button"
                        class="primary"
                        id="preview-take"
                        autofocus=true
                        disabled=move || table.with(|table| !table.can_be_taken())
                        on:click=take
                    >
                        {label}
                    </button>
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
            is_open=Signal::derive(move || source.with(Option::is_some))
            on_close=move |()| close()
        >
            {content}
        </Dialog>
    }
}

/// What the cells would come to.
fn read(state: AppState, cells: &Cells) -> Preview {
    let sheet = cells.waiting.read(cells.table.columns());
    let document = state.document.get_untracked();
    match (cells.waiting.choices.replaces(&sheet), &cells.file) {
        // A file is a scenario of its own.
        (true, Some(_)) => Document::new(Draft::default()).preview(cells.table, PasteInto::All, &sheet),
        (true, None) => document.preview(cells.table, PasteInto::All, &sheet),
        (false, Some(_)) => document.preview(cells.table, PasteInto::RowsFrom(document.len(cells.table)), &sheet),
        (false, None) => document.preview(cells.table, PasteInto::RowsFrom(cells.waiting.row), &sheet),
    }
}

fn take_cells(state: AppState, cells: &Cells, preview: Preview) {
    let (told, replaces) = (preview.pasted.told(), preview.table.replaces);
    let mut document = preview.document;
    let opened = match (&cells.file, replaces) {
        (Some(file), true) => {
            document.rest.name = file.rsplit_once('.').map_or(&**file, |(stem, _)| stem).to_owned();
            format!("Opened {file}:")
        }
        (Some(_), false) => "Added".to_owned(),
        (None, _) => "Pasted".to_owned(),
    };
    let is_taken = if replaces && cells.table == Table::Kernels {
        state.desk.touch(&state.document.get_untracked());
        state.open(document, None)
    } else {
        state.document.try_edit(None, |d| *d = document)
    };
    if is_taken {
        state.messages.say(format!("{opened} {told}"));
    }
}

/// What it means that the cells take the place of all rows.
fn whole(state: AppState, file: &Option<String>, table: Table) -> String {
    let rows = state.document.with_untracked(|d| d.len(table));
    match (file, table) {
        (Some(_), _) => "As a new scenario".to_owned(),
        (None, Table::Kernels) => format!("Replace all: {} with their tasks and streams", counted(rows, "kernel")),
        (None, Table::Tasks) => format!("Replace all: {}", counted(rows, "task")),
        (None, Table::Processes) => format!("Replace all: {}", counted(rows, "process")),
        (None, Table::Batches) => format!("Replace all: {}", counted(rows, "batch")),
    }
}

/// What it means that they do not.
fn part(file: &Option<String>, table: Table, row: usize, column: usize) -> String {
    match file {
        Some(_) => "Below the rows of this one".to_owned(),
        None => {
            format!("Overwrite cells only, from row {}, column {}", row + 1, table.columns().get(column).map_or("", |column| column.title))
        }
    }
}

fn counted(rows: usize, what: &str) -> String {
    let plural = match (what, rows) {
        (_, 1) => "",
        ("process" | "batch", _) => "es",
        _ => "s",
    };
    format!("{} {what}{plural}", format_count(rows as u64))
}
