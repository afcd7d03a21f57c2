//! How much of the device a run used, and what its processes lost by leaving: one pass over the steps.
//!
//! Depends on `trace`. Invariants: products of time are taken in 128 bits; what is suspended uses
//! nothing; executing, switching and idle add up to the run.

use std::collections::BTreeMap;

use blockstep_sim::snapshot::MAX_ENGINES;
use blockstep_sim::trace::{Change, Trace};
use blockstep_sim::units::{OpId, SpaceId, Span, TaskId, Time};

/// How the device was used, ns from the start to the end of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Length of the run.
    pub run: Span,
    /// Something executed: a block or a copy.
    pub executing: Span,
    /// A switch was under way.
    pub switching: Span,
    /// Nothing executed, and no switch was under way.
    pub idle: Span,
    /// By SM.
    pub sms: Vec<SmUsage>,
    /// Threads of one SM.
    pub threads_per_sm: u64,
    /// By copy engine in use: how long it copied.
    pub engines: Vec<Span>,
    /// By process.
    pub processes: Vec<ProcessUsage>,
    /// Whether processes take turns, so that residency means something.
    pub has_turns: bool,
}

/// Of one SM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmUsage {
    /// How long a block ran on it.
    pub busy: Span,
    /// Threads that ran, times ns.
    pub thread_time: u128,
}

/// Of one process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessUsage {
    /// Time resident, from the end of the switch-in.
    pub resident: Span,
    /// Threads of its blocks that ran, times ns.
    pub thread_time: u128,
}

impl Usage {
    /// Threads that ran, times ns, on all SMs.
    #[must_use]
    pub fn thread_time(&self) -> u128 {
        self.sms.iter().map(|sm| sm.thread_time).sum()
    }

    /// Threads of the device times the length of the run.
    #[must_use]
    pub fn available(&self) -> u128 {
        self.sms.len() as u128 * self.of_one_sm()
    }

    /// The same of one SM.
    #[must_use]
    pub fn of_one_sm(&self) -> u128 {
        u128::from(self.threads_per_sm) * u128::from(self.run.ns())
    }
}

/// What one pass over the steps finds.
pub(super) struct Observed {
    pub(super) usage: Usage,
    /// By task: see [`super::TaskResult::preemptions`].
    pub(super) preemptions: Vec<u64>,
    /// By operation: how long something of it was suspended and nothing ran.
    pub(super) suspended: Vec<Span>,
}

pub(super) fn observe(trace: &Trace) -> Observed {
    let mut pass = Pass::new(trace);
    for step in trace.steps() {
        pass.step(step.at, step.change);
    }
    pass.finish()
}

/// A level over time, summed up.
#[derive(Clone, Default)]
struct Meter {
    level: u64,
    since: Time,
    /// Time with a positive level.
    busy: u64,
    /// Level times ns.
    sum: u128,
}

impl Meter {
    fn set(&mut self, at: Time, level: u64) {
        let passed = at.since(self.since).ns();
        self.busy += if self.level > 0 { passed } else { 0 };
        self.sum += u128::from(self.level) * u128::from(passed);
        (self.level, self.since) = (level, at);
    }

    fn add(&mut self, at: Time, more: u64) {
        self.set(at, self.level + more);
    }

    fn take(&mut self, at: Time, less: u64) {
        self.set(at, self.level.saturating_sub(less));
    }
}

/// What of an operation is on the device.
#[derive(Clone, Default)]
struct OnDevice {
    running: u32,
    suspended: u32,
    stopped: Meter,
    /// Whether it has begun and is not complete.
    has_begun: bool,
}

struct Pass<'a> {
    trace: &'a Trace,
    ops: Vec<OnDevice>,
    sms: Vec<Meter>,
    engines: Vec<Meter>,
    device: Meter,
    switching: Meter,
    threads: Vec<Meter>,
    resident: Vec<Meter>,
    has_turns: bool,
    /// By address space or channel, and task: operations that have begun and are not complete.
    begun: BTreeMap<(SpaceId, TaskId), u32>,
    preemptions: Vec<u64>,
    /// Who left last, and when.
    left: Option<(SpaceId, Time)>,
}

impl<'a> Pass<'a> {
    fn new(trace: &'a Trace) -> Self {
        let scenario = trace.scenario();
        let meters = |n: usize| vec![Meter::default(); n];
        Self {
            trace,
            ops: vec![OnDevice::default(); trace.ops().len()],
            sms: meters(scenario.device().sms as usize),
            engines: meters((scenario.device().copy_engines as usize).min(MAX_ENGINES)),
            device: Meter::default(),
            switching: Meter::default(),
            threads: meters(scenario.processes().len()),
            resident: meters(scenario.processes().len()),
            has_turns: scenario.policy().kind.takes_turns(),
            begun: BTreeMap::new(),
            preemptions: vec![0; scenario.tasks().len()],
            left: None,
        }
    }

    fn step(&mut self, at: Time, change: Change) {
        match change {
            Change::BlockAssigned { op, sm, .. } => {
                self.begins(op);
                self.block(at, op, sm.index(), true);
            }
            Change::BlockResumed { op, sm, .. } => {
                self.ops[op.index()].suspended -= 1;
                self.block(at, op, sm.index(), true);
            }
            Change::BlockEnded { op, sm, .. } => self.block(at, op, sm.index(), false),
            Change::BlockSuspended { op, sm, .. } => {
                self.ops[op.index()].suspended += 1;
                self.block(at, op, sm.index(), false);
            }
            Change::CopyAssigned { op, engine } => {
                self.begins(op);
                self.copy(at, op, engine.into(), true);
            }
            Change::CopyResumed { op, engine } => {
                self.ops[op.index()].suspended -= 1;
                self.copy(at, op, engine.into(), true);
            }
            Change::CopyCompleted { op, engine } => {
                self.copy(at, op, engine.into(), false);
                self.ends(op);
            }
            Change::CopySuspended { op, engine } => {
                self.ops[op.index()].suspended += 1;
                self.copy(at, op, engine.into(), false);
            }
            Change::KernelCompleted { op } => self.ends(op),
            Change::SwitchStarted { .. } => self.switching.set(at, 1),
            Change::Entered { space } => self.enters(at, space),
            Change::Left { space } => self.leaves(at, space),
            _ => {}
        }
    }

    fn begins(&mut self, op: OpId) {
        if !std::mem::replace(&mut self.ops[op.index()].has_begun, true) {
            *self.begun.entry(self.owner(op)).or_default() += 1;
        }
    }

    fn ends(&mut self, op: OpId) {
        if std::mem::take(&mut self.ops[op.index()].has_begun) {
            *self.begun.entry(self.owner(op)).or_default() -= 1;
        }
    }

    fn owner(&self, op: OpId) -> (SpaceId, TaskId) {
        (self.trace.layout().stream(self.trace.op(op).stream).space, self.trace.row_of(op).task)
    }

    fn block(&mut self, at: Time, op: OpId, sm: usize, runs: bool) {
        let row = self.trace.row_of(op);
        let process = self.trace.scenario().task(row.task).process.index();
        let threads = row.needs.threads.into();
        for meter in [&mut self.sms[sm], &mut self.threads[process]] {
            if runs { meter.add(at, threads) } else { meter.take(at, threads) }
        }
        self.runs(at, op, runs);
    }

    fn copy(&mut self, at: Time, op: OpId, engine: usize, runs: bool) {
        self.engines[engine].set(at, runs.into());
        self.runs(at, op, runs);
    }

    /// One thing more or less of an operation executes.
    fn runs(&mut self, at: Time, op: OpId, runs: bool) {
        if runs {
            self.device.add(at, 1)
        } else {
            self.device.take(at, 1)
        }
        let op = &mut self.ops[op.index()];
        op.running = if runs { op.running + 1 } else { op.running - 1 };
        let stopped = op.running == 0 && op.suspended > 0;
        if (op.stopped.level > 0) != stopped {
            op.stopped.set(at, stopped.into());
        }
    }

    fn enters(&mut self, at: Time, space: SpaceId) {
        self.switching.set(at, 0);
        for process in &self.trace.layout().space(space).processes {
            self.resident[process.index()].set(at, 1);
        }
        if self.left == Some((space, at)) {
            self.count(space, |n| n - 1);
        }
    }

    fn leaves(&mut self, at: Time, space: SpaceId) {
        for process in &self.trace.layout().space(space).processes {
            self.resident[process.index()].set(at, 0);
        }
        self.count(space, |n| n + 1);
        self.left = Some((space, at));
    }

    /// Changes the preemptions of the tasks that have begun something there.
    fn count(&mut self, space: SpaceId, change: impl Fn(u64) -> u64) {
        let there = self.begun.range((space, TaskId(0))..=(space, TaskId(u32::MAX)));
        for (&(_, task), _) in there.filter(|(_, begun)| **begun > 0) {
            self.preemptions[task.index()] = change(self.preemptions[task.index()]);
        }
    }

    fn finish(self) -> Observed {
        let end = self.trace.end();
        let closed = |mut meter: Meter| {
            meter.set(end, 0);
            meter
        };
        let (device, switching) = (closed(self.device), closed(self.switching));
        let sm = |meter| {
            let Meter { busy, sum, .. } = closed(meter);
            SmUsage { busy: Span(busy), thread_time: sum }
        };
        let process = |(resident, threads)| ProcessUsage { resident: Span(closed(resident).busy), thread_time: closed(threads).sum };
        let usage = Usage {
            run: Span(end.ns()),
            executing: Span(device.busy),
            switching: Span(switching.busy),
            idle: Span(end.ns().saturating_sub(device.busy).saturating_sub(switching.busy)),
            sms: self.sms.into_iter().map(sm).collect(),
            threads_per_sm: self.trace.scenario().device().threads_per_sm,
            engines: self.engines.into_iter().map(|meter| Span(closed(meter).busy)).collect(),
            processes: self.resident.into_iter().zip(self.threads).map(process).collect(),
            has_turns: self.has_turns,
        };
        let suspended = self.ops.into_iter().map(|op| Span(closed(op.stopped).busy)).collect();
        Observed { usage, preemptions: self.preemptions, suspended }
    }
}
