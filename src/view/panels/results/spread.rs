//! Distributions: of response times, of block times, and threads over time; each with the same in
//! numbers.
//!
//! Depends on the rest of the panel. Invariant: a picture has a table beside it that says the same.

use super::{
    Charts, MAX_CHARTS, MAX_TASKS, Subject, close_table, count_cell, more, note, open_details, open_section, open_table, task_colour,
    task_dashes, time_cell,
};
use crate::units::TaskId;
use crate::view::markup::Markup;
use crate::view::quantity::format_count;
use crate::view::results::overlay::{self, Series, Times};
use crate::view::results::percentile;
use crate::view::results::spread::Histogram;
use crate::view::results::unit::TimeUnit;

/// Per cent of the jobs or blocks.
const PERCENTILES: [usize; 6] = [25, 50, 75, 90, 99, 100];

pub(super) fn responses(html: &mut Markup, subject: &Subject<'_>, charts: &Charts) {
    if charts.responses.is_empty() {
        return;
    }
    open_section(html, "responses", "Response times");
    let has_responses = |task: &TaskId| !subject.results.tasks[task.index()].responses.is_empty();
    let tasks: Vec<TaskId> = subject.charted().into_iter().filter(has_responses).collect();
    let has_deadline = tasks.iter().any(|&task| subject.trace.scenario().task(task).deadline.is_some());
    let lines = if has_deadline { " Upright lines are deadlines; in the histograms, bars beyond them are misses." } else { "" };
    figure(html, &format!("Share of the jobs completed within a time.{lines}"), &charts.responses);
    let series = overlay::series(subject.runs, Times::Responses);
    legend(html, subject, &series);
    more(html, series.len(), MAX_CHARTS);
    html.open("div", &[("class", "res-multiples")]);
    for (&task, chart) in subject.charted().iter().zip(&charts.histograms).filter(|(_, chart)| !chart.is_empty()) {
        figure(html, &format!("{}: jobs by response time", subject.label(task)), chart);
    }
    html.close();
    more(html, subject.with_spread().count(), MAX_CHARTS);
    open_details(html, "The same as tables");
    percentiles(html, "Response time", &series);
    for &task in &tasks {
        bins(html, subject, task);
    }
    html.close().close();
}

pub(super) fn blocks(html: &mut Markup, subject: &Subject<'_>, charts: &Charts) {
    if charts.threads.iter().all(String::is_empty) {
        return;
    }
    open_section(html, "blocks", "Blocks");
    let tasks = subject.charted();
    let series = overlay::series(subject.runs, Times::Blocks);
    if !charts.blocks.is_empty() {
        figure(html, "Share of the blocks that took no more than a time, from their start to their end.", &charts.blocks);
        legend(html, subject, &series);
    }
    if !charts.processes.is_empty() {
        figure(html, "Threads in flight of each process over time, as [TX2] Fig. 9 has them.", &charts.processes);
        more(html, subject.results.processes.len(), MAX_CHARTS);
    }
    html.open("div", &[("class", "res-multiples")]);
    for (&task, chart) in tasks.iter().zip(&charts.threads).filter(|(_, chart)| !chart.is_empty()) {
        figure(html, &format!("{}: threads over time", subject.label(task)), chart);
    }
    html.close();
    let device = subject.trace.scenario().device();
    let threads = u128::from(device.sms) * u128::from(device.threads_per_sm);
    note(
        html,
        &format!(
            "Threads of blocks that have started and not ended, as start and end times tell: a suspended block counts. \
             The dashed line is what the device has, {}.",
            format_count(u64::try_from(threads).unwrap_or(u64::MAX))
        ),
    );
    open_details(html, "The same as a table");
    percentiles(html, "Block time", &series);
    open_table(html, "Threads at once", &["Task or process", "#Most threads at once"]);
    for &task in &tasks {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &subject.label(task));
        count_cell(html, subject.results.tasks[task.index()].threads.greatest);
        html.close();
    }
    let processes = subject.trace.scenario().processes().iter().zip(&subject.results.processes);
    for (process, levels) in processes.take(MAX_CHARTS) {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &format!("all of {}", process.name));
        count_cell(html, levels.greatest);
        html.close();
    }
    close_table(html);
    html.close().close();
}

fn figure(html: &mut Markup, caption: &str, chart: &str) {
    html.open("figure", &[("class", "res-figure")]).leaf("figcaption", &[], caption).markup(chart).close();
}

/// A stroke of every curve's colour and dashes.
fn legend(html: &mut Markup, subject: &Subject<'_>, series: &[Series<'_>]) {
    html.open("ul", &[("class", "res-legend")]);
    for one in series.iter().take(MAX_CHARTS) {
        let task = TaskId::at(one.place);
        let colour = task_colour(task, subject.is_dark).css();
        let dashes = task_dashes(task).iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        html.open("li", &[]).open("svg", &[("width", "34"), ("height", "8"), ("aria-hidden", "true")]);
        let stroke = [("d", "M0 4H34"), ("stroke", &*colour), ("stroke-width", "3"), ("stroke-dasharray", &*dashes)];
        html.leaf("path", &stroke, "").close().text(&one.name).close();
    }
    html.close();
}

fn percentiles(html: &mut Markup, what: &str, series: &[Series<'_>]) {
    let shown = &series[..series.len().min(MAX_TASKS)];
    let greatest = shown.iter().filter_map(|one| one.sorted.last()).max().map_or(0, |time| time.ns());
    let unit = TimeUnit::for_greatest(greatest.into());
    let caption = format!("{what} ({}) that a share of them does not exceed", unit.name);
    let shares = PERCENTILES.map(|percent| format!("#{percent} %"));
    let mut head = vec![what, "#number", "#least"];
    head.extend(shares.iter().map(String::as_str));
    html.leaf("p", &[("class", "res-caption")], &caption);
    open_table(html, &caption, &head);
    for one in shown {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &one.name);
        count_cell(html, one.sorted.len() as u64);
        time_cell(html, unit, one.sorted.first().map(|time| time.ns().into()));
        for percent in PERCENTILES {
            time_cell(html, unit, percentile(one.sorted, percent).map(|time| time.ns().into()));
        }
        html.close();
    }
    close_table(html);
}

fn bins(html: &mut Markup, subject: &Subject<'_>, task: TaskId) {
    let Some(histogram) = Histogram::new(&subject.results.tasks[task.index()].responses) else { return };
    let unit = TimeUnit::for_greatest(histogram.end().into());
    let caption = format!("{}: jobs by response time", subject.label(task));
    html.leaf("p", &[("class", "res-caption")], &caption);
    open_table(html, &caption, &[&format!("#from ({})", unit.name), &format!("#to below ({})", unit.name), "#jobs"]);
    for (i, &count) in histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let from = u128::from(histogram.first) + u128::from(histogram.width) * i as u128;
        html.open("tr", &[]);
        time_cell(html, unit, Some(from));
        time_cell(html, unit, Some(from + u128::from(histogram.width)));
        count_cell(html, count);
        html.close();
    }
    close_table(html);
}
