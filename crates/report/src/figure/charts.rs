//! The charts of a run's results as figures.
//!
//! Depends on `view::results` and `draw::figure`. Invariants: they show what the panel of results shows;
//! for paper, curves are told apart by their dashes and by how dark they are.

use super::{Beside, frequencies, or_unnamed, switches};
use blockstep_draw::chart::{Curve, DEADLINE_DASHES, Panel, Plot};
use blockstep_draw::figure::{Chart, Line, Palette};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{Span, TaskId};
use blockstep_view::palette::Rgb;
use blockstep_view::panels::results::{task_colour, task_dashes};
use blockstep_view::quantity::format_count;
use blockstep_view::results::overlay::{self, NamedRun, Times};
use blockstep_view::results::spread::{Histogram, distribution};
use blockstep_view::results::{Results, task_label};

/// Tasks whose curves are drawn in one chart.
const MAX_CURVES: usize = 12;

/// A chart of a run's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// How the response times of the tasks' jobs are distributed.
    Responses,
    /// How the times of their blocks are distributed.
    BlockTimes,
    /// Threads over time of every process, or of every task where there is one process.
    InFlight,
    /// A histogram of switches that vary, as [LP] Fig. 1.
    Switches,
    /// The longest of them, as [LP] Fig. 2.
    LongestSwitches,
    /// Histograms of the response times of several tasks, as [EDF] Fig. 4.
    Histograms,
    /// A histogram of a task's response times, of which there are several.
    Histogram(TaskId),
    /// A task's threads over time.
    Threads(TaskId),
}

impl ChartKind {
    /// Every [`Self::key`], with `N` in place of the number of a task.
    pub const KEYS: [&'static str; 8] =
        ["responses", "blocks", "in-flight", "switches", "longest-switches", "histograms", "histogram-N", "threads-N"];

    /// Whether other runs can be drawn with it.
    #[must_use]
    pub fn has_several(self) -> bool {
        matches!(self, Self::Responses | Self::BlockTimes | Self::InFlight | Self::LongestSwitches | Self::Histograms)
    }

    /// Whether it is about switches that vary.
    #[must_use]
    pub fn is_of_switches(self) -> bool {
        matches!(self, Self::Switches | Self::LongestSwitches)
    }

    /// Its name in forms: `responses`, `blocks`, `in-flight`, `switches`, `longest-switches`, `histograms`,
    /// `histogram-0`, `threads-0`.
    #[must_use]
    pub fn key(self) -> String {
        match self {
            Self::Responses => "responses".to_owned(),
            Self::BlockTimes => "blocks".to_owned(),
            Self::InFlight => "in-flight".to_owned(),
            Self::Switches => "switches".to_owned(),
            Self::LongestSwitches => "longest-switches".to_owned(),
            Self::Histograms => "histograms".to_owned(),
            Self::Histogram(task) => format!("histogram-{}", task.0),
            Self::Threads(task) => format!("threads-{}", task.0),
        }
    }

    /// What it is called.
    #[must_use]
    pub fn title(self, trace: &Trace) -> String {
        match self {
            Self::Responses => "response times".to_owned(),
            Self::BlockTimes => "block times".to_owned(),
            Self::InFlight => "threads in flight".to_owned(),
            Self::Switches => "switches as drawn".to_owned(),
            Self::LongestSwitches => "longest switches".to_owned(),
            Self::Histograms => "histograms of response times".to_owned(),
            Self::Histogram(task) => format!("response times of {}", task_label(trace, task)),
            Self::Threads(task) => format!("threads of {} over time", task_label(trace, task)),
        }
    }

    /// The charts of a run, with its results, that have something to show.
    #[must_use]
    pub fn with_data(trace: &Trace, results: &Results) -> Vec<Self> {
        let tasks = || results.tasks.iter().enumerate().map(|(i, task)| (TaskId::at(i), task));
        let mut kinds = Vec::new();
        kinds.extend(tasks().any(|(_, task)| !task.responses.is_empty()).then_some(Self::Responses));
        kinds.extend(tasks().any(|(_, task)| !task.block_times.is_empty()).then_some(Self::BlockTimes));
        kinds.extend(tasks().any(|(_, task)| !task.threads.points.is_empty()).then_some(Self::InFlight));
        if switches::vary(trace) {
            kinds.extend([Self::Switches, Self::LongestSwitches]);
        }
        kinds.extend(frequencies::has_some(trace, results).then_some(Self::Histograms));
        // One response time is a number, and no histogram.
        kinds.extend(tasks().filter(|(_, task)| task.responses.len() > 1).take(MAX_CURVES).map(|(id, _)| Self::Histogram(id)));
        kinds.extend(tasks().filter(|(_, task)| !task.threads.points.is_empty()).take(MAX_CURVES).map(|(id, _)| Self::Threads(id)));
        kinds
    }
}

/// A chart, if it has something to show.
pub(super) fn chart(trace: &Trace, results: &Results, kind: ChartKind, beside: &[Beside], palette: Palette) -> Option<Chart> {
    let task_of = |id: TaskId| results.tasks.get(id.index());
    let fill = |id: TaskId| if palette == Palette::Print { Rgb(0xb0, 0xb0, 0xb0) } else { task_colour(id, palette == Palette::Dark) };
    let deadline = |id: TaskId| trace.scenario().task(id).deadline.map(Span::ns);
    let first = NamedRun { name: or_unnamed(trace.scenario().name(), beside.len()), trace, results };
    let runs: Vec<NamedRun<'_>> =
        std::iter::once(first).chain(beside.iter().map(|b| NamedRun { name: &b.name, trace: &b.trace, results: &b.results })).collect();
    match kind {
        ChartKind::Responses => distributions(&runs, Times::Responses, palette),
        ChartKind::BlockTimes => distributions(&runs, Times::Blocks, palette),
        ChartKind::InFlight => {
            let panel = |of: overlay::Threads<'_>| Panel {
                name: of.name,
                levels: of.levels.clone(),
                limit: of.limit,
                colour: fill(TaskId::at(of.place)),
            };
            let panels: Vec<Panel> = overlay::threads(&runs).into_iter().take(MAX_CURVES).map(panel).collect();
            let limit = panels.iter().map(|panel| panel.limit).max()?;
            let name = format!("threads that the device has, {}", format_count(limit));
            let line = Line { colour: palette.theme().ink, dashes: DEADLINE_DASHES, name, is_thin: true };
            Some(Chart { plot: Plot::Panels { panels, end: overlay::end(&runs) }, lines: vec![line] })
        }
        ChartKind::Switches => switches::histogram(trace, fill(TaskId(0)), palette),
        ChartKind::LongestSwitches => switches::longest(&runs, palette),
        ChartKind::Histograms => frequencies::chart(&runs, palette),
        ChartKind::Histogram(id) => {
            let bins = Histogram::new(&task_of(id)?.responses)?;
            Some(Chart { plot: Plot::Histogram { bins, deadline: deadline(id), colour: fill(id) }, lines: Vec::new() })
        }
        ChartKind::Threads(id) => {
            let levels = &task_of(id)?.threads;
            let device = trace.scenario().device();
            let limit = device.sms.saturating_mul(device.threads_per_sm);
            let plot = Plot::Levels { levels: levels.clone(), end: results.end, limit, colour: fill(id) };
            (!levels.points.is_empty()).then_some(Chart { plot, lines: Vec::new() })
        }
    }
}

/// The distributions of all runs' tasks in one plot.
fn distributions(runs: &[NamedRun<'_>], times: Times, palette: Palette) -> Option<Chart> {
    let series = overlay::series(runs, times);
    let shown = &series[..series.len().min(MAX_CURVES)];
    let greatest = shown.iter().filter_map(|series| series.sorted.last()).max()?.ns();
    let curve = |series: &overlay::Series<'_>| Curve {
        colour: curve_colour(TaskId::at(series.place), palette),
        dashes: task_dashes(TaskId::at(series.place)),
        points: distribution(series.sorted),
        // One far beyond all that happened would leave no room for that.
        deadline: series.deadline.map(Span::ns).filter(|&at| at / 2 <= greatest),
    };
    let curves: Vec<Curve> = shown.iter().map(curve).collect();
    let line = |(curve, series): (&Curve, &overlay::Series<'_>)| Line {
        colour: curve.colour,
        dashes: curve.dashes,
        name: series.name.clone(),
        is_thin: false,
    };
    let mut lines: Vec<Line> = curves.iter().zip(shown).map(line).collect();
    if curves.iter().any(|curve| curve.deadline.is_some()) {
        let colour = palette.theme().faint_ink;
        lines.push(Line { colour, dashes: DEADLINE_DASHES, name: "relative deadlines".to_owned(), is_thin: true });
    }
    Some(Chart { plot: Plot::Distributions(curves), lines })
}

pub(super) fn curve_colour(task: TaskId, palette: Palette) -> Rgb {
    const GREYS: [u8; 3] = [0x00, 0x60, 0x90];
    match palette {
        // Dashes repeat after five tasks.
        Palette::Print => {
            let grey = GREYS[task.index() / 5 % GREYS.len()];
            Rgb(grey, grey, grey)
        }
        _ => task_colour(task, palette == Palette::Dark),
    }
}
