//! Direct manipulation: launches and edges of blocks on the timeline, operations and rows dropped on a stream, and the same
//! from the keyboard.
//!
//! Invariants: a drag is one entry of the history, which Escape takes back; what is shown keeps its scale while something is dragged.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use crate::state::AppState;
use crate::state::storage::is_embedded;
use crate::state::tip::{TipText, tip};
use blockstep_sim::scenario::NULL_STREAM;
use blockstep_sim::units::{OpId, RowId, StreamId};
use blockstep_ui::{Extract, NEW_STREAM, safe};
use blockstep_view::document::Document;
use blockstep_view::drag::{Drag, Grip};
use blockstep_view::table::Table;

/// Pointers may move this far and still click, px.
const CLICK_PX: f64 = 5.0;

/// Where something is looked for beside a finger, the nearest first, px.
const FINGER_PX: [f64; 7] = [0.0, -6.0, 6.0, -11.0, 11.0, -16.0, 16.0];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nudge {
    /// Its start, earlier or later.
    Start {
        later: bool,
    },
    Time {
        longer: bool,
    },
    /// Its stream, the one before or after.
    Stream {
        next: bool,
    },
}

#[derive(Clone, Copy)]
struct HeldDrag {
    drag: Drag,
    id: u32,
    /// Where the pointer was, px.
    from_x: f64,
    /// The value last written; `None` as long as nothing was.
    value: Option<u64>,
    shown: Extract,
}

#[derive(Clone, Copy)]
pub(super) struct TimelineDrag {
    state: AppState,
    held: StoredValue<Option<HeldDrag>>,
    /// Whether something can be taken hold of under the pointer, or is.
    pub(super) is_over: RwSignal<bool>,
}

impl TimelineDrag {
    pub(super) fn new(state: AppState) -> Self {
        let drag = Self { state, held: StoredValue::new(None), is_over: RwSignal::new(false) };
        let escape = window_event_listener(ev::keydown, move |event| {
            if event.key() == "Escape" && drag.is_held() {
                event.prevent_default();
                event.stop_propagation();
                drag.cancel();
            }
        });
        on_cleanup(move || escape.remove());
        drag
    }

    pub(super) fn is_held(self) -> bool {
        self.held.try_with_value(Option::is_some).unwrap_or(false)
    }

    /// What can be held at a point of the timeline: nothing where the reader is to predict, or only looks on.
    fn grip(self, height: f64, at: (f64, f64)) -> Option<Grip> {
        let state = self.state;
        if is_embedded() || state.settings.is_future_hidden.get_untracked() || untrack(|| state.run.is_wrong()) {
            return None;
        }
        let selected = untrack(|| state.selection.selected_row());
        let scale = state.viewport.scale.get_untracked();
        state.run.with_untracked(|run| run.timeline.grip(&scale, height, at, selected))
    }

    /// Looks what is under a pointer that is not down.
    pub(super) fn hover(self, height: f64, at: (f64, f64)) {
        let is_over = self.grip(height, at).is_some();
        if self.is_over.get_untracked() != is_over {
            self.is_over.set(is_over);
        }
    }

    /// What a finger holds at a point: only what belongs to the kernel selected, as fingers also pan, and from farther away.
    fn grip_of_finger(self, height: f64, (x, y): (f64, f64)) -> Option<Grip> {
        let state = self.state;
        let selected = untrack(|| state.selection.selected_row())?;
        let is_of_selected = |grip: &Grip| state.run.with_untracked(|run| run.timeline.row_of_grip(*grip)) == selected;
        FINGER_PX.iter().find_map(|by| self.grip(height, (x + by, y)).filter(is_of_selected))
    }

    /// Takes hold of what is at a point; false if there is nothing.
    pub(super) fn begin(self, height: f64, at: (f64, f64), is_finger: bool) -> bool {
        let state = self.state;
        let grip = if is_finger { self.grip_of_finger(height, at) } else { self.grip(height, at) };
        let Some(grip) = grip else { return false };
        let found = state.run.with_untracked(|run| {
            let id = run.row_id(run.timeline.row_of_grip(grip))?;
            let drag = state.document.with_untracked(|d| Drag::new(d, d.row_of(Table::Kernels, id)?, &run.timeline, grip))?;
            Some((drag, id))
        });
        let Some((drag, id)) = found else { return false };
        let shown = state.viewport.extract();
        self.held.set_value(Some(HeldDrag { drag, id, from_x: at.0, value: None, shown }));
        true
    }

    /// Follows the pointer; `is_fine` does not snap. `at`: on the timeline and in the window, px.
    pub(super) fn follow(self, (x, _): (f64, f64), (window_x, window_y): (f64, f64), is_fine: bool) {
        let state = self.state;
        let Some(held) = self.held.get_value() else { return };
        if held.value.is_none() && (x - held.from_x).abs() <= CLICK_PX {
            return;
        }
        if held.value.is_none() {
            // The scale stays as it is, though the run's end moves.
            state.viewport.rescale(|scale, _| scale);
            if state.selection.kernel.get_untracked() != Some(held.id) {
                state.selection.kernel.set(Some(held.id));
            }
            state.cursor.is_playing.set(false);
        }
        let scale = state.viewport.scale.get_untracked();
        let value = held.drag.value(&scale, x - held.from_x, is_fine);
        if held.value != Some(value) {
            self.held.update_value(|held| {
                if let Some(held) = held {
                    held.value = Some(value);
                }
            });
            write(state, held.drag, value);
        }
        let name = state.document.with_untracked(|d| d.name(Table::Kernels, held.drag.row));
        let lines = vec![(String::new(), held.drag.words(value)), (String::new(), "Alt: without snapping. Esc: cancel".to_owned())];
        tip().set(Some(TipText { title: name, lines, x: window_x, y: window_y + 8.0 }));
    }

    /// Lets go; true if something was dragged, so that this is no click.
    pub(super) fn end(self) -> bool {
        let Some(held) = self.held.try_get_value().flatten() else { return false };
        self.held.set_value(None);
        let Some(value) = held.value else { return false };
        self.state.document.pause_history();
        tip().set(None);
        if !matches!(held.shown, Extract::Part(_)) {
            self.state.viewport.put_back(held.shown);
        }
        let name = self.state.document.with_untracked(|d| d.name(Table::Kernels, held.drag.row));
        if value != held.drag.was {
            self.state.messages.say(format!("{name}: {}. Press Ctrl+Z to undo.", held.drag.words(value)));
        }
        true
    }

    /// Puts everything back.
    pub(super) fn cancel(self) {
        if let Some(held) = self.held.get_value()
            && held.value.is_some()
        {
            write(self.state, held.drag, held.drag.was);
            self.held.update_value(|held| {
                if let Some(held) = held {
                    held.value = Some(held.drag.was);
                }
            });
        }
        self.end();
    }
}

/// Writes a value of a drag; all of one drag are one entry of the history.
fn write(state: AppState, drag: Drag, value: u64) {
    state.document.edit(Some(format!("drag {} {:?}", drag.row, drag.edited)), |d| drag.apply(d, value));
}

pub(super) fn nudge(state: AppState, nudge: Nudge) {
    let Some(row) = selected_row(state) else {
        state.messages.say("Select a kernel first: click a block, an arrow or a color in the table.");
        return;
    };
    if state.settings.is_future_hidden.get_untracked() {
        return;
    }
    let name = state.document.with_untracked(|d| d.name(Table::Kernels, row));
    let (is_start, up) = match nudge {
        Nudge::Start { later } => (true, later),
        Nudge::Time { longer } => (false, longer),
        Nudge::Stream { next } => return next_stream(state, row, next),
    };
    let Some(drag) = state.document.with_untracked(|d| Drag::by_key(d, row, is_start)) else {
        state.messages.say(format!("The blocks of {name} have individual times: edit the list in the table."));
        return;
    };
    let value = drag.stepped(&state.viewport.scale.get_untracked(), up);
    write(state, drag, value);
    state.messages.say(format!("{name}: {}", drag.words(value)));
}

/// The streams that a kernel can go to, and a new one, in order of their names.
fn streams_beside(document: &Document, row: usize) -> Vec<String> {
    let mut names: Vec<String> = document.stream_names();
    names.retain(|name| name != NULL_STREAM);
    let own = document.stream_of(row).unwrap_or_default();
    if !names.iter().any(|name| name == own) {
        names.push(own.to_owned());
    }
    // By name, S2 before S10: their order of use changes with the stream of a row.
    names.sort_by_key(|name| (name.len(), name.clone()));
    names
}

fn next_stream(state: AppState, row: usize, next: bool) {
    let (streams, own) = state.document.with_untracked(|d| (streams_beside(d, row), d.stream_of(row).unwrap_or_default().to_owned()));
    let at = streams.iter().position(|name| *name == own).unwrap_or(0);
    let to = if next { at + 1 } else { at + streams.len() - 1 } % streams.len().max(1);
    if let Some(to) = streams.get(to) {
        move_to_stream(state, row, to);
    }
}

fn move_to_stream(state: AppState, row: usize, stream: &str) {
    let name = state.document.with_untracked(|d| d.name(Table::Kernels, row));
    state.document.edit(None, |d| d.set_stream(row, stream));
    state.messages.say(format!("{} is in stream {} now. Press Ctrl+Z to undo.", safe(&name), safe(stream)));
}

/// An operation or a row on its way to a stream.
#[derive(Clone)]
struct Carried {
    row: usize,
    /// Where the pointer went down, px of the window.
    from: (f64, f64),
    has_moved: bool,
    /// The box of a stream under the pointer.
    over: Option<Element>,
}

/// Lets operations of the diagram and colors of the table be dropped on a stream queue.
pub(super) fn listen(state: AppState) {
    let carried = StoredValue::new_local(None::<Carried>);
    let down = window_event_listener(ev::pointerdown, move |event| {
        if event.button() != 0 || is_embedded() || state.settings.is_future_hidden.get_untracked() {
            return;
        }
        // A finger takes what is selected, and scrolls elsewhere; the style sheet says the same.
        let can_take = |row: &usize| event.pointer_type() != "touch" || selected_row(state) == Some(*row);
        if let Some(row) = carried_row(state, &event).filter(can_take) {
            carried.set_value(Some(Carried { row, from: point(&event), has_moved: false, over: None }));
        }
    });
    let moved = window_event_listener(ev::pointermove, move |event| {
        let Some(mut now) = carried.get_value() else { return };
        let (x, y) = point(&event);
        now.has_moved |= (x - now.from.0).hypot(y - now.from.1) > CLICK_PX;
        if now.has_moved {
            event.prevent_default();
            carrying(true);
            let over = stream_at(x, y);
            if over != now.over {
                mark(now.over.as_ref(), false);
                mark(over.as_ref(), true);
                now.over = over;
            }
            let name = state.document.with_untracked(|d| d.name(Table::Kernels, now.row));
            let to = now.over.as_ref().and_then(|over| stream_of(state, now.row, over));
            let text = to.map_or_else(|| "Drop it on a stream queue".to_owned(), |stream| format!("to stream {stream}"));
            tip().set(Some(TipText { title: name, lines: vec![(String::new(), text)], x, y: y + 8.0 }));
        }
        carried.set_value(Some(now));
    });
    let drop_it = move |take: bool| {
        let Some(now) = carried.try_get_value().flatten() else { return };
        carried.set_value(None);
        if !now.has_moved {
            return;
        }
        mark(now.over.as_ref(), false);
        carrying(false);
        tip().set(None);
        let stream = now.over.filter(|_| take).and_then(|over| stream_of(state, now.row, &over));
        if let Some(stream) = stream.filter(|stream| state.document.with_untracked(|d| d.stream_of(now.row) != Some(&**stream))) {
            move_to_stream(state, now.row, &stream);
        }
    };
    let up = window_event_listener(ev::pointerup, move |_| drop_it(true));
    let cancel = window_event_listener(ev::pointercancel, move |_| drop_it(false));
    let escape = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" {
            drop_it(false);
        }
    });
    on_cleanup(move || {
        down.remove();
        moved.remove();
        up.remove();
        cancel.remove();
        escape.remove();
    });
}

fn selected_row(state: AppState) -> Option<usize> {
    let id = state.selection.kernel.get_untracked()?;
    state.document.with_untracked(|d| d.row_of(Table::Kernels, id))
}

fn point(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}

/// The kernel of what the pointer is on: an operation of the diagram, or a color of the table of kernels.
fn carried_row(state: AppState, event: &PointerEvent) -> Option<usize> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let row_of = |row: RowId| {
        let id = state.run.with_untracked(|run| run.row_id(row))?;
        state.document.with_untracked(|d| d.row_of(Table::Kernels, id))
    };
    if let Ok(Some(item)) = target.closest("#queues [data-op]") {
        let op = OpId(item.get_attribute("data-op")?.parse().ok()?);
        return row_of(state.run.with_untracked(|run| run.trace().ops().get(op.index()).map(|op| op.row))?);
    }
    let swatch = target.closest("#kernels .swatch").ok()??;
    swatch.closest("tr[data-row]").ok()??.get_attribute("data-row")?.parse().ok()
}

fn stream_at(x: f64, y: f64) -> Option<Element> {
    document().element_from_point(x as f32, y as f32)?.closest("#queues .queue-stream[data-stream]").ok()?
}

/// The name of the stream of a box of the diagram, for a kernel: a stream of its own process, or a new one.
fn stream_of(state: AppState, row: usize, place: &Element) -> Option<String> {
    let named = place.get_attribute("data-stream")?;
    if named == NEW_STREAM {
        // Before the last name, that of the NULL stream, is one that is free.
        return state.document.with_untracked(|d| d.stream_names().into_iter().rev().nth(1));
    }
    let stream = StreamId(named.parse().ok()?);
    let id = state.document.with_untracked(|d| d.id(Table::Kernels, row))?;
    state.run.with_untracked(|run| {
        let layout = run.trace().layout();
        let own = layout.stream(layout.stream_of(run.row(id)?));
        let to = layout.streams().get(stream.index())?;
        (to.space == own.space && (to.is_null || to.process == own.process)).then(|| to.name.clone())
    })
}

/// Tells the style sheet whether something is on its way, so that it shows where a new stream can be had.
fn carrying(is_on: bool) {
    if let Some(root) = document().document_element() {
        // The name of an attribute.
        let _ = root.toggle_attribute_with_force("data-carrying", is_on);
    }
}

fn mark(place: Option<&Element>, is_on: bool) {
    if let Some(place) = place {
        let list = place.class_list();
        // Cannot fail on a name without white space.
        let _ = if is_on { list.add_1("drop-target") } else { list.remove_1("drop-target") };
    }
}
