//! Cells of a spreadsheet as they would be read, for the dialogs that ask before they are taken.
//!
//! Invariant: a cell that cannot be read says why.

use leptos::either::Either;
use leptos::prelude::*;

use super::text::safe;
use blockstep_view::document::{PasteChoice, PreviewColumn, PreviewTable};
use blockstep_view::table::Column;

/// What the reader chooses of cells.
#[derive(Clone)]
pub struct CellChoices {
    /// What the two ways to take them are called: in place of all rows, or not.
    pub whole: String,
    pub part: String,
    pub on_choice: Callback<PasteChoice>,
}

/// The cells as a table, what comes with them, and what is wrong. Above each of their columns the reader chooses where it goes.
pub fn cells_preview(preview: Memo<PreviewTable>, columns: &'static [Column], choices: CellChoices) -> impl IntoView {
    let on_choice = choices.on_choice;
    let sources = Memo::new(move |_| preview.with(|preview| preview.columns.iter().map(|column| column.source).collect::<Vec<_>>()));
    // A choice changes what a heading says; the control that made it stays.
    let head = move |(at, source): (usize, Option<usize>)| {
        let column = Memo::new(move |_| preview.with(|preview| preview.columns.get(at).cloned()));
        let target = Signal::derive(move || column.with(|column| column.as_ref().and_then(|column| column.target)));
        let text = Signal::derive(move || column.with(|column| column.as_ref().map(|column| safe(&column.head)).unwrap_or_default()));
        let place = match source {
            Some(source) => Either::Left(chooser(columns, source, text, target, on_choice)),
            None => Either::Right(move || target.get().map(|column| columns[column].title)),
        };
        view! {
            <th scope="col">
                {place} <br /> <span class="quiet">{text}</span>
            </th>
        }
    };
    view! {
        {ways(preview, choices)}
        <p>{move || preview.with(told)}</p>
        <div class="preview-scroll" tabindex="0" role="region" aria-label="Preview of the cells">
            <table class="grid">
                <thead>
                    <tr>
                        <For
                            each=move || sources.get().into_iter().enumerate()
                            key=|column| *column
                            children=head
                        />
                    </tr>
                </thead>
                <tbody>{move || preview.with(|preview| rows(preview).collect_view())}</tbody>
            </table>
        </div>
        {move || preview.with(after)}
    }
}

fn told(preview: &PreviewTable) -> String {
    std::iter::once(&preview.told).chain(&preview.notes).map(|text| safe(text)).collect::<Vec<_>>().join(" ")
}

/// Whether the cells take the place of all rows, and whether their first line names the columns.
fn ways(preview: Memo<PreviewTable>, CellChoices { whole, part, on_choice }: CellChoices) -> impl IntoView {
    let way = move |value: &'static str, label: String, replaces: bool| {
        view! {
            <label>
                <input
                    type="radio"
                    name="paste-into"
                    value=value
                    prop:checked=move || preview.with(|preview| preview.replaces == replaces)
                    on:change=move |_| on_choice.run(PasteChoice::Replaces(replaces))
                />
                {label}
            </label>
        }
    };
    view! {
        <fieldset class="paste-into">
            <legend class="visually-hidden">"Where the cells go"</legend>
            {way("all", whole, true)}
            {way("cells", part, false)}
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || preview.with(|preview| preview.has_headings)
                    on:change:target=move |event| on_choice.run(PasteChoice::HasHeadings(event.target().checked()))
                />
                "The first line names the columns"
            </label>
        </fieldset>
    }
}

/// Where a column of the cells goes.
fn chooser(
    columns: &'static [Column],
    source: usize,
    head: Signal<String>,
    target: Signal<Option<usize>>,
    on_choice: Callback<PasteChoice>,
) -> impl IntoView {
    let option = move |(at, column): (usize, &'static Column)| {
        view! { <option value=at prop:selected=move || target.get() == Some(at)>{column.title}</option> }
    };
    view! {
        <select
            aria-label=move || format!("Column {} of the cells, {}, goes to", source + 1, head.get())
            on:change:target=move |event| on_choice.run(PasteChoice::Target(source, event.target().value().parse().ok()))
        >
            <option value="" prop:selected=move || target.get().is_none()>"left out"</option>
            {columns.iter().enumerate().map(option).collect_view()}
        </select>
    }
}

fn rows(preview: &PreviewTable) -> impl Iterator<Item = impl IntoView + use<>> {
    let cell = |((text, problem), column): (&(String, Option<String>), &PreviewColumn)| {
        let class = match (problem, column.target) {
            (Some(_), _) => "invalid",
            (None, Some(_)) => "",
            (None, None) => "left-out",
        };
        view! { <td class=class title=problem.as_ref().map(|problem| safe(problem))>{safe(text)}</td> }
    };
    preview.rows.iter().map(move |cells| view! { <tr>{cells.iter().zip(&preview.columns).map(cell).collect_view()}</tr> })
}

/// What stands below the table.
fn after(preview: &PreviewTable) -> impl IntoView + use<> {
    let more = (preview.more_rows > 0).then(|| {
        let rows = if preview.more_rows == 1 { "row" } else { "rows" };
        view! { <p class="quiet">{format!("and {} more {rows}", preview.more_rows)}</p> }
    });
    let made = preview.made.iter().map(|made| view! { <li>{safe(made)}</li> }).collect_view();
    let problems = if preview.problems.is_empty() || !preview.can_be_taken() {
        Either::Left(view! { <p class="quiet" id="preview-verdict">{preview.verdict()}</p> })
    } else {
        let list = preview.problems.iter().map(|problem| view! { <li>{safe(problem)}</li> }).collect_view();
        let more = (preview.more_problems > 0).then(|| view! { <li>{format!("and {} more", preview.more_problems)}</li> });
        Either::Right(view! {
            <div id="preview-verdict" class="verdict-bad">
                <p>"Some cells need correction. You can paste them as they are and correct them in the table."</p>
                <ul>{list} {more}</ul>
            </div>
        })
    };
    view! {
        {more}
        <ul>{made}</ul>
        {problems}
    }
}
