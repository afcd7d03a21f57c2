//! Results of several runs, or of the tasks of one, for one picture.
//!
//! Depends on its parent. Invariants: the order is that of the runs, then of their tasks or processes; a name
//! says of which run something is wherever there are several. Source: [TX2] Fig. 9, threads over time of
//! two processes and of two tasks; Fig. 10, the distributions of their block times.

use super::spread::Levels;
use super::{Results, task_label};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{Span, TaskId, Time};

/// A run, with what it came to.
#[derive(Clone, Copy, Debug)]
pub struct NamedRun<'r> {
    /// What it is called.
    pub name: &'r str,
    /// The run.
    pub trace: &'r Trace,
    /// Its results.
    pub results: &'r Results,
}

/// Times that are distributed in some way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Response times of jobs.
    Responses,
    /// Times of blocks, from their start to their end.
    Blocks,
}

/// The times of a task.
#[derive(Clone, Debug)]
pub struct Series<'r> {
    /// The task, and the run if there are several.
    pub name: String,
    /// Its place among the tasks of all runs, which gives it a color.
    pub place: usize,
    /// Its times, ascending; not empty.
    pub sorted: &'r [Span],
    /// The deadline that response times are judged by.
    pub deadline: Option<Span>,
}

/// The times of every task that has any.
#[must_use]
pub fn series<'r>(runs: &[NamedRun<'r>], times: Times) -> Vec<Series<'r>> {
    let (mut all, mut first) = (Vec::new(), 0);
    for &of in runs {
        for (i, task) in of.results.tasks.iter().enumerate() {
            let (sorted, id) = (if times == Times::Responses { &task.responses } else { &task.block_times }, TaskId::at(i));
            if !sorted.is_empty() {
                let deadline = of.trace.scenario().task(id).deadline.filter(|_| times == Times::Responses);
                all.push(Series { name: named(task_label(of.trace, id), of, runs.len()), place: first + i, sorted, deadline });
            }
        }
        first += of.results.tasks.len();
    }
    all
}

/// Threads over time.
#[derive(Clone, Debug)]
pub struct Threads<'r> {
    /// The process or task, and the run if there are several.
    pub name: String,
    /// Its place among those of all runs, which gives it a color.
    pub place: usize,
    /// Its threads in flight: of blocks that have begun and not ended.
    pub levels: &'r Levels,
    /// How many the device has.
    pub limit: u64,
}

/// The threads of every process of runs with several, and of every task of the others.
#[must_use]
pub fn threads<'r>(runs: &[NamedRun<'r>]) -> Vec<Threads<'r>> {
    let (mut all, mut first) = (Vec::new(), 0);
    for &of in runs {
        let (scenario, results) = (of.trace.scenario(), of.results);
        let limit = scenario.device().sms.saturating_mul(scenario.device().threads_per_sm);
        let processes = results.processes.iter().zip(scenario.processes()).map(|(levels, process)| (process.name.clone(), levels));
        let tasks = results.tasks.iter().zip(scenario.tasks()).map(|(task, of)| (of.name.clone(), &task.threads));
        let both: Vec<(String, &Levels)> = if results.processes.is_empty() { tasks.collect() } else { processes.collect() };
        let count = both.len();
        let some = both.into_iter().enumerate().filter(|(_, (_, levels))| !levels.points.is_empty());
        all.extend(some.map(|(i, (name, levels))| Threads { name: named(name, of, runs.len()), place: first + i, levels, limit }));
        first += count;
    }
    all
}

/// The end of the longest.
#[must_use]
pub fn end(runs: &[NamedRun<'_>]) -> Time {
    runs.iter().map(|of| of.results.end).max().unwrap_or(Time::ZERO)
}

fn named(name: String, of: NamedRun<'_>, count: usize) -> String {
    if count > 1 && !of.name.is_empty() { format!("{name}, {}", of.name) } else { name }
}
