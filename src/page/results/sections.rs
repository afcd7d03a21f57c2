//! The parts of the panel of results.
//!
//! Invariant: what a part shows was computed with the values; here it only gets its elements.

use leptos::prelude::*;

use crate::components::{ChartFigure, JumpLink, Legend, Scrolled, SheetTable, sheet_cell, tone_class};
use blockstep_ui::safe;
use blockstep_view::panels::results::{
    Bar, BarPart, Blocks, Bounds, Breakdown, Device, Distribution, Limit, Meter, MeterGroup, Miss, Misses, PartLook, Responses, Swatch,
    TaskBound, TaskRow, Tasks, Without,
};
use blockstep_view::panels::sheet::{Figured, Sheet, heads};

#[component]
pub(super) fn TasksOf(tasks: Tasks) -> impl IntoView {
    let rows = tasks.rows.into_iter().map(task_row).collect_view();
    view! {
        <section class="res-section" data-section="tasks">
            <h3>"Tasks"</h3>
            <Scrolled caption="Tasks and their response times" head=tasks.head>{rows}</Scrolled>
            {tasks.more.map(note)}
            <p class="res-note">"The response time of a job is the time from its release to its completion. A task is \
     preempted when its process stops being resident while a kernel or copy of the task has started and is incomplete."</p>
        </section>
    }
}

fn task_row(row: TaskRow) -> impl IntoView {
    view! {
        <tr>
            <th scope="row">{safe(&row.name)}</th>
            <td>{safe(&row.process)}</td>
            {sheet_cell(&row.greatest)}
            <td>{row.slowest.map(|jump| view! { <JumpLink jump=jump /> })}</td>
            {sheet_cell(&row.mean)}
            {sheet_cell(&row.least)}
            {misses(row.misses)}
            {sheet_cell(&row.preemptions)}
            {sheet_cell(&row.released)}
            {sheet_cell(&row.completed)}
        </tr>
    }
}

fn misses(misses: Misses) -> AnyView {
    let (summary, jobs, more) = match misses {
        Misses::None(text) => return view! { <td class="quiet">{text}</td> }.into_any(),
        Misses::Some { summary, jobs, more } => (summary, jobs, more),
    };
    let job = |miss: Miss| view! { <li><JumpLink jump=miss.job /> " " {miss.late}</li> };
    view! {
        <td class="res-missed">
            <details class="res-details">
                <summary>{summary}</summary>
                <ul>{jobs.into_iter().map(job).collect_view()}</ul>
                {more.map(note)}
            </details>
        </td>
    }
    .into_any()
}

#[component]
pub(super) fn ResponsesOf(
    /// Response times, over all and task by task.
    responses: Responses,
) -> impl IntoView {
    view! {
        <section class="res-section" data-section="responses">
            <h3>"Response times"</h3>
            {responses.single.map(captioned)}
            {responses.times.map(distribution)}
            {responses.more.map(note)}
            {multiples(responses.histograms)}
            {responses.more_histograms.map(note)}
            {responses
                .percentiles
                .map(|percentiles| {
                    view! {
                        <details class="res-details">
                            <summary>"Data as tables"</summary>
                            {captioned(percentiles)}
                            {responses.bins.into_iter().map(captioned).collect_view()}
                        </details>
                    }
                })}
        </section>
    }
}

/// Blocks: their times, and their threads over time.
#[component]
pub(super) fn BlocksOf(
    /// Times of the blocks, and the threads of each task and process.
    blocks: Blocks,
) -> impl IntoView {
    let processes = blocks.processes.map(|processes| view! { <ChartFigure figure=processes.figure /> {processes.more.map(note)} });
    view! {
        <section class="res-section" data-section="blocks">
            <h3>"Blocks"</h3>
            {blocks.times.map(distribution)}
            {processes}
            {multiples(blocks.threads)}
            {note(blocks.note)}
            <details class="res-details">
                <summary>"Data as a table"</summary>
                {captioned(blocks.percentiles)}
                <SheetTable sheet=blocks.most />
            </details>
        </section>
    }
}

fn distribution(times: Distribution) -> impl IntoView {
    view! { <ChartFigure figure=times.figure /> <Legend strokes=times.legend /> }
}

/// Small charts beside each other.
fn multiples(figures: Vec<Figured>) -> impl IntoView {
    let each = |figure: Figured| view! { <ChartFigure figure=figure /> };
    view! { <div class="res-multiples">{figures.into_iter().map(each).collect_view()}</div> }
}

fn captioned(sheet: Sheet) -> impl IntoView {
    view! { <p class="res-caption">{safe(&sheet.caption)}</p> <SheetTable sheet=sheet /> }
}

fn note(text: String) -> impl IntoView {
    view! { <p class="res-note">{text}</p> }
}

/// Where the response times went.
#[component]
pub(super) fn BreakdownOf(
    /// A bar for each operation: what it waited for, and how long.
    breakdown: Breakdown,
) -> impl IntoView {
    let swatch = |swatch: &Swatch| {
        let class = format!("res-swatch {}", pattern(swatch.look));
        view! { <li><span class=class style=("--p", swatch.look.colour.css())></span>{swatch.label.clone()}</li> }
    };
    view! {
        <section class="res-section" data-section="breakdown">
            <h3>"Breakdown of response times"</h3>
            <ul class="res-legend">{breakdown.legend.iter().map(swatch).collect_view()}</ul>
            <ul class="res-bars">{breakdown.bars.into_iter().map(bar).collect_view()}</ul>
            {breakdown.more.map(note)}
            <p class="res-note">"Each bar is the mean over the jobs, from issue to completion or to the end of the run."</p>
            <details class="res-details">
                <summary>"Table of sums over the jobs"</summary>
                <SheetTable sheet=breakdown.table />
            </details>
        </section>
    }
}

fn bar(bar: Bar) -> impl IntoView {
    let part = |part: BarPart| {
        let (colour, length) = (part.look.colour.css(), length(part.length));
        view! { <span class=pattern(part.look) style=("--p", colour) style:width=length title=part.title></span> }
    };
    view! {
        <li>
            <span class="res-bar-name">{safe(&bar.name)}</span>
            <span class="res-bar">
                <span class="res-stack" style:width=length(bar.length) role="img" aria-label=safe(&bar.told)>
                    {bar.parts.into_iter().map(part).collect_view()}
                </span>
            </span>
            <span class="res-bar-sum">{bar.sum}</span>
        </li>
    }
}

fn pattern(look: PartLook) -> String {
    format!("res-p{}", look.pattern)
}

/// `12.34%` of the width, from hundredths of a percent.
fn length(hundredths: u32) -> String {
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// The bounds of [EDF] Theorem 1.
#[component]
pub(super) fn BoundsOf(
    /// Each task's bound with its terms, beside what was simulated.
    bounds: Bounds,
) -> impl IntoView {
    let without = |Without { summary, tasks }: Without| {
        let task = |(task, why): (String, String)| view! { <li><strong>{safe(&task)}</strong> " " {safe(&why)}</li> };
        view! {
            <details class="res-details">
                <summary>{summary}</summary>
                <ul class="res-list">{tasks.into_iter().map(task).collect_view()}</ul>
            </details>
        }
    };
    view! {
        <section class="res-section" data-section="bound">
            <h3>"Bound on the response time ([EDF] Theorem 1)"</h3>
            <p class="res-note">"The theorem covers a task that is alone in a process of the high level. Before each stay, \
     its job waits for one stay of every other high process and of one medium or low process. Equation (3) charges one switch for \
     each expiry of the job's own timeslice; the last line charges every switch."</p>
            {bounds.tasks.into_iter().map(task_bound).collect_view()}
            {bounds.without.map(without)}
            {bounds.more.map(note)}
        </section>
    }
}

fn task_bound(bound: TaskBound) -> impl IntoView {
    let term = |(name, value): (String, String)| view! { <div><dt>{name}</dt><dd>{safe(&value)}</dd></div> };
    let simulated = bound.simulated.map(|(said, job)| view! { <p class="res-note">{said} <JumpLink jump=job /></p> });
    let limit = |limit: Limit| {
        view! {
            <tr>
                <th scope="row">{limit.name}</th>
                <td class="num">{limit.at_most}</td>
                <td class=tone_class(limit.tone)>{limit.verdict}</td>
            </tr>
        }
    };
    let rows = bound.limits.into_iter().map(limit).collect_view();
    view! {
        <h4>{safe(&bound.task)}</h4>
        <dl class="res-terms">{bound.terms.into_iter().map(term).collect_view()}</dl>
        {simulated}
        <Scrolled caption=format!("Bounds of {}", bound.task) head=heads(&["Bound", "#at most", "simulated run"])>{rows}</Scrolled>
    }
}

#[component]
pub(super) fn DeviceOf(
    /// Meters of the device, its engines, its SMs and the processes.
    device: Device,
) -> impl IntoView {
    let group = |group: MeterGroup| {
        view! {
            <h4>{group.name}</h4>
            {group.meters.into_iter().map(meter).collect_view()}
            {group.more.map(note)}
        }
    };
    view! {
        <section class="res-section" data-section="device">
            <h3>"Device utilization"</h3>
            <div class="res-meters">{device.groups.into_iter().map(group).collect_view()}</div>
        </section>
    }
}

fn meter(meter: Meter) -> impl IntoView {
    view! {
        <div class="res-meter">
            <span class="res-meter-name">{safe(&meter.name)}</span>
            <span class="res-track" aria-hidden="true">
                <span style:width=length(meter.length)></span>
            </span>
            <span class="res-share">{meter.share}</span>
            <span class="quiet">{meter.remark}</span>
        </div>
    }
}
