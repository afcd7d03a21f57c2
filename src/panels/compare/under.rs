//! The part under the timeline: a picture of each run, its queues, and the tables.
//!
//! Invariants: a run's part is made once and follows its own run; a table is made anew only if a run is another one.

use leptos::prelude::*;

use crate::panels::panel::{Host, StateForm};
use crate::state::selection::Selection;
use blockstep_sim::units::{OpId, RowId};
use blockstep_tools::compare::{
    Compare, CompareWide, ComparedCell, ComparedOutcome, ComparedQueues, ComparisonTable, LastStep, Pictured, RowGroup, RunKey, RunRow,
    RunView, View,
};
use blockstep_ui::{Chip, DiagramOptions, Picture, QueueDiagram, on_chip_key, safe};
use blockstep_view::palette::{colour_of, text_on};

/// The whole part; nothing while no run stands beside the one on screen.
pub(super) fn section(host: Host<Compare>, view: Memo<View>) -> AnyView {
    let form = StateForm::new(host);
    let is_shown = Memo::new(move |_| view.with(|view| view.wide.is_some()));
    let content = move || {
        is_shown.get().then(|| {
            view! {
                <section class="panel tool-wide" id="wide-compare" data-tool="compare" aria-label="Runs side by side">
                    <div class="compare-wide">{runs(form, view)} {tables(view)}</div>
                </section>
            }
        })
    };
    view! { {content} }.into_any()
}

/// Something of the part; `None` while there is none.
fn of_wide<T: Clone + PartialEq + Send + Sync + 'static>(view: Memo<View>, part: fn(&CompareWide) -> T) -> Memo<Option<T>> {
    Memo::new(move |_| view.with(|view| view.wide.as_ref().map(part)))
}

fn runs(form: StateForm<Compare>, view: Memo<View>) -> impl IntoView {
    let others = of_wide(view, |wide| wide.runs.iter().map(|run| run.other).collect::<Vec<_>>());
    let look = of_wide(view, |wide| DiagramOptions { is_dark: wide.is_dark, selected: wide.selected });
    view! {
        <For
            each=move || others.get().unwrap_or_default()
            key=|other| other.key()
            children=move |other| run(form, RunPart { view, other }, look)
        />
    }
}

fn step(at: LastStep) -> impl IntoView {
    view! {
        {at.rule.map(|rule| view! { <Chip rule=rule /> })}
        <span>{safe(&at.sentence)}</span>
    }
}

#[derive(Clone, Copy)]
struct RunPart {
    view: Memo<View>,
    other: RunKey,
}

impl RunPart {
    /// Something of the run; `None` if it has none, or is not there any more.
    fn memo<T: Clone + PartialEq + Send + Sync + 'static>(self, part: fn(&RunView) -> Option<T>) -> Memo<Option<T>> {
        let Self { view, other } = self;
        Memo::new(move |_| view.with(|view| view.wide.as_ref()?.runs.iter().find(|run| run.other == other).and_then(part)))
    }
}

fn made(run: &RunView) -> Option<&Pictured> {
    match &run.outcome {
        ComparedOutcome::Pictured(pictured) => Some(pictured),
        ComparedOutcome::Impossible(_) => None,
    }
}

fn run(form: StateForm<Compare>, part: RunPart, look: Memo<Option<DiagramOptions>>) -> impl IntoView {
    let heading = part.memo(|run| Some(safe(&run.heading)));
    let changed = part.memo(|run| run.changed.clone());
    let impossible = part.memo(|run| match &run.outcome {
        ComparedOutcome::Impossible(why) => Some(safe(why)),
        ComparedOutcome::Pictured(_) => None,
    });
    let is_made = part.memo(|run| Some(made(run).is_some()));
    view! {
        <section class="compare-run" aria-label=move || heading.get()>
            <h3 class="compare-title" class:compare-changed=move || changed.with(Option::is_some)>{move || heading.get()}</h3>
            {move || changed.get().map(|what| view! { <p class="tool-note">{what}</p> })}
            {move || impossible.get().map(|why| view! { <p class="verdict-bad">{why}</p> })}
            {move || (is_made.get() == Some(true)).then(|| picture(form, part, heading, look))}
        </section>
    }
}

fn picture(form: StateForm<Compare>, part: RunPart, heading: Memo<Option<String>>, look: Memo<Option<DiagramOptions>>) -> impl IntoView {
    let cut = part.memo(|run| made(run)?.cut.clone());
    let svg = part.memo(|run| Some(made(run)?.svg.clone()));
    let label = part.memo(|run| Some(safe(&made(run)?.label)));
    let at = part.memo(|run| Some(made(run)?.at.clone()));
    let queues = part.memo(|run| made(run)?.queues.clone());
    let has_queues = Memo::new(move |_| queues.with(Option::is_some));
    view! {
        {move || cut.get().map(|cut| view! { <p class="verdict-bad">{cut}</p> })}
        <Picture
            class="compare-picture"
            svg=Signal::derive(move || svg.get().unwrap_or_default())
            label=Signal::derive(move || label.get().unwrap_or_default())
        />
        <p class="compare-step">
            {move || at.get().map(step)}
            <button
                type="button"
                class="small"
                aria-expanded=move || if has_queues.get() { "true" } else { "false" }
                on:click=move |_| form.edit(|state| state.toggle_queues(part.other))
            >
                "Queues"
            </button>
        </p>
        {move || has_queues.get().then(|| diagram(heading, queues, look))}
    }
}

/// The queues of a run; a click selects what is called the same on screen.
fn diagram(heading: Memo<Option<String>>, queues: Memo<Option<ComparedQueues>>, look: Memo<Option<DiagramOptions>>) -> AnyView {
    let selection = expect_context::<Selection>();
    let Some(first) = queues.get_untracked() else { return ().into_any() };
    let shown = Memo::new(move |_| queues.with(|queues| queues.as_ref().unwrap_or(&first).view.clone()));
    let look = Signal::derive(move || look.get().unwrap_or_default());
    let on_select = move |op: OpId| {
        let on_screen = queues.with_untracked(|queues| queues.as_ref().and_then(|queues| queues.on_screen.get(&op).copied()));
        if let Some(op) = on_screen {
            selection.select_op(op);
            selection.op.set(Some(op));
        }
    };
    let name = move || format!("Queues, {}", heading.get().unwrap_or_default());
    view! {
        <div class="diagram-grid" role="group" aria-label=name tabindex="0" on:keydown=on_chip_key>
            <QueueDiagram view=shown look=look on_select=on_select />
        </div>
    }
    .into_any()
}

fn tables(view: Memo<View>) -> impl IntoView {
    let tables = of_wide(view, |wide| wide.tables.clone());
    let is_dark = Memo::new(move |_| view.with(|view| view.wide.as_ref().is_some_and(|wide| wide.is_dark)));
    move || tables.with(|tables| tables.iter().flatten().map(|of| table(of, is_dark.get())).collect_view())
}

fn table(table: &ComparisonTable, is_dark: bool) -> AnyView {
    let columns = table.columns.iter().map(|column| view! { <th scope="col">{column.clone()}</th> }).collect_view();
    // Tables that are wider than the page are scrolled by keyboard too.
    view! {
        <div class="compare-scroll" tabindex="0" role="region" aria-label=table.caption.clone()>
            <table class="tool-table">
                <caption>{table.caption.clone()}</caption>
                <thead>
                    <tr>{columns}</tr>
                </thead>
                {table.groups.iter().map(|of| group(of, is_dark)).collect_view()}
            </table>
        </div>
        {table.more.clone().map(|more| view! { <p class="tool-note">{more}</p> })}
    }
    .into_any()
}

fn group(group: &RowGroup, is_dark: bool) -> AnyView {
    let rows = group.rows.iter().enumerate().map(|(i, of)| {
        let head = group.head.as_ref().filter(|_| i == 0).map(|head| {
            let name = safe(&head.name);
            let name = match head.row {
                Some(row) => view! { <span class="compare-op" style=colours(row, is_dark)>{name}</span> }.into_any(),
                None => view! { <span>{name}</span> }.into_any(),
            };
            view! { <th scope="rowgroup" rowspan=group.rows.len()>{name}</th> }
        });
        row(of, head)
    });
    view! { <tbody>{rows.collect_view()}</tbody> }.into_any()
}

/// A row's colors, as custom properties of the style sheet.
fn colours(row: RowId, is_dark: bool) -> String {
    let colour = colour_of(row, is_dark);
    format!("--k:{};--kt:{}", colour.css(), text_on(colour).css())
}

fn row(row: &RunRow, head: Option<impl IntoView + 'static>) -> AnyView {
    view! {
        <tr>
            {head}
            <th scope="row" class:compare-changed=row.is_changed>{safe(&row.run)}</th>
            {row.cells.iter().map(cell).collect_view()}
        </tr>
    }
    .into_any()
}

fn cell(cell: &ComparedCell) -> AnyView {
    match cell {
        ComparedCell::Words(words, columns) => view! { <td class="quiet" colspan=*columns>{words.clone()}</td> }.into_any(),
        ComparedCell::Value(value, change) => {
            let change = change.as_ref().map(|change| {
                let class = if change.is_better { "compare-better" } else { "compare-worse" };
                view! { " " <span class=class>{change.text.clone()}</span> }
            });
            view! { <td>{value.clone()}{change}</td> }.into_any()
        }
    }
}
