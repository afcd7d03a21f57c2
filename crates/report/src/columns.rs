//! What a run did, as tables: the rows and names of the command line's, for the libraries of other languages.
//!
//! Depends on `sim::record`, `view::breakdown` and `view::reason`. Invariants: a column is named here once, whatever holds it; rows
//! stand in the order of the command line's tables.

use blockstep_sim::engine::Run;
use blockstep_sim::record::{JobRecord, Records};
use blockstep_sim::scenario::{Choice, Scenario};
use blockstep_sim::snapshot::{Progress, Snapshot};
use blockstep_sim::trace::{Level, OpKind, Rule, Trace};
use blockstep_sim::units::{OpId, SpaceId, StreamId, TaskId, Time, TimeRange};
use blockstep_view::breakdown::{Wait, breakdown_watched};
use blockstep_view::reason::{self, WaitingList};
use blockstep_view::results::Results;

/// The tables of a run, by the names that other languages have for them.
pub const TABLES: [&str; 7] = ["blocks", "copies", "kernels", "jobs", "waits", "results", "steps"];

/// The tables of a run at an instant.
pub const STATE_TABLES: [&str; 4] = ["queues", "sms", "blocks", "waiting"];

/// What holds a table: it is given one column after the other, all of the same length.
#[expect(clippy::missing_errors_doc, reason = "what a column cannot hold depends on what holds it")]
pub trait Columns: Sized {
    /// What a column cannot hold.
    type Error;

    /// Numbers.
    fn numbers(self, name: &'static str, values: impl ExactSizeIterator<Item = u64>) -> Result<Self, Self::Error>;

    /// Numbers that may be missing.
    fn some_numbers(self, name: &'static str, values: impl Iterator<Item = Option<u64>>) -> Result<Self, Self::Error>;

    /// Small numbers: what is counted with 32 bits.
    fn small(self, name: &'static str, values: impl ExactSizeIterator<Item = u32>) -> Result<Self, Self::Error>;

    /// Yes or no.
    fn truths(self, name: &'static str, values: impl Iterator<Item = bool>) -> Result<Self, Self::Error>;

    /// Yes, no, or neither.
    fn some_truths(self, name: &'static str, values: impl Iterator<Item = Option<bool>>) -> Result<Self, Self::Error>;

    /// Texts, each of its own.
    fn texts(self, name: &'static str, values: impl Iterator<Item = String>) -> Result<Self, Self::Error>;

    /// The same where a row may have none.
    fn some_texts(self, name: &'static str, values: impl Iterator<Item = Option<String>>) -> Result<Self, Self::Error>;

    /// Words that repeat: `places` says which of the words each row has.
    fn words<W: AsRef<str>>(
        self,
        name: &'static str,
        words: impl Iterator<Item = W>,
        places: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, Self::Error>;

    /// The same where a row may have none.
    fn some_words<W: AsRef<str>>(
        self,
        name: &'static str,
        words: impl Iterator<Item = W>,
        places: impl Iterator<Item = Option<usize>>,
    ) -> Result<Self, Self::Error>;

    /// Words that are few and known only as they come.
    fn found_words<W: AsRef<str>>(self, name: &'static str, values: impl Iterator<Item = W>) -> Result<Self, Self::Error>;

    /// The same where a row may have none.
    fn some_found_words<W: AsRef<str>>(self, name: &'static str, values: impl Iterator<Item = Option<W>>) -> Result<Self, Self::Error>;
}

/// What the columns of each name hold.
pub const MEANINGS: &[(&str, &str)] = &[
    ("at_ns", "The instant, ns."),
    ("block", "Number of the block in its kernel, from 0."),
    ("blocks", "Blocks: of a kernel all that it has, of an SM those that are on it."),
    ("bytes", "Size of the copy, bytes."),
    ("class", "Class of the task: `real_time` or `best_effort`."),
    ("completed", "Jobs that completed."),
    ("count", "Jobs that were released."),
    ("deadline_ns", "Absolute deadline, ns; missing if the task has none."),
    ("duration_ns", "How long it waited, ns."),
    ("end_ns", "When it ended or is to end, ns; missing if it had not when the run ended, spins or is suspended."),
    ("engine", "Number of the copy engine, from 0."),
    ("executed_ns", "How long it executed, ns; time for which it was suspended is left out."),
    ("executes", "Whether blocks of it execute, and the rest waits."),
    ("free_registers", "Free registers."),
    ("free_shared_memory_bytes", "Free shared memory, bytes."),
    ("free_slots", "Free slots for blocks."),
    ("free_threads", "Free threads."),
    ("greatest_ns", "Greatest response time of a job, ns; missing if none completed."),
    ("issued_ns", "When it was issued, ns."),
    ("job", "Number of the job of its task, from 0."),
    ("kernel", "Name of the row of the kernel table."),
    ("kind", "Of an operation `kernel`, `copy_in` or `copy_out`; of a queue `stream`, `EE` or `CE`."),
    ("least_ns", "Least response time of a job, ns; missing if none completed."),
    ("left_ns", "What is left of a suspended block, ns; missing if it executes."),
    ("mean_ns", "Mean response time of the jobs, ns, rounded down; missing if none completed."),
    ("met", "Whether the deadline was met; missing if the run does not show it, or if there is none."),
    ("missed", "Jobs that missed their deadline."),
    ("op", "Name of the operation, with its job where there are several."),
    ("place", "Place in the queue; 0 is its head."),
    ("preemptions", "Times at which a job of it had to make room while it had begun and was not complete."),
    ("process", "Name of the process."),
    ("queue", "Name of the stream, priority of the EE queue (`high` or `low`), or number of the copy engine."),
    ("queued_ns", "When it joined an EE queue, ns; missing if it had not when the run ended."),
    ("reason", "Why it waits, in a few words."),
    ("registers_per_block", "Registers that a block needs."),
    ("release_ns", "When the job was released, ns."),
    ("response_ns", "Response time, ns; missing if it had not completed when the run ended."),
    ("rule", "Id of the rule; missing if no rule makes it wait."),
    ("shared_memory_bytes_per_block", "Shared memory that a block needs, bytes."),
    ("sm", "Number of the SM, from 0."),
    ("spins", "Whether it spins: it executes, and what it waits for decides when it ends."),
    ("start_ns", "When it began, ns; missing if it had not when the run ended."),
    ("step", "Number of the step, from 1."),
    ("stream", "Name of the stream."),
    ("task", "Name of the task."),
    ("text", "Why it waits, as a sentence without the operation's name."),
    ("threads_per_block", "Threads of a block."),
    ("until_ns", "When it is assigned next, ns; missing if it is not."),
    ("until_step", "Number of the step that assigns it next; missing if none does."),
    ("waiting", "`operation` where nothing of it executes, `rest` where blocks of it execute and further ones wait."),
    ("what", "What the step does, as the command line words it."),
];

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

fn ns(time: Option<Time>) -> Option<u64> {
    time.map(Time::ns)
}

/// How long something executed that began and may have ended: what it was suspended is left out.
fn executed(records: &Records, start: Time, end: Option<Time>, runs: Option<Vec<TimeRange>>) -> u64 {
    match runs {
        Some(runs) => runs.iter().map(|run| run.span().ns()).sum(),
        None => end.unwrap_or(records.end()).since(start).ns(),
    }
}

/// A row for each block that was assigned, in order of assignment.
///
/// # Errors
/// What a column cannot hold.
pub fn blocks<C: Columns>(table: C, trace: &Trace, records: &Records) -> Result<C, C::Error> {
    let blocks = &records.blocks;
    let time = |i: usize| {
        let runs = records.block_was_suspended(i).then(|| records.block_runs(i));
        executed(records, blocks[i].start, blocks[i].end, runs)
    };
    table
        .words("kernel", row_names(trace.scenario()), blocks.iter().map(|block| trace.op(block.op).row.index()))?
        .small("job", blocks.iter().map(|block| trace.op(block.op).job.0))?
        .small("block", blocks.iter().map(|block| block.block))?
        .small("sm", blocks.iter().map(|block| block.sm.0.into()))?
        .numbers("start_ns", blocks.iter().map(|block| block.start.ns()))?
        .some_numbers("end_ns", blocks.iter().map(|block| ns(block.end)))?
        .numbers("executed_ns", (0..blocks.len()).map(time))
}

/// A row for each copy that was assigned, in order of assignment.
///
/// # Errors
/// What a column cannot hold.
pub fn copies<C: Columns>(table: C, trace: &Trace, records: &Records) -> Result<C, C::Error> {
    let copies = &records.copies;
    let time = |i: usize| executed(records, copies[i].start, copies[i].end, Some(records.copy_runs(i)));
    table
        .found_words("op", copies.iter().map(|copy| trace.op_name(copy.op)))?
        .words("kernel", row_names(trace.scenario()), copies.iter().map(|copy| trace.op(copy.op).row.index()))?
        .words("kind", KINDS.iter(), copies.iter().map(|copy| kind(trace.op(copy.op).kind)))?
        .small("job", copies.iter().map(|copy| trace.op(copy.op).job.0))?
        .small("engine", copies.iter().map(|copy| copy.engine.into()))?
        .numbers("bytes", copies.iter().map(|copy| trace.copy_of(copy.op).map_or(0, |copy| copy.bytes)))?
        .numbers("start_ns", copies.iter().map(|copy| copy.start.ns()))?
        .some_numbers("end_ns", copies.iter().map(|copy| ns(copy.end)))?
        .numbers("executed_ns", (0..copies.len()).map(time))
}

/// A row for each kernel that was issued, in issue order.
///
/// # Errors
/// What a column cannot hold.
pub fn kernels<C: Columns>(table: C, trace: &Trace, records: &Records) -> Result<C, C::Error> {
    let scenario = trace.scenario();
    let is_kernel = |op: &OpId| trace.op(*op).kind == OpKind::Kernel;
    let ops: Vec<OpId> = (0..records.ops.len()).map(OpId::at).filter(is_kernel).collect();
    let row = |op: &OpId| trace.row_of(*op);
    let record = |op: &OpId| &records.ops[op.index()];
    let streams = trace.layout().streams().iter().map(|stream| stream.name.as_str());
    table
        .words("kernel", row_names(scenario), ops.iter().map(|op| trace.op(*op).row.index()))?
        .words("task", task_names(scenario), ops.iter().map(|op| row(op).task.index()))?
        .words("process", process_names(scenario), ops.iter().map(|op| scenario.task(row(op).task).process.index()))?
        .words("stream", streams, ops.iter().map(|op| trace.op(*op).stream.index()))?
        .small("job", ops.iter().map(|op| trace.op(*op).job.0))?
        .numbers("issued_ns", ops.iter().map(|op| record(op).issued.ns()))?
        .some_numbers("queued_ns", ops.iter().map(|op| ns(record(op).queued)))?
        .some_numbers("start_ns", ops.iter().map(|op| ns(record(op).start)))?
        .some_numbers("end_ns", ops.iter().map(|op| ns(record(op).end)))?
        .some_numbers("response_ns", ops.iter().map(|op| record(op).end.map(|end| end.since(record(op).issued).ns())))?
        .numbers("blocks", ops.iter().map(|op| row(op).blocks))?
        .small("threads_per_block", ops.iter().map(|op| row(op).needs.threads))?
        .numbers("shared_memory_bytes_per_block", ops.iter().map(|op| row(op).needs.shared_memory))?
        .numbers("registers_per_block", ops.iter().map(|op| row(op).needs.registers))
}

/// A row for each job that was released, by release, then in the order of the task table.
///
/// # Errors
/// What a column cannot hold.
pub fn jobs<C: Columns>(table: C, trace: &Trace, jobs: &[JobRecord]) -> Result<C, C::Error> {
    let scenario = trace.scenario();
    let task = |task: TaskId| scenario.task(task);
    table
        .words("task", task_names(scenario), jobs.iter().map(|job| job.task.index()))?
        .words("process", process_names(scenario), jobs.iter().map(|job| task(job.task).process.index()))?
        .found_words("class", jobs.iter().map(|job| task(job.task).class.word()))?
        .small("job", jobs.iter().map(|job| job.job.0))?
        .numbers("release_ns", jobs.iter().map(|job| job.release.ns()))?
        .some_numbers("deadline_ns", jobs.iter().map(|job| ns(job.deadline)))?
        .some_numbers("end_ns", jobs.iter().map(|job| ns(job.end)))?
        .some_numbers("response_ns", jobs.iter().map(|job| job.end.map(|end| end.since(job.release).ns())))?
        .some_truths("met", jobs.iter().map(|job| job.met))
}

/// A row for each wait: by operation, in issue order, then by time.
///
/// # Errors
/// What a column cannot hold.
pub fn waits<C: Columns>(table: C, run: &Run, records: &Records) -> Result<C, C::Error> {
    let (trace, scenario) = (&*run.trace, run.trace.scenario());
    let mut waits: Vec<Wait> = Vec::new();
    breakdown_watched(run.replay(), records, &mut |wait| waits.push(wait));
    waits.sort_by_key(|wait| (wait.op, wait.range.start, wait.is_rest));
    let (op, row) = (|wait: &Wait| trace.op(wait.op), |wait: &Wait| trace.row_of(wait.op));
    // An operation waits several times in a row.
    let mut ops: Vec<OpId> = waits.iter().map(|wait| wait.op).collect();
    ops.dedup();
    let place = |wait: &Wait| ops.partition_point(|&op| op < wait.op);
    table
        .words("op", ops.iter().map(|op| trace.op_name(*op)), waits.iter().map(place))?
        .words("kernel", row_names(scenario), waits.iter().map(|wait| op(wait).row.index()))?
        .words("kind", KINDS.iter(), waits.iter().map(|wait| kind(op(wait).kind)))?
        .small("job", waits.iter().map(|wait| op(wait).job.0))?
        .words("task", task_names(scenario), waits.iter().map(|wait| row(wait).task.index()))?
        .words("process", process_names(scenario), waits.iter().map(|wait| scenario.task(row(wait).task).process.index()))?
        .found_words("reason", waits.iter().map(|wait| wait.kind.label()))?
        .some_found_words("rule", waits.iter().map(|wait| wait.kind.rule(op(wait).kind).map(Rule::id)))?
        .words("waiting", ["operation", "rest"].iter(), waits.iter().map(|wait| usize::from(wait.is_rest)))?
        .numbers("start_ns", waits.iter().map(|wait| wait.range.start.ns()))?
        .numbers("end_ns", waits.iter().map(|wait| wait.range.end.ns()))?
        .numbers("duration_ns", waits.iter().map(|wait| wait.range.span().ns()))
}

/// A row for each step: what it does is worded as the command line words it.
///
/// # Errors
/// What a column cannot hold.
pub fn steps<C: Columns>(table: C, trace: &Trace) -> Result<C, C::Error> {
    let steps = trace.steps();
    let mut line = String::new();
    let mut what = |step| {
        line.clear();
        // Writing to a string cannot fail.
        let _ = trace.write_step(step, &mut line);
        line.splitn(3, ' ').nth(2).unwrap_or_default().to_owned()
    };
    table
        .small("step", (1..=steps.len() as u32).collect::<Vec<_>>().into_iter())?
        .numbers("at_ns", steps.iter().map(|step| step.at.ns()))?
        .found_words("rule", steps.iter().map(|step| step.rule.id()))?
        .some_words("kernel", row_names(trace.scenario()), steps.iter().map(|step| Some(trace.op(step.change.op()?).row.index())))?
        .texts("what", steps.iter().map(&mut what))
}

/// A row for each task, in their order: what came of its jobs, as in the results.
///
/// # Errors
/// What a column cannot hold.
pub fn results<C: Columns>(table: C, run: &Run, records: &Records) -> Result<C, C::Error> {
    let (scenario, tasks) = (run.trace.scenario(), Results::new(run.replay(), records).tasks);
    table
        .words("task", task_names(scenario), 0..tasks.len())?
        .words("process", process_names(scenario), scenario.tasks().iter().map(|task| task.process.index()))?
        .numbers("count", tasks.iter().map(|task| task.released))?
        .numbers("completed", tasks.iter().map(|task| task.completed))?
        .numbers("missed", tasks.iter().map(|task| task.missed.len() as u64))?
        .numbers("preemptions", tasks.iter().map(|task| task.preemptions))?
        .some_numbers("least_ns", tasks.iter().map(|task| task.responses.first().map(|span| span.ns())))?
        .some_numbers("mean_ns", tasks.iter().map(|task| task.mean().map(|span| span.ns())))?
        .some_numbers("greatest_ns", tasks.iter().map(|task| task.responses.last().map(|span| span.ns())))
}

/// Every address space with its name.
fn spaces(trace: &Trace, state: &Snapshot) -> Vec<(SpaceId, String)> {
    (0..state.spaces().len()).map(SpaceId::at).map(|space| (space, trace.space_name(space))).collect()
}

/// What stands in stream queues, EE queues and CE queues, head first.
///
/// # Errors
/// What a column cannot hold.
pub fn queues<C: Columns>(table: C, trace: &Trace, state: &Snapshot) -> Result<C, C::Error> {
    let mut rows: Vec<(&str, String, String, usize, OpId)> = Vec::new();
    for id in (0..trace.layout().streams().len()).map(StreamId::at) {
        let (name, space) = (trace.layout().label(trace.scenario(), id), trace.layout().stream(id).space);
        let of_stream = state.stream(id).queue.iter().enumerate();
        rows.extend(of_stream.map(|(place, &op)| ("stream", name.clone(), trace.space_name(space), place, op)));
    }
    for (id, process) in spaces(trace, state) {
        let space = state.space(id);
        for level in [Level::High, Level::Low] {
            let queue = space.ee(level).iter().enumerate();
            rows.extend(queue.map(|(place, &op)| ("EE", level.word().to_owned(), process.clone(), place, op)));
        }
        for engine in 0..space.engines.len() as u8 {
            let queue = space.ce(engine).iter().enumerate();
            rows.extend(queue.map(|(place, &op)| ("CE", engine.to_string(), process.clone(), place, op)));
        }
    }
    table
        .found_words("kind", rows.iter().map(|row| row.0))?
        .found_words("queue", rows.iter().map(|row| &row.1))?
        .found_words("process", rows.iter().map(|row| &row.2))?
        .small("place", rows.iter().map(|row| row.3 as u32))?
        .texts("op", rows.iter().map(|row| trace.op_label(row.4)))
}

/// What is free on each SM, as each address space sees it.
///
/// # Errors
/// What a column cannot hold.
pub fn sms<C: Columns>(table: C, trace: &Trace, state: &Snapshot) -> Result<C, C::Error> {
    let spaces = spaces(trace, state);
    let rows: Vec<_> = spaces
        .iter()
        .enumerate()
        .flat_map(|(place, (id, _))| state.space(*id).sms.iter().enumerate().map(move |(sm, state)| (place, sm, state)))
        .collect();
    table
        .words("process", spaces.iter().map(|(_, name)| name), rows.iter().map(|row| row.0))?
        .small("sm", rows.iter().map(|row| row.1 as u32))?
        .small("blocks", rows.iter().map(|row| row.2.blocks.len() as u32))?
        .small("free_threads", rows.iter().map(|row| row.2.threads))?
        .small("free_slots", rows.iter().map(|row| row.2.slots))?
        .numbers("free_shared_memory_bytes", rows.iter().map(|row| row.2.shared_memory))?
        .numbers("free_registers", rows.iter().map(|row| row.2.registers))
}

/// The blocks that are on the SMs: each with its end if it executes and does not spin, or with what is left of it if it is suspended.
///
/// # Errors
/// What a column cannot hold.
pub fn on_sms<C: Columns>(table: C, trace: &Trace, state: &Snapshot) -> Result<C, C::Error> {
    let spaces = spaces(trace, state);
    let mut rows = Vec::new();
    for (place, (id, _)) in spaces.iter().enumerate() {
        for (sm, state) in state.space(*id).sms.holding() {
            rows.extend(state.blocks.iter().map(|block| (place, sm, *block)));
        }
    }
    let end = |progress| match progress {
        Progress::Runs(end) => Some(end.ns()),
        Progress::Suspended(_) | Progress::Spins => None,
    };
    let left = |progress| match progress {
        Progress::Runs(_) | Progress::Spins => None,
        Progress::Suspended(left) => Some(left.ns()),
    };
    table
        .words("process", spaces.iter().map(|(_, name)| name), rows.iter().map(|row| row.0))?
        .small("sm", rows.iter().map(|row| row.1 as u32))?
        .texts("op", rows.iter().map(|row| trace.op_label(row.2.op)))?
        .small("block", rows.iter().map(|row| row.2.block))?
        .some_numbers("end_ns", rows.iter().map(|row| end(row.2.progress)))?
        .some_numbers("left_ns", rows.iter().map(|row| left(row.2.progress)))?
        .truths("spins", rows.iter().map(|row| row.2.progress == Progress::Spins))
}

/// What waits and why: in issue order, then the kernels that execute and have blocks that wait.
///
/// # Errors
/// What a column cannot hold.
pub fn waiting<C: Columns>(table: C, trace: &Trace, records: &Records, state: &Snapshot) -> Result<C, C::Error> {
    let WaitingList { items, .. } = reason::waiting(trace, records, state, usize::MAX);
    table
        .texts("op", items.iter().map(|item| item.label.clone()))?
        .found_words("reason", items.iter().map(|item| item.reason.kind().label()))?
        .some_found_words("rule", items.iter().map(|item| item.rule.map(Rule::id)))?
        .texts("text", items.iter().map(|item| item.text.clone()))?
        .truths("executes", items.iter().map(|item| item.executing))?
        .some_numbers("until_step", items.iter().map(|item| item.until.map(|step| u64::from(step.0) + 1)))?
        .some_numbers("until_ns", items.iter().map(|item| item.until.map(|step| trace.step(step).at.ns())))
}
