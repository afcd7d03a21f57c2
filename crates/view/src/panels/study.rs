//! Studies: the fields of the form, the figure with its legend, the same as a table, and task sets that fail.
//!
//! Depends on `palette` and what `analysis` counted; the chart is painted elsewhere and handed in. Invariant: a point of a curve
//! is told by its test and its utilization, by place, and a task set by its index.

use serde::{Deserialize, Serialize};

use super::sheet::{Chart, Sheet, SheetCell, SheetHead, Stroke, heads};
use crate::palette::{self, Rgb};
use crate::quantity::format_count;
use blockstep_analysis::Task;
use blockstep_analysis::curves::{Curve, Share, decimal};
use blockstep_analysis::sweep::{Figure, Sweep};
use blockstep_sim::language::capitalized;
use blockstep_sim::units::{RowId, TaskId};

/// A field of the form.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, as in links.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Its values and their names; a field without is typed into.
    pub choices: &'static [(&'static str, &'static str)],
    /// What an empty one means.
    pub empty: &'static str,
}

const fn typed(name: &'static str, title: &'static str) -> Field {
    Field { name, title, choices: &[], empty: "" }
}

const fn list(name: &'static str, title: &'static str) -> Field {
    Field { name, title, choices: &[], empty: "not tested" }
}

const fn pick(name: &'static str, title: &'static str, choices: &'static [(&'static str, &'static str)]) -> Field {
    Field { name, title, choices, empty: "" }
}

/// All fields, in order.
pub const FIELDS: &[Field] = &[
    typed("preset", "Study"),
    typed("tasks", "Tasks of a set"),
    pick("generator", "Shares of the tasks", &[("uunifast", "UUniFast"), ("published", "as published")]),
    typed("period_from", "Periods from, µs"),
    typed("period_to", "Periods to, µs"),
    typed("sets", "Sets per utilization"),
    typed("seed", "Seed"),
    typed("from", "Utilization from"),
    typed("to", "Utilization to"),
    typed("step", "Utilization step"),
    pick(
        "figure",
        "Curves",
        &[("utilisation", "share, by utilization"), ("parameter", "share, by parameter"), ("above", "utilization at a share")],
    ),
    typed("above", "Pass threshold"),
    list("thread", "Preemptive EDF: switch cost, µs"),
    list("block", "Limited-preemptive EDF: switch cost, µs"),
    typed("groups", "Limited-preemptive EDF: work-groups per SM"),
    list("none", "Non-preemptive EDF: switch cost, µs"),
    pick("blocking", "Blocking without preemption", &[("cost", "cost, as published"), ("cost_and_switches", "cost and switches")]),
    list("delay", "EDF with shorter deadlines: overhead, µs"),
    list("run", "EDF run: preemption cost, µs"),
    list("signals", "EDF run: signal to the RunList Manager, µs"),
    typed("run_us", "EDF runs: length, µs"),
    list("np_run", "Non-preemptive EDF run: switches, µs, such as 22, 80, 22-80"),
    list("slices", "Runlist run: timeslices, µs"),
    list("bound", "Theorem 1: timeslices, µs"),
    Field { name: "lower", title: "Timeslice of lower levels, µs", choices: &[], empty: "same as the others" },
    typed("runlist_switch", "Runlist: switch cost, µs"),
    pick(
        "charge",
        "Switches in Theorem 1",
        &[("every", "every switch: a bound"), ("expiries", "equation 3: own expiries only, not a bound"), ("both", "both")],
    ),
    pick(
        "run_charge",
        "Switches in the runlist run",
        &[("expiries", "where a timeslice expires with work left"), ("every", "every switch"), ("both", "both")],
    ),
];

/// A group of the form: its title and its first field; it ends where the next one begins.
pub const GROUPS: [(&str, &str); 3] =
    [("Task sets", "tasks"), ("Figure", "from"), ("Tests (times such as 0, 27, 44 or 100..1500/100)", "thread")];

/// The places in [`FIELDS`] of a group's fields.
#[must_use]
pub fn fields_of(group: usize) -> std::ops::Range<usize> {
    let place = |first: &str| FIELDS.iter().position(|f| f.name == first).unwrap_or(FIELDS.len());
    place(GROUPS[group].1)..GROUPS.get(group + 1).map_or(FIELDS.len(), |next| place(next.1))
}

/// A curve's color.
#[must_use]
pub fn colour(curve: usize, is_dark: bool) -> Rgb {
    palette::colour_of(RowId(curve as u32), is_dark)
}

/// A curve's dashes, as those of tasks.
#[must_use]
pub fn dashes(curve: usize) -> &'static [i32] {
    super::results::task_dashes(TaskId(curve as u32))
}

/// What the axes of a study's figure are called.
#[must_use]
pub fn axes(sweep: &Sweep) -> (&'static str, String) {
    let passes = || format!("sets that pass{}", sweep.length_of_runs());
    match sweep.figure {
        Figure::ByUtilisation => ("utilization", passes()),
        Figure::ByParameter => (parameter(sweep), passes()),
        Figure::Above(_) => (parameter(sweep), format!("utilization{}", sweep.length_of_runs())),
    }
}

fn parameter(sweep: &Sweep) -> &'static str {
    use blockstep_analysis::edf::Sections;
    use blockstep_analysis::sweep::Test;
    match sweep.tests.first() {
        Some(Test::Edf(edf)) if matches!(edf.sections, Sections::Groups(..)) => "work-groups per SM",
        Some(Test::Edf(_) | Test::SwitchRun(_)) => "switch, µs",
        Some(Test::SignalRun(_)) => "signal, µs",
        Some(Test::EdfDelay { .. } | Test::EdfRun(_)) => "overhead, µs",
        _ => "timeslice, µs",
    }
}

/// How an x of a study's figure is written.
#[must_use]
pub fn x_text(sweep: &Sweep, x: u64) -> String {
    match sweep.figure {
        Figure::ByUtilisation => decimal(u32::try_from(x).unwrap_or(u32::MAX)),
        _ => format_count(x),
    }
}

/// How a y is written, with its band: `99.12 % (99.05 to 99.18)`.
#[must_use]
pub fn y_text(sweep: &Sweep, y: &Share) -> String {
    match sweep.figure {
        Figure::Above(_) => format!("{} ({} to {})", decimal(y.share), decimal(y.least), decimal(y.most)),
        _ => format!("{} % ({} to {})", percent(y.share), percent(y.least), percent(y.most)),
    }
}

/// Millionths in percent with two decimals.
fn percent(millionths: u32) -> String {
    let hundredths = (millionths + 50) / 100;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// How much of a study was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// It goes on.
    Running,
    /// It waits.
    Paused,
    /// It was stopped in the middle.
    Cancelled,
    /// All of it.
    Whole,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CurvePoint {
    /// The test, by place in the study.
    pub test: u32,
    /// The utilization, by place in the study.
    pub point: u32,
}

/// All that is shown of a study's figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigurePanel {
    /// The study, and its seed.
    pub title: String,
    /// How much of it was counted, if that is not all.
    pub partial: Option<String>,
    /// What is to be seen.
    pub caption: String,
    /// The figure.
    pub picture: BandPicture,
    /// How many sets could not be drawn, in a sentence, if there are such.
    pub undrawn: Option<String>,
    /// Its curves.
    pub legend: Vec<Stroke>,
    /// The same as a table, if that was asked for.
    pub table: Option<BandTable>,
}

/// Curves with their bands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BandPicture {
    /// The curves and bands, to be drawn.
    pub chart: Chart,
    /// Width and height of the chart, px.
    pub size: (u32, u32),
    /// What can be clicked, curve by curve.
    pub marks: Vec<CurveMark>,
}

/// A point of a curve that can be clicked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurveMark {
    /// Where it is in the chart, px.
    pub at: (i32, i32),
    /// The curve's color.
    pub colour: Rgb,
    /// What it is, in words.
    pub title: String,
    /// The point of the curve.
    pub point: CurvePoint,
}

/// A study as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BandTable {
    /// What it holds.
    pub caption: String,
    /// Its columns: x, and a curve each.
    pub head: Vec<SheetHead>,
    /// By x: how that is written, and of each curve what stands there, if anything does.
    #[expect(clippy::type_complexity, reason = "it is named nowhere else")]
    pub rows: Vec<(String, Vec<Option<(String, CurvePoint)>>)>,
}

/// What was counted of a study.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'c> {
    /// The study.
    pub sweep: &'c Sweep,
    /// How far it is.
    pub progress: Progress,
    /// Sets counted.
    pub sets: u64,
    /// Sets that could not be drawn.
    pub undrawn: u64,
    /// The curves of the counts.
    pub curves: &'c [Curve],
}

/// The figure: what it shows, the chart, and its legend.
#[must_use]
pub fn figure(of: Counted<'_>, picture: BandPicture, is_dark: bool, has_table: bool) -> FigurePanel {
    let Counted { sweep, progress, sets, undrawn, curves } = of;
    let all = u128::from(sweep.sets) * u128::from(sweep.utilisation.count());
    let all = u64::try_from(all).unwrap_or(u64::MAX);
    let word = if progress == Progress::Cancelled { "partial" } else { "so far" };
    let what = match sweep.figure {
        Figure::ByUtilisation => "share of the task sets that pass each test, by utilization".to_owned(),
        Figure::ByParameter => format!("share of the task sets that pass, by {}, a curve for each utilization", parameter(sweep)),
        Figure::Above(t) => {
            format!("utilization up to which more than {} of the task sets pass, by {}", decimal(t * 1000), parameter(sweep))
        }
    };
    let stroke = |(i, curve): (usize, &Curve)| Stroke { name: curve.label.clone(), colour: colour(i, is_dark), dashes: dashes(i).to_vec() };
    let not_drawn = "could not be generated: the utilization is too low for this many tasks with these periods";
    FigurePanel {
        title: format!("{}, seed {}", sweep.name, sweep.recipe.seed),
        partial: (progress != Progress::Whole).then(|| format!("{word}, {} of {} sets", format_count(sets + undrawn), format_count(all))),
        caption: format!(
            "{}{}; bands are 95 % confidence intervals. Click a point to see sets that fail there.",
            capitalized(&what),
            sweep.length_of_runs()
        ),
        picture,
        undrawn: (undrawn > 0).then(|| format!("Sets that {not_drawn}: {}. They are not counted.", format_count(undrawn))),
        legend: curves.iter().enumerate().map(stroke).collect(),
        table: has_table.then(|| table(sweep, curves)),
    }
}

/// The same as a table.
fn table(sweep: &Sweep, curves: &[Curve]) -> BandTable {
    let (x, y) = axes(sweep);
    let labels: Vec<String> = curves.iter().map(|c| format!("#{}", c.label)).collect();
    let head: Vec<&str> = std::iter::once(x).chain(labels.iter().map(String::as_str)).collect();
    let mut xs: Vec<u64> = curves.iter().flat_map(|c| c.points.iter().map(|p| p.0)).collect();
    xs.sort_unstable();
    xs.dedup();
    let row = |at: u64| {
        let cell = |curve: &Curve| {
            let i = curve.points.iter().position(|p| p.0 == at)?;
            Some((y_text(sweep, &curve.points[i].1), point(curve, i)?))
        };
        (x_text(sweep, at), curves.iter().map(cell).collect())
    };
    BandTable { caption: format!("{y}, by {x}"), head: heads(&head), rows: xs.into_iter().map(row).collect() }
}

/// Which point of a curve the one at a place is.
#[must_use]
pub fn point(curve: &Curve, place: usize) -> Option<CurvePoint> {
    curve.sources.get(place).map(|&(test, point)| CurvePoint { test: test as u32, point: point as u32 })
}

/// Task sets that fail a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingPanel {
    /// Of which test and utilization they are.
    pub title: String,
    /// Where they fail.
    pub point: CurvePoint,
    /// The task sets that are listed.
    pub sets: Vec<FailingSet>,
    /// What is to be said of them, or why there are none.
    pub note: String,
}

/// A task set that fails a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingSet {
    /// Its index.
    pub index: u64,
    /// What it is called.
    pub name: String,
    /// Its tasks.
    pub tasks: Sheet,
}

/// Task sets that fail a test; `searched` sets were looked at.
#[must_use]
pub fn failing(test: &str, utilisation: u32, point: CurvePoint, searched: u64, sets: &[(u64, Vec<Task>)]) -> FailingPanel {
    let note = if sets.is_empty() {
        format!("All of the first {} sets pass this test here.", format_count(searched))
    } else {
        "C is the cost without overheads, T the period and deadline. q is the longest stretch that the test assumes to run without \
         preemption."
            .to_owned()
    };
    let set = |(index, set): &(u64, Vec<Task>)| {
        let mut tasks = Sheet::new(format!("Task set {index}, in µs"), &["Task", "#C, µs", "#T, µs", "#q, µs"]);
        for (i, task) in set.iter().enumerate() {
            tasks.push(Some(format!("t{i}")), [task.cost, task.period, task.section].map(SheetCell::count).to_vec());
        }
        FailingSet { index: *index, name: format!("Set {}", format_count(*index)), tasks }
    };
    FailingPanel {
        title: format!("Sets that fail: {test}, at a utilization of {}", decimal(utilisation)),
        point,
        sets: sets.iter().map(set).collect(),
        note,
    }
}
