//! A chain of causes in words: two sentences for all of it, and one for its root.
//!
//! Depends on the rest of `why`, `quantity` and `sentence`. Invariant: words follow from the chain;
//! a sentence stays short however long the chain is.

use super::{Absent, Called, CauseLink, Root, Standing, Turn, Why};
use blockstep_sim::language::capitalized;
use blockstep_sim::scenario::Preemption;
use blockstep_sim::snapshot::{Claim, Residency};
use blockstep_sim::trace::{OpKind, Rule, Trace, Variant};
use blockstep_sim::units::{ClaimantId, JobNo, OpId, StepId};
use blockstep_view::quantity::{format_bytes, format_count, format_time};
use blockstep_view::reason::Reason;
use blockstep_view::sentence;

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

/// How the operation stands, in at most two short sentences: what it waits for, then what the chain comes to in the end.
#[must_use]
pub fn headline(trace: &Trace, why: &Why) -> String {
    let name = trace.op_label(why.op);
    match (why.standing, why.links.first()) {
        (Standing::Complete(step), _) => format!("{name} completed at {}.", time_of(trace, step)),
        (Standing::NotIssued(step), _) => {
            let task = &trace.scenario().task(trace.row_of(why.op).task).name;
            let before = before_issue(trace, why).map_or_else(String::new, |before| format!(" {before}"));
            format!("Task {task} launches {name} at {}.{before}", time_of(trace, step))
        }
        (Standing::Executes, None) => match &why.root {
            Some(root @ Root::Block { block, sm, .. }) if trace.row_of(why.op).blocks > 1 => {
                format!("{name} executes {}. Its last block to end is block {block} on SM {}.", until(trace, root), sm.0)
            }
            Some(root @ Root::Spin { .. }) => root_text(trace, root, &[]),
            Some(root) => format!("{name} executes {}.", until(trace, root)),
            None => format!("{name} executes."),
        },
        (Standing::Waits | Standing::Executes, Some(link)) => {
            let who = if link.executes { format!("{} next block", possessive(&name)) } else { name };
            match link.reason {
                Reason::ToBeQueued => format!("{who} joins its next queue at this instant."),
                Reason::Completing => format!("{who} completes at this instant."),
                Reason::ToBeAssigned if link.text.starts_with("to be ") => format!("{who} is assigned at this instant."),
                Reason::ToBeAssigned => format!("{who} waits: {}.", link.text),
                _ => {
                    let (first, second) = (waited_for(trace, &who, link, why.root.as_ref()), in_the_end(trace, why));
                    second.map_or_else(|| first.clone(), |second| format!("{first} {second}"))
                }
            }
        }
        (Standing::Waits, None) => format!("{name} waits."),
    }
}

/// What the launch of an operation waits for, of one that is not issued.
fn before_issue(trace: &Trace, why: &Why) -> Option<String> {
    let row = trace.scenario().row(trace.scenario().call_of(trace.op(why.op).row));
    if let Some(Called { row, job, awaits }) = why.call {
        let (call, awaits) = (sentence::call(trace, row, job), trace.op_label(awaits));
        let end = match &why.root {
            Some(root @ (Root::Block { .. } | Root::Copy { .. })) if why.links.is_empty() => {
                format!(", which executes {}", until(trace, root))
            }
            _ => String::new(),
        };
        return Some(format!("Its CPU thread waits in {call} for {awaits}{end}."));
    }
    if let Some(Root::Release { task, job, .. }) = &why.root {
        return Some(format!("{} is not released yet.", capitalized(&job_name(trace, *task, *job))));
    }
    let start = format_time(row.start.ns());
    match (row.after, row.start.ns()) {
        (Some(after), 0) => Some(format!("First, {} has to be complete.", trace.scenario().row(after).name)),
        (Some(after), _) => Some(format!("That is {start} after {} is complete.", trace.scenario().row(after).name)),
        (None, 1..) if trace.scenario().task(row.task).jobs != Some(1) => Some(format!("That is {start} after it releases the job.")),
        (None, 0) if trace.scenario().task(row.task).calls_in_turn => Some("Its earlier calls have to return first.".to_owned()),
        _ => None,
    }
}

/// What a link waits for, as a sentence about `who`.
fn waited_for(trace: &Trace, who: &str, link: &CauseLink, root: Option<&Root>) -> String {
    let label = |op: OpId| trace.op_label(op);
    match link.reason {
        Reason::Producer { task, job } => format!("{who} waits for {}.", job_name(trace, task, job)),
        Reason::BehindInStream { op } => {
            format!("{who} waits behind {} in {}.", label(op), sentence::stream(trace, trace.op(op).stream))
        }
        Reason::N1 { op } => format!("{who} waits in the NULL stream for {}, launched before it.", label(op)),
        Reason::N2 { op } => format!("{who} waits for {} in the NULL stream.", label(op)),
        Reason::Graph { op } if trace.are_of_one_graph(link.op, op) => format!("{who} waits for {}, a node of its graph.", label(op)),
        Reason::Graph { op } => {
            let stream = sentence::stream(trace, trace.layout().launched_into(trace.op(op).stream));
            match trace.row_of(link.op).node {
                Some(_) => format!("{who} waits for {}, which is before its graph in {stream}.", label(op)),
                None => format!("{who} waits behind {} in {stream}.", label(op)),
            }
        }
        Reason::Event { op } => {
            let call = trace.scenario().row(trace.scenario().call_of(trace.op(op).row));
            let event = call.records.map_or("", |event| trace.scenario().event_name(event));
            format!("{who} waits for event {event}, recorded behind {}.", label(op))
        }
        Reason::BehindInConnection { op } => {
            format!("{who} waits behind {} in {}.", label(op), sentence::connection(trace, trace.op(op).stream))
        }
        Reason::A2 { op } => format!("{who} waits behind {}, which has priority.", label(op)),
        Reason::X1 { op } => format!("{who} waits behind {}.", label(op)),
        Reason::CopyEngine { op } if trace.op(op).kind == OpKind::Kernel => format!("{who} waits for {}.", label(op)),
        Reason::CopyEngine { op } => {
            let engine = u8::from(trace.op(op).kind == OpKind::CopyOut && trace.scenario().device().copy_engines > 1);
            format!("{who} waits behind {} for {}.", label(op), sentence::copy_engine(trace.scenario(), engine))
        }
        Reason::NotLaunched => format!("{who} waits: {}.", link.text),
        Reason::NotResident => match root {
            Some(Root::Absent(absent)) => format!("{who} waits: {}.", who_goes_first(trace, absent)),
            _ => format!("{who} waits: its process does not have the GPU."),
        },
        Reason::Threads => lacks(trace, who, link, 0, root),
        Reason::SharedMemory => lacks(trace, who, link, 1, root),
        Reason::Registers => lacks(trace, who, link, 2, root),
        Reason::Slots => lacks(trace, who, link, 3, root),
        Reason::AllAtOnce => format!("{who} waits: it {}.", link.text),
        Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing => format!("{who} continues at this instant."),
    }
}

/// Why a process does not have the GPU, as a clause: whose turn it is, whose deadline is earlier, or what has to end first.
fn who_goes_first(trace: &Trace, absent: &Absent) -> String {
    let scenario = trace.scenario();
    let process = |space| sentence::process(trace, space);
    if absent.is_reset {
        return "the watchdog has reset its process".to_owned();
    }
    if let Some(at) = absent.unknown_until {
        return format!("the RunList Manager does not know of its job until {}", format_time(at.ns()));
    }
    if let Some(place) = absent.held_back {
        return format!("line {} of the policy holds its task back", trace.made(place).decision.line);
    }
    match absent.residency {
        Residency::Submitting { to, .. } => format!("the runlist of {} is being submitted", process(to)),
        Residency::Switching { to, .. } => format!("the GPU is switching to {}", process(to)),
        Residency::Idle { .. } | Residency::Shared => "the next process is chosen at this instant".to_owned(),
        Residency::Resident { space, draining, .. } => {
            let holder = if space == absent.space { "its process".to_owned() } else { process(space) };
            match (draining, scenario.preemption(space)) {
                (true, Preemption::Thread) => format!("{holder} gives way at the end of a pixel"),
                (true, Preemption::Kernel) => format!("{holder} gives way as soon as the kernels that it has begun are complete"),
                (true, Preemption::Block | Preemption::None) => format!("{holder} gives way as soon as what it executes is complete"),
                (false, preemption) => match (absent.slice_ends, absent.serves, absent.idle_until) {
                    (_, _, Some(at)) => format!("the GPU idles until signal B reports at {}", format_time(at.ns())),
                    (None, Some(serves), None) => served_first(trace, &serves, absent.own.as_ref(), preemption),
                    (Some(_), _, None) => format!("it is the turn of {holder}"),
                    (None, None, None) => format!("{holder} has the GPU"),
                },
            }
        }
    }
}

/// Why a job is served before that of the operation which waits.
fn served_first(trace: &Trace, serves: &Claim, own: Option<&Claim>, preemption: Preemption) -> String {
    let served = job_name(trace, serves.claimant, serves.job);
    let Some(own) = own.filter(|own| own.claimant != serves.claimant) else { return format!("{served} goes first") };
    let is_next = own.rank(trace.variants()) < serves.rank(trace.variants());
    let goes_by_deadline = !trace.variants().has(Variant::FixedPriority);
    match (serves.deadline, own.deadline) {
        _ if is_next && preemption == Preemption::None => format!("{served} is not preempted"),
        _ if is_next => format!("{} goes first from now on", job_name(trace, own.claimant, own.job)),
        (Some(first), Some(then)) if first < then && goes_by_deadline => {
            let inherited = if serves.inherited_from.is_some() { "inherited " } else { "" };
            let (first, then) = (format_time(first.ns()), format_time(then.ns()));
            format!("the {inherited}deadline of {served}, {first}, is earlier than its own, {then}")
        }
        (Some(_), None) => format!("{served} goes before best effort"),
        _ => format!("{served} goes first"),
    }
}

/// `K1's next block needs 768 threads; they are free at 1 s, when K1's block 0 ends.`
fn lacks(trace: &Trace, who: &str, link: &CauseLink, which: usize, root: Option<&Root>) -> String {
    let room = link.room.as_ref();
    let need = match (which, room) {
        (3, _) => "a block slot".to_owned(),
        (_, Some(room)) => amount_of(which, room.need[which]),
        (_, None) => resource_name(which).to_owned(),
    };
    let who = if link.executes { who.to_owned() } else { format!("{} next block", possessive(&trace.op_label(link.op))) };
    let they_are = if which == 0 || which == 2 { "they are" } else { "it is" };
    match root {
        Some(Root::Block { op, block, step: Some(step), .. }) => {
            let owner = possessive(&trace.op_label(*op));
            format!("{who} needs {need}; {they_are} free at {}, when {owner} block {block} ends.", time_of(trace, *step))
        }
        Some(Root::Block { .. }) => format!("{who} needs {need}; {they_are} not free before the run ends."),
        Some(Root::Spin { op, .. }) => format!("{who} needs {need}, held by blocks of {} that spin.", trace.op_label(*op)),
        _ => format!("{who} needs {need}, which no SM has free."),
    }
}

/// What the chain comes to, where its first link does not say it.
fn in_the_end(trace: &Trace, why: &Why) -> Option<String> {
    let (root, last) = (why.root.as_ref()?, why.links.last()?);
    let is_near = why.links.len() == 1;
    let subject = match root {
        Root::Block { .. } if last.room.is_some() => Some(last.op),
        Root::Block { op, .. } | Root::Copy { op, .. } => Some(*op),
        _ => None,
    };
    // What is between the first cause and this one is left out, and the chain shows it.
    let at_the_root =
        if is_near || subject == why.links.first().and_then(|first| first.reason.blocker()) { "" } else { "The root cause: " };
    let it = |name: String| if is_near { "It".to_owned() } else { capitalized(&name) };
    Some(match root {
        Root::Block { .. } if last.room.is_some() => {
            if is_near {
                return None;
            }
            let who = trace.op_label(last.op);
            let who = if last.executes { format!("{} next block", possessive(&who)) } else { who };
            format!("{at_the_root}{}", waited_for(trace, &who, last, Some(root)))
        }
        Root::Block { op, .. } | Root::Copy { op, .. } => {
            format!("{at_the_root}{} executes {}.", trace.op_label(*op), until(trace, root))
        }
        Root::Spin { .. } => root_text(trace, root, &[]),
        Root::Absent(absent) => {
            let process = format!("Process {}", trace.space_name(absent.space));
            absent.enters.map_or_else(
                || format!("{process} does not get the GPU again in this run."),
                |step| format!("{process} gets the GPU at {}.", time_of(trace, step)),
            )
        }
        Root::Launch { task, step } => {
            let task = &trace.scenario().task(*task).name;
            let kernel = it(format!("the kernel of task {task}"));
            step.map_or_else(
                || format!("{kernel} is never launched in this run."),
                |step| format!("{kernel} is launched at {}.", time_of(trace, step)),
            )
        }
        Root::Release { task, job, step, .. } => {
            let job = it(job_name(trace, *task, *job));
            step.map_or_else(
                || format!("{job} is never released in this run."),
                |step| format!("{job} is released at {}.", time_of(trace, step)),
            )
        }
        Root::Issue { task, step, .. } => {
            let task = &trace.scenario().task(*task).name;
            step.map_or_else(
                || format!("Task {task} launches nothing more of it in this run."),
                |step| format!("Task {task} launches the next operation of it at {}.", time_of(trace, step)),
            )
        }
        Root::Now => return None,
        Root::Cycle { .. } if is_near => "It never continues.".to_owned(),
        Root::Cycle { .. } => "The causes form a circle, so none of them ever ends.".to_owned(),
    })
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
        Root::Block { op, block, sm, ends, step, .. } => {
            let name = trace.op_label(*op);
            format!(
                "Block {block} of {name} executes on SM {}. It completes at {}{}.",
                sm.0,
                format_time(ends.ns()),
                changed(trace, ends.ns(), *step)
            )
        }
        Root::Spin { op, step } => {
            let then =
                step.map_or_else(|| "in this run they never go on".to_owned(), |step| format!("they go on at {}", when(trace, step)));
            format!("Blocks of {} spin until {}; {then}.", trace.op_label(*op), sentence::spun_for(trace, *op))
        }
        Root::Copy { op, ends, step, .. } => {
            let name = trace.op_label(*op);
            let engine = u8::from(trace.op(*op).kind == OpKind::CopyOut && trace.scenario().device().copy_engines > 1);
            let on = sentence::copy_engine(trace.scenario(), engine);
            format!("{name} executes on {on}. It completes at {}{}.", format_time(ends.ns()), changed(trace, ends.ns(), *step))
        }
        Root::Absent(absent) => absent_text(trace, absent),
        Root::Launch { task, step } => {
            let task = &trace.scenario().task(*task).name;
            match step {
                Some(step) => format!("The policy launches this kernel of task {task} at {}.", when(trace, *step)),
                None => format!("The run ends before the policy launches this kernel of task {task}."),
            }
        }
        Root::Release { task, job, step, is_beyond_last } => {
            let name = job_name(trace, *task, *job);
            match (step, is_beyond_last) {
                (Some(step), _) => format!("{} is released at {}.", capitalized(&name), when(trace, *step)),
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
    if absent.is_reset {
        return format!("The watchdog has reset the channel of process {}: it never runs again.", trace.space_name(absent.space));
    }
    let who = match absent.residency {
        Residency::Submitting { to, until, .. } => {
            format!("The runlist of {} is being submitted until {}; then comes the switch.", process(to), format_time(until.ns()))
        }
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
            let waits = absent.idle_until.zip(absent.serves).map_or_else(String::new, |(at, serves)| {
                let job = job_name(trace, serves.claimant, serves.job);
                let job = if scenario.claimant(serves.claimant).batch.is_some() { job } else { format!("the batch of {job}") };
                format!(" The GPU idles until signal B reports at {} that {job} has completed.", format_time(at.ns()))
            });
            let right = match (absent.slice_ends, &absent.serves) {
                (Some(ends), None) => format!("; its timeslice ends at {}", format_time(ends.ns())),
                (Some(ends), Some(serves)) => {
                    let served = job_name(trace, serves.claimant, serves.job);
                    format!(" for {served}, of the same chain; its timeslice ends at {}", format_time(ends.ns()))
                }
                (None, Some(serves)) => right_of(trace, serves, absent.own.as_ref(), preemption),
                (None, None) if preemption == Preemption::None => ", and stays as long as it has work".to_owned(),
                (None, None) => String::new(),
            };
            let leaves = later(trace, absent.leaves, " It leaves at ", " It does not leave before the run ends");
            format!("Process {} is resident{right}.{waits}{leaves}.", trace.space_name(space))
        }
    };
    let held_back = absent.held_back.map_or_else(String::new, |place| {
        let line = trace.made(place).decision.line;
        let admitted = later(trace, absent.admitted, "; it is admitted at ", ", and is not admitted before the run ends");
        format!("The policy holds its task back, by line {line}{admitted}. ")
    });
    let unknown = absent.unknown_until.map_or_else(String::new, |at| {
        format!("The RunList Manager does not know of this job yet: signal A arrives at {}. ", format_time(at.ns()))
    });
    let enters = later(trace, absent.enters, "is resident from ", "is not resident again in this run");
    let next = absent.next.map_or_else(String::new, |turn| turn_text(trace, &turn));
    let more = match absent.more {
        0 => String::new(),
        1 => " Another turn follows.".to_owned(),
        n => format!(" {} more turns follow.", format_count(n as u64)),
    };
    format!("{held_back}{unknown}{who}{next}{more} Process {} {enters}.", trace.space_name(absent.space))
}

/// ` Then process P1 is resident from 2.1 ms (step 24), by L1.`; of a job that was chosen, why it was.
fn turn_text(trace: &Trace, turn: &Turn) -> String {
    let by = match turn.chosen.map(|step| trace.step(step)) {
        None => ".".to_owned(),
        Some(step) if step.rule == Rule::L1 => ", by L1.".to_owned(),
        Some(step) => format!(", by {}: {}", step.rule.id(), sentence::sentence(trace, step)),
    };
    format!(" Then process {} is resident from {}{by}", trace.space_name(turn.space), when(trace, turn.enters))
}

/// Why a job is served before another one, by what the scheduler compares.
fn right_of(trace: &Trace, serves: &Claim, own: Option<&Claim>, preemption: Preemption) -> String {
    let served = job_name(trace, serves.claimant, serves.job);
    let deadline = |claim: &Claim| match (claim.deadline, claim.inherited_from) {
        (Some(at), Some(from)) => format!("deadline {}, inherited from task {}", format_time(at.ns()), trace.scenario().task(from).name),
        (Some(at), None) => format!("deadline {}", format_time(at.ns())),
        (None, _) => "best effort".to_owned(),
    };
    let mut text = format!(" for {served} ({})", deadline(serves));
    if let Some(own) = own.filter(|own| own.claimant != serves.claimant) {
        // Of equals, the one that is served already goes on.
        let ranked = own.rank(trace.variants()) < serves.rank(trace.variants());
        let own_name = job_name(trace, own.claimant, own.job);
        text += &match (ranked, preemption) {
            (false, _) => format!(", which goes before {own_name} ({})", deadline(own)),
            (true, Preemption::None) => format!(", which is not preempted, although {own_name} ({}) has precedence", deadline(own)),
            (true, _) => format!("; {own_name} ({}) goes first from now on", deadline(own)),
        };
    }
    text
}

/// Until when a root executes: `until 2 s`.
fn until(trace: &Trace, root: &Root) -> String {
    match root {
        Root::Block { ends, step, is_suspended, .. } | Root::Copy { ends, step, is_suspended, .. } => match step {
            Some(step) if trace.step(*step).at == *ends => format!("until {}", format_time(ends.ns())),
            Some(step) => format!("now, is suspended later, and ends at {}", time_of(trace, *step)),
            None if *is_suspended => "now, and does not complete before the run ends".to_owned(),
            None => "beyond the end of the run".to_owned(),
        },
        _ => "until this instant".to_owned(),
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

fn time_of(trace: &Trace, step: StepId) -> String {
    format_time(trace.step(step).at.ns())
}

fn later(trace: &Trace, step: Option<StepId>, before: &str, never: &str) -> String {
    step.map_or_else(|| never.to_owned(), |step| format!("{before}{}", when(trace, step)))
}

/// `the job of task T0`, `job 2 of task T0`.
fn job_name(trace: &Trace, claimant: impl Into<ClaimantId>, job: JobNo) -> String {
    let claimant = claimant.into();
    let task = trace.scenario().claims_for(claimant);
    let name = if task.jobs == Some(1) && job.0 == 0 {
        format!("the job of task {}", task.name)
    } else {
        format!("job {} of task {}", job.0, task.name)
    };
    match &trace.scenario().claimant(claimant).batch {
        Some(batch) => format!("batch {} of {name}", batch.name),
        None => name,
    }
}

fn possessive(name: &str) -> String {
    format!("{name}'s")
}
