//! The export of a run as Chrome trace events, which Perfetto and chrome://tracing open.
//!
//! Depends on `trace` and `record`. Invariants: complete events on one thread id never overlap; ts
//! and dur are microseconds as exact decimals; a flow goes from an operation's launch to the first
//! of it that executes; thread ids are used once in the whole file and never 0, as viewers take 0,
//! and names by thread id alone, for more than one thread. Source: the Trace Event Format.

mod lanes;
mod names;

use lanes::lanes;
use names::Names;

use super::json_out::Object;
use super::stem::microseconds;
use crate::order;
use crate::record::{JobRecord, Records};
use crate::scenario::Choice;
use crate::trace::{OpKind, Trace};
use crate::units::{OpId, SpaceId, Time, TimeRange};

/// Processes of the file.
const CPU: u64 = 1;
const JOBS: u64 = 2;
const TURNS: u64 = 3;
const FIRST_SM: u64 = 4;

/// The run as Chrome trace events, one a line.
#[must_use]
pub fn write_chrome(trace: &Trace, records: &Records) -> String {
    let scenario = trace.scenario();
    let sms = scenario.device().sms;
    let first_engine = FIRST_SM + sms;
    let mut out = String::from("{ \"displayTimeUnit\": \"ns\", \"otherData\": ");
    let mut other = Object::open(&mut out);
    other.text("source", "Blockstep");
    other.text("scenario", scenario.name());
    other.text("device", &scenario.device().name);
    other.text("policy", scenario.policy().kind.word());
    if !trace.variants().is_none() {
        other.text("rules_changed", &trace.variants().ids());
    }
    other.close();
    out.push_str(",\n\"traceEvents\": [");
    let mut file =
        File { trace, records, names: Names::new(trace), out, first: true, threads: first_engine + scenario.device().copy_engines };
    file.cpu();
    file.jobs();
    if scenario.policy().kind.takes_turns() {
        file.turns();
    }
    file.sms();
    file.engines(first_engine);
    file.out.push_str("\n] }\n");
    file.out
}

struct File<'t> {
    trace: &'t Trace,
    records: &'t Records,
    names: Names<'t>,
    out: String,
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

impl File<'_> {
    fn event(&mut self, phase: &str, process: u64, write: impl FnOnce(&mut Object<'_>)) {
        self.out.push_str(if self.first { "\n" } else { ",\n" });
        self.first = false;
        let mut object = Object::open(&mut self.out);
        object.text("ph", phase);
        object.number("pid", process);
        write(&mut object);
        object.close();
    }

    fn process(&mut self, process: u64, name: &str) {
        self.event("M", process, |o| {
            o.text("name", "process_name");
            args(o, |args| args.text("name", name));
        });
        self.event("M", process, |o| {
            o.text("name", "process_sort_index");
            args(o, |args| args.number("sort_index", process));
        });
    }

    /// A new thread of a process; the next one stands below it.
    fn thread(&mut self, process: u64, name: &str) -> u64 {
        self.threads += 1;
        let thread = self.threads;
        self.event("M", process, |o| {
            o.number("tid", thread);
            o.text("name", "thread_name");
            args(o, |args| args.text("name", name));
        });
        self.event("M", process, |o| {
            o.number("tid", thread);
            o.text("name", "thread_sort_index");
            args(o, |args| args.number("sort_index", thread));
        });
        thread
    }

    /// A complete event.
    fn complete(&mut self, at: (u64, u64), range: TimeRange, name: &str, write: impl FnOnce(&mut Object<'_>)) {
        self.event("X", at.0, |o| {
            o.number("tid", at.1);
            o.key("ts").push_str(&microseconds(range.start.ns()));
            o.key("dur").push_str(&microseconds(range.span().ns()));
            o.text("name", name);
            write(o);
        });
    }

    fn instant(&mut self, at: (u64, u64), time: Time, name: &str, job: u32) {
        self.event("i", at.0, |o| {
            o.number("tid", at.1);
            o.key("ts").push_str(&microseconds(time.ns()));
            o.text("s", "t");
            o.text("name", name);
            o.text("cat", "job");
            args(o, |args| args.number("job", job.into()));
        });
    }

    /// An end of the arrow from an operation's launch to where it first executes. It belongs to the
    /// complete event written just before it.
    fn flow(&mut self, phase: &str, at: (u64, u64), time: Time, op: OpId) {
        self.event(phase, at.0, |o| {
            o.number("tid", at.1);
            o.key("ts").push_str(&microseconds(time.ns()));
            o.number("id", u64::from(op.0) + 1);
            o.text("name", "launch");
            o.text("cat", "launch");
            if phase == "f" {
                o.text("bp", "e");
            }
        });
    }

    /// A thread for every task: launches, releases and deadlines.
    fn cpu(&mut self) {
        let (trace, records) = (self.trace, self.records);
        self.process(CPU, "CPU");
        let threads: Vec<u64> = trace.scenario().tasks().iter().map(|task| self.thread(CPU, &task.name)).collect();
        for job in &records.jobs {
            let at = (CPU, threads[job.task.index()]);
            self.instant(at, job.release, "release", job.job.0);
            if let Some(deadline) = job.deadline.filter(|&deadline| deadline <= records.end()) {
                self.instant(at, deadline, if job.met == Some(false) { "deadline missed" } else { "deadline" }, job.job.0);
            }
        }
        for (i, record) in records.ops.iter().enumerate() {
            let op = OpId::at(i);
            let (info, row) = (trace.op(op), trace.row_of(op));
            let at = (CPU, threads[row.task.index()]);
            let name = self.names.of(op);
            self.complete(at, TimeRange::new(record.issued, record.issued), &name, |o| {
                o.text("cat", "launch");
                args(o, |args| {
                    args.number("job", info.job.0.into());
                    args.text("stream", &trace.layout().stream(info.stream).name);
                    match trace.copy_of(op) {
                        Some(copy) => args.number("bytes", copy.bytes),
                        None => {
                            args.number("blocks", row.blocks);
                            args.number("threads_per_block", row.needs.threads.into());
                            args.number("shared_memory_bytes", row.needs.shared_memory);
                            args.number("registers", row.needs.registers);
                        }
                    }
                });
            });
            if record.start.is_some() {
                self.flow("s", at, record.issued, op);
            }
        }
    }

    /// Every job from its release to its end; jobs of a task that overlap stand below each other.
    fn jobs(&mut self) {
        let (trace, records) = (self.trace, self.records);
        self.process(JOBS, "Jobs");
        for (i, task) in trace.scenario().tasks().iter().enumerate() {
            let jobs: Vec<_> = records.jobs.iter().filter(|job| job.task.index() == i).collect();
            let range = |job: &JobRecord| TimeRange::new(job.release, job.end.unwrap_or(records.end()));
            let lanes = lanes(jobs.iter().map(|job| range(job)));
            let threads = self.lanes(JOBS, &task.name, &lanes);
            for (job, lane) in jobs.into_iter().zip(lanes) {
                self.complete((JOBS, threads[lane]), range(job), &format!("{} #{}", task.name, job.job.0), |o| {
                    o.text("cat", "job");
                    args(o, |args| {
                        args.number("job", job.job.0.into());
                        if let Some(met) = job.met {
                            args.truth("met", met);
                        }
                        if job.end.is_none() {
                            args.truth("unfinished", true);
                        }
                    });
                });
            }
        }
    }

    /// A thread for each lane.
    fn lanes(&mut self, process: u64, name: &str, lanes: &[usize]) -> Vec<u64> {
        let count = lanes.iter().max().map_or(1, |&last| last + 1);
        (0..count).map(|lane| self.thread(process, &if lane == 0 { name.to_owned() } else { format!("{name} ({})", lane + 1) })).collect()
    }

    /// Who is resident, drains, and is switched to.
    fn turns(&mut self) {
        let (trace, records) = (self.trace, self.records);
        self.process(TURNS, "Residency");
        let spaces = trace.layout().spaces().len();
        let names: Vec<String> = (0..spaces).map(|i| trace.space_name(SpaceId::at(i))).collect();
        let threads: Vec<u64> = names.iter().map(|name| self.thread(TURNS, name)).collect();
        let mut drains = records.drains.iter().peekable();
        for &(space, stay) in &records.residency {
            let (at, name) = ((TURNS, threads[space.index()]), &names[space.index()]);
            let mut from = stay.start;
            // Stays that follow each other without a gap are one, so drains may lie inside.
            while let Some(&(_, drain)) = drains.next_if(|(of, drain)| *of == space && drain.end <= stay.end) {
                if from < drain.start {
                    self.complete(at, TimeRange::new(from, drain.start), name, |o| o.text("cat", "resident"));
                }
                self.complete(at, drain, &format!("{name} drains"), |o| o.text("cat", "resident"));
                from = drain.end;
            }
            if from < stay.end {
                self.complete(at, TimeRange::new(from, stay.end), name, |o| o.text("cat", "resident"));
            }
        }
        let switches = self.thread(TURNS, "switches");
        for &(space, switch) in &records.switches {
            self.complete((TURNS, switches), switch, &format!("switch to {}", names[space.index()]), |o| o.text("cat", "switch"));
        }
    }

    fn sms(&mut self) {
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
            self.process(process, &format!("SM {sm}"));
            self.pieces(process, "blocks", &mut pieces);
            self.free_threads(process, &pieces);
        }
    }

    fn engines(&mut self, first: u64) {
        let (trace, records) = (self.trace, self.records);
        let count = trace.scenario().device().copy_engines as usize;
        let mut by_engine: Vec<Vec<Piece>> = (0..count).map(|_| Vec::new()).collect();
        for (i, copy) in records.copies.iter().enumerate() {
            add(&mut by_engine[usize::from(copy.engine)], None, (copy.op, copy.start, copy.end), records.copy_runs(i), true);
        }
        for (engine, mut pieces) in by_engine.into_iter().enumerate() {
            let process = first + engine as u64;
            self.process(process, &format!("Copy engine {engine}"));
            self.pieces(process, "copies", &mut pieces);
        }
    }

    fn pieces(&mut self, process: u64, what: &str, pieces: &mut [Piece]) {
        let trace = self.trace;
        order::by_number(pieces, |piece: &Piece| piece.range.start.ns());
        let lanes = lanes(pieces.iter().map(|piece| piece.range));
        let threads = self.lanes(process, what, &lanes);
        for (piece, lane) in pieces.iter().zip(lanes) {
            let (at, name, colour) = ((process, threads[lane]), self.names.of(piece.op), self.names.colour(piece.op));
            let info = trace.op(piece.op);
            self.complete(at, piece.range, &name, |o| {
                o.text(
                    "cat",
                    match info.kind {
                        OpKind::Kernel => "block",
                        OpKind::CopyIn => "copy_in",
                        OpKind::CopyOut => "copy_out",
                    },
                );
                if let Some(colour) = colour {
                    o.text("cname", colour);
                }
                args(o, |args| {
                    args.number("job", info.job.0.into());
                    if let Some(block) = piece.block {
                        args.number("block", block.into());
                    }
                    if piece.is_cut {
                        args.truth("unfinished", true);
                    }
                });
            });
            if piece.is_first {
                self.flow("f", at, piece.range.start, piece.op);
            }
        }
    }

    /// How many threads of an SM do not execute, whenever that changes.
    fn free_threads(&mut self, process: u64, pieces: &[Piece]) {
        let trace = self.trace;
        let mut changes: Vec<(Time, i64)> = Vec::with_capacity(2 * pieces.len());
        for piece in pieces {
            let threads = i64::from(trace.row_of(piece.op).needs.threads);
            changes.extend([(piece.range.start, -threads), (piece.range.end, threads)]);
        }
        order::by_number(&mut changes, |(at, _)| at.ns());
        let mut free = trace.scenario().device().threads_per_sm as i64;
        let put = |file: &mut Self, at: Time, free: i64| {
            file.event("C", process, |o| {
                o.key("ts").push_str(&microseconds(at.ns()));
                o.text("name", "free");
                args(o, |args| args.signed("threads", free));
            });
        };
        let mut shown = None;
        if changes.first().is_none_or(|(at, _)| *at > Time::ZERO) {
            put(self, Time::ZERO, free);
            shown = Some(free);
        }
        for (i, &(at, change)) in changes.iter().enumerate() {
            free += change;
            let is_last = changes.get(i + 1).is_none_or(|(next, _)| *next > at);
            if is_last && shown != Some(free) {
                put(self, at, free);
                shown = Some(free);
            }
        }
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

fn args(o: &mut Object<'_>, write: impl FnOnce(&mut Object<'_>)) {
    let mut args = Object::open(o.key("args"));
    write(&mut args);
    args.close();
}
