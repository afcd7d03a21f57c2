//! The tab of the workload: its table, its costs, and what is wrong with them.
//!
//! Depends on `parts` and the cells of `components`. Invariant: what is typed in one cell stays while another is answered.

use leptos::prelude::*;

use super::super::{Batch, COSTS, Cell, Column, LATENCY, Msg, Saved, Section, THROUGHPUT, WorkloadView};
use super::parts::{Details, SaveButton, part, problems, source_choice};
use crate::app::components::{ChoiceCell, TextCell};
use crate::app::tool::panel::Host;
use crate::batch::arch::Costs;

/// The element that says what is wrong.
const WRONG: &str = "batch-wrong";

/// The tab.
pub(super) fn workload(host: Host<Batch>, own: Memo<WorkloadView>) -> AnyView {
    let wrong = part(own, |own| &own.problems);
    let is_wrong = Memo::new(move |_| wrong.with(|wrong| !wrong.0.is_empty()));
    let is_tables = Memo::new(move |_| own.with(|own| own.is_tables));
    let begins = move || {
        is_tables.get().then(|| view! {
            <p class="tool-note">
                "Tables I and II are a fixed sequence of commands, not a workload. Below is Case-2, to begin from: edit it and it is yours."
            </p>
        })
    };
    view! {
        <div class="batch-row">{source_choice(host, part(own, |own| &own.choices))}</div>
        {begins}
        {move || is_wrong.get().then(|| problems(wrong))}
        <div class="batch-row">
            {field("Name of the workload", "name", "16rem", part(own, |own| &own.name), move |text| host.send(Msg::SetName(text)))}
            {field("Inputs until", "until", "7rem", part(own, |own| &own.until), move |text| host.send(Msg::SetUntil(text)))}
        </div>
        {tasks(host, own)}
        {buttons(host, own)}
        <p class="tool-note">
            "To open a saved workload, drop its file here; or close this page with × and choose Open…, which brings you back. Times without a unit are seconds. A task's inputs arrive at its interval from the first on; whether a kernel is small or large follows from its blocks and threads on the GPU chosen."
        </p>
        {costs(host, own)}
    }
    .into_any()
}

fn field(
    label: &'static str,
    name: &'static str,
    width: &'static str,
    cell: Memo<Cell>,
    on_change: impl Fn(String) + Send + Sync + 'static,
) -> impl IntoView {
    let text = part(cell, |cell| &cell.text);
    let is_wrong = part(cell, |cell| &cell.is_wrong);
    view! { <TextCell label=label name=name width=width text=text is_wrong=is_wrong described_by=WRONG on_change=on_change /> }
}

/// The table of tasks.
fn tasks(host: Host<Batch>, own: Memo<WorkloadView>) -> impl IntoView {
    let heads = Column::ALL.map(|column| view! { <th scope="col" title=column.about()>{column.title()}</th> }).into_iter().collect_view();
    let rows = Memo::new(move |_| own.with(|own| own.rows.len()));
    view! {
        <div class="tool-scroll" tabindex="0" role="region" aria-label="Tasks">
            <table class="tool-table batch-tasks">
                <caption class="visually-hidden">"Tasks"</caption>
                <thead>
                    <tr>
                        {heads}
                        <th scope="col">
                            <span class="visually-hidden">"Remove"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>
                    <For each=move || 0..rows.get() key=|row| *row children=move |row| task(host, own, row) />
                </tbody>
            </table>
        </div>
    }
}

fn task(host: Host<Batch>, own: Memo<WorkloadView>, row: usize) -> impl IntoView {
    let cells = Column::ALL.map(|column| view! { <td>{task_cell(host, own, row, column)}</td> }).into_iter().collect_view();
    let can_remove = move || own.with(|own| own.can_remove);
    view! {
        <tr>
            {cells}
            <td>
                <button
                    type="button"
                    class="small"
                    aria-label=format!("Remove task {}", row + 1)
                    disabled=move || !can_remove()
                    on:click=move |_| host.send(Msg::RemoveTask(row))
                >
                    "×"
                </button>
            </td>
        </tr>
    }
}

fn task_cell(host: Host<Batch>, own: Memo<WorkloadView>, row: usize, column: Column) -> AnyView {
    let cell = Memo::new(move |_| own.with(|own| own.rows.get(row).and_then(|row| row.get(column as usize)).cloned().unwrap_or_default()));
    let text = part(cell, |cell| &cell.text);
    let is_wrong = part(cell, |cell| &cell.is_wrong);
    let name = format!("{}.{row}", column.word());
    let label = format!("{}, task {}", column.title(), row + 1);
    let set = move |text: String| host.send(Msg::SetCell { row, column, text });
    if column == Column::Kind {
        let kinds = [LATENCY, THROUGHPUT].map(|kind| (kind.to_owned(), kind.to_owned())).to_vec();
        let kind = Memo::new(move |_| text.with(|text| if text == THROUGHPUT { THROUGHPUT } else { LATENCY }.to_owned()));
        return view! { <ChoiceCell label=label is_label_hidden=true name=name choices=kinds value=kind on_change=set /> }.into_any();
    }
    let width = if matches!(column, Column::Name | Column::After) { "8rem" } else { "5.6rem" };
    view! {
        <TextCell
            label=label
            is_label_hidden=true
            name=name
            width=width
            text=text
            is_wrong=is_wrong
            described_by=WRONG
            on_change=set
        />
    }
    .into_any()
}

fn buttons(host: Host<Batch>, own: Memo<WorkloadView>) -> impl IntoView {
    let can_add = move || own.with(|own| own.can_add);
    let can_take_back = Memo::new(move |_| own.with(|own| own.can_take_back));
    view! {
        <div class="batch-row">
            <button type="button" disabled=move || !can_add() on:click=move |_| host.send(Msg::AddTask)>
                "Add a task"
            </button>
            <button
                type="button"
                aria-disabled=move || (!can_take_back.get()).then_some("true")
                on:click=move |_| host.send(Msg::TakeBack)
            >
                {move || if can_take_back.get() { "Take back the last change" } else { "Take back" }}
            </button>
            <SaveButton host=host what=Saved::Workload label="Save workload (JSON)" />
        </div>
    }
}

fn costs(host: Host<Batch>, own: Memo<WorkloadView>) -> impl IntoView {
    let one = |(place, ((name, ..), title)): (usize, ((&'static str, u64, u64), &'static str))| {
        let cell = Memo::new(move |_| own.with(|own| own.costs.get(place).cloned().unwrap_or_default()));
        field(title, name, "7rem", cell, move |text| host.send(Msg::SetCost(place, text)))
    };
    let fields = Costs::FIELDS.into_iter().zip(COSTS).enumerate().map(one).collect_view();
    view! {
        <Details
            host=host
            section=Section::Costs
            title="What the host and schedulers on the GPU take"
            is_open=Signal::derive(move || own.with(|own| own.are_costs_open))
        >
            <div class="batch-row">{fields}</div>
            <p class="tool-note">"The paper names these costs without numbers; the defaults are ours."</p>
        </Details>
    }
}
