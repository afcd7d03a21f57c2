//! The part of measured traces under the page's timeline.
//!
//! Invariant: what lies over the picture has its size, so that the blocks that tell what they are lie on those that are drawn.

use leptos::prelude::*;

use super::fold_button::fold_button;
use crate::panels::panel::{Host, StateForm};
use crate::state::AppState;
use blockstep_tools::ToolId;
use blockstep_tools::measured::{
    BlockMark, BlockTable, Fold, LegendLine, LegendSign, MarkKind, Measured, MeasuredWide, PointedBlock, State, View,
};
use blockstep_ui::{Picture, safe};
use blockstep_view::measured::Area;

/// The whole section; nothing without logs.
pub(super) fn wide(host: Host<Measured>, view: Memo<View>) -> AnyView {
    let is_there = Memo::new(move |_| view.with(|view| view.wide.is_some()));
    view! { {move || is_there.get().then(|| section(host, view))} }.into_any()
}

/// A part of it; the default value while there are no logs.
fn part<T>(view: Memo<View>, of: fn(&MeasuredWide) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| view.with(|view| view.wide.as_ref().map(of).unwrap_or_default()))
}

fn section(host: Host<Measured>, view: Memo<View>) -> impl IntoView {
    let form = StateForm::new(host);
    let heading = part(view, |wide| wide.heading.clone());
    let is_part = part(view, |wide| wide.is_part);
    let svg = part(view, |wide| wide.svg.clone());
    let description = part(view, |wide| wide.description.clone());
    let legend = part(view, |wide| wide.legend.clone());
    let left_out = part(view, |wide| wide.left_out.clone());
    let table = part(view, |wide| Some(wide.table.clone()));
    let show_all = move || {
        is_part.get().then(|| {
            view! { <button type="button" class="small" on:click=move |_| form.edit(State::show_all)>"Show the whole run"</button> }
        })
    };
    view! {
        <section
            class="panel tool-wide"
            id="wide-measured"
            data-tool="measured"
            aria-label=ToolId::Measured.info().wide.unwrap_or_default()
        >
            <div class="measured-wide">
                <h3>{move || heading.get()}</h3>
                {show_all}
                <div class="compare-picture measured-picture">
                    <Picture svg=svg label=description />
                    {over(view)}
                </div>
                <ul class="measured-legend">{move || legend.get().into_iter().map(legend_line).collect_view()}</ul>
                {move || left_out.get().map(|text| view! { <p class="tool-note">{text}</p> })}
                {move || table.get().map(|table| blocks(form, table))}
            </div>
        </section>
    }
}

/// What lies over the picture: outlines, marks, and places that tell what they are.
fn over(view: Memo<View>) -> impl IntoView {
    let size = part(view, |wide| wide.size);
    let outlines = part(view, |wide| wide.outlines.clone());
    let marks = part(view, |wide| wide.marks.clone());
    let pointed = part(view, |wide| wide.pointed.clone());
    let class = |kind| match kind {
        MarkKind::Broken => "measured-broken",
        MarkKind::Chosen => "measured-broken is-chosen",
        MarkKind::Awaited => "measured-awaited",
    };
    let outlined = move || outlines.get().into_iter().map(outline).collect_view();
    let marked = move || marks.get().into_iter().map(|BlockMark { area, kind }| rect(area, class(kind))).collect_view();
    view! {
        <svg class="measured-over" aria-hidden="true" width=move || size.get().0 height=move || size.get().1>
            {outlined}
            {marked}
            {move || pointed.get().into_iter().map(place).collect_view()}
        </svg>
    }
}

/// Corner, width and height, as attributes.
fn px([x0, y0, x1, y1]: Area) -> [String; 4] {
    [x0, y0, x1 - x0, y1 - y0].map(|n| format!("{n:.1}"))
}

fn rect(area: Area, class: &'static str) -> impl IntoView {
    let [x, y, width, height] = px(area);
    view! { <rect class=class x=x y=y width=width height=height></rect> }
}

/// The outline of a simulated block; of a low one its start and end alone, or lines would hide what is measured.
fn outline(area: Area) -> AnyView {
    /// In px.
    const LOW: f64 = 8.0;
    let [x, y, width, height] = px(area);
    if area[3] - area[1] >= LOW {
        return rect(area, "measured-simulated").into_any();
    }
    // From its top left corner clockwise: the top is left out, then the bottom.
    let ends = format!("0 {width} {height} {width} {height} 0");
    view! { <rect class="measured-ends" stroke-dasharray=ends x=x y=y width=width height=height></rect> }.into_any()
}

fn place(of: PointedBlock) -> impl IntoView {
    let state = expect_context::<AppState>();
    let PointedBlock { area, at, tip } = of;
    let [x, y, width, height] = px(area);
    let go = move |_| {
        if let Some(at) = at {
            state.visit(|| state.cursor.go_to_time(at));
        }
    };
    view! {
        <rect class="measured-block" data-time=at.map(|at| at.ns()) x=x y=y width=width height=height on:click=go>
            <title>{safe(&tip)}</title>
        </rect>
    }
}

fn legend_line(of: LegendLine) -> AnyView {
    let text = safe(&of.text);
    let key = |class: &'static str, text: String| view! { <li><span class=class aria-hidden="true"></span>{text}</li> }.into_any();
    match of.sign {
        LegendSign::Kernel(colour) => {
            view! { <li><span class="quiz-swatch" style=("--k", colour) aria-hidden="true"></span>{text}</li> }.into_any()
        }
        LegendSign::More => view! { <li>{text}</li> }.into_any(),
        LegendSign::Simulated => key("measured-key measured-key-simulated", text),
        LegendSign::Broken => key("measured-key measured-key-broken", text),
        LegendSign::Awaited => key("measured-key measured-key-awaited", text),
        LegendSign::Arrows => view! { <li class="quiet">{text}</li> }.into_any(),
    }
}

fn blocks(form: StateForm<Measured>, table: BlockTable) -> impl IntoView {
    let BlockTable { heads, rows, more } = table;
    let is_open = rows.is_open;
    let row = |cells: Vec<String>| {
        let mut cells = cells.into_iter();
        let kernel = cells.next().map(|name| safe(&name));
        view! { <tr><th scope="row">{kernel}</th>{cells.map(|cell| view! { <td>{cell}</td> }).collect_view()}</tr> }
    };
    let content = is_open.then(|| {
        view! {
            <div class="tool-scroll" tabindex="0" role="group" aria-label="Measured blocks">
                <table class="tool-table">
                    <thead><tr>{heads.into_iter().map(|head| view! { <th scope="col">{head}</th> }).collect_view()}</tr></thead>
                    <tbody>{rows.items.into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
            {more.map(|more| view! { <p class="tool-note">{more}</p> })}
        }
    });
    view! {
        {fold_button(form, Fold::Table, "The blocks as a table", is_open)}
        {content}
    }
}
