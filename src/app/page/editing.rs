//! Typing into cells and fields, wherever they stand: one set of listeners for all of them.
//!
//! Depends on `state` and `view::table`. Invariants: what is typed goes into the document as it is;
//! whether it can be read is the document's matter. A cell is known by `data-cell` (table, row,
//! column), a field outside the tables by `data-top` (its path).

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{held, listen, target};
use super::state::AppState;
use crate::view::panels;
use crate::view::table::Table;

/// Something that can be edited.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Field {
    /// A cell: table, row, column.
    Cell(Table, usize, usize),
    /// A field outside the tables, by path.
    Top(String),
}

impl Field {
    /// The one an event happened in, with its control.
    pub(super) fn of(event: &web_sys::Event) -> Option<(web_sys::Element, Self)> {
        let control = target(event)?;
        let field = match control.get_attribute("data-cell") {
            Some(key) => Self::cell(&key)?,
            None => Self::Top(control.get_attribute("data-top")?),
        };
        Some((control, field))
    }

    fn cell(key: &str) -> Option<Self> {
        let mut parts = key.split(':');
        let table = parts.next()?;
        let table = Table::ALL.into_iter().find(|t| t.field() == table)?;
        Some(Self::Cell(table, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// Whether it is taken only when it is complete.
    fn is_name(&self) -> bool {
        matches!(self, Self::Cell(table, _, column) if table.columns().get(*column).is_some_and(|c| panels::is_name(c.kind)))
    }

    /// What the document has there.
    pub(super) fn text(&self, state: AppState) -> String {
        state.document.with(|d| match self {
            Self::Cell(table, row, column) => d.text(*table, *row, *column),
            Self::Top(path) => d.top_text(path),
        })
    }

    /// Edits it; `is_keystroke` if more of the same may follow.
    fn set(&self, state: AppState, text: &str, is_keystroke: bool) {
        let of = is_keystroke.then(|| match self {
            Self::Cell(table, row, column) => format!("{} {row} {column}", table.field()),
            Self::Top(path) => path.clone(),
        });
        state.edit(of, |d| match self {
            Self::Cell(table, row, column) => d.set(*table, *row, *column, text),
            Self::Top(path) => d.set_top(path, text),
        });
    }

    fn is_being_typed(&self, state: AppState) -> bool {
        state.typed.with_value(|typed| typed.as_ref() == Some(self))
    }
}

/// Listens to all typing in the element with this id.
pub(super) fn listen_to(id: &'static str, state: AppState) {
    listen(id, "input", move |event| on_input(state, event));
    listen(id, "change", move |event| on_change(state, event));
    listen(id, "focusout", move |event| on_leave(state, event));
    listen(id, "keydown", move |event| on_key(state, event));
    listen(id, "paste", move |event| on_paste(state, event));
}

/// Puts a text into a control, unless it is what the user is typing.
pub(super) fn show(state: AppState, control: &web_sys::Element, field: &Field, text: &str) {
    if !field.is_being_typed(state) {
        // A control has a value.
        let _ = js_sys::Reflect::set(control, &"value".into(), &text.into());
    }
}

/// A keystroke.
fn on_input(state: AppState, event: &ev::Event) {
    let Some((control, field)) = Field::of(event) else { return };
    if control.tag_name() == "SELECT" {
        return;
    }
    let text = held(event);
    state.typed.set_value(Some(field.clone()));
    if !field.is_name() {
        field.set(state, &text, true);
    }
}

/// A pick from a list, or the end of typing.
fn on_change(state: AppState, event: &ev::Event) {
    let Some((control, field)) = Field::of(event) else { return };
    if control.tag_name() == "SELECT" {
        field.set(state, &held(event), false);
    } else {
        finish(state, &control, &field, &held(event));
    }
}

/// The focus has gone elsewhere.
fn on_leave(state: AppState, event: &ev::FocusEvent) {
    if let Some((control, field)) = Field::of(event)
        && control.tag_name() != "SELECT"
    {
        finish(state, &control, &field, &held(event));
    }
}

/// While it is typed, a text stays as it is; afterwards the control shows how it was read.
fn finish(state: AppState, control: &web_sys::Element, field: &Field, text: &str) {
    // What has the focus when the page is taken away loses it when the page is gone.
    if state.typed.try_with_value(|_| ()).is_none() {
        return;
    }
    if field.is_being_typed(state) {
        if field.is_name() {
            field.set(state, text, true);
        }
        state.typed.set_value(None);
    }
    state.pause_history();
    show(state, control, field, &untrack(|| field.text(state)));
}

/// Keys of a cell: to the cells around it; undo, unless it is being typed into.
fn on_key(state: AppState, event: &ev::KeyboardEvent) {
    let Some((control, field)) = Field::of(event) else { return };
    if control.tag_name() == "SELECT" {
        return;
    }
    let is_undo = (event.ctrl_key() || event.meta_key()) && !field.is_being_typed(state);
    match (event.key().as_str(), &field) {
        (key @ ("Enter" | "ArrowDown" | "ArrowUp"), &Field::Cell(table, row, column)) => {
            event.prevent_default();
            finish(state, &control, &field, &held(event));
            focus_cell(table, if key == "ArrowUp" { row.wrapping_sub(1) } else { row + 1 }, column);
        }
        ("Escape", _) => {
            state.typed.set_value(None);
            if let Some(control) = control.dyn_ref::<web_sys::HtmlElement>() {
                // Cannot fail on an element of this document.
                let _ = control.blur();
            }
        }
        (key @ ("z" | "y" | "Z"), _) if is_undo => {
            event.prevent_default();
            if key == "z" && !event.shift_key() { state.undo() } else { state.redo() }
        }
        _ => {}
    }
}

/// Cells of a spreadsheet.
fn on_paste(state: AppState, event: &ev::ClipboardEvent) {
    let Some((_, Field::Cell(table, row, column))) = Field::of(event) else { return };
    let pasted = event.clipboard_data().and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
    if pasted.contains('\t') || pasted.trim_end().contains('\n') {
        event.prevent_default();
        state.typed.set_value(None);
        state.edit(None, |d| d.paste(table, row, column, &pasted));
    }
}

/// Puts the focus into a cell; if it is not there yet, in the next frame.
pub(super) fn focus_cell(table: Table, row: usize, column: usize) {
    let selector = format!("[data-cell='{}:{row}:{column}']", table.field());
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
