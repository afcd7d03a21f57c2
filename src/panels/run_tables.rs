//! The panel of the tables.
//!
//! Invariant: each row leads to the step that began what it stands for.

use leptos::prelude::*;

use crate::components::StepLink;
use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_tools::run_tables::{PageRow, Pages, RunTable, RunTables, State, View};
use blockstep_ui::{Choices, SelectField, safe};

impl Panel for RunTables {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let form = StateForm::new(host);
        let table = form.part(State::table);
        let choices: Choices = RunTable::ALL.iter().map(|table| (table.id().to_owned(), table.title().to_owned())).collect();
        let choose = form.set(|state, id: String| {
            if let Ok(table) = id.parse() {
                state.choose(table);
            }
        });
        let notice = move || view.with(|view| view.notice.clone()).map(|text| view! { <p class="tool-note">{text}</p> });
        let head = move || view.with(|view| view.head.iter().map(|title| view! { <th scope="col">{title.clone()}</th> }).collect_view());
        let rows = move || view.with(|view| view.rows.iter().map(row).collect_view());
        view! {
            <SelectField
                label="Table"
                name="table"
                choices=Signal::stored(choices)
                value=Signal::derive(move || table.get().id().to_owned())
                on_change=choose
            />
            {notice}
            <div class="tool-scroll" tabindex="0" role="region" aria-label=move || table.get().title()>
                <table class="tool-table">
                    <caption class="tool-note">{move || view.with(|view| view.caption.clone())}</caption>
                    <thead>
                        <tr>{head}</tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {move || view.with(|view| view.pages.clone()).map(|pages| turn(form, &pages))}
        }
        .into_any()
    }
}

fn row(row: &PageRow) -> impl IntoView + use<> {
    let mut cells = row.cells.iter();
    let name = cells.next().cloned().unwrap_or_default();
    let cells = cells.map(|cell| view! { <td>{safe(cell)}</td> }).collect_view();
    view! {
        <tr>
            <th scope="row">
                <StepLink position=row.position label=name />
            </th>
            {cells}
        </tr>
    }
}

fn turn(form: StateForm<RunTables>, pages: &Pages) -> impl IntoView + use<> {
    let button = |to: Option<usize>, name: &'static str| {
        let on_click = move |_| form.edit(|state| state.page = to);
        view! { <button type="button" class="small" disabled=to.is_none() on:click=on_click>{name}</button> }
    };
    view! {
        <div class="tool-row">
            {button(pages.earlier, "Earlier rows")}
            <span class="tool-note">{pages.place.clone()}</span>
            {button(pages.later, "Later rows")}
        </div>
    }
}
