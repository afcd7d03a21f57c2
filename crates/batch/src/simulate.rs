//! Runs a program through the hardware queues, to the nanosecond.
//!
//! Depends on the other files of `batch`. Invariant: it changes its [`BatchState`] only by steps, which
//! it records. At each instant everything that can happen happens, in this order until nothing is
//! left: what ends, what the host does, heads of queues in order of issue, blocks.

mod heads;
mod host;

use super::arch::Arch;
use super::command::{CommandKind, CommandNo, KernelLaunch, Op, Program, StreamNo};
use super::holds::{self, Hold, HoldKind};
use super::queues::Queue;
use super::room::Room;
use super::state::{BatchChange, BatchRule, BatchState, BatchStep, CommandStatus};
use blockstep_sim::units::{Time, TimeRange};

/// A batch that was run, from its first command until everything is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRun {
    /// What was issued.
    pub program: Program,
    /// What happened, in order.
    pub steps: Vec<BatchStep>,
    /// Copies and kernels by command: from start to end (a kernel's last block, not its signal).
    pub spans: Vec<Option<TimeRange>>,
    /// When each task's output was there, by place in the batch.
    pub outputs: Vec<Time>,
    /// What could have run but was held up, in order of begin.
    pub holds: Vec<Hold>,
    /// When the host was through.
    pub end: Time,
}

impl BatchRun {
    /// What truly follows what: a command and the one that it comes after, in its stream or by an
    /// event. With [`BatchRun::holds`] these are the lines of [MT] Fig. 2.
    #[must_use]
    pub fn dependencies(&self) -> Vec<(CommandNo, CommandNo)> {
        let mut latest: Vec<(StreamNo, CommandNo)> = Vec::new();
        let mut found = Vec::new();
        for step in &self.steps {
            let BatchChange::Issue(no, Some(_)) = step.change else { continue };
            let command = self.program.command(no);
            match latest.iter_mut().find(|(stream, _)| *stream == command.stream) {
                Some((_, before)) => found.push((no, std::mem::replace(before, no))),
                None => latest.push((command.stream, no)),
            }
            if let CommandKind::Wait(event) = command.kind {
                found.push((no, event));
            }
        }
        found
    }

    /// Its steps, a line each: time in ns, rule, what changes; then what was held up.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for step in &self.steps {
            out.push_str(&format!("{} {} {}\n", step.at, step.rule.id(), step.change.text(&self.program)));
        }
        for hold in &self.holds {
            out.push_str(&hold.text(&self.program));
            out.push('\n');
        }
        out
    }
}

/// A program that never comes to an end: the commands that wait, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Heads of the queues.
    pub heads: Vec<String>,
}

/// Runs a program on an idle GPU.
///
/// # Errors
/// [`Deadlock`] if commands wait for each other in a circle; no scheduler of ours writes such programs.
pub fn simulate(program: &Program, arch: &Arch) -> Result<BatchRun, Deadlock> {
    let mut sim = Sim::new(program, arch);
    while let Some(next) = sim.instant() {
        sim.now = next;
    }
    if sim.host_at < program.host.len() || sim.state.queues.iter().any(|(_, waiting)| !waiting.is_empty()) {
        let heads = sim.state.queues.iter().filter_map(|(_, waiting)| waiting.first()).map(|no| program.label(*no));
        return Err(Deadlock { heads: heads.collect() });
    }
    Ok(sim.finish())
}

/// A kernel that was started.
struct Active {
    no: CommandNo,
    launch: KernelLaunch,
    /// Blocks of one wave of an idle GPU, and how many waves.
    wave: u64,
    waves: u64,
    placed: u32,
    resident: u32,
    /// When its first block was placed.
    began: Option<Time>,
    /// Its blocks were not all placed the instant that it started.
    waited: bool,
    ended: bool,
    /// Kernels that its signal waits for.
    until: Vec<CommandNo>,
}

/// Blocks that end together.
struct EndingBlocks {
    end: Time,
    kernel: usize,
    sm: usize,
    blocks: u32,
}

pub(super) struct Sim<'a> {
    pub(super) program: &'a Program,
    pub(super) arch: &'a Arch,
    pub(super) state: BatchState,
    pub(super) room: Room,
    now: Time,
    steps: Vec<BatchStep>,
    /// Previous command of the same stream, by command; known once it is issued.
    pub(super) previous: Vec<Option<CommandNo>>,
    /// By command: whether it was issued right after the previous one of its stream, and whether the
    /// host had been blocked.
    pub(super) issued_after: Vec<(bool, bool)>,
    /// Latest command of each stream, and its queue if it was not misplaced.
    streams: Vec<(StreamNo, CommandNo, Option<Queue>)>,
    gap: bool,
    host_at: usize,
    host_free: Time,
    /// Polled kernels whose end the host has seen.
    seen: Vec<CommandNo>,
    /// Commands that the host has still to issue before it goes on.
    pending: Vec<CommandNo>,
    queried: Vec<CommandNo>,
    /// Copies, messages and decisions: when they end.
    ends: Vec<(Time, CommandNo)>,
    active: Vec<Active>,
    groups: Vec<EndingBlocks>,
    spans: Vec<Option<TimeRange>>,
    holds: holds::Collector,
}

impl<'a> Sim<'a> {
    fn new(program: &'a Program, arch: &'a Arch) -> Self {
        let count = program.commands.len();
        Self {
            program,
            arch,
            state: BatchState::new(program),
            room: Room::idle(arch, program.on_gpu),
            now: Time::ZERO,
            steps: Vec::new(),
            previous: vec![None; count],
            issued_after: vec![(true, false); count],
            streams: Vec::new(),
            // The host waited for the batch before.
            gap: true,
            host_at: 0,
            host_free: Time::ZERO,
            seen: Vec::new(),
            pending: Vec::new(),
            queried: Vec::new(),
            ends: Vec::new(),
            active: Vec::new(),
            groups: Vec::new(),
            spans: vec![None; count],
            holds: holds::Collector::default(),
        }
    }

    fn step(&mut self, rule: BatchRule, change: BatchChange) {
        let step = BatchStep { at: self.now, rule, change };
        self.state.apply(&step);
        self.steps.push(step);
    }

    /// Everything that happens at this instant; the next one at which something may.
    fn instant(&mut self) -> Option<Time> {
        loop {
            let ended = self.ends_now();
            let issued = self.host();
            let moved = self.heads();
            let placed = self.blocks();
            if !(ended || issued || moved || placed) {
                break;
            }
        }
        self.show_blocks();
        let mut times: Vec<Time> = self.ends.iter().map(|(end, _)| *end).chain(self.groups.iter().map(|g| g.end)).collect();
        if self.host_at < self.program.host.len() {
            times.push(self.host_free);
            times.extend(self.sights().into_iter().map(|(at, _)| at));
        }
        let next = times.into_iter().filter(|t| *t > self.now).min();
        let mut holds = std::mem::take(&mut self.holds);
        if let Some(next) = next {
            holds.between(self, TimeRange::new(self.now, next));
        }
        self.holds = holds;
        next
    }

    // What ends.

    fn ends_now(&mut self) -> bool {
        let mut any = false;
        while let Some(i) = self.ends.iter().position(|(end, _)| *end <= self.now) {
            let (_, no) = self.ends.remove(i);
            if let CommandStatus::Runs(since) = self.state.status(no) {
                self.spans[no.index()] = Some(TimeRange::new(since, self.now));
            }
            self.step(BatchRule::RanItsTime, BatchChange::Done(no));
            any = true;
        }
        while let Some(i) = self.groups.iter().position(|g| g.end <= self.now) {
            let group = self.groups.swap_remove(i);
            let kernel = &mut self.active[group.kernel];
            kernel.resident -= group.blocks;
            self.room.leave(group.sm, kernel.launch.threads_per_block, group.blocks);
            any = true;
        }
        for i in 0..self.active.len() {
            let kernel = &self.active[i];
            if !kernel.ended && kernel.resident == 0 && kernel.placed == kernel.launch.blocks {
                self.end_kernel(i);
                any = true;
            }
        }
        any | self.signals()
    }

    /// The last block of a kernel has ended: its signal is given, or waits for kernels beside it.
    fn end_kernel(&mut self, i: usize) {
        self.active[i].ended = true;
        let (no, me) = (self.active[i].no, &self.active[i]);
        let beside = |k: &&Active| !k.ended;
        let is_queried = |k: &Active| self.queried.contains(&k.no);
        let waited = self.arch.delays_signals && self.active.iter().filter(beside).any(|k| k.waited || me.waited);
        let queried = self.active.iter().filter(beside).any(|k| is_queried(k) || is_queried(me));
        let until: Vec<_> = self.active.iter().filter(beside).map(|k| k.no).collect();
        self.spans[no.index()] = me.began.map(|began| TimeRange::new(began, self.now));
        self.step(BatchRule::BlocksChange, BatchChange::Blocks(no, 0, 0));
        if waited || queried {
            self.step(if waited { BatchRule::SignalDelayed } else { BatchRule::SignalQueried }, BatchChange::End(no));
            self.active[i].until = until;
        } else {
            self.step(BatchRule::RanItsTime, BatchChange::Done(no));
        }
    }

    fn signals(&mut self) -> bool {
        let ended: Vec<CommandNo> = self.active.iter().filter(|k| k.ended).map(|k| k.no).collect();
        let ready = |k: &&Active| k.ended && !self.state.is_done(k.no) && k.until.iter().all(|no| ended.contains(no));
        let given: Vec<CommandNo> = self.active.iter().filter(ready).map(|k| k.no).collect();
        for no in &given {
            self.step(BatchRule::SignalGiven, BatchChange::Done(*no));
        }
        !given.is_empty()
    }

    /// Why a kernel that ended does not signal yet.
    pub(super) fn delay_of(&self, no: CommandNo) -> Option<(HoldKind, CommandNo)> {
        let kernel = self.active.iter().find(|k| k.no == no)?;
        let longest = *kernel.until.iter().rev().find(|k| !self.state.is_done(**k))?;
        let queried = self.queried.iter().any(|q| *q == no || kernel.until.contains(q));
        let waited = self.arch.delays_signals && self.active.iter().any(|k| (k.no == no || kernel.until.contains(&k.no)) && k.waited);
        Some((if queried && !waited { HoldKind::BlockingQuery } else { HoldKind::DelayedSignal }, longest))
    }

    fn finish(self) -> BatchRun {
        let mut outputs = Vec::new();
        for (command, span) in self.program.commands.iter().zip(&self.spans) {
            if let (Some(Op::CopyOut), Some(task), Some(span)) = (command.op(), command.task, span) {
                if outputs.len() <= task {
                    outputs.resize(task + 1, Time::ZERO);
                }
                outputs[task] = outputs[task].max(span.end);
            }
        }
        let holds = self.holds.finish();
        BatchRun { program: self.program.clone(), steps: self.steps, spans: self.spans, outputs, holds, end: self.now }
    }
}
