//! The diagram of the hardware queues at a step of a batch, in the manner of [MT] Fig. 2.
//!
//! Depends on `batch` and `queue_figure`. Invariants: a command keeps its place in the diagram from the step at which it
//! lands, also after it has left its queue; thin lines are true dependencies, thick ones false.

use super::{PictureSpot, SpotShape, row_of, words};
use crate::lettering::{fitted, width_px};
use crate::queue_figure::{Align, BoxKind, BoxMark, QueueFigure, SheetMark, TextMark, Tone};
use blockstep_batch::command::{CommandKind, CommandNo};
use blockstep_batch::holds::Hold;
use blockstep_batch::queues::Queue;
use blockstep_batch::simulate::BatchRun;
use blockstep_batch::state::{BatchChange, BatchState, CommandStatus};

const BOX_PX: f64 = 24.0;
const STEP_PX: f64 = 29.0;
const HEAD_PX: f64 = 22.0;
const GAP_PX: f64 = 38.0;
const LETTERS_PX: f64 = 11.0;
const NAME_PX: f64 = 12.0;
/// Width of the bar in the color of a task that waits.
const BAR_PX: f64 = 6.0;
/// Points of a curved line.
const POINTS: usize = 16;

/// Where the commands of a run land.
struct Layout {
    /// Each queue with its commands in order of landing, also those that have left.
    queues: Vec<(Queue, Vec<CommandNo>)>,
    /// Queues beside each other.
    columns: usize,
    column_px: f64,
    /// Tops of the rows of queues, and the bottom of the last.
    tops: Vec<f64>,
}

impl Layout {
    fn new(run: &BatchRun, width: f64) -> Self {
        let mut queues: Vec<(Queue, Vec<CommandNo>)> = Vec::new();
        for step in &run.steps {
            if let BatchChange::Issue(no, Some(queue)) = step.change {
                match queues.iter_mut().find(|(q, _)| *q == queue) {
                    Some((_, commands)) => commands.push(no),
                    None => queues.push((queue, vec![no])),
                }
            }
        }
        let widest =
            (0..run.program.commands.len()).map(|i| width_px(&run.program.label(CommandNo(i as u32)), LETTERS_PX)).fold(90.0, f64::max);
        let wanted = widest + 34.0;
        let most = (((width + GAP_PX) / (wanted + GAP_PX)).floor() as usize).clamp(1, 6);
        let columns = most.max(if width >= 300.0 { 2 } else { 1 }).min(queues.len().max(1));
        let column_px = ((width - GAP_PX * columns as f64) / columns as f64).min(wanted + 30.0);
        let mut tops = vec![2.0];
        for row in queues.chunks(columns) {
            let longest = row.iter().map(|(_, commands)| commands.len()).max().unwrap_or(0);
            tops.push(tops[tops.len() - 1] + HEAD_PX + longest as f64 * STEP_PX + 12.0);
        }
        Self { queues, columns, column_px, tops }
    }

    fn corner(&self, queue: usize) -> (f64, f64) {
        ((queue % self.columns) as f64 * (self.column_px + GAP_PX), self.tops[queue / self.columns])
    }

    /// Left edge and middle of a command's box.
    fn place(&self, no: CommandNo) -> Option<(f64, f64)> {
        self.queues.iter().enumerate().find_map(|(queue, (_, commands))| {
            let at = commands.iter().position(|c| *c == no)?;
            let (x, y) = self.corner(queue);
            Some((x, y + HEAD_PX + at as f64 * STEP_PX + BOX_PX / 2.0))
        })
    }

    fn queue_of(&self, no: CommandNo) -> Option<usize> {
        self.queues.iter().position(|(_, commands)| commands.contains(&no))
    }
}

/// A diagram in the making.
struct QueueDiagram<'a> {
    run: &'a BatchRun,
    state: &'a BatchState,
    layout: Layout,
    marks: Vec<SheetMark>,
    spots: Vec<PictureSpot>,
}

/// The diagram and what is in it; `now` holds what is held up at the step, `latest` is the command that it is about.
#[must_use]
pub fn diagram(
    run: &BatchRun,
    state: &BatchState,
    now: &[&Hold],
    latest: Option<CommandNo>,
    sheet_px: f64,
) -> (QueueFigure, Vec<PictureSpot>) {
    let mut sheet = QueueDiagram { run, state, layout: Layout::new(run, sheet_px), marks: Vec::new(), spots: Vec::new() };
    for queue in 0..sheet.layout.queues.len() {
        sheet.queue(queue, latest);
    }
    for (no, before) in run.dependencies() {
        // What follows in a stream is over once it is done; waits for events are what ties streams.
        let matters = run.program.command(no).kind == CommandKind::Wait(before) || !state.is_done(no);
        let is_issued = |no| state.status(no) != CommandStatus::NotIssued;
        if matters && sheet.layout.queue_of(no) != sheet.layout.queue_of(before) && is_issued(no) && is_issued(before) {
            sheet.line(before, no, false);
        }
    }
    let mut drawn: Vec<(CommandNo, CommandNo)> = Vec::new();
    for hold in now {
        if !drawn.contains(&(hold.behind, hold.waits)) {
            drawn.push((hold.behind, hold.waits));
            sheet.line(hold.behind, hold.waits, true);
        }
    }
    let height_px = sheet.layout.tops.last().copied().unwrap_or(0.0).max(1.0);
    (QueueFigure { width_px: sheet_px, height_px, marks: sheet.marks }, sheet.spots)
}

impl QueueDiagram<'_> {
    fn text(&mut self, text: String, (x, y): (f64, f64), size_px: f64, tone: Tone) {
        self.marks.push(SheetMark::Text(TextMark { text, x, y, size_px, align: Align::Left, tone }));
    }

    fn a_box(&mut self, [x0, y0, x1, y1]: [f64; 4], kind: BoxKind, changed: bool) {
        self.marks.push(SheetMark::Box(BoxMark { x0, y0, x1, y1, kind, changed }));
    }

    fn queue(&mut self, place: usize, latest: Option<CommandNo>) {
        let (queue, commands) = self.layout.queues[place].clone();
        let (x, y) = self.layout.corner(place);
        let name = fitted(&queue.name(), self.layout.column_px + GAP_PX - 8.0, NAME_PX);
        self.text(name, (x, y + 10.0), NAME_PX, Tone::Bold);
        let landed = commands.iter().filter(|no| self.state.issued.contains(no)).count();
        if landed == 0 {
            self.text("empty so far".to_owned(), (x, y + HEAD_PX + 11.0), LETTERS_PX, Tone::Faint);
        }
        for no in &commands[..landed] {
            self.command(*no, latest == Some(*no));
        }
    }

    fn command(&mut self, no: CommandNo, is_latest: bool) {
        let Some((x, y)) = self.layout.place(no) else { return };
        let row = self.run.program.command(no).task.map(row_of);
        let is_waiting = self.state.place(no).is_some();
        let (kind, tone, sign) = match (self.state.status(no), row) {
            (CommandStatus::Runs(_), Some(row)) => (BoxKind::Item { row, dispatched: true }, Tone::On(row), "▶ "),
            (CommandStatus::Runs(_), None) => (BoxKind::Queue, Tone::Ink, "▶ "),
            (CommandStatus::Ended(_), _) => (BoxKind::Unsignalled, Tone::Ink, "‖ "),
            _ if is_waiting => (BoxKind::Task, Tone::Ink, ""),
            _ => (BoxKind::Ghost, Tone::Faint, "✓ "),
        };
        let area = [x + 1.0, y - BOX_PX / 2.0, x + self.layout.column_px - 1.0, y + BOX_PX / 2.0];
        self.a_box(area, kind, is_latest);
        if let Some(row) = row.filter(|_| is_waiting && kind == BoxKind::Task) {
            self.a_box([x + 2.0, area[1] + 1.0, x + 2.0 + BAR_PX, area[3] - 1.0], BoxKind::Item { row, dispatched: true }, false);
        }
        let label = fitted(&format!("{sign}{}", self.run.program.label(no)), self.layout.column_px - 14.0, LETTERS_PX * 0.97);
        let tone = if is_latest && tone == Tone::Ink { Tone::Bold } else { tone };
        self.text(label, (x + 11.0, y), LETTERS_PX, tone);
        self.spots.push(PictureSpot { shape: SpotShape::Area(area), text: words::command(&self.run.program, no) });
    }

    /// A line from what is waited for to what waits.
    fn line(&mut self, from: CommandNo, to: CommandNo, is_held_up: bool) {
        let (Some((x0, y0)), Some((x1, y1))) = (self.layout.place(from), self.layout.place(to)) else { return };
        let wide = self.layout.column_px;
        // In one column the line goes round on the right, else from one side to the other.
        let (start, end) = if x0 <= x1 { (x0 + wide, if x0 < x1 { x1 } else { x1 + wide }) } else { (x0, x1 + wide) };
        let (a, b) = if (x0 - x1).abs() < 1.0 {
            (start + 26.0, end + 26.0)
        } else {
            let middle = f64::midpoint(start, end);
            (middle, middle)
        };
        let points = curve((start, y0), (a, y0), (b, y1), (end, y1));
        let text = if is_held_up { "false dependency" } else { "true dependency" };
        self.spots.push(PictureSpot { shape: SpotShape::Line(points.clone()), text: text.to_owned() });
        self.marks.push(SheetMark::Link { points, is_held_up });
    }
}

/// A cubic Bézier curve as points.
fn curve(from: (f64, f64), one: (f64, f64), other: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    let at = |i: usize| {
        let t = i as f64 / POINTS as f64;
        let rest = 1.0 - t;
        let part =
            |a: f64, b: f64, c: f64, d: f64| rest * rest * rest * a + 3.0 * rest * rest * t * b + 3.0 * rest * t * t * c + t * t * t * d;
        (part(from.0, one.0, other.0, to.0), part(from.1, one.1, other.1, to.1))
    };
    (0..=POINTS).map(at).collect()
}
