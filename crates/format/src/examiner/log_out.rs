//! The export of a run as logs of cuda_scheduling_examiner, one for each stream.
//!
//! Depends on `trace`, `record` and `layout`. Invariants: the fields, their order and their blanks are those of
//! the examiner's runner, which prints them one by one as is done here, so that its own scripts open the logs; times are
//! exact; a log is made as it is written; what has no place in a log is listed. Source: the examiner's README,
//! "Output File Format", and its `scripts/`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Display, Formatter};

use crate::layout::compact;
use crate::stem::{file_stem, seconds};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{KernelRow, StreamPriority};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{JobNo, OpId, RowId, StreamId, TaskId, Time};

/// Threads of an SM, as `view_blocksbysm.py` has it.
const THREADS_OF_AN_SM: u64 = 2048;
/// What processes are numbered from: 1 is never a program of one's own.
const FIRST_PID: u64 = 1000;
/// What streams, each the thread of a benchmark, are numbered from.
const FIRST_TID: u64 = 2000;

/// The run as logs: name and text of each, in the order of the streams. A stream of which no kernel
/// completed has none.
#[must_use]
pub fn write_logs(trace: &Trace, records: &Records) -> Vec<(String, impl Display)> {
    let text = |(name, stream, is_only)| (name, fmt::from_fn(move |out| log(out, trace, records, &stream, is_only)));
    with_names(trace, records, Stream::has_log).into_iter().map(text).collect()
}

/// The streams that have a log, with its name, and whether no other stream has theirs.
pub(super) fn with_names(trace: &Trace, records: &Records, has_log: impl Fn(&Stream) -> bool) -> Vec<(String, Stream, bool)> {
    let (stem, namesakes) = (file_stem(trace), count_namesakes(trace));
    let named = |(i, stream): (usize, Stream)| {
        let is_only = namesakes.get(trace.layout().stream(stream.id).name.as_str()) == Some(&1);
        (format!("{stem}-log{}.json", i + 1), stream, is_only)
    };
    streams(trace, records).into_iter().filter(has_log).enumerate().map(named).collect()
}

/// How many stream queues have each name.
fn count_namesakes(trace: &Trace) -> HashMap<&str, usize> {
    let mut namesakes: HashMap<&str, usize> = HashMap::new();
    trace.layout().streams().iter().for_each(|stream| *namesakes.entry(&stream.name).or_default() += 1);
    namesakes
}

/// What a stream executed, job by job.
pub(super) struct Stream {
    pub(super) id: StreamId,
    /// The tasks with rows on it, in the order of their table.
    tasks: BTreeSet<TaskId>,
    /// Bytes that a job of each of them copies to the device.
    input: u64,
    /// Its operations in stream order.
    ops: Vec<OpId>,
    /// Kernels that have completed.
    completed: usize,
    jobs: BTreeMap<(TaskId, JobNo), Iteration>,
}

/// What a job did on a stream.
#[derive(Default)]
struct Iteration {
    release: Time,
    /// Whether the job completed.
    is_complete: bool,
    /// End of the last input copy before its first kernel.
    copied_in: Option<Time>,
    /// End of its last kernel so far.
    executed: Option<Time>,
    /// End of the last copy after its last kernel so far.
    copied_out: Option<Time>,
    /// Copies between kernels, which no field speaks of.
    between: usize,
    /// Copies since its last kernel.
    trailing: usize,
}

impl Stream {
    fn has_log(&self) -> bool {
        self.completed > 0
    }
}

fn streams(trace: &Trace, records: &Records) -> Vec<Stream> {
    let ids = (0..trace.layout().streams().len()).map(StreamId::at);
    let none = |id| Stream { id, tasks: BTreeSet::new(), input: 0, ops: Vec::new(), completed: 0, jobs: BTreeMap::new() };
    let mut streams: Vec<Stream> = ids.map(none).collect();
    for (i, row) in trace.scenario().rows().iter().enumerate() {
        let stream = &mut streams[trace.layout().stream_of(RowId::at(i)).index()];
        stream.tasks.insert(row.task);
        stream.input = stream.input.saturating_add(row.copy_in.map_or(0, |copy| copy.bytes));
    }
    let mut jobs: BTreeMap<(TaskId, JobNo), (Time, bool)> = BTreeMap::new();
    for job in &records.jobs {
        jobs.insert((job.task, job.job), (job.release, job.end.is_some()));
    }
    for (i, record) in records.ops.iter().enumerate() {
        let (id, op) = (OpId::at(i), trace.op(OpId::at(i)));
        let stream = &mut streams[op.stream.index()];
        stream.ops.push(id);
        let key = (trace.row_of(id).task, op.job);
        let (release, is_complete) = jobs.get(&key).copied().unwrap_or_default();
        let iteration = stream.jobs.entry(key).or_insert_with(|| Iteration { release, is_complete, ..Iteration::default() });
        match op.kind {
            OpKind::Kernel => {
                stream.completed += usize::from(record.end.is_some());
                iteration.executed = iteration.executed.max(record.end);
                iteration.between += iteration.trailing;
                (iteration.trailing, iteration.copied_out) = (0, None);
            }
            _ if iteration.executed.is_none() => iteration.copied_in = iteration.copied_in.max(record.end),
            _ => {
                iteration.copied_out = iteration.copied_out.max(record.end);
                iteration.trailing += 1;
            }
        }
    }
    streams
}

fn log(out: &mut Formatter<'_>, trace: &Trace, records: &Records, stream: &Stream, is_only: bool) -> fmt::Result {
    let (scenario, layout) = (trace.scenario(), trace.layout());
    let pid = FIRST_PID + u64::from(layout.address_space(layout.stream(stream.id).space).0);
    let threads = scenario.device().sms.saturating_mul(scenario.device().threads_per_sm);
    head(out, trace, stream, is_only, threads, pid)?;
    out.write_str("\"times\": [{}")?;
    let mut timed = BTreeSet::new();
    let mut free = Time::ZERO;
    for &op in &stream.ops {
        let (Some(end), OpKind::Kernel) = (records.ops[op.index()].end, trace.op(op).kind) else { continue };
        let key = (trace.row_of(op).task, trace.op(op).job);
        if let Some(iteration) = stream.jobs.get(&key).filter(|iteration| iteration.is_complete)
            && timed.insert(key)
        {
            free = cpu_times(out, iteration, free)?;
        }
        kernel(out, trace, records, op, end)?;
    }
    out.write_str("\n]}\n")
}

/// What stands before the times. `threads`: of the whole GPU.
pub(super) fn head(out: &mut Formatter<'_>, trace: &Trace, stream: &Stream, is_only: bool, threads: u64, pid: u64) -> fmt::Result {
    let head = LogHead::new(trace, stream, is_only, String::new());
    out.write_str("{\n")?;
    for (key, value) in [("scenario_name", title(trace).as_str()), ("benchmark_name", head.benchmark), ("label", &head.label)] {
        writeln!(out, "\"{key}\": {},", compact(&value))?;
    }
    writeln!(out, "\"max_resident_threads\": {threads},")?;
    writeln!(out, "\"data_size\": {},", head.data_bytes)?;
    writeln!(out, "\"release_time\": {},", seconds(head.release_ns))?;
    writeln!(out, "\"PID\": {pid},")?;
    writeln!(out, "\"TID\": {},", head.tid)
}

/// What is known of a log before anything is measured.
pub(crate) struct LogHead {
    pub(crate) stream: StreamId,
    /// Its name.
    pub(crate) file: String,
    pub(crate) label: String,
    pub(crate) benchmark: &'static str,
    pub(crate) data_bytes: u64,
    pub(crate) release_ns: u64,
    pub(crate) tid: u64,
}

impl LogHead {
    fn new(trace: &Trace, stream: &Stream, is_only: bool, file: String) -> Self {
        let (scenario, queue) = (trace.scenario(), trace.layout().stream(stream.id));
        let release = stream.tasks.iter().map(|&task| scenario.task(task).offset).min().unwrap_or(Time::ZERO);
        Self {
            stream: stream.id,
            file,
            label: label(trace, stream, is_only),
            benchmark: if queue.is_null { "Blockstep (default stream)" } else { "Blockstep" },
            data_bytes: stream.input,
            release_ns: release.ns(),
            tid: FIRST_TID + u64::from(stream.id.0),
        }
    }
}

/// What a log says that was run.
pub(crate) fn title(trace: &Trace) -> String {
    let changed = if trace.variants().is_none() { String::new() } else { format!(" (rules changed: {})", trace.variants().ids()) };
    format!("{}{changed}", trace.scenario().name())
}

/// The heads of the logs of the streams that have kernels, in the order of the streams.
pub(crate) fn log_heads(trace: &Trace, records: &Records) -> Vec<LogHead> {
    let has_kernel = |stream: &Stream| stream.ops.iter().any(|&op| trace.op(op).kind == OpKind::Kernel);
    let named = with_names(trace, records, has_kernel).into_iter();
    named.map(|(file, stream, is_only)| LogHead::new(trace, &stream, is_only, file)).collect()
}

/// What the log is called in pictures: its task, if that has this stream and the stream has this
/// task alone; else its stream, with the process unless it is the only one of its name.
fn label(trace: &Trace, stream: &Stream, is_only: bool) -> String {
    let (scenario, layout) = (trace.scenario(), trace.layout());
    let has_other = |&task: &TaskId| scenario.task(task).rows.iter().any(|&row| layout.stream_of(row) != stream.id);
    if let Some(task) = stream.tasks.first().filter(|_| stream.tasks.len() == 1 && !stream.tasks.iter().any(has_other)) {
        return scenario.task(*task).name.clone();
    }
    let queue = layout.stream(stream.id);
    if is_only { queue.name.clone() } else { format!("{}: {}", scenario.processes()[queue.process.index()].name, queue.name) }
}

/// What the CPU would have timed around an iteration, one phase after the other; the end of the last.
/// A thread begins an iteration when it has ended the one before: not before `free`.
fn cpu_times(out: &mut Formatter<'_>, iteration: &Iteration, free: Time) -> Result<Time, fmt::Error> {
    let begin = iteration.release.max(free);
    let copied_in = iteration.copied_in.unwrap_or(begin).max(begin);
    let executed = iteration.executed.unwrap_or(copied_in).max(copied_in);
    let copied_out = iteration.copied_out.unwrap_or(executed).max(executed);
    let phases =
        [("copy_in", begin, copied_in), ("execute", copied_in, executed), ("copy_out", executed, copied_out), ("cpu", begin, copied_out)];
    for (i, (name, from, to)) in phases.into_iter().enumerate() {
        write!(out, "{}\"{name}_times\": [{},{}]", if i == 0 { ",\n{" } else { ", " }, seconds(from.ns()), seconds(to.ns()))?;
    }
    out.write_str("}")?;
    Ok(copied_out)
}

fn kernel(out: &mut Formatter<'_>, trace: &Trace, records: &Records, op: OpId, end: Time) -> fmt::Result {
    let row = trace.row_of(op);
    let issued = seconds(records.ops[op.index()].issued.ns());
    let mut blocks: Vec<_> = records.blocks_of(op).iter().map(|&i| &records.blocks[i as usize]).collect();
    blockstep_sim::order::by_number(&mut blocks, |block| block.block.into());
    // All have ended, as the kernel has.
    let times = blocks.iter().map(|block| (seconds(block.start.ns()), seconds(block.end.unwrap_or(end).ns())));
    let sms = blocks.iter().map(|block| u32::from(block.sm.0));
    launch(out, row, [&issued, &issued, &seconds(end.ns())], times, sms, row.task.0, "")
}

/// A kernel with the times of its launch and of its blocks, begin and end, as they are written; `more` are further fields.
pub(super) fn launch(
    out: &mut Formatter<'_>,
    row: &KernelRow,
    launch_times: [&str; 3],
    block_times: impl Iterator<Item = (String, String)>,
    sms: impl Iterator<Item = u32>,
    cpu: u32,
    more: &str,
) -> fmt::Result {
    let [called, returned, synchronized] = launch_times;
    write!(
        out,
        ",\n{{\"kernel_name\": {}, \"block_count\": {}, \"thread_count\": {}, \"shared_memory\": {}",
        compact(&row.name),
        row.blocks,
        row.needs.threads,
        row.needs.shared_memory
    )?;
    write!(out, ", \"cuda_launch_times\": [{called}, {returned}, {synchronized}], \"block_times\": [")?;
    for (i, (begin, end)) in block_times.enumerate() {
        write!(out, "{}{begin},{end}", if i > 0 { "," } else { "" })?;
    }
    out.write_str("], \"block_smids\": [")?;
    for (i, sm) in sms.enumerate() {
        write!(out, "{}{sm}", if i > 0 { "," } else { "" })?;
    }
    write!(out, "], \"cpu_core\": {cpu}{more}}}")
}

/// Says what the logs cannot hold of the run, a sentence each.
#[must_use]
pub fn log_losses(trace: &Trace, records: &Records) -> Vec<String> {
    let scenario = trace.scenario();
    let streams = streams(trace, records);
    let mut losses = vec![
        "A log cannot hold the policy, deadlines, registers of blocks, copy engines or the order of events at one instant.".to_owned(),
    ];
    let mut say = |count: usize, sentence: &dyn Fn(usize) -> String| {
        if count > 0 {
            losses.push(sentence(count));
        }
    };
    let kernels = |op: &OpId| trace.op(*op).kind == OpKind::Kernel;
    let open = streams.iter().flat_map(|s| &s.ops).filter(|op| kernels(op) && records.ops[op.index()].end.is_none()).count();
    say(open, &|n| format!("Kernels that had not completed when the run ended are left out, as in the examiner's own logs: {n}."));
    let suspended = (0..records.blocks.len()).filter(|&i| records.block_was_suspended(i)).count();
    say(suspended, &|n| {
        format!(
            "A log has one start and one end for each block. Suspended blocks look as if they kept running, and an SM may appear to hold more blocks than it can: {n}."
        )
    });
    let between = streams.iter().flat_map(|s| s.jobs.values()).map(|job| job.between).sum();
    say(between, &|n| {
        format!(
            "A log times the copies before a job's first kernel and after its last one on the stream; copies between kernels are left out: {n}."
        )
    });
    say(usize::from(!records.copies.is_empty()), &|_| {
        "The CPU that writes a log waits for its copies; so copy_in_times begin with the job's release or the end of the job before it on the stream, and copy_out_times with the end of its last kernel.".to_owned()
    });
    let has_priority = scenario.streams().iter().any(|stream| stream.priority != StreamPriority::None);
    say(usize::from(has_priority), &|_| "A log cannot hold stream priorities.".to_owned());
    let null = streams.iter().filter(|s| trace.layout().stream(s.id).is_null && s.has_log()).count();
    say(null, &|_| "Only benchmark_name marks the NULL stream: it ends in \"(default stream)\".".to_owned());
    let shared = streams.iter().filter(|s| s.has_log() && s.tasks.len() > 1).count();
    say(shared, &|n| format!("A log belongs to one stream; tasks that share a stream share its log: {n}."));
    let overlapping = streams.iter().filter(|s| s.has_log() && has_mixed_jobs(trace, s)).count();
    say(overlapping, &|n| {
        format!("Kernels of several jobs alternate in a stream, where a log counts each to the job before it that begins last: {n}.")
    });
    say(usize::from(scenario.device().threads_per_sm != THREADS_OF_AN_SM), &|_| {
        format!(
            "The examiner's view_blocksbysm.py assumes {THREADS_OF_AN_SM} threads for each SM, so it draws too few or too many SMs of this device."
        )
    });
    losses
}

/// Whether a job goes on in the stream after another one began.
fn has_mixed_jobs(trace: &Trace, stream: &Stream) -> bool {
    let kernels = stream.ops.iter().filter(|op| trace.op(**op).kind == OpKind::Kernel);
    let mut jobs: Vec<(TaskId, JobNo)> = kernels.map(|&op| (trace.row_of(op).task, trace.op(op).job)).collect();
    jobs.dedup();
    let mut seen = BTreeSet::new();
    jobs.into_iter().any(|job| !seen.insert(job))
}
