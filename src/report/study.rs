//! Schedulability as it leaves the program: verdicts of a scenario, and studies with their figures.
//!
//! Depends on everything but the page and the command line. Invariant: nothing is reckoned or worded
//! here; this only brings tests, view models and charts together.

pub mod form;
pub mod typed;

use std::sync::Arc;

use super::Options;
use crate::analysis::Task;
use crate::analysis::curves::{Curve, decimal};
use crate::analysis::report::{Report, Switch};
use crate::analysis::runlist_bound;
use crate::analysis::sweep::{Counts, Figure, Sweep, Test};
use crate::draw::Theme;
use crate::draw::chart::Style;
use crate::draw::chart::study::{self as chart, Axis, Band, BandPoint, DemandCurve};
use crate::engine::{self, Limits};
use crate::record::Records;
use crate::scenario::{Draft, PolicyKind, Scenario};
use crate::view::panels::study::{self as panel, Progress};
use crate::view::panels::verdicts::{self, DemandChart};

/// Steps of the demand that are drawn.
const MAX_STEPS: usize = 400;
/// Steps that finding out how long jobs take alone may cost, and those of the run under the runlist.
const ALONE: Limits = Limits { max_steps: 1_000_000 };
/// The size of a saved figure, px, without its legend.
const SAVED: (u32, u32) = (860, 480);
const WHOLE: u64 = 1_000_000;

/// What the tests say of a scenario, as HTML, with the demand of line `picked`, or of the test that
/// goes with the scenario's own preemption.
///
/// # Errors
/// If the scenario has problems, or a job takes too many steps; a sentence.
pub fn verdicts_html(draft: &Draft, picked: Option<usize>, options: Options) -> Result<String, String> {
    let scenario = Scenario::new(draft).map_err(|e| e.to_string())?;
    let report = Report::new(&scenario, ALONE)?;
    let own = |l: &crate::analysis::report::Line| l.preemption == scenario.policy().preemption && l.source == Switch::Own;
    let line = picked.filter(|i| *i < report.lines.len()).or(report.lines.iter().position(own)).unwrap_or(0);
    let svg = if report.model.tasks.is_empty() { String::new() } else { demand_svg(&report, line, options) };
    let bounds = bounds(draft);
    Ok(verdicts::verdicts(&scenario, &report, bounds.as_deref().map_err(|why| why.as_str()), &DemandChart { line, svg }))
}

/// Under the runlist, whatever the scenario's policy.
fn bounds(draft: &Draft) -> Result<Vec<Result<runlist_bound::RunlistBound, runlist_bound::Inapplicable>>, String> {
    let mut draft = draft.clone();
    draft.policy.kind = PolicyKind::Runlist;
    let scenario: Arc<Scenario> = Scenario::new(&draft).map_err(|e| format!("It cannot run under the runlist: {e}"))?;
    let run = engine::simulate(&scenario, ALONE).map_err(|e| e.to_string())?;
    Ok(runlist_bound::bounds(&run.trace, &Records::new(&run.trace), ALONE))
}

fn demand_svg(report: &Report, line: usize, options: Options) -> String {
    let Some(line) = report.lines.get(line) else { return String::new() };
    let demand = report.model.demand(line.preemption, line.switch);
    let longest = |of: fn(&Task) -> u64| report.model.tasks.iter().map(|(_, t)| of(t)).filter(|t| *t < u64::MAX).max().unwrap_or(1);
    let failure = line.failure.map(|f| f.at);
    // Some of what comes after a failure; else three of the longest periods.
    let wanted = match failure {
        Some(at) => at.saturating_add(at / 3).max(longest(|t| t.deadline)),
        None => longest(|t| t.deadline).saturating_add(longest(|t| t.period).saturating_mul(3)),
    };
    let mut until = wanted;
    let points = loop {
        match demand.points(until, MAX_STEPS) {
            Some(points) => break points,
            None => until /= 2,
        }
    };
    let curve = DemandCurve {
        points: points.iter().map(|p| (p.at, p.demand, p.blocking)).collect(),
        until,
        failure: failure.filter(|at| *at <= until),
    };
    let theme = theme(options.is_dark);
    let style = Style { theme: &theme, size: (options.width_px.clamp(280, 760), 280) };
    let label = "Demand of the tasks against time";
    chart::demand(&curve, [0, 5].map(|i| panel::colour(i, options.is_dark)), style, label)
}

fn theme(is_dark: bool) -> Theme {
    if is_dark { Theme::dark() } else { Theme::light() }.for_svg()
}

/// A study's figure with its legend, as HTML; `counts` by utilisation.
#[must_use]
pub fn figure_html(sweep: &Sweep, counts: &[Counts], progress: Progress, options: Options) -> String {
    let curves = sweep.curves(counts);
    let theme = theme(options.is_dark);
    let width = options.width_px.clamp(280, 1000);
    let style = Style { theme: &theme, size: (width, if width < 500 { 280 } else { 380 }) };
    let svg = chart(sweep, &curves, style, options.is_dark, &[]);
    let (sets, undrawn) = counts.iter().fold((0, 0), |sum, c| (sum.0 + c.sets, sum.1 + c.undrawn));
    panel::figure(sweep, progress, sets, undrawn, &curves, &svg, options.is_dark)
}

/// The same as a table.
#[must_use]
pub fn table_html(sweep: &Sweep, counts: &[Counts]) -> String {
    panel::table(sweep, &sweep.curves(counts))
}

/// The figure as a picture to be saved, with its legend and how it was made.
#[must_use]
pub fn figure_svg(sweep: &Sweep, counts: &[Counts]) -> String {
    let curves = sweep.curves(counts);
    let theme = theme(false);
    let legend: Vec<String> = curves.iter().map(|c| c.label.clone()).collect();
    chart(sweep, &curves, Style { theme: &theme, size: SAVED }, false, &legend)
}

fn chart(sweep: &Sweep, curves: &[Curve], style: Style<'_>, is_dark: bool, legend: &[String]) -> String {
    let band = |(i, curve): (usize, &Curve)| {
        let point = |(k, (x, y)): (usize, &(u64, crate::analysis::curves::Share))| BandPoint {
            x: *x,
            y: y.share.into(),
            band: (y.least.into(), y.most.into()),
            key: panel::point_key(curve, k),
            title: format!("{}; {} at {}", curve.label, panel::y_text(sweep, y), panel::x_text(sweep, *x)),
        };
        Band { colour: panel::colour(i, is_dark), dashes: panel::dashes(i), points: curve.points.iter().enumerate().map(point).collect() }
    };
    let bands: Vec<Band> = curves.iter().enumerate().map(band).collect();
    let (x_name, y_name) = panel::axes(sweep);
    let x_label = |x: u64| panel::x_text(sweep, x);
    let x = match sweep.figure {
        Figure::ByUtilisation => (u64::from(sweep.utilisation.from), sweep.utilisation.iter().last().unwrap_or(0).into()),
        _ => {
            let parameters = || sweep.tests.iter().map(Test::parameter);
            (parameters().min().unwrap_or(0), parameters().max().unwrap_or(1))
        }
    };
    let y_label = |y: u64| match sweep.figure {
        Figure::Above(_) => decimal(y as u32),
        _ => format!("{} %", y / 10_000),
    };
    let x = Axis { range: x, name: x_name, label: &x_label };
    let y = Axis { range: (0, WHOLE), name: y_name, label: &y_label };
    chart::bands(&bands, x, y, style, &format!("{y_name}, by {x_name}"), legend)
}
