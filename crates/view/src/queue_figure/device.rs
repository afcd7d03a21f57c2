//! The SMs of a diagram: their threads with the blocks on them, and what else of them is free.
//!
//! Depends on `sheet` and `queues`. Invariants: a block is as wide as its share of the SM's threads; many
//! SMs are drawn small, beside each other.

use super::sheet::{QueueColumn, QueueLayout, ROW_GAP_PX};
use super::{Align, BoxKind, SMALL_PX, TEXT_PX, Tone};
use crate::lettering::{fitted, width_px, wrapped};
use crate::quantity::{format_bytes, format_count};
use crate::queues::{BlockGroup, Gauge, SmView};

/// More SMs than that are drawn small.
const MANY_SMS: usize = 8;
const LANE_PX: f64 = 24.0;
const SMALL_LANE_PX: f64 = 13.0;
/// A small SM with its label.
const SMALL_SM_PX: f64 = 120.0;
/// A gauge with its number.
const GAUGE_PX: f64 = 78.0;

impl QueueLayout {
    pub(super) fn add_sms(&mut self, column: QueueColumn, sms: &[SmView]) {
        if sms.len() > MANY_SMS { self.add_many_sms(column, sms) } else { sms.iter().for_each(|sm| self.add_sm(column, sm)) }
    }

    fn add_sm(&mut self, column: QueueColumn, sm: &SmView) {
        let (top, left, right) = (self.bottom, column.left(), column.right());
        self.add_label(column, top + LANE_PX / 2.0, (&format!("SM {}", sm.sm.0), ""));
        self.add_threads(sm, (left, right), (top, top + LANE_PX), TEXT_PX);
        self.bottom = top + LANE_PX + 4.0;
        let free = gauges(sm);
        let y = self.bottom;
        if self.is_small || column.room() < 2.0 * GAUGE_PX {
            let words = free.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(", ") + " free";
            for line in wrapped(&words, column.room(), SMALL_PX, 4) {
                self.add_text(&line, (left, self.bottom + 6.0), SMALL_PX, Align::Left, Tone::Faint, column.room());
                self.bottom += 12.0;
            }
            self.bottom += ROW_GAP_PX;
            return;
        }
        let beside = if column.room() >= 4.0 * GAUGE_PX { 4 } else { 2 };
        let pitch = column.room() / beside as f64;
        for (i, (gauge, text)) in free.iter().enumerate() {
            let (x, y) = (left + (i % beside) as f64 * pitch, y + (i / beside) as f64 * 22.0);
            let end = if (i + 1) % beside == 0 { right } else { x + pitch - 8.0 };
            self.add_bar((x, end), y, 5.0, *gauge);
            self.add_text(text, (x, y + 12.5), SMALL_PX, Align::Left, Tone::Faint, end - x + 4.0);
            if i % beside == 0 {
                self.add_text("free", (left - 8.0, y + 12.5), SMALL_PX, Align::Right, Tone::Faint, column.label_px - 8.0);
            }
        }
        self.bottom = y + (4 / beside) as f64 * 22.0 + ROW_GAP_PX;
    }

    fn add_many_sms(&mut self, column: QueueColumn, sms: &[SmView]) {
        let beside = ((column.width / SMALL_SM_PX) as usize).max(1);
        let pitch = column.width / beside as f64;
        let top = self.bottom;
        for (i, sm) in sms.iter().enumerate() {
            let (x, y) = (column.x + (i % beside) as f64 * pitch, top + (i / beside) as f64 * (SMALL_LANE_PX + 4.0));
            self.add_text(&format!("SM {}", sm.sm.0), (x + 36.0, y + SMALL_LANE_PX / 2.0), SMALL_PX, Align::Right, Tone::Ink, 36.0);
            self.add_threads(sm, (x + 40.0, x + pitch - 6.0), (y, y + SMALL_LANE_PX), SMALL_PX - 1.0);
        }
        self.bottom = top + sms.len().div_ceil(beside) as f64 * (SMALL_LANE_PX + 4.0) + ROW_GAP_PX;
    }

    /// The threads of an SM from left to right: its blocks, then what is free.
    fn add_threads(&mut self, sm: &SmView, (left, right): (f64, f64), (top, bottom): (f64, f64), size: f64) {
        self.add_box((left, top), (right, bottom), BoxKind::Threads, sm.changed);
        // Blocks of several address spaces never share a view, so these never exceed the whole.
        let share = (right - left - 2.0) / sm.threads.total.max(1) as f64;
        let mut x = left + 1.0;
        for group in &sm.blocks {
            let end = (x + group.threads as f64 * share).min(right - 1.0);
            self.add_block(group, (x, end), (top + 2.0, bottom - 2.0), size);
            x = end;
        }
        if let Some(name) = sm.left.as_deref().filter(|_| right - x > 8.0) {
            let end = (x + 4.0 + width_px(name, size) + 8.0).min(right - 2.0);
            self.add_box((x + 4.0, top + 3.0), (end, bottom - 3.0), BoxKind::Ghost, false);
            let middle = ((x + 4.0 + end) / 2.0, (top + bottom) / 2.0);
            self.add_text(name, middle, size, Align::Centre, Tone::Faint, end - x - 8.0);
        }
    }

    fn add_block(&mut self, group: &BlockGroup, (x0, x1): (f64, f64), (y0, y1): (f64, f64), size: f64) {
        let kind = match group.suspended {
            false if group.spins => BoxKind::Spinning { row: group.row },
            suspended => BoxKind::Block { row: group.row, suspended },
        };
        self.add_box((x0, y0), (x1 - if x1 - x0 > 4.0 { 1.0 } else { 0.0 }, y1), kind, group.changed);
        let tone = if group.suspended || group.spins { Tone::Ink } else { Tone::On(group.row) };
        let room = x1 - x0 - 5.0;
        // The kernel's name alone, where there is no room for the block's.
        let short = group.label.split(':').next().unwrap_or_default();
        let text = if width_px(&group.label, size) <= room { &group.label } else { short };
        if fitted(text, room, size) == text {
            self.add_text(text, ((x0 + x1) / 2.0, (y0 + y1) / 2.0), size, Align::Centre, tone, room);
        }
    }
}

/// What of an SM is free, with words.
fn gauges(sm: &SmView) -> [(Gauge, String); 4] {
    [
        (sm.threads, format!("{} threads", format_count(sm.threads.free))),
        (sm.shared_memory, format!("{} shared", format_bytes(sm.shared_memory.free))),
        (sm.registers, format!("{} regs", format_count(sm.registers.free))),
        (sm.slots, format!("{} slots", format_count(sm.slots.free))),
    ]
}
