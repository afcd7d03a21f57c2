//! Levels over time below each other, over one axis of time.
//!
//! Depends on its parent. Invariant: all panels are as high and begin and end at the same instants, so that
//! what happens at once stands below each other.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::Text;
use plotters_backend::DrawingBackend;

use super::{Painted, Style, paint_levels, rgb, scaled, svg, text_style};
use crate::Theme;
use blockstep_sim::units::Time;
use blockstep_view::lettering::fitted;
use blockstep_view::palette::Rgb;
use blockstep_view::results::spread::Levels;

/// Height of a panel's name, px.
const NAME_PX: i32 = 16;
const TEXT_PX: f64 = 12.0;

/// One of them.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it is of.
    pub name: String,
    /// The number over time.
    pub levels: Levels,
    /// What the device has.
    pub limit: u64,
    /// Of the area.
    pub colour: Rgb,
}

/// Numbers of threads over time, each with the number that the device has as a level line.
#[must_use]
pub fn panels(panels: &[Panel], end: Time, style: Style<'_>, label: &str) -> String {
    svg(style, label, |area| paint(area, panels, end, style.theme))
}

pub(super) fn paint<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, panels: &[Panel], end: Time, theme: &Theme) -> Painted<DB> {
    let ink = rgb(theme.ink);
    let style = text_style(theme).color(&ink);
    for (panel, part) in panels.iter().zip(area.split_evenly((panels.len(), 1))) {
        let (width, _) = part.dim_in_pixel();
        let left = scaled(NAME_PX, theme);
        let (head, plot) = part.split_vertically(left);
        let name = fitted(&panel.name, f64::from(width) / theme.scale - 2.0 * f64::from(NAME_PX), TEXT_PX);
        head.draw(&Text::new(name, (left, scaled(3, theme)), style.clone()))?;
        paint_levels(&plot, &panel.levels, end, panel.limit, panel.colour, theme)?;
    }
    Ok(())
}
