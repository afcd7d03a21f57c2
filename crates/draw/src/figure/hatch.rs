//! Hatches of the print palette.
//!
//! Depends on `brush` and `view::print`. Invariant: a hatch stays within its area.

use plotters_backend::DrawingBackend;

use crate::brush::{Area, Brush, Painted};
use blockstep_view::palette::Rgb;
use blockstep_view::print::{Direction, Hatch};

/// Lines over an area.
pub(super) fn paint<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, hatch: Hatch, area: Area, colour: Rgb) -> Painted<DB> {
    for &direction in hatch.directions {
        for ends in lines(direction, hatch.distance_px, &area) {
            brush.path(&ends, colour)?;
        }
    }
    Ok(())
}

/// Both ends of every line.
fn lines(direction: Direction, distance: f64, area: &Area) -> Vec<[(f64, f64); 2]> {
    let (width, height) = (area.x1 - area.x0, area.y1 - area.y0);
    // What is along the lines' normal.
    let across = if direction == Direction::Upright { width } else { width + height };
    let step = if direction == Direction::Upright { distance } else { distance * std::f64::consts::SQRT_2 };
    let count = if width > 0.0 && height > 0.0 { (across / step).ceil() as usize } else { 0 };
    let mut points = Vec::with_capacity(count);
    for i in 1..count {
        let d = i as f64 * step;
        let ends = match direction {
            Direction::Upright => [(d, 0.0), (d, height)],
            // From the left or bottom side to the top or right side.
            _ => [((d - height).max(0.0), d.min(height)), (d.min(width), (d - width).max(0.0))],
        };
        points.push(ends.map(|(x, y)| (if direction == Direction::Falling { area.x1 - x } else { area.x0 + x }, area.y0 + y)));
    }
    points
}
