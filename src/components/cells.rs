//! Cells of a spreadsheet as they would be read, for the dialogs that ask before they are taken.
//!
//! Invariant: a cell that cannot be read says why.

use leptos::either::Either;
use leptos::prelude::*;

use super::text::safe;
use blockstep_view::document::PreviewTable;

/// The cells as a table, what comes with them, and what is wrong.
pub(crate) fn cells_preview(preview: &PreviewTable) -> impl IntoView + use<> {
    let head = |(title, from): &(String, String)| {
        view! {
            <th scope="col">
                {title.clone()} <br /> <span class="quiet">{safe(from)}</span>
            </th>
        }
    };
    let cell = |(text, problem): &(String, Option<String>)| {
        let class = if problem.is_some() { "invalid" } else { "" };
        view! { <td class=class title=problem.as_ref().map(|problem| safe(problem))>{safe(text)}</td> }
    };
    let row = |cells: &Vec<(String, Option<String>)>| view! { <tr>{cells.iter().map(cell).collect_view()}</tr> };
    let more = (preview.more_rows > 0).then(|| {
        let rows = if preview.more_rows == 1 { "row" } else { "rows" };
        view! { <p class="quiet">{format!("and {} more {rows}", preview.more_rows)}</p> }
    });
    let made = preview.made.iter().map(|made| view! { <li>{safe(made)}</li> }).collect_view();
    let problems = if preview.problems.is_empty() {
        Either::Left(view! { <p class="quiet" id="preview-verdict">"Every cell can be read."</p> })
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
        <p>{safe(&preview.told)}</p>
        <div class="preview-scroll" tabindex="0" role="region" aria-label="Preview of the cells">
            <table class="grid">
                <thead>
                    <tr>{preview.heads.iter().map(head).collect_view()}</tr>
                </thead>
                <tbody>{preview.rows.iter().map(row).collect_view()}</tbody>
            </table>
        </div>
        {more}
        <ul>{made}</ul>
        {problems}
    }
}
