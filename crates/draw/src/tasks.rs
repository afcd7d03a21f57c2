//! Lanes of tasks: bars of jobs, arrows of releases and deadlines, diamonds of servers, and a line
//! where a server pays, and one where the CPU thread waits in a call.
//!
//! Depends on `brush` and `view::frame`. Invariant: everything stays within the lane's height, and
//! what a mark means can be told by its form alone.

use plotters_backend::DrawingBackend;

use super::brush::{Area, Brush, Painted};
use blockstep_view::frame::{FOOT_PX, JobMark, LaneFrame, MarkFrame, TaskFrame};
use blockstep_view::palette::colour_of_space;

/// Half the width of an arrow's head.
const HALF_PX: f64 = 4.5;
const HEAD_PX: f64 = 8.0;

pub(super) fn paint<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, task: &TaskFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let own = colour_of_space(task.space, theme.dark).mixed(theme.lane, 0.3);
    for bar in &task.bars {
        let colour = if bar.late { theme.missed } else { own };
        brush.fill(Area { x0: bar.x0, y0: bar.y0, x1: bar.x1, y1: bar.y1 }, colour)?;
    }
    let bottom = task.lane.y + task.lane.height;
    for &(x0, x1) in &task.charges {
        brush.fill(Area { x0, y0: bottom - FOOT_PX, x1, y1: bottom }, colour_of_space(task.space, theme.dark))?;
    }
    for &(x0, x1) in &task.waits {
        brush.fill(Area { x0, y0: task.lane.y, x1, y1: task.lane.y + FOOT_PX }, theme.axis)?;
    }
    task.marks.iter().try_for_each(|shown| mark(brush, &task.lane, shown))
}

pub(super) fn mark<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, lane: &LaneFrame, shown: &MarkFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let (x, y) = (shown.x, shown.mark.y(lane));
    let (top, bottom) = (lane.y, lane.y + lane.height);
    // A renewal stands on the arrow of the release that brought it about.
    let half = if shown.mark == JobMark::Renewed { 3.0 } else { 5.0 };
    let diamond = [(x, y - half), (x + half, y), (x, y + half), (x - half, y), (x, y - half)];
    if shown.count > 1 && shown.mark != JobMark::Missed {
        // Too many to tell apart are no more than a texture, from which misses stand out.
        let (colour, middle) = (theme.ink.mixed(theme.lane, 0.72), top + lane.height / 2.0);
        let (y0, y1) = if shown.mark == JobMark::Release { (top, middle) } else { (middle, bottom) };
        return brush.upright(x - 0.75, y0, y1, 1.5, colour);
    }
    match shown.mark {
        JobMark::Release => {
            brush.upright(x - 0.75, top + HEAD_PX - 1.0, bottom, 1.5, theme.ink)?;
            brush.polygon(&[(x, top), (x + HALF_PX, top + HEAD_PX), (x - HALF_PX, top + HEAD_PX)], theme.ink)
        }
        JobMark::Renewed => brush.polygon(&diamond, theme.axis),
        JobMark::Postponed => {
            brush.polygon(&diamond, theme.lane)?;
            brush.path(&diamond, theme.ink)
        }
        JobMark::Met | JobMark::Open | JobMark::Missed => {
            let colour = if shown.mark == JobMark::Missed { theme.missed } else { theme.ink };
            let head = [(x, bottom), (x + HALF_PX, bottom - HEAD_PX), (x - HALF_PX, bottom - HEAD_PX), (x, bottom)];
            brush.upright(x - 0.75, top, bottom - HEAD_PX + 1.0, 1.5, colour)?;
            match shown.mark {
                JobMark::Open => brush.path(&head, colour),
                JobMark::Met => brush.polygon(&head, colour),
                _ => {
                    brush.polygon(&head, colour)?;
                    cross(brush, (x, top + lane.height * 0.36))
                }
            }
        }
    }
}

/// The sign of a miss, as two strokes thick enough for the last row of a lecture room.
fn cross<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, (x, y): (f64, f64)) -> Painted<DB> {
    let colour = brush.theme.missed;
    let (long, wide) = (5.5, 1.5);
    for side in [1.0, -1.0] {
        let stroke = [
            (x - side * (long - wide), y - long - wide),
            (x - side * (long + wide), y - long + wide),
            (x + side * (long - wide), y + long + wide),
            (x + side * (long + wide), y + long - wide),
        ];
        brush.polygon(&stroke, colour)?;
    }
    Ok(())
}
