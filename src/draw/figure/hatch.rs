//! Hatches of the print palette.
//!
//! Depends on `brush` and `view::print`. Invariant: a hatch stays within its area; it is a path for each
//! direction of its lines, which goes on along the edge from each line to the next.

use plotters_backend::DrawingBackend;

use crate::draw::boxes;
use crate::draw::brush::{Area, Brush, Painted};
use crate::view::palette::{Pattern, Rgb};
use crate::view::print::Hatch;

const ZIGZAG_PX: f64 = 6.0;

/// Lines over an area.
pub(super) fn paint<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, hatch: Hatch, area: Area, colour: Rgb) -> Painted<DB> {
    let directions: &[Pattern] = match hatch {
        Hatch::Plain => &[],
        Hatch::Rising => &[Pattern::Hatch],
        Hatch::Falling => &[Pattern::BackHatch],
        Hatch::Level => &[Pattern::Level],
        Hatch::Upright => &[Pattern::Upright],
        Hatch::Diamonds => &[Pattern::Hatch, Pattern::BackHatch],
        Hatch::Squares => &[Pattern::Level, Pattern::Upright],
        Hatch::Zigzag => return zigzag(brush, area, colour),
    };
    directions.iter().try_for_each(|&pattern| boxes::pattern(brush, pattern, area, colour))
}

fn zigzag<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, area: Area, colour: Rgb) -> Painted<DB> {
    let (columns, rows) = (((area.x1 - area.x0) / ZIGZAG_PX) as usize, ((area.y1 - area.y0) / ZIGZAG_PX) as usize);
    for row in 0..rows {
        let y = area.y0 + row as f64 * ZIGZAG_PX;
        let corner = |i: usize| (area.x0 + i as f64 * ZIGZAG_PX, y + if i.is_multiple_of(2) { ZIGZAG_PX } else { 1.0 });
        if columns > 0 {
            brush.path(&(0..=columns).map(corner).collect::<Vec<_>>(), colour)?;
        }
    }
    Ok(())
}
