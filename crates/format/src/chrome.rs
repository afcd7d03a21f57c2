//! The export of a run as Chrome trace events, which Perfetto and chrome://tracing open.
//!
//! Depends on `trace` and `record`. Invariants: an event is made as it is written; complete events on one
//! thread id never overlap; ts and dur are microseconds as exact decimals; a flow goes from an operation's
//! launch to the first of it that executes; thread ids are used once in the whole file and never 0, as viewers
//! take 0, and names by thread id alone, for more than one thread. Source: the Trace Event Format.

mod lanes;
mod names;

use std::fmt::{self, Display, Formatter};

use serde::{Serialize, Serializer};

use lanes::lanes;
use names::Names;

use super::layout;
use super::stem::microseconds;
use blockstep_sim::order;
use blockstep_sim::record::{JobRecord, Records};
use blockstep_sim::scenario::PolicyKind;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{JobNo, OpId, SpaceId, Time, TimeRange};

/// Processes of the file.
const CPU: u64 = 1;
const JOBS: u64 = 2;
const TURNS: u64 = 3;
const FIRST_SM: u64 = 4;

/// What a file says of itself.
#[derive(Serialize)]
struct Other<'t> {
    source: &'static str,
    scenario: &'t str,
    device: &'t str,
    policy: PolicyKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_changed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules_known: Option<String>,
}

layout::sparse! {
    /// An event, as the Trace Event Format has it.
    struct Event<'e> {
        /// Phase: `M` names, `X` is complete, `i` an instant, `s` and `f` the ends of a flow, `C` a counter.
        ph: &'static str,
        pid: u64,
        tid: u64,
        ts: Microseconds,
        dur: Microseconds,
        /// Scope of an instant: `t`, its thread.
        s: &'static str,
        id: u64,
        name: &'e str,
        cat: &'static str,
        /// Binding point of a flow's end: `e`, the event that encloses it.
        bp: &'static str,
        cname: &'static str,
        args: Args<'e>,
    }

    /// What an event tells besides.
    struct Args<'e> {
        name: &'e str,
        sort_index: u64,
        job: JobNo,
        stream: &'e str,
        bytes: u64,
        blocks: u64,
        threads_per_block: u32,
        shared_memory_bytes: u64,
        registers: u64,
        met: bool,
        block: u32,
        unfinished: bool,
        threads: i64,
    }
}

impl<'e> Event<'e> {
    fn in_process(ph: &'static str, pid: u64, name: &'e str) -> Self {
        Self { ph: Some(ph), pid: Some(pid), name: Some(name), ..Self::default() }
    }

    /// The same on a thread.
    fn on(ph: &'static str, at: Thread, time: Time, name: &'e str, cat: &'static str) -> Self {
        Self { tid: Some(at.tid), ts: Some(Microseconds(time.ns())), cat: Some(cat), ..Self::in_process(ph, at.pid, name) }
    }
}

#[derive(Clone, Copy)]
struct Thread {
    pid: u64,
    tid: u64,
}

/// A time in microseconds, exact.
struct Microseconds(u64);

impl Serialize for Microseconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        layout::decimal(microseconds(self.0)).serialize(serializer)
    }
}

/// The run as Chrome trace events, one a line.
#[must_use]
pub fn write_chrome(trace: &Trace, records: &Records) -> impl Display {
    fmt::from_fn(move |out| {
        let scenario = trace.scenario();
        let policy = scenario.policy().kind;
        let first_engine = FIRST_SM + scenario.device().sms;
        let other = Other {
            source: "Blockstep",
            scenario: scenario.name(),
            device: &scenario.device().name,
            policy,
            rules_changed: (!trace.variants().is_none()).then(|| trace.variants().ids()),
            rules_known: scenario.device().evidence().sentence(),
        };
        write!(out, "{{ \"displayTimeUnit\": \"ns\", \"otherData\": {},\n\"traceEvents\": [", layout::line(&other))?;
        let threads = first_engine + scenario.device().copy_engines;
        let mut file = File { trace, records, names: Names::new(trace), out, first: true, threads };
        file.write_cpu()?;
        file.write_jobs()?;
        if policy.takes_turns() {
            file.write_turns()?;
        }
        file.write_sms()?;
        file.write_engines(first_engine)?;
        file.out.write_str("\n] }\n")
    })
}

struct File<'t, 'f> {
    trace: &'t Trace,
    records: &'t Records,
    names: Names<'t>,
    out: &'t mut Formatter<'f>,
    first: bool,
    /// The thread id given last; the first ones are beyond all process ids.
    threads: u64,
}

/// A stretch in which an operation executes.
struct Piece {
    op: OpId,
    block: Option<u32>,
    range: TimeRange,
    /// Whether the flow from the launch ends here.
    is_first: bool,
    /// Whether the run ends before the block or copy does.
    is_cut: bool,
}

impl File<'_, '_> {
    fn write_event(&mut self, event: &Event<'_>) -> fmt::Result {
        let separator = if std::mem::take(&mut self.first) { "" } else { "," };
        write!(self.out, "{separator}\n{}", layout::line(event))
    }

    /// What a process or a thread is called, and where it stands.
    fn write_place(&mut self, pid: u64, tid: Option<u64>, words: [&str; 2], name: &str) -> fmt::Result {
        let args = [Args { name: Some(name), ..Args::default() }, Args { sort_index: tid.or(Some(pid)), ..Args::default() }];
        for (word, args) in words.into_iter().zip(args) {
            self.write_event(&Event { tid, args: Some(args), ..Event::in_process("M", pid, word) })?;
        }
        Ok(())
    }

    fn write_process(&mut self, pid: u64, name: &str) -> fmt::Result {
        self.write_place(pid, None, ["process_name", "process_sort_index"], name)
    }

    /// A new thread of a process; the next one stands below it.
    fn write_thread(&mut self, pid: u64, name: &str) -> Result<Thread, fmt::Error> {
        self.threads += 1;
        self.write_place(pid, Some(self.threads), ["thread_name", "thread_sort_index"], name)?;
        Ok(Thread { pid, tid: self.threads })
    }

    /// A complete event.
    fn write_complete(&mut self, at: Thread, range: TimeRange, name: &str, cat: &'static str, args: Option<Args<'_>>) -> fmt::Result {
        let dur = Some(Microseconds(range.span().ns()));
        self.write_event(&Event { dur, args, ..Event::on("X", at, range.start, name, cat) })
    }

    fn write_instant(&mut self, at: Thread, time: Time, name: &str, job: JobNo) -> fmt::Result {
        let args = Args { job: Some(job), ..Args::default() };
        self.write_event(&Event { s: Some("t"), args: Some(args), ..Event::on("i", at, time, name, "job") })
    }

    /// An end of the arrow from an operation's launch to where it first executes. It belongs to the
    /// complete event written just before it.
    fn write_flow(&mut self, ph: &'static str, at: Thread, time: Time, op: OpId) -> fmt::Result {
        let (id, bp) = (Some(u64::from(op.0) + 1), (ph == "f").then_some("e"));
        self.write_event(&Event { id, bp, ..Event::on(ph, at, time, "launch", "launch") })
    }

    /// A thread for every task: launches, releases and deadlines.
    fn write_cpu(&mut self) -> fmt::Result {
        let (trace, records) = (self.trace, self.records);
        self.write_process(CPU, "CPU")?;
        let threads: Vec<_> = trace.scenario().tasks().iter().map(|task| self.write_thread(CPU, &task.name)).collect::<Result<_, _>>()?;
        for job in &records.jobs {
            let at = threads[job.task.index()];
            self.write_instant(at, job.release, "release", job.job)?;
            if let Some(deadline) = job.deadline.filter(|&deadline| deadline <= records.end()) {
                self.write_instant(at, deadline, if job.met == Some(false) { "deadline missed" } else { "deadline" }, job.job)?;
            }
        }
        for (i, record) in records.ops.iter().enumerate() {
            let op = OpId::at(i);
            let (info, row) = (trace.op(op), trace.row_of(op));
            let at = threads[row.task.index()];
            let mut args = Args { job: Some(info.job), stream: Some(&trace.layout().stream(info.stream).name), ..Args::default() };
            match trace.copy_of(op) {
                Some(copy) => args.bytes = Some(copy.bytes),
                None => {
                    args.blocks = Some(row.blocks);
                    args.threads_per_block = Some(row.needs.threads);
                    args.shared_memory_bytes = Some(row.needs.shared_memory);
                    args.registers = Some(row.needs.registers);
                }
            }
            self.write_complete(at, TimeRange::new(record.issued, record.issued), &self.names.name_of(op), "launch", Some(args))?;
            if record.start.is_some() {
                self.write_flow("s", at, record.issued, op)?;
            }
        }
        Ok(())
    }

    /// Every job from its release to its end; jobs of a task that overlap stand below each other.
    fn write_jobs(&mut self) -> fmt::Result {
        let (trace, records) = (self.trace, self.records);
        self.write_process(JOBS, "Jobs")?;
        let mut by_task = vec![Vec::new(); trace.scenario().tasks().len()];
        for job in &records.jobs {
            by_task[job.task.index()].push(job);
        }
        for (task, jobs) in trace.scenario().tasks().iter().zip(by_task) {
            let range = |job: &JobRecord| TimeRange::new(job.release, job.end.unwrap_or(records.end()));
            let lanes = lanes(jobs.iter().map(|job| range(job)));
            let threads = self.write_lanes(JOBS, &task.name, &lanes)?;
            for (job, lane) in jobs.into_iter().zip(lanes) {
                let unfinished = job.end.is_none().then_some(true);
                let args = Args { job: Some(job.job), met: job.met, unfinished, ..Args::default() };
                self.write_complete(threads[lane], range(job), &format!("{} #{}", task.name, job.job.0), "job", Some(args))?;
            }
        }
        Ok(())
    }

    /// A thread for each lane.
    fn write_lanes(&mut self, process: u64, name: &str, lanes: &[usize]) -> Result<Vec<Thread>, fmt::Error> {
        let count = lanes.iter().max().map_or(1, |&last| last + 1);
        (0..count)
            .map(|lane| self.write_thread(process, &if lane == 0 { name.to_owned() } else { format!("{name} ({})", lane + 1) }))
            .collect()
    }

    /// Who is resident, drains, and is switched to.
    fn write_turns(&mut self) -> fmt::Result {
        let (trace, records) = (self.trace, self.records);
        self.write_process(TURNS, "Residency")?;
        let spaces = trace.layout().spaces().len();
        let names: Vec<String> = (0..spaces).map(|i| trace.space_name(SpaceId::at(i))).collect();
        let threads: Vec<_> = names.iter().map(|name| self.write_thread(TURNS, name)).collect::<Result<_, _>>()?;
        let mut drains = records.drains.iter().peekable();
        for &(space, stay) in &records.residency {
            let (at, name) = (threads[space.index()], &names[space.index()]);
            let mut from = stay.start;
            // Stays that follow each other without a gap are one, so drains may lie inside.
            while let Some(&(_, drain)) = drains.next_if(|(of, drain)| *of == space && drain.end <= stay.end) {
                if from < drain.start {
                    self.write_complete(at, TimeRange::new(from, drain.start), name, "resident", None)?;
                }
                self.write_complete(at, drain, &format!("{name} drains"), "resident", None)?;
                from = drain.end;
            }
            if from < stay.end {
                self.write_complete(at, TimeRange::new(from, stay.end), name, "resident", None)?;
            }
        }
        let switches = self.write_thread(TURNS, "switches")?;
        for &(space, switch) in &records.switches {
            self.write_complete(switches, switch, &format!("switch to {}", names[space.index()]), "switch", None)?;
        }
        Ok(())
    }

    fn write_sms(&mut self) -> fmt::Result {
        let (trace, records) = (self.trace, self.records);
        let count = trace.scenario().device().sms as usize;
        let mut by_sm: Vec<Vec<Piece>> = (0..count).map(|_| Vec::new()).collect();
        for (i, block) in records.blocks.iter().enumerate() {
            let pieces = &mut by_sm[block.sm.index()];
            let first = records.ops[block.op.index()].start_step == Some(block.start_step);
            add(pieces, Some(block.block), (block.op, block.start, block.end), records.block_runs(i), first);
        }
        for (sm, mut pieces) in by_sm.into_iter().enumerate() {
            let process = FIRST_SM + sm as u64;
            self.write_process(process, &format!("SM {sm}"))?;
            self.write_pieces(process, "blocks", &mut pieces)?;
            self.free_threads(process, &pieces)?;
        }
        Ok(())
    }

    fn write_engines(&mut self, first: u64) -> fmt::Result {
        let (trace, records) = (self.trace, self.records);
        let count = trace.scenario().device().copy_engines as usize;
        let mut by_engine: Vec<Vec<Piece>> = (0..count).map(|_| Vec::new()).collect();
        for (i, copy) in records.copies.iter().enumerate() {
            add(&mut by_engine[usize::from(copy.engine)], None, (copy.op, copy.start, copy.end), records.copy_runs(i), true);
        }
        for (engine, mut pieces) in by_engine.into_iter().enumerate() {
            let process = first + engine as u64;
            self.write_process(process, &format!("Copy engine {engine}"))?;
            self.write_pieces(process, "copies", &mut pieces)?;
        }
        Ok(())
    }

    fn write_pieces(&mut self, process: u64, what: &str, pieces: &mut [Piece]) -> fmt::Result {
        let trace = self.trace;
        order::by_number(pieces, |piece: &Piece| piece.range.start.ns());
        let lanes = lanes(pieces.iter().map(|piece| piece.range));
        let threads = self.write_lanes(process, what, &lanes)?;
        for (piece, lane) in pieces.iter().zip(lanes) {
            let (at, info) = (threads[lane], trace.op(piece.op));
            let cat = match info.kind {
                OpKind::Kernel => "block",
                OpKind::CopyIn => "copy_in",
                OpKind::CopyOut => "copy_out",
            };
            let unfinished = piece.is_cut.then_some(true);
            let args = Some(Args { job: Some(info.job), block: piece.block, unfinished, ..Args::default() });
            let (name, cname, dur) =
                (self.names.name_of(piece.op), self.names.colour(piece.op), Some(Microseconds(piece.range.span().ns())));
            self.write_event(&Event { dur, cname, args, ..Event::on("X", at, piece.range.start, &name, cat) })?;
            if piece.is_first {
                self.write_flow("f", at, piece.range.start, piece.op)?;
            }
        }
        Ok(())
    }

    /// How many threads of an SM do not execute, whenever that changes.
    fn free_threads(&mut self, process: u64, pieces: &[Piece]) -> fmt::Result {
        let trace = self.trace;
        let mut changes: Vec<(Time, i64)> = Vec::with_capacity(2 * pieces.len());
        for piece in pieces {
            let threads = i64::from(trace.row_of(piece.op).needs.threads);
            changes.extend([(piece.range.start, -threads), (piece.range.end, threads)]);
        }
        order::by_number(&mut changes, |(at, _)| at.ns());
        let mut free = trace.scenario().device().threads_per_sm as i64;
        let put = |file: &mut Self, at: Time, free: i64| {
            let args = Some(Args { threads: Some(free), ..Args::default() });
            file.write_event(&Event { ts: Some(Microseconds(at.ns())), args, ..Event::in_process("C", process, "free") })
        };
        let mut shown = None;
        if changes.first().is_none_or(|(at, _)| *at > Time::ZERO) {
            put(self, Time::ZERO, free)?;
            shown = Some(free);
        }
        for (i, &(at, change)) in changes.iter().enumerate() {
            free += change;
            let is_last = changes.get(i + 1).is_none_or(|(next, _)| *next > at);
            if is_last && shown != Some(free) {
                put(self, at, free)?;
                shown = Some(free);
            }
        }
        Ok(())
    }
}

/// Adds the stretches of a block or copy, which is given with its begin and end. One that has not
/// executed for any time is a stretch without length, so that it is seen that it began.
fn add(
    pieces: &mut Vec<Piece>,
    block: Option<u32>,
    (op, start, end): (OpId, Time, Option<Time>),
    mut runs: Vec<TimeRange>,
    is_first: bool,
) {
    if runs.is_empty() {
        runs.push(TimeRange::new(start, start));
    }
    let last = runs.len() - 1;
    let piece = |(i, range)| Piece { op, block, range, is_first: is_first && i == 0, is_cut: end.is_none() && i == last };
    pieces.extend(runs.into_iter().enumerate().map(piece));
}
