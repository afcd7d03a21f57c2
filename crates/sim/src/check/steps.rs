//! Invariants over single steps: a plain bookkeeping of queues and resources, step by step.
//!
//! Depends on `trace`. Invariant: its state is its own; it decides nothing and predicts nothing.

mod turns;
mod waits;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Invariant, Violation};
use crate::policy::{self, Setting};
use crate::scenario::{Needs, Preemption, Release, StreamPriority};
use crate::trace::{Change, EngineNo, Level, OpKind, Step, Trace, kinds_of};
use crate::units::{ClaimantId, JobNo, OpId, RowId, SmId, SpaceId, Span, StreamId, TaskId, Time};

pub(super) fn check(trace: &Trace) -> Vec<Violation> {
    let mut book = Book::new(trace);
    for step in trace.steps() {
        if step.at != book.now {
            book.end_of_instant();
        }
        if step.at < book.now {
            book.add(Invariant::TimeOrder, format!("a step at {} ns comes after it", step.at));
        }
        book.now = step.at;
        book.step(step);
    }
    if trace.cut().is_none() {
        book.end_of_instant();
    }
    if book.now > trace.end() {
        book.add(Invariant::TimeOrder, format!("a step comes after the run's end, {} ns", trace.end()));
    }
    book.found
}

/// Threads, shared memory, registers and block slots, in this order.
type Amounts = [u64; 4];

const RESOURCES: [Invariant; 4] = [Invariant::Threads, Invariant::SharedMemory, Invariant::Registers, Invariant::Slots];

#[derive(Default)]
struct OpState {
    has_joined: bool,
    /// What the events had captured that it waits for.
    awaits: Vec<OpId>,
    /// What it waits for by a graph.
    after: Vec<OpId>,
    is_complete: bool,
    assigned: u32,
    ended: u32,
}

#[derive(Clone, Default)]
struct SpaceBook {
    ee: [VecDeque<OpId>; 2],
    ce: [VecDeque<OpId>; 2],
    engines: [Option<OpId>; 2],
    used: Vec<Amounts>,
}

struct Book<'a> {
    trace: &'a Trace,
    now: Time,
    found: Vec<Violation>,
    limits: Amounts,
    streams: Vec<VecDeque<OpId>>,
    /// By event: what was last in its stream, and in the branches of that, when it was recorded last.
    recorded: Vec<Vec<OpId>>,
    /// The last operations of nodes of graphs.
    nodes: BTreeMap<(RowId, JobNo), OpId>,
    /// By hardware connection: kernels, and copies for each CE queue, issued that have not moved on.
    connections: Vec<[VecDeque<OpId>; 3]>,
    ops: Vec<OpState>,
    issued: usize,
    spaces: Vec<SpaceBook>,
    /// Where each running or suspended block is, and whether it runs.
    blocks: BTreeMap<(OpId, u32), (SmId, bool)>,
    /// Operations that have completed and calls that have returned, by released job; `None` once the job has completed.
    jobs: BTreeMap<(TaskId, JobNo), Option<usize>>,
    /// Operations of one job, and calls of it that only wait, by task.
    ops_per_job: Vec<usize>,
    /// Operations that have yet to complete, by released job.
    work_left: BTreeMap<(TaskId, JobNo), usize>,
    /// Released, incomplete jobs without operations whose calls have returned: they wait for nothing but their producers.
    empty_jobs: BTreeSet<(TaskId, JobNo)>,
    /// Kernels whose last block has ended, and jobs whose last operation has completed, in this instant.
    due: (Vec<OpId>, Vec<(TaskId, JobNo)>),
    /// Whether address spaces take turns at all, then who has its turn and whether it drains.
    resident: Option<Option<(SpaceId, bool)>>,
    /// The runlist's pointer, and whom the entry visited last serves until it leaves.
    runlist: (u64, Option<SpaceId>),
    /// Switches so far, and whether one is under way.
    switches: u64,
    is_switching: bool,
    /// The process of the job chosen last, if one ever was.
    chosen: Option<SpaceId>,
    /// Servers' deadlines.
    servers: BTreeMap<ClaimantId, Time>,
    /// The last decision of a policy of one's own.
    decision: Option<u32>,
}

impl<'a> Book<'a> {
    fn new(trace: &'a Trace) -> Self {
        let (scenario, layout) = (trace.scenario(), trace.layout());
        let device = scenario.device();
        let turns = scenario.policy().kind.takes_turns();
        // A call that only waits counts as one, the launch of a graph as none.
        let ops_of_row = |row: &crate::scenario::KernelRow| kinds_of(row).count().max(usize::from(row.nodes == 0));
        let space = SpaceBook { used: vec![[0; 4]; device.sms as usize], ..SpaceBook::default() };
        Self {
            trace,
            now: Time::ZERO,
            found: Vec::new(),
            limits: [device.threads_per_sm, device.shared_memory_per_sm, device.registers_per_sm, device.blocks_per_sm],
            streams: vec![VecDeque::new(); layout.streams().len()],
            recorded: vec![Vec::new(); scenario.event_count()],
            nodes: BTreeMap::new(),
            connections: vec![Default::default(); layout.connections().len()],
            ops: trace.ops().iter().map(|_| OpState::default()).collect(),
            issued: 0,
            spaces: vec![space; layout.spaces().len()],
            blocks: BTreeMap::new(),
            jobs: BTreeMap::new(),
            ops_per_job: scenario.tasks().iter().map(|t| t.rows.iter().map(|&r| ops_of_row(scenario.row(r))).sum()).collect(),
            work_left: BTreeMap::new(),
            empty_jobs: BTreeSet::new(),
            due: Default::default(),
            resident: (turns || layout.spaces().len() > 1).then_some(None),
            runlist: (0, None),
            switches: 0,
            is_switching: false,
            chosen: None,
            servers: BTreeMap::new(),
            decision: None,
        }
    }

    fn add(&mut self, invariant: Invariant, what: String) {
        self.found.push(Violation { invariant, at: self.now, what });
    }

    fn expect(&mut self, holds: bool, invariant: Invariant, what: impl FnOnce(&Trace) -> String) {
        if !holds {
            let what = what(self.trace);
            self.add(invariant, what);
        }
    }

    fn stream(&self, op: OpId) -> StreamId {
        self.trace.op(op).stream
    }

    fn space_id(&self, op: OpId) -> SpaceId {
        self.trace.layout().stream(self.stream(op)).space
    }

    fn space(&mut self, op: OpId) -> &mut SpaceBook {
        let id = self.space_id(op);
        &mut self.spaces[id.index()]
    }

    fn step(&mut self, step: &Step) {
        match step.change {
            Change::JobReleased { task, job } => {
                let is_new = self.jobs.insert((task, job), Some(0)).is_none();
                let rows = self.trace.scenario().task(task).rows.iter().map(|&row| self.trace.scenario().row(row));
                self.work_left.insert((task, job), rows.map(|row| kinds_of(row).count()).sum());
                self.expect(is_new, Invariant::Jobs, |_| format!("job {} of task {} was released twice", job.0, task.0));
                if self.ops_per_job[task.index()] == 0 {
                    self.empty_jobs.insert((task, job));
                }
            }
            Change::JobCompleted { task, job } => {
                let done = self.jobs.insert((task, job), None).flatten();
                let is_right = done == Some(self.ops_per_job[task.index()]);
                if self.empty_jobs.remove(&(task, job)) {
                    let waits = self.unfinished_producer(task, job).is_some();
                    self.expect(!waits, Invariant::Producers, |_| {
                        format!("job {} of task {} completed before its producer", job.0, task.0)
                    });
                }
                self.expect(is_right, Invariant::Jobs, |_| format!("job {} of task {} completed with {done:?} operations", job.0, task.0));
            }
            // Judged by the finished records.
            Change::DeadlineMissed { .. } => {}
            // What it waits for is judged in `host`.
            Change::HostWaits { .. } => {}
            Change::HostReturned { row, job } => {
                let info = self.trace.scenario().row(row);
                if kinds_of(info).next().is_none() {
                    self.part_of_job(info.task, job, |t| t.call_label(row, job));
                }
            }
            Change::Issued { op } => {
                self.expect(op.index() == self.issued, Invariant::Issue, |t| format!("{} was issued out of turn", t.op_label(op)));
                self.issued += 1;
                let stream = self.stream(op);
                self.streams[stream.index()].push_back(op);
                if let Some(line) = self.connection(op) {
                    line.push_back(op);
                }
                self.record(op);
            }
            Change::EeJoined { op, level } => {
                self.moves_on(op);
                self.launched(op, step.rule);
                self.expect(level == self.level(op), Invariant::Queue, |t| format!("{} joined EE {}", t.op_label(op), level.word()));
                self.space(op).ee[level as usize].push_back(op);
            }
            Change::CeJoined { op, engine } => {
                self.moves_on(op);
                let right = self.trace.op(op).kind == OpKind::CopyOut && self.trace.scenario().device().copy_engines > 1;
                self.expect(engine == EngineNo::from(right), Invariant::Queue, |t| format!("{} joined CE {engine}", t.op_label(op)));
                self.space(op).ce[engine as usize].push_back(op);
            }
            Change::BlockAssigned { op, block, sm } => self.block_assigned(op, block, sm),
            Change::EeLeft { op, level } => {
                let head = self.space(op).ee[level as usize].pop_front();
                let all = u64::from(self.ops[op.index()].assigned) == self.trace.row_of(op).blocks;
                self.expect(head == Some(op) && all, Invariant::EeOrder, |t| format!("{} left EE {}", t.op_label(op), level.word()));
            }
            Change::BlockEnded { op, block, sm } => {
                let place = self.blocks.remove(&(op, block));
                self.expect(place == Some((sm, true)), Invariant::Residency, |t| {
                    format!("{}:{block} ended but did not run", t.op_label(op))
                });
                if place.is_some() {
                    let state = &mut self.ops[op.index()];
                    state.ended += 1;
                    if u64::from(state.ended) == self.trace.row_of(op).blocks {
                        self.due.0.push(op);
                    }
                    let needs = amounts(&self.trace.row_of(op).needs);
                    let used = &mut self.space(op).used[sm.index()];
                    *used = std::array::from_fn(|i| used[i].saturating_sub(needs[i]));
                }
            }
            // Judged in `spins`.
            Change::SpinEnded { .. } => {}
            Change::KernelCompleted { op } => {
                let all = u64::from(self.ops[op.index()].ended) == self.trace.row_of(op).blocks;
                self.expect(all, Invariant::Completion, |t| format!("{} completed before its last block", t.op_label(op)));
                self.completed(op);
            }
            Change::CopyAssigned { op, engine } => {
                self.executes(op);
                let is_head = self.space(op).ce[engine as usize].front() == Some(&op);
                self.expect(is_head, Invariant::CeOrder, |t| format!("{} was assigned from behind the head", t.op_label(op)));
                let before = self.space(op).engines[engine as usize].replace(op);
                self.expect(before.is_none(), Invariant::CopyEngine, |t| format!("{} was assigned to a busy engine", t.op_label(op)));
            }
            Change::CeLeft { op, engine } => {
                let space = self.space(op);
                let is_right = space.ce[engine as usize].pop_front() == Some(op) && space.engines[engine as usize] == Some(op);
                self.expect(is_right, Invariant::CeOrder, |t| format!("{} left the CE queue unassigned", t.op_label(op)));
            }
            Change::CopyCompleted { op, engine } => {
                let held = self.space(op).engines[engine as usize].take();
                self.expect(held == Some(op), Invariant::CopyEngine, |t| format!("{} completed on an engine not its own", t.op_label(op)));
                self.completed(op);
            }
            Change::Chosen { claimant, job } => {
                let task = self.trace.scenario().claimant(claimant).task;
                // Where signals take time, it may be complete: see `signals`.
                let is_open = match self.jobs.get(&(task, job)) {
                    Some(open) => open.is_some() || self.trace.scenario().policy().signal_time() > Span::ZERO,
                    None => false,
                };
                self.expect(is_open, Invariant::Chosen, |_| format!("job {} of task {} was chosen, but is not open", job.0, task.0));
                self.chosen = Some(SpaceId(self.trace.scenario().task(task).process.0));
            }
            Change::ServerRenewed { claimant, deadline } => {
                let due = self.times_of(claimant).0.and_then(|d| self.now.after(d));
                self.server(claimant, deadline, due);
            }
            Change::DeadlinePostponed { claimant, deadline } => {
                let period = self.times_of(claimant).1;
                let due = self.servers.get(&claimant).zip(period).and_then(|(before, period)| before.after(period));
                self.server(claimant, deadline, due);
            }
            Change::EntryVisited { space, entry } => self.visited(space, entry),
            Change::PolicyTold { decision } => self.decision = Some(decision),
            // Judged in `signals`.
            Change::SignalSent { .. } | Change::SignalArrived { .. } => {}
            // Judged in `drains`.
            Change::ChannelReset { .. } => {}
            Change::RunlistSubmitted { to, .. } => {
                self.serves(to);
                self.expect(self.resident == Some(None), Invariant::Residency, |_| {
                    "a runlist was submitted while somebody was resident".to_owned()
                });
            }
            Change::SwitchStarted { to, until } => {
                self.switch_began(until);
                self.serves(to);
                self.is_switching = true;
                self.expect(self.resident == Some(None), Invariant::Residency, |_| "a switch began while somebody was resident".to_owned());
            }
            Change::Entered { space } => {
                self.serves(space);
                self.expect(self.resident == Some(None), Invariant::Residency, |_| "somebody else was still resident".to_owned());
                self.resident = Some(Some((space, false)));
                self.is_switching = false;
            }
            Change::DrainStarted { space, .. } => {
                let was = self.resident.replace(Some((space, true)));
                self.expect(was == Some(Some((space, false))), Invariant::Residency, |_| "a drain began of nobody resident".to_owned());
            }
            Change::Left { space } => self.left(space),
            Change::BlockSuspended { op, block, sm } => self.toggled(op, block, sm, false),
            Change::BlockResumed { op, block, sm } => self.toggled(op, block, sm, true),
            Change::CopySuspended { op, engine } | Change::CopyResumed { op, engine } => {
                let held = self.space(op).engines[engine as usize];
                self.expect(held == Some(op), Invariant::CopyEngine, |t| format!("{} was not on that engine", t.op_label(op)));
            }
        }
    }

    /// A switch takes the time that is drawn for it by its number.
    fn switch_began(&mut self, until: Time) {
        let takes = self.trace.scenario().switches().draw(self.switches);
        self.switches += 1;
        let is_right = self.now.after(takes) == Some(until);
        self.expect(is_right, Invariant::RunTime, |_| format!("a switch ends at {} ns and takes {} ns", until.ns(), takes.ns()));
    }

    /// An operation joins its EE or CE queue (G2, C1, N1, N2, H1, section 8).
    fn moves_on(&mut self, op: OpId) {
        let is_head = self.streams[self.stream(op).index()].front() == Some(&op) && !self.ops[op.index()].has_joined;
        self.expect(is_head, Invariant::StreamOrder, |t| format!("{} moved on, but not as the head of its stream", t.op_label(op)));
        if let Some(barrier) = self.null_barrier(op) {
            self.expect(false, Invariant::NullStream, |t| format!("{} moved on before {}", t.op_label(op), t.op_label(barrier)));
        }
        if let Some(producer) = self.missing_producer(op) {
            self.expect(false, Invariant::Producers, |t| format!("{} moved on before its producer, task {}", t.op_label(op), producer.0));
        }
        if let Some(awaited) = self.awaited(op) {
            self.expect(false, Invariant::Event, |t| format!("{} moved on before {}", t.op_label(op), t.op_label(awaited)));
        }
        if let Some(before) = self.before_by_graph(op) {
            self.expect(false, Invariant::Graph, |t| format!("{} moved on before {}", t.op_label(op), t.op_label(before)));
        }
        if let Some(line) = self.connection(op) {
            let ahead = line.front().copied().filter(|&ahead| ahead != op);
            line.retain(|&other| other != op);
            if let Some(ahead) = ahead {
                self.expect(false, Invariant::Connection, |t| format!("{} moved on before {}", t.op_label(op), t.op_label(ahead)));
            }
        }
        self.ops[op.index()].has_joined = true;
    }

    /// What the operation's connection holds for its kind of queue, where streams share connections.
    fn connection(&mut self, op: OpId) -> Option<&mut VecDeque<OpId>> {
        let info = self.trace.op(op);
        let connection = self.trace.layout().stream(info.stream).connection?;
        let has_own = self.trace.scenario().device().copy_engines > 1;
        let line = if info.kind == OpKind::Kernel { 0 } else { 1 + usize::from(has_own && info.kind == OpKind::CopyOut) };
        Some(&mut self.connections[connection.index()][line])
    }

    /// Whether something issued earlier stands before the operation in its connection.
    fn is_behind(&mut self, op: OpId) -> bool {
        self.connection(op).is_some_and(|line| line.front() != Some(&op))
    }

    /// Something launched earlier that N1 or N2 make the operation wait for.
    fn null_barrier(&self, op: OpId) -> Option<OpId> {
        let layout = self.trace.layout();
        let mine = layout.stream(self.stream(op));
        let streams = layout.channels_beside(mine.space).flat_map(|channel| &layout.space(channel).streams);
        let concerns = |other: &&StreamId| {
            let other_stream = layout.stream(**other);
            let is_blocking = !mine.non_blocking && !other_stream.non_blocking;
            **other != self.stream(op) && is_blocking && (mine.is_null || other_stream.is_null)
        };
        let heads = streams.filter(concerns).filter_map(|&other| self.streams[other.index()].front());
        heads.copied().filter(|&head| head < op).min()
    }

    fn missing_producer(&self, op: OpId) -> Option<TaskId> {
        self.unfinished_producer(self.trace.row_of(op).task, self.trace.op(op).job)
    }

    fn unfinished_producer(&self, task: TaskId, job: JobNo) -> Option<TaskId> {
        let task = self.trace.scenario().task(task);
        task.consumes.iter().copied().find(|&producer| !self.has_supplied(producer, job))
    }

    /// Whether consumers wait for a job no longer: its operations are complete, and the producers of one without operations have supplied.
    fn has_supplied(&self, task: TaskId, job: JobNo) -> bool {
        let (mut asked, mut seen) = (vec![task], BTreeSet::new());
        while let Some(task) = asked.pop() {
            let info = self.trace.scenario().task(task);
            match self.jobs.get(&(task, job)) {
                None => return false,
                Some(None) => {}
                // Without a row it completes when its producers have supplied.
                Some(Some(_)) if info.rows.is_empty() || self.work_left.get(&(task, job)) != Some(&0) => return false,
                Some(Some(_)) if info.has_operations() => {}
                Some(Some(_)) => asked.extend(info.consumes.iter().filter(|&&producer| seen.insert(producer))),
            }
        }
        true
    }

    /// A1; one level only where priorities of streams mean nothing.
    fn level(&self, op: OpId) -> Level {
        let is_high = self.trace.layout().stream(self.stream(op)).priority == StreamPriority::High;
        let has_levels = policy::uses(self.trace.scenario(), Setting::StreamPriority);
        if is_high && has_levels { Level::High } else { Level::Low }
    }

    fn block_assigned(&mut self, op: OpId, block: u32, sm: SmId) {
        let finishes = self.finishes(op);
        if !finishes {
            self.executes(op);
        }
        let state = &mut self.ops[op.index()];
        let expected = state.assigned;
        state.assigned += 1;
        let is_next = block == expected && u64::from(block) < self.trace.row_of(op).blocks;
        self.expect(is_next, Invariant::BlockOrder, |t| format!("{}:{block} was assigned; next was {expected}", t.op_label(op)));
        self.blocks.insert((op, block), (sm, true));
        let level = self.level(op);
        let space = self.space(op);
        let (is_head, higher) = (space.ee[level as usize].front() == Some(&op), space.ee[Level::High as usize].front().copied());
        self.expect(is_head, Invariant::EeOrder, |t| format!("{}:{block} was assigned from behind the head", t.op_label(op)));
        let higher = higher.filter(|&higher| !finishes || self.ops[higher.index()].assigned > 0);
        if let (Level::Low, Some(higher)) = (level, higher) {
            self.expect(false, Invariant::Priority, |t| format!("{}:{block} was assigned before {}", t.op_label(op), t.op_label(higher)));
        }
        let (needs, limits) = (amounts(&self.trace.row_of(op).needs), self.limits);
        let used = &mut self.space(op).used[sm.index()];
        *used = std::array::from_fn(|i| used[i].saturating_add(needs[i]));
        let used = *used;
        for (i, invariant) in RESOURCES.into_iter().enumerate() {
            self.expect(used[i] <= limits[i], invariant, |t| {
                format!("with {}:{block}, SM {} holds {} of {}", t.op_label(op), sm.0, used[i], limits[i])
            });
        }
    }

    /// The operation left its stream queue (G4, C4).
    fn completed(&mut self, op: OpId) {
        self.ops[op.index()].is_complete = true;
        let stream = self.stream(op);
        let head = self.streams[stream.index()].pop_front();
        self.expect(head == Some(op), Invariant::StreamOrder, |t| {
            format!("{} completed, but not as the head of its stream", t.op_label(op))
        });
        let (task, job) = (self.trace.row_of(op).task, self.trace.op(op).job);
        if let Some(left) = self.work_left.get_mut(&(task, job)) {
            *left = left.saturating_sub(1);
        }
        self.part_of_job(task, job, |t| t.op_label(op));
    }

    /// An operation of a job has completed, or a call has returned that only waited.
    fn part_of_job(&mut self, task: TaskId, job: JobNo, name: impl FnOnce(&Trace) -> String) {
        match self.jobs.get_mut(&(task, job)).and_then(Option::as_mut) {
            Some(done) => {
                *done += 1;
                if *done == self.ops_per_job[task.index()] {
                    // Without operations it may still wait for producers.
                    if self.trace.scenario().task(task).has_operations() {
                        self.due.1.push((task, job));
                    } else {
                        self.empty_jobs.insert((task, job));
                    }
                }
            }
            None => self.expect(false, Invariant::Jobs, |t| format!("{} completed outside its job", name(t))),
        }
    }

    /// Something of this operation is assigned or resumed.
    fn executes(&mut self, op: OpId) {
        let space = self.space_id(op);
        let is_allowed = self.resident.is_none_or(|r| r == Some((space, false)));
        self.expect(is_allowed, Invariant::Residency, |t| format!("{} was assigned while its process was not resident", t.op_label(op)));
    }

    /// Whether this kernel has begun and its process drains in the mode `kernel`: it goes on to its last block.
    fn finishes(&self, op: OpId) -> bool {
        self.ops[op.index()].assigned > 0
            && self.resident == Some(Some((self.space_id(op), true)))
            && self.is_kernel_mode(self.space_id(op))
    }

    fn is_kernel_mode(&self, space: SpaceId) -> bool {
        self.trace.scenario().preemption(space) == Preemption::Kernel
    }

    fn toggled(&mut self, op: OpId, block: u32, sm: SmId, runs: bool) {
        let was = self.blocks.insert((op, block), (sm, runs));
        self.expect(was == Some((sm, !runs)), Invariant::Residency, |t| format!("{}:{block} was not there to be moved", t.op_label(op)));
    }

    fn server(&mut self, claimant: ClaimantId, deadline: Time, due: Option<Time>) {
        self.expect(due == Some(deadline), Invariant::Server, |t| {
            format!("the server of {} has {deadline}, not {due:?}", t.scenario().claims_for(claimant).name)
        });
        self.servers.insert(claimant, deadline);
    }

    /// Relative deadline and period of a claimant's server.
    fn times_of(&self, claimant: ClaimantId) -> (Option<Span>, Option<Span>) {
        let of = self.trace.scenario().claimant(claimant);
        if of.batch.is_some() {
            return (of.deadline, of.period);
        }
        let info = self.trace.scenario().claims_for(claimant);
        (info.deadline, info.period.filter(|_| info.release != Release::Once).or(info.deadline))
    }

    /// Everything that could complete, move on or be assigned has.
    fn end_of_instant(&mut self) {
        let (kernels, jobs) = std::mem::take(&mut self.due);
        for op in kernels {
            self.expect(self.ops[op.index()].is_complete, Invariant::Completion, |t| format!("{} does not complete", t.op_label(op)));
        }
        for (task, job) in jobs {
            let is_complete = self.jobs.get(&(task, job)) == Some(&None);
            self.expect(is_complete, Invariant::Jobs, |_| format!("job {} of task {} does not complete", job.0, task.0));
        }
        for stream in 0..self.streams.len() {
            let Some(&op) = self.streams[stream].front() else { continue };
            let is_awaiting = self.awaited(op).is_some() || self.before_by_graph(op).is_some();
            let is_ordered = self.null_barrier(op).is_some() || self.missing_producer(op).is_some() || is_awaiting;
            let waits = self.ops[op.index()].has_joined || is_ordered || self.is_behind(op) || self.is_held(op);
            self.expect(waits, Invariant::LeftBehind, |t| format!("{} may move on and does not", t.op_label(op)));
        }
        let empty: Vec<_> = self.empty_jobs.iter().copied().filter(|&(task, job)| self.unfinished_producer(task, job).is_none()).collect();
        for (task, job) in empty {
            self.expect(false, Invariant::Jobs, |_| format!("job {} of task {} does not complete", job.0, task.0));
        }
        self.admits_who_may_go();
        for space in 0..self.spaces.len() {
            let id = SpaceId::at(space);
            let finishes = self.resident == Some(Some((id, true))) && self.is_kernel_mode(id);
            if !finishes && self.resident.is_some_and(|r| r != Some((id, false))) {
                continue;
            }
            self.stays_in_queue(space);
            let book = &self.spaces[space];
            let idle = book.ce.iter().zip(&book.engines).filter(|(_, engine)| !finishes && engine.is_none());
            let copies = idle.filter_map(|(queue, _)| queue.front());
            let begun = |op: &&OpId| !finishes || self.ops[op.index()].assigned > 0;
            let head = book.ee.iter().filter_map(|queue| queue.front().filter(begun)).next().filter(|&&op| {
                let (needs, row) = (amounts(&self.trace.row_of(op).needs), self.trace.row_of(op));
                let of_sm = |used: &Amounts| {
                    let of = |i: usize| (self.limits[i] - used[i].min(self.limits[i])).checked_div(needs[i]).unwrap_or(u64::MAX);
                    (0..4).map(of).min().unwrap_or(0)
                };
                let room = book.used.iter().map(of_sm).fold(0, u64::saturating_add);
                // R4.
                room >= if row.cooperative && self.ops[op.index()].assigned == 0 { row.blocks } else { 1 }
            });
            for op in copies.chain(head).copied().collect::<Vec<_>>() {
                self.expect(false, Invariant::LeftBehind, |t| format!("{} could be assigned and is not", t.op_label(op)));
            }
        }
    }

    /// G3, C3: what has been assigned has left its EE or CE queue.
    fn stays_in_queue(&mut self, space: usize) {
        let book = &self.spaces[space];
        let is_dispatched = |op: &&OpId| u64::from(self.ops[op.index()].assigned) == self.trace.row_of(**op).blocks;
        let kernels: Vec<_> = book.ee.iter().filter_map(VecDeque::front).filter(is_dispatched).copied().collect();
        let copies: Vec<_> = book
            .engines
            .iter()
            .zip(&book.ce)
            .filter_map(|(engine, queue)| queue.front().copied().filter(|op| *engine == Some(*op)))
            .collect();
        for op in kernels {
            self.expect(false, Invariant::EeOrder, |t| format!("{} is fully dispatched and stays in its EE queue", t.op_label(op)));
        }
        for op in copies {
            self.expect(false, Invariant::CeOrder, |t| format!("{} is assigned and stays in its CE queue", t.op_label(op)));
        }
    }
}

fn amounts(needs: &Needs) -> Amounts {
    [u64::from(needs.threads), needs.shared_memory, needs.registers, 1]
}
