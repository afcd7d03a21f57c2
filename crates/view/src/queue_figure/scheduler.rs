//! Who is next, where processes take turns: the runlist as a ring, or the deadline scheduler's queues.
//!
//! Depends on `sheet` and `queues`. Invariant: what is drawn is the view model; a runlist whose entries
//! are all shown on one line is closed to a ring. Source: [EDF] Fig. 1.

use super::sheet::{BoxRow, QueueCell, QueueColumn, QueueLayout, ROW_GAP_PX};
use super::{Align, BoxKind, SMALL_PX, SheetMark, TEXT_PX, Tone};
use crate::lettering::{width_px, wrapped};
use crate::quantity::{format_count, format_time};
use crate::queues::{DeadlinesView, EntryView, Gauge, JobList, JobView, OrderView, RunlistView, SchedulerView};
use blockstep_sim::language::one_or;

const ENTRY_HEIGHT_PX: f64 = 32.0;
const ENTRY_GAP_PX: f64 = 8.0;
/// Room for the pointer above the entries, and for the way back below them.
const POINTER_PX: f64 = 9.0;
const BACK_PX: f64 = 9.0;

impl QueueLayout {
    pub(super) fn add_scheduler(&mut self, column: QueueColumn, view: &SchedulerView) {
        for line in wrapped(&view.status, column.room(), TEXT_PX, 3) {
            self.add_text(&line, (column.left(), self.bottom + 8.0), TEXT_PX, Align::Left, Tone::Ink, column.room());
            self.bottom += 16.0;
        }
        if let Some(left) = view.timeslice {
            self.add_timeslice(column, left);
        }
        self.bottom += ROW_GAP_PX;
        match &view.order {
            OrderView::Runlist(list) => self.add_runlist(column, list),
            OrderView::Deadlines(queues) => self.add_deadlines(column, queues),
        }
    }

    fn add_timeslice(&mut self, column: QueueColumn, left: Gauge) {
        let y = self.bottom + 8.0;
        self.add_text("timeslice", (column.left() - 8.0, y), SMALL_PX, Align::Right, Tone::Faint, column.label_px - 8.0);
        let text = format!("{} of {} left", format_time(left.free), format_time(left.total));
        let text_px = width_px(&text, SMALL_PX);
        let end = (column.right() - text_px - 8.0).min(column.left() + 240.0);
        if end > column.left() + 20.0 {
            self.add_bar((column.left(), end), y - 3.0, 6.0, left);
            self.add_text(&text, (end + 8.0, y), SMALL_PX, Align::Left, Tone::Faint, text_px + 1.0);
        }
        self.bottom = y + 8.0;
    }

    fn add_runlist(&mut self, column: QueueColumn, list: &RunlistView) {
        let is_whole = list.entries.len() as u64 == list.len;
        let (left, right) = (column.left() + BACK_PX, column.right() - BACK_PX);
        let words = |entry: &EntryView| [entry.process.clone(), format!("{} · {}", format_count(entry.entry), entry.share())];
        let needed = |[name, what]: &[String; 2]| width_px(name, TEXT_PX).max(width_px(what, SMALL_PX)) + 10.0;
        let width = list.entries.iter().map(|e| needed(&words(e))).fold(40.0, f64::max).min(right - left);
        let beside = (((right - left + ENTRY_GAP_PX) / (width + ENTRY_GAP_PX)) as usize).max(1);
        let (top, pitch) = (self.bottom + POINTER_PX, ENTRY_HEIGHT_PX + POINTER_PX + 2.0);
        let place = |i: usize| (left + (i % beside) as f64 * (width + ENTRY_GAP_PX), top + (i / beside) as f64 * pitch);
        self.add_label(column, top + ENTRY_HEIGHT_PX / 2.0, ("Runlist", if is_whole { "" } else { "around the pointer" }));
        for (i, entry) in list.entries.iter().enumerate() {
            let (x, y) = place(i);
            self.add_box((x, y), (x + width, y + ENTRY_HEIGHT_PX), BoxKind::Choice { chosen: entry.is_served }, entry.changed);
            let tone = if entry.has_work { Tone::Ink } else { Tone::Faint };
            let [name, what] = words(entry);
            self.add_text(&name, (x + width / 2.0, y + 10.0), TEXT_PX, Align::Centre, tone, width - 4.0);
            self.add_text(&what, (x + width / 2.0, y + 23.0), SMALL_PX, Align::Centre, Tone::Faint, width - 4.0);
            if entry.is_next {
                self.marks.push(SheetMark::Pointer { at: (x + width / 2.0, y - 1.0), down: true });
            }
        }
        let count = list.entries.len();
        self.bottom = place(count.saturating_sub(1)).1 + ENTRY_HEIGHT_PX;
        if is_whole && count <= beside {
            // From the last entry back to the first.
            let (x, y) = (place(count - 1).0 + width, top + ENTRY_HEIGHT_PX / 2.0);
            let below = top + ENTRY_HEIGHT_PX + BACK_PX - 2.0;
            let way =
                [(x, y), (x + BACK_PX - 2.0, y), (x + BACK_PX - 2.0, below), (left - BACK_PX + 2.0, below), (left - BACK_PX + 2.0, y)];
            self.marks.push(SheetMark::Line(way.into_iter().chain([(left - 5.0, y)]).collect()));
            self.marks.push(SheetMark::Pointer { at: (left, y), down: false });
            for i in 1..count {
                let (x, _) = place(i);
                self.marks.push(SheetMark::Line(vec![(x - ENTRY_GAP_PX, y), (x - 5.0, y)]));
                self.marks.push(SheetMark::Pointer { at: (x, y), down: false });
            }
            self.bottom = below;
        }
        if !is_whole {
            let text = format!(
                "{} {}, the pointer at entry {}",
                format_count(list.len),
                one_or(list.len, "entry", "entries"),
                format_count(list.pointer)
            );
            self.add_note(column, &text);
        }
        self.bottom += ROW_GAP_PX;
    }

    fn add_deadlines(&mut self, column: QueueColumn, queues: &DeadlinesView) {
        self.add_jobs(column, ("Ready", "by deadline"), &queues.ready);
        self.add_jobs(column, ("Best effort", "by priority"), &queues.best_effort);
        if !queues.waiting.jobs.is_empty() {
            self.add_jobs(column, ("Open", "not pending"), &queues.waiting);
        }
    }

    fn add_jobs(&mut self, column: QueueColumn, label: (&str, &str), list: &JobList) {
        let ghost = list.left.as_ref().map(|name| QueueCell::new(BoxKind::Ghost, name));
        let cells = ghost.into_iter().chain(list.jobs.iter().map(job)).collect();
        self.add_row(column, &BoxRow { label, changed: false, cells, hidden: list.hidden, empty: "empty", has_ground: true });
    }
}

fn job(job: &JobView) -> QueueCell {
    let missed = if job.missed { " (missed)" } else { "" };
    let mut cell = QueueCell::new(BoxKind::Choice { chosen: job.chosen }, format!("{}{missed}", job.label));
    cell.changed = job.changed;
    cell.lines.push(match job.deadline {
        Some(at) => format!("d {}, {}", format_time(at.ns()), job.distance),
        None if job.why.is_empty() => format!("priority {}", job.priority),
        None => job.why.clone(),
    });
    if let Some(from) = &job.inherited_from {
        cell.lines.push(format!("inherited from {from}"));
    }
    if let Some((budget, deadline)) = job.server {
        cell.lines.push(format!("budget {} of {}, d {}", format_time(budget.free), format_time(budget.total), format_time(deadline.ns())));
        cell.gauge = Some(budget);
    }
    cell
}
