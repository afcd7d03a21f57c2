//! The results panel: tasks, response times, where they went, use of the device, blocks, bounds.
//!
//! Depends on `view::results`, `markup` and the bounds of `analysis`; the charts are painted
//! elsewhere and handed in. Invariants: numbers are computed in `view::results`; whatever the run,
//! the HTML is bounded, and says what it leaves out; a jump is told by `data-go-time`, an instant in
//! ns, a number by which a table can be sorted by `data-value`, and what a button does by
//! `data-act`.

mod bound;
mod breakdown;
mod device;
mod spread;
mod tasks;

use crate::analysis::runlist_bound::{Inapplicable, RunlistBound};
use crate::record::Records;
use crate::trace::Trace;
use crate::units::{RowId, TaskId};
use crate::view::markup::Markup;
use crate::view::palette::{self, Rgb};
use crate::view::quantity::format_count;
use crate::view::results::Results;
use crate::view::results::overlay::Of;
use crate::view::results::unit::TimeUnit;

/// Tasks listed.
const MAX_TASKS: usize = 200;
/// Kernels whose breakdown is shown.
const MAX_KERNELS: usize = 200;
/// Tasks whose distributions are drawn.
pub const MAX_CHARTS: usize = 12;
/// SMs, engines and processes shown.
const MAX_METERS: usize = 32;
/// Misses listed of one task.
const MAX_MISSES: usize = 20;

/// Everything that the panel tells of.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The run.
    pub trace: &'a Trace,
    /// What it did.
    pub records: &'a Records,
    /// What it came to.
    pub results: &'a Results,
    /// This run, and those that its distributions are drawn with.
    pub runs: &'a [Of<'a>],
    /// By task; empty where the theorem is not about the policy.
    pub bounds: &'a [Result<RunlistBound, Inapplicable>],
    /// Whether the ground is dark.
    pub is_dark: bool,
}

/// The pictures, as SVG elements. Those by task are of the tasks of [`Subject::charted`].
#[derive(Clone, Debug, Default)]
pub struct Charts {
    /// The distributions of all tasks' response times; empty if no job completed.
    pub responses: String,
    /// A histogram of the response times for each task; empty for those without.
    pub histograms: Vec<String>,
    /// The distributions of the block times; empty if no block completed.
    pub blocks: String,
    /// The threads over time for each task; empty for those without.
    pub threads: Vec<String>,
    /// The threads over time of each process, below each other; empty with one process in every run.
    pub processes: String,
}

impl Subject<'_> {
    /// The tasks that charts are drawn of: the first of those that completed a job or a block.
    #[must_use]
    pub fn charted(&self) -> Vec<TaskId> {
        self.with_spread().take(MAX_CHARTS).collect()
    }

    fn with_spread(&self) -> impl Iterator<Item = TaskId> {
        let has_spread =
            |(_, task): &(usize, &crate::view::results::TaskResult)| !task.responses.is_empty() || !task.threads.points.is_empty();
        self.results.tasks.iter().enumerate().filter(has_spread).map(|(i, _)| TaskId::at(i))
    }

    fn label(&self, task: TaskId) -> String {
        crate::view::results::task_label(self.trace, task)
    }
}

/// A task's colour in charts.
#[must_use]
pub fn task_colour(task: TaskId, is_dark: bool) -> Rgb {
    palette::colour_of(RowId(task.0), is_dark)
}

/// A task's dashes in charts: pixels on and off in turn; none is a solid line.
#[must_use]
pub fn task_dashes(task: TaskId) -> &'static [i32] {
    const DASHES: [&[i32]; 5] = [&[], &[9, 4], &[3, 3], &[12, 3, 3, 3], &[6, 2]];
    DASHES[task.index() % DASHES.len()]
}

/// The whole panel.
#[must_use]
pub fn results(subject: &Subject<'_>, charts: &Charts) -> String {
    let mut html = Markup::new();
    html.open("div", &[("class", "res")]);
    if subject.results.is_cut {
        html.leaf("p", &[("class", "res-note res-cut")], "The run was cut short: these are the results of its beginning.");
    }
    html.open("p", &[]).leaf("button", &[("class", "small"), ("data-act", "results-csv")], "Save all of it as CSV").close();
    tasks::section(&mut html, subject);
    spread::responses(&mut html, subject, charts);
    breakdown::section(&mut html, subject);
    bound::section(&mut html, subject);
    device::section(&mut html, subject);
    spread::blocks(&mut html, subject, charts);
    html.finish()
}

/// A sentence that stands above the panel.
#[must_use]
pub fn notice(text: &str) -> String {
    let mut html = Markup::new();
    html.leaf("p", &[("class", "res-note res-cut")], text);
    html.finish()
}

/// Begins a section; the caller closes it.
fn open_section(html: &mut Markup, id: &str, title: &str) {
    html.open("section", &[("class", "res-section"), ("data-section", id)]).leaf("h3", &[], title);
}

pub(super) fn note(html: &mut Markup, text: &str) {
    html.leaf("p", &[("class", "res-note")], text);
}

/// What a list leaves out, if it does.
fn more(html: &mut Markup, total: usize, shown: usize) {
    if total > shown {
        note(html, &format!("and {} more; the CSV has all", format_count((total - shown) as u64)));
    }
}

/// Begins a table in a frame that it can be scrolled in, with its header; columns whose name begins
/// with a `#`, which is not shown, hold numbers. [`close_table`] ends it.
pub(super) fn open_table(html: &mut Markup, caption: &str, head: &[&str]) {
    html.open("div", &[("class", "res-scroll"), ("tabindex", "0"), ("role", "group"), ("aria-label", caption)]);
    html.open("table", &[("class", "res-table")]).leaf("caption", &[("class", "visually-hidden")], caption);
    html.open("thead", &[]).open("tr", &[]);
    for name in head {
        let class = if name.starts_with('#') { "num" } else { "" };
        html.leaf("th", &[("scope", "col"), ("class", class)], name.trim_start_matches('#'));
    }
    html.close().close().open("tbody", &[]);
}

pub(super) fn close_table(html: &mut Markup) {
    html.close().close().close();
}

/// A cell with a time in its column's unit, rounded; exactly where the pointer rests.
fn time_cell(html: &mut Markup, unit: TimeUnit, ns: Option<u128>) {
    match ns {
        Some(ns) => {
            let exact = format!("{} {}", unit.exact(ns), unit.name);
            html.leaf("td", &[("class", "num"), ("data-value", &ns.to_string()), ("title", &exact)], &unit.short(ns));
        }
        None => {
            html.leaf("td", &[("class", "num quiet")], "\u{2013}");
        }
    }
}

fn count_cell(html: &mut Markup, n: u64) {
    html.leaf("td", &[("class", "num"), ("data-value", &n.to_string())], &format_count(n));
}

/// Begins what is shown on demand; the caller closes it.
pub(super) fn open_details(html: &mut Markup, summary: &str) {
    html.open("details", &[("class", "res-details")]).leaf("summary", &[], summary);
}

/// A link to an instant of a job. Its name says of which task, as most tasks have a job 0.
fn jump(html: &mut Markup, ns: u64, (job, task): (u32, &str), title: &str) {
    let text = format!("job {job}");
    let name = format!("{text} of {task}: {title}");
    html.leaf("button", &[("class", "link"), ("data-go-time", &ns.to_string()), ("title", title), ("aria-label", &name)], &text);
}

/// `12.34%` of the width, from hundredths of a percent.
fn width(hundredths: u128) -> String {
    format!("width:{}.{:02}%", hundredths / 100, hundredths % 100)
}
