//! Studies as HTML: the form, the figure with its legend, the same as a table, and task sets that fail.
//!
//! Depends on `markup`, `palette` and what `analysis` counted; the chart is painted elsewhere and handed
//! in. Invariants: what a field holds is written as it is; a point of a curve is told by
//! `data-point` (test and point, by place), a task set by `data-set` (and its index).

use crate::analysis::Task;
use crate::analysis::curves::{Curve, Share, decimal};
use crate::analysis::presets;
use crate::analysis::sweep::{Figure, Sweep};
use crate::units::RowId;
use crate::view::markup::Markup;
use crate::view::palette::{self, Rgb};
use crate::view::quantity::format_count;

/// A field of the form.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, as in links.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Its values and their names; a field without is typed into.
    choices: &'static [(&'static str, &'static str)],
    /// What an empty one means.
    empty: &'static str,
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
    typed("sets", "Sets per utilisation"),
    typed("seed", "Seed"),
    typed("from", "Utilisation from"),
    typed("to", "Utilisation to"),
    typed("step", "Utilisation step"),
    pick(
        "figure",
        "Curves",
        &[("utilisation", "share, by utilisation"), ("parameter", "share, by parameter"), ("above", "utilisation at a share")],
    ),
    typed("above", "That share"),
    list("thread", "Preemptive EDF: switch, µs"),
    list("block", "Limited-preemptive: switch, µs"),
    typed("groups", "Its work-groups per SM"),
    list("none", "Non-preemptive: switch, µs"),
    pick("blocking", "Blocking without preemption", &[("cost", "cost, as published"), ("cost_and_switches", "cost and switches")]),
    list("delay", "EDF, deadlines sooner by, µs"),
    list("run", "EDF run: a preemption, µs"),
    typed("run_us", "Length of that run, µs"),
    list("slices", "Runlist run: timeslices, µs"),
    list("bound", "Theorem 1: timeslices, µs"),
    Field { name: "lower", title: "Timeslice of lower levels, µs", choices: &[], empty: "as the others" },
    typed("runlist_switch", "Runlist: a switch, µs"),
    pick(
        "charge",
        "Switches in Theorem 1",
        &[("every", "every one: a bound"), ("expiries", "equation 3: own expiries only, no bound"), ("both", "both")],
    ),
    pick(
        "run_charge",
        "Switches in the runlist run",
        &[("expiries", "where a timeslice expires with work left"), ("every", "every one"), ("both", "both")],
    ),
];

/// The groups of the form: title and first field.
const GROUPS: [(&str, &str); 3] = [("Task sets", "tasks"), ("Figure", "from"), ("Tests (times as 0, 27, 44 or 100..1500/100)", "thread")];

/// The form with these texts.
#[must_use]
pub fn form(text: &dyn Fn(&str) -> String) -> String {
    let mut html = Markup::new();
    let preset = text("preset");
    html.open("div", &[("class", "study-pick top-field")]).leaf("label", &[("for", "sf-preset")], "Study");
    html.open("select", &[("id", "sf-preset"), ("name", "preset"), ("aria-describedby", "sf-preset-error")]);
    for known in presets::ALL {
        html.option(known.id, known.title, known.id == preset);
    }
    html.close();
    error_of(&mut html, "preset");
    html.close();
    for (i, (title, first)) in GROUPS.iter().enumerate() {
        let place = |name: &str| FIELDS.iter().position(|f| f.name == name).unwrap_or(FIELDS.len());
        let end = GROUPS.get(i + 1).map_or(FIELDS.len(), |next| place(next.1));
        html.open("fieldset", &[]).leaf("legend", &[], title).raw("<div class=study-fields>");
        FIELDS[place(first)..end].iter().for_each(|field| of_field(&mut html, field, &text(field.name)));
        html.raw("</div>").close();
    }
    html.finish()
}

fn of_field(html: &mut Markup, field: &Field, text: &str) {
    let (id, error) = (format!("sf-{}", field.name), format!("sf-{}-error", field.name));
    html.open("div", &[("class", "top-field")]).leaf("label", &[("for", &id)], field.title);
    let same = [("id", &*id), ("name", field.name), ("aria-describedby", &*error)];
    if field.choices.is_empty() {
        let typed = [("type", "text"), ("autocomplete", "off"), ("spellcheck", "false"), ("placeholder", field.empty), ("value", text)];
        html.single("input", &[&same[..], &typed].concat());
    } else {
        html.open("select", &same);
        for (word, name) in field.choices {
            html.option(word, name, *word == text);
        }
        html.close();
    }
    error_of(html, field.name);
    html.close();
}

fn error_of(html: &mut Markup, name: &str) {
    html.leaf("span", &[("class", "field-error"), ("id", &format!("sf-{name}-error")), ("role", "alert")], "");
}

/// A curve's colour.
#[must_use]
pub fn colour(curve: usize, is_dark: bool) -> Rgb {
    palette::colour_of(RowId(curve as u32), is_dark)
}

/// A curve's dashes, as those of tasks.
#[must_use]
pub fn dashes(curve: usize) -> &'static [i32] {
    super::results::task_dashes(crate::units::TaskId(curve as u32))
}

/// What the axes of a study's figure are called.
#[must_use]
pub fn axes(sweep: &Sweep) -> (&'static str, &'static str) {
    match sweep.figure {
        Figure::ByUtilisation => ("utilisation", "sets that pass"),
        Figure::ByParameter => (parameter(sweep), "sets that pass"),
        Figure::Above(_) => (parameter(sweep), "utilisation"),
    }
}

fn parameter(sweep: &Sweep) -> &'static str {
    use crate::analysis::edf::Sections;
    use crate::analysis::sweep::Test;
    match sweep.tests.first() {
        Some(Test::Edf(edf)) if matches!(edf.sections, Sections::Groups(..)) => "work-groups per SM",
        Some(Test::Edf(_)) => "switch, µs",
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Progress {
    /// As the page says it.
    #[must_use]
    pub fn of(word: &str) -> Self {
        match word {
            "running" => Self::Running,
            "paused" => Self::Paused,
            "cancelled" => Self::Cancelled,
            _ => Self::Whole,
        }
    }
}

/// The figure: what it shows, the chart, and its legend.
#[must_use]
pub fn figure(sweep: &Sweep, progress: Progress, sets: u64, undrawn: u64, curves: &[Curve], chart: &str, is_dark: bool) -> String {
    let mut html = Markup::new();
    let all = u128::from(sweep.sets) * u128::from(sweep.utilisation.count());
    let all = u64::try_from(all).unwrap_or(u64::MAX);
    html.open("figure", &[("class", "res-figure")]).open("figcaption", &[]);
    html.text(&format!("{}, seed {}: ", sweep.name, sweep.recipe.seed));
    if progress != Progress::Whole {
        let word = if progress == Progress::Cancelled { "partial" } else { "so far" };
        html.leaf(
            "strong",
            &[("class", "study-partial")],
            &format!("{word}, {} of {} sets", format_count(sets + undrawn), format_count(all)),
        );
        html.text(". ");
    }
    let what = match sweep.figure {
        Figure::ByUtilisation => "share of the task sets that pass each test, by utilisation".to_owned(),
        Figure::ByParameter => format!("share of the task sets that pass, by {}, a curve for each utilisation", parameter(sweep)),
        Figure::Above(t) => {
            format!("utilisation up to which more than {} of the task sets pass, by {}", decimal(t * 1000), parameter(sweep))
        }
    };
    html.text(&what).text("; bands are 95 % confidence intervals. Click a point for sets that fail there.").close();
    html.markup(chart).close();
    if undrawn > 0 {
        let what = "could not be drawn: too little utilisation for so many tasks with such periods";
        html.leaf("p", &[("class", "res-note")], &format!("{} sets {what}. They are not counted.", format_count(undrawn)));
    }
    html.open("ul", &[("class", "res-legend")]);
    for (i, curve) in curves.iter().enumerate() {
        let dashes = dashes(i).iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        html.open("li", &[]).open("svg", &[("width", "34"), ("height", "8"), ("aria-hidden", "true")]);
        let stroke = [("d", "M0 4H34"), ("stroke", &*colour(i, is_dark).css()), ("stroke-width", "3"), ("stroke-dasharray", &*dashes)];
        html.leaf("path", &stroke, "").close().text(&curve.label).close();
    }
    html.finish()
}

/// The same as a table; a number opens sets that fail there.
#[must_use]
pub fn table(sweep: &Sweep, curves: &[Curve]) -> String {
    let mut html = Markup::new();
    let (x, y) = axes(sweep);
    let head: Vec<String> = std::iter::once(x.to_owned()).chain(curves.iter().map(|c| format!("#{}", c.label))).collect();
    super::results::open_table(&mut html, &format!("{y}, by {x}"), &head.iter().map(String::as_str).collect::<Vec<_>>());
    let mut xs: Vec<u64> = curves.iter().flat_map(|c| c.points.iter().map(|p| p.0)).collect();
    xs.sort_unstable();
    xs.dedup();
    for at in xs {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &x_text(sweep, at));
        for curve in curves {
            html.open("td", &[("class", "num")]);
            match curve.points.iter().position(|p| p.0 == at) {
                Some(i) => {
                    let key = point_key(curve, i);
                    html.leaf("button", &[("class", "link"), ("data-point", &key)], &y_text(sweep, &curve.points[i].1));
                }
                None => {
                    html.text("\u{2013}");
                }
            }
            html.close();
        }
        html.close();
    }
    super::results::close_table(&mut html);
    html.finish()
}

/// What tells a point of a curve: its test and the study's point.
#[must_use]
pub fn point_key(curve: &Curve, point: usize) -> String {
    curve.sources.get(point).map_or_else(String::new, |(test, point)| format!("{test}:{point}"))
}

/// Task sets that fail a test; `searched` sets were looked at.
#[must_use]
pub fn failing(test: &str, utilisation: u32, key: &str, searched: u64, sets: &[(u64, Vec<Task>)]) -> String {
    let mut html = Markup::new();
    let place = format!("{test}, at a utilisation of {}", decimal(utilisation));
    html.leaf("h4", &[("tabindex", "-1"), ("id", "study-sets-title")], &format!("Sets that fail: {place}"));
    if sets.is_empty() {
        html.leaf("p", &[("class", "res-note")], &format!("None of the first {} sets fails this test here.", format_count(searched)));
        return html.finish();
    }
    html.open("ol", &[("class", "study-sets")]);
    for (index, set) in sets {
        html.open("li", &[]).open("p", &[]).leaf("strong", &[], &format!("Set {}", format_count(*index))).text(" ");
        let open = [("class", "small"), ("data-point", key), ("data-set", &*index.to_string())];
        html.leaf("button", &open, "Open in the stepper").close();
        super::results::open_table(&mut html, &format!("Task set {index}, in µs"), &["Task", "#C, µs", "#T, µs", "#q, µs"]);
        for (i, task) in set.iter().enumerate() {
            html.open("tr", &[]).leaf("th", &[("scope", "row")], &format!("t{i}"));
            for number in [task.cost, task.period, task.section] {
                html.leaf("td", &[("class", "num")], &format_count(number));
            }
            html.close();
        }
        super::results::close_table(&mut html);
        html.close();
    }
    html.close();
    let note = "C is the cost without overheads, T period and deadline, q the longest stretch that the test takes not to be preempted.";
    html.leaf("p", &[("class", "res-note")], note);
    html.finish()
}
