//! Schedulability as it leaves the program: verdicts of a scenario, and studies with their figures.
//!
//! Depends on the simulator, on `analysis`, `view` and `draw`. Invariant: nothing is computed or worded
//! here; this only brings tests, view models and charts together.

pub mod form;
pub mod sets;
pub mod typed;

use std::sync::Arc;

use super::Options;
use blockstep_analysis::curves::{Curve, Share, decimal};
use blockstep_analysis::report::{Report, Switch};
use blockstep_analysis::scenario::AloneError;
use blockstep_analysis::sweep::{Counts, Figure, Sweep, Test};
use blockstep_analysis::{Task, runlist_bound};
use blockstep_draw::Theme;
use blockstep_draw::chart::Style;
use blockstep_draw::chart::study::{self as chart, Axis, Band, BandPoint, DemandCurve};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, PolicyKind, Scenario, ScenarioError};
use blockstep_view::panels::sheet::Chart;
use blockstep_view::panels::study::{self as panel, BandPicture, Counted, CurveMark, FigurePanel, Progress};
use blockstep_view::panels::verdicts::{self, VerdictsPanel};

/// Why nothing can be told of a scenario or a study.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error(transparent)]
    Alone(#[from] AloneError),
    #[error("The study has no point {0}.")]
    NoPoint(u32),
    #[error("The study has no point with a test {0}.")]
    NoTest(u32),
    #[error("There is no such task set.")]
    NoSet,
    #[error("This set cannot be made a scenario: {0}")]
    NoScenario(ScenarioError),
    #[error("It cannot run under the runlist: {0}")]
    NoRunlist(ScenarioError),
    #[error("It cannot run in one address space: {0}")]
    NoOneSpace(ScenarioError),
}

/// Steps of the demand that are drawn.
const MAX_STEPS: usize = 400;
/// Steps that finding out how long jobs take alone may cost, and those of the run under the runlist.
const ALONE: Limits = Limits { max_steps: 1_000_000 };
/// The size of a saved figure, px, without its legend.
const SAVED: (u32, u32) = (860, 480);
const WHOLE: u64 = 1_000_000;

/// What the tests say of a scenario, with the demand of line `picked`, or of the test that goes with the scenario's own
/// preemption.
///
/// # Errors
/// If the scenario has problems, or a job takes too many steps.
pub fn verdicts(draft: &Draft, picked: Option<u32>, options: Options) -> Result<VerdictsPanel, StudyError> {
    let scenario = Scenario::new(draft)?;
    let report = Report::new(&scenario, ALONE)?;
    let own = |l: &blockstep_analysis::report::ReportLine| l.preemption == scenario.policy().preemption && l.source == Switch::Own;
    let picked = picked.map(|line| line as usize);
    let line = picked.filter(|i| *i < report.lines.len()).or(report.lines.iter().position(own)).unwrap_or(0);
    let chart = if report.model.tasks.is_empty() { None } else { demand_chart(&report, line, options) };
    let bounds = bounds(draft, &scenario).map_err(|why| why.to_string());
    let shared = shared(draft).map_err(|why| why.to_string());
    let shared = shared.as_deref().map_err(String::as_str);
    Ok(verdicts::verdicts(&scenario, &report, bounds.as_deref().map_err(String::as_str), shared, line, chart))
}

/// With all processes in one address space: under the scenario's own policy if it is such a one, else under `priority`.
fn shared(draft: &Draft) -> Result<Arc<Scenario>, StudyError> {
    let mut draft = draft.clone();
    if draft.policy.kind.takes_turns() {
        draft.policy.kind = PolicyKind::Priority;
    }
    Scenario::new(&draft).map_err(StudyError::NoOneSpace)
}

/// Under the runlist, whatever the scenario's policy.
fn bounds(draft: &Draft, scenario: &Scenario) -> Result<Vec<Result<runlist_bound::RunlistBound, runlist_bound::Inapplicable>>, StudyError> {
    if let Some(none) = runlist_bound::endless(scenario) {
        return Ok(none);
    }
    let mut draft = draft.clone();
    draft.policy.kind = PolicyKind::Runlist;
    let scenario = Scenario::new(&draft).map_err(StudyError::NoRunlist)?;
    let run = engine::simulate(&scenario, ALONE);
    Ok(runlist_bound::bounds(&run.trace, &Records::new(&run.trace), ALONE))
}

fn demand_chart(report: &Report, line: usize, options: Options) -> Option<Chart> {
    let line = report.lines.get(line)?;
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
    let label = "Demand of the tasks against time".to_owned();
    Some(Chart { svg: chart::demand(&curve, [0, 5].map(|i| panel::colour(i, options.is_dark)), style, &label), label })
}

fn theme(is_dark: bool) -> Theme {
    if is_dark { Theme::dark() } else { Theme::light() }.for_svg()
}

/// A study's figure with its legend, and as a table if that is wanted; `counts` by utilization.
#[must_use]
pub fn figure(sweep: &Sweep, counts: &[Counts], progress: Progress, has_table: bool, options: Options) -> FigurePanel {
    let curves = sweep.curves(counts);
    let theme = theme(options.is_dark);
    let width = options.width_px.clamp(280, 1000);
    let size = (width, if width < 500 { 280 } else { 380 });
    let axes = Axes::for_sweep(sweep);
    let (svg, places) = chart::bands(&bands(&curves, options.is_dark), axes.x(), axes.y(), Style { theme: &theme, size }, &axes.label());
    let mark = |(i, curve, k, at): (usize, &Curve, usize, (i32, i32))| {
        let (x, y) = &curve.points[k];
        Some(CurveMark {
            at,
            colour: panel::colour(i, options.is_dark),
            title: format!("{}; {} at {}", curve.label, panel::y_text(sweep, y), panel::x_text(sweep, *x)),
            point: panel::point(curve, k)?,
        })
    };
    #[expect(clippy::type_complexity, reason = "it is named nowhere else")]
    let of_curve = |(i, (curve, places)): (usize, (&'_ Curve, Vec<(i32, i32)>))| {
        places.into_iter().enumerate().filter_map(|(k, at)| mark((i, curve, k, at))).collect::<Vec<_>>()
    };
    let marks = curves.iter().zip(places).enumerate().flat_map(of_curve).collect();
    let picture = BandPicture { chart: Chart { svg, label: axes.label() }, size, marks };
    let (sets, undrawn) = counts.iter().fold((0, 0), |sum, c| (sum.0 + c.sets, sum.1 + c.undrawn));
    panel::figure(Counted { sweep, progress, sets, undrawn, curves: &curves }, picture, options.is_dark, has_table)
}

/// The figure as a picture to be saved, with its legend and how it was made.
#[must_use]
pub fn figure_svg(sweep: &Sweep, counts: &[Counts]) -> String {
    let curves = sweep.curves(counts);
    let theme = theme(false);
    let legend: Vec<String> = curves.iter().map(|c| c.label.clone()).collect();
    let axes = Axes::for_sweep(sweep);
    let style = Style { theme: &theme, size: SAVED };
    chart::bands_alone(&bands(&curves, false), axes.x(), axes.y(), style, &axes.label(), &legend).svg
}

fn bands(curves: &[Curve], is_dark: bool) -> Vec<Band> {
    let point = |(x, y): &(u64, Share)| BandPoint { x: *x, y: y.share.into(), band: (y.least.into(), y.most.into()) };
    let band = |(i, curve): (usize, &Curve)| Band {
        colour: panel::colour(i, is_dark),
        dashes: panel::dashes(i),
        points: curve.points.iter().map(point).collect(),
    };
    curves.iter().enumerate().map(band).collect()
}

/// The axes of a study's figure.
struct Axes<'s> {
    names: (&'static str, String),
    range: (u64, u64),
    x_label: Box<dyn Fn(u64) -> String + 's>,
    y_label: Box<dyn Fn(u64) -> String>,
}

impl<'s> Axes<'s> {
    fn for_sweep(sweep: &'s Sweep) -> Self {
        let range = match sweep.figure {
            Figure::ByUtilisation => (u64::from(sweep.utilisation.from), sweep.utilisation.iter().last().unwrap_or(0).into()),
            _ => {
                let parameters = || sweep.tests.iter().map(Test::parameter);
                (parameters().min().unwrap_or(0), parameters().max().unwrap_or(1))
            }
        };
        let is_above = matches!(sweep.figure, Figure::Above(_));
        Self {
            names: panel::axes(sweep),
            range,
            x_label: Box::new(|x| panel::x_text(sweep, x)),
            y_label: Box::new(move |y| if is_above { decimal(y as u32) } else { format!("{} %", y / 10_000) }),
        }
    }

    fn x(&self) -> Axis<'_> {
        Axis { range: self.range, name: self.names.0, label: &*self.x_label }
    }

    fn y(&self) -> Axis<'_> {
        Axis { range: (0, WHOLE), name: &self.names.1, label: &*self.y_label }
    }

    /// What the figure shows.
    fn label(&self) -> String {
        format!("{}, by {}", self.names.1, self.names.0)
    }
}
