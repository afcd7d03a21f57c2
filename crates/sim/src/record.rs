//! What a run did, by block, copy, operation, job and process: the steps folded once.
//!
//! Depends on `units`, `work`, `scenario` and `trace`. Invariant: everything here follows from the steps
//! alone; blocks and copies are in order of assignment, operations in issue order, jobs in order
//! of release, then of the task table.

mod jobs;
mod turns;

use std::collections::BTreeMap;

use jobs::Jobs;
pub use jobs::jobs;
pub use turns::Refill;
use turns::Turns;

use crate::order;
use crate::scenario::{Class, Scenario};
use crate::trace::{Change, EngineNo, Flags, Trace};
use crate::units::{ClaimantId, JobNo, OpId, RowId, SmId, SpaceId, StepId, TaskId, Time, TimeRange};
use crate::work::{Budget, Progress};

/// One block that was assigned.
#[derive(Clone, Copy, Debug)]
pub struct BlockRecord {
    /// Its kernel.
    pub op: OpId,
    /// Its index in the kernel.
    pub block: u32,
    /// Where it ran.
    pub sm: SmId,
    /// When it was assigned.
    pub start: Time,
    /// When it completed.
    pub end: Option<Time>,
    /// The step that assigned it.
    pub start_step: StepId,
}

/// One copy that was assigned.
#[derive(Clone, Copy, Debug)]
pub struct CopyRecord {
    /// The operation.
    pub op: OpId,
    /// The copy engine it held.
    pub engine: EngineNo,
    /// When it was assigned.
    pub start: Time,
    /// When it completed.
    pub end: Option<Time>,
    /// The step that assigned it.
    pub start_step: StepId,
}

/// The life of one operation; entry i of [`Records::ops`] is operation i.
#[derive(Clone, Copy, Debug)]
pub struct OpRecord {
    /// When it joined its stream queue.
    pub issued: Time,
    /// The step that issued it.
    pub issued_step: StepId,
    /// When it joined its EE or CE queue.
    pub queued: Option<Time>,
    /// When it began to execute.
    pub start: Option<Time>,
    /// When it completed.
    pub end: Option<Time>,
    /// The step that assigned its first block, or the copy.
    pub start_step: Option<StepId>,
}

/// The life of one job.
#[derive(Clone, Copy, Debug)]
pub struct JobRecord {
    /// Its task.
    pub task: TaskId,
    /// Its number.
    pub job: JobNo,
    /// Time of its release.
    pub release: Time,
    /// Absolute deadline, if the task has one.
    pub deadline: Option<Time>,
    /// Time of its completion; `None` if it has not completed.
    pub end: Option<Time>,
    /// Whether the deadline was met; `None` without one, or while that is still open.
    pub met: Option<bool>,
    /// The step that released it.
    pub release_step: StepId,
}

/// What the deadlines of some jobs came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Jobs of which it is known whether they met their deadline.
    pub judged: u64,
    /// Those that did not.
    pub missed: u64,
}

/// A call in which a CPU thread waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// The row whose call it is.
    pub row: RowId,
    /// The job that made it.
    pub job: JobNo,
    /// When it was made: the thread waits from then on.
    pub made: Time,
    /// The step that says so.
    pub made_step: StepId,
    /// When it returned.
    pub returned: Option<Time>,
}

/// Everything that a run did.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Blocks, in order of assignment.
    pub blocks: Vec<BlockRecord>,
    /// Copies, in order of assignment.
    pub copies: Vec<CopyRecord>,
    /// Operations, in issue order.
    pub ops: Vec<OpRecord>,
    /// Jobs, in order of release, then of the task table.
    pub jobs: Vec<JobRecord>,
    /// Calls in which CPU threads waited, in the order in which they were made.
    pub calls: Vec<CallRecord>,
    /// Stays of address spaces, from the end of the switch-in to leaving; joined, of positive length.
    pub residency: Vec<(SpaceId, TimeRange)>,
    /// Parts of those stays, at their ends, in which nothing more was assigned.
    pub drains: Vec<(SpaceId, TimeRange)>,
    /// Switches that took time, each with the address space that became resident by it; the runlist that was submitted for it included.
    pub switches: Vec<(SpaceId, TimeRange)>,
    /// Budgets that servers got, in order of time.
    pub refills: Vec<Refill>,
    /// When each task was the one that `edf` had chosen and its process was resident, neither in a
    /// switch nor draining: its server pays. In order of time, joined, of positive length.
    pub charges: Vec<(ClaimantId, TimeRange)>,
    /// Last end of a block or copy that is known, else the run's last step: what a picture must show.
    pub last_event: Time,
    /// Intervals of blocks that were suspended at least once, in order of the blocks.
    block_runs: Vec<Runs>,
    /// The same for copies.
    copy_runs: Vec<Runs>,
    /// Blocks that spun, in order of the blocks, and until when; `None` to the end of the run.
    spins: Vec<(u32, Option<Time>)>,
    /// Indices of blocks, kernel by kernel.
    by_op: Vec<u32>,
    /// Where in `by_op` each operation begins, and one more.
    by_op_start: Vec<u32>,
    end: Time,
}

impl Records {
    /// Folds a trace. Linear in its steps.
    #[must_use]
    pub fn new(trace: &Trace) -> Self {
        let mut recording = Recording::new(trace);
        let mut endless = Budget::UNLIMITED;
        while recording.run_for(trace, &mut endless) == Progress::Paused {}
        recording.finish(trace)
    }

    /// What the deadlines of the jobs of a class came to. [EDF] gives deadlines to real-time tasks alone: those of best effort are never
    /// counted among them.
    #[must_use]
    pub fn judged(&self, scenario: &Scenario, class: Class) -> Judged {
        let of_class = self.jobs.iter().filter(|job| scenario.task(job.task).class == class);
        of_class
            .filter_map(|job| job.met)
            .fold(Judged::default(), |all, met| Judged { judged: all.judged + 1, missed: all.missed + u64::from(!met) })
    }

    /// When block record `i` executed: maximal intervals of positive length.
    #[must_use]
    pub fn block_runs(&self, i: usize) -> Vec<TimeRange> {
        let block = &self.blocks[i];
        self.runs(&self.block_runs, i, block.start, block.end)
    }

    /// Whether block record `i` was suspended at least once.
    #[must_use]
    pub fn block_was_suspended(&self, i: usize) -> bool {
        find_runs(&self.block_runs, i).is_some()
    }

    /// When block record `i` spun, from its assignment on: to the end of the run if it never went on. `None` if it did not spin.
    #[must_use]
    pub fn spun(&self, i: usize) -> Option<TimeRange> {
        Some(TimeRange::new(self.blocks[i].start, self.went_on(i)?.unwrap_or(self.end)))
    }

    /// When block record `i` went on, if it spun: `Some(None)` if it never did.
    #[must_use]
    pub fn went_on(&self, i: usize) -> Option<Option<Time>> {
        let place = self.spins.binary_search_by_key(&(i as u32), |&(record, _)| record).ok()?;
        Some(self.spins[place].1)
    }

    /// Whether any block spun.
    #[must_use]
    pub fn has_spins(&self) -> bool {
        !self.spins.is_empty()
    }

    /// When copy record `i` executed: maximal intervals of positive length.
    #[must_use]
    pub fn copy_runs(&self, i: usize) -> Vec<TimeRange> {
        let copy = &self.copies[i];
        self.runs(&self.copy_runs, i, copy.start, copy.end)
    }

    fn runs(&self, split: &[Runs], record: usize, start: Time, end: Option<Time>) -> Vec<TimeRange> {
        match find_runs(split, record) {
            Some(runs) => runs.runs.clone(),
            None => [TimeRange::new(start, end.unwrap_or(self.end))].into_iter().filter(|r| r.start < r.end).collect(),
        }
    }

    /// Indices into [`Self::blocks`] of one kernel's blocks, in order of assignment.
    #[must_use]
    pub fn blocks_of(&self, op: OpId) -> &[u32] {
        let range = self.by_op_start[op.index()] as usize..self.by_op_start[op.index() + 1] as usize;
        &self.by_op[range]
    }

    /// The step at which an operation next begins (or goes on) to be assigned after `step`.
    #[must_use]
    pub fn next_assignment(&self, op: OpId, step: StepId) -> Option<StepId> {
        let blocks = self.blocks_of(op);
        let first_later = blocks.partition_point(|&b| self.blocks[b as usize].start_step <= step);
        match blocks.get(first_later) {
            Some(&b) => Some(self.blocks[b as usize].start_step),
            None => self.ops[op.index()].start_step.filter(|&first| first > step),
        }
    }

    /// Bytes they take.
    #[must_use]
    pub fn approximate_bytes(&self) -> usize {
        let runs = self.block_runs.iter().chain(&self.copy_runs);
        size_of_val(&self.blocks[..])
            + size_of_val(&self.copies[..])
            + size_of_val(&self.ops[..])
            + size_of_val(&self.jobs[..])
            + size_of_val(&self.calls[..])
            + size_of_val(&self.residency[..])
            + size_of_val(&self.drains[..])
            + size_of_val(&self.switches[..])
            + size_of_val(&self.refills[..])
            + size_of_val(&self.charges[..])
            + size_of_val(&self.spins[..])
            + size_of_val(&self.by_op[..])
            + size_of_val(&self.by_op_start[..])
            + runs.map(|r| size_of::<Runs>() + size_of_val(&r.runs[..])).sum::<usize>()
    }

    /// The run's end, which open intervals reach.
    #[must_use]
    pub fn end(&self) -> Time {
        self.end
    }
}

/// When a record that was suspended executed.
#[derive(Clone, Debug)]
struct Runs {
    record: u32,
    runs: Vec<TimeRange>,
}

fn find_runs(all: &[Runs], record: usize) -> Option<&Runs> {
    all.binary_search_by_key(&record, |r| r.record as usize).ok().map(|i| &all[i])
}

/// Blocks or copies that are open, with the start of their current interval.
struct Open {
    record: u32,
    /// Start of the interval that is going on; `None` while suspended.
    since: Option<Time>,
    /// The intervals before it; `None` if it was never suspended.
    runs: Option<Vec<TimeRange>>,
}

/// Records that are being made: a trace is folded in portions.
pub struct Recording {
    /// The step that is next.
    next: usize,
    fold: Fold,
}

impl Recording {
    /// Nothing of the trace is folded yet; it is the same at every call.
    #[must_use]
    pub fn new(trace: &Trace) -> Self {
        Self { next: 0, fold: Fold::new(trace) }
    }

    /// Folds as many steps as the budget lasts for.
    pub fn run_for(&mut self, trace: &Trace, budget: &mut Budget) -> Progress {
        while let Some(step) = trace.steps().get(self.next) {
            if budget.is_spent() {
                return Progress::Paused;
            }
            self.fold.step(trace, StepId::at(self.next), step.at, step.change);
            budget.spend(1);
            self.next += 1;
        }
        Progress::Done
    }

    /// The records of the steps that were folded.
    #[must_use]
    pub fn finish(self, trace: &Trace) -> Records {
        self.fold.finish(trace)
    }
}

struct Fold {
    records: Records,
    /// By address space and SM; of those that have had a block.
    open_blocks: Vec<Vec<Vec<Open>>>,
    /// By address space: at most one per engine.
    open_copies: Vec<Vec<Open>>,
    jobs: Jobs,
    /// The call in which the CPU thread of a task waits.
    open_calls: Vec<Option<u32>>,
    turns: Turns,
    flags: Flags,
    /// By kernel: places in [`Records::spins`] of its blocks that spin.
    open_spins: BTreeMap<OpId, Vec<usize>>,
}

impl Fold {
    fn new(trace: &Trace) -> Self {
        let blocks = trace.steps().len() / 2;
        Self {
            records: Records {
                blocks: Vec::with_capacity(blocks),
                ops: Vec::with_capacity(trace.ops().len()),
                end: trace.end(),
                ..Records::default()
            },
            open_blocks: trace.layout().spaces().iter().map(|_| Vec::new()).collect(),
            open_copies: trace.layout().spaces().iter().map(|_| Vec::new()).collect(),
            jobs: Jobs::new(trace),
            open_calls: vec![None; trace.scenario().tasks().len()],
            turns: Turns::default(),
            flags: Flags::new(trace.scenario()),
            open_spins: BTreeMap::new(),
        }
    }

    fn step(&mut self, trace: &Trace, id: StepId, at: Time, change: Change) {
        let records = &mut self.records;
        match change {
            Change::JobReleased { .. } | Change::JobCompleted { .. } | Change::DeadlineMissed { .. } => {
                self.jobs.step(trace, id, at, change)
            }
            Change::Issued { .. } => {
                records.ops.push(OpRecord { issued: at, issued_step: id, queued: None, start: None, end: None, start_step: None })
            }
            Change::EeJoined { op, .. } | Change::CeJoined { op, .. } => records.ops[op.index()].queued = Some(at),
            Change::BlockAssigned { op, block, sm } => {
                let record = &mut records.ops[op.index()];
                record.start.get_or_insert(at);
                record.start_step.get_or_insert(id);
                if self.flags.spins(trace, op) {
                    self.open_spins.entry(op).or_default().push(records.spins.len());
                    records.spins.push((records.blocks.len() as u32, None));
                }
                self.flags.note(trace, change);
                let open = Open { record: records.blocks.len() as u32, since: Some(at), runs: None };
                at_sm(&mut self.open_blocks[space_of(trace, op)], sm).push(open);
                records.blocks.push(BlockRecord { op, block, sm, start: at, end: None, start_step: id });
            }
            Change::SpinEnded { op } => {
                for place in self.open_spins.remove(&op).unwrap_or_default() {
                    records.spins[place].1 = Some(at);
                }
                records.last_event = at;
            }
            Change::BlockEnded { op, block, sm } => {
                if let Some(open) = take_block(at_sm(&mut self.open_blocks[space_of(trace, op)], sm), records, op, block) {
                    records.blocks[open.record as usize].end = Some(at);
                    close(&mut records.block_runs, open, at);
                }
                records.last_event = at;
            }
            Change::BlockSuspended { op, block, sm } => {
                if let Some(open) = find_block(at_sm(&mut self.open_blocks[space_of(trace, op)], sm), records, op, block) {
                    open.suspend(at);
                }
            }
            Change::BlockResumed { op, block, sm } => {
                if let Some(open) = find_block(at_sm(&mut self.open_blocks[space_of(trace, op)], sm), records, op, block) {
                    open.since = Some(at);
                }
            }
            Change::KernelCompleted { op } => {
                self.flags.note(trace, change);
                records.ops[op.index()].end = Some(at);
            }
            Change::CopyAssigned { op, engine } => {
                let record = &mut records.ops[op.index()];
                record.start.get_or_insert(at);
                record.start_step.get_or_insert(id);
                self.open_copies[space_of(trace, op)].push(Open { record: records.copies.len() as u32, since: Some(at), runs: None });
                records.copies.push(CopyRecord { op, engine, start: at, end: None, start_step: id });
            }
            Change::CopyCompleted { op, .. } => {
                records.ops[op.index()].end = Some(at);
                let open = &mut self.open_copies[space_of(trace, op)];
                if let Some(i) = open.iter().position(|o| records.copies[o.record as usize].op == op) {
                    let open = open.remove(i);
                    records.copies[open.record as usize].end = Some(at);
                    close(&mut records.copy_runs, open, at);
                }
                records.last_event = at;
            }
            Change::CopySuspended { op, .. } => {
                if let Some(open) = self.open_copies[space_of(trace, op)].iter_mut().find(|o| records.copies[o.record as usize].op == op) {
                    open.suspend(at);
                }
            }
            Change::CopyResumed { op, .. } => {
                if let Some(open) = self.open_copies[space_of(trace, op)].iter_mut().find(|o| records.copies[o.record as usize].op == op) {
                    open.since = Some(at);
                }
            }
            Change::RunlistSubmitted { .. }
            | Change::SwitchStarted { .. }
            | Change::Entered { .. }
            | Change::DrainStarted { .. }
            | Change::ChannelReset { .. }
            | Change::Left { .. }
            | Change::Chosen { .. }
            | Change::ServerRenewed { .. }
            | Change::DeadlinePostponed { .. } => self.turns.step(records, at, change),
            Change::HostWaits { row, job } => {
                self.open_calls[trace.scenario().row(row).task.index()] = Some(records.calls.len() as u32);
                records.calls.push(CallRecord { row, job, made: at, made_step: id, returned: None });
            }
            Change::HostReturned { row, .. } => {
                if let Some(open) = self.open_calls[trace.scenario().row(row).task.index()].take() {
                    records.calls[open as usize].returned = Some(at);
                }
                records.last_event = at;
            }
            Change::EeLeft { .. }
            | Change::CeLeft { .. }
            | Change::EntryVisited { .. }
            | Change::SignalSent { .. }
            | Change::SignalArrived { .. }
            | Change::PolicyTold { .. } => {}
        }
    }

    fn finish(mut self, trace: &Trace) -> Records {
        let end = trace.end();
        self.turns.finish(&mut self.records, end);
        let runs_on = self.open_blocks.iter().flatten().chain(&self.open_copies).any(|open| !open.is_empty());
        let records = &mut self.records;
        for open in self.open_blocks.into_iter().flatten().flatten() {
            close(&mut records.block_runs, open, end);
        }
        for open in self.open_copies.into_iter().flatten() {
            close(&mut records.copy_runs, open, end);
        }
        // They were added as they ended.
        order::by_number(&mut records.block_runs, |r| r.record.into());
        order::by_number(&mut records.copy_runs, |r| r.record.into());
        records.jobs = self.jobs.finish(trace);
        let last_step = trace.steps().last().map_or(Time::ZERO, |s| s.at);
        records.last_event = if runs_on { end } else { records.last_event.max(last_step) };
        index_by_op(records);
        self.records
    }
}

fn space_of(trace: &Trace, op: OpId) -> usize {
    trace.layout().stream(trace.op(op).stream).space.index()
}

/// What is open on an SM.
fn at_sm(of_space: &mut Vec<Vec<Open>>, sm: SmId) -> &mut Vec<Open> {
    if of_space.len() <= sm.index() {
        of_space.resize_with(sm.index() + 1, Vec::new);
    }
    &mut of_space[sm.index()]
}

fn find_block<'o>(open: &'o mut [Open], records: &Records, op: OpId, block: u32) -> Option<&'o mut Open> {
    open.iter_mut().find(|o| {
        let record = &records.blocks[o.record as usize];
        record.op == op && record.block == block
    })
}

fn take_block(open: &mut Vec<Open>, records: &Records, op: OpId, block: u32) -> Option<Open> {
    let i = open.iter().position(|o| {
        let record = &records.blocks[o.record as usize];
        record.op == op && record.block == block
    })?;
    Some(open.swap_remove(i))
}

impl Open {
    /// Ends the interval going on.
    fn suspend(&mut self, at: Time) {
        if let Some(since) = self.since.take() {
            push_run(self.runs.get_or_insert_default(), since, at);
        }
    }
}

/// Ends the interval going on; those of records never suspended are not kept apart.
fn close(all: &mut Vec<Runs>, open: Open, at: Time) {
    if let Some(mut runs) = open.runs {
        if let Some(since) = open.since {
            push_run(&mut runs, since, at);
        }
        all.push(Runs { record: open.record, runs });
    }
}

fn push_run(runs: &mut Vec<TimeRange>, since: Time, at: Time) {
    match runs.last_mut() {
        Some(last) if last.end == since => last.end = at,
        _ if since < at => runs.push(TimeRange::new(since, at)),
        _ => {}
    }
}

/// Counting sort of the blocks by kernel; stable, so each kernel's stay in order of assignment.
fn index_by_op(records: &mut Records) {
    let mut start = vec![0_u32; records.ops.len() + 1];
    for block in &records.blocks {
        start[block.op.index() + 1] += 1;
    }
    for i in 1..start.len() {
        start[i] += start[i - 1];
    }
    let mut next = start.clone();
    let mut by_op = vec![0_u32; records.blocks.len()];
    for (i, block) in records.blocks.iter().enumerate() {
        let slot = &mut next[block.op.index()];
        by_op[*slot as usize] = i as u32;
        *slot += 1;
    }
    records.by_op = by_op;
    records.by_op_start = start;
}
