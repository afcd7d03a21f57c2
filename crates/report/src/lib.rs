//! What leaves the program of a run or of a study: panels of results, tables, figures, slides, and what other languages read.
//!
//! Depends on the simulator, on `analysis`, `format`, `view` and `draw`. Invariant: nothing is computed or
//! worded here; this only brings view models, charts and bounds together.

pub mod columns;
mod csv;
pub mod figure;
pub mod poster;
pub mod slides;
pub mod stepper;
pub mod stops;
pub mod study;
pub mod verdicts;
mod waits;
pub mod why;

use std::fmt::Display;

use crate::figure::Beside;
use blockstep_analysis::runlist_bound;
use blockstep_draw::Theme;
use blockstep_draw::chart::panels::panels;
use blockstep_draw::chart::{self, Curve, Panel, Style};
use blockstep_sim::engine::{Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::units::{Span, TaskId};
use blockstep_view::panels::results::{self as panel, Charts, MAX_CHARTS, ResultsPanel, ResultsSubject};
use blockstep_view::panels::sheet::Chart;
use blockstep_view::results::overlay::{self, NamedRun, Series, Times};
use blockstep_view::results::spread::{Histogram, distribution};
use blockstep_view::results::{Results, task_label};

/// Steps that finding out how long the jobs take alone may cost, all together.
const ALONE: Limits = Limits { max_steps: 1_000_000 };

/// What the packages for other languages give of a run as a text, by the words of the command line's formats.
pub const FORMS: [&str; 9] = ["trace", "steps", "csv", "kernels", "jobs", "waits", "results", "chrome", "scenario"];

/// How the panel is to look.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The width that charts can take, px.
    pub width_px: u32,
}

/// The results panel of a run; `records` and `results` are the run's own. Its distributions and its threads over time are
/// drawn together with those of the runs beside it.
#[must_use]
pub fn results_panel(run: &Run, records: &Records, results: &Results, beside: &[Beside], options: Options) -> ResultsPanel {
    let bounds = runlist_bound::bounds(&run.trace, records, ALONE);
    let own = NamedRun { name: "this run", trace: &run.trace, results };
    let others = beside.iter().map(|b| NamedRun { name: &b.name, trace: &b.trace, results: &b.results });
    let runs: Vec<NamedRun<'_>> = std::iter::once(own).chain(others).collect();
    let subject = ResultsSubject { trace: &run.trace, records, results, runs: &runs, bounds: &bounds, is_dark: options.is_dark };
    panel::results(&subject, &charts(&subject, options))
}

/// The results of a run as comma-separated values: a row for each task, job, operation, kernel, and
/// figure of utilization or bound, and for each point of the charts of block times and of threads over time,
/// told apart by the column `section`.
#[must_use]
pub fn results_csv<'r>(run: &'r Run, records: &'r Records) -> impl Display + use<'r> {
    results_csv_of(&[("", run, records)])
}

/// The same of several runs: the first column, `run`, tells by name which a row is of.
#[must_use]
pub fn results_csv_of<'r>(runs: &[(&'r str, &'r Run, &'r Records)]) -> impl Display + use<'r> {
    let subject = |&(name, run, records): &(&'r str, &'r Run, &'r Records)| csv::CsvRun {
        name,
        trace: &run.trace,
        records,
        results: Results::new(run.replay(), records),
        bounds: runlist_bound::bounds(&run.trace, records, ALONE),
    };
    csv::write(runs.iter().map(subject).collect())
}

/// Every wait of a run as comma-separated values: what waited, why and by which rule, from when to when.
#[must_use]
pub fn waits_csv(run: &Run, records: &Records) -> impl Display {
    waits::write(&run.trace, run.replay(), records)
}

fn charts(subject: &ResultsSubject<'_>, options: Options) -> Charts {
    let theme = if options.is_dark { Theme::dark() } else { Theme::light() }.for_svg();
    let width = options.width_px.clamp(280, 1000);
    let columns = if width >= 840 {
        3
    } else if width >= 560 {
        2
    } else {
        1
    };
    let large = Style { theme: &theme, size: (width.min(760), 260) };
    let small = Style { theme: &theme, size: ((width - (columns - 1) * GAP_PX) / columns, 170) };
    let tasks = subject.charted();
    let of = |task: TaskId| &subject.results.tasks[task.index()];
    let label = |task: TaskId, what: &str| format!("{}: {what}", task_label(subject.trace, task));
    let colour = |task: TaskId| panel::task_colour(task, subject.is_dark);
    let deadline = |task: TaskId| subject.trace.scenario().task(task).deadline.map(Span::ns);
    let histogram = |&task: &TaskId| {
        let bins = Histogram::new(&of(task).responses)?;
        let label = label(task, "histogram of the response times");
        Some(Chart { svg: chart::histogram(&bins, deadline(task), colour(task), small, &label), label })
    };
    let device = subject.trace.scenario().device();
    let limit = device.sms.saturating_mul(device.threads_per_sm);
    let threads = |&task: &TaskId| {
        let levels = &of(task).threads;
        if levels.points.is_empty() {
            return None;
        }
        let label = label(task, "threads over time");
        Some(Chart { svg: chart::levels(levels, subject.results.end, limit, colour(task), small, &label), label })
    };
    Charts {
        responses: curves(subject, Times::Responses, large, "Distribution of the response times"),
        histograms: tasks.iter().map(histogram).collect(),
        blocks: curves(subject, Times::Blocks, large, "Distribution of the block times"),
        threads: tasks.iter().map(threads).collect(),
        processes: in_flight(subject, &theme, width.min(760)),
    }
}

/// The threads of each process below each other, where there are several; of a run with one process, those of each task.
fn in_flight(subject: &ResultsSubject<'_>, theme: &Theme, width: u32) -> Option<Chart> {
    if subject.runs.iter().all(|of| of.results.processes.is_empty()) {
        return None;
    }
    let panel = |of: overlay::Threads<'_>| Panel {
        name: of.name,
        levels: of.levels.clone(),
        limit: of.limit,
        colour: panel::task_colour(TaskId::at(of.place), subject.is_dark),
    };
    let all: Vec<Panel> = overlay::threads(subject.runs).into_iter().take(MAX_CHARTS).map(panel).collect();
    let style = Style { theme, size: (width, PANEL_PX * all.len() as u32) };
    let label = "Each process's threads in flight over time".to_owned();
    (!all.is_empty()).then(|| Chart { svg: panels(&all, overlay::end(subject.runs), style, &label), label })
}

/// Height of a process's threads over time.
const PANEL_PX: u32 = 130;

/// Between two charts beside each other, as the style sheet has it.
const GAP_PX: u32 = 14;

/// The distributions of the times of all tasks of all runs in one chart.
fn curves(subject: &ResultsSubject<'_>, times: Times, style: Style<'_>, label: &str) -> Option<Chart> {
    let series = overlay::series(subject.runs, times);
    let shown = &series[..series.len().min(MAX_CHARTS)];
    let greatest = shown.iter().filter_map(|series| series.sorted.last()).max().map_or(0, |span| span.ns());
    let curve = |series: &Series<'_>| Curve {
        colour: panel::task_colour(TaskId::at(series.place), subject.is_dark),
        dashes: panel::task_dashes(TaskId::at(series.place)),
        points: distribution(series.sorted),
        // One far beyond all that happened would leave no room for that.
        deadline: series.deadline.map(Span::ns).filter(|&deadline| deadline / 2 <= greatest),
    };
    let curves: Vec<Curve> = shown.iter().map(curve).collect();
    (!curves.is_empty()).then(|| Chart { svg: chart::distributions(&curves, style, label), label: label.to_owned() })
}
