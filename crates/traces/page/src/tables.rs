//! Tables: what the end of a GPU's work waited for, the longest waits, and operations by name.
//!
//! Invariant: what is sorted is a number; the reader sees how it is written.

use std::cmp::Reverse;

use leptos::prelude::*;

use super::causes::{colour, share_colour};
use super::more::more;
use super::timeline::TimelineView;
use crate::state::TraceState;
use blockstep_sim::units::Time;
use blockstep_sim::units::written::{format_count, format_time_short};
use blockstep_traces_messages as tracer;
use blockstep_traces_messages::{Gained, LeverRow, ShownGains, percent};
use blockstep_ui::safe;

const PATH: &str = "Critical path: what set the end time";
const WAITS: &str = "Longest waits";
const NAMES: &str = "Kernels and copies by name";

/// Rows that are there at first.
const FIRST: usize = 15;
const FIRST_OF_PATH: usize = 10;

#[component]
pub(crate) fn Waits(waits: Vec<tracer::ListedWait>, look: TimelineView) -> impl IntoView {
    let shown = RwSignal::new(FIRST);
    let all = waits.len();
    let line = move |wait: &tracer::ListedWait| {
        let operation = wait.operation;
        view! {
            <tr>
                <th scope="row">
                    <button
                        type="button"
                        class="link"
                        data-operation=operation
                        on:click=move |_| look.select_from_afar(operation)
                    >
                        {safe(&wait.name)}
                    </button>
                </th>
                <td class="num">{wait.time.clone()}</td>
                <td class="num">{format_count(wait.count)}</td>
                <td class="num">{wait.in_all.clone()}</td>
                <td><i class="trace-key" style=format!("background:{}", colour(wait.cause))></i> {wait.label.clone()}</td>
            </tr>
        }
    };
    let rows = move || waits.iter().take(shown.get()).map(line).collect_view();
    (all > 0).then(|| {
        view! {
            <section aria-labelledby="trace-waits-title">
                <h3 id="trace-waits-title">{WAITS}</h3>
                <div class="tool-scroll" role="group" aria-label=WAITS tabindex="0">
                    <table class="tool-table" id="trace-waits">
                        <thead>
                            <tr>
                                <th scope="col">"Operation"</th>
                                <th scope="col" class="num">"Longest"</th>
                                <th scope="col" class="num" title="Waits of operations with this name, in any stream, for the same causes.">"Alike"</th>
                                <th scope="col" class="num">"In all"</th>
                                <th scope="col">"Largest cause"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
                {more(shown, all)}
            </section>
        }
    })
}

/// What the end of each GPU's work waited for, by what its pieces have in common.
#[component]
pub(crate) fn PathTables(paths: Vec<tracer::ShownPath>, look: TimelineView) -> impl IntoView {
    let is_one = paths.len() == 1;
    let title = move |path: &tracer::ShownPath| if is_one { PATH.to_owned() } else { format!("{PATH}: {}", path.title) };
    let tables = paths.into_iter().map(|path| view! { <PathTable title=title(&path) path=path look=look /> });
    view! { <div class="trace-bars">{tables.collect_view()}</div> }
}

#[component]
fn PathTable(title: String, path: tracer::ShownPath, look: TimelineView) -> impl IntoView {
    let tracer::ShownPath { rows, left, .. } = path;
    let line = move |row: &tracer::PathRow| {
        view! {
            <tr>
                <th scope="row">
                    <i class="trace-key" style=format!("background:{}", share_colour(row.share))></i>
                    " "
                    {piece_link(look, &row.label, row.longest)}
                </th>
                <td class="num">{row.time.clone()}</td>
                <td class="num">{percent(row.permille)}</td>
                <td class="num">{row.pieces.clone()}</td>
            </tr>
        }
    };
    let note = left.map(|(n, time)| format!("{} more, {time} in all, are not listed.", format_count(n)));
    number_table(title, "trace-path", ["Time", "Share", "Pieces"], rows, FIRST_OF_PATH, line, note)
}

/// What has pieces on the path, as a link to the longest of them.
pub(crate) fn piece_link(look: TimelineView, what: &str, (from, to): (Time, Time)) -> impl IntoView {
    view! {
        <button type="button" class="link" title="Shows its longest piece." on:click=move |_| look.show_from_afar(from, to)>
            {safe(what)}
        </button>
    }
}

/// A table of what took or changed time, with three numbers in each row; the first rows, and the others once they are asked for.
pub(crate) fn number_table<R: Send + Sync + 'static, V: IntoView + 'static>(
    title: String,
    class: &'static str,
    heads: [&'static str; 3],
    rows: Vec<R>,
    first: usize,
    line: impl Fn(&R) -> V + Copy + Send + 'static,
    note: Option<String>,
) -> impl IntoView {
    let (shown, all) = (RwSignal::new(first), rows.len());
    let heads = heads.map(|head| view! { <th scope="col" class="num">{head}</th> });
    let body = move || rows.iter().take(shown.get()).map(line).collect_view();
    let title_id = || format!("{class}-title");
    view! {
        <section aria-labelledby=title_id()>
            <h3 id=title_id()>{title}</h3>
            <div class="tool-scroll" role="group" aria-labelledby=title_id() tabindex="0">
                <table class=format!("tool-table {class}")>
                    <thead>
                        <tr>
                            <th scope="col">"What"</th>
                            {heads}
                        </tr>
                    </thead>
                    <tbody>{body}</tbody>
                </table>
            </div>
            {more(shown, all)} {note.map(|note| view! { <p class="tool-note">{note}</p> })}
        </section>
    }
}

/// What the whole would gain if one part took less time.
#[component]
pub(crate) fn LeverTable(look: TimelineView) -> impl IntoView {
    let trace = expect_context::<TraceState>();
    let table = move |levers: Vec<LeverRow>| {
        let most = levers.iter().flat_map(|lever| &lever.gains).map(|gained| gained.permille).max().unwrap_or(0).max(1);
        let has_then = levers.iter().any(|lever| !lever.then.is_empty());
        let cell = move |gained: &Gained| {
            let part = f64::from(gained.permille) * 100.0 / f64::from(most);
            view! {
                <td class="num" style=format!("--part: {part:.1}%") title=percent(gained.permille)>
                    {gained.time.clone()}
                </td>
            }
        };
        let row = move |lever: &LeverRow| {
            let cells = lever.gains.iter().map(cell).collect_view();
            let then = has_then.then(|| view! { <td>{safe(&lever.then)}</td> });
            view! { <tr><th scope="row">{piece_link(look, &lever.what, lever.longest)}</th>{cells}{then}</tr> }
        };
        let heads = ["−25 %", "−50 %", "−75 %", "−100 %"].map(|head| view! { <th scope="col" class="num">{head}</th> });
        let then = has_then.then(|| {
            view! { <th scope="col" title="Once the part takes no time, the end of the run waits for this: of all it waits for, this grows most.">"Then waits for"</th> }
        });
        view! {
            <section aria-labelledby="trace-levers-title">
                <h3 id="trace-levers-title">"If one part took less time, the run would be shorter by"</h3>
                <div class="tool-scroll" role="group" aria-labelledby="trace-levers-title" tabindex="0">
                    <table class="tool-table trace-levers">
                        <thead><tr><th scope="col">"Part"</th> {heads} {then}</tr></thead>
                        <tbody>{levers.iter().map(row).collect_view()}</tbody>
                    </table>
                </div>
                <p class="tool-note">"Estimated by replay. Where a bar grows no more, something else holds the run up."</p>
            </section>
        }
    };
    move || match trace.gains.get() {
        Some(ShownGains::Tried { levers, .. }) if !levers.is_empty() => Some(table(levers)),
        _ => None,
    }
}

/// Operations by name, sorted by the column that the reader chose.
#[component]
pub(crate) fn NameTable(names: tracer::NameTable) -> impl IntoView {
    let tracer::NameTable { causes, rows, count } = names;
    let shown = RwSignal::new(FIRST);
    let all = rows.len();
    // Count and times; 2 is the wait in all. The other way round by the same head.
    let by = RwSignal::new((2_usize, true));
    let note = (count > all as u64).then(|| {
        let said = format!("{} of {} names, those with the longest waits.", format_count(all as u64), format_count(count));
        view! { <p class="tool-note">{said}</p> }
    });
    let head = move |(i, title): (usize, String)| {
        let sorted = move || match by.get() {
            (column, true) if column == i => "descending",
            (column, false) if column == i => "ascending",
            _ => "none",
        };
        let sort = move |_| by.update(|by| *by = if by.0 == i { (i, !by.1) } else { (i, true) });
        let arrow = move || match sorted() {
            "ascending" => " ▲",
            "descending" => " ▼",
            _ => "",
        };
        view! {
            <th scope="col" class="num" aria-sort=sorted>
                <button type="button" class="link" on:click=sort>{title} <span aria-hidden="true">{arrow}</span></button>
            </th>
        }
    };
    let titles = ["Count", "Time in all", "Wait in all"].iter().map(|title| (*title).to_owned()).chain(causes);
    let heads = titles.enumerate().map(head).collect_view();
    let line = |row: &tracer::NameRow| {
        let cell = |(i, number): (usize, &u64)| {
            let text = match (i, number) {
                (0, n) => format_count(*n),
                (_, 0) => String::new(),
                (_, ns) => format_time_short(*ns),
            };
            view! { <td class="num">{text}</td> }
        };
        let numbers = row.numbers.iter().enumerate().map(cell).collect_view();
        view! { <tr><th scope="row" title=safe(&row.full)>{safe(&row.name)}</th>{numbers}</tr> }
    };
    let body = move || {
        let (column, is_descending) = by.get();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let number = |row: usize| rows[row].numbers.get(column).copied().unwrap_or(0);
        if is_descending {
            order.sort_by_key(|&row| Reverse(number(row)));
        } else {
            order.sort_by_key(|&row| number(row));
        }
        order.into_iter().take(shown.get()).map(|row| line(&rows[row])).collect_view()
    };
    view! {
        <section aria-labelledby="trace-names-title">
            <h3 id="trace-names-title">{NAMES}</h3>
            <div class="tool-scroll" role="group" aria-label=NAMES tabindex="0">
                <table class="tool-table" id="trace-names">
                    <thead><tr><th scope="col">"Kernel or copy"</th> {heads}</tr></thead>
                    <tbody>{body}</tbody>
                </table>
            </div>
            {more(shown, all)} {note}
        </section>
    }
}
