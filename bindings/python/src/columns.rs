//! What a run did as tables: the rows and names of the command line's, with words where names repeat.
//!
//! Depends on `sim::record` and `view::breakdown`. Invariant: rows stand in the order of the command line's tables.

use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Scenario};
use blockstep_sim::trace::{OpKind, Rule, Trace};
use blockstep_sim::units::{OpId, Span, TaskId, Time};
use blockstep_view::breakdown::{Wait, breakdown_watched};

use crate::table::{Columns, Table, TableError};

type Made = Result<Table, TableError>;

/// What an operation is, as columns have it.
const KINDS: [&str; 3] = ["kernel", "copy_in", "copy_out"];

const fn kind(kind: OpKind) -> usize {
    match kind {
        OpKind::Kernel => 0,
        OpKind::CopyIn => 1,
        OpKind::CopyOut => 2,
    }
}

fn row_names(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.rows().iter().map(|row| row.name.as_str())
}

fn task_names(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.tasks().iter().map(|task| task.name.as_str())
}

fn process_names(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.processes().iter().map(|process| process.name.as_str())
}

/// How long something executed that began and may have ended: what it was suspended is left out.
fn executed(records: &Records, start: Time, end: Option<Time>, runs: Option<Vec<blockstep_sim::units::TimeRange>>) -> u64 {
    match runs {
        Some(runs) => runs.iter().map(|run| run.span().ns()).sum(),
        None => end.unwrap_or(records.end()).since(start).ns(),
    }
}

/// A row for each block that was assigned, in order of assignment.
pub(crate) fn blocks(trace: &Trace, records: &Records) -> Made {
    let blocks = &records.blocks;
    let time = |i: usize| {
        let runs = records.block_was_suspended(i).then(|| records.block_runs(i));
        executed(records, blocks[i].start, blocks[i].end, runs)
    };
    Columns::default()
        .names("kernel", row_names(trace.scenario()), blocks.iter().map(|block| trace.op(block.op).row.index()))?
        .small("job", blocks.iter().map(|block| trace.op(block.op).job.0))?
        .small("block", blocks.iter().map(|block| block.block))?
        .small("sm", blocks.iter().map(|block| block.sm.0.into()))?
        .numbers("start_ns", blocks.iter().map(|block| block.start.ns()))?
        .times("end_ns", blocks.iter().map(|block| block.end))?
        .numbers("executed_ns", (0..blocks.len()).map(time))?
        .table()
}

/// A row for each copy that was assigned, in order of assignment.
pub(crate) fn copies(trace: &Trace, records: &Records) -> Made {
    let copies = &records.copies;
    let time = |i: usize| executed(records, copies[i].start, copies[i].end, Some(records.copy_runs(i)));
    Columns::default()
        .found_words("op", copies.iter().map(|copy| Some(trace.op_name(copy.op))))?
        .words("kernel", row_names(trace.scenario()), copies.iter().map(|copy| Some(trace.op(copy.op).row.index())))?
        .words("kind", KINDS.iter(), copies.iter().map(|copy| Some(kind(trace.op(copy.op).kind))))?
        .small("job", copies.iter().map(|copy| trace.op(copy.op).job.0))?
        .small("engine", copies.iter().map(|copy| copy.engine.into()))?
        .numbers("bytes", copies.iter().map(|copy| trace.copy_of(copy.op).map_or(0, |copy| copy.bytes)))?
        .numbers("start_ns", copies.iter().map(|copy| copy.start.ns()))?
        .times("end_ns", copies.iter().map(|copy| copy.end))?
        .numbers("executed_ns", (0..copies.len()).map(time))?
        .table()
}

/// A row for each kernel that was issued, in issue order.
pub(crate) fn kernels(trace: &Trace, records: &Records) -> Made {
    let scenario = trace.scenario();
    let is_kernel = |op: &OpId| trace.op(*op).kind == OpKind::Kernel;
    let ops: Vec<OpId> = (0..records.ops.len()).map(OpId::at).filter(is_kernel).collect();
    let row = |op: &OpId| trace.row_of(*op);
    let record = |op: &OpId| &records.ops[op.index()];
    let streams = trace.layout().streams().iter().map(|stream| stream.name.as_str());
    Columns::default()
        .words("kernel", row_names(scenario), ops.iter().map(|op| Some(trace.op(*op).row.index())))?
        .words("task", task_names(scenario), ops.iter().map(|op| Some(row(op).task.index())))?
        .words("process", process_names(scenario), ops.iter().map(|op| Some(scenario.task(row(op).task).process.index())))?
        .words("stream", streams, ops.iter().map(|op| Some(trace.op(*op).stream.index())))?
        .small("job", ops.iter().map(|op| trace.op(*op).job.0))?
        .numbers("issued_ns", ops.iter().map(|op| record(op).issued.ns()))?
        .times("queued_ns", ops.iter().map(|op| record(op).queued))?
        .times("start_ns", ops.iter().map(|op| record(op).start))?
        .times("end_ns", ops.iter().map(|op| record(op).end))?
        .optional("response_ns", ops.iter().map(|op| record(op).end.map(|end| end.since(record(op).issued).ns())))?
        .numbers("blocks", ops.iter().map(|op| row(op).blocks))?
        .small("threads_per_block", ops.iter().map(|op| row(op).needs.threads))?
        .numbers("shared_memory_bytes_per_block", ops.iter().map(|op| row(op).needs.shared_memory))?
        .numbers("registers_per_block", ops.iter().map(|op| row(op).needs.registers))?
        .table()
}

/// A row for each job that was released, by release, then in the order of the task table.
pub(crate) fn jobs(trace: &Trace, records: &Records) -> Made {
    let scenario = trace.scenario();
    let (jobs, task) = (&records.jobs, |task: TaskId| scenario.task(task));
    Columns::default()
        .words("task", task_names(scenario), jobs.iter().map(|job| Some(job.task.index())))?
        .words("process", process_names(scenario), jobs.iter().map(|job| Some(task(job.task).process.index())))?
        .found_words("class", jobs.iter().map(|job| Some(task(job.task).class.word())))?
        .small("job", jobs.iter().map(|job| job.job.0))?
        .numbers("release_ns", jobs.iter().map(|job| job.release.ns()))?
        .times("deadline_ns", jobs.iter().map(|job| job.deadline))?
        .times("end_ns", jobs.iter().map(|job| job.end))?
        .optional("response_ns", jobs.iter().map(|job| job.end.map(|end| end.since(job.release).ns())))?
        .truths("met", jobs.iter().map(|job| job.met))
        .table()
}

/// A row for each wait: by operation, in issue order, then by time.
pub(crate) fn waits(run: &Run, records: &Records) -> Made {
    let (trace, scenario) = (&*run.trace, run.trace.scenario());
    let mut waits: Vec<Wait> = Vec::new();
    breakdown_watched(run.replay(), records, &mut |wait| waits.push(wait));
    waits.sort_by_key(|wait| (wait.op, wait.range.start, wait.is_rest));
    let (op, row) = (|wait: &Wait| trace.op(wait.op), |wait: &Wait| trace.row_of(wait.op));
    // An operation waits several times in a row.
    let mut ops: Vec<OpId> = waits.iter().map(|wait| wait.op).collect();
    ops.dedup();
    let place = |wait: &Wait| ops.binary_search(&wait.op).ok();
    Columns::default()
        .words("op", ops.iter().map(|op| trace.op_name(*op)), waits.iter().map(place))?
        .words("kernel", row_names(scenario), waits.iter().map(|wait| Some(op(wait).row.index())))?
        .words("kind", KINDS.iter(), waits.iter().map(|wait| Some(kind(op(wait).kind))))?
        .small("job", waits.iter().map(|wait| op(wait).job.0))?
        .words("task", task_names(scenario), waits.iter().map(|wait| Some(row(wait).task.index())))?
        .words("process", process_names(scenario), waits.iter().map(|wait| Some(scenario.task(row(wait).task).process.index())))?
        .found_words("reason", waits.iter().map(|wait| Some(wait.kind.label())))?
        .found_words("rule", waits.iter().map(|wait| wait.kind.rule(op(wait).kind).map(Rule::id)))?
        .words("waiting", ["operation", "rest"].iter(), waits.iter().map(|wait| Some(usize::from(wait.is_rest))))?
        .numbers("start_ns", waits.iter().map(|wait| wait.range.start.ns()))?
        .numbers("end_ns", waits.iter().map(|wait| wait.range.end.ns()))?
        .numbers("duration_ns", waits.iter().map(|wait| Span::ns(wait.range.span())))?
        .table()
}

/// A row for each step: what it does is worded as the command line words it.
pub(crate) fn steps(trace: &Trace) -> Made {
    let steps = trace.steps();
    let mut line = String::new();
    let mut what = |step| {
        line.clear();
        // Writing to a string cannot fail.
        let _ = trace.write_step(step, &mut line);
        line.splitn(3, ' ').nth(2).map(str::to_owned)
    };
    Columns::default()
        .small("step", (1..=steps.len() as u32).collect::<Vec<_>>().into_iter())?
        .numbers("at_ns", steps.iter().map(|step| step.at.ns()))?
        .found_words("rule", steps.iter().map(|step| Some(step.rule.id())))?
        .words("kernel", row_names(trace.scenario()), steps.iter().map(|step| Some(trace.op(step.change.op()?).row.index())))?
        .texts("what", steps.iter().map(&mut what))
        .table()
}
