//! The page of a sweep: a chart of its table, and each run to step through.
//!
//! Invariant: what stands in the table is text; a run is opened by its number.

use leptos::prelude::*;

use crate::panels::panel::{Host, Panel};
use crate::state::{AppState, reading};
use blockstep_tools::sweep::{Msg, Sweep, SweepView, View};
use blockstep_ui::{FilePicker, LongRows, Picture, SelectField, Shape, Window, WindowBox, safe};

impl Panel for Sweep {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let state = expect_context::<AppState>();
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        let has_table = Memo::new(move |_| view.with(|view| view.sweep.is_some()));
        let picker = move || {
            view! {
                <FilePicker
                    class=if has_table.get_untracked() { "small" } else { "primary" }
                    label="Open a table…"
                    field="sweep-files"
                    name="Tables of a sweep"
                    accept=".csv,.txt,text/csv"
                    on_files=move |picked| reading::read_all(state, reading::listed(&picked), move |files| host.send(Msg::Add(files)))
                />
            }
        };
        let content = move || {
            if has_table.get() { sweep(host, view, picker()).into_any() } else { nothing(picker()).into_any() }
        };
        view! {
            {move || problem.get().map(|problem| view! { <p class="field-error" role="alert">{problem}</p> })}
            {content}
        }
        .into_any()
    }
}

/// What the page is for.
fn nothing(picker: impl IntoView) -> impl IntoView {
    view! {
        <p>
            "A sweep runs a scenario once for each combination of values of some of its fields. This page draws what was measured, and \
                opens each run in the stepper."
        </p>
        <p>"Make the table, and drop it here: " <code>"blockstep sweep table1.json --vary 'kernels[K3].blocks=1..=64' > runs.csv"</code></p>
        <div class="tool-row">{picker}</div>
    }
}

/// A share of what is shown, which stays as it is when another one changes.
fn part<V>(view: Memo<View>, of: impl Fn(&SweepView) -> V + Send + Sync + 'static) -> Memo<V>
where
    V: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| view.with(|view| view.sweep.as_ref().map(&of).unwrap_or_default()))
}

fn sweep(host: Host<Sweep>, view: Memo<View>, picker: impl IntoView) -> impl IntoView {
    let heading = part(view, |sweep| sweep.heading.clone());
    let about = part(view, |sweep| sweep.about.clone());
    let missing = part(view, |sweep| sweep.missing.clone());
    let measures = part(view, |sweep| sweep.measures.iter().map(|of| (of.clone(), of.clone())).collect::<Vec<_>>());
    let measure = part(view, |sweep| sweep.measure.clone());
    let chart = part(view, |sweep| sweep.chart.clone());
    let said = part(view, |sweep| sweep.said.clone());
    let has_chart = Memo::new(move |_| chart.with(|chart| !chart.is_empty()));
    let shown = part(view, |sweep| sweep.shown.clone());
    let label = Signal::derive(move || safe(&said.get()));
    let picture = move || {
        if has_chart.get() {
            view! { <Picture class="picture sweep-picture" svg=chart label=label /> }.into_any()
        } else {
            view! { <p class="tool-note">{label}</p> }.into_any()
        }
    };
    view! {
        <div class="sweep-head">
            <h3>{move || safe(&heading.get())}</h3>
            <p>{move || safe(&about.get())}</p>
            {move || missing.get().map(|missing| view! { <p class="sweep-missing">{missing}</p> })}
        </div>
        <div class="tool-row">
            <SelectField label="Measure" name="sweep-measure" choices=measures value=measure on_change=move |of| host.send(Msg::Draw(of)) />
            <button type="button" class="small" disabled=move || !has_chart.get() on:click=move |_| host.send(Msg::SaveSvg)>"Save SVG"</button>
            {picker}
        </div>
        {picture}
        {table(host, view)}
        {move || shown.get().map(|shown| view! { <p class="tool-note">{shown}</p> })}
    }
}

/// Runs; of a long table the rows in sight exist.
const RUNS: Shape = Shape { whole: 100, items: "tbody tr[data-run]" };

fn table(host: Host<Sweep>, view: Memo<View>) -> impl IntoView {
    let rows = part(view, |sweep| sweep.rows.clone());
    let columns = part(view, |sweep| sweep.columns.clone());
    let count = Memo::new(move |_| rows.with(Vec::len));
    let window = Window::new(count, RUNS);
    let class = move |place: usize| {
        let is_number = view.with_untracked(|view| view.sweep.as_ref().is_some_and(|sweep| sweep.are_numbers.get(place) == Some(&true)));
        is_number.then_some("num")
    };
    let head = move |(place, name): (usize, String)| {
        let (title, key) = (safe(&name), name.clone());
        // By the column, and whether the greatest is first.
        let order = move || {
            let sorted = view.with(|view| view.sweep.as_ref().filter(|sweep| sweep.by == key).map(|sweep| sweep.is_descending));
            match sorted {
                None => ("none", ""),
                Some(false) => ("ascending", " ▲"),
                Some(true) => ("descending", " ▼"),
            }
        };
        let arrow = order.clone();
        view! {
            <th scope="col" class=class(place) aria-sort=move || order().0>
                <button type="button" class="link" on:click=move |_| host.send(Msg::Sort(name.clone()))>
                    {title}
                    <span aria-hidden="true">{move || arrow().1}</span>
                </button>
            </th>
        }
    };
    let heads = move || {
        let heads = columns.get().into_iter().enumerate().map(head).collect_view();
        view! { <tr>{heads}</tr> }
    };
    let line = move |row: Vec<String>, number: usize| {
        let run = row.first().cloned().unwrap_or_default();
        let open = {
            let run = run.parse().unwrap_or_default();
            move |_| host.send(Msg::Open(run))
        };
        let cells = row.into_iter().enumerate().skip(1).map(|(place, cell)| view! { <td class=class(place)>{safe(&cell)}</td> });
        view! {
            <tr data-run aria-rowindex=number + 2>
                // It stays in sight while the others are scrolled.
                <th scope="row" class="num">
                    <button type="button" class="link" on:click=open>
                        "Open"
                        <span class="visually-hidden">" run"</span>
                        {format!(" {run}")}
                    </button>
                </th>
                {cells.collect_view()}
            </tr>
        }
    };
    let in_sight = move || {
        let first = window.items.get().start;
        window.in_sight(rows).into_iter().zip(first..).map(|(row, number)| line(row, number)).collect_view()
    };
    view! {
        <div role="region" aria-label="Runs">
            <WindowBox window=window classes=("tool-scroll sweep-table", "tool-scroll sweep-table")>
                <table class="tool-table" id="sweep-table" aria-rowcount=move || (count.get() + 1).to_string()>
                    <thead>{heads}</thead>
                    <LongRows window=window>{in_sight}</LongRows>
                </table>
            </WindowBox>
        </div>
    }
}
