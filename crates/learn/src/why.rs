//! Why an operation does not go on: the chain of causes from its first reason that holds to the
//! root, with the amounts, the holders and the steps that end each cause.
//!
//! Depends on `view::reason`, `record` and `snapshot`. Invariants: an operation has one cause at a
//! step, so a chain that meets an operation again goes round forever, and says so; what is said
//! follows from the state and, where it is about later steps, from the run. Source: docs/semantics.md, section 10.

mod absent;
mod began;
mod clears;
mod room;
mod words;

pub use absent::{Absent, Turn};
pub use began::{Began, began, fit, gap};
pub use clears::Until;
pub use room::{Amounts, Hold, Room, SmRoom};
pub use words::{headline, link_text, resource_name, root_text, write_amount};

use std::collections::HashMap;

use blockstep_sim::record::Records;
use blockstep_sim::scenario::Release;
use blockstep_sim::snapshot::{Progress, Snapshot};
use blockstep_sim::trace::{Change, EngineNo, OpKind, Rule, Trace};
use blockstep_sim::units::{JobNo, OpId, RowId, SmId, SpaceId, StepId, TaskId, Time, TimeRange};
use blockstep_sim::work::Budget;
use blockstep_view::reason::{self, Reason};

/// How an operation stands at a step, and why it does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The operation that does not go on.
    pub op: OpId,
    /// How it stands.
    pub standing: Standing,
    /// What of it is on the device.
    pub places: Vec<ResidentPart>,
    /// The causes, each that of the one before it; none if nothing of it waits.
    pub links: Vec<CauseLink>,
    /// The call in which its CPU thread waits meanwhile, if it is not issued; the links begin with what that waits for.
    pub call: Option<Called>,
    /// Where the chain ends; of an operation all of which executes, its own last block. `None` if
    /// it is complete, or not issued and only the CPU task's clock has to run.
    pub root: Option<Root>,
    /// The step that next assigns or resumes something of it; `None` if none does.
    pub goes_on: Option<StepId>,
}

/// How an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is issued, incomplete and does not execute.
    Waits,
    /// At least a part of it executes; what waits is the rest, if anything.
    Executes,
    /// It has completed, by this step.
    Complete(StepId),
    /// It will be issued by this step.
    NotIssued(StepId),
}

/// A part of an operation that is on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidentPart {
    /// The block, of a kernel.
    pub block: Option<(u32, SmId)>,
    /// The copy engine, of a copy.
    pub engine: Option<EngineNo>,
    /// When it was assigned.
    pub since: Time,
    /// How far it is.
    pub progress: Progress,
}

/// A call that keeps a CPU thread, and what the call waits for first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// The row whose call it is.
    pub row: RowId,
    /// The job that makes it.
    pub job: JobNo,
    /// The first operation that it waits for.
    pub awaits: OpId,
}

/// One cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseLink {
    /// What waits.
    pub op: OpId,
    /// What the operation waits for.
    pub reason: Reason,
    /// By which rule, if by one of the papers' or the model's.
    pub rule: Option<Rule>,
    /// The reason in words, with numbers, without the operation's name.
    pub text: String,
    /// Whether blocks of it execute, so that only the others wait.
    pub executes: bool,
    /// What a block needs and what the SMs have, if that is the reason.
    pub room: Option<Room>,
    /// Until when the operation waits for this reason.
    pub clears: Until,
}

/// Where a chain of causes ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A block that executes.
    Block {
        /// Its kernel.
        op: OpId,
        /// Its index.
        block: u32,
        /// The SM that executes it.
        sm: SmId,
        /// When it completes if it is not suspended.
        ends: Time,
        /// The step at which it does; `None` if the run ends before.
        step: Option<StepId>,
        /// Whether this run suspends it from now on.
        is_suspended: bool,
    },
    /// Blocks of a kernel spin.
    Spin {
        /// The kernel.
        op: OpId,
        /// The step at which they go on; `None` if they do not in this run.
        step: Option<StepId>,
    },
    /// A copy that executes.
    Copy {
        /// The copy operation.
        op: OpId,
        /// When it completes if it is not suspended.
        ends: Time,
        /// The step at which it does; `None` if the run ends before.
        step: Option<StepId>,
        /// Whether this run suspends it from now on.
        is_suspended: bool,
    },
    /// A process that does not have the GPU, or gets nothing new.
    Absent(Box<Absent>),
    /// A kernel that the policy of one's own does not launch.
    Launch {
        /// Its task.
        task: TaskId,
        /// The step at which it joins its EE queue; `None` if the run ends before.
        step: Option<StepId>,
    },
    /// A job that is not released yet.
    Release {
        /// Its task.
        task: TaskId,
        /// Its number.
        job: JobNo,
        /// The step that releases it; `None` if the run ends before.
        step: Option<StepId>,
        /// Whether the task has no such job.
        is_beyond_last: bool,
    },
    /// A job nothing of which is issued and incomplete: the CPU task has to issue more.
    Issue {
        /// Its task.
        task: TaskId,
        /// Its number.
        job: JobNo,
        /// The step that does; `None` if the run ends before.
        step: Option<StepId>,
    },
    /// It happens at this very instant, by a later step.
    Now,
    /// The links from this one on wait for one another, forever.
    Cycle {
        /// The first of them.
        from: usize,
    },
}

/// What comes after a link.
enum Next {
    Op(OpId),
    Root(Box<Root>),
}

/// A state of a run, with what came before and comes after.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The run.
    pub trace: &'a Trace,
    /// Its records.
    pub records: &'a Records,
    /// The state.
    pub state: &'a Snapshot,
}

/// How a part that executes stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It completes.
    Completes,
    /// It is suspended.
    Suspended,
    /// The run ends.
    RunEnds,
}

impl Moment<'_> {
    /// The record of a block.
    fn block(self, op: OpId, block: u32) -> Option<usize> {
        let ours = self.records.blocks_of(op);
        let is_it = |&&i: &&u32| self.records.blocks[i as usize].block == block;
        // Most kernels have their blocks assigned by number.
        ours.get(block as usize).filter(is_it).or_else(|| ours.iter().find(is_it)).map(|&i| i as usize)
    }

    /// When a block completes in this run; `None` if it does not.
    #[must_use]
    pub fn end_of_block(self, op: OpId, block: u32) -> Option<Time> {
        self.records.blocks[self.block(op, block)?].end
    }

    /// When a block of a kernel, or a copy, executes in this run, and when it completes.
    fn executions(self, op: OpId, block: Option<u32>) -> Option<(Vec<TimeRange>, Option<Time>)> {
        Some(match block {
            Some(block) => {
                let record = self.block(op, block)?;
                (self.records.block_runs(record), self.records.blocks[record].end)
            }
            None => {
                let record = self.records.copies.iter().position(|copy| copy.op == op)?;
                (self.records.copy_runs(record), self.records.copies[record].end)
            }
        })
    }

    /// Whether a block or copy that executes is suspended from now on.
    fn is_suspended(self, op: OpId, block: Option<u32>) -> bool {
        let Some((runs, end)) = self.executions(op, block) else { return false };
        let now = self.state.now();
        match runs.into_iter().find(|run| now < run.end) {
            Some(run) => now < run.start || run.end < end.unwrap_or(self.trace.end()),
            None => now < self.trace.end(),
        }
    }

    /// When a part that executes stops in this run, and how.
    #[must_use]
    pub fn stop(self, op: OpId, part: &ResidentPart) -> Option<(Time, Stop)> {
        let (runs, end) = self.executions(op, part.block.map(|(block, _)| block))?;
        // What takes no time, or is suspended at this very instant, executes in none of them.
        let until = runs.into_iter().find(|run| self.state.now() < run.end)?.end;
        Some(match end {
            Some(end) if end == until => (until, Stop::Completes),
            None if until == self.trace.end() => (until, Stop::RunEnds),
            _ => (until, Stop::Suspended),
        })
    }
}

/// Work for finding out when the causes of a chain are over, in units of [`blockstep_sim::work`]: some tenths of a second.
pub const MAX_WORK: u64 = 100_000_000;

/// Why an operation of the run does not go on. Cost: the chain, and the steps until each of its
/// links is over, where records do not tell, up to [`MAX_WORK`].
#[must_use]
pub fn why(moment: Moment<'_>, op: OpId) -> Why {
    why_within(moment, op, &mut Budget::new(MAX_WORK))
}

/// The same with so much work for finding out when the causes are over.
#[must_use]
pub fn why_within(moment: Moment<'_>, op: OpId, work: &mut Budget) -> Why {
    let Moment { trace, records, state } = moment;
    let issued = records.ops[op.index()].issued_step;
    let mut why = Why { op, standing: Standing::Waits, places: Vec::new(), links: Vec::new(), call: None, root: None, goes_on: None };
    if issued.0 >= state.applied() {
        why.standing = Standing::NotIssued(issued);
        why.call = called(moment, op);
        let (links, root) = unissued(moment, op, why.call, work);
        (why.links, why.root) = (links, root);
        return why;
    }
    if state.stream(trace.op(op).stream).queue.binary_search(&op).is_err() {
        // It is complete, so the step is there.
        why.standing = Standing::Complete(clears::completion(moment, op).unwrap_or(issued));
        return why;
    }
    if reason::executes(trace, state, op) {
        why.standing = Standing::Executes;
    }
    why.places = places(moment, op);
    let (links, root) = chain(moment, op, work);
    (why.links, why.root) = (links, Some(root));
    let has_suspended = why.places.iter().any(|p| matches!(p.progress, Progress::Suspended(_)));
    why.goes_on = clears::goes_on(moment, op, has_suspended);
    why
}

/// The operation to ask about when a kernel row is: the kernel of the earliest job that has
/// anything issued and incomplete, else what of that job is; else the next to be issued, else the
/// last one. `None` if the run issues nothing of the row.
#[must_use]
pub fn subject(moment: Moment<'_>, row: RowId) -> Option<OpId> {
    let open = open_ops(moment, row);
    let of_first_job = |op: &&OpId| open.first().is_some_and(|first| moment.trace.op(**op).job == moment.trace.op(*first).job);
    let kernel = open.iter().filter(of_first_job).find(|op| moment.trace.op(**op).kind == OpKind::Kernel);
    kernel.or(open.first()).copied().or_else(|| beside(moment, row))
}

/// The row's operations that are issued and incomplete, in issue order.
#[must_use]
pub fn open_ops(moment: Moment<'_>, row: RowId) -> Vec<OpId> {
    let stream = moment.trace.layout().stream_of(row);
    moment.state.stream(stream).queue.iter().copied().filter(|&op| moment.trace.op(op).row == row).collect()
}

/// The row's kernel that is issued next, else the one that was last.
fn beside(moment: Moment<'_>, row: RowId) -> Option<OpId> {
    let issued = moment.records.ops.partition_point(|op| op.issued_step.0 < moment.state.applied());
    let is_of_row = |op: &OpId| {
        let op = moment.trace.op(*op);
        op.row == row && (op.kind == OpKind::Kernel || moment.trace.scenario().row(row).call.is_copy())
    };
    (issued..moment.records.ops.len()).map(OpId::at).find(is_of_row).or_else(|| (0..issued).rev().map(OpId::at).find(is_of_row))
}

/// Why an operation does not execute, or if it does, why its next block does not.
#[must_use]
pub fn waits_for(trace: &Trace, state: &Snapshot, op: OpId) -> Option<Reason> {
    reason::reason(trace, state, op).or_else(|| reason::undispatched(trace, state, op))
}

/// The causes from an issued, incomplete operation on.
fn chain(moment: Moment<'_>, first: OpId, work: &mut Budget) -> (Vec<CauseLink>, Root) {
    let Moment { trace, state, .. } = moment;
    let mut links: Vec<CauseLink> = Vec::new();
    let mut met = HashMap::new();
    let mut op = first;
    loop {
        if let Some(from) = met.insert(op, links.len()) {
            return (links, Root::Cycle { from });
        }
        let Some(reason) = waits_for(trace, state, op) else { return (links, executing(moment, op)) };
        let link = link(moment, op, reason, work);
        let next = cause(moment, op, &link);
        links.push(link);
        match next {
            Next::Op(next) => op = next,
            Next::Root(root) => return (links, *root),
        }
    }
}

fn link(moment: Moment<'_>, op: OpId, reason: Reason, work: &mut Budget) -> CauseLink {
    let Moment { trace, state, .. } = moment;
    CauseLink {
        op,
        reason,
        rule: reason.rule(trace.op(op).kind),
        text: reason::words(trace, state, op, reason),
        executes: reason::executes(trace, state, op),
        room: room::room(moment, op, reason),
        clears: clears::clears(moment, op, reason, work),
    }
}

/// What a link leads to.
fn cause(moment: Moment<'_>, op: OpId, link: &CauseLink) -> Next {
    let Moment { trace, state, .. } = moment;
    match link.reason {
        Reason::Producer { task, job } => producer(moment, task, job),
        Reason::BehindInStream { op }
        | Reason::N1 { op }
        | Reason::N2 { op }
        | Reason::Graph { op }
        | Reason::Event { op }
        | Reason::BehindInConnection { op }
        | Reason::CopyEngine { op } => Next::Op(op),
        Reason::A2 { op: head } | Reason::X1 { op: head } => {
            if state.has_blocks_left(trace, head) {
                Next::Op(head)
            } else {
                Next::Root(Box::new(Root::Now))
            }
        }
        Reason::NotLaunched => {
            let step = clears::first(moment, |c| matches!(c, Change::EeJoined { op: joined, .. } if joined == op));
            Next::Root(Box::new(Root::Launch { task: trace.row_of(op).task, step }))
        }
        Reason::NotResident => Next::Root(Box::new(Root::Absent(Box::new(absent::absent(moment, op))))),
        Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots | Reason::AllAtOnce => {
            let first = link.room.as_ref().and_then(|room| room.opens);
            let holder = || link.room.as_ref()?.holds.iter().map(|hold| hold.op).find(|&op| state.spins(trace, op));
            let root = match (first, holder()) {
                (Some((op, block, sm, ends)), _) => {
                    let step = clears::end_of_block(moment, op, block);
                    Root::Block { op, block, sm, ends, step, is_suspended: moment.is_suspended(op, Some(block)) }
                }
                (None, Some(op)) => spinning(moment, op),
                (None, None) => Root::Now,
            };
            Next::Root(Box::new(root))
        }
        Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing => Next::Root(Box::new(Root::Now)),
    }
}

/// What a job that is to complete waits for: the first thing of it that is issued and incomplete; of a job
/// without rows the same of the producer that it waits for itself.
fn producer(moment: Moment<'_>, mut task: TaskId, job: JobNo) -> Next {
    let Moment { trace, state, .. } = moment;
    while let Some(next) = state.task(task).job(job).and_then(|_| state.unfinished_producer(trace, task, job))
        && !trace.scenario().task(task).has_operations()
    {
        task = next;
    }
    producer_with_rows(moment, task, job)
}

/// The same where the job waits for no producer, or has rows.
fn producer_with_rows(moment: Moment<'_>, task: TaskId, job: JobNo) -> Next {
    let Moment { trace, state, records } = moment;
    let info = trace.scenario().task(task);
    let released = state.task(task);
    let open = match (released.job(job), info.release, released.open.back()) {
        (Some(open), ..) => open,
        // A continuous task releases its next job when this one completes.
        (None, Release::Continuous, Some(before)) if job.0 >= released.released => before,
        _ => {
            let step = records.jobs.iter().find(|j| j.task == task && j.job == job).map(|j| j.release_step);
            let is_beyond_last = info.jobs.is_some_and(|jobs| u64::from(job.0) >= jobs);
            return Next::Root(Box::new(Root::Release { task, job, step, is_beyond_last }));
        }
    };
    if let Some(op) = first_of_job(moment, task, open.job) {
        return Next::Op(op);
    }
    if open.rows_left == 0 {
        return Next::Root(Box::new(Root::Now));
    }
    if let Some(&op) = state.host_awaits(trace, task).first() {
        return Next::Op(op);
    }
    let step = next_issue(moment, |op| trace.row_of(op).task == task && trace.op(op).job == open.job)
        .map(|op| records.ops[op.index()].issued_step);
    Next::Root(Box::new(Root::Issue { task, job: open.job, step }))
}

/// The first operation of a job that is issued and incomplete.
fn first_of_job(moment: Moment<'_>, task: TaskId, job: JobNo) -> Option<OpId> {
    let Moment { trace, state, .. } = moment;
    let layout = trace.layout();
    let mut seen = vec![false; layout.streams().len()];
    let mut first: Option<OpId> = None;
    for &row in &trace.scenario().task(task).rows {
        let stream = layout.stream_of(row);
        if !std::mem::replace(&mut seen[stream.index()], true) {
            let of_job = |op: &&OpId| trace.op(**op).job == job && trace.row_of(**op).task == task;
            let found = state.stream(stream).queue.iter().find(of_job).copied();
            first = [first, found].into_iter().flatten().min();
        }
    }
    first
}

/// The next operation to be issued that is wanted.
fn next_issue(moment: Moment<'_>, is_wanted: impl Fn(OpId) -> bool) -> Option<OpId> {
    let ops = &moment.records.ops;
    let issued = ops.partition_point(|op| op.issued_step.0 < moment.state.applied());
    (issued..ops.len()).map(OpId::at).find(|&op| is_wanted(op))
}

/// The call in which the CPU thread waits that will issue an operation.
fn called(moment: Moment<'_>, op: OpId) -> Option<Called> {
    let Moment { trace, state, .. } = moment;
    let task = trace.row_of(op).task;
    let wait = state.task(task).host.as_ref()?;
    let awaits = *state.host_awaits(trace, task).first()?;
    Some(Called { row: wait.row, job: wait.job, awaits })
}

/// Why an operation that the run issues later is not issued yet; nothing if only the CPU task's
/// clock has to run.
fn unissued(moment: Moment<'_>, op: OpId, call: Option<Called>, work: &mut Budget) -> (Vec<CauseLink>, Option<Root>) {
    let Moment { trace, records, state } = moment;
    if let Some(call) = call {
        let (links, root) = chain(moment, call.awaits, work);
        return (links, Some(root));
    }
    let (job, row) = (trace.op(op).job, trace.row_of(op));
    let released = state.task(row.task);
    let waits_for_release = job.0 >= released.released;
    let cause = if waits_for_release {
        // Of a continuous task, the job before must complete.
        let before = released.open.back().filter(|_| trace.scenario().task(row.task).release == Release::Continuous);
        before.and_then(|before| first_of_job(moment, row.task, before.job))
    } else {
        let scenario = trace.scenario();
        let rows = |after: RowId| (after.0..=after.0 + scenario.row(after).nodes).map(RowId);
        let after = scenario.row(scenario.call_of(trace.op(op).row)).after;
        after.and_then(|after| rows(after).flat_map(|row| open_ops(moment, row)).find(|&op| trace.op(op).job == job))
    };
    if let Some(first) = cause {
        let (links, root) = chain(moment, first, work);
        return (links, Some(root));
    }
    let step = records.jobs.iter().find(|j| j.task == row.task && j.job == job).map(|j| j.release_step);
    (Vec::new(), waits_for_release.then_some(Root::Release { task: row.task, job, step, is_beyond_last: false }))
}

/// The part of an operation that executes whole which completes last, and the operation with it.
fn executing(moment: Moment<'_>, op: OpId) -> Root {
    let now = moment.state.now();
    let last = places(moment, op).into_iter().max_by_key(|p| (ends(p.progress, now), p.block));
    match last {
        None => Root::Now,
        Some(ResidentPart { progress: Progress::Spins, .. }) => spinning(moment, op),
        Some(ResidentPart { block: Some((block, sm)), progress, .. }) => {
            let (step, is_suspended) = (clears::end_of_block(moment, op, block), moment.is_suspended(op, Some(block)));
            Root::Block { op, block, sm, ends: ends(progress, now), step, is_suspended }
        }
        Some(ResidentPart { progress, .. }) => {
            let (step, is_suspended) = (clears::completion(moment, op), moment.is_suspended(op, None));
            Root::Copy { op, ends: ends(progress, now), step, is_suspended }
        }
    }
}

/// A kernel whose blocks spin.
fn spinning(moment: Moment<'_>, op: OpId) -> Root {
    let step = clears::first(moment, |change| change == Change::SpinEnded { op });
    Root::Spin { op, step }
}

/// When something on the device completes if nothing suspends it from here on; a block that spins never, as far as is known then.
fn ends(progress: Progress, now: Time) -> Time {
    match progress {
        Progress::Runs(until) => until,
        Progress::Suspended(left) => now.after(left).unwrap_or(Time::MAX),
        Progress::Spins => Time::MAX,
    }
}

/// What of an operation is on the device: blocks by SM, then in order of assignment.
fn places(moment: Moment<'_>, op: OpId) -> Vec<ResidentPart> {
    let Moment { trace, records, state } = moment;
    let space = state.space(space_of(trace, op));
    let mut found = Vec::new();
    if trace.op(op).kind == OpKind::Kernel {
        for (sm, on_sm) in space.sms.iter().enumerate() {
            found.extend(on_sm.blocks.iter().filter(|b| b.op == op).map(|b| ResidentPart {
                block: Some((b.block, SmId::at(sm))),
                engine: None,
                since: room::record_of(records, op, b.block).map_or(state.now(), |record| record.start),
                progress: b.progress,
            }));
        }
    } else {
        let since = records.ops[op.index()].start.unwrap_or(state.now());
        let engines = (0_u8..).zip(&space.engines).filter_map(|(engine, copy)| Some((engine, copy.filter(|c| c.op == op)?)));
        found.extend(engines.map(|(engine, copy)| ResidentPart { block: None, engine: Some(engine), since, progress: copy.progress }));
    }
    found
}

fn space_of(trace: &Trace, op: OpId) -> SpaceId {
    trace.layout().stream(trace.op(op).stream).space
}

/// Whether a change ends the turn of an address space, or its part in which anything is assigned.
fn ends_turn(change: Change, of: SpaceId) -> bool {
    matches!(change, Change::Left { space } | Change::DrainStarted { space, .. } if space == of)
}
