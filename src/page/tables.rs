//! The tables: kernels, tasks, processes and streams, edited in place.
//!
//! Invariant: every edit goes through the document's history.

use std::ops::Range;

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::setup::{Arrange, PolicySettings};
use crate::panels::host::Tools;
use crate::panels::open_tool::OpenTool;
use crate::panels::tool_panels::BelowKernels;
use crate::state::AppState;
use crate::state::document::DocumentState;
use crate::state::messages::{Cells, Messages};
use crate::state::run::RunState;
use crate::state::selection::Selection;
use crate::state::settings::Settings;
use blockstep_sim::scenario::{Choice, NULL_STREAM, PolicyKind, StreamPriority};
use blockstep_tools::ToolId;
use blockstep_tools::pasted::PastedText;
use blockstep_ui::{DataTable, Focus, Holder, LongRows, ROWS, RowAction, TABLE_CLASSES, TableEvents, Viewport, Window, WindowBox, safe};
use blockstep_view::document::WaitingCells;
use blockstep_view::panels::{self, Standing};
use blockstep_view::quantity::format_count;
use blockstep_view::table::{ColumnKind, Table};

/// The cell that had the focus last: its table by its field, row and column.
type LastCell = RwSignal<Option<(String, usize, usize)>>;

#[component]
pub(super) fn Tables(
    /// Whether only the kernels are shown.
    #[prop(optional)]
    only_kernels: bool,
) -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let viewport = expect_context::<Viewport>();
    let last: LastCell = RwSignal::new(None);
    let names = Memo::new(move |_| doc.with(|d| d.stream_names()));
    let has_batches = Memo::new(move |_| doc.with(|d| d.len(Table::Batches) > 0));
    let is_offered = Memo::new(move |_| doc.with(|d| d.len(Table::Batches) == 0 && d.rest.policy.kind == PolicyKind::Edf));
    let add_first = move |_| {
        doc.edit(None, |d| {
            d.add(Table::Batches, None, false);
        });
    };
    let first_batch = move || {
        is_offered.get().then(|| {
            view! {
                <button class="link" id="first-batch" on:click=add_first title="A part of a job with a deadline, a budget and a period of its own">
                    "Add a batch of commands"
                </button>
            }
        })
    };
    let batches = move || {
        has_batches.get().then(|| {
            view! {
                <section class="panel tables" aria-labelledby="batches-title">
                    <div class="table-head">
                        <h2 id="batches-title">"Batches of commands"</h2>
                        <p class="quiet">"Rows of the kernel table name their batch. Under EDF it has times of its own."</p>
                    </div>
                    <ScenarioTable table=Table::Batches name="batch" last=last />
                </section>
            }
        })
    };
    let others = move || {
        view! {
            <section class="panel tables" aria-labelledby="tasks-title">
                <div class="table-head">
                    <h2 id="tasks-title">"CPU tasks"</h2>
                    <p class="quiet">"A task releases jobs; each job launches the task's kernels."</p>
                    {first_batch}
                </div>
                <ScenarioTable table=Table::Tasks name="task" last=last />
            </section>
            {batches}
            <div class="tables-row">
                <section class="panel tables" aria-labelledby="processes-title">
                    <div class="table-head">
                        <h2 id="processes-title">"Processes"</h2>
                        <Arrange />
                    </div>
                    <ScenarioTable table=Table::Processes name="process" last=last />
                </section>
                <Streams />
            </div>
        }
    };
    let run = expect_context::<RunState>();
    let waits = Memo::new(move |_| {
        run.with(|run| {
            let scenario = run.trace().scenario();
            scenario.has_spins() || scenario.has_cooperative()
        })
    });
    let hang = move || {
        waits.get().then(|| {
            view! {
                <OpenTool tool=ToolId::Hang class="small">
                    {ToolId::Hang.info().title}
                </OpenTool>
            }
        })
    };
    let beside = move || {
        view! {
            {hang}
            <OpenTool tool=ToolId::Program class="link">
                "Program"
            </OpenTool>
            <nav class="below" aria-label="Below the tables">{below("results", "Results")} {below("study", "Schedulability")}</nav>
        }
    };
    view! {
        <div
            class="editors"
            id="editors"
            on:focusin=move |event| {
                viewport.hold(Holder::Focus, true);
                if let Some(cell) = cell_of(&event) {
                    last.set(Some(cell));
                }
            }
            on:focusout=move |event| viewport.hold(Holder::Focus, is_within(&event))
            on:pointerenter=move |_| viewport.hold(Holder::Pointer, true)
            on:pointerleave=move |_| viewport.hold(Holder::Pointer, false)
        >
            {(!only_kernels).then(|| view! { <PolicySettings /> })}
            <section class="panel tables" aria-labelledby="kernels-title">
                <div class="table-head">
                    <h2 id="kernels-title">"Kernels"</h2>
                    <p class="quiet">"Edit any cell; the run updates at once. You can paste cells from a spreadsheet."</p>
                    {(!only_kernels).then(beside)}
                </div>
                <ScenarioTable table=Table::Kernels name="kernel" last=last is_card=only_kernels />
                <BelowKernels />
            </section>
            {(!only_kernels).then(others)}
            <datalist id="stream-names">
                <For each=move || names.get() key=|name| name.clone() children=|name| view! { <option value=name></option> } />
            </datalist>
        </div>
    }
}

/// A way to a part of the page below the tables, which is opened.
fn below(id: &'static str, title: &'static str) -> impl IntoView {
    let show = move |_| {
        let Some(part) = document().get_element_by_id(id).and_then(|part| part.dyn_into::<web_sys::HtmlDetailsElement>().ok()) else {
            return;
        };
        part.set_open(true);
        part.scroll_into_view();
        if let Some(summary) =
            part.query_selector("summary").ok().flatten().and_then(|summary| summary.dyn_into::<web_sys::HtmlElement>().ok())
        {
            // It is in sight.
            let _ = summary.focus();
        }
    };
    view! {
        <button type="button" class="link" data-below=id on:click=show>
            {title}
        </button>
    }
}

/// The cell that takes the focus.
fn cell_of(event: &web_sys::FocusEvent) -> Option<(String, usize, usize)> {
    let key = event.target()?.dyn_ref::<web_sys::Element>()?.get_attribute("data-cell")?;
    let mut parts = key.split(':');
    Some((parts.next()?.to_owned(), parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Whether the focus goes to something within the same element.
fn is_within(event: &web_sys::FocusEvent) -> bool {
    let element = event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let to = event.related_target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
    element.zip(to).is_some_and(|(element, to)| element.contains(Some(&to)))
}

#[component]
fn ScenarioTable(
    table: Table,
    name: &'static str,
    last: LastCell,
    /// Whether it is that of a question, which has its own numbers to change.
    #[prop(optional)]
    is_card: bool,
) -> impl IntoView {
    let tools = expect_context::<Tools>();
    let doc = expect_context::<DocumentState>();
    let run = expect_context::<RunState>();
    let settings = expect_context::<Settings>();
    let selection = expect_context::<Selection>();
    let messages = expect_context::<Messages>();
    let count = Memo::new(move |_| doc.with(|d| d.len(table)));
    let rows = move |range: Range<usize>| {
        run.problems.with(|problems| {
            let standing = Standing { problems, is_wrong: run.is_wrong(), is_dark: settings.is_dark(), selected: selection.kernel.get() };
            doc.with(|d| panels::grid(d, table, range.start.min(d.len(table))..range.end.min(d.len(table)), standing))
        })
    };
    let focus = Focus::new(None);
    let field = table.field();
    let events = TableEvents {
        on_edit: Callback::new(move |(row, column, text, is_keystroke): (usize, usize, String, bool)| {
            doc.edit(is_keystroke.then(|| format!("{field} {row} {column}")), |d| d.set(table, row, column, &text));
        }),
        on_leave: Callback::new(move |()| doc.pause_history()),
        on_paste: Callback::new(move |(row, column, text): (usize, usize, String)| match PastedText::new(&table.columns()[column], text) {
            Ok(PastedText { cells: text, is_of_semicolons }) => {
                let waiting = WaitingCells { text, is_of_semicolons, row, column, ..WaitingCells::default() };
                messages.cells.set(Some(Cells { file: None, table, waiting }));
            }
            Err(why) => messages.complain(why.to_string()),
        }),
        on_action: Callback::new(move |(row, action)| match action {
            RowAction::MoveUp => doc.edit(None, |d| d.shift(table, row, false)),
            RowAction::MoveDown => doc.edit(None, |d| d.shift(table, row, true)),
            RowAction::Duplicate => doc.edit(None, |d| {
                d.add(table, Some(row), true);
            }),
            RowAction::Delete => doc.edit(None, |d| d.delete(table, row)),
        }),
        on_select: Callback::new(move |row| {
            let id = doc.with_untracked(|d| d.id(table, row));
            selection.kernel.update(|s| *s = if *s == id { None } else { id });
        }),
        on_undo: Callback::new(move |is_undo| if is_undo { doc.undo() } else { doc.redo() }),
    };
    let add = move |_| {
        doc.edit(None, |d| {
            d.add(table, None, false);
        });
        let last = doc.with_untracked(|d| d.len(table)) - 1;
        focus.set(Some((last, 0)));
    };
    let shows_all = RwSignal::new(false);
    let unused = Memo::new(move |_| run.problems.with(|problems| doc.with(|d| panels::unused_columns(d, table, problems))));
    let left_out = Signal::derive(move || if shows_all.get() { Vec::new() } else { unused.get() });
    let all_columns = move || {
        (!unused.with(Vec::is_empty)).then(|| {
            let label = move || if shows_all.get() { "Fewer columns" } else { "All columns" };
            let spoken = move || if shows_all.get() { fewer_columns_of(table) } else { all_columns_of(table) };
            let on_click = move |_| shows_all.update(|all| *all = !*all);
            view! {
                <button id=format!("columns-{name}") aria-label=spoken on:click=on_click>
                    {label}
                </button>
            }
        })
    };
    // The number in the cell that had the focus last, by its field, with its name.
    let number = Memo::new(move |_| {
        let (of, row, column) = last.get().filter(|(of, ..)| *of == field)?;
        let column = table.columns().get(column)?;
        let is_number = matches!(column.kind, ColumnKind::Quantity(_) | ColumnKind::Times | ColumnKind::Integer);
        let name = doc.with(|d| d.name(table, row));
        is_number.then(|| (format!("{of}[{row}].{}", column.field), format!("Vary {} of {}…", column.title, safe(&name))))
    });
    let vary = move || {
        let is_first = table == Table::Kernels && !is_card;
        let any = || is_first.then(|| (String::new(), "Vary a number…".to_owned()));
        let (field, label) = number.get().filter(|_| !is_card).or_else(any)?;
        let on_click = move |_| tools.open_tool(ToolId::Sweep, &field);
        Some(view! {
            <button id=format!("vary-{name}") title="Run it with many values, and draw what comes of it" on:click=on_click>
                {label}
            </button>
        })
    };
    let rows_in_all = move || (count.get() > ROWS.whole).then(|| format!("{} rows", format_count(count.get() as u64)));
    view! {
        <DataTable id=field columns=table.columns() count=count rows=rows events=events focus=focus left_out=left_out />
        <div class="table-foot">
            <button id=format!("add-{name}") on:click=add>{add_row(table)}</button>
            {all_columns}
            {vary}
            <span class="pager">{rows_in_all}</span>
        </div>
    }
}

#[derive(Clone, PartialEq)]
struct StreamRow {
    entry: usize,
    label: String,
    priority: StreamPriority,
    non_blocking: bool,
    is_null: bool,
    is_used: bool,
    problem: Option<String>,
}

/// Priorities of the streams, and which of them the NULL stream does not concern.
#[component]
fn Streams() -> impl IntoView {
    let state = expect_context::<AppState>();
    let streams = Memo::new(move |_| state.document.with(|d| d.streams()));
    let window = Window::new(Memo::new(move |_| streams.with(Vec::len)), ROWS);
    let rows = Memo::new(move |_| {
        let several = state.document.with(|d| d.len(Table::Processes)) > 1;
        let row = |(entry, stream): (usize, blockstep_view::document::StreamEntry)| StreamRow {
            entry,
            is_null: stream.name == NULL_STREAM,
            non_blocking: stream.non_blocking,
            label: if several { format!("{} {}", stream.process, stream.name) } else { stream.name },
            priority: stream.priority,
            is_used: stream.used,
            problem: stream.listed.and_then(|i| {
                let at = |field: &str| state.run.problem_at(&format!("streams[{i}].{field}"));
                at("priority").or_else(|| at("non_blocking")).or_else(|| at("name")).or_else(|| at("process"))
            }),
        };
        let shown = window.items.get();
        streams.with(|streams| streams.iter().cloned().enumerate().skip(shown.start).take(shown.len()).map(row).collect::<Vec<_>>())
    });
    let shows_flag = Memo::new(move |_| state.document.with(|d| d.shows_non_blocking()));
    view! {
        <section class="panel tables" aria-labelledby="streams-title">
            <div class="table-head">
                <h2 id="streams-title">"Streams"</h2>
            </div>
            <WindowBox window=window classes=TABLE_CLASSES>
                <table class="grid" id="streams">
                    <thead>
                        <tr>
                            <th scope="col">"Stream"</th>
                            <th scope="col">"Priority"</th>
                            <th
                                scope="col"
                                title="blocking: it waits for the NULL stream, and the NULL stream for it (N1, N2); non-blocking: neither"
                                hidden=move || !shows_flag.get()
                            >
                                "NULL stream"
                            </th>
                        </tr>
                    </thead>
                    <LongRows window=window>
                        <For
                            each=move || rows.get()
                            key=|row| (row.entry, row.label.clone())
                            children=move |row| stream(state, rows, row, shows_flag)
                        />
                    </LongRows>
                </table>
            </WindowBox>
        </section>
    }
}

fn stream(state: AppState, rows: Memo<Vec<StreamRow>>, first: StreamRow, shows_flag: Memo<bool>) -> impl IntoView {
    let (entry, is_null) = (first.entry, first.is_null);
    let label = safe(&first.label);
    let label_of_flag = label.clone();
    let row = Memo::new(move |last: Option<&StreamRow>| {
        let now = rows.with(|rows| rows.iter().find(|row| row.entry == entry).cloned());
        now.unwrap_or_else(|| last.unwrap_or(&first).clone())
    });
    let on_change = move |word: String| {
        if let Some(priority) = StreamPriority::from_word(&word) {
            state.document.edit(None, |d| {
                if let Some(entry) = d.streams().get(entry) {
                    d.set_stream_priority(entry, priority);
                }
            });
        }
    };
    let set_flag = move |non_blocking: bool| {
        state.document.edit(None, |d| {
            if let Some(entry) = d.streams().get(entry) {
                d.set_stream_non_blocking(entry, non_blocking);
            }
        });
    };
    let unlist = move |_| {
        state.document.edit(None, |d| {
            if let Some(listed) = d.streams().get(entry).and_then(|entry| entry.listed) {
                d.unlist_stream(listed);
            }
        });
    };
    let option = move |priority: StreamPriority| {
        view! { <option value=priority.word() prop:selected=move || row.with(|row| row.priority == priority)>{priority.word()}</option> }
    };
    let remove = move || (!row.with(|row| row.is_used)).then(|| view! { <button class="link" on:click=unlist>"Remove"</button> });
    let problem =
        move || row.with(|row| row.problem.clone()).map(|text| view! { <span class="field-error" role="alert">{safe(&text)}</span> });
    view! {
        <tr data-row=entry>
            <th scope="row">{label.clone()}</th>
            <td class=move || if row.with(|row| row.problem.is_some()) { "invalid" } else { "" }>
                <div class="cell">
                    <select
                        aria-label=format!("Priority of stream {label}")
                        data-stream=label
                        on:change:target=move |event| on_change(event.target().value())
                    >
                        {StreamPriority::ALL.iter().copied().map(option).collect_view()}
                    </select>
                    {remove}
                </div>
                {problem}
            </td>
            <td hidden=move || !shows_flag.get()>
                <div class="cell">
                    <select
                        aria-label=format!("Whether stream {label_of_flag} is blocking")
                        disabled=is_null
                        on:change:target=move |event| set_flag(event.target().value() == "on")
                    >
                        <option value="off" prop:selected=move || !row.with(|row| row.non_blocking)>"blocking"</option>
                        <option value="on" prop:selected=move || row.with(|row| row.non_blocking)>"non-blocking"</option>
                    </select>
                </div>
            </td>
        </tr>
    }
}

const fn add_row(table: Table) -> &'static str {
    match table {
        Table::Kernels => "Add kernel",
        Table::Tasks => "Add task",
        Table::Processes => "Add process",
        Table::Batches => "Add batch",
    }
}

/// For screen readers.
const fn fewer_columns_of(table: Table) -> &'static str {
    match table {
        Table::Kernels => "Fewer columns of the kernel table",
        Table::Tasks => "Fewer columns of the task table",
        Table::Processes => "Fewer columns of the process table",
        Table::Batches => "Fewer columns of the batch table",
    }
}

/// For screen readers.
const fn all_columns_of(table: Table) -> &'static str {
    match table {
        Table::Kernels => "All columns of the kernel table",
        Table::Tasks => "All columns of the task table",
        Table::Processes => "All columns of the process table",
        Table::Batches => "All columns of the batch table",
    }
}
