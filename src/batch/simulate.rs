//! Runs a program through the hardware queues, to the nanosecond.
//!
//! Depends on the other files of `batch`. Invariant: it changes its [`State`] only by steps, which
//! it records. At each instant everything that can happen happens, in this order until nothing is
//! left: what ends, what the host does, heads of queues in order of issue, blocks.

use super::arch::Arch;
use super::command::{CommandNo, HostStep, Kind, Launch, Op, Poll, Program, Sight, Stream};
use super::holds::{self, Hold, HoldKind};
use super::queues::{Before, Queue, QueueKind, place};
use super::room::Room;
use super::state::{Change, Host, Rule, State, Status, Step};
use crate::units::{Span, Time, TimeRange};

/// A batch that was run, from its first command until everything is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRun {
    /// What was issued.
    pub program: Program,
    /// What happened, in order.
    pub steps: Vec<Step>,
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
        let mut latest: Vec<(Stream, CommandNo)> = Vec::new();
        let mut found = Vec::new();
        for step in &self.steps {
            let Change::Issue(no, Some(_)) = step.change else { continue };
            let command = self.program.command(no);
            match latest.iter_mut().find(|(stream, _)| *stream == command.stream) {
                Some((_, before)) => found.push((no, std::mem::replace(before, no))),
                None => latest.push((command.stream, no)),
            }
            if let Kind::Wait(event) = command.kind {
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
    launch: Launch,
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
struct Group {
    end: Time,
    kernel: usize,
    sm: usize,
    blocks: u32,
}

pub(super) struct Sim<'a> {
    pub(super) program: &'a Program,
    pub(super) arch: &'a Arch,
    pub(super) state: State,
    pub(super) room: Room,
    now: Time,
    steps: Vec<Step>,
    /// Previous command of the same stream, by command; known once it is issued.
    pub(super) previous: Vec<Option<CommandNo>>,
    /// By command: whether it was issued right after the previous one of its stream, and whether the
    /// host had been blocked.
    pub(super) issued_after: Vec<(bool, bool)>,
    /// Latest command of each stream, and its queue if it was not misplaced.
    streams: Vec<(Stream, CommandNo, Option<Queue>)>,
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
    groups: Vec<Group>,
    spans: Vec<Option<TimeRange>>,
    holds: holds::Collector,
}

impl<'a> Sim<'a> {
    fn new(program: &'a Program, arch: &'a Arch) -> Self {
        let count = program.commands.len();
        Self {
            program,
            arch,
            state: State::new(program),
            room: Room::of(arch, program.on_gpu),
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

    fn step(&mut self, rule: Rule, change: Change) {
        let step = Step { at: self.now, rule, change };
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
            if let Status::Runs(since) = self.state.status(no) {
                self.spans[no.index()] = Some(TimeRange::new(since, self.now));
            }
            self.step(Rule::RanItsTime, Change::Done(no));
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
        self.step(Rule::BlocksChange, Change::Blocks(no, 0, 0));
        if waited || queried {
            self.step(if waited { Rule::SignalDelayed } else { Rule::SignalQueried }, Change::End(no));
            self.active[i].until = until;
        } else {
            self.step(Rule::RanItsTime, Change::Done(no));
        }
    }

    fn signals(&mut self) -> bool {
        let ended: Vec<CommandNo> = self.active.iter().filter(|k| k.ended).map(|k| k.no).collect();
        let ready = |k: &&Active| k.ended && !self.state.is_done(k.no) && k.until.iter().all(|no| ended.contains(no));
        let given: Vec<CommandNo> = self.active.iter().filter(ready).map(|k| k.no).collect();
        for no in &given {
            self.step(Rule::SignalGiven, Change::Done(*no));
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

    // What the host does.

    fn host(&mut self) -> bool {
        let before = self.steps.len();
        while self.host_free <= self.now {
            if !self.pending.is_empty() {
                let no = self.pending.remove(0);
                self.issue(no);
                continue;
            }
            let Some(step) = self.program.host.get(self.host_at) else { break };
            let is_over = match step {
                HostStep::Issue(no) => {
                    self.issue(*no);
                    true
                }
                HostStep::Sync => {
                    let is_idle = self.state.issued.iter().all(|no| self.state.is_done(*no));
                    self.wait(Host::Waits, is_idle)
                }
                HostStep::Await(no) => self.wait(Host::WaitsFor(*no), self.state.is_done(*no)),
                HostStep::Poll(poll) => self.poll(poll),
            };
            if is_over {
                self.host_at += 1;
                if self.host_at == self.program.host.len() {
                    self.step(Rule::HostGoesOn, Change::Host(Host::Through));
                }
            } else if self.pending.is_empty() {
                break;
            }
        }
        self.steps.len() > before
    }

    /// Whether the host goes on; it was blocked then.
    fn wait(&mut self, host: Host, is_over: bool) -> bool {
        if is_over {
            self.gap = true;
            if self.state.host != Host::Issues {
                self.step(Rule::HostGoesOn, Change::Host(Host::Issues));
            }
        } else if self.state.host != host {
            self.step(Rule::HostWaits, Change::Host(host));
        }
        is_over
    }

    /// When the host sees the end of each kernel polled that has ended but was not seen, in order.
    fn sights(&self) -> Vec<(Time, CommandNo)> {
        let Some(HostStep::Poll(poll)) = self.program.host.get(self.host_at) else { return Vec::new() };
        let ends: Vec<_> = poll.kernels.iter().map(|p| (self.spans[p.kernel.index()].map(|s| s.end), p.kernel)).collect();
        let all = if ends.iter().all(|(end, _)| end.is_some()) { ends.iter().filter_map(|(end, _)| *end).max() } else { None };
        let seen = |end: Option<Time>| if poll.sight == Sight::Counter { end } else { all };
        let mut sights: Vec<(Time, CommandNo)> = ends
            .into_iter()
            .filter(|(_, no)| !self.seen.contains(no))
            .filter_map(|(end, no)| Some((seen(end)?.after(self.arch.costs.poll)?, no)))
            .collect();
        crate::order::by_number(&mut sights, |(at, _)| at.ns());
        sights
    }

    /// Whether all kernels polled were seen.
    fn poll(&mut self, poll: &Poll) -> bool {
        if self.seen.len() == poll.kernels.len() {
            self.step(Rule::HostGoesOn, Change::Host(Host::Issues));
            return true;
        }
        match self.sights().first() {
            Some(&(at, no)) if at <= self.now => {
                self.gap = true;
                self.seen.push(no);
                let is_last = self.seen.len() == poll.kernels.len();
                self.step(Rule::HostSees, Change::Host(Host::Sees(no)));
                if let Some(polled) = poll.kernels.iter().find(|p| p.kernel == no) {
                    self.pending.clone_from(if is_last { &polled.if_last } else { &polled.if_first });
                }
                false
            }
            _ => {
                if self.state.host != Host::Polls {
                    self.step(Rule::HostWaits, Change::Host(Host::Polls));
                }
                false
            }
        }
    }

    fn issue(&mut self, no: CommandNo) {
        let command = self.program.command(no);
        let entry = self.streams.iter().position(|(stream, ..)| *stream == command.stream);
        let latest = entry.map(|i| self.streams[i].1);
        let before = Before {
            stream_queue: entry.and_then(|i| self.streams[i].2),
            back_to_back: latest.is_none() || latest == self.state.issued.last().copied(),
            gap: self.gap,
        };
        let (queue, rule) = place(self.arch, self.program, no, before);
        match command.kind {
            Kind::Query => {
                let kernels =
                    self.program.commands.iter().enumerate().filter(|(_, c)| c.stream == command.stream && c.op() == Some(Op::Kernel));
                self.queried.extend(kernels.map(|(i, _)| CommandNo(i as u32)));
            }
            Kind::DummyRecord => self.gap = false,
            _ => {}
        }
        self.issued_after[no.index()] = (before.back_to_back, before.gap);
        self.step(rule, Change::Issue(no, queue));
        self.host_free = Time(self.now.0.saturating_add(self.arch.costs.issue.0));
        if queue.is_none() {
            return;
        }
        self.previous[no.index()] = latest;
        let follows = queue.filter(|q| q.kind != QueueKind::Events).or(before.stream_queue);
        match entry {
            Some(i) => self.streams[i] = (command.stream, no, follows),
            None => self.streams.push((command.stream, no, follows)),
        }
    }

    // Heads of queues.

    fn heads(&mut self) -> bool {
        let mut any = false;
        loop {
            let mut heads: Vec<CommandNo> = self.state.queues.iter().filter_map(|(_, waiting)| waiting.first().copied()).collect();
            crate::order::by_number(&mut heads, |no| self.state.issued.iter().position(|c| c == no).unwrap_or(0) as u64);
            // What takes no time first: only then is it clear who wants an engine, and what was
            // issued first gets it.
            let (engines, others): (Vec<_>, Vec<_>) = heads.into_iter().partition(|no| self.takes_engine(*no));
            let mut moved = false;
            for no in others {
                moved |= self.head(no);
            }
            if !moved {
                moved = engines.into_iter().any(|no| self.head(no));
            }
            if !moved {
                return any;
            }
            any = true;
        }
    }

    /// Whether a command waits for an engine that others may want too.
    fn takes_engine(&self, no: CommandNo) -> bool {
        let kind = self.program.command(no).kind;
        self.state.status(no) == Status::Waits && (matches!(kind, Kind::Kernel(_)) || self.engine(kind).is_some())
    }

    /// Whether the head of a queue could do something.
    fn head(&mut self, no: CommandNo) -> bool {
        if let Some(i) = self.active.iter().position(|k| k.no == no) {
            let is_placed = self.active[i].placed == self.active[i].launch.blocks;
            if is_placed {
                self.step(Rule::AllPlaced, Change::Leave(no));
            }
            return is_placed;
        }
        let follows = self.previous[no.index()].is_none_or(|p| self.state.is_done(p));
        if self.state.status(no) != Status::Waits || !follows || !self.is_free_for(no) {
            return false;
        }
        let costs = &self.arch.costs;
        let takes = match self.program.command(no).kind {
            Kind::Wait(event) if !self.state.is_done(event) => return false,
            Kind::SeeCounter(kernel) | Kind::SyncDevice(kernel) if !self.is_seen_on_device(no, kernel) => return false,
            Kind::Kernel(launch) => {
                self.start_kernel(no, launch);
                return true;
            }
            Kind::Copy(_, takes) => takes,
            Kind::MessageIn | Kind::MessageOut => costs.message,
            Kind::Choose => costs.decision,
            Kind::Launch => Span(costs.decision.0.saturating_add(costs.launch.0)),
            Kind::Dummy(_)
            | Kind::Record(..)
            | Kind::DummyRecord
            | Kind::Wait(_)
            | Kind::Query
            | Kind::SeeCounter(_)
            | Kind::SyncDevice(_) => Span::ZERO,
        };
        if takes == Span::ZERO {
            self.step(Rule::TakesNoTime, Change::Done(no));
        } else {
            self.step(Rule::EngineFree, Change::Start(no));
            self.ends.push((Time(self.now.0.saturating_add(takes.0)), no));
        }
        true
    }

    /// Whether the engine that a command needs is free for it.
    fn is_free_for(&self, no: CommandNo) -> bool {
        let kind = self.program.command(no).kind;
        let engine = self.engine(kind);
        let runs = |(_, other): &(Time, CommandNo)| self.engine(self.program.command(*other).kind) == engine;
        match kind {
            // Started kernels that still have blocks to place come first.
            Kind::Kernel(_) => self.active.iter().all(|k| k.placed == k.launch.blocks),
            _ => engine.is_none() || !self.ends.iter().any(runs),
        }
    }

    /// Whether a command would run at once if it were its turn.
    pub(super) fn could_run(&self, no: CommandNo) -> bool {
        let has_room = match self.program.command(no).kind {
            Kind::Kernel(launch) => self.room.has_room(launch.threads_per_block),
            _ => true,
        };
        has_room && self.is_free_for(no)
    }

    /// The engine, other than execution, that a command of this kind keeps busy.
    fn engine(&self, kind: Kind) -> Option<u32> {
        match kind {
            Kind::Copy(op, _) => Some(self.arch.copy_engine(op)),
            Kind::Choose | Kind::Launch => Some(2),
            _ => None,
        }
    }

    fn is_seen_on_device(&self, no: CommandNo, kernel: CommandNo) -> bool {
        let Some(me) = self.active.iter().position(|k| k.no == kernel) else { return false };
        match self.program.command(no).kind {
            Kind::SyncDevice(_) => self.active[..=me].iter().all(|k| k.ended),
            _ => self.active[me].ended,
        }
    }

    // Kernels.

    fn start_kernel(&mut self, no: CommandNo, launch: Launch) {
        let wave = self.arch.wave(launch.threads_per_block).max(1);
        let waves = u64::from(launch.blocks).div_ceil(wave);
        self.step(Rule::EngineFree, Change::Start(no));
        let active =
            Active { no, launch, wave, waves, placed: 0, resident: 0, began: None, waited: false, ended: false, until: Vec::new() };
        self.active.push(active);
        self.blocks();
        if let Some(kernel) = self.active.last_mut() {
            kernel.waited = kernel.placed < kernel.launch.blocks;
        }
    }

    /// Places blocks, those of the kernel that started first before the others.
    fn blocks(&mut self) -> bool {
        let mut any = false;
        for i in 0..self.active.len() {
            while self.active[i].placed < self.active[i].launch.blocks {
                let kernel = &mut self.active[i];
                let Some(sm) = self.room.place_one(kernel.launch.threads_per_block) else { return any };
                // Waves of a kernel that runs alone fill its time exactly, to the nanosecond.
                let turn = u64::from(kernel.placed) / kernel.wave;
                let share = |turn: u64| (u128::from(kernel.launch.alone.0) * u128::from(turn) / u128::from(kernel.waves)) as u64;
                let end = Time(self.now.0.saturating_add(share(turn + 1) - share(turn)));
                kernel.began.get_or_insert(self.now);
                kernel.placed += 1;
                kernel.resident += 1;
                any = true;
                match self.groups.iter_mut().find(|g| g.end == end && g.kernel == i && g.sm == sm) {
                    Some(group) => group.blocks += 1,
                    None => self.groups.push(Group { end, kernel: i, sm, blocks: 1 }),
                }
            }
        }
        any
    }

    /// Steps for kernels whose resident blocks are not what was last shown; full waves that follow
    /// each other are none.
    fn show_blocks(&mut self) {
        for i in 0..self.active.len() {
            let kernel = &self.active[i];
            let (no, resident, left) = (kernel.no, kernel.resident, kernel.launch.blocks - kernel.placed);
            let shown = self.state.blocks[no.index()];
            if shown.0 != resident || (left == 0) != (shown.1 == 0) {
                self.step(Rule::BlocksChange, Change::Blocks(no, resident, left));
            }
        }
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
