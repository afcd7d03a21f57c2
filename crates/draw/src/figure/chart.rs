//! Charts that stand alone: what their lines mean is written below them.
//!
//! Depends on `draw::chart`, `brush` and `view::lettering`. Invariant: curves are told apart by their
//! dashes, in the same order as in the panel of results.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters_backend::DrawingBackend;

use crate::Theme;
use crate::brush::{Anchor, Area, Brush, Painted};
use crate::chart::{self, Plot, frequencies};
use blockstep_view::lettering::{fitted, width_px};
use blockstep_view::palette::Rgb;

const TEXT_PX: f64 = 12.0;
const LINE_PX: f64 = 18.0;
const SAMPLE_PX: f64 = 34.0;
const GAP_PX: f64 = 18.0;
const MARGIN_PX: f64 = 16.0;
/// Height of a plot for its width, and its limits.
const SHAPE: f64 = 0.42;
const LOWEST_PX: f64 = 190.0;
const HIGHEST_PX: f64 = 380.0;
/// The same of each panel of several below each other.
const PANEL_SHAPE: f64 = 0.16;
const LOWEST_PANEL_PX: f64 = 104.0;
const HIGHEST_PANEL_PX: f64 = 160.0;
/// The same of histograms of several tasks.
const ROW_SHAPE: f64 = 0.28;
const LOWEST_ROW_PX: f64 = 180.0;
const HIGHEST_ROW_PX: f64 = 280.0;

/// A chart with its legend.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What is drawn.
    pub plot: Plot,
    /// The curves, in the plot's order.
    pub lines: Vec<Line>,
}

/// A line of the legend.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its color.
    pub colour: Rgb,
    /// Pixels on and off; none is a solid line.
    pub dashes: &'static [i32],
    /// What it is.
    pub name: String,
    /// Whether it is half as wide as the others.
    pub is_thin: bool,
}

/// A chart laid out.
pub(super) struct Laid {
    chart: Chart,
    plot_px: f64,
    /// Left end and middle of each line of the legend, and its words.
    legend: Vec<(f64, f64, String)>,
    pub(super) height_px: f64,
}

pub(super) fn lay_out(chart: &Chart, width: f64, has_legend: bool) -> Laid {
    let plot_px = match &chart.plot {
        Plot::Panels { panels, .. } => panels.len() as f64 * (width * PANEL_SHAPE).clamp(LOWEST_PANEL_PX, HIGHEST_PANEL_PX),
        Plot::Frequencies(rows) => {
            let parts: usize = rows.iter().map(|row| frequencies::parts_below(row, width)).sum();
            parts as f64 * (width * ROW_SHAPE).clamp(LOWEST_ROW_PX, HIGHEST_ROW_PX)
        }
        _ => (width * SHAPE).clamp(LOWEST_PX, HIGHEST_PX),
    };
    let (right, mut x, mut y) = (width - MARGIN_PX, MARGIN_PX, plot_px + LINE_PX / 2.0);
    let mut legend = Vec::new();
    for line in chart.lines.iter().filter(|_| has_legend) {
        let name = fitted(&line.name, right - MARGIN_PX - SAMPLE_PX - 6.0, TEXT_PX);
        let needed = SAMPLE_PX + 6.0 + width_px(&name, TEXT_PX);
        if x > MARGIN_PX && x + needed > right {
            (x, y) = (MARGIN_PX, y + LINE_PX);
        }
        legend.push((x, y, name));
        x += needed + GAP_PX;
    }
    let bottom = if legend.is_empty() { plot_px } else { y + LINE_PX / 2.0 };
    Laid { chart: chart.clone(), plot_px, legend, height_px: bottom + 4.0 }
}

impl Laid {
    /// Paints the plot at the top of its area.
    pub(super) fn paint_plot<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        theme: &Theme,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        let (plot, _) = area.split_vertically((self.plot_px * theme.scale) as i32);
        chart::paint(&plot, &self.chart.plot, theme)
    }

    pub(super) fn paint_legend<DB: DrawingBackend>(&self, brush: &mut Brush<'_, DB>) -> Painted<DB> {
        let ink = brush.theme.ink;
        for (line, (x, y, name)) in self.chart.lines.iter().zip(&self.legend) {
            let (dashes, mut at) = (if line.dashes.is_empty() { &[SAMPLE_PX as i32, 1] } else { line.dashes }, 0.0);
            for (i, &length) in dashes.iter().cycle().enumerate() {
                let end = (at + f64::from(length)).min(SAMPLE_PX);
                if i.is_multiple_of(2) {
                    let y1 = if line.is_thin { *y } else { y + 1.0 };
                    brush.fill(Area { x0: x + at, y0: y - 1.0, x1: x + end, y1 }, line.colour)?;
                }
                at = end;
                if at >= SAMPLE_PX {
                    break;
                }
            }
            brush.text(name, (x + SAMPLE_PX + 6.0, *y), TEXT_PX, Anchor::Left, ink)?;
        }
        Ok(())
    }
}
