//! The picture of the hardware queues at a step, in the manner of [MT] Fig. 2.
//!
//! Depends on `batch` and `look`. Invariants: a command keeps its place in the picture from the step
//! at which it lands, also after it has left its queue; thin lines are true dependencies, bold ones
//! false.

use super::look::{Look, px};
use crate::batch::command::{CommandNo, Kind};
use crate::batch::holds::Hold;
use crate::batch::queues::Queue;
use crate::batch::simulate::BatchRun;
use crate::batch::state::{Change, State, Status};
use crate::view::lettering::{fitted, width_px};
use crate::view::markup::Markup;

const BOX_PX: f64 = 24.0;
const STEP_PX: f64 = 29.0;
const HEAD_PX: f64 = 22.0;
const GAP_PX: f64 = 38.0;
const LETTERS_PX: f64 = 11.0;

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
            if let Change::Issue(no, Some(queue)) = step.change {
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

/// The picture, as SVG; `now` holds what is held up at the step.
pub(super) fn draw(run: &BatchRun, state: &State, now: &[&Hold], latest: Option<CommandNo>, look: Look) -> String {
    let layout = Layout::new(run, look.width_px);
    let height = layout.tops.last().copied().unwrap_or(0.0);
    let view = format!("0 0 {} {}", px(look.width_px), px(height));
    let mut svg = Markup::new();
    svg.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("viewBox", &view),
            ("width", &px(look.width_px)),
            ("height", &px(height)),
            ("role", "img"),
            ("aria-label", "Hardware queues at this step; the same as a list below"),
            ("font-family", "ui-monospace, monospace"),
            ("font-size", &px(LETTERS_PX)),
        ],
    );
    svg.markup(&look.patterns("bq", 2));
    for (i, (queue, commands)) in layout.queues.iter().enumerate() {
        let (x, y) = layout.corner(i);
        let name = fitted(&queue.name(), layout.column_px + GAP_PX - 8.0, 12.0);
        let title = [("x", px(x)), ("y", px(y + 14.0)), ("fill", look.ink.to_owned()), ("font-family", "system-ui, sans-serif".to_owned())];
        let mut attributes: Vec<_> = title.iter().map(|(name, value)| (*name, value.as_str())).collect();
        attributes.extend([("font-size", "12"), ("font-weight", "650")]);
        svg.leaf("text", &attributes, &name);
        let landed = commands.iter().filter(|no| state.issued.contains(no)).count();
        if landed == 0 {
            svg.leaf("text", &[("x", &px(x)), ("y", &px(y + HEAD_PX + 15.0)), ("fill", look.quiet)], "empty so far");
        }
        for no in &commands[..landed] {
            command(&mut svg, &layout, run, state, *no, latest, look);
        }
    }
    for (no, before) in run.dependencies() {
        // What follows in a stream is over once it is done; waits for events are what ties streams.
        let matters = run.program.command(no).kind == Kind::Wait(before) || !state.is_done(no);
        if matters && layout.queue_of(no) != layout.queue_of(before) && is_issued(state, no) && is_issued(state, before) {
            line(&mut svg, &layout, before, no, false, look);
        }
    }
    let mut drawn: Vec<(CommandNo, CommandNo)> = Vec::new();
    for hold in now {
        if !drawn.contains(&(hold.behind, hold.waits)) {
            drawn.push((hold.behind, hold.waits));
            line(&mut svg, &layout, hold.behind, hold.waits, true, look);
        }
    }
    svg.finish()
}

fn is_issued(state: &State, no: CommandNo) -> bool {
    state.status(no) != Status::NotIssued
}

fn command(svg: &mut Markup, layout: &Layout, run: &BatchRun, state: &State, no: CommandNo, latest: Option<CommandNo>, look: Look) {
    let Some((x, y)) = layout.place(no) else { return };
    let task = run.program.command(no).task;
    let waits = state.place(no).is_some();
    let (fill, ink, edge, sign) = match state.status(no) {
        Status::Runs(_) => (task.map_or(look.soft.to_owned(), |t| format!("url(#bq{t})")), task.map(|t| look.on_task(t)), look.ink, "▶ "),
        Status::Ended(_) => (look.soft.to_owned(), None, look.mark, "‖ "),
        _ if waits => (look.ground.to_owned(), None, look.ink, ""),
        _ => ("none".to_owned(), Some(look.quiet.to_owned()), look.line, "✓ "),
    };
    let ink = ink.unwrap_or_else(|| look.ink.to_owned());
    let label = format!("{sign}{}", run.program.label(no));
    let is_latest = latest == Some(no);
    svg.open("g", &[]);
    svg.leaf("title", &[], &super::say::command(&run.program, no));
    svg.open(
        "rect",
        &[
            ("x", &px(x + 1.0)),
            ("y", &px(y - BOX_PX / 2.0)),
            ("width", &px(layout.column_px - 2.0)),
            ("height", &px(BOX_PX)),
            ("rx", "3"),
            ("fill", &fill),
            ("stroke", edge),
            ("stroke-width", if is_latest { "2.5" } else { "1" }),
            ("stroke-dasharray", if fill == "none" { "3 2" } else { "" }),
        ],
    )
    .close();
    if let Some(task) = task.filter(|_| waits) {
        let bar = [("x", px(x + 2.0)), ("y", px(y - BOX_PX / 2.0 + 1.0)), ("width", "5".to_owned()), ("height", px(BOX_PX - 2.0))];
        let mut attributes: Vec<_> = bar.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let colour = look.task(task);
        attributes.push(("fill", &colour));
        svg.open("rect", &attributes).close();
    }
    let label = fitted(&label, layout.column_px - 14.0, LETTERS_PX * 0.97);
    let weight = if is_latest { "700" } else { "" };
    svg.leaf("text", &[("x", &px(x + 11.0)), ("y", &px(y + 4.0)), ("fill", &ink), ("font-weight", weight)], &label);
    svg.close();
}

/// A line from what is waited for to what waits.
fn line(svg: &mut Markup, layout: &Layout, from: CommandNo, to: CommandNo, is_false: bool, look: Look) {
    let (Some((x0, y0)), Some((x1, y1))) = (layout.place(from), layout.place(to)) else { return };
    let wide = layout.column_px;
    // In one column the line goes round on the right, else from one side to the other.
    let (start, end) = if x0 <= x1 { (x0 + wide, if x0 < x1 { x1 } else { x1 + wide }) } else { (x0, x1 + wide) };
    let (a, b) = if (x0 - x1).abs() < 1.0 {
        (start + 26.0, end + 26.0)
    } else {
        let middle = f64::midpoint(start, end);
        (middle, middle)
    };
    let d = format!("M{},{} C{},{} {},{} {},{}", px(start), px(y0), px(a), px(y0), px(b), px(y1), px(end), px(y1));
    let (stroke, width) = if is_false { (look.mark, "5") } else { (look.quiet, "1.3") };
    svg.open(
        "path",
        &[
            ("d", &d),
            ("fill", "none"),
            ("stroke", stroke),
            ("stroke-width", width),
            ("class", if is_false { "is-false" } else { "is-true" }),
        ],
    );
    svg.leaf("title", &[], if is_false { "false dependency" } else { "true dependency" }).close();
    let (size, back) = if is_false { (9.0, 1.0) } else { (5.0, 1.0) };
    let away = if end > x1 + wide / 2.0 { back } else { -back };
    let arrow = format!("M{},{} l{},{} v{} z", px(end), px(y1), px(away * size), px(-size / 1.6), px(size * 1.25));
    svg.open("path", &[("d", &arrow), ("fill", stroke)]).close();
}
