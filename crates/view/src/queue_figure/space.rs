//! An address space: its stream queues, its EE and CE queues and its view of the GPU, beside each other
//! where there is room and below each other elsewhere.
//!
//! Depends on `sheet` and `queues`. Invariant: both forms show the same.

use super::sheet::{BoxRow, QueueCell, QueueColumn, QueueLayout, ROW_GAP_PX};
use super::{Align, BoxKind, BoxMark, SMALL_PX, SheetMark, TEXT_PX, Tone};
use crate::lettering::width_px;
use crate::quantity::format_count;
use crate::queues::{EngineView, Presence, QueueBox, QueuedOp, SpaceView, StreamView};
use blockstep_sim::scenario::{Choice, StreamPriority};

/// From that width on the three parts stand beside each other.
const ACROSS_PX: f64 = 700.0;
/// Room for the names of streams there.
const STREAM_LABEL_PX: f64 = 64.0;
/// Between them; an arrow is there.
const ARROW_PX: f64 = 30.0;
/// Room for labels of a diagram that is one column.
const LABEL_PX: f64 = 88.0;
const PAD_PX: f64 = 8.0;
const HEAD_PX: f64 = 20.0;

/// Room for labels at the left of a diagram so wide.
pub(super) fn label_px(width: f64, is_small: bool) -> f64 {
    if width >= ACROSS_PX && !is_small { STREAM_LABEL_PX } else { LABEL_PX }
}

impl QueueLayout {
    pub(super) fn add_space(&mut self, column: QueueColumn, space: &SpaceView, is_boxed: bool) {
        let frame = self.marks.len();
        let top = self.bottom;
        let mut inside = column;
        if is_boxed {
            inside = QueueColumn { x: column.x + PAD_PX, width: column.width - 2.0 * PAD_PX, label_px: column.label_px - PAD_PX };
            let (y, room) = (top + PAD_PX + 6.0, inside.width);
            self.add_text(&space.name, (inside.x, y), TEXT_PX, Align::Left, Tone::Ink, room);
            let used = width_px(&space.name, TEXT_PX) + 10.0;
            let residency = space.residency.map_or("", Presence::words);
            self.add_text(residency, (inside.x + used, y), SMALL_PX, Align::Left, Tone::Faint, room - used);
            self.bottom = top + PAD_PX + HEAD_PX;
        }
        if inside.width >= ACROSS_PX && !self.is_small {
            self.add_space_across(inside, space);
        } else {
            self.add_streams(inside, space);
            self.bottom += ROW_GAP_PX;
            self.add_queues(inside, space);
            self.bottom += ROW_GAP_PX;
            self.add_engines(inside, space);
        }
        if is_boxed {
            let (x0, y0, x1, y1) = (column.x, top, column.right(), self.bottom + PAD_PX - ROW_GAP_PX);
            self.marks.insert(frame, SheetMark::Box(BoxMark { x0, y0, x1, y1, kind: BoxKind::Space, changed: space.changed }));
            self.bottom = y1 + ROW_GAP_PX;
        }
    }

    /// As [TX2] Fig. 4: from streams to queues to the GPU.
    fn add_space_across(&mut self, column: QueueColumn, space: &SpaceView) {
        let usable = column.width - 2.0 * ARROW_PX;
        let (streams, queues) = ((usable * 0.36).round(), (usable * 0.27).round());
        let second = column.x + streams + ARROW_PX;
        let third = second + queues + ARROW_PX;
        let columns = [
            QueueColumn { x: column.x, width: streams, label_px: STREAM_LABEL_PX },
            QueueColumn { x: second, width: queues, label_px: 76.0 },
            QueueColumn { x: third, width: column.right() - third, label_px: 52.0 },
        ];
        let (top, middle) = (self.bottom, self.bottom + 9.0);
        let (mut deepest, titles) = (0.0_f64, ["Stream queues", "EE and CE queues", "GPU"]);
        for (i, (part, title)) in columns.into_iter().zip(titles).enumerate() {
            self.add_text(title, (part.left(), middle), TEXT_PX, Align::Left, Tone::Faint, part.room());
            if i > 0 {
                let (from, to) = (part.x - ARROW_PX + 6.0, part.x - 2.0);
                self.marks.push(SheetMark::Line(vec![(from, middle), (to - 5.0, middle)]));
                self.marks.push(SheetMark::Pointer { at: (to, middle), down: false });
            }
            self.bottom = top + HEAD_PX;
            match i {
                0 => self.add_streams(part, space),
                1 => self.add_queues(part, space),
                _ => self.add_engines(part, space),
            }
            deepest = deepest.max(self.bottom);
        }
        self.bottom = deepest;
    }

    fn add_streams(&mut self, column: QueueColumn, space: &SpaceView) {
        space.streams.iter().for_each(|stream| self.add_stream(column, stream));
        self.add_more(column, space.hidden_streams, "streams");
    }

    fn add_stream(&mut self, column: QueueColumn, stream: &StreamView) {
        let sub = match stream.priority {
            StreamPriority::None if stream.traits.is_empty() => stream.tasks.join(", "),
            StreamPriority::None => stream.traits.join(", "),
            priority if stream.traits.is_empty() => format!("{} priority", priority.word()),
            priority => format!("{}, {}", priority.word(), stream.traits.join(", ")),
        };
        let cells = contents(stream.left.as_deref(), &stream.items);
        let row = BoxRow {
            label: (&stream.label, &sub),
            changed: stream.changed,
            cells,
            hidden: stream.hidden,
            empty: "empty",
            has_ground: true,
        };
        self.add_row(column, &row);
    }

    fn add_queues(&mut self, column: QueueColumn, space: &SpaceView) {
        space.ee.iter().chain(&space.ce).for_each(|queue| self.add_waiting_queue(column, queue));
    }

    fn add_waiting_queue(&mut self, column: QueueColumn, queue: &QueueBox) {
        let cells = contents(queue.left.as_deref(), &queue.items);
        let label = queue.label.split_once(", ").unwrap_or((&queue.label, ""));
        self.add_row(column, &BoxRow { label, changed: queue.changed, cells, hidden: queue.hidden, empty: "empty", has_ground: true });
    }

    fn add_engines(&mut self, column: QueueColumn, space: &SpaceView) {
        self.add_sms(column, &space.sms);
        self.add_more(column, space.hidden_sms, "SMs");
        space.engines.iter().for_each(|engine| self.add_engine(column, engine));
    }

    fn add_engine(&mut self, column: QueueColumn, engine: &EngineView) {
        let cells = contents(engine.left.as_deref(), engine.item.as_slice());
        let label = engine.label.split_once(", ").unwrap_or((&engine.label, ""));
        self.add_row(column, &BoxRow { label, changed: engine.changed, cells, hidden: 0, empty: "idle", has_ground: true });
    }
}

/// What the last step took out, then the operations, head first.
fn contents(left: Option<&str>, items: &[QueuedOp]) -> Vec<QueueCell> {
    let ghost = left.map(|name| QueueCell::new(BoxKind::Ghost, name));
    ghost.into_iter().chain(items.iter().map(item)).collect()
}

fn item(item: &QueuedOp) -> QueueCell {
    let text = match item.blocks {
        1 => item.label.clone(),
        blocks => format!("{} {}/{}", item.label, format_count(item.assigned), format_count(blocks)),
    };
    let mut cell = QueueCell::new(BoxKind::Item { row: item.row, dispatched: item.dispatched }, text);
    cell.changed = item.changed;
    cell
}
