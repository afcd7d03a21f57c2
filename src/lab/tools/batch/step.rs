//! The view of one batch, step by step.
//!
//! Depends on `batch` and the other files of this tool. Invariant: commands, queues, timeline and
//! sentence are all of the same step.

use super::look::{COLUMN_PX, Look};
use super::model::Model;
use super::problem::Problem;
use super::table;
use super::timeline::{Bar, Timeline, time};
use super::{held, queues, say, timeline};
use crate::batch::arch::{Arch, ArchId};
use crate::batch::command::{CommandNo, Op, Program};
use crate::batch::example;
use crate::batch::holds::Hold;
use crate::batch::late::{self, Late};
use crate::batch::methods::Method;
use crate::batch::run;
use crate::batch::schedulers::SchedulerId;
use crate::batch::simulate::{BatchRun, simulate};
use crate::batch::state::{Change, Replay, State, Status, Step};
use crate::batch::task::Task;
use crate::batch::waits;
use crate::units::{Time, TimeRange};
use crate::view::markup::Markup;

/// A batch at a step.
pub(super) struct Scene {
    pub(super) run: BatchRun,
    pub(super) arch: Arch,
    /// Names of its tasks.
    pub(super) names: Vec<String>,
    /// What the host learns too late.
    pub(super) late: Vec<Late>,
    /// Methods that change nothing in it.
    pub(super) idle: Vec<Method>,
    /// The different batches of the run, in words.
    batches: Vec<String>,
    /// Steps applied.
    pub(super) at: usize,
}

/// Why there is none.
pub(super) enum NoScene {
    /// The workload is wrong.
    Wrong(Vec<Problem>),
    /// The scheduler cannot run it.
    Refused(String),
}

impl Scene {
    pub(super) fn new(model: &Model) -> Result<Self, NoScene> {
        let arch = model.arch();
        let refused = |e: &dyn std::fmt::Display| NoScene::Refused(e.to_string());
        let (run, names, batches, idle) = if model.is_tables() {
            let program = example::tables(model.methods.has(Method::SetEventQueue));
            let run =
                simulate(&program, &arch).map_err(|e| NoScene::Refused(format!("Commands wait for each other: {}", e.heads.join(", "))))?;
            (run, vec!["t1".to_owned(), "t2".to_owned()], Vec::new(), Vec::new())
        } else {
            let workload = model.workload().map_err(NoScene::Wrong)?;
            let outcome = run::run(&workload, &arch, model.methods, model.by).map_err(|e| refused(&e))?;
            let name = |task: &usize| workload.tasks()[*task].name.clone();
            let batch_of = |run: usize| outcome.batches.iter().find(|batch| batch.run == run);
            let words = |run: usize| {
                let tasks: Vec<String> = batch_of(run).map(|batch| batch.tasks.iter().map(name).collect()).unwrap_or_default();
                let times = outcome.batches.iter().filter(|batch| batch.run == run).count();
                let first = batch_of(run).map_or(Time::ZERO, |batch| batch.start);
                format!("{}: {times} of {}, first at {}", tasks.join(" and "), outcome.batches.len(), time(first))
            };
            let batches: Vec<String> = (0..outcome.runs.len()).map(words).collect();
            let chosen = model.run.min(outcome.runs.len().saturating_sub(1));
            let of = batch_of(chosen).map(|batch| batch.tasks.clone()).unwrap_or_default();
            let names = of.iter().map(name).collect();
            let tasks: Vec<&Task> = of.iter().map(|task| &workload.tasks()[*task]).collect();
            let program = |methods| run::program(&tasks, &arch, methods, model.by);
            let now = program(model.methods);
            let changes = |method: &Method| program(model.methods.with(*method, !model.methods.has(*method))) != now;
            let idle = Method::ALL.into_iter().filter(|method| !changes(method)).collect();
            let run = outcome.runs.into_iter().nth(chosen).ok_or_else(|| NoScene::Refused("no input arrives".to_owned()))?;
            (run, names, batches, idle)
        };
        let late = late::late(&run, &arch);
        // Where something is held up first, or learnt too late.
        let first = run.holds.first().map(|hold| hold.time).or(late.first().map(|late| late.time));
        let held = || first.map(|time| run.steps.iter().filter(|step| step.at <= time.start).count());
        let at = model.at.or_else(held).unwrap_or(0).min(run.steps.len());
        Ok(Self { run, arch, names, late, idle, batches, at })
    }

    pub(super) fn time(&self) -> Time {
        self.latest().map_or(Time::ZERO, |step| step.at)
    }

    pub(super) fn latest(&self) -> Option<&Step> {
        self.at.checked_sub(1).and_then(|at| self.run.steps.get(at))
    }

    pub(super) fn state(&self) -> State {
        Replay::new(&self.run.program, &self.run.steps).go(self.at).clone()
    }

    /// What the latest step did.
    pub(super) fn sentence(&self) -> String {
        let Some(step) = self.latest() else { return "Nothing is issued yet.".to_owned() };
        let mut replay = Replay::new(&self.run.program, &self.run.steps);
        let before = replay.go(self.at - 1);
        format!("{}: {}", time(step.at), say::change(&self.run.program, before, step.change))
    }

    /// What is held up as things stand: between this step's instant and the next.
    pub(super) fn held(&self) -> Vec<&Hold> {
        let now = self.time();
        // While steps of this instant are still to come, what will be held is not settled.
        let is_settled = self.run.steps.get(self.at).is_none_or(|next| next.at > now);
        let holds = |hold: &&Hold| {
            if is_settled { hold.time.start <= now && now < hold.time.end } else { hold.time.start < now && now < hold.time.end }
        };
        self.run.holds.iter().filter(holds).collect()
    }

    /// Lanes of the timeline, with all bars.
    pub(super) fn bars(&self) -> (Vec<&'static str>, Vec<Bar>) {
        let lanes = lanes(&self.arch);
        let name = |task: usize| format!("t{}", task + 1);
        let mut bars: Vec<Bar> = self.run.timings().iter().map(|t| bar(&self.arch, t.op, t.task, t.actual, &name(t.task))).collect();
        for hold in &self.run.holds {
            let command = self.run.program.command(hold.held);
            if let Some(op) = command.op() {
                let task = command.task.unwrap_or(0);
                let label = format!("{} {} held up", name(task), say::op(op));
                bars.push(Bar { is_held: true, label, short: "held up".to_owned(), ..bar(&self.arch, op, task, hold.time, "") });
            }
        }
        for late in &self.late {
            let label = format!("{} {} not issued", name(late.task), say::op(Op::CopyOut));
            let bar = bar(&self.arch, Op::CopyOut, late.task, late.time, "");
            bars.push(Bar { is_held: true, label, short: "not issued".to_owned(), ..bar });
        }
        (lanes, bars)
    }
}

/// Names of a GPU's lanes.
pub(super) fn lanes(arch: &Arch) -> Vec<&'static str> {
    if arch.copy_engines > 1 { vec!["Copy in", "Copy out", "Kernels"] } else { vec!["Copies", "Kernels"] }
}

/// A bar in its lane.
pub(super) fn bar(arch: &Arch, op: Op, task: usize, time: TimeRange, name: &str) -> Bar {
    let lane = if op == Op::Kernel { arch.copy_engines as usize } else { arch.copy_engine(op) as usize };
    let short = if op == Op::Kernel { name.to_owned() } else { if op == Op::CopyIn { "in" } else { "out" }.to_owned() };
    Bar { lane, task, time, label: format!("{name} {}", say::op(op)), short, is_held: false }
}

/// The view.
pub(super) fn show(html: &mut Markup, model: &Model, look: Look) {
    setup(html, model);
    let scene = match Scene::new(model) {
        Ok(scene) => scene,
        Err(NoScene::Wrong(problems)) => return table::problems(html, model, &problems),
        Err(NoScene::Refused(why)) => {
            html.leaf("p", &[("class", "batch-wrong"), ("role", "alert")], &format!("{} cannot run this: {why}.", model.by.name()));
            return held::methods(html, model, &[], "");
        }
    };
    about(html, model, &scene);
    let state = scene.state();
    transport(html, &scene, &state);
    let held = scene.held();
    html.open("div", &[("class", "batch-stage")]);
    sequence(html, &scene, &state);
    html.open("section", &[("class", "batch-queues"), ("aria-label", "Hardware queues")]);
    let room = if look.is_wide() { look.width_px - COLUMN_PX - 20.0 } else { look.width_px };
    html.open("h3", &[]).text("Hardware queues, heads on top");
    html.raw(" <span class=batch-key><i class=is-true></i>true dependency <i class=is-false></i>held up without need</span>").close();
    html.markup(&queue_picture(&scene, &state, &held, Look { width_px: room, ..look }));
    held::holds(html, model, &scene, &held);
    held::waiting(html, &scene, &state);
    html.close().close();
    html.leaf("h3", &[], "Copies and kernels over time");
    html.open("div", &[("class", "batch-picture")]).markup(&picture(&scene, look)).close();
    held::methods(html, model, &scene.idle, &format!("in this batch under {}", model.by.name()));
    tables(html, model, &scene);
}

/// The queues at the step.
pub(super) fn queue_picture(scene: &Scene, state: &State, held: &[&Hold], look: Look) -> String {
    let latest = scene.latest().and_then(|step| command_of(step.change));
    queues::draw(&scene.run, state, held, latest, look)
}

/// The timeline of the batch.
pub(super) fn picture(scene: &Scene, look: Look) -> String {
    let (lanes, bars) = scene.bars();
    let title = "Copies and kernels over time; the same as a table below";
    let (tasks, end) = (scene.names.len().max(2), scene.run.end.max(Time(1)));
    let cursor = Some(scene.time());
    timeline::draw(&Timeline { title, id: "bt", lanes: &lanes, bars: &bars, tasks, end, cursor, row_px: 24.0, axis: true }, look)
}

/// Choices of workload, GPU and scheduler.
pub(super) fn setup(html: &mut Markup, model: &Model) {
    html.open("div", &[("class", "batch-row")]);
    table::choice(html, model);
    html.open("label", &[]).leaf("span", &[], "GPU").open("select", &[("name", "gpu"), ("data-keep", "gpu")]);
    for id in ArchId::ALL {
        html.option(id.word(), id.arch().name, id == model.gpu);
    }
    html.close().close();
    if model.tab == super::model::Tab::Step && !model.is_tables() {
        html.open("label", &[]).leaf("span", &[], "Scheduler").open("select", &[("name", "by"), ("data-keep", "by")]);
        for id in SchedulerId::ALL {
            html.option(id.name(), id.name(), id == model.by);
        }
        html.close().close();
    }
    html.close();
}

fn about(html: &mut Markup, model: &Model, scene: &Scene) {
    if model.is_tables() {
        let text = "The paper's example: task t1 copies its input and runs a kernel, with events around both to time them; task t2, which has nothing to do with t1, copies too. Stepping shows which queue each command lands in.";
        html.leaf("p", &[], text);
        return;
    }
    html.open("p", &[]).leaf("b", &[], model.by.name()).text(": ").text(model.by.scheduler().says()).text(" ");
    for (i, name) in scene.names.iter().enumerate() {
        html.text(&format!("{}t{} is ", if i > 0 { ", " } else { "In this batch " }, i + 1)).leaf("b", &[], name);
    }
    html.text(".").close();
    if scene.run.program.on_gpu {
        let text = "The stream query that lets the host see its messages ([MT] section 5.2) is issued once, right after its kernel is launched and before the first batch, so no batch shows it; nothing here waits for a finish signal that it could delay.";
        html.leaf("p", &[("class", "tool-note")], text);
    }
    if scene.batches.len() > 1 {
        html.open("div", &[("class", "batch-row")]).open("label", &[]).leaf("span", &[], "Batch of");
        html.open("select", &[("name", "run"), ("data-keep", "run")]);
        for (i, words) in scene.batches.iter().enumerate() {
            html.option(&i.to_string(), words, i == model.run);
        }
        html.close().close().close();
    }
}

fn transport(html: &mut Markup, scene: &Scene, state: &State) {
    let (at, last) = (scene.at, scene.run.steps.len());
    html.open("div", &[("class", "batch-transport")]);
    let button = |html: &mut Markup, word: &str, label: &str, sign: &str, is_off: bool| {
        let off = if is_off { "true" } else { "" };
        let attributes = [
            ("type", "button"),
            ("class", "icon"),
            ("data-do", word),
            ("data-keep", word),
            ("aria-label", label),
            ("title", label),
            ("aria-disabled", off),
        ];
        html.leaf("button", &attributes, sign);
    };
    button(html, "Home", "To the first step (Home)", "|◀", at == 0);
    button(html, "ArrowLeft", "One step back (←)", "◀", at == 0);
    button(html, "ArrowRight", "One step on (→)", "▶", at == last);
    button(html, "End", "To the last step (End)", "▶|", at == last);
    html.open("label", &[("class", "batch-slider")]).leaf("span", &[("class", "visually-hidden")], "Step");
    let (value, max) = (at.to_string(), last.to_string());
    html.single("input", &[("type", "range"), ("name", "at"), ("min", "0"), ("max", &max), ("value", &value), ("data-keep", "at")]).close();
    html.leaf("span", &[("class", "batch-count")], &format!("Step {at} of {last} · {}", time(scene.time()))).close();
    html.open("p", &[("class", "batch-sentence")]);
    if let Some(step) = scene.latest() {
        let title = format!("{} ({})", step.rule.says(), step.rule.source());
        html.leaf("span", &[("class", "chip"), ("title", &title)], step.rule.id()).text(" ");
    }
    html.text(&scene.sentence()).close();
    html.open("p", &[("class", "tool-note")]);
    if let Some(step) = scene.latest() {
        html.text(step.rule.says()).text(" ").text(&format!("({}) ", step.rule.source()));
    }
    html.text(&format!("The host {}.", say::host(&scene.run.program, state.host))).close();
}

/// The command that a step is about.
const fn command_of(change: Change) -> Option<CommandNo> {
    match change {
        Change::Issue(no, _) | Change::Start(no) | Change::Blocks(no, ..) | Change::Leave(no) | Change::End(no) | Change::Done(no) => {
            Some(no)
        }
        Change::Host(_) => None,
    }
}

/// How far a command is, in a sign and a word.
const fn status(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::NotIssued => ("·", "not issued"),
        Status::Waits => ("◦", "waits"),
        Status::Runs(_) => ("▶", "runs"),
        Status::Ended(_) => ("‖", "ended, no signal yet"),
        Status::Done(_) => ("✓", "done"),
    }
}

/// Commands in order of issue.
fn sequence(html: &mut Markup, scene: &Scene, state: &State) {
    let program = &scene.run.program;
    html.open("section", &[("class", "batch-commands"), ("aria-label", "Commands")]);
    html.leaf("h3", &[], "Commands in the order they are issued").open("ol", &[("data-keep", "commands"), ("tabindex", "-1")]);
    let latest = scene.latest().and_then(|step| command_of(step.change));
    for (at, step) in scene.run.steps.iter().enumerate() {
        let Change::Issue(no, queue) = step.change else { continue };
        let (sign, word) = status(state.status(no));
        let class = match (latest == Some(no), state.status(no)) {
            (true, _) => "is-latest",
            (false, Status::NotIssued) => "is-later",
            _ => "",
        };
        html.open("li", &[("class", class)]);
        let go = format!("at {}", at + 1);
        let wait = waits::why(program, &scene.arch, state, no).map_or(String::new(), |wait| format!(". {}", say::wait(program, no, wait)));
        let title = format!("{}: {}{wait}", say::command(program, no), queue.map_or("no queue".to_owned(), |queue| queue.name()));
        html.open("button", &[("type", "button"), ("class", "link"), ("data-do", &go), ("data-keep", &go), ("title", &title)]);
        html.leaf("span", &[("aria-hidden", "true"), ("class", "batch-sign")], sign);
        html.leaf("code", &[], &program.label(no)).leaf("span", &[("class", "visually-hidden")], &format!(", {word}"));
        html.close().close();
    }
    html.close().close();
}

/// The pictures as tables, and what can be saved.
fn tables(html: &mut Markup, model: &Model, scene: &Scene) {
    model.details(html, "as-tables", "Queues and times as tables");
    html.open("div", &[("class", "tool-scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Times"), ("data-keep", "times")]);
    html.open("table", &[("class", "tool-table")]).leaf("caption", &[], "Copies and kernels, and what the events around them report");
    html.raw(
        "<thead><tr><th scope=col>Command</th><th scope=col>From</th><th scope=col>To</th><th scope=col>Events report</th></tr></thead>",
    );
    html.open("tbody", &[]);
    for timing in scene.run.timings() {
        let reported = timing.reported.map_or("–".to_owned(), |r| format!("{} to {}", time(r.start), time(r.end)));
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &scene.run.program.label(timing.command));
        html.leaf("td", &[], &time(timing.actual.start)).leaf("td", &[], &time(timing.actual.end)).leaf("td", &[], &reported).close();
    }
    html.close().close();
    html.open("table", &[("class", "tool-table")]).leaf("caption", &[], "Queues at this step, heads first");
    html.raw("<thead><tr><th scope=col>Queue</th><th scope=col>Commands</th></tr></thead>").open("tbody", &[]);
    for (queue, waiting) in &scene.state().queues {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &queue.name());
        html.leaf("td", &[], &listed(&scene.run.program, waiting)).close();
    }
    html.close().close().close().close();
    html.open("div", &[("class", "batch-row")]);
    html.raw("<button type=button data-do=svg data-keep=svg>Save timeline (SVG)</button><button type=button data-do=png data-keep=png>Save timeline (PNG)</button><button type=button data-do=queues-svg data-keep=queues-svg>Save queues (SVG)</button><button type=button data-do=queues-png data-keep=queues-png>Save queues (PNG)</button><button type=button data-do=csv data-keep=csv>Save times (CSV)</button><button type=button data-do=steps data-keep=steps>Save steps (text)</button><button type=button data-do=save data-keep=save>Save workload (JSON)</button>");
    html.close();
}

fn listed(program: &Program, commands: &[CommandNo]) -> String {
    let labels: Vec<String> = commands.iter().map(|no| program.label(*no)).collect();
    if labels.is_empty() { "empty".to_owned() } else { labels.join(", ") }
}
