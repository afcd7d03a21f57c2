//! The sheet a diagram is laid out on, and rows of boxes that wrap.
//!
//! Depends on `lettering` and the marks. Invariants: a row grows downwards, never to the right; its
//! label stands in the column's own room for labels.

use super::space::label_px;
use super::{Align, BoxKind, BoxMark, SMALL_PX, SheetMark, TEXT_PX, TextMark, Tone};
use crate::lettering::{fitted, width_px, wrapped};
use crate::quantity::format_count;
use crate::queues::{Gauge, QueueView, TaskBox};

/// Between rows.
pub(super) const ROW_GAP_PX: f64 = 5.0;
/// A box of one line in a row.
pub(super) const ITEM_PX: f64 = 20.0;
const PAD_PX: f64 = 3.0;
/// Room for `+12` at the end of a row.
const MORE_PX: f64 = 34.0;
/// Lines of boxes in a row.
const MAX_LINES: usize = 3;
/// From the labels to what they name.
const LABEL_GAP_PX: f64 = 8.0;

/// What has been laid out so far.
#[derive(Default)]
pub(super) struct QueueLayout {
    pub(super) marks: Vec<SheetMark>,
    /// How far down it reaches.
    pub(super) bottom: f64,
    /// Whether details are left out.
    pub(super) is_small: bool,
}

/// A part of the sheet's width.
#[derive(Clone, Copy)]
pub(super) struct QueueColumn {
    pub(super) x: f64,
    pub(super) width: f64,
    /// Of that, room for labels at its left.
    pub(super) label_px: f64,
}

impl QueueColumn {
    pub(super) fn left(self) -> f64 {
        self.x + self.label_px
    }

    pub(super) fn right(self) -> f64 {
        self.x + self.width
    }

    pub(super) fn room(self) -> f64 {
        self.width - self.label_px
    }
}

/// A box in a row.
pub(super) struct QueueCell {
    pub(super) kind: BoxKind,
    pub(super) changed: bool,
    /// From top to bottom, the first one larger.
    pub(super) lines: Vec<String>,
    pub(super) tone: Tone,
    /// What is left of a budget.
    pub(super) gauge: Option<Gauge>,
}

impl QueueCell {
    pub(super) fn new(kind: BoxKind, text: impl Into<String>) -> Self {
        let tone = match kind {
            BoxKind::Item { row, dispatched: true } | BoxKind::Block { row, suspended: false } => Tone::On(row),
            BoxKind::Ghost => Tone::Faint,
            _ => Tone::Ink,
        };
        Self { kind, changed: false, lines: vec![text.into()], tone, gauge: None }
    }

    fn width(&self) -> f64 {
        let line = |(i, text): (usize, &String)| width_px(text, if i == 0 { TEXT_PX } else { SMALL_PX });
        self.lines.iter().enumerate().map(line).fold(16.0, f64::max) + 10.0
    }

    fn height(&self) -> f64 {
        ITEM_PX + (self.lines.len() - 1) as f64 * 12.0 + if self.gauge.is_some() { 7.0 } else { 0.0 }
    }
}

/// A row of boxes.
pub(super) struct BoxRow<'a> {
    pub(super) label: (&'a str, &'a str),
    pub(super) changed: bool,
    pub(super) cells: Vec<QueueCell>,
    /// What is behind those.
    pub(super) hidden: usize,
    /// What is said of a row without any.
    pub(super) empty: &'a str,
    /// Whether it is a queue, with a ground of its own.
    pub(super) has_ground: bool,
}

/// A diagram, its top left corner at the origin.
pub(super) fn diagram(view: &QueueView, width: f64, is_small: bool) -> QueueLayout {
    let mut sheet = QueueLayout { is_small, ..QueueLayout::default() };
    let column = QueueColumn { x: 0.0, width, label_px: label_px(width, is_small) };
    if let Some(scheduler) = &view.scheduler {
        sheet.add_scheduler(column, scheduler);
        sheet.bottom += ROW_GAP_PX;
    }
    sheet.add_tasks(column, view);
    let is_boxed = view.spaces.len() + view.hidden_spaces > 1;
    for space in view.spaces.iter().filter(|space| !space.is_folded) {
        sheet.bottom += ROW_GAP_PX;
        sheet.add_space(column, space, is_boxed);
    }
    let folded: Vec<&str> = view.spaces.iter().filter(|s| s.is_folded).map(|s| s.name.as_str()).collect();
    if !folded.is_empty() {
        sheet.add_note(column, &format!("Not resident, nothing queued: {}", folded.join(", ")));
    }
    sheet.add_more(column, view.hidden_spaces, "processes");
    sheet
}

impl QueueLayout {
    pub(super) fn add_box(&mut self, (x0, y0): (f64, f64), (x1, y1): (f64, f64), kind: BoxKind, changed: bool) {
        self.marks.push(SheetMark::Box(BoxMark { x0, y0, x1, y1, kind, changed }));
        self.bottom = self.bottom.max(y1);
    }

    /// Words, cut to the room there is.
    pub(super) fn add_text(&mut self, text: &str, (x, y): (f64, f64), size_px: f64, align: Align, tone: Tone, room: f64) {
        let text = fitted(text, room, size_px);
        if !text.is_empty() {
            self.marks.push(SheetMark::Text(TextMark { text, x, y, size_px, align, tone }));
        }
    }

    /// A label and a smaller one below it, or the rest of the first where that has no room.
    pub(super) fn add_label(&mut self, column: QueueColumn, middle: f64, (label, sub): (&str, &str)) {
        let (x, room) = (column.left() - LABEL_GAP_PX, column.label_px - LABEL_GAP_PX);
        let split = label.split_once(' ').filter(|_| width_px(label, TEXT_PX) > room);
        let joined;
        let (label, sub) = match split {
            Some((first, rest)) => {
                joined = if sub.is_empty() { rest.to_owned() } else { format!("{rest}, {sub}") };
                (first, joined.as_str())
            }
            None => (label, sub),
        };
        let shift = if sub.is_empty() { 0.0 } else { 5.5 };
        self.add_text(label, (x, middle - shift), TEXT_PX, Align::Right, Tone::Ink, room);
        self.add_text(sub, (x, middle + shift + 0.5), SMALL_PX, Align::Right, Tone::Faint, room);
    }

    /// A line of small words below all that is there, wrapped.
    pub(super) fn add_note(&mut self, column: QueueColumn, text: &str) {
        for line in wrapped(text, column.room(), SMALL_PX, 3) {
            self.add_text(&line, (column.left(), self.bottom + 8.0), SMALL_PX, Align::Left, Tone::Faint, column.room());
            self.bottom += 13.0;
        }
        self.bottom += 2.0;
    }

    pub(super) fn add_more(&mut self, column: QueueColumn, hidden: usize, what: &str) {
        if hidden > 0 {
            self.add_note(column, &format!("and {} more {what}", format_count(hidden as u64)));
        }
    }

    /// A bar of which a part is filled.
    pub(super) fn add_bar(&mut self, (x0, x1): (f64, f64), y: f64, height: f64, level: Gauge) {
        self.add_box((x0, y), (x1, y + height), BoxKind::Gauge, false);
        let share = level.free as f64 / level.total.max(1) as f64;
        if share > 0.0 {
            let x = x0 + ((x1 - x0) * share.min(1.0)).max(1.0);
            self.add_box((x0, y), (x, y + height), BoxKind::Level, false);
        }
    }

    fn add_tasks(&mut self, column: QueueColumn, view: &QueueView) {
        let several = view.tasks.windows(2).any(|pair| pair[0].process_id != pair[1].process_id);
        let cells = view.tasks.iter().map(|task| task_cell(task, several)).collect();
        self.add_row(
            column,
            &BoxRow { label: ("CPU tasks", ""), changed: false, cells, hidden: view.hidden_tasks, empty: "none", has_ground: false },
        );
    }

    /// A row of boxes, at the bottom of what is there.
    pub(super) fn add_row(&mut self, column: QueueColumn, row: &BoxRow<'_>) {
        let (left, right) = (column.left(), column.right());
        let height = row.cells.iter().map(QueueCell::height).fold(ITEM_PX, f64::max);
        let top = self.bottom;
        let pad = if row.has_ground { PAD_PX } else { 0.0 };
        // Where each box stands: line and x.
        let mut places: Vec<(usize, f64, f64)> = Vec::new();
        let (mut line, mut x) = (0, left + pad);
        for (i, cell) in row.cells.iter().enumerate() {
            let is_last = i + 1 == row.cells.len() && row.hidden == 0;
            let width = cell.width().min(right - left - 2.0 * pad);
            let ends_at = |line: usize| if line + 1 == MAX_LINES && !is_last { right - pad - MORE_PX } else { right - pad };
            if x > left + pad && x + width > ends_at(line) {
                if line + 1 == MAX_LINES {
                    break;
                }
                (line, x) = (line + 1, left + pad);
            }
            places.push((line, x, width));
            x += width + 4.0;
        }
        let pitch = height + if row.has_ground { PAD_PX } else { ROW_GAP_PX };
        let whole = pad + (line + 1) as f64 * pitch - if row.has_ground { 0.0 } else { ROW_GAP_PX };
        if row.has_ground {
            self.add_box((left, top), (right, top + whole), BoxKind::Queue, row.changed);
        }
        self.add_label(column, top + pad + height / 2.0, row.label);
        for (cell, &(line, x, width)) in row.cells.iter().zip(&places) {
            self.add_cell(cell, (x, top + pad + line as f64 * pitch), width, height);
        }
        let middle = top + pad + line as f64 * pitch + height / 2.0;
        let hidden = row.hidden + row.cells.len() - places.len();
        if hidden > 0 {
            self.add_text(&format!("+{}", format_count(hidden as u64)), (x, middle), SMALL_PX, Align::Left, Tone::Faint, right - x);
        } else if row.cells.is_empty() {
            self.add_text(row.empty, (left + pad + 5.0, middle), SMALL_PX, Align::Left, Tone::Faint, column.room() - 8.0);
        }
        self.bottom = top + whole + ROW_GAP_PX;
    }

    fn add_cell(&mut self, cell: &QueueCell, (x, y): (f64, f64), width: f64, height: f64) {
        self.add_box((x, y), (x + width, y + height), cell.kind, cell.changed);
        let gauge_px = if cell.gauge.is_some() { 7.0 } else { 0.0 };
        let first = y + (height - gauge_px) / 2.0 - (cell.lines.len() - 1) as f64 * 6.0;
        for (i, text) in cell.lines.iter().enumerate() {
            let (size, tone) =
                if i == 0 { (TEXT_PX, cell.tone) } else { (SMALL_PX, if cell.tone == Tone::Ink { Tone::Faint } else { cell.tone }) };
            self.add_text(text, (x + width / 2.0, first + i as f64 * 12.0), size, Align::Centre, tone, width - 4.0);
        }
        if let Some(gauge) = cell.gauge {
            self.add_bar((x + 5.0, x + width - 5.0), y + height - 8.0, 4.0, gauge);
        }
    }
}

/// A CPU task, with its process where there are several.
fn task_cell(task: &TaskBox, with_process: bool) -> QueueCell {
    let jobs = match (task.released, task.open) {
        (0, _) => "not released yet".to_owned(),
        (1, 0) => "job complete".to_owned(),
        (1, _) => "job released".to_owned(),
        (released, open) => format!("{} jobs, {} open", format_count(released.into()), format_count(open as u64)),
    };
    let jobs = if with_process && task.process != task.name { format!("{}, {jobs}", task.process) } else { jobs };
    let mut cell = QueueCell::new(BoxKind::Task, &task.name);
    cell.lines.push(jobs);
    cell.changed = task.changed;
    cell
}
