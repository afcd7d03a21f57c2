//! How long switches take that vary, drawn 100,000 times, beside what [LP] states of a GT 710.
//!
//! Depends on `view::results` and `draw::figure`. Invariant: the draws are the first ones of the scenario, as many as there are
//! switches in its run among them.

use super::charts::curve_colour;
use blockstep_draw::chart::{Curve, Plot};
use blockstep_draw::figure::{Chart, Line, Palette};
use blockstep_sim::scenario::SwitchTimes;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{Span, TaskId};
use blockstep_view::palette::Rgb;
use blockstep_view::panels::results::task_dashes;
use blockstep_view::quantity::format_time;
use blockstep_view::results::overlay::NamedRun;
use blockstep_view::results::spread::{Histogram, distribution};
use blockstep_view::results::unit::percent;

/// Switches that are drawn.
const DRAWS: u64 = 100_000;
/// Bins of the histogram.
const BINS: u64 = 80;

/// Whether the switches of a run may take different times.
pub(super) fn vary(trace: &Trace) -> bool {
    let scenario = trace.scenario();
    scenario.policy().kind.takes_turns() && scenario.switches().vary()
}

/// The first draws, in ascending order.
fn drawn(switches: &SwitchTimes) -> Vec<Span> {
    let mut all: Vec<Span> = (0..DRAWS).map(|n| switches.draw(n)).collect();
    all.sort_unstable();
    all
}

/// As Fig. 1.
pub(super) fn histogram(trace: &Trace, colour: Rgb, palette: Palette) -> Option<Chart> {
    let switches = trace.scenario().switches();
    let drawn = vary(trace).then(|| drawn(switches))?;
    let from = switches.tail_from();
    let theme = palette.theme();
    let line = |colour, name| Line { colour, dashes: &[], name, is_thin: false };
    let average = drawn.iter().map(|span| u128::from(span.ns())).sum::<u128>() / u128::from(DRAWS);
    let average = format_time(rounded(u64::try_from(average).unwrap_or(u64::MAX)));
    let longest = format_time(rounded(drawn.last()?.ns()));
    let mut lines = vec![line(colour, format!("100,000 drawn switches: {average} on average, {longest} at most"))];
    if let Some(from) = from {
        let tail = drawn.iter().filter(|&&span| span >= from).count();
        lines.push(line(theme.cursor, format!("in the tail, {}", percent(tail as u128, DRAWS.into()))));
    }
    lines.push(stated("[LP] III-B, GT 710: 21.5 µs on average, about 0.3 % in the tail, at most 3.7 times the average", theme.ground));
    Some(Chart { plot: Plot::Tail { bins: Histogram::with_bins(&drawn, BINS)?, from: from.map(Span::ns), colour }, lines })
}

/// As Fig. 2, with the switches of other runs.
pub(super) fn longest(runs: &[NamedRun<'_>], palette: Palette) -> Option<Chart> {
    let runs: Vec<&NamedRun<'_>> = runs.iter().filter(|run| vary(run.trace)).collect();
    let style = |i: usize| (curve_colour(TaskId::at(i), palette), task_dashes(TaskId::at(i)));
    let curve = |(i, run): (usize, &&NamedRun<'_>)| {
        let (colour, dashes) = style(i);
        Curve { colour, dashes, points: distribution(&drawn(run.trace.scenario().switches())), deadline: None }
    };
    let curves: Vec<Curve> = runs.iter().enumerate().map(curve).collect();
    let name = |(i, (curve, run)): (usize, (&Curve, &&NamedRun<'_>))| {
        let (colour, dashes) = style(i);
        let longest = format_time(rounded(curve.points.last()?.0));
        let average = format_time(rounded(run.trace.scenario().switches().average().ns()));
        let of = if runs.len() > 1 && !run.name.is_empty() { format!("{}: ", run.name) } else { String::new() };
        Some(Line { colour, dashes, name: format!("{of}the longest of 100,000, {longest}; average {average}"), is_thin: false })
    };
    let mut lines: Vec<Line> = curves.iter().zip(&runs).enumerate().filter_map(name).collect();
    lines.push(stated(
        "[LP] III-C, GT 710: at most from 3.7 to more than 5.5 times the average, by display resolution",
        palette.theme().ground,
    ));
    (!curves.is_empty()).then_some(Chart { plot: Plot::Top(curves), lines })
}

/// A line of the legend that is of nothing drawn.
fn stated(words: &str, ground: Rgb) -> Line {
    Line { colour: ground, dashes: &[], name: words.to_owned(), is_thin: true }
}

/// To four digits, for a legend.
fn rounded(ns: u64) -> u64 {
    let grain = 10_u64.pow((ns.checked_ilog10().unwrap_or(0)).saturating_sub(3));
    ns.saturating_add(grain / 2) / grain * grain
}
