//! Response times of several tasks as histograms, with those above the shortest deadline magnified: [EDF] Fig. 4.
//!
//! Depends on `view::results` and `draw::figure`. Invariants: all runs have the same classes; shares are of all response times of a
//! task; tasks of one name have one color in all runs, and each is in the legend; a task that is left out is named.

use blockstep_draw::chart::frequencies::{Frequencies, FrequencyRow};
use blockstep_draw::chart::{DEADLINE_DASHES, Plot};
use blockstep_draw::figure::{Chart, Line, Palette};
use blockstep_sim::scenario::Class;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{Span, TaskId};
use blockstep_view::palette::Rgb;
use blockstep_view::panels::results::task_colour;
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::results::overlay::NamedRun;
use blockstep_view::results::spread::class_width;
use blockstep_view::results::{Results, task_label};

/// Tasks that have bars.
const MAX_TASKS: usize = 5;
/// Classes of all times, and of the magnified ones, at most.
const CLASSES: u64 = 24;
const MAGNIFIED: u64 = 16;
/// The whole of a task's times.
const WHOLE: u64 = 10_000;

/// Whether there are histograms to be drawn beside each other.
pub(super) fn has_some(trace: &Trace, results: &Results) -> bool {
    shown(trace, results).iter().filter(|&&task| results.tasks[task.index()].responses.len() > 1).count() > 1
}

/// The tasks with bars: the first ones with response times. Best effort that another task consumes is a part of that one's work.
fn shown(trace: &Trace, results: &Results) -> Vec<TaskId> {
    let with_some = (0..results.tasks.len()).filter(|&i| !results.tasks[i].responses.is_empty()).map(TaskId::at);
    with_some.filter(|&task| !serves(trace, task)).take(MAX_TASKS).collect()
}

fn serves(trace: &Trace, task: TaskId) -> bool {
    let scenario = trace.scenario();
    scenario.task(task).class == Class::BestEffort && scenario.tasks().iter().any(|other| other.consumes.contains(&task))
}

/// The name of a task, which is short; with its process where two tasks have one name.
fn name_of(trace: &Trace, task: TaskId) -> String {
    let (tasks, name) = (trace.scenario().tasks(), &trace.scenario().task(task).name);
    if tasks.iter().filter(|other| other.name == *name).count() == 1 { name.clone() } else { task_label(trace, task) }
}

pub(super) fn chart(runs: &[NamedRun<'_>], palette: Palette) -> Option<Chart> {
    let first = runs.first()?;
    let scenario = first.trace.scenario();
    let tasks: Vec<Vec<TaskId>> = runs.iter().map(|run| shown(run.trace, run.results)).collect();
    let responses =
        |run: &NamedRun<'_>, task: TaskId| -> Vec<u64> { run.results.tasks[task.index()].responses.iter().map(|span| span.ns()).collect() };
    let is_real_time = |run: &NamedRun<'_>, task: TaskId| run.trace.scenario().task(task).class == Class::RealTime;
    let limit =
        tasks[0].iter().filter(|&&task| is_real_time(first, task)).filter_map(|&task| scenario.task(task).deadline).min().map(Span::ns);
    let of_runs = || runs.iter().zip(&tasks).flat_map(|(run, tasks)| tasks.iter().map(move |&task| (run, task)));
    let greatest = of_runs().filter_map(|(run, task)| run.results.tasks[task.index()].responses.last()).max()?.ns();
    let greatest_real_time = of_runs()
        .filter(|(run, task)| is_real_time(run, *task))
        .filter_map(|(run, task)| run.results.tasks[task.index()].responses.last())
        .max()
        .map_or(0, |span| span.ns());
    let width = class_width(greatest, CLASSES);
    let whole = Classes { from: 0, width, count: greatest / width + 1 };
    // Above the deadline is late, at it is not.
    let magnified = limit.filter(|&limit| greatest_real_time > limit).map(|limit| {
        let width = class_width(greatest_real_time - limit, MAGNIFIED);
        Classes { from: limit, width, count: (greatest_real_time - limit).div_ceil(width) }
    });
    let mut names: Vec<String> = Vec::new();
    for name in of_runs().map(|(run, task)| name_of(run.trace, task)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let colour_of = |run: &NamedRun<'_>, task: TaskId| {
        let name = name_of(run.trace, task);
        colour(names.iter().position(|other| *other == name).unwrap_or(0), palette)
    };
    let mut rows: Vec<FrequencyRow> = Vec::new();
    for (run, tasks) in runs.iter().zip(&tasks) {
        let bars = tasks.iter().map(|&task| (colour_of(run, task), whole.shares(&responses(run, task)))).collect();
        let of_whole = Frequencies { name: run.name.to_owned(), from: 0, width, limit, top: 0, bars };
        let of_magnified = magnified.as_ref().map(|classes| {
            let urgent: Vec<TaskId> = tasks.iter().copied().filter(|&task| is_real_time(run, task)).collect();
            let bars = urgent.iter().map(|&task| (colour_of(run, task), classes.shares(&responses(run, task)))).collect();
            let above = |&task: &TaskId| {
                let all = responses(run, task);
                let above = all.iter().filter(|&&ns| ns > classes.from).count() as u64;
                format!("{} {} of {}", name_of(run.trace, task), format_count(above), format_count(all.len() as u64))
            };
            let name = format!("Above {}: {}", format_time(classes.from), urgent.iter().map(above).collect::<Vec<_>>().join(", "));
            Frequencies { name, from: classes.from, width: classes.width, limit: None, top: 0, bars }
        });
        rows.push(FrequencyRow { whole: of_whole, magnified: of_magnified });
    }
    level(rows.iter_mut().map(|row| &mut row.whole));
    level(rows.iter_mut().filter_map(|row| row.magnified.as_mut()));
    let theme = palette.theme();
    let line = |colour, name: String| Line { colour, dashes: &[], name, is_thin: false };
    let mut lines: Vec<Line> = names.iter().enumerate().map(|(i, name)| line(colour(i, palette), name.clone())).collect();
    if let Some(limit) = limit {
        let name = format!("the shortest deadline, {}", format_time(limit));
        lines.push(Line { colour: theme.cursor, dashes: DEADLINE_DASHES, name, is_thin: true });
    }
    let left_out = (0..scenario.tasks().len()).map(TaskId::at).filter(|&task| serves(first.trace, task));
    for task in left_out {
        let of = scenario.tasks().iter().filter(|other| other.consumes.contains(&task)).map(|other| other.name.as_str());
        let name = format!("without {}, which works for {}", name_of(first.trace, task), of.collect::<Vec<_>>().join(", "));
        lines.push(Line { colour: theme.ground, dashes: &[], name, is_thin: true });
    }
    Some(Chart { plot: Plot::Frequencies(rows), lines })
}

/// The same axis for all, a tenth above the tallest bar.
fn level<'f>(parts: impl Iterator<Item = &'f mut Frequencies>) {
    let parts: Vec<&mut Frequencies> = parts.collect();
    let tallest = parts.iter().flat_map(|part| &part.bars).flat_map(|(_, shares)| shares).copied().max().unwrap_or(0);
    for part in parts {
        part.top = (tallest + tallest.div_ceil(10)).clamp(1, WHOLE);
    }
}

/// Classes of times of one width; the first one begins above `from`, or at 0.
struct Classes {
    from: u64,
    width: u64,
    count: u64,
}

impl Classes {
    /// What part of all times is in each class, in ten-thousandths.
    fn shares(&self, times: &[u64]) -> Vec<u64> {
        let mut counts = vec![0_u64; usize::try_from(self.count).unwrap_or(0)];
        for &ns in times {
            let place = if self.from == 0 { Some(ns / self.width) } else { ns.checked_sub(self.from + 1).map(|above| above / self.width) };
            if let Some(count) = place.and_then(|place| counts.get_mut(usize::try_from(place).ok()?)) {
                *count += 1;
            }
        }
        // The smallest share can be seen.
        counts.iter().map(|count| (count * WHOLE).div_ceil(times.len().max(1) as u64)).collect()
    }
}

/// The color of a task's bars by the place of its name among those with bars, as neighbors have to be told apart; on paper a gray.
fn colour(place: usize, palette: Palette) -> Rgb {
    const GREYS: [u8; MAX_TASKS] = [0x00, 0xa0, 0x58, 0xc8, 0x78];
    match palette {
        Palette::Print => {
            let grey = GREYS[place % GREYS.len()];
            Rgb(grey, grey, grey)
        }
        _ => task_colour(TaskId::at(place), palette == Palette::Dark),
    }
}
