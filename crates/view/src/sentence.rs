//! What a step does, in one sentence.
//!
//! Depends on `trace`, `scenario` and `quantity`. Invariant: a sentence follows from its step
//! alone, so a list of steps needs no states.

use super::position::Stop;
use super::quantity::{format_count, format_time};
use blockstep_sim::language::all_of;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::{Call, Chain, Preemption, Reached, Scenario};
use blockstep_sim::trace::{Change, EngineNo, Level, Rule, Signal, Step, Told, Trace, Variant};
use blockstep_sim::units::{ClaimantId, JobNo, OpId, RowId, SpaceId, StreamId, TaskId, Time};

/// What a step does: `Block 0 of K1 is assigned to SM 0.`
#[must_use]
pub fn sentence(trace: &Trace, step: &Step) -> String {
    let scenario = trace.scenario();
    let name = |op: OpId| trace.op_label(op);
    match step.change {
        Change::JobReleased { task, job } => format!("Task {} releases {}.", scenario.task(task).name, its_job(scenario, task, job)),
        Change::JobCompleted { task, job } => {
            let in_time = match step.rule {
                Rule::D1 => ", in time",
                _ if scenario.task(task).deadline.is_some() => ", after its deadline",
                _ => "",
            };
            match scenario.task(task).jobs {
                Some(1) => format!("The job of task {} is complete{in_time}.", scenario.task(task).name),
                _ => format!("Job {} of task {} is complete{in_time}.", job.0, scenario.task(task).name),
            }
        }
        Change::DeadlineMissed { task, job } => {
            format!("Task {} misses the deadline of {}, which is not complete.", scenario.task(task).name, its_job(scenario, task, job))
        }
        Change::Issued { op } => {
            format!("Task {} issues {} to {}.", scenario.task(trace.row_of(op).task).name, name(op), stream_of(trace, op))
        }
        Change::EeJoined { op, level } => joined(trace, step.rule, op, &ee_queue(scenario, level)),
        Change::CeJoined { op, engine } => joined(trace, step.rule, op, &ce_queue(scenario, engine)),
        Change::BlockAssigned { op, block, sm } if step.rule == Rule::A2 => {
            format!("Block {block} of {} is assigned to SM {}, before anything in the low-priority EE queue.", name(op), sm.0)
        }
        Change::BlockAssigned { op, block, sm } => format!("Block {block} of {} is assigned to SM {}.", name(op), sm.0),
        Change::EeLeft { op, level } if trace.variants().has(Variant::OneKernel) => {
            format!("All blocks of {} have completed; it leaves {}.", name(op), ee_queue(scenario, level))
        }
        Change::EeLeft { op, level } => format!("{0}'s last block is assigned, so {0} leaves {1}.", name(op), ee_queue(scenario, level)),
        Change::BlockEnded { op, block, sm } => format!("Block {block} of {} completes and frees its place on SM {}.", name(op), sm.0),
        Change::SpinEnded { op } => format!("The blocks of {} that have spun go on: {}.", name(op), spun_for(trace, op)),
        Change::KernelCompleted { op } => format!("All blocks of {} have completed; it leaves {}.", name(op), stream_of(trace, op)),
        Change::CopyAssigned { op, engine } => format!("{} is assigned to {}.", name(op), copy_engine(scenario, engine)),
        Change::CeLeft { op, engine } => format!("{} leaves {}.", name(op), ce_queue(scenario, engine)),
        Change::CopyCompleted { op, engine } => {
            format!("{} completes; it leaves {} and {}.", name(op), copy_engine(scenario, engine), stream_of(trace, op))
        }
        Change::SignalSent { signal, claimant, job } => {
            let arrives = step.at.after(scenario.policy().signal_time()).unwrap_or(Time::MAX);
            let job = job_of(scenario, claimant, job);
            let what = match signal {
                Signal::Submitted => format!("{job} has new work"),
                Signal::Completed => format!("{} has completed", the_batch(scenario, claimant, &job)),
            };
            format!("Signal {} to the RunList Manager: {what}. It arrives at {}.", signal.letter(), format_time(arrives.ns()))
        }
        Change::SignalArrived { signal: Signal::Submitted, claimant, job } => {
            format!("Signal A arrives: the RunList Manager knows of the new work of {}.", job_of(scenario, claimant, job))
        }
        Change::SignalArrived { signal: Signal::Completed, claimant, job } => {
            let batch = the_batch(scenario, claimant, &job_of(scenario, claimant, job));
            format!("Signal B arrives: the RunList Manager knows that {batch} has completed.")
        }
        Change::RunlistSubmitted { to, until } => {
            let process = process(trace, to);
            let of = if scenario.policy().chain == Chain::Resident { "the channels of the chain of" } else { "only the channels of" };
            format!("The RunList Manager submits a runlist with {of} {process}; that ends at {}.", format_time(until.ns()))
        }
        Change::SwitchStarted { to, until } => {
            format!("A context switch to {} begins; it ends at {}.", process(trace, to), format_time(until.ns()))
        }
        Change::Entered { space } => format!("{} is now resident.", capital(process(trace, space))),
        Change::DrainStarted { space, .. } if scenario.preemption(space) == Preemption::Thread => {
            let process = capital(process(trace, space));
            format!("{process} starts no new work and leaves when the blocks of its graphics tasks are at the end of a pixel.")
        }
        Change::ChannelReset { space } => {
            let time = format_time(scenario.policy().watchdog_ns.unwrap_or_default());
            format!("{} has not yielded for {time}: its channel is reset, and it never runs again.", capital(process(trace, space)))
        }
        Change::DrainStarted { space, .. } => {
            let what = match scenario.preemption(space) {
                Preemption::Kernel => "the kernels that have started have",
                Preemption::Thread | Preemption::Block | Preemption::None => "the running work has",
            };
            format!("{} starts no new work and leaves when {what} completed.", capital(process(trace, space)))
        }
        Change::Left { space } => format!("{} leaves the GPU.", capital(process(trace, space))),
        Change::BlockSuspended { op, block, sm } => format!("Block {block} of {} is suspended on SM {}.", name(op), sm.0),
        Change::BlockResumed { op, block, sm } => format!("Block {block} of {} resumes on SM {}.", name(op), sm.0),
        Change::CopySuspended { op, engine } => format!("{} is suspended on {}.", name(op), copy_engine(scenario, engine)),
        Change::CopyResumed { op, engine } => format!("{} resumes on {}.", name(op), copy_engine(scenario, engine)),
        Change::Chosen { claimant, job } => {
            let why = match step.rule {
                Rule::E2 => "no real-time job is pending",
                Rule::E1 if trace.variants().has(Variant::FixedPriority) => "its task is the first",
                Rule::E3 => "it inherits the earliest deadline",
                _ => "its deadline is the earliest",
            };
            let task = scenario.claims_for(claimant);
            match task.jobs {
                _ if scenario.claimant(claimant).batch.is_some() => {
                    format!("{} is chosen: {why}.", capital(job_of(scenario, claimant, job)))
                }
                Some(1) => format!("The job of task {} is chosen: {why}.", task.name),
                _ => format!("Job {} of task {} is chosen: {why}.", job.0, task.name),
            }
        }
        Change::ServerRenewed { claimant, deadline } => {
            let (name, budget) = (scenario.claimant_name(claimant), format_time(trace.budget(claimant).ns()));
            format!("The server of {name} has its full budget, {budget}, and the deadline {}.", format_time(deadline.ns()))
        }
        Change::DeadlinePostponed { claimant, deadline } => {
            let (name, budget) = (capital(scenario.claimant_name(claimant)), format_time(trace.budget(claimant).ns()));
            format!(
                "{name} has used up its budget: its server gets {budget} again, and its deadline is postponed to {}.",
                format_time(deadline.ns())
            )
        }
        Change::HostWaits { row, job } => waits_in_call(trace, row, job),
        Change::HostReturned { row, job } => {
            let task = &scenario.task(scenario.row(row).task).name;
            format!("{} returns: what task {task} waited for is complete.", call(trace, row, job))
        }
        Change::PolicyTold { decision } => told(trace, decision),
        Change::EntryVisited { space, entry } => {
            format!("The Host finds work at entry {} of the runlist: {}.", format_count(entry), process(trace, space))
        }
    }
}

/// What the blocks of a kernel spin for, as it holds when they go on: `all its blocks have begun and S is complete`.
#[must_use]
pub fn spun_for(trace: &Trace, op: OpId) -> String {
    let spins = &trace.row_of(op).spins;
    let mut parts = Vec::new();
    if spins.barrier {
        parts.push("all its blocks have begun".to_owned());
    }
    parts.extend(spins.flags.iter().map(|&(row, reached)| {
        let name = &trace.scenario().row(row).name;
        match reached {
            Reached::Begun => format!("{name} has begun"),
            Reached::AllBegun => format!("all blocks of {name} have begun"),
            Reached::Completed => format!("{name} is complete"),
        }
    }));
    all_of(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What a policy of one's own was told, and what it has decided by which line.
fn told(trace: &Trace, place: u32) -> String {
    let (scenario, made) = (trace.scenario(), trace.made(place));
    let what = match made.told {
        Told::Request(task, job) => format!("Task {} requests the GPU for {}", scenario.task(task).name, its_job(scenario, task, job)),
        Told::End(task, job) => format!("Task {} gives the GPU back after {}", scenario.task(task).name, its_job(scenario, task, job)),
        Told::Tick => "The policy learns that time has passed".to_owned(),
        Told::Launch(task, _, op) => {
            format!("The policy learns that a kernel of task {} is launched: {}", scenario.task(task).name, trace.op_label(op))
        }
        Told::Finish(task, _, op) => {
            format!("The policy learns that a kernel of task {} has finished: {}", scenario.task(task).name, trace.op_label(op))
        }
    };
    let before = place.checked_sub(1).map(|before| &trace.made(before).decision);
    let (admitted, line) = (made.decision.admitted, made.decision.line);
    let is_as_before = before.map(|before| before.admitted).unwrap_or_default() == admitted;
    let launches = made.launching().map_or_else(String::new, |(tasks, line)| {
        let is_same =
            before.is_some_and(|before| before.launching.map(|(tasks, _)| tasks) == made.decision.launching.map(|(tasks, _)| tasks));
        format!(" Line {line}: {} launch kernels.", who_may(scenario, tasks, is_same))
    });
    format!("{what}. Line {line} of the policy: {} use the GPU.{launches}", who_may(scenario, made.admitted(), is_as_before))
}

/// Which tasks may do something: `A and B may`; the same tasks as before, `A and B may still`.
fn who_may(scenario: &Scenario, tasks: impl Iterator<Item = TaskId>, is_as_before: bool) -> String {
    let names: Vec<&str> = tasks.map(|task| scenario.task(task).name.as_str()).collect();
    match (names.is_empty(), is_as_before) {
        (true, true) => "still nobody may".to_owned(),
        (true, false) => "nobody may".to_owned(),
        (false, true) => format!("{} may still", all_of(&names)),
        (false, false) => format!("{} may", all_of(&names)),
    }
}

/// A call of a CPU thread by the row's name and its function: `sync (cudaStreamSynchronize)`.
#[must_use]
pub fn call(trace: &Trace, row: RowId, job: JobNo) -> String {
    let info = trace.scenario().row(row);
    format!("{} ({})", trace.call_label(row, job), info.call.function(info.synchronous))
}

/// What a CPU thread waits for in a call.
fn waits_in_call(trace: &Trace, row: RowId, job: JobNo) -> String {
    let scenario = trace.scenario();
    let info = scenario.row(row);
    let until = match info.call {
        Call::SynchronizeStream => format!("until {} has completed what it holds", stream(trace, trace.layout().stream_of(row))),
        Call::SynchronizeEvent => {
            let events: Vec<&str> = info.waits_for.iter().map(|&event| scenario.event_name(event)).collect();
            match events.as_slice() {
                [event] => format!("until event {event} is complete"),
                events => format!("until the events {} are complete", all_of(events)),
            }
        }
        call if call.waits_for_device() => "until everything issued before it is complete".to_owned(),
        Call::Memset => "until the memory is set".to_owned(),
        _ => "until the copy is complete".to_owned(),
    };
    format!("Task {} waits in {} {until}.", scenario.task(info.task).name, call(trace, row, job))
}

/// Where the cursor stands, for screen readers: `Step 12 of 59, 1 s: …`; where it stands later than the
/// last step, `1.2 s, after step 12 of 59 at 1 s: …`.
#[must_use]
pub fn spoken(trace: &Trace, stop: Stop) -> String {
    let stop = stop.within(trace);
    let total = format_count(trace.steps().len() as u64);
    let (count, at_text) = (format_count(stop.position.into()), format_time(stop.at.ns()));
    match last_step(trace, stop) {
        None => format!("Before the first of {total} steps, {at_text}."),
        Some(step) if step.at < stop.at => {
            format!("{at_text}, after step {count} of {total} at {}: {}", format_time(step.at.ns()), sentence(trace, step))
        }
        Some(step) => format!("Step {count} of {total}, {at_text}: {}", sentence(trace, step)),
    }
}

/// When a stop is, for captions: `after step 12, 1 s`; later than that step, `1.2 s, after step 12 at 1 s`.
#[must_use]
pub fn when(trace: &Trace, stop: Stop) -> String {
    let stop = stop.within(trace);
    let (count, at_text) = (format_count(stop.position.into()), format_time(stop.at.ns()));
    match last_step(trace, stop) {
        None if stop.at == Time::ZERO => "before the first step".to_owned(),
        None => format!("{at_text}, before the first step"),
        Some(step) if step.at < stop.at => format!("{at_text}, after step {count} at {}", format_time(step.at.ns())),
        Some(_) => format!("after step {count}, {at_text}"),
    }
}

/// The last step applied.
fn last_step(trace: &Trace, stop: Stop) -> Option<&Step> {
    trace.steps().get((stop.position as usize).checked_sub(1)?)
}

/// `the EE queue`, `the high-priority EE queue`.
#[must_use]
pub fn ee_queue(scenario: &Scenario, level: Level) -> String {
    if policy::uses(scenario, Setting::StreamPriority) {
        format!("the {}-priority EE queue", level.word())
    } else {
        "the EE queue".to_owned()
    }
}

/// `the CE queue`, `the input CE queue`.
#[must_use]
pub fn ce_queue(scenario: &Scenario, engine: EngineNo) -> String {
    format!("the {}CE queue", side(scenario, engine))
}

/// `the copy engine`, `the output copy engine`.
#[must_use]
pub fn copy_engine(scenario: &Scenario, engine: EngineNo) -> String {
    format!("the {}copy engine", side(scenario, engine))
}

/// `stream S1`, `the NULL stream`.
#[must_use]
pub fn stream(trace: &Trace, id: StreamId) -> String {
    let label = trace.layout().label(trace.scenario(), id);
    if trace.layout().stream(id).is_null { format!("the {label} stream") } else { format!("stream {label}") }
}

/// `connection 2`: the hardware connection of a stream; nothing where streams share none.
#[must_use]
pub fn connection(trace: &Trace, stream: StreamId) -> String {
    trace.layout().connection(stream).map_or_else(String::new, |connection| format!("connection {}", connection.number))
}

/// `process P1`, or all processes of a shared address space.
#[must_use]
pub fn process(trace: &Trace, space: SpaceId) -> String {
    let word = if trace.layout().space(space).processes.len() > 1 { "processes" } else { "process" };
    format!("{word} {}", trace.space_name(space))
}

/// `task a`, or `job 2 of task a` where the task has several.
#[must_use]
pub fn job_of(scenario: &Scenario, claimant: ClaimantId, job: JobNo) -> String {
    let info = scenario.claims_for(claimant);
    let job = if info.jobs == Some(1) { format!("task {}", info.name) } else { format!("job {} of task {}", job.0, info.name) };
    match &scenario.claimant(claimant).batch {
        Some(batch) => format!("batch {} of {job}", batch.name),
        None => job,
    }
}

/// What has completed when signal B is sent: all that a job has issued, or a batch with a name.
pub(super) fn the_batch(scenario: &Scenario, claimant: ClaimantId, job: &str) -> String {
    if scenario.claimant(claimant).batch.is_some() { job.to_owned() } else { format!("the batch of {job}") }
}

/// Which of two copy engines, with a blank; nothing where there is one.
pub(super) fn side(scenario: &Scenario, engine: EngineNo) -> &'static str {
    match (scenario.device().copy_engines, engine) {
        (1, _) => "",
        (_, 0) => "input ",
        (_, _) => "output ",
    }
}

fn its_job(scenario: &Scenario, task: TaskId, job: JobNo) -> String {
    if scenario.task(task).jobs == Some(1) { "its job".to_owned() } else { format!("job {}", job.0) }
}

fn stream_of(trace: &Trace, op: OpId) -> String {
    stream(trace, trace.op(op).stream)
}

fn joined(trace: &Trace, rule: Rule, op: OpId, queue: &str) -> String {
    let name = trace.op_label(op);
    let stream = stream_of(trace, op);
    let waits_for_producers = !trace.scenario().task(trace.row_of(op).task).consumes.is_empty();
    match rule {
        Rule::N1 => format!("{name} in {stream} joins {queue}, because the other streams hold nothing launched before it."),
        Rule::N2 => format!("{name} in {stream} joins {queue}, because the NULL stream no longer holds it back."),
        Rule::W1 => {
            let call = trace.scenario().row(trace.scenario().call_of(trace.op(op).row));
            let events: Vec<&str> = call.waits_for.iter().map(|&event| trace.scenario().event_name(event)).collect();
            match events.as_slice() {
                [event] => format!("{name} in {stream} joins {queue}, because event {event} is complete."),
                events => format!("{name} in {stream} joins {queue}, because the last of the events {} is complete.", all_of(events)),
            }
        }
        Rule::W2 => match trace.row_of(op).node.as_ref().map(|node| node.waits_for.is_empty()) {
            Some(true) => format!("{name} in {stream} joins {queue}, because what was before its graph is complete."),
            Some(false) => format!("{name} in {stream} joins {queue}, because the nodes that it waits for are complete."),
            None => format!("{name} in {stream} joins {queue}, because the graph before it is complete."),
        },
        Rule::H1 => {
            let connection = connection(trace, trace.op(op).stream);
            format!("{name} in {stream} joins {queue}, because what was ahead of it in {connection} has moved on.")
        }
        Rule::P5 => format!("{name}, at the head of {stream}, joins {queue}: the policy launches kernels of its task."),
        // It may have stood there since its producers were still at work.
        _ if waits_for_producers => format!("{name}, at the head of {stream}, joins {queue}."),
        _ => format!("{name} reaches the head of {stream} and joins {queue}."),
    }
}

/// A sentence's first words, which are ours and so ASCII.
fn capital(mut text: String) -> String {
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
