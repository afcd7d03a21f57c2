//! What the timeline says in words: a tooltip of something on it, and a summary of it all.
//!
//! Depends on `trace`, `record` and `quantity`.

use super::quantity::{format_bytes, format_count, format_time};
use super::sentence;
use super::timeline::Hit;
use blockstep_sim::language::{counted, one_or, s};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Call, Class, Preemption};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, Span, Time, TimeRange};

type Lines = Vec<(&'static str, String)>;

pub(super) fn describe(trace: &Trace, records: &Records, hit: Hit) -> Lines {
    match hit {
        Hit::Block(i) => block(trace, records, i),
        Hit::Copy(i) => copy(trace, records, i),
        Hit::Launch(op) => launch(trace, records, op),
        Hit::Stay(i) => stay(trace, records, i),
        Hit::Switch(i) => switch(trace, records, i),
        Hit::Job(i) | Hit::Release(i) | Hit::Deadline(i) => job(trace, records, i),
        Hit::Refill(i) => refill(trace, records, i),
    }
}

/// What is known of an end only once it is there.
const LATER: [&str; 8] = ["End", "Duration", "Completed", "Response time", "Deadline is", "Executed", "Suspended", "Drains from"];

/// The same without what happens only after `now`.
pub(super) fn describe_until(trace: &Trace, records: &Records, hit: Hit, now: Time) -> Lines {
    let mut lines = describe(trace, records, hit);
    let launched = |op: OpId| &records.ops[op.index()];
    let end = match hit {
        Hit::Block(i) => records.blocks[i].end,
        Hit::Copy(i) => records.copies[i].end,
        Hit::Launch(op) => end_of_launch(trace, records, op),
        Hit::Stay(i) => Some(records.residency[i].1.end),
        Hit::Switch(i) => Some(records.switches[i].1.end),
        Hit::Job(i) | Hit::Release(i) | Hit::Deadline(i) => records.jobs[i].end,
        Hit::Refill(_) => None,
    };
    let is_later = |at: Option<Time>| at.is_none_or(|at| at > now);
    lines.retain(|(name, _)| match *name {
        "First block" => matches!(hit, Hit::Launch(op) if !is_later(launched(op).start)),
        "Complete" => !is_later(end),
        "Spun" => matches!(hit, Hit::Block(i) if !is_later(records.went_on(i).flatten())),
        name => !(LATER.contains(&name) && is_later(end)),
    });
    lines
}

/// Operations that a summary names.
const MAX_NAMED: usize = 40;

pub(super) fn summary(trace: &Trace, records: &Records) -> String {
    let mut text = format!("Block timeline of {}", counted(trace.scenario().device().sms, "SM"));
    if !records.residency.is_empty() {
        let (stays, switches) = (records.residency.len() as u64, records.switches.len() as u64);
        let (number_of_stays, number_of_switches) = (format_count(stays), format_count(switches));
        text += &format!(
            "; {number_of_stays} stay{} of resident processes, {number_of_switches} switch{} time",
            s(stays),
            one_or(switches, " that takes", "es that take")
        );
    }
    if records.has_spins() {
        text += "; blocks are hatched while they spin";
    }
    // Deadlines after the end of the run are judged by nobody.
    let [real_time, best_effort] = [Class::RealTime, Class::BestEffort].map(|class| records.judged(trace.scenario(), class));
    if real_time.judged > 0 {
        text += &format!("; {} of {} missed", format_count(real_time.missed), counted(real_time.judged, "deadline"));
    }
    if best_effort.judged > 0 {
        text += &format!("; best effort: {} of {} late", format_count(best_effort.missed), counted(best_effort.judged, "job"));
    }
    let named = records.ops.iter().enumerate().take(MAX_NAMED).filter_map(|(i, op)| {
        let (start, end) = (format_time(op.start?.ns()), format_time(op.end?.ns()));
        Some(format!("{} from {start} to {end}", trace.op_label(OpId::at(i))))
    });
    let named = named.collect::<Vec<_>>().join("; ");
    if named.is_empty() { text + "." } else { format!("{text}. {named}.") }
}

fn stay(trace: &Trace, records: &Records, i: usize) -> Lines {
    let (space, range) = records.residency[i];
    let mut lines = vec![("Resident", trace.space_name(space))];
    life(&mut lines, range.start, Some(range.end));
    let next = records.drains.partition_point(|(_, drain)| drain.end <= range.start);
    if let Some((_, drain)) = records.drains.get(next).filter(|(_, drain)| drain.start < range.end) {
        lines.push(("Drains from", format_time(drain.start.ns())));
    }
    lines
}

/// A switch with what [LP] II-B says of its phases, and Table II of the state that each mode has to keep.
fn switch(trace: &Trace, records: &Records, i: usize) -> Lines {
    let (to, range) = records.switches[i];
    let mut lines = vec![("To", trace.space_name(to))];
    life(&mut lines, range.start, Some(range.end));
    // Who was resident last left at the start of the switch, or earlier.
    let before = records.residency.partition_point(|(_, stay)| stay.end <= range.start);
    let Some((from, _)) = before.checked_sub(1).map(|last| records.residency[last]) else { return lines };
    let (paused, saved) = match trace.scenario().preemption(from) {
        Preemption::Thread => ("at once", "676.2 KiB: context 68.2, registers 512, local memory 96"),
        Preemption::Block => ("after the running blocks", "68.2 KiB: the context"),
        Preemption::Kernel => ("after the running kernels", "68.2 KiB: the context"),
        Preemption::None => ("after all its work", "68.2 KiB: the context"),
    };
    lines.extend([
        ("1 Pause", format!("of all GPCs by FECS, {paused}, before the start")),
        ("2 Save", format!("{saved}, by FECS and a GPCCS in each GPC")),
        ("3 Restore", "the state that the next process saved, by FECS and the GPCCSs".to_owned()),
        ("4 Resume", "of all GPCs by FECS, at the end".to_owned()),
        ("Source", "[LP] II-B; sizes of a GT 640, Table II".to_owned()),
    ]);
    lines
}

fn job(trace: &Trace, records: &Records, i: usize) -> Lines {
    let job = &records.jobs[i];
    let mut lines = vec![("Task", trace.scenario().task(job.task).name.clone()), ("Released", format_time(job.release.ns()))];
    if let Some(deadline) = job.deadline {
        lines.push(("Deadline", format_time(deadline.ns())));
    }
    lines.push(("Completed", job.end.map_or_else(|| "not in this run".to_owned(), |end| format_time(end.ns()))));
    if let Some(end) = job.end {
        lines.push(("Response time", format_time(end.since(job.release).ns())));
    }
    if let (Some(deadline), Some(met)) = (job.deadline, job.met) {
        let by = |end: Time| format!("missed by {}", format_time(end.since(deadline).ns()));
        lines.push(("Deadline is", if met { "met".to_owned() } else { job.end.map_or_else(|| "missed".to_owned(), by) }));
    }
    lines
}

fn refill(trace: &Trace, records: &Records, i: usize) -> Lines {
    let refill = records.refills[i];
    let why = if refill.is_postponed { "budget used up, deadline postponed" } else { "renewed as a job arrived" };
    vec![
        ("Server", why.to_owned()),
        ("At", format_time(refill.at.ns())),
        ("Budget", format_time(trace.budget(refill.claimant).ns())),
        ("New deadline", format_time(refill.deadline.ns())),
    ]
}

/// How long something was suspended, if it was.
fn suspended(lines: &mut Lines, start: Time, end: Time, runs: &[TimeRange]) {
    let executed: u64 = runs.iter().map(|run| run.span().ns()).sum();
    let whole = end.since(start).ns();
    if executed < whole {
        lines.push(("Executed", format_time(executed)));
        lines.push(("Suspended", format_time(whole - executed)));
    }
}

fn block(trace: &Trace, records: &Records, i: usize) -> Lines {
    let block = &records.blocks[i];
    let row = trace.row_of(block.op);
    let mut lines = vec![
        ("Block", format!("{}:{}", trace.op_label(block.op), block.block)),
        ("Kernel", format!("{} of {}", row.name, trace.scenario().task(row.task).name)),
        ("Stream", trace.layout().streams()[trace.op(block.op).stream.index()].name.clone()),
        ("SM", block.sm.0.to_string()),
    ];
    life(&mut lines, block.start, block.end);
    suspended(&mut lines, block.start, block.end.unwrap_or(records.end()), &records.block_runs(i));
    if let Some(spun) = records.spun(i).filter(|spun| spun.span() > Span::ZERO) {
        lines.push(("Spins until", sentence::spun_for(trace, block.op)));
        let is_endless = records.went_on(i).flatten().is_none();
        lines.push(("Spun", format_time(spun.span().ns()) + if is_endless { ", to the end of the run" } else { "" }));
    }
    lines.push(("Threads", format_count(u64::from(row.needs.threads))));
    lines.push(("Shared memory", format_bytes(row.needs.shared_memory)));
    if row.needs.registers > 0 {
        lines.push(("Registers", format_count(row.needs.registers)));
    }
    lines
}

fn copy(trace: &Trace, records: &Records, i: usize) -> Lines {
    let copy = &records.copies[i];
    let row = trace.row_of(copy.op);
    let direction = match (row.call, trace.op(copy.op).kind) {
        (Call::CopyOnDevice, _) => "within the device",
        (Call::Memset, _) => "none: it sets memory of the device",
        (_, OpKind::CopyOut) => "device to host",
        _ => "host to device",
    };
    let task = &trace.scenario().task(row.task).name;
    let of = if row.call == Call::Kernel { ("Kernel", format!("{} of {task}", row.name)) } else { ("Task", task.clone()) };
    let mut lines = vec![
        ("Copy", trace.op_label(copy.op)),
        of,
        ("Stream", trace.layout().streams()[trace.op(copy.op).stream.index()].name.clone()),
        ("Direction", direction.to_owned()),
    ];
    if let Some(copy) = trace.copy_of(copy.op) {
        lines.push(("Size", format_bytes(copy.bytes)));
    }
    life(&mut lines, copy.start, copy.end);
    suspended(&mut lines, copy.start, copy.end.unwrap_or(records.end()), &records.copy_runs(i));
    lines
}

/// When what is launched with an operation is complete: itself, or the whole graph of which it is the first.
fn end_of_launch(trace: &Trace, records: &Records, op: OpId) -> Option<Time> {
    let is_launched = |&other: &OpId| other == op || trace.are_of_one_graph(op, other);
    let launched = (op.index()..trace.ops().len()).map(OpId::at).take_while(is_launched);
    launched.map(|op| records.ops[op.index()].end).try_fold(Time::ZERO, |last, end| end.map(|end| end.max(last)))
}

fn launch(trace: &Trace, records: &Records, op: OpId) -> Lines {
    let row = trace.row_of(op);
    let life = &records.ops[op.index()];
    let or_not = |t: Option<Time>| t.map_or_else(|| "not in this run".to_owned(), |t| format_time(t.ns()));
    if let Some(node) = &row.node {
        let launch = trace.scenario().row(node.graph);
        return vec![
            ("Launch", trace.call_label(node.graph, trace.op(op).job)),
            ("Graph", counted(launch.nodes, "node")),
            ("Task", trace.scenario().task(row.task).name.clone()),
            ("Stream", trace.layout().stream(trace.layout().launched_into(trace.op(op).stream)).name.clone()),
            ("Launched", format_time(life.issued.ns())),
            ("Complete", or_not(end_of_launch(trace, records, op))),
        ];
    }
    let mut lines = vec![
        ("Launch", trace.op_label(op)),
        ("Task", trace.scenario().task(row.task).name.clone()),
        ("Stream", trace.layout().streams()[trace.op(op).stream.index()].name.clone()),
        ("Launched", format_time(life.issued.ns())),
    ];
    if let Some(copy) = trace.copy_of(op) {
        lines.extend([("Start", or_not(life.start)), ("Complete", or_not(life.end)), ("Size", format_bytes(copy.bytes))]);
        return lines;
    }
    lines.extend([
        ("First block", or_not(life.start)),
        ("Complete", or_not(life.end)),
        (
            "Blocks",
            format!("{} of {} thread{}", format_count(row.blocks), format_count(u64::from(row.needs.threads)), s(row.needs.threads)),
        ),
        ("Shared memory", format!("{} per block", format_bytes(row.needs.shared_memory))),
    ]);
    lines
}

/// Start, end and duration.
fn life(lines: &mut Lines, start: Time, end: Option<Time>) {
    lines.push(("Start", format_time(start.ns())));
    match end {
        Some(end) => {
            lines.push(("End", format_time(end.ns())));
            lines.push(("Duration", format_time(end.since(start).ns())));
        }
        None => lines.push(("End", "still running when the run ends".to_owned())),
    }
}
