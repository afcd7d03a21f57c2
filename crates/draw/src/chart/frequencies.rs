//! How often times of several tasks fall into classes, with those above a limit magnified beside them.
//!
//! Depends on the rest of `draw::chart`. Invariant: the parts beside and below each other have common classes, as their maker gives
//! them, and bars of a task stand at the same place of every class. Source: [EDF] Fig. 4.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Rectangle, Text};
use plotters::style::Color;
use plotters_backend::DrawingBackend;

use super::{Painted, WHOLE, axes, rgb, scaled, text_style, upright};
use crate::Theme;
use blockstep_view::lettering::fitted;
use blockstep_view::palette::Rgb;

/// Height of the words above a part, px.
const HEAD_PX: i32 = 18;
const TEXT_PX: f64 = 12.0;
/// Narrower figures have the magnified part below the whole, px.
const BESIDE_PX: f64 = 560.0;
/// How much of the width the whole has where the magnified part is beside it, percent.
const WHOLE_PERCENT: i32 = 57;

/// Classes of times, with bars.
#[derive(Clone, Debug)]
pub struct Frequencies {
    /// What stands above.
    pub name: String,
    /// Where the first class begins, ns.
    pub from: u64,
    /// Width of a class, ns.
    pub width: u64,
    /// A limit that is marked, ns.
    pub limit: Option<u64>,
    /// The greatest number on the axis, in ten-thousandths.
    pub top: u64,
    /// The color of each task, and its share in each class, in ten-thousandths of its times; all have the same number of classes.
    pub bars: Vec<(Rgb, Vec<u64>)>,
}

/// The times of a run.
#[derive(Clone, Debug)]
pub struct FrequencyRow {
    /// All of them.
    pub whole: Frequencies,
    /// Those above the limit, in classes of their own.
    pub magnified: Option<Frequencies>,
}

/// How many parts stand below each other for a row, in a figure whose letters are 12 px high.
pub(crate) fn parts_below(row: &FrequencyRow, width_px: f64) -> usize {
    1 + usize::from(row.magnified.is_some() && width_px < BESIDE_PX)
}

pub(super) fn paint<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, rows: &[FrequencyRow], theme: &Theme) -> Painted<DB> {
    for (row, part) in rows.iter().zip(area.split_evenly((rows.len(), 1))) {
        let (width, height) = part.dim_in_pixel();
        let Some(magnified) = &row.magnified else {
            paint_part(&part, &row.whole, theme)?;
            continue;
        };
        let (whole, beside) = if parts_below(row, f64::from(width) / theme.scale) > 1 {
            part.split_vertically((height / 2) as i32)
        } else {
            part.split_horizontally(width as i32 * WHOLE_PERCENT / 100)
        };
        paint_part(&whole, &row.whole, theme)?;
        paint_part(&beside, magnified, theme)?;
    }
    Ok(())
}

fn paint_part<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, of: &Frequencies, theme: &Theme) -> Painted<DB> {
    let (head, below) = area.split_vertically(scaled(HEAD_PX, theme));
    let (width, _) = area.dim_in_pixel();
    let name = fitted(&of.name, f64::from(width) / theme.scale - 24.0, TEXT_PX);
    head.draw(&Text::new(name, (scaled(16, theme), scaled(3, theme)), text_style(theme).color(&rgb(theme.ink))))?;
    let (from, class, tasks) = (u128::from(of.from), u128::from(of.width), of.bars.len() as u128);
    let count = of.bars.iter().map(|(_, shares)| shares.len()).max().unwrap_or(0) as u128;
    let top = u128::from(of.top.max(1));
    let share =
        |y: &u128| if y.is_multiple_of(WHOLE / 100) { format!("{} %", y * 100 / WHOLE) } else { format!("{:.1} %", *y as f64 / 100.0) };
    let mut plot = axes(&below, from..from + class * count.max(1), 0..top, theme, &share)?;
    if let Some(limit) = of.limit {
        upright(&below, &plot, limit, top, (theme.cursor, theme.scale))?;
    }
    // A tenth of a class is left free on both sides.
    let inner = class * 8 / 10;
    for (i, (colour, shares)) in of.bars.iter().enumerate() {
        for (n, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0) {
            let left = from + class * n as u128 + class / 10;
            let (x0, x1) = (left + inner * i as u128 / tasks, left + inner * (i as u128 + 1) / tasks);
            plot.draw_series([Rectangle::new([(x0, u128::from(share)), (x1, 0)], rgb(*colour).filled())])?;
        }
    }
    Ok(())
}
