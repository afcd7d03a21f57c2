//! Charts of times of which a few lie far above the others.
//!
//! Depends on the rest of `draw::chart`. Invariant: a bin with a single value can be seen.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::Rectangle;
use plotters::style::Color;
use plotters_backend::DrawingBackend;

use super::{Curve, Painted, axes, axes_of, line, padded, rgb, stairs};
use crate::Theme;
use blockstep_view::palette::Rgb;
use blockstep_view::results::spread::Histogram;
use blockstep_view::results::unit::TimeUnit;

/// A power of ten on the axis of counts.
const DECADE: u128 = 1_000;
/// The height of a single value, of which the logarithm is 0.
const SINGLE: u128 = 60;
/// The whole of a distribution, and what is left out below the top of it.
const WHOLE: u128 = 100_000;
const BELOW: u128 = 99_500;

/// A histogram with the logarithm of its counts.
pub(super) fn paint_tail<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    bins: &Histogram,
    from: Option<u64>,
    colour: Rgb,
    theme: &Theme,
) -> Painted<DB> {
    let (first, width) = (u128::from(bins.first), u128::from(bins.width));
    let height = |count: u64| ((count as f64).log10() * DECADE as f64) as u128;
    let tallest = bins.counts.iter().copied().max().map_or(0, height);
    let top = (tallest / DECADE + 1) * DECADE;
    let power = |y: &u128| if y.is_multiple_of(DECADE) { 10_u128.saturating_pow((y / DECADE) as u32).to_string() } else { String::new() };
    let (x, unit) = (first.saturating_sub(width)..u128::from(bins.end()) + width, TimeUnit::for_greatest(bins.end().into()));
    // With a name the axis has the room that long counts need.
    let mut plot = axes_of(area, (x, unit.name, &|x| unit.short(*x)), (0..top, "switches", &power), theme)?;
    for (i, &count) in bins.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let left = first + width * i as u128;
        let is_marked = from.is_some_and(|from| left >= u128::from(from));
        let corners = [(left, height(count).max(SINGLE)), (left + width, 0)];
        plot.draw_series([Rectangle::new(corners, rgb(if is_marked { theme.cursor } else { colour }).filled())])?;
        plot.draw_series([Rectangle::new(corners, rgb(theme.ground).stroke_width(1))])?;
    }
    Ok(())
}

/// Distribution functions above 99.5 %.
pub(super) fn paint_top<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, curves: &[Curve], theme: &Theme) -> Painted<DB> {
    // Each from the point with which it is above the floor.
    let tops = curves.iter().map(|curve| {
        let total = u128::from(curve.points.last().map_or(1, |point| point.1));
        let steps = curve.points.iter().map(move |&(x, count)| (u128::from(x), u128::from(count) * WHOLE / total));
        (curve, steps.filter(|step| step.1 > BELOW).collect::<Vec<_>>())
    });
    let tops: Vec<_> = tops.collect();
    let start = tops.iter().filter_map(|(_, steps)| steps.first()).map(|step| step.0).min().unwrap_or(0);
    let greatest = tops.iter().filter_map(|(_, steps)| steps.last()).map(|step| step.0).max().unwrap_or(0);
    let end = padded(u64::try_from(greatest).unwrap_or(u64::MAX));
    let share = |y: &u128| if *y == WHOLE { "100 %".to_owned() } else { format!("{}.{} %", y * 100 / WHOLE, y * 1_000 / WHOLE % 10) };
    let mut plot = axes(area, start.saturating_sub((end - start) / 20)..end, BELOW..WHOLE, theme, &share)?;
    for (curve, steps) in &tops {
        let corners: Vec<_> = stairs(steps.iter().map(|&(x, y)| (x, y)), end).into_iter().filter(|corner| corner.1 >= BELOW).collect();
        line(area, &mut plot, &corners, curve.dashes, 2, (curve.colour, theme.scale))?;
    }
    Ok(())
}
