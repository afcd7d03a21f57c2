//! What is held up in a batch, what waits, and what would help.
//!
//! Depends on `batch` and the other files of this tool. Invariant: a button switches on all that it
//! relies on, so that what it is offered for is gone when it was pressed.

use super::model::Model;
use super::say;
use super::step::Scene;
use super::timeline::time;
use crate::batch::command::{Kind, Sight};
use crate::batch::holds::{Hold, HoldKind, Remedy};
use crate::batch::late::Late;
use crate::batch::methods::{Method, Methods};
use crate::batch::schedulers::SchedulerId;
use crate::batch::state::State;
use crate::batch::waits;
use crate::view::markup::Markup;
use crate::view::quantity::format_time;

const fn kind(kind: HoldKind) -> &'static str {
    match kind {
        HoldKind::FalseDependency => "False dependency",
        HoldKind::DelayedSignal => "Delayed signal",
        HoldKind::BlockingQuery => "Blocking query",
    }
}

/// What is held up: now, and in the rest of the batch.
pub(super) fn holds(html: &mut Markup, model: &Model, scene: &Scene, now: &[&Hold]) {
    if scene.run.holds.is_empty() && scene.late.is_empty() {
        html.open("p", &[("class", "verdict-good")]).text("Nothing in this batch is held up without need.");
        if model.is_tables() && model.methods.has(Method::SetEventQueue) {
            html.text(" Each event stands in the queue of what it measures. ");
            html.raw("<button type=button class=small data-do='drop set-event-queue' data-keep='drop set-event-queue'>Switch set-event-queue off</button>");
        }
        html.close();
        return;
    }
    html.open("ul", &[("class", "batch-holds")]);
    for (i, hold) in scene.run.holds.iter().enumerate() {
        let is_now = now.contains(&hold);
        html.open("li", &[("class", if is_now { "is-now" } else { "" })]);
        html.open("p", &[]).leaf("b", &[], &format!("{}, {} to {}", kind(hold.kind), time(hold.time.start), time(hold.time.end)));
        html.text(". ").text(&hold.says(&scene.run.program)).close();
        html.open("p", &[]);
        remedy(html, model, hold.remedy, i);
        if !is_now {
            let at = scene.run.steps.iter().filter(|step| step.at <= hold.time.start).count();
            show_it(html, at, &format!("hold {at} {} {}", hold.held.0, hold.waits.0));
        }
        html.close().close();
    }
    for (i, late) in scene.late.iter().enumerate() {
        let is_now = late.time.start <= scene.time() && scene.time() < late.time.end;
        html.open("li", &[("class", if is_now { "is-now" } else { "" })]);
        learnt_late(html, model, scene, late, i, is_now);
        html.close();
    }
    html.close();
}

fn show_it(html: &mut Markup, at: usize, keep: &str) {
    let go = format!("at {at}");
    html.leaf("button", &[("type", "button"), ("class", "link"), ("data-do", &go), ("data-keep", keep)], "Show it");
}

/// What the host learns too late, why, and what tells it earlier.
fn learnt_late(html: &mut Markup, model: &Model, scene: &Scene, late: &Late, place: usize, is_now: bool) {
    let program = &scene.run.program;
    html.open("p", &[]).leaf("b", &[], &format!("The host learns too late, {} to {}", time(late.time.start), time(late.time.end)));
    let why = match late.sight {
        Sight::Query => "It asks by a stream query, which is answered when the longest kernel is done.",
        _ => "Nothing flushes the memory that holds the counter, so it is seen when all kernels are done.",
    };
    html.text(&format!(
        ". {} has ended, but the host does not know, so it does not issue the output copy of t{}. {why}",
        program.label(late.kernel),
        late.task + 1
    ));
    html.close().open("p", &[]);
    let methods = Late::remedy(model.methods);
    html.text(&format!("What tells it earlier: {}. ", listed(&added(model.methods, methods))));
    if let Kind::Kernel(launch) = program.command(late.kernel).kind
        && !launch.counts
    {
        let counting = scene.arch.counting(u64::from(launch.blocks) * u64::from(launch.threads_per_block));
        html.text(&format!("Counting its threads makes the kernel {} longer. ", format_time(counting.ns())));
    }
    help(html, model, (methods, model.by), &format!("late {place}"));
    if !is_now {
        let at = scene.run.steps.iter().filter(|step| step.at <= late.time.start).count();
        show_it(html, at, &format!("late at {at} {}", late.kernel.0));
    }
    html.close();
}

/// What removes a hold, with a button.
fn remedy(html: &mut Markup, model: &Model, remedy: Remedy, place: usize) {
    // The paper's example has one switch and no scheduler.
    if model.is_tables() && remedy != Remedy::Use(Method::SetEventQueue) {
        html.text("No method removes it from this fixed sequence of commands. ");
        return;
    }
    html.text(&format!("What removes it: {}. ", remedy.text()));
    help(html, model, remedy.apply(model.methods, model.by), &format!("hold {place}"));
}

/// Methods that are on in the second and off in the first.
fn added(from: Methods, to: Methods) -> Vec<Method> {
    Method::ALL.into_iter().filter(|method| to.has(*method) && !from.has(*method)).collect()
}

fn listed(methods: &[Method]) -> String {
    let words: Vec<&str> = methods.iter().map(|method| method.word()).collect();
    match &words[..] {
        [most @ .., one, last] => [most, &[&*format!("{one} and {last}")]].concat().join(", "),
        words => words.concat(),
    }
}

/// A button that goes over to other methods and another scheduler.
fn help(html: &mut Markup, model: &Model, (methods, by): (Methods, SchedulerId), keep: &str) {
    let added = added(model.methods, methods);
    let title = match (by == model.by, added.is_empty()) {
        (true, true) => return,
        (true, false) => format!("Switch {} on", listed(&added)),
        (false, true) => format!("Use {}", by.name()),
        (false, false) => format!("Use {} and switch {} on", by.name(), listed(&added)),
    };
    let mut word = "use".to_owned();
    let of = (by != model.by).then(|| by.name());
    for one in of.into_iter().chain(added.iter().map(|method| method.word())) {
        word.push(' ');
        word.push_str(one);
    }
    let keep = format!("{word} {keep}");
    html.leaf("button", &[("type", "button"), ("class", "small"), ("data-do", &word), ("data-keep", &keep)], &title).text(" ");
}

/// Why the heads of queues wait.
pub(super) fn waiting(html: &mut Markup, scene: &Scene, state: &State) {
    let program = &scene.run.program;
    let heads = state.queues.iter().filter_map(|(_, waiting)| waiting.first());
    let waits: Vec<String> = heads.filter_map(|no| Some(say::wait(program, *no, waits::why(program, &scene.arch, state, *no)?))).collect();
    html.leaf("h3", &[], "Why heads of queues wait").open("ul", &[("class", "tool-list batch-waits")]);
    for wait in &waits {
        html.leaf("li", &[], wait);
    }
    if waits.is_empty() {
        html.leaf("li", &[("class", "quiet")], "None waits.");
    }
    html.close();
}

/// The switches; which of them change nothing, and where.
pub(super) fn methods(html: &mut Markup, model: &Model, idle: &[Method], here: &str) {
    html.open("fieldset", &[("class", "batch-methods")]).leaf("legend", &[], "Methods: switches that change the commands that are issued");
    for method in model.shown_methods() {
        let keep = format!("method {}", method.word());
        let checked = if model.methods.has(method) { "1" } else { "" };
        html.open("label", &[]);
        html.single(
            "input",
            &[("type", "checkbox"), ("name", "method"), ("value", method.word()), ("data-keep", &keep), ("checked", checked)],
        );
        html.open("span", &[]).leaf("b", &[], method.word()).text(" ");
        if idle.contains(&method) {
            html.leaf("span", &[("class", "batch-idle")], &format!("changes nothing {here}")).text(" ");
        }
        html.leaf("span", &[("class", "tool-note")], &format!("{} {}", method.says(), method.source())).close().close();
    }
    html.close();
}
