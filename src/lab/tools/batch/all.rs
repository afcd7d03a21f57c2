//! All six schedulers on one workload, and what the paper would advise.
//!
//! Depends on `batch` and the other files of this tool. Invariant: simulation and advice are shown
//! beside each other, whether they agree or not.

use super::held::methods;
use super::look::Look;
use super::model::Model;
use super::step::{bar, lanes, setup};
use super::timeline::{self, Bar, Timeline, time};
use super::{table, trees};
use crate::batch::advice::{self, Advice};
use crate::batch::arch::Arch;
use crate::batch::methods::Method;
use crate::batch::run::{self, Comparison, Outcome, Ratio};
use crate::batch::schedulers::SchedulerId;
use crate::batch::task::{Task, Workload};
use crate::units::Time;
use crate::view::markup::Markup;

/// Batches shown unless the whole run is.
const BATCHES: usize = 2;

/// A ratio with two decimals.
pub(super) fn ratio(ratio: Ratio) -> String {
    ratio.to_string()
}

/// The view.
pub(super) fn show(html: &mut Markup, model: &Model, look: Look) {
    setup(html, model);
    if model.is_tables() {
        html.open("p", &[]).text("Tables I and II are one sequence of commands, with no scheduler to compare. ");
        html.raw("<button type=button data-do='load Case-2' data-keep='load Case-2'>Compare on Case-2</button>").close();
        family(html, model);
        return;
    }
    let workload = match model.workload() {
        Ok(workload) => workload,
        Err(problems) => return table::problems(html, model, &problems),
    };
    let arch = model.arch();
    let ours = Comparison::new(&workload, &arch, model.methods);
    let best = advice::best(&ours);
    let advised = Advice::new(&workload, &arch);
    verdict(html, &ours, &best, &advised);
    html.open("div", &[("class", "batch-row")]).open("label", &[]).leaf("span", &[], "Timelines show");
    html.open("select", &[("name", "span"), ("data-keep", "span")]);
    html.option("first", "the first two batches", !model.whole).option("all", "the whole run", model.whole).close().close();
    html.raw(
        "<span class=tool-note>Performance: slack that CPUTraditional uses up, divided by the scheduler's own; more is better. It says how early outputs are in all, not how many are late: slack used up counts from an input, or a task's turn, to its output, so a longer deadline changes which outputs are late and who has priority, and performance only by the latter.</span>",
    );
    html.close();
    let to = shown_to(&ours, model.whole);
    let most = SchedulerId::ALL.into_iter().filter_map(|id| ours.performance(id)).map(Ratio::thousandths).max().unwrap_or(1000).max(1);
    let names: Vec<&str> = workload.tasks().iter().map(|task| task.name.as_str()).collect();
    legend(html, &names, look);
    html.open("div", &[("class", "batch-all")]);
    for (i, (id, outcome)) in ours.outcomes.iter().enumerate() {
        html.open("section", &[("class", if best.contains(id) { "is-best" } else { "" }), ("aria-label", id.name())]);
        html.open("div", &[("class", "batch-score")]);
        html.open("h3", &[("title", id.scheduler().says())]).text(id.name()).close();
        match outcome {
            Ok(outcome) => {
                let performance = ours.performance(*id);
                let share = performance.map_or(0, |p| p.thousandths().saturating_mul(1000) / most);
                let width = format!("width:{}.{}%", share / 10, share % 10);
                html.open("span", &[("class", "batch-bar"), ("aria-hidden", "true")]).open("i", &[("style", &width)]).close().close();
                html.leaf("b", &[], &performance.map_or("–".to_owned(), |p| format!("{}×", ratio(p))));
                if best.contains(id) {
                    html.raw("<span class=batch-best>★ best here</span>");
                }
                let late: u64 = (0..names.len()).map(|task| outcome.summary(task).late).sum();
                html.leaf(
                    "span",
                    &[("class", "tool-note")],
                    &format!("{late} of {} outputs late, done at {}", outcome.jobs.len(), time(outcome.end)),
                );
                let word = format!("show {}", id.name());
                html.leaf("button", &[("type", "button"), ("class", "link"), ("data-do", &word), ("data-keep", &word)], "Step through")
                    .close();
                html.open("div", &[("class", "batch-picture")]).markup(&picture(&arch, outcome, &names, to, i, look)).close();
            }
            Err(why) => {
                html.leaf("span", &[("class", "tool-note")], &format!("Not on this GPU: {why}")).close();
            }
        }
        html.close();
    }
    html.close();
    figures(html, model, &ours, &names);
    html.open("section", &[]).leaf("h3", &[], "Advice, by a tree of ours");
    html.open("p", &[])
        .text("For this workload: ")
        .leaf("b", &[], &trees::names(advised.leaf().best))
        .text(". ")
        .text(advised.leaf().reason);
    html.text(&format!(" ({})", advised.leaf().source)).close();
    traits(html, &advised);
    trees::advice(html, &advised);
    html.leaf("p", &[("class", "tool-note")], "[MT] Fig. 3 recommends schedulers too. We have the paper's text without that figure, so this tree is ours, from Table III, section 7 and the conclusions.");
    html.raw("<div class=batch-row><button type=button data-do=advice-svg data-keep=advice-svg>Save this tree (SVG)</button><button type=button data-do=advice-png data-keep=advice-png>Save this tree (PNG)</button></div>");
    html.close();
    family(html, model);
    methods(html, model, &idle(model, &workload, &arch), "under any scheduler here");
    html.raw("<div class=batch-row><button type=button data-do=compare-svg data-keep=compare-svg>Save timelines (SVG)</button><button type=button data-do=compare-png data-keep=compare-png>Save timelines (PNG)</button><button type=button data-do=compare-csv data-keep=compare-csv>Save comparison (CSV)</button></div>");
}

/// Until when all timelines are shown.
pub(super) fn shown_to(ours: &Comparison, whole: bool) -> Time {
    let end = |outcome: &Outcome| {
        if whole { outcome.end } else { outcome.batches[..outcome.batches.len().min(BATCHES)].last().map_or(outcome.end, |b| b.end) }
    };
    ours.outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).map(end).max().unwrap_or(Time(1)).max(Time(1))
}

/// The timeline of a scheduler until `to`.
pub(super) fn picture(arch: &Arch, outcome: &Outcome, names: &[&str], to: Time, place: usize, look: Look) -> String {
    let operations = outcome.operations().filter(|op| op.time.start < to);
    let bars: Vec<Bar> = operations.map(|op| bar(arch, op.op, op.task, op.time, names[op.task])).collect();
    let title = format!("Timeline of {}; the table below has its figures", outcome.scheduler.name());
    let (lanes, id) = (lanes(arch), format!("ba{place}x"));
    let timeline = Timeline {
        title: &title,
        id: &id,
        lanes: &lanes,
        bars: &bars,
        tasks: names.len(),
        end: to,
        cursor: None,
        row_px: 14.0,
        axis: true,
    };
    timeline::draw(&timeline, look)
}

/// Methods that change nothing under any scheduler, for a batch of the first two tasks.
fn idle(model: &Model, workload: &Workload, arch: &Arch) -> Vec<Method> {
    let tasks: Vec<&Task> = workload.tasks().iter().take(2).collect();
    let is_idle = |method: &Method| {
        let other = model.methods.with(*method, !model.methods.has(*method));
        let runs = SchedulerId::ALL.into_iter().filter(|id| id.scheduler().refuses(arch).is_none());
        runs.into_iter().all(|id| run::program(&tasks, arch, model.methods, id) == run::program(&tasks, arch, other, id))
    };
    Method::ALL.into_iter().filter(is_idle).collect()
}

fn legend(html: &mut Markup, names: &[&str], look: Look) {
    html.open("p", &[("class", "batch-legend")]);
    for (task, name) in names.iter().enumerate() {
        html.open("i", &[("style", &format!("background:{}", look.task(task)))]).close().text(name).text(" ");
    }
    html.close();
}

/// Whether simulation and advice agree.
fn verdict(html: &mut Markup, ours: &Comparison, best: &[SchedulerId], advised: &Advice) {
    let agrees = advised.agrees(ours);
    html.open("p", &[("class", if agrees { "verdict-good" } else { "verdict-bad" })]);
    html.text("Simulated: ").leaf("b", &[], &trees::names(best)).text(if best.len() > 1 { " do best, equally. " } else { " does best. " });
    html.text("Advice from the paper's results: ").leaf("b", &[], &trees::names(advised.leaf().best)).text(". ");
    html.text(if agrees {
        "They agree."
    } else {
        "They differ: the advice is a rule of thumb from seven cases, the simulation is this workload on these assumptions."
    });
    html.close();
}

/// What the answers rest on.
fn traits(html: &mut Markup, advised: &Advice) {
    let t = &advised.traits;
    let whole = |ns: u128| crate::view::quantity::format_time_short(u64::try_from(ns).unwrap_or(u64::MAX));
    let text = format!(
        "It goes by: {} kernels; copies take {} in all and kernels {}; in {} of {} pairs of tasks the one of higher priority has the longer kernel.",
        if t.small { "small" } else { "large" },
        whole(t.copies),
        whole(t.kernels),
        t.longer,
        t.pairs
    );
    html.leaf("p", &[], &text);
}

fn family(html: &mut Markup, model: &Model) {
    model.details(html, "family", "The six schedulers as a family tree ([MT] Fig. 1)");
    trees::taxonomy(html);
    html.raw("<div class=batch-row><button type=button data-do=family-svg data-keep=family-svg>Save the family tree (SVG)</button><button type=button data-do=family-png data-keep=family-png>Save the family tree (PNG)</button></div>");
    html.close();
}

fn figures(html: &mut Markup, model: &Model, ours: &Comparison, names: &[&str]) {
    model.details(html, "figures", "In figures, task by task");
    html.open(
        "div",
        &[("class", "tool-scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Figures"), ("data-keep", "figures-region")],
    );
    html.open("table", &[("class", "tool-table")]);
    html.raw("<thead><tr><th scope=col>Scheduler</th><th scope=col>Task</th><th scope=col>Outputs</th><th scope=col>Late</th><th scope=col>Worst lateness</th><th scope=col>Longest from input to output</th></tr></thead>");
    html.open("tbody", &[]);
    for (id, outcome) in &ours.outcomes {
        let Ok(outcome) = outcome else { continue };
        for (task, name) in names.iter().enumerate() {
            let sum = outcome.summary(task);
            html.open("tr", &[]).leaf("th", &[("scope", "row")], id.name()).leaf("td", &[], name);
            html.leaf("td", &[], &sum.jobs.to_string()).leaf("td", &[], &sum.late.to_string());
            let span = |span: crate::units::Span| crate::view::quantity::format_time(span.ns());
            html.leaf("td", &[], &span(sum.worst_lateness)).leaf("td", &[], &span(sum.worst_response)).close();
        }
    }
    html.close().close().close().close();
}
