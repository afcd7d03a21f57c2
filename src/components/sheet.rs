//! Tables to read, charts with their captions, and the legends of charts: what panels of figures have in common.
//!
//! Invariant: a table has a caption for screen readers, and can be scrolled by keyboard where it is wider than the page.

use leptos::prelude::*;

use super::links::TimeLink;
use blockstep_ui::{Picture, safe};
use blockstep_view::panels::sheet::{Figured, Jump, Sheet, SheetCell, SheetHead, SheetRow, Stroke, Tone};

/// A table in a frame that it can be scrolled in; its rows are the children.
#[component]
pub(crate) fn Scrolled(#[prop(into)] caption: String, head: Vec<SheetHead>, children: Children) -> impl IntoView {
    let column = |head: &SheetHead| view! { <th scope="col" class=head.is_number.then_some("num")>{safe(&head.name)}</th> };
    let caption = safe(&caption);
    view! {
        <div class="res-scroll" tabindex="0" role="group" aria-label=caption.clone()>
            <table class="res-table">
                <caption class="visually-hidden">{caption.clone()}</caption>
                <thead>
                    <tr>{head.iter().map(column).collect_view()}</tr>
                </thead>
                <tbody>{children()}</tbody>
            </table>
        </div>
    }
}

#[component]
pub(crate) fn SheetTable(sheet: Sheet) -> impl IntoView {
    let row = |row: &SheetRow| {
        let name = row.name.as_ref().map(|name| view! { <th scope="row">{safe(name)}</th> });
        view! { <tr>{name} {row.cells.iter().map(sheet_cell).collect_view()}</tr> }
    };
    let rows = sheet.rows.iter().map(row).collect_view();
    view! { <Scrolled caption=sheet.caption head=sheet.head>{rows}</Scrolled> }
}

pub(crate) fn sheet_cell(cell: &SheetCell) -> impl IntoView + use<> {
    let (class, exact) = match cell {
        SheetCell::Number { exact, .. } => ("num", exact.clone()),
        SheetCell::Nothing => ("num quiet", None),
    };
    view! { <td class=class title=exact>{cell.shown().to_owned()}</td> }
}

/// The class of something that is meant so.
pub(crate) fn tone_class(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Quiet => Some("quiet"),
        Tone::Exceeded => Some("res-exceeded"),
    }
}

/// A link to an instant of a job.
#[component]
pub(crate) fn JumpLink(jump: Jump) -> impl IntoView {
    view! { <TimeLink at=jump.at label=jump.text title=jump.title spoken=jump.name /> }
}

#[component]
pub(crate) fn ChartFigure(figure: Figured) -> impl IntoView {
    view! {
        <figure class="res-figure">
            <figcaption>{safe(&figure.caption)}</figcaption>
            <Picture svg=figure.chart.svg label=figure.chart.label />
        </figure>
    }
}

#[component]
pub(crate) fn Legend(strokes: Vec<Stroke>) -> impl IntoView {
    let entry = |stroke: &Stroke| {
        let dashes = stroke.dashes.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        view! {
            <li>
                <svg width="34" height="8" aria-hidden="true">
                    <path
                        d="M0 4H34"
                        stroke=stroke.colour.css()
                        stroke-width="3"
                        stroke-dasharray=(!dashes.is_empty()).then_some(dashes)
                    ></path>
                </svg>
                {safe(&stroke.name)}
            </li>
        }
    };
    view! { <ul class="res-legend">{strokes.iter().map(entry).collect_view()}</ul> }
}
