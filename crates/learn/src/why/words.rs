//! A chain of causes in words: one sentence for all of it, and one for its root.
//!
//! Depends on the rest of `why`, `quantity` and `sentence`. Invariant: words follow from the chain;
//! a sentence stays short however long the chain is.

use super::{Absent, Called, CauseLink, Root, Standing, Turn, Why};
use blockstep_sim::scenario::Preemption;
use blockstep_sim::snapshot::{Claim, Residency};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{JobNo, OpId, StepId, TaskId};
use blockstep_view::quantity::{format_bytes, format_count, format_time};
use blockstep_view::reason::Reason;
use blockstep_view::sentence;

/// Links named at the head of a sentence, if there are more than that and the last one.
const NAMED: usize = 3;
/// Most names of operations that wait for each other.
const MAX_NAMES: usize = 20;

/// What the four amounts of a room are called.
#[must_use]
pub fn resource_name(which: usize) -> &'static str {
    ["threads", "shared memory", "registers", "block slots"].get(which).copied().unwrap_or("")
}

/// One of the four amounts of a room.
#[must_use]
pub fn write_amount(which: usize, amount: u64) -> String {
    if which == 1 && amount > 0 { format_bytes(amount) } else { format_count(amount) }
}

/// One of the four amounts with its noun: `512 threads`, `32 KiB of shared memory`.
pub(super) fn amount_of(which: usize, amount: u64) -> String {
    let of = if which == 1 { " of" } else { "" };
    format!("{}{of} {}", write_amount(which, amount), resource_name(which))
}

/// How the operation stands, and all that it waits for, as one sentence.
#[must_use]
pub fn headline(trace: &Trace, why: &Why) -> String {
    let name = trace.op_label(why.op);
    match why.standing {
        Standing::Complete(step) => format!("{name} has been complete since {}.", when(trace, step)),
        Standing::NotIssued(step) => {
            let task = &trace.scenario().task(trace.row_of(why.op).task).name;
            format!("{name} is not issued yet: task {task} issues it at {}{}.", when(trace, step), before_issue(trace, why))
        }
        Standing::Executes if why.links.is_empty() => match &why.root {
            Some(Root::Block { block, sm, .. }) if trace.row_of(why.op).blocks > 1 => {
                format!("{name} executes; its last block to end is block {block} on SM {}, {}.", sm.0, end_of(trace, why.root.as_ref()))
            }
            root => format!("{name} executes and completes {}.", end_of(trace, root.as_ref())),
        },
        Standing::Executes if is_settled(why) => {
            format!("A part of {name} executes; its next block is {}.", why.links.first().map_or("", |l| &l.text))
        }
        Standing::Executes => format!("A part of {name} executes; its next block waits for {}.", chain_text(trace, why)),
        Standing::Waits if is_settled(why) => match why.links.first().map(|l| l.reason) {
            Some(Reason::ToBeQueued) => format!("{name} does not wait: it joins its next queue at this instant."),
            Some(Reason::ToBeAssigned) => format!("{name} does not wait: it is assigned at this instant."),
            _ => format!("{name} does not wait: {}.", why.links.first().map_or("", |l| &l.text)),
        },
        Standing::Waits => format!("{name} waits for {}.", chain_text(trace, why)),
    }
}

/// Whether it goes on at this very instant.
fn is_settled(why: &Why) -> bool {
    matches!(why.links.first().map(|l| l.reason), Some(Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing))
}

/// `, 500 ms after row K1 is complete`, of an operation that is not issued.
fn before_issue(trace: &Trace, why: &Why) -> String {
    let row = trace.row_of(why.op);
    if let Some(Called { row, job, awaits }) = why.call {
        let call = sentence::call(trace, row, job);
        let awaits = trace.op_label(awaits);
        return match (&why.root, why.links.is_empty()) {
            (root, true) => format!(
                ". Until then its CPU thread waits in {call} for {awaits}, which executes and completes {}",
                end_of(trace, root.as_ref())
            ),
            (_, false) => {
                format!(". Until then its CPU thread waits in {call} for {awaits}, which waits for {}", chain_text(trace, why))
            }
        };
    }
    match (&why.root, row.after) {
        (Some(Root::Release { task, job, .. }), _) => format!(", in {}, which is not released yet", job_name(trace, *task, *job)),
        (_, Some(after)) => {
            let (after, start) = (&trace.scenario().row(after).name, row.start.ns());
            if start == 0 {
                format!(", when row {after} is complete")
            } else {
                format!(", {} after row {after} is complete", format_time(start))
            }
        }
        (_, None) if row.start.ns() > 0 => format!(", {} after it releases the job", format_time(row.start.ns())),
        _ if trace.scenario().task(row.task).calls_in_turn => ", when the calls before it have returned".to_owned(),
        _ => String::new(),
    }
}

/// What the first link waits for, and so on to the root.
fn chain_text(trace: &Trace, why: &Why) -> String {
    let links = &why.links;
    let mut text = String::new();
    for (i, link) in links.iter().enumerate() {
        let is_last = i + 1 == links.len();
        if i >= NAMED && !is_last {
            continue;
        }
        if i > 0 {
            let skipped = i > NAMED;
            text += match (skipped, links[i - 1].reason, link.executes) {
                (true, ..) => ", and so on to ",
                (false, Reason::Producer { .. }, _) => ", whose ",
                (false, _, true) => ", whose next block waits for ",
                (false, _, false) => ", which waits for ",
            };
            if skipped || matches!(links[i - 1].reason, Reason::Producer { .. }) {
                text += &trace.op_label(link.op);
                text += if skipped { ", which waits for " } else { " waits for " };
            }
        }
        text += &waited_for(trace, link, links.get(i + 1).map(|l| l.op), why.root.as_ref());
    }
    match (&why.root, links.last()) {
        (Some(Root::Cycle { .. }), _) => text + ": they wait for each other, and none of them ever continues",
        (Some(root @ (Root::Block { .. } | Root::Copy { .. })), Some(last)) if last.room.is_none() => {
            let ends = end_of(trace, Some(root));
            match (root, last.reason) {
                (Root::Block { op, .. } | Root::Copy { op, .. }, Reason::Producer { .. }) => {
                    format!("{text}, whose {} executes and completes {ends}", trace.op_label(*op))
                }
                _ => format!("{text}, which executes and completes {ends}"),
            }
        }
        (Some(Root::Release { step, .. }), _) => {
            text + &later(trace, *step, ", which is released at ", ", which is never released in this run")
        }
        (Some(Root::Issue { step, .. }), _) => {
            text + &later(trace, *step, ", whose next operation is issued at ", ", whose next operation is not issued in this run")
        }
        _ => text,
    }
}

/// What a link waits for, as a noun. `next`: what the next link is about.
fn waited_for(trace: &Trace, link: &CauseLink, next: Option<OpId>, root: Option<&Root>) -> String {
    match link.reason {
        Reason::Producer { task, job } => job_name(trace, task, job),
        Reason::BehindInStream { op }
        | Reason::N1 { op }
        | Reason::N2 { op }
        | Reason::Event { op }
        | Reason::BehindInConnection { op }
        | Reason::A2 { op }
        | Reason::X1 { op }
        | Reason::CopyEngine { op } => trace.op_label(next.unwrap_or(op)),
        Reason::NotResident => match root {
            Some(Root::Absent(Absent { space, residency: Residency::Resident { space: resident, .. }, .. })) if space == resident => {
                format!("the next turn of {}, which is draining", sentence::process(trace, *space))
            }
            Some(Root::Absent(Absent { space, enters, .. })) => {
                format!(
                    "{}, which is {}",
                    sentence::process(trace, *space),
                    later(trace, *enters, "resident from ", "not resident again in this run")
                )
            }
            _ => "its process".to_owned(),
        },
        Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots => {
            let what = match link.reason {
                Reason::Threads => "threads",
                Reason::SharedMemory => "shared memory",
                Reason::Registers => "registers",
                _ => "a block slot",
            };
            match root {
                Some(root @ Root::Block { op, block, sm, .. }) => {
                    let owner =
                        if *op == link.op { "its own block".to_owned() } else { format!("{} block", possessive(&trace.op_label(*op))) };
                    format!("{what}, which {owner} {block} on SM {} frees {}", sm.0, end_of(trace, Some(root)))
                }
                _ => what.to_owned(),
            }
        }
        Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing => "nothing more; it continues at this instant".to_owned(),
    }
}

/// A link as a sentence: who waits, and why.
#[must_use]
pub fn link_text(trace: &Trace, link: &CauseLink) -> String {
    let name = trace.op_label(link.op);
    if link.executes { format!("{name} executes in part; for the rest, {}", link.text) } else { format!("{name}: {}", link.text) }
}

/// Where the chain ends, as one or two sentences.
#[must_use]
pub fn root_text(trace: &Trace, root: &Root, links: &[CauseLink]) -> String {
    match root {
        Root::Block { op, block, sm, ends, step } => {
            let name = trace.op_label(*op);
            format!(
                "Block {block} of {name} executes on SM {}. It completes at {}{}.",
                sm.0,
                format_time(ends.ns()),
                changed(trace, ends.ns(), *step)
            )
        }
        Root::Copy { op, ends, step } => {
            let name = trace.op_label(*op);
            let engine = u8::from(trace.op(*op).kind == OpKind::CopyOut && trace.scenario().device().copy_engines > 1);
            let on = sentence::copy_engine(trace.scenario(), engine);
            format!("{name} executes on {on}. It completes at {}{}.", format_time(ends.ns()), changed(trace, ends.ns(), *step))
        }
        Root::Absent(absent) => absent_text(trace, absent),
        Root::Release { task, job, step, is_beyond_last } => {
            let name = job_name(trace, *task, *job);
            match (step, is_beyond_last) {
                (Some(step), _) => format!("Task {} releases {name} at {}.", trace.scenario().task(*task).name, when(trace, *step)),
                (None, true) => format!("There is no {name}: the task releases fewer jobs. Anything that waits for it never continues."),
                (None, false) => format!("The run ends before {name} is released."),
            }
        }
        Root::Issue { task, job, step } => {
            let (task_name, name) = (&trace.scenario().task(*task).name, job_name(trace, *task, *job));
            match step {
                Some(step) => {
                    format!("Nothing of {name} is on the GPU: task {task_name} issues the next operation of it at {}.", when(trace, *step))
                }
                None => format!("Nothing of {name} is on the GPU, and the run ends before task {task_name} issues more of it."),
            }
        }
        Root::Now => "It continues at this instant, in one of the next steps.".to_owned(),
        Root::Cycle { from } => {
            let names: Vec<String> = links.iter().skip(*from).map(|l| trace.op_label(l.op)).collect();
            match names.as_slice() {
                [one] => format!("{one} waits for itself and never continues."),
                names if names.len() > MAX_NAMES => {
                    let more = format_count((names.len() - MAX_NAMES) as u64);
                    let names = names[..MAX_NAMES].join(", ");
                    format!("A deadlock: {names} and {more} more wait for each other, and none of them ever continues.")
                }
                names => format!("A deadlock: {} wait for each other, and none of them ever continues.", names.join(", ")),
            }
        }
    }
}

fn absent_text(trace: &Trace, absent: &Absent) -> String {
    let process = |space| sentence::process(trace, space);
    let scenario = trace.scenario();
    let who = match absent.residency {
        Residency::Switching { to, until } => {
            format!("A context switch to {} is under way; it ends at {}.", process(to), format_time(until.ns()))
        }
        Residency::Idle { .. } | Residency::Shared => "No process is resident; the next one is chosen at this instant.".to_owned(),
        Residency::Resident { space, draining: true, .. } => {
            let leaves = later(trace, absent.leaves, ", at ", ", which does not happen before the run ends");
            format!(
                "Process {} drains: it starts no new work and leaves when the running work has completed{leaves}.",
                trace.space_name(space)
            )
        }
        Residency::Resident { space, .. } => {
            let preemption = scenario.preemption(space);
            let right = match (absent.slice_ends, &absent.serves) {
                (Some(ends), _) => format!("; its timeslice ends at {}", format_time(ends.ns())),
                (None, Some(serves)) => right_of(trace, serves, absent.own.as_ref(), preemption),
                (None, None) if preemption == Preemption::None => ", and stays as long as it has work".to_owned(),
                (None, None) => String::new(),
            };
            let leaves = later(trace, absent.leaves, " It leaves at ", " It does not leave before the run ends");
            format!("Process {} is resident{right}.{leaves}.", trace.space_name(space))
        }
    };
    let enters = later(trace, absent.enters, "is resident from ", "is not resident again in this run");
    let next = absent.next.map_or_else(String::new, |turn| turn_text(trace, &turn));
    let more = match absent.more {
        0 => String::new(),
        1 => " Another turn follows.".to_owned(),
        n => format!(" {} more turns follow.", format_count(n as u64)),
    };
    format!("{who}{next}{more} Process {} {enters}.", trace.space_name(absent.space))
}

/// ` Then process P1 is resident from 2.1 ms (step 24), by L1: the Host finds work at ….`
fn turn_text(trace: &Trace, turn: &Turn) -> String {
    let by = turn.chosen.map_or_else(
        || ".".to_owned(),
        |step| {
            let step = trace.step(step);
            format!(", by {}: {}", step.rule.id(), sentence::sentence(trace, step))
        },
    );
    format!(" Then process {} is resident from {}{by}", trace.space_name(turn.space), when(trace, turn.enters))
}

/// Why a job is served before another one, by what the scheduler compares.
fn right_of(trace: &Trace, serves: &Claim, own: Option<&Claim>, preemption: Preemption) -> String {
    let served = job_name(trace, serves.task, serves.job);
    let deadline = |claim: &Claim| match (claim.deadline, claim.inherited_from) {
        (Some(at), Some(from)) => format!("deadline {}, inherited from task {}", format_time(at.ns()), trace.scenario().task(from).name),
        (Some(at), None) => format!("deadline {}", format_time(at.ns())),
        (None, _) => "best effort".to_owned(),
    };
    let mut text = format!(" for {served} ({})", deadline(serves));
    if let Some(own) = own.filter(|own| own.task != serves.task) {
        // Of equals, the one that is served already goes on.
        let ranked = own.rank(trace.variants()) < serves.rank(trace.variants());
        let own_name = job_name(trace, own.task, own.job);
        text += &match (ranked, preemption) {
            (false, _) => format!(", which goes before {own_name} ({})", deadline(own)),
            (true, Preemption::None) => format!(", which is not preempted, although {own_name} ({}) has precedence", deadline(own)),
            (true, _) => format!("; {own_name} ({}) goes first from now on", deadline(own)),
        };
    }
    text
}

/// When a root that executes is over: `at 2 s`.
fn end_of(trace: &Trace, root: Option<&Root>) -> String {
    match root {
        Some(Root::Block { ends, step, .. } | Root::Copy { ends, step, .. }) => match step {
            Some(step) if trace.step(*step).at == *ends => format!("at {}", format_time(ends.ns())),
            Some(step) => format!("at {}, as it is suspended before", format_time(trace.step(*step).at.ns())),
            None => "after the end of the run".to_owned(),
        },
        _ => "at this instant".to_owned(),
    }
}

/// What the run makes of an end that was foreseen.
fn changed(trace: &Trace, ends_ns: u64, step: Option<StepId>) -> String {
    match step.map(|step| trace.step(step).at.ns()) {
        Some(at) if at == ends_ns => String::new(),
        Some(at) => format!(" if nothing suspends it; in this run it is suspended and completes at {}", format_time(at)),
        None => ", but the run ends before".to_owned(),
    }
}

/// `2.8 s (step 43)`.
fn when(trace: &Trace, step: StepId) -> String {
    format!("{} (step {})", format_time(trace.step(step).at.ns()), format_count(u64::from(step.0) + 1))
}

fn later(trace: &Trace, step: Option<StepId>, before: &str, never: &str) -> String {
    step.map_or_else(|| never.to_owned(), |step| format!("{before}{}", when(trace, step)))
}

/// `the job of task T0`, `job 2 of task T0`.
fn job_name(trace: &Trace, task: TaskId, job: JobNo) -> String {
    let task = trace.scenario().task(task);
    if task.jobs == Some(1) && job.0 == 0 {
        format!("the job of task {}", task.name)
    } else {
        format!("job {} of task {}", job.0, task.name)
    }
}

fn possessive(name: &str) -> String {
    format!("{name}'s")
}
