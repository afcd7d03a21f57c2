//! Distributions: of response times, of block times, and threads over time; each with the same in numbers.
//!
//! Depends on the rest of the panel. Invariant: a picture has a table beside it that says the same.

use serde::{Deserialize, Serialize};

use super::{Charts, MAX_CHARTS, MAX_TASKS, ResultsSubject, more, task_colour, task_dashes};
use crate::panels::sheet::{Chart, Figured, Sheet, SheetCell, Stroke};
use crate::quantity::format_count;
use crate::results::overlay::{self, Series, Times};
use crate::results::percentile;
use crate::results::spread::Histogram;
use crate::results::unit::TimeUnit;
use blockstep_sim::units::TaskId;

/// Per cent of the jobs or blocks.
const PERCENTILES: [usize; 6] = [25, 50, 75, 90, 99, 100];

/// Distributions of times in one chart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    /// The chart.
    pub figure: Figured,
    /// Its curves.
    pub legend: Vec<Stroke>,
}

/// Distributions of the response times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Responses {
    /// Response times of tasks with a single job, which have no distribution; `None` if there is no such task.
    pub single: Option<Sheet>,
    /// Of all tasks; `None` if none has more than a single job.
    pub times: Option<Distribution>,
    /// How many curves are not drawn.
    pub more: Option<String>,
    /// A histogram for each task with more than a single job.
    pub histograms: Vec<Figured>,
    /// How many tasks have none.
    pub more_histograms: Option<String>,
    /// The distributions as a table; `None` without any.
    pub percentiles: Option<Sheet>,
    /// The histograms as tables.
    pub bins: Vec<Sheet>,
}

/// Blocks: their times, and their threads over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// Distributions of the block times; `None` if no block completed.
    pub times: Option<Distribution>,
    /// The threads of each process; `None` with one process in every run.
    pub processes: Option<ProcessThreads>,
    /// The threads of each task.
    pub threads: Vec<Figured>,
    /// How many threads the device has, in a sentence.
    pub note: String,
    /// The distributions as a table.
    pub percentiles: Sheet,
    /// The most threads of each task and process at once.
    pub most: Sheet,
}

/// Threads in flight of processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessThreads {
    /// The chart.
    pub figure: Figured,
    /// How many processes are not drawn.
    pub more: Option<String>,
}

pub(super) fn responses(subject: &ResultsSubject<'_>, charts: &Charts) -> Option<Responses> {
    let chart = charts.responses.as_ref()?;
    let tasks: Vec<TaskId> = subject.charted().into_iter().filter(|&task| has_several(subject, task)).collect();
    let has_deadline = tasks.iter().any(|&task| subject.trace.scenario().task(task).deadline.is_some());
    let lines = if has_deadline { " Vertical lines are deadlines; in the histograms, bars beyond them are misses." } else { "" };
    let series = overlay::series(subject.runs, Times::Responses);
    let is_single = |one: &&Series<'_>| one.sorted.len() == 1;
    let single: Vec<Series<'_>> = series.iter().filter(is_single).cloned().collect();
    let several: Vec<Series<'_>> = series.iter().filter(|one| !is_single(one)).cloned().collect();
    let has_chart = !several.is_empty();
    let histograms: Vec<Option<Chart>> = subject
        .charted()
        .into_iter()
        .zip(&charts.histograms)
        .map(|(task, chart)| chart.clone().filter(|_| has_several(subject, task)))
        .collect();
    Some(Responses {
        single: (!single.is_empty()).then(|| numbers(&single)),
        times: has_chart.then(|| Distribution {
            figure: figure(&format!("Share of jobs whose response time is at most a given time.{lines}"), chart),
            legend: legend(subject, &series),
        }),
        more: more(series.len(), MAX_CHARTS).filter(|_| has_chart),
        histograms: by_task(subject, &histograms, "jobs by response time"),
        more_histograms: more(subject.with_spread().filter(|&task| has_several(subject, task)).count(), MAX_CHARTS),
        percentiles: has_chart.then(|| percentiles("Response time", &several)),
        bins: tasks.iter().filter_map(|&task| bins(subject, task)).collect(),
    })
}

/// Whether more than a single job of a task completed.
fn has_several(subject: &ResultsSubject<'_>, task: TaskId) -> bool {
    subject.results.tasks[task.index()].responses.len() > 1
}

/// The one time of each.
fn numbers(single: &[Series<'_>]) -> Sheet {
    let shown = &single[..single.len().min(MAX_TASKS)];
    let greatest = shown.iter().filter_map(|one| one.sorted.last()).max().map_or(0, |time| time.ns());
    let unit = TimeUnit::for_greatest(greatest.into());
    let head = ["Task".to_owned(), format!("#Response time ({})", unit.name)];
    let mut sheet = Sheet::new("Tasks with a single job", &head.each_ref().map(String::as_str));
    for one in shown {
        sheet.push(Some(one.name.clone()), vec![SheetCell::time(unit, one.sorted.first().map(|time| time.ns().into()))]);
    }
    sheet
}

pub(super) fn blocks(subject: &ResultsSubject<'_>, charts: &Charts) -> Option<Blocks> {
    if charts.threads.iter().all(Option::is_none) {
        return None;
    }
    let series = overlay::series(subject.runs, Times::Blocks);
    let times = charts.blocks.as_ref().map(|chart| Distribution {
        figure: figure("Share of blocks whose block time, from start to end, is at most a given time.", chart),
        legend: legend(subject, &series),
    });
    let processes = charts.processes.as_ref().map(|chart| ProcessThreads {
        figure: figure("Each process's threads in flight over time, as in [TX2] Fig. 9.", chart),
        more: more(subject.results.processes.len(), MAX_CHARTS),
    });
    let device = subject.trace.scenario().device();
    let threads = u128::from(device.sms) * u128::from(device.threads_per_sm);
    Some(Blocks {
        times,
        processes,
        threads: by_task(subject, &charts.threads, "threads over time"),
        note: format!(
            "Threads of blocks that have started and not ended, computed from start and end times. Suspended blocks are included. The dashed \
             line is the number of threads that the device has, {}.",
            format_count(u64::try_from(threads).unwrap_or(u64::MAX))
        ),
        percentiles: percentiles("Block time", &series),
        most: most(subject),
    })
}

fn most(subject: &ResultsSubject<'_>) -> Sheet {
    let mut sheet = Sheet::new("Threads at once", &["Task or process", "#Most threads at once"]);
    for task in subject.charted() {
        sheet.push(Some(subject.label(task)), vec![SheetCell::count(subject.results.tasks[task.index()].threads.greatest)]);
    }
    let processes = subject.trace.scenario().processes().iter().zip(&subject.results.processes);
    for (process, levels) in processes.take(MAX_CHARTS) {
        sheet.push(Some(format!("all of {}", process.name)), vec![SheetCell::count(levels.greatest)]);
    }
    sheet
}

fn figure(caption: &str, chart: &Chart) -> Figured {
    Figured { caption: caption.to_owned(), chart: chart.clone() }
}

/// The charts of the tasks that have one.
fn by_task(subject: &ResultsSubject<'_>, charts: &[Option<Chart>], what: &str) -> Vec<Figured> {
    let of_task = |(task, chart): (TaskId, &Option<Chart>)| Some(figure(&format!("{}: {what}", subject.label(task)), chart.as_ref()?));
    subject.charted().into_iter().zip(charts).filter_map(of_task).collect()
}

/// A stroke of every curve's color and dashes.
fn legend(subject: &ResultsSubject<'_>, series: &[Series<'_>]) -> Vec<Stroke> {
    let stroke = |one: &Series<'_>| {
        let task = TaskId::at(one.place);
        Stroke { name: one.name.clone(), colour: task_colour(task, subject.is_dark), dashes: task_dashes(task).to_vec() }
    };
    series.iter().take(MAX_CHARTS).map(stroke).collect()
}

fn percentiles(what: &str, series: &[Series<'_>]) -> Sheet {
    let shown = &series[..series.len().min(MAX_TASKS)];
    let greatest = shown.iter().filter_map(|one| one.sorted.last()).max().map_or(0, |time| time.ns());
    let unit = TimeUnit::for_greatest(greatest.into());
    let shares = PERCENTILES.map(|percent| format!("#{percent} %"));
    let mut head = vec![what, "#number", "#min"];
    head.extend(shares.iter().map(String::as_str));
    let mut sheet = Sheet::new(format!("{what} ({}): percentiles", unit.name), &head);
    for one in shown {
        let mut cells =
            vec![SheetCell::count(one.sorted.len() as u64), SheetCell::time(unit, one.sorted.first().map(|time| time.ns().into()))];
        cells.extend(PERCENTILES.map(|percent| SheetCell::time(unit, percentile(one.sorted, percent).map(|time| time.ns().into()))));
        sheet.push(Some(one.name.clone()), cells);
    }
    sheet
}

fn bins(subject: &ResultsSubject<'_>, task: TaskId) -> Option<Sheet> {
    let histogram = Histogram::new(&subject.results.tasks[task.index()].responses)?;
    let unit = TimeUnit::for_greatest(histogram.end().into());
    let head = [format!("#from ({})", unit.name), format!("#to below ({})", unit.name), "#jobs".to_owned()];
    let mut sheet = Sheet::new(format!("{}: jobs by response time", subject.label(task)), &head.each_ref().map(String::as_str));
    for (i, &count) in histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let from = u128::from(histogram.first) + u128::from(histogram.width) * i as u128;
        let ends = [from, from + u128::from(histogram.width)].map(|at| SheetCell::time(unit, Some(at)));
        sheet.push(None, ends.into_iter().chain([SheetCell::count(count)]).collect());
    }
    Some(sheet)
}
