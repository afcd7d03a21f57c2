//! The tables: kernels, tasks, processes and streams, edited in place.
//!
//! Depends on `state` and `view::table`. Invariant: what is typed goes into the document as it is;
//! whether it can be read is the document's matter, and what is wrong stands beside the cell.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{live_flag, live_part, live_text, options};
use super::setup::{Arrange, PolicySettings};
use super::state::{AppState, app};
use crate::scenario::{Choice, StreamPriority};
use crate::view::palette;
use crate::view::quantity;
use crate::view::table::{Column, Kind, Table};

/// Rows of a table that are made at once; larger tables are paged.
const PAGE: usize = 100;

/// All tables.
#[component]
pub(super) fn Tables() -> impl IntoView {
    let state = app();
    view! {
        <PolicySettings/>
        <section class="panel tables" aria-labelledby="kernels-title">
            <div class="table-head">
                <h2 id="kernels-title">"Kernels"</h2>
                <p class="quiet">"Edit any cell; every change is simulated at once. Cells can be pasted from a spreadsheet."</p>
            </div>
            <Editor table=Table::Kernels/>
        </section>
        <section class="panel tables" aria-labelledby="tasks-title">
            <div class="table-head">
                <h2 id="tasks-title">"CPU tasks"</h2>
                <p class="quiet">"A task releases jobs; each job launches the task's kernels."</p>
            </div>
            <Editor table=Table::Tasks/>
        </section>
        <div class="tables-row">
            <section class="panel tables" aria-labelledby="processes-title">
                <div class="table-head">
                    <h2 id="processes-title">"Processes"</h2>
                    <Arrange/>
                </div>
                <Editor table=Table::Processes/>
            </section>
            <section class="panel tables" aria-labelledby="streams-title">
                <div class="table-head"><h2 id="streams-title">"Streams"</h2></div>
                <Streams/>
            </section>
        </div>
        <datalist id="stream-names">
            {live_part(move || state.document.with(|d| d.stream_names()).into_iter().map(|name| view! { <option value=name></option> }).collect_view())}
        </datalist>
    }
}

/// One table with its rows, its page and the button that adds a row.
#[component]
fn Editor(table: Table) -> impl IntoView {
    let state = app();
    let page = RwSignal::new(0_usize);
    let count = move || state.document.with(|d| d.len(table));
    let pages = move || count().div_ceil(PAGE).max(1);
    let shown = Memo::new(move |_| {
        let page = page.get().min(pages() - 1);
        state.document.with(|d| (page * PAGE..((page + 1) * PAGE).min(d.len(table))).filter_map(|row| d.id(table, row)).collect::<Vec<_>>())
    });
    let add = move |_| {
        state.edit(None, |d| {
            d.add(table, None, false);
        });
        page.set(pages() - 1);
        focus_cell(table, untrack(count) - 1, 0);
    };
    let pager = move || {
        (pages() > 1).then(|| {
            let (first, last) = (page.get().min(pages() - 1) * PAGE + 1, ((page.get() + 1) * PAGE).min(count()));
            view! {
                <span class="pager">
                    <button on:click=move |_| page.update(|p| *p = p.saturating_sub(1)) disabled=live_flag(move || page.get() == 0)>"Previous rows"</button>
                    <span>{format!("{first}–{last} of {}", quantity::format_count(count() as u64))}</span>
                    <button on:click=move |_| page.update(|p| *p += 1) disabled=live_flag(move || { page.get() + 1 >= pages() })>"Next rows"</button>
                </span>
            }
        })
    };
    let name = match table {
        Table::Kernels => "kernel",
        Table::Tasks => "task",
        Table::Processes => "process",
    };
    view! {
        <div class="table-scroll">
            <table class="grid" id=table.field()>
                <thead>
                    <tr>
                        {table.columns().iter().map(|c| view! { <th scope="col" title=c.help>{c.title}</th> }).collect_view()}
                        <th scope="col"><span class="visually-hidden">"Actions"</span></th>
                    </tr>
                </thead>
                <tbody>
                    {live_part(move || shown.get().into_iter().map(|id| row_view(state, table, id)).collect::<Vec<AnyView>>())}
                </tbody>
            </table>
        </div>
        <div class="table-foot">
            <button id=format!("add-{name}") on:click=add>{format!("Add {name}")}</button>
            {live_part(pager)}
        </div>
    }
}

/// One row.
fn row_view(state: AppState, table: Table, id: u32) -> AnyView {
    let row = Memo::new(move |_| state.document.with(|d| d.row_of(table, id).unwrap_or(usize::MAX)));
    let name = Memo::new(move |_| state.document.with(|d| d.name(table, row.get())));
    let is_selected = move || table == Table::Kernels && state.selected.get() == Some(id);
    let action = move |what: &'static str, icon: &'static str, act: fn(AppState, Table, usize)| {
        view! {
            <button
                class="icon small"
                data-action=what
                aria-label=live_text(move || format!("{what} {}", name.get()))
                title=what
                on:click=move |_| act(state, table, row.get_untracked())
            >
                <svg viewBox="0 0 24 24" aria-hidden="true"><path d=icon/></svg>
            </button>
        }
    };
    let cells =
        table.columns().iter().enumerate().map(|(column, info)| cell(Place { state, table, id, row, name, column, info })).collect_view();
    view! {
        <tr class:selected=live_flag(is_selected) data-row=live_text(move || row.get().to_string())>
            {cells}
            <td class="row-actions">
                {action("Move up", "M12 5 5 12h4v7h6v-7h4z", |s, t, r| s.edit(None, |d| d.shift(t, r, false)))}
                {action("Move down", "M12 19l7-7h-4V5H9v7H5z", |s, t, r| s.edit(None, |d| d.shift(t, r, true)))}
                {action("Duplicate", "M8 3h12v14h-3v-2h1V5h-8v1H8zM4 7h12v14H4zm2 2v10h8V9z", |s, t, r| s.edit(None, |d| {
                    d.add(t, Some(r), true);
                }))}
                {action("Delete", "M6 7h12l-1 14H7zM9 3h6l1 2h4v2H4V5h4z", |s, t, r| s.edit(None, |d| d.delete(t, r)))}
            </td>
        </tr>
    }
    .into_any()
}

/// A cell's place.
#[derive(Clone, Copy)]
struct Place {
    state: AppState,
    table: Table,
    /// The row's id.
    id: u32,
    row: Memo<usize>,
    name: Memo<String>,
    column: usize,
    info: &'static Column,
}

impl Place {
    fn text(self) -> String {
        self.state.document.with(|d| d.text(self.table, self.row.get(), self.column))
    }

    fn problem(self) -> Option<String> {
        self.state.problem_at(&format!("{}[{}].{}", self.table.field(), self.row.get(), self.info.field))
    }

    /// Whether what is said about it is an error, not a warning.
    fn is_wrong(self) -> bool {
        self.problem().is_some() && self.state.is_wrong()
    }

    fn label(self) -> String {
        format!("{} of {}", self.info.title, self.name.get())
    }

    fn key(self) -> String {
        cell_key(self.table, self.row.get(), self.column)
    }

    fn error_id(self) -> String {
        format!("{}-{}-{}", self.table.field(), self.id, self.info.field)
    }

    /// Types a text into it.
    fn set(self, of: Option<String>, text: &str) {
        self.state.edit(of, |d| d.set(self.table, self.row.get_untracked(), self.column, text));
    }
}

/// One cell.
fn cell(place: Place) -> AnyView {
    let field = match place.info.kind {
        Kind::Task | Kind::Process | Kind::After | Kind::Word(_) => pick_cell(place),
        _ => text_cell(place),
    };
    let swatch = (place.table == Table::Kernels && place.info.kind == Kind::Name).then(|| view! { <Swatch id=place.id row=place.row/> });
    let problem = move || {
        place.problem().map(|problem| {
            let role = if place.is_wrong() { "alert" } else { "status" };
            view! { <span class="field-error" id=place.error_id() role=role>{problem}</span> }
        })
    };
    let standing = move || match place.problem() {
        None => "",
        Some(_) if place.is_wrong() => "invalid",
        Some(_) => "doubtful",
    };
    view! {
        <td class=live_text(move || standing().to_owned()) data-field=place.info.field>
            <div class="cell">{swatch}{field}</div>
            {live_part(problem)}
        </td>
    }
    .into_any()
}

/// The kernel's colour; selects it everywhere.
#[component]
fn Swatch(id: u32, row: Memo<usize>) -> impl IntoView {
    let state = app();
    let colour = move || palette::colour_of(crate::units::RowId::at(row.get().min(u32::MAX as usize)), state.is_dark()).css();
    view! {
        <button
            class="swatch"
            style=live_text(move || format!("background:{}", colour()))
            aria-label="Select this kernel everywhere"
            title="Select this kernel everywhere"
            aria-pressed=live_text(move || (state.selected.get() == Some(id)).to_string())
            on:click=move |_| state.selected.update(|s| *s = if *s == Some(id) { None } else { Some(id) })
        ></button>
    }
}

/// A cell that is typed into.
fn text_cell(place: Place) -> AnyView {
    let Place { state, table, row, column, info, .. } = place;
    // While it is typed, a text stays as it is; afterwards the cell shows how it was read.
    let typed = RwSignal::new(None::<String>);
    // Names are taken when they are complete, since other cells refer to them.
    let is_name = matches!(info.kind, Kind::Name | Kind::Stream | Kind::Names);
    let commit = move |text: String| {
        let of = format!("{} {} {column}", table.field(), row.get_untracked());
        place.set(Some(of), &text);
    };
    let on_input = move |ev: ev::Event| {
        let text = event_target_value(&ev);
        typed.set(Some(text.clone()));
        if !is_name {
            commit(text);
        }
    };
    let finish = move || {
        // A cell whose row is taken away loses the focus when it is no more.
        let Some(text) = typed.try_get_untracked() else { return };
        if let (true, Some(text)) = (is_name, text) {
            commit(text);
        }
        typed.set(None);
        state.pause_history();
    };
    let on_key = move |ev: ev::KeyboardEvent| match ev.key().as_str() {
        "Enter" | "ArrowDown" => {
            ev.prevent_default();
            finish();
            focus_cell(table, row.get_untracked() + 1, column);
        }
        "ArrowUp" => {
            ev.prevent_default();
            finish();
            focus_cell(table, row.get_untracked().wrapping_sub(1), column);
        }
        "Escape" => {
            typed.set(None);
            if let Some(cell) = ev.current_target().and_then(|t| t.dyn_into::<web_sys::HtmlElement>().ok()) {
                // Cannot fail on an element of this document.
                let _ = cell.blur();
            }
        }
        "z" | "y" | "Z" if (ev.ctrl_key() || ev.meta_key()) && typed.with_untracked(Option::is_none) => {
            ev.prevent_default();
            if ev.key() == "z" && !ev.shift_key() { state.undo() } else { state.redo() }
        }
        _ => {}
    };
    let on_paste = move |ev: ev::ClipboardEvent| {
        let pasted = ev.clipboard_data().and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
        if pasted.contains('\t') || pasted.trim_end().contains('\n') {
            ev.prevent_default();
            typed.set(None);
            state.edit(None, |d| d.paste(table, row.get_untracked(), column, &pasted));
        }
    };
    let numeric = matches!(info.kind, Kind::Quantity(_) | Kind::Times | Kind::Integer);
    view! {
        <input
            type="text"
            class:numeric=numeric
            autocomplete="off"
            spellcheck="false"
            data-cell=live_text(move || place.key())
            list=(info.kind == Kind::Stream).then_some("stream-names")
            placeholder=info.empty.unwrap_or_default()
            aria-label=live_text(move || place.label())
            aria-invalid=live_text(move || place.is_wrong().to_string())
            aria-describedby=place.error_id()
            prop:value=live_text(move || typed.get().unwrap_or_else(|| place.text()))
            on:input=on_input
            on:change=move |_| if is_name { finish() }
            on:blur=move |_| finish()
            on:keydown=on_key
            on:paste=on_paste
        />
    }
    .into_any()
}

/// A cell that is picked from a list.
fn pick_cell(place: Place) -> AnyView {
    let Place { state, row, info, .. } = place;
    let listed = move || {
        let mut list: Vec<(String, String)> = state.document.with(|d| match info.kind {
            Kind::Task => with_first(d.names(Table::Tasks)),
            Kind::Process => with_first(d.names(Table::Processes)),
            Kind::After => {
                let mut names = vec![(String::new(), "–".to_owned())];
                names.extend((0..row.get().min(d.len(Table::Kernels))).map(|r| (d.name(Table::Kernels, r), d.name(Table::Kernels, r))));
                names
            }
            Kind::Word(words) => {
                let implied = info.empty.map(|auto| (String::new(), format!("{auto} ({})", spelled(d.implied_class(row.get())))));
                implied.into_iter().chain(words.iter().map(|w| ((*w).to_owned(), spelled(w)))).collect()
            }
            _ => Vec::new(),
        });
        let current = place.text();
        if !list.iter().any(|(value, _)| *value == current) {
            list.push((current.clone(), current.clone()));
        }
        options(list, &current)
    };
    view! {
        <select
            data-cell=live_text(move || place.key())
            aria-label=live_text(move || place.label())
            aria-invalid=live_text(move || place.is_wrong().to_string())
            aria-describedby=place.error_id()
            on:change=move |ev| place.set(None, &event_target_value(&ev))
        >
            {live_part(listed)}
        </select>
    }
    .into_any()
}

/// A word of the scenario's files as people write it.
fn spelled(word: &str) -> String {
    word.replace('_', " ")
}

/// Names to pick from; an empty cell stands for the first.
fn with_first(names: Vec<String>) -> Vec<(String, String)> {
    let first = names.first().cloned().unwrap_or_default();
    std::iter::once((String::new(), first)).chain(names.into_iter().skip(1).map(|name| (name.clone(), name))).collect()
}

/// Priorities of the streams.
#[component]
fn Streams() -> impl IntoView {
    let state = app();
    let entries = move || state.document.with(|d| d.streams());
    let hidden = move || {
        let hidden = entries().len().saturating_sub(PAGE);
        (hidden > 0).then(|| view! { <p class="quiet">{format!("and {} more streams", quantity::format_count(hidden as u64))}</p> })
    };
    let several = move || state.document.with(|d| d.len(Table::Processes)) > 1;
    view! {
        <table class="grid" id="streams">
            <thead><tr><th scope="col">"Stream"</th><th scope="col">"Priority"</th></tr></thead>
            <tbody>
                {live_part(move || entries().into_iter().take(PAGE).map(|entry| {
                    let label = if several() { format!("{} {}", entry.process, entry.name) } else { entry.name.clone() };
                    let problem = entry.listed.and_then(|i| state.problem_at(&format!("streams[{i}].priority")).or_else(|| state.problem_at(&format!("streams[{i}].name"))));
                    let is_wrong = problem.is_some();
                    let (pick, listed, used, current) = (entry.clone(), entry.listed, entry.used, entry.priority);
                    view! {
                        <tr>
                            <th scope="row">{label.clone()}</th>
                            <td class:invalid=is_wrong>
                                <div class="cell">
                                    <select
                                        aria-label=format!("Priority of stream {label}")
                                        data-stream=label.clone()
                                        on:change=move |ev| {
                                            if let Some(priority) = StreamPriority::from_word(&event_target_value(&ev)) {
                                                state.edit(None, |d| d.set_stream_priority(&pick, priority));
                                            }
                                        }
                                    >
                                        {options(StreamPriority::ALL.iter().map(|p| (p.word().to_owned(), p.word().to_owned())).collect(), current.word())}
                                    </select>
                                    {(!used).then(|| view! {
                                        <button class="link" on:click=move |_| state.edit(None, |d| listed.into_iter().for_each(|i| d.unlist_stream(i)))>"Remove"</button>
                                    })}
                                </div>
                                {problem.map(|p| view! { <span class="field-error" role="alert">{p}</span> })}
                            </td>
                        </tr>
                    }
                }).collect_view())}
            </tbody>
        </table>
        {live_part(hidden)}
    }
}

fn cell_key(table: Table, row: usize, column: usize) -> String {
    format!("{}:{row}:{column}", table.field())
}

/// Puts the focus into a cell; if it is not there yet, in the next frame.
fn focus_cell(table: Table, row: usize, column: usize) {
    let selector = format!("[data-cell='{}']", cell_key(table, row, column));
    if !focus_first(&selector) {
        request_animation_frame(move || {
            focus_first(&selector);
        });
    }
}

/// Puts the focus into the first element found, with its text selected; false if there is none.
fn focus_first(selector: &str) -> bool {
    let found = document().query_selector(selector).ok().flatten();
    let Some(element) = found.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) else { return false };
    if let Some(input) = element.dyn_ref::<web_sys::HtmlInputElement>() {
        input.select();
    }
    element.focus().is_ok()
}
