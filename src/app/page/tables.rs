//! The tables: kernels, tasks, processes and streams, edited in place.
//!
//! Depends on `state`, `editing` and `view::panels`. Invariant: an edit changes those cells of the
//! page that it changes in the document, so that focus and typing go on.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{Of, bind, effect, held, listen, said, set_html, target};
use super::editing::{self, Field, focus_cell};
use super::setup;
use super::state::AppState;
use crate::scenario::{Choice, StreamPriority};
use crate::view::markup::Markup;
use crate::view::panels::{self, GridRow, Standing};
use crate::view::quantity;
use crate::view::table::Table;

/// Rows of a table that are shown at once; larger tables are paged.
const PAGE: usize = 100;

/// Every table's fixed parts, and what adds a row to it.
const TABLES: [(Table, &str); 3] = [(Table::Kernels, "kernel"), (Table::Tasks, "task"), (Table::Processes, "process")];

/// Keeps all tables in step with the document.
pub(super) fn start(state: AppState) {
    let page = RwSignal::new([0_usize; 3]);
    for (number, (table, _)) in TABLES.into_iter().enumerate() {
        let range = move || state.document.with(|d| shown(d.len(table), page.get()[number]));
        let mut last: Vec<GridRow> = Vec::new();
        effect(move || {
            let rows = state.problems.with(|problems| {
                let standing = Standing { problems, is_wrong: state.is_wrong(), is_dark: state.is_dark(), selected: state.selected.get() };
                state.document.with(|d| panels::grid(d, table, range(), standing))
            });
            let body = document().query_selector(&format!("#{} tbody", table.field())).ok().flatten();
            if let Some(body) = body {
                patch(state, table, &body, &last, &rows);
            }
            last = rows;
        });
        bind(["pager-0", "pager-1", "pager-2"][number], Of::Html, move || pager(range(), state.document.with(|d| d.len(table))));
    }
    effect(move || {
        let html = streams(state);
        if let Some(body) = document().query_selector("#streams tbody").ok().flatten() {
            set_html(&body, &html, "data-stream");
        }
    });
    bind("more-streams", Of::Text, move || {
        let hidden = state.document.with(|d| d.streams().len()).saturating_sub(PAGE);
        if hidden == 0 { String::new() } else { format!("and {} more streams", quantity::format_count(hidden as u64)) }
    });
    bind("stream-names", Of::Html, move || {
        let mut html = Markup::new();
        for name in state.document.with(|d| d.stream_names()) {
            html.leaf("option", &[("value", &name)], "");
        }
        html.finish()
    });
    editing::listen_to("editors", state);
    listen("editors", "change", move |event| on_change(state, event));
    listen("editors", "click", move |event| on_click(state, page, event));
}

/// Rows shown of a table of so many, on a page.
fn shown(count: usize, page: usize) -> std::ops::Range<usize> {
    let page = page.min(count.saturating_sub(1) / PAGE);
    page * PAGE..((page + 1) * PAGE).min(count)
}

/// The fixed parts.
pub(super) fn skeleton() -> String {
    let mut html = Markup::new();
    html.raw("<div class=editors id=editors>").raw(setup::POLICY);
    for (number, (table, name)) in TABLES.into_iter().enumerate() {
        html.raw(match table {
            Table::Kernels => "<section class='panel tables' aria-labelledby=kernels-title><div class=table-head><h2 id=kernels-title>Kernels</h2><p class=quiet>Edit any cell; every change is simulated at once. Cells can be pasted from a spreadsheet.</p></div>",
            Table::Tasks => "<section class='panel tables' aria-labelledby=tasks-title><div class=table-head><h2 id=tasks-title>CPU tasks</h2><p class=quiet>A task releases jobs; each job launches the task's kernels.</p></div>",
            Table::Processes => setup::PROCESSES,
        });
        html.raw("<div class=table-scroll>").open("table", &[("class", "grid"), ("id", table.field())]);
        html.open("thead", &[]).markup(&panels::grid_head(table)).close().raw("<tbody></tbody>").close().raw("</div>");
        html.open("div", &[("class", "table-foot")]).leaf(
            "button",
            &[("id", &format!("add-{name}")), ("data-add", table.field())],
            &format!("Add {name}"),
        );
        html.leaf("span", &[("class", "pager"), ("id", &format!("pager-{number}")), ("data-pager", table.field())], "")
            .close()
            .raw("</section>");
    }
    html.raw("<section class='panel tables' aria-labelledby=streams-title><div class=table-head><h2 id=streams-title>Streams</h2></div><table class=grid id=streams><thead><tr><th scope=col>Stream<th scope=col>Priority</thead><tbody></tbody></table><p class=quiet id=more-streams></p></section></div><datalist id=stream-names></datalist></div>");
    html.finish()
}

/// Turns the rows on the page into others.
fn patch(state: AppState, table: Table, body: &web_sys::Element, old: &[GridRow], new: &[GridRow]) {
    while body.child_element_count() as usize > new.len() {
        body.last_element_child().inspect(web_sys::Element::remove);
    }
    let rows = body.children();
    for (i, row) in new.iter().enumerate() {
        match (rows.item(i as u32), old.get(i)) {
            (Some(tr), Some(old)) if old.row == row.row => {
                if old != row {
                    patch_row(state, table, &tr, old, row);
                }
            }
            (Some(tr), _) => tr.set_outer_html(&row.html(table)),
            // Cannot fail: the place is one of the four there are.
            (None, _) => drop(body.insert_adjacent_html("beforeend", &row.html(table))),
        }
    }
}

/// Changes a row where it differs. Setting an attribute of an element of the page cannot fail.
fn patch_row(state: AppState, table: Table, tr: &web_sys::Element, old: &GridRow, new: &GridRow) {
    let each = |selector: &str, change: &dyn Fn(&web_sys::Element)| {
        let Ok(found) = tr.query_selector_all(selector) else { return };
        (0..found.length()).filter_map(|i| found.item(i)?.dyn_into().ok()).for_each(|e| change(&e));
    };
    if (old.is_selected, &old.colour) != (new.is_selected, &new.colour) {
        tr.set_class_name(if new.is_selected { "selected" } else { "" });
        each(".swatch", &|swatch| {
            let _ = swatch.set_attribute("style", &format!("background:{}", new.colour));
            let _ = swatch.set_attribute("aria-pressed", if new.is_selected { "true" } else { "false" });
        });
    }
    if old.name != new.name {
        each("[data-action]", &|button| {
            let action = button.get_attribute("data-action").unwrap_or_default();
            let _ = button.set_attribute("aria-label", &format!("{action} {}", new.name));
        });
    }
    let cells = tr.children();
    for (column, (old, new)) in old.cells.iter().zip(&new.cells).enumerate() {
        let Some(td) = cells.item(column as u32).filter(|_| old != new) else { continue };
        let Some(control) = td.query_selector("[data-cell]").ok().flatten() else { continue };
        if old.standing != new.standing {
            td.set_class_name(new.standing);
            let _ = control.set_attribute("aria-invalid", if new.standing == "invalid" { "true" } else { "false" });
        }
        if old.label != new.label {
            let _ = control.set_attribute("aria-label", &new.label);
        }
        if old.options != new.options {
            control.set_inner_html(&new.options);
        }
        if old.text != new.text {
            editing::show(state, &control, &Field::Cell(table, new_row(tr), column), &new.text);
        }
        if old.problem != new.problem {
            td.query_selector(".field-error").ok().flatten().inspect(web_sys::Element::remove);
            let _ = td.insert_adjacent_html("beforeend", &new.problem);
        }
    }
}

/// The row's place in its table.
fn new_row(tr: &web_sys::Element) -> usize {
    tr.get_attribute("data-row").and_then(|row| row.parse().ok()).unwrap_or(usize::MAX)
}

/// Which rows are shown, and the way to others; nothing if all are.
fn pager(range: std::ops::Range<usize>, count: usize) -> String {
    let mut html = Markup::new();
    if count > PAGE {
        let off = |is_off: bool| if is_off { "1" } else { "" };
        html.leaf("button", &[("data-turn", "back"), ("disabled", off(range.start == 0))], "Previous rows");
        html.leaf("span", &[], &format!("{}–{} of {}", range.start + 1, range.end, quantity::format_count(count as u64)));
        html.leaf("button", &[("data-turn", "on"), ("disabled", off(range.end == count))], "Next rows");
    }
    html.finish()
}

/// Priorities of the streams.
fn streams(state: AppState) -> String {
    let mut html = Markup::new();
    let several = state.document.with(|d| d.len(Table::Processes)) > 1;
    for (i, entry) in state.document.with(|d| d.streams()).into_iter().take(PAGE).enumerate() {
        let label = if several { format!("{} {}", entry.process, entry.name) } else { entry.name };
        let problem = entry.listed.and_then(|i| {
            let at = |field: &str| state.problem_at(&format!("streams[{i}].{field}"));
            at("priority").or_else(|| at("name")).or_else(|| at("process"))
        });
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &label);
        html.open("td", &[("class", if problem.is_some() { "invalid" } else { "" })]).open("div", &[("class", "cell")]);
        let entry_no = i.to_string();
        html.open("select", &[("aria-label", &format!("Priority of stream {label}")), ("data-stream", &label), ("data-entry", &entry_no)]);
        for priority in StreamPriority::ALL {
            html.option(priority.word(), priority.word(), *priority == entry.priority);
        }
        html.close();
        if !entry.used {
            html.leaf("button", &[("class", "link"), ("data-unlist", &entry_no)], "Remove");
        }
        html.close();
        if let Some(problem) = problem {
            html.leaf("span", &[("class", "field-error"), ("role", "alert")], &problem);
        }
        html.close().close();
    }
    html.finish()
}

/// A stream's priority is picked.
fn on_change(state: AppState, event: &ev::Event) {
    let entry = said(event, "data-entry").and_then(|entry| entry.parse::<usize>().ok());
    if let (Some(entry), Some(priority)) = (entry, StreamPriority::from_word(&held(event))) {
        state.edit(None, |d| {
            if let Some(entry) = d.streams().get(entry) {
                d.set_stream_priority(entry, priority);
            }
        });
    }
}

fn on_click(state: AppState, page: RwSignal<[usize; 3]>, event: &ev::MouseEvent) {
    let table_said = |attribute: &str| said(event, attribute).and_then(|t| TABLES.iter().position(|(table, _)| table.field() == t));
    if let Some(number) = table_said("data-add") {
        let table = TABLES[number].0;
        state.edit(None, |d| {
            d.add(table, None, false);
        });
        let last = state.document.with_untracked(|d| d.len(table)) - 1;
        page.update(|page| page[number] = last / PAGE);
        focus_cell(table, last, 0);
    } else if let (Some(number), Some(turn)) = (table_said("data-pager"), said(event, "data-turn")) {
        let now = state.document.with_untracked(|d| shown(d.len(TABLES[number].0), page.get_untracked()[number])).start / PAGE;
        page.update(|page| page[number] = if turn == "on" { now + 1 } else { now.saturating_sub(1) });
    } else if let Some(entry) = said(event, "data-unlist").and_then(|entry| entry.parse::<usize>().ok()) {
        state.edit(None, |d| {
            if let Some(listed) = d.streams().get(entry).and_then(|entry| entry.listed) {
                d.unlist_stream(listed);
            }
        });
    } else {
        on_row(state, event);
        setup::on_click(state, event);
    }
}

/// A click on one of a row's buttons.
fn on_row(state: AppState, event: &ev::MouseEvent) {
    let around = |selector: &str| target(event).and_then(|t| t.closest(selector).ok().flatten());
    let (Some(tr), Some(table)) = (around("tr[data-row]"), around("table")) else { return };
    let Some(&(table, _)) = TABLES.iter().find(|(t, _)| t.field() == table.id()) else { return };
    let row = new_row(&tr);
    match said(event, "data-action").as_deref() {
        Some("Move up") => state.edit(None, |d| d.shift(table, row, false)),
        Some("Move down") => state.edit(None, |d| d.shift(table, row, true)),
        Some("Duplicate") => state.edit(None, |d| {
            d.add(table, Some(row), true);
        }),
        Some("Delete") => state.edit(None, |d| d.delete(table, row)),
        _ if around(".swatch").is_some() => {
            let id = state.document.with_untracked(|d| d.id(table, row));
            state.selected.update(|s| *s = if *s == id { None } else { id });
        }
        _ => {}
    }
}
