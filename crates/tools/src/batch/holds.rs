//! What is held up in a batch, what waits, and what would help.
//!
//! Invariant: a remedy switches on all that it relies on, so that what it is offered for is gone when it was taken.

use serde::{Deserialize, Serialize};

use super::msg::WorkloadChange;
use super::scene::{Scene, time};
use super::state::Setup;
use super::task_no;
use blockstep_batch::command::{CommandKind, Sight};
use blockstep_batch::holds::{Hold, HoldKind, Remedy};
use blockstep_batch::late::Late;
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::state::BatchState;
use blockstep_batch::waits;
use blockstep_view::batch::words;
use blockstep_view::quantity::format_time;

/// Something that is held up, or that the host learns too late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldView {
    pub is_now: bool,
    pub title: String,
    pub why: String,
    pub advice: String,
    pub help: Option<Help>,
    /// Steps applied where it is seen, if the reader stands elsewhere.
    pub seen_at: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Help {
    pub title: String,
    pub change: WorkloadChange,
}

const fn kind(kind: HoldKind) -> &'static str {
    match kind {
        HoldKind::FalseDependency => "False dependency",
        HoldKind::DelayedSignal => "Delayed signal",
        HoldKind::BlockingQuery => "Blocking query",
    }
}

/// What is held up: now, and in the rest of the batch.
pub(super) fn holds(setup: &Setup, scene: &Scene) -> Vec<HoldView> {
    let now = scene.held();
    let held = scene.run.holds.iter().map(|hold| held_up(setup, scene, hold, now.contains(&hold)));
    held.chain(scene.late.iter().map(|late| learnt_late(setup, scene, late))).collect()
}

fn held_up(setup: &Setup, scene: &Scene, hold: &Hold, is_now: bool) -> HoldView {
    let (advice, help) = remedy(setup, hold.remedy);
    HoldView {
        is_now,
        title: format!("{}, {} to {}", kind(hold.kind), time(hold.time.start), time(hold.time.end)),
        why: hold.says(&scene.run.program),
        advice,
        help,
        seen_at: Some(scene.steps_until(hold.time.start)).filter(|_| !is_now),
    }
}

/// What the host learns too late, why, and what tells it earlier.
fn learnt_late(setup: &Setup, scene: &Scene, late: &Late) -> HoldView {
    let program = &scene.run.program;
    let is_now = late.time.start <= scene.time() && scene.time() < late.time.end;
    let why = match late.sight {
        Sight::Query => "It uses a stream query, which returns when the longest kernel is done.",
        _ => "Nothing flushes the memory that holds the counter, so the host sees the counter only when all kernels are done.",
    };
    let methods = Late::remedy(setup.methods);
    let mut advice = remedied(&listed(&added(setup.methods, methods)));
    if let CommandKind::Kernel(launch) = program.command(late.kernel).kind
        && !launch.counts
    {
        let counting = scene.arch.counting(u64::from(launch.blocks) * u64::from(launch.threads_per_block));
        advice.push_str(&format!("Counting its threads makes the kernel {} longer. ", format_time(counting.ns())));
    }
    HoldView {
        is_now,
        title: format!("The host learns of the end too late: {} to {}", time(late.time.start), time(late.time.end)),
        why: format!(
            "{} has ended, but the host does not know, so it does not issue the output copy of {}. {why}",
            program.label(late.kernel),
            task_no(late.task)
        ),
        advice,
        help: help(setup, methods, setup.by),
        seen_at: Some(scene.steps_until(late.time.start)).filter(|_| !is_now),
    }
}

/// What removes a hold, in words and as a change.
fn remedy(setup: &Setup, remedy: Remedy) -> (String, Option<Help>) {
    // The paper's example has one switch and no scheduler.
    if setup.is_tables() && remedy != Remedy::Use(Method::SetEventQueue) {
        return ("No method removes it from this fixed command sequence. ".to_owned(), None);
    }
    let (methods, by) = remedy.apply(setup.methods, setup.by);
    (remedied(&remedy.text()), help(setup, methods, by))
}

/// Methods that are on in the second and off in the first.
fn added(from: Methods, to: Methods) -> Vec<Method> {
    Method::ALL.into_iter().filter(|method| to.has(*method) && !from.has(*method)).collect()
}

fn listed(methods: &[Method]) -> String {
    and_last(&methods.iter().map(|method| method.word()).collect::<Vec<_>>())
}

fn help(setup: &Setup, methods: Methods, by: SchedulerId) -> Option<Help> {
    let added = added(setup.methods, methods);
    let title = match (by == setup.by, added.is_empty()) {
        (true, true) => return None,
        (true, false) => format!("Switch {} on", listed(&added)),
        (false, true) => format!("Use {}", by.name()),
        (false, false) => format!("Use {} and turn {} on", by.name(), listed(&added)),
    };
    let scheduler = Some(by).filter(|by| *by != setup.by);
    Some(Help { title, change: WorkloadChange { scheduler, on: added, off: Vec::new() } })
}

/// Why the heads of queues wait.
pub(super) fn waiting(scene: &Scene, state: &BatchState) -> Vec<String> {
    let program = &scene.run.program;
    let heads = state.queues.iter().filter_map(|(_, waiting)| waiting.first());
    heads.filter_map(|no| Some(words::wait(program, *no, waits::why(program, &scene.arch, state, *no)?))).collect()
}

fn remedied(what: &str) -> String {
    format!("Remedy: {what}. ")
}

/// `a, b and c`.
fn and_last(words: &[&str]) -> String {
    match words {
        [most @ .., one, last] => [most, &[&*format!("{one} and {last}")]].concat().join(", "),
        words => words.concat(),
    }
}
