//! A table that is edited in place: kernels, tasks, processes.
//!
//! Invariants: what is typed stays as it is until the cell is left, whatever comes of it; an edit changes those cells that it changes
//! in the model, so that focus and typing go on; nobody outside is asked for anything but by a callback.

use std::collections::BTreeMap;
use std::ops::Range;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::icon::Icon;
use super::quantity::QuantityInput;
use super::sight::show_across;
use super::term::TermLink;
use super::text::{safe, with_unseen};
use super::window::{LongRows, Shape, Window, WindowBox};
use blockstep_view::labels::LabelTerm;
use blockstep_view::panels::{self, GridCell, GridRow};
use blockstep_view::table::{Column, ColumnKind, Table};

pub const SELECT_HELP: &str = "Select this kernel in all panels";

/// Rows of a table.
pub const ROWS: Shape = Shape { whole: 24, items: "tbody tr[data-row]" };

/// The class of the box around a table, short or long.
pub const TABLE_CLASSES: (&str, &str) = ("table-scroll", "table-scroll long");

/// Choices that are in a list before the reader opens it, in a short table and in a long one.
const FEW_CHOICES: (usize, usize) = (12, 2);

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RowAction {
    MoveUp,
    MoveDown,
    Duplicate,
    Delete,
}

impl RowAction {
    const ALL: [(Self, &'static str, Icon); 4] = [
        (Self::MoveUp, "Move up", Icon::MoveUp),
        (Self::MoveDown, "Move down", Icon::MoveDown),
        (Self::Duplicate, "Duplicate", Icon::Duplicate),
        (Self::Delete, "Delete", Icon::Delete),
    ];
}

#[derive(Clone, Copy)]
pub struct TableEvents {
    /// A cell holds another text: row, column, text, and whether more of the same may follow.
    pub on_edit: Callback<(usize, usize, String, bool)>,
    pub on_leave: Callback<()>,
    /// Cells of a spreadsheet were pasted: row and column of the first, and their text.
    pub on_paste: Callback<(usize, usize, String)>,
    pub on_action: Callback<(usize, RowAction)>,
    pub on_select: Callback<usize>,
    /// Undo (or redo, if false) was asked for in a cell that is not being typed into.
    pub on_undo: Callback<bool>,
}

/// What is being typed: row, column, text. A cell knows its own; this is for a row that is scrolled away meanwhile.
type Typed = StoredValue<Option<(usize, usize, String)>>;

/// Row and column of the cell that is to get the focus.
pub type Focus = RwSignal<Option<(usize, usize)>>;

#[component]
pub fn DataTable(
    id: &'static str,
    columns: &'static [Column],
    count: Memo<usize>,
    /// Some of them, as they are to be shown.
    rows: impl Fn(Range<usize>) -> Vec<GridRow> + Send + Sync + 'static,
    events: TableEvents,
    /// Row and column that are to get the focus, which may be out of sight.
    focus: Focus,
    /// Fields of columns that are left out. The one that has the focus stays until it has lost it.
    #[prop(into, default = Vec::new().into())]
    left_out: Signal<Vec<&'static str>>,
) -> impl IntoView {
    let typed: Typed = StoredValue::new(None);
    let focused = RwSignal::new(None::<usize>);
    let places = Memo::new(move |_| {
        let is_there = |i: &usize| focused.get() == Some(*i) || left_out.with(|fields| !fields.contains(&columns[*i].field));
        (0..columns.len()).filter(is_there).collect::<Vec<_>>()
    });
    let window = Window::new(count, ROWS);
    let rows = Memo::new(move |_| rows(window.items.get()));
    Effect::new(move |_| {
        if let Some((row, column)) = focus.get() {
            focus.set(None);
            window.reveal(row);
            focus_cell(id, row, column);
        }
    });
    // What is typed into a row that is scrolled away is as if the cell had been left.
    let on_scroll = Callback::new(move |()| {
        let shown = window.items.get_untracked();
        if let Some((row, column, text)) = typed.get_value().filter(|(row, ..)| !shown.contains(row)) {
            typed.set_value(None);
            if panels::is_name(columns[column].kind) {
                events.on_edit.run((row, column, text, true));
            }
            events.on_leave.run(());
        }
    });
    let head = move |i: usize| {
        let column = &columns[i];
        let title = match LabelTerm::of_column(column.title).filter(|_| id == Table::Kernels.field()) {
            Some(term) => view! { <TermLink term=term text=column.title /> }.into_any(),
            None => column.title.into_any(),
        };
        view! { <th scope="col" title=column.help data-field=column.field>{title}</th> }
    };
    // Each row in sight is a signal of its own, set when the row changed. As a memo of `rows`, each of hundreds of cells would
    // have to look whether an edit of one concerns it.
    let shown = StoredValue::new(BTreeMap::<usize, RwSignal<GridRow>>::new());
    Effect::new(move |_| {
        rows.with(|rows| {
            for row in rows {
                let signal = shown.with_value(|shown| shown.get(&row.row).copied());
                if let Some(signal) = signal.filter(|signal| signal.try_with_untracked(|last| last != row) == Some(true)) {
                    signal.set(row.clone());
                }
            }
        });
    });
    let row = move |i: usize| {
        let first = rows.with_untracked(|rows| rows.iter().find(|row| row.row == i).cloned());
        first.map(|first| {
            let row = RwSignal::new(first);
            shown.update_value(|shown| {
                shown.insert(i, row);
            });
            let few = if untrack(|| window.is_long()) { FEW_CHOICES.1 } else { FEW_CHOICES.0 };
            view! { <Row table=id columns=columns places=places number=i row=row typed=typed focus=focus events=events few_choices=few /> }
        })
    };
    view! {
        <WindowBox window=window classes=TABLE_CLASSES on_scroll=on_scroll>
            <table
                class="grid"
                id=id
                aria-rowcount=move || count.get() + 1
                on:focusin=move |event| {
                    focused.set(column_of(&event));
                    bring_into_sight(&event);
                }
                on:focusout=move |_| focused.set(None)
            >
                <thead>
                    <tr>
                        <For each=move || places.get() key=|i| *i children=head />
                        <th scope="col">
                            <span class="visually-hidden">"Actions"</span>
                        </th>
                    </tr>
                </thead>
                <LongRows window=window>
                    <For each=move || rows.with(|rows| rows.iter().map(|row| row.row).collect::<Vec<_>>()) key=|row| *row children=row />
                </LongRows>
            </table>
        </WindowBox>
    }
}

#[component]
fn Row(
    table: &'static str,
    columns: &'static [Column],
    places: Memo<Vec<usize>>,
    number: usize,
    row: RwSignal<GridRow>,
    typed: Typed,
    focus: Focus,
    events: TableEvents,
    few_choices: usize,
) -> impl IntoView {
    let name = Memo::new(move |_| row.with(|row| safe(&row.name)));
    let looks = Memo::new(move |_| row.with(|row| (row.is_selected, row.colour.clone())));
    let cell = move |i: usize| {
        let column = &columns[i];
        let cell = Memo::new(move |_| row.with(|row| row.cells[i].clone()));
        let swatch =
            (column.kind == ColumnKind::Name).then(|| view! { <Swatch looks=looks on_click=move || events.on_select.run(number) /> });
        let swatch = swatch.into_any();
        view! { <Cell table row=number number=i column cell typed focus events few_choices swatch /> }
    };
    let action = move |(action, title, icon): (RowAction, &'static str, Icon)| {
        view! {
            <button
                class="icon small"
                data-action=title
                aria-label=move || format!("{title} {}", name.get())
                title=title
                on:click=move |_| events.on_action.run((number, action))
            >
                {icon.view()}
            </button>
        }
    };
    view! {
        <tr class=move || if looks.get().0 { "selected" } else { "" } data-row=number aria-rowindex=number + 2>
            <For each=move || places.get() key=|i| *i children=cell />
            <td class="row-actions">{RowAction::ALL.map(action).collect_view()}</td>
        </tr>
    }
}

/// The color of a kernel, which selects it.
#[component]
fn Swatch(looks: Memo<(bool, Option<String>)>, on_click: impl Fn() + Copy + Send + Sync + 'static) -> impl IntoView {
    move || {
        let (is_selected, colour) = looks.get();
        colour.map(|colour| {
            view! {
                <button
                    class="swatch"
                    style=format!("background:{colour}")
                    aria-label=SELECT_HELP
                    title=SELECT_HELP
                    aria-pressed=is_selected.to_string()
                    on:click=move |_| on_click()
                ></button>
            }
        })
    }
}

/// A cell: typed into, or picked from a list; what is wrong with it stands below.
#[component]
fn Cell(
    table: &'static str,
    row: usize,
    number: usize,
    column: &'static Column,
    cell: Memo<GridCell>,
    typed: Typed,
    focus: Focus,
    events: TableEvents,
    few_choices: usize,
    swatch: AnyView,
) -> impl IntoView {
    let problem = Memo::new(move |_| cell.with(|cell| cell.problem.clone()));
    // Signals, not memos: a table has hundreds of cells, and the cell itself is a memo.
    let is_wrong = Signal::derive(move || problem.with(|problem| problem.as_ref().is_some_and(|(_, is_wrong)| *is_wrong)));
    let class = move || match problem.with(|problem| problem.as_ref().map(|(_, is_wrong)| *is_wrong)) {
        Some(true) => "invalid",
        Some(false) => "doubtful",
        None => "",
    };
    let error_id = format!("{table}-{row}-{}", column.field);
    let of_error = error_id.clone();
    let label = Signal::derive(move || cell.with(|cell| safe(&cell.label)));
    let text = Signal::derive(move || cell.with(|cell| cell.text.clone()));
    // A field shows nothing of what cannot be seen; so it stands below, with what is wrong, or by itself.
    let unseen = Memo::new(move |_| cell.with(|cell| with_unseen(&cell.text)));
    let said = move || {
        let (problem, unseen) = (problem.get(), unseen.get().map(|name| view! { <span class="unseen">{reads(&name)}</span> }));
        match problem {
            Some((text, is_wrong)) => {
                let role = if is_wrong { "alert" } else { "status" };
                Some(view! { <span class="field-error" id=of_error.clone() role=role>{safe(&text)} {unseen}</span> }.into_any())
            }
            None => unseen.map(|unseen| view! { <span id=of_error.clone()>{unseen}</span> }.into_any()),
        }
    };
    let key = format!("{table}:{row}:{number}");
    let control = if panels::is_picked(column.kind) {
        // A table of a thousand tasks would have a thousand choices in each row: they are there once the reader is.
        let is_open = RwSignal::new(false);
        let choices = Memo::new(move |_| {
            cell.with(|cell| {
                let all = cell.choices.iter().flatten();
                let is_whole = is_open.get() || cell.choices.as_ref().is_none_or(|choices| choices.len() <= few_choices);
                all.filter(|(value, _)| is_whole || *value == cell.text).cloned().collect::<Vec<_>>()
            })
        });
        // An option that comes later may be the one chosen; among those that are there the control's value says so.
        let option = move |(value, name): (String, String)| {
            let is_chosen = untrack(|| cell.with(|cell| cell.text == value));
            view! { <option value=value selected=is_chosen>{safe(&name)}</option> }
        };
        view! {
            <select
                data-cell=key
                aria-label=move || label.get()
                aria-invalid=move || is_wrong.get().to_string()
                aria-describedby=error_id
                prop:value=move || text.get()
                on:pointerenter=move |_| is_open.set(true)
                on:pointerdown=move |_| is_open.set(true)
                on:focus=move |_| is_open.set(true)
                on:change:target=move |event| events.on_edit.run((row, number, event.target().value(), false))
            >
                <For each=move || choices.get() key=|choice| choice.clone() children=option />
            </select>
        }
        .into_any()
    } else {
        view! {
            <TextCell
                id=(key, error_id)
                place=(row, number)
                column=column
                text=text
                label=label
                is_wrong=is_wrong
                typed=typed
                focus=focus
                events=events
            />
        }
        .into_any()
    };
    view! {
        <td class=class data-field=column.field>
            {swatch} {control} {said}
        </td>
    }
}

#[component]
fn TextCell(
    /// The cell's key, and the id of what is said about it.
    id: (String, String),
    place: (usize, usize),
    column: &'static Column,
    text: Signal<String>,
    label: Signal<String>,
    is_wrong: Signal<bool>,
    typed: Typed,
    focus: Focus,
    events: TableEvents,
) -> impl IntoView {
    let (key, error_id) = id;
    let (row, number) = place;
    let draft = RwSignal::new(None::<String>);
    let forget = move || {
        typed.try_update_value(|typed| {
            if typed.as_ref().is_some_and(|(r, c, _)| (*r, *c) == place) {
                *typed = None;
            }
        })
    };
    // A cell that is gone, as the document is another one, takes along what was typed into it.
    on_cleanup(move || {
        forget();
    });
    // A name is taken when it is complete, as other cells refer to it.
    let is_name = panels::is_name(column.kind);
    let on_input = move |now: String| {
        typed.set_value(Some((row, number, now.clone())));
        if !is_name {
            events.on_edit.run((row, number, now, true));
        }
    };
    let on_leave = move |now: Option<String>| {
        forget();
        if let Some(now) = now.filter(|_| is_name) {
            events.on_edit.run((row, number, now, true));
        }
        events.on_leave.run(());
    };
    let on_row = move |is_below: bool| {
        if let Some(to) = if is_below { Some(row + 1) } else { row.checked_sub(1) } {
            focus.set(Some((to, number)));
        }
    };
    let on_paste = move |pasted: String| {
        let is_several = pasted.contains('\t') || pasted.trim_end().contains('\n');
        if is_several {
            forget();
            events.on_paste.run((row, number, pasted));
        }
        is_several
    };
    view! {
        <QuantityInput
            cell=key
            text=text
            draft=draft
            label=label
            is_wrong=is_wrong
            error_id=error_id
            placeholder=column.empty.unwrap_or_default()
            list=(column.kind == ColumnKind::Stream).then_some("stream-names")
            is_number=matches!(column.kind, ColumnKind::Quantity(_) | ColumnKind::Times | ColumnKind::Integer)
            on_input=on_input
            on_leave=on_leave
            on_undo=events.on_undo
            on_row=Callback::new(on_row)
            on_paste=Callback::new(on_paste)
        />
    }
}

fn column_of(event: &web_sys::FocusEvent) -> Option<usize> {
    let key = event.target()?.dyn_ref::<web_sys::Element>()?.get_attribute("data-cell")?;
    key.rsplit(':').next()?.parse().ok()
}

/// Brings the cell that gets the focus into sight whole, beside the buttons of its row.
fn bring_into_sight(event: &web_sys::FocusEvent) {
    let Some(cell) = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()) else { return };
    let around = |selector: &str| cell.closest(selector).ok().flatten();
    let (Some(row), Some(place), None) = (around("tr"), around(".table-scroll"), around(".row-actions")) else { return };
    let buttons = row.query_selector(".row-actions").ok().flatten();
    show_across(&place, &cell, buttons.map_or(f64::INFINITY, |buttons| buttons.get_bounding_client_rect().left()));
}

/// Puts the focus into a cell, with its text selected; if it is not there yet, in the next frame.
pub fn focus_cell(table: &'static str, row: usize, column: usize) {
    let selector = format!("[data-cell='{table}:{row}:{column}']");
    if !focus_first(&selector) {
        request_animation_frame(move || {
            focus_first(&selector);
        });
    }
}

/// Puts the focus into the first element found; false if there is none.
fn focus_first(selector: &str) -> bool {
    let found = document().query_selector(selector).ok().flatten();
    let Some(element) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) else { return false };
    // Only then: in Chromium `select` takes the focus too, and does not bring the cell out from behind the bar.
    let has_focus = element.focus().is_ok();
    if let Some(input) = element.dyn_ref::<web_sys::HtmlInputElement>() {
        input.select();
    }
    has_focus
}

/// Of a field with something in it that cannot be seen: the text with that named.
pub fn reads(shown: &str) -> String {
    format!("reads {shown}")
}
