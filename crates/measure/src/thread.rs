//! One CPU thread: it releases the jobs of its task and makes their calls.
//!
//! Depends on `gpu` and `clock`. Invariants: a call is made no earlier than the scenario says; what a task waits for it asks for again and
//! again, as a thread that sleeps comes late. Source of what is called when: docs/semantics.md, section 2.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::clock::{now, spin_until};
use crate::gpu::{Buffer, Called, Device, Event, Function, Graph, Grid, Node, Pinned, Stream, Way};
use crate::protocol::Launch;
use blockstep_format::program::{ProcessPlan, RowPlan, TaskPlan};
use blockstep_sim::scenario::{Call, Release};

/// Longest time between two looks at what is waited for, ns: looks keep the driver's lock from launches.
const LOOK_NS: u64 = 2_000;

/// What all threads of a process share.
pub(crate) struct Shared {
    pub(crate) device: Device,
    pub(crate) streams: Vec<Stream>,
    /// The scenario's events.
    pub(crate) events: Vec<Event>,
    /// By row: its kernel, if it launches one.
    pub(crate) functions: Vec<Option<Function>>,
    /// By row and job: how long its blocks run; one for all jobs if they do not vary.
    pub(crate) times: Vec<Vec<Buffer>>,
    pub(crate) zeros: Buffer,
    /// What blocks write.
    pub(crate) records: Buffer,
    /// By row and job: its first block's place in `records`.
    pub(crate) first_record: Vec<Vec<usize>>,
    /// By row and job: recorded behind its operations, where something waits for them.
    pub(crate) ends: Vec<Vec<Event>>,
    pub(crate) copied: Buffer,
    pub(crate) pinned: Pinned,
    /// By row and job: what it launches, if that is a graph.
    pub(crate) graphs: Vec<Vec<Graph>>,
    /// By task: how many of its jobs, from the first on, are complete.
    pub(crate) complete: Vec<AtomicU32>,
    /// Whether a thread has failed, so that others need not wait for it.
    pub(crate) has_failed: AtomicBool,
}

/// A thread and what it has measured.
pub(crate) struct Thread<'s> {
    pub(crate) shared: &'s Shared,
    pub(crate) plan: &'s ProcessPlan,
    pub(crate) task: usize,
    /// Instant 0 of the run, ns of the host's clock.
    pub(crate) start_ns: u64,
    pub(crate) launches: Vec<Launch>,
}

impl<'s> Thread<'s> {
    /// Does all that the task does; its launches without their blocks.
    pub(crate) fn run(mut self) -> Called<Vec<Launch>> {
        self.shared.device.use_in_this_thread()?;
        let done = if self.plan().calls_in_turn { self.call_in_turn() } else { self.call_in_time() };
        if done.is_err() {
            self.shared.has_failed.store(true, Ordering::Release);
        }
        done.map(|()| self.launches)
    }

    fn plan(&self) -> &'s TaskPlan {
        &self.plan.tasks[self.task]
    }

    fn row(&self, row: usize) -> &'s RowPlan {
        &self.plan.rows[row]
    }

    /// Instant of the host's clock at which a job is released, if that does not depend on the job before.
    fn release(&self, job: u32) -> u64 {
        let task = self.plan();
        self.start_ns + task.offset_ns + u64::from(job) * task.period_ns
    }

    fn has_failed(&self) -> bool {
        self.shared.has_failed.load(Ordering::Acquire)
    }

    /// Each call at its own time.
    fn call_in_time(&mut self) -> Called<()> {
        let mut agenda = Agenda::default();
        let task = self.plan();
        let is_continuous = task.release == Release::Continuous;
        for job in 0..if is_continuous { task.jobs.min(1) } else { task.jobs } {
            self.release_job(&mut agenda, job, self.release(job));
        }
        while !agenda.is_empty() && !self.has_failed() {
            let due = agenda.due.first().copied().filter(|&(at, ..)| at <= now());
            if let Some((at, job, row)) = due {
                agenda.due.remove(&(at, job, row));
                if self.producers_are_complete(job) {
                    self.call(row, job)?;
                    agenda.called.insert((job, row));
                } else {
                    agenda.due.insert((now() + LOOK_NS, job, row));
                }
            } else if agenda.looks_at.is_none_or(|at| at <= now()) {
                self.look(&mut agenda, is_continuous)?;
                agenda.looks_at = Some(now() + LOOK_NS);
            }
            std::hint::spin_loop();
        }
        Ok(())
    }

    fn release_job(&self, agenda: &mut Agenda, job: u32, at: u64) {
        for &row in &self.plan().rows {
            match self.row(row).after {
                None => drop(agenda.due.insert((at + self.row(row).start_ns, job, row))),
                Some(after) => drop(agenda.behind.insert((job, after, row))),
            }
        }
        agenda.open.insert((job, at));
    }

    /// Looks whether what something waits for is complete.
    fn look(&self, agenda: &mut Agenda, is_continuous: bool) -> Called<()> {
        for (job, after, row) in agenda.behind.clone() {
            if agenda.called.contains(&(job, after)) && self.is_complete(after, job)? {
                agenda.behind.remove(&(job, after, row));
                agenda.due.insert((now() + self.row(row).start_ns, job, row));
            }
        }
        let needs_end = is_continuous || self.plan().is_consumed;
        for (job, at) in agenda.open.clone() {
            let is_called = self.plan().rows.iter().all(|&row| agenda.called.contains(&(job, row)));
            if !is_called || at > now() || (needs_end && !self.job_is_complete(job)?) {
                continue;
            }
            agenda.open.remove(&(job, at));
            if needs_end {
                self.shared.complete[self.task].fetch_max(job + 1, Ordering::AcqRel);
            }
            if is_continuous && job + 1 < self.plan().jobs {
                self.release_job(agenda, job + 1, now());
            }
        }
        Ok(())
    }

    fn job_is_complete(&self, job: u32) -> Called<bool> {
        for &row in &self.plan().rows {
            if !self.is_complete(row, job)? {
                return Ok(false);
            }
        }
        Ok(self.producers_are_complete(job))
    }

    fn is_complete(&self, row: usize, job: u32) -> Called<bool> {
        self.shared.ends[row].get(job as usize).map_or(Ok(true), |end| end.is_complete())
    }

    fn producers_are_complete(&self, job: u32) -> bool {
        self.plan().consumes.iter().all(|&producer| self.shared.complete[producer].load(Ordering::Acquire) > job)
    }

    /// One call after another.
    fn call_in_turn(&mut self) -> Called<()> {
        let task = self.plan();
        let mut free = 0;
        for job in 0..task.jobs {
            let release = if task.release == Release::Continuous { free.max(self.release(0)) } else { self.release(job) };
            spin_until(release);
            for &row in &task.rows {
                let begin = match self.row(row).after {
                    None => release,
                    Some(after) => self.wait_for_end(after, job)?,
                };
                spin_until(begin + self.row(row).start_ns);
                spin_until(now() + self.row(row).call_ns);
                while !self.producers_are_complete(job) && !self.has_failed() {
                    std::hint::spin_loop();
                }
                self.call(row, job)?;
            }
            if task.release == Release::Continuous || task.is_consumed {
                for &row in &task.rows {
                    self.wait_for_end(row, job)?;
                }
                self.shared.complete[self.task].fetch_max(job + 1, Ordering::AcqRel);
            }
            free = now();
        }
        Ok(())
    }

    /// When the operations of a row were found to be complete.
    fn wait_for_end(&self, row: usize, job: u32) -> Called<u64> {
        while !self.is_complete(row, job)? {
            std::hint::spin_loop();
        }
        Ok(now())
    }

    /// Makes the call of a row, and measures it.
    fn call(&mut self, row: usize, job: u32) -> Called<()> {
        let plan = self.row(row);
        let stream = self.shared.streams[plan.stream];
        for &event in &plan.waits_for {
            if plan.call != Call::SynchronizeEvent {
                stream.wait_for(self.shared.events[event])?;
            }
        }
        let shared = self.shared;
        let mut called = now()..now();
        match plan.call {
            Call::SynchronizeStream => stream.synchronize()?,
            Call::SynchronizeEvent => plan.waits_for.iter().try_for_each(|&event| shared.events[event].synchronize())?,
            Call::SynchronizeDevice => shared.device.synchronize()?,
            Call::Allocate => shared.device.allocate(1).map(drop)?,
            Call::Free => shared.device.allocate(1).and_then(|buffer| shared.device.free(buffer))?,
            Call::LaunchGraph => stream.launch(shared.graphs[row][job as usize])?,
            Call::Kernel | Call::CopyToDevice | Call::CopyToHost | Call::CopyOnDevice | Call::Memset => {
                called = shared.issue(plan, row, job, stream)?;
            }
        }
        if plan.call.is_copy() && plan.synchronous {
            stream.synchronize()?;
        }
        if plan.call != Call::Kernel {
            called.end = now();
        }
        if let Some(event) = plan.records {
            self.shared.events[event].record(stream)?;
        }
        if let Some(end) = self.shared.ends[row].get(job as usize) {
            end.record(stream)?;
        }
        let cpu = u32::try_from(rustix::thread::sched_getcpu()).unwrap_or(0);
        let called_ns = (self.since_start(called.start), self.since_start(called.end));
        let launched =
            self.plan.rows.iter().filter(|other| other.number == plan.number || other.node.as_ref().is_some_and(|node| node.graph == row));
        self.launches.extend(launched.map(|row| Launch { row: row.number, job, called_ns, cpu, blocks: Vec::new() }));
        Ok(())
    }

    fn since_start(&self, ns: u64) -> i64 {
        i64::try_from(i128::from(ns) - i128::from(self.start_ns)).unwrap_or(i64::MAX)
    }
}

impl Shared {
    /// Issues the operations of a row into a stream; when the launch was called and had returned, or the whole without one.
    fn issue(&self, plan: &RowPlan, row: usize, job: u32, stream: Stream) -> Called<Range<u64>> {
        let mut called = now()..now();
        match plan.call {
            Call::Kernel => {
                self.copy(stream, Way::ToDevice, plan.bytes_in)?;
                called.start = now();
                self.launch(plan, stream, row, job)?;
                called.end = now();
                self.copy(stream, Way::ToHost, plan.bytes_out)?;
            }
            Call::CopyToDevice => self.copy(stream, Way::ToDevice, plan.bytes_in)?,
            Call::CopyToHost => self.copy(stream, Way::ToHost, plan.bytes_out)?,
            Call::CopyOnDevice => self.copy(stream, Way::OnDevice, plan.bytes_in)?,
            Call::Memset => self.copy(stream, Way::Set, plan.bytes_in)?,
            Call::SynchronizeStream
            | Call::SynchronizeEvent
            | Call::SynchronizeDevice
            | Call::Allocate
            | Call::Free
            | Call::LaunchGraph => {}
        }
        Ok(called)
    }

    /// The graph that a row launches in a job, captured in a stream that nothing else uses. Its nodes get the stream's priority.
    pub(crate) fn capture_graph(&self, plan: &ProcessPlan, graph: usize, job: u32, stream: Stream) -> Called<Graph> {
        stream.begin_capture()?;
        let mut last: HashMap<usize, Node> = HashMap::new();
        for (row, node) in plan.rows.iter().enumerate() {
            let Some(edges) = node.node.as_ref().filter(|edges| edges.graph == graph) else { continue };
            let before: Vec<Node> = edges.waits_for.iter().filter_map(|before| last.get(before).copied()).collect();
            stream.capture_behind(&before)?;
            self.issue(node, row, job, stream)?;
            last.extend(stream.last_captured()?.map(|node| (row, node)));
        }
        stream.end_capture()
    }

    fn copy(&self, stream: Stream, way: Way, bytes: u64) -> Called<()> {
        if bytes == 0 {
            return Ok(());
        }
        stream.copy(way, self.copied, self.pinned, usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    fn launch(&self, plan: &RowPlan, stream: Stream, row: usize, job: u32) -> Called<()> {
        let Some(function) = self.functions[row] else { return Ok(()) };
        let times = &self.times[row];
        let times = times.get(job as usize).unwrap_or(&times[0]);
        let first = self.first_record[row][job as usize];
        function.launch_spin(&grid(plan), stream, self.records, first, *times, self.zeros)
    }
}

/// What a kernel of a row takes.
pub(crate) fn grid(row: &RowPlan) -> Grid {
    Grid { blocks: row.blocks, threads: row.threads, shared_bytes: row.shared_bytes }
}

/// What a thread has still to do.
#[derive(Default)]
struct Agenda {
    /// When which row of which job is called, ns of the host's clock.
    due: BTreeSet<(u64, u32, usize)>,
    /// Job, a row, and one that is called when that is complete.
    behind: BTreeSet<(u32, usize, usize)>,
    /// Jobs and rows whose calls were made.
    called: BTreeSet<(u32, usize)>,
    /// Jobs that are not complete, with their releases, as far as anybody asks.
    open: BTreeSet<(u32, u64)>,
    /// When to look next.
    looks_at: Option<u64>,
}

impl Agenda {
    fn is_empty(&self) -> bool {
        self.due.is_empty() && self.behind.is_empty() && self.open.is_empty()
    }
}
