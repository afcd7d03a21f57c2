//! The tab of the workload: its table, its costs, and what is wrong with them.
//!
//! Invariant: what is typed in one cell stays while another is answered.

use std::ops::Range;

use leptos::prelude::*;

use super::parts::{Details, SaveButton, part, problems, source_choice};
use crate::panels::panel::Host;
use blockstep_batch::arch::Costs;
use blockstep_tools::batch::{Batch, COLUMNS, COSTS, Msg, Saved, Section, TaskColumn, TypedCell, WorkloadView};
use blockstep_ui::{CellChoices, DataTable, Dialog, Focus, RowAction, TableEvents, TextField, cells_preview};
use blockstep_view::document::PreviewTable;

pub(super) fn workload(host: Host<Batch>, own: Memo<WorkloadView>) -> AnyView {
    let wrong = part(own, |own| &own.problems);
    let is_wrong = Memo::new(move |_| wrong.with(|wrong| !wrong.0.is_empty()));
    let is_tables = Memo::new(move |_| own.with(|own| own.is_tables));
    let begins = move || {
        is_tables.get().then(|| {
            view! {
                <p class="tool-note">
                    "Tables I and II are a fixed sequence of commands, not a workload. Start from Case-2 below and edit it."
                </p>
            }
        })
    };
    let focus = Focus::new(None);
    view! {
        <div class="batch-row">{source_choice(host, part(own, |own| &own.choices))}</div>
        {begins}
        {move || is_wrong.get().then(|| problems(wrong))}
        <div class="batch-row">
            {field(blockstep_tools::batch::NAME_OF_WORKLOAD, "name", 24, part(own, |own| &own.name), move |text| host.send(Msg::SetName(text)))}
            {field("Inputs until", "until", 9, part(own, |own| &own.until), move |text| host.send(Msg::SetUntil(text)))}
        </div>
        {tasks(host, own, focus)}
        {preview(host, part(own, |own| &own.preview))}
        {buttons(host, own, focus)}
        <p class="tool-note">"To open a saved workload, drop its file here, or close this page with × and choose Open…. Times \
                                      without a unit are in seconds. The inputs of a task arrive at its interval, starting with the \
                                      first input. The blocks and threads of a kernel decide whether it is small or large on the \
                                      chosen GPU."</p>
        {costs(host, own)}
    }
    .into_any()
}

fn field(
    label: &'static str,
    name: &'static str,
    size: u8,
    cell: Memo<TypedCell>,
    on_change: impl Fn(String) + Send + Sync + 'static,
) -> impl IntoView {
    let text = part(cell, |cell| &cell.text);
    let is_wrong = part(cell, |cell| &cell.is_wrong);
    view! { <TextField label=label name=name size=size text=text is_wrong=is_wrong described_by="batch-wrong" on_change=on_change /> }
}

/// The table of tasks. The workload changes when a cell is left, as its batches are simulated anew then.
fn tasks(host: Host<Batch>, own: Memo<WorkloadView>, focus: Focus) -> impl IntoView {
    let count = Memo::new(move |_| own.with(|own| own.rows.len()));
    let rows =
        move |range: Range<usize>| own.with(|own| own.rows.get(range.start..range.end.min(own.rows.len())).unwrap_or_default().to_vec());
    let typed = StoredValue::new(None::<Msg>);
    let events = TableEvents {
        on_edit: Callback::new(move |(row, column, text, is_keystroke): (usize, usize, String, bool)| {
            let set = TaskColumn::ALL.get(column).map(|column| Msg::SetCell { row, column: *column, text });
            if is_keystroke {
                typed.set_value(set);
            } else if let Some(set) = set {
                host.send(set);
            }
        }),
        on_leave: Callback::new(move |()| {
            if let Some(set) = typed.try_update_value(Option::take).flatten() {
                host.send(set);
            }
        }),
        on_paste: Callback::new(move |(row, column, text): (usize, usize, String)| {
            if let Some(column) = TaskColumn::ALL.get(column) {
                host.send(Msg::Paste { row, column: *column, text });
            }
        }),
        on_action: Callback::new(move |(row, action)| {
            host.send(match action {
                RowAction::MoveUp => Msg::MoveTask { row, is_down: false },
                RowAction::MoveDown => Msg::MoveTask { row, is_down: true },
                RowAction::Duplicate => Msg::DuplicateTask(row),
                RowAction::Delete => Msg::RemoveTask(row),
            });
        }),
        on_select: Callback::new(|_| ()),
        on_undo: Callback::new(move |is_undo| host.send(if is_undo { Msg::Undo } else { Msg::Redo })),
    };
    view! { <DataTable id="batch-tasks" columns=COLUMNS count=count rows=rows events=events focus=focus /> }
}

/// The dialog of cells that wait; it is open while they do.
fn preview(host: Host<Batch>, preview: Memo<Option<PreviewTable>>) -> impl IntoView {
    let is_open = Memo::new(move |_| preview.with(Option::is_some));
    // It is also told when it closes because they were taken.
    let close = move || {
        if is_open.get_untracked() {
            host.send(Msg::DropCells);
        }
    };
    let table = Memo::new(move |_| preview.with(|preview| preview.clone().unwrap_or_default()));
    let choices = CellChoices {
        whole: "Replace all tasks".to_owned(),
        part: "Overwrite cells only".to_owned(),
        on_choice: Callback::new(move |choice| host.send(Msg::ReadCells(choice))),
    };
    let content = move || {
        is_open.get().then(|| {
            view! {
                {cells_preview(table, COLUMNS, choices.clone())}
                <div class="tool-row">
                    <button type="button" class="primary" id="batch-preview-take" autofocus=true disabled=move || table.with(|table| !table.can_be_taken()) on:click=move |_| host.send(Msg::TakeCells)>
                        "Paste"
                    </button>
                </div>
            }
        })
    };
    view! {
        <Dialog id="batch-preview" class="help preview" title="Cells from a spreadsheet" cancel="Cancel" is_open=is_open on_close=move |()| close()>
            {content}
        </Dialog>
    }
}

fn buttons(host: Host<Batch>, own: Memo<WorkloadView>, focus: Focus) -> impl IntoView {
    let can_add = move || own.with(|own| own.can_add);
    let add = move |_| {
        let row = own.with_untracked(|own| own.rows.len());
        host.send(Msg::AddTask);
        focus.set(Some((row, 0)));
    };
    view! {
        <div class="batch-row">
            <button type="button" disabled=move || !can_add() on:click=add>
                "Add task"
            </button>
            <SaveButton host=host what=Saved::Workload label=blockstep_tools::batch::SAVE_WORKLOAD />
        </div>
    }
}

fn costs(host: Host<Batch>, own: Memo<WorkloadView>) -> impl IntoView {
    let one = |(place, ((name, ..), title)): (usize, ((&'static str, u64, u64), &'static str))| {
        let cell = Memo::new(move |_| own.with(|own| own.costs.get(place).cloned().unwrap_or_default()));
        field(title, name, 9, cell, move |text| host.send(Msg::SetCost(place, text)))
    };
    let fields = Costs::FIELDS.into_iter().zip(COSTS).enumerate().map(one).collect_view();
    view! {
        <Details
            host=host
            section=Section::Costs
            title="Costs of the host and of schedulers on the GPU"
            is_open=Signal::derive(move || own.with(|own| own.are_costs_open))
        >
            <div class="batch-row">{fields}</div>
            <p class="tool-note">"The paper names these costs without numbers; the defaults are ours."</p>
        </Details>
    }
}
