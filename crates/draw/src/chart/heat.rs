//! A number over two others, as cells whose color says how great it is.
//!
//! Depends on the rest of the charts. Invariant: the colors run from the least number to the greatest, both of which stand below.

use std::ops::Range;

use plotters::drawing::DrawingArea;
use plotters::element::Rectangle;
use plotters::style::Color;
use plotters_backend::DrawingBackend;

use super::study::{Axis, with_legend};
use super::{Painted, Shift, Style, axes_of, rgb, svg};
use crate::Theme;
use blockstep_view::palette::Rgb;

/// How much of the color the least number has; the ground has none of it.
const PALEST: f64 = 0.1;

/// A cell.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// From where to where along the bottom.
    pub x: (u64, u64),
    /// And along the side.
    pub y: (u64, u64),
    /// Its number.
    pub value: u64,
}

/// Cells as a picture that stands alone. `value` writes a number for the legend.
#[must_use]
pub fn heat_alone(
    cells: &[Cell],
    colour: Rgb,
    x: Axis<'_>,
    y: Axis<'_>,
    value: &dyn Fn(u64) -> String,
    style: Style<'_>,
    label: &str,
) -> String {
    let numbers = || cells.iter().map(|cell| cell.value);
    let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    let shade = |value| shade(value, least, most, colour, style.theme);
    let chart = svg(style, label, |area| paint_cells(area, cells, &shade, x, y, style.theme));
    // The palest is hardly more than the ground: a line says that it is there.
    let line = style.theme.axis.css();
    let mark = |value| format!("<path d=\"M.5 -5.5H39.5V5.5H.5Z\" fill=\"{}\" stroke=\"{line}\"/>", shade(value).css());
    let names = [format!("least: {}", value(least)), format!("most: {}", value(most))];
    let lines: Vec<(String, &str)> = [least, most].into_iter().zip(&names).map(|(value, name)| (mark(value), name.as_str())).collect();
    with_legend(&chart, style, if least == most { &lines[..1] } else { &lines })
}

fn shade(value: u64, least: u64, most: u64, colour: Rgb, theme: &Theme) -> Rgb {
    let share = (value - least) as f64 / (most - least).max(1) as f64;
    theme.ground.mixed(colour, PALEST + (1.0 - PALEST) * share)
}

fn paint_cells<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    cells: &[Cell],
    shade: &dyn Fn(u64) -> Rgb,
    x: Axis<'_>,
    y: Axis<'_>,
    theme: &Theme,
) -> Painted<DB> {
    let range = |axis: Axis<'_>| -> Range<u128> { axis.range.0.into()..u128::from(axis.range.1.max(axis.range.0 + 1)) };
    let number = |n: &u128| u64::try_from(*n).unwrap_or(u64::MAX);
    let (x_label, y_label) = (|n: &u128| (x.label)(number(n)), |n: &u128| (y.label)(number(n)));
    let mut plot = axes_of(area, (range(x), x.name, &x_label), (range(y), y.name, &y_label), theme)?;
    for cell in cells {
        let corners = [(cell.x.0.into(), cell.y.1.into()), (cell.x.1.into(), cell.y.0.into())];
        plot.draw_series([Rectangle::new(corners, rgb(shade(cell.value)).filled())])?;
    }
    Ok(())
}
