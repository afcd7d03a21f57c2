//! Steps as 32-bit words, eight each: the form in which a run goes from one worker to another.
//!
//! Depends on the rest of `trace`. Invariant: what is read back is what was written; words that
//! no step has are refused.

use super::{Change, Level, Op, OpKind, Rule, Signal, Step, Told, Trace};
use crate::units::{ClaimantId, JobNo, OpId, RowId, SmId, SpaceId, StreamId, TaskId, Time};

/// Words of one step.
pub const STEP_WORDS: usize = 8;

/// The parts of a change: which one, a small number, three words, one of 64 bits.
#[derive(Default)]
struct Parts {
    tag: u32,
    small: u8,
    a: u32,
    b: u32,
    c: u32,
    long: u64,
}

impl Trace {
    /// Adds the words of one step.
    pub fn push_step_words(&self, step: &Step, words: &mut Vec<u32>) {
        let parts = self.parts(step.change);
        let at = step.at.ns();
        let first = parts.tag | (step.rule as u32) << 8 | u32::from(parts.small) << 16;
        words.extend([at as u32, (at >> 32) as u32, first, parts.a, parts.b, parts.c, parts.long as u32, (parts.long >> 32) as u32]);
    }

    /// Reads the words of one step and adds it, and the operation it issues. `None` if they are
    /// those of no step; then nothing was added.
    pub fn add_step_words(&mut self, words: &[u32]) -> Option<Step> {
        let &[low, high, first, a, b, c, long_low, long_high] = words.first_chunk::<STEP_WORDS>()?;
        let long = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let parts = Parts { tag: first & 0xff, small: (first >> 16) as u8, a, b, c, long: long(long_low, long_high) };
        let rule = *Rule::ALL.get((first >> 8 & 0xff) as usize)?;
        let change = self.change(&parts)?;
        let step = Step { at: Time(long(low, high)), rule, change };
        self.add_step(step);
        Some(step)
    }

    fn parts(&self, change: Change) -> Parts {
        let level = |level: Level| level as u8;
        let job = |tag, task: TaskId, job: JobNo| Parts { tag, a: task.0, b: job.0, ..Parts::default() };
        let part = |tag, claimant: ClaimantId, job: JobNo| Parts { tag, a: claimant.0, b: job.0, ..Parts::default() };
        let block = |tag, op: OpId, block: u32, sm: SmId| Parts { tag, a: op.0, b: block, c: sm.0.into(), ..Parts::default() };
        let queue = |tag, op: OpId, small: u8| Parts { tag, small, a: op.0, ..Parts::default() };
        let space = |tag, space: SpaceId, long| Parts { tag, a: space.0, long, ..Parts::default() };
        match change {
            Change::JobReleased { task, job: no } => job(0, task, no),
            Change::JobCompleted { task, job: no } => job(1, task, no),
            Change::Issued { op } => {
                let Op { row, job, stream, kind } = *self.op(op);
                Parts { tag: 2, small: kind as u8, a: row.0, b: job.0, c: stream.0, long: 0 }
            }
            Change::EeJoined { op, level: l } => queue(3, op, level(l)),
            Change::CeJoined { op, engine } => queue(4, op, engine),
            Change::BlockAssigned { op, block: no, sm } => block(5, op, no, sm),
            Change::EeLeft { op, level: l } => queue(6, op, level(l)),
            Change::BlockEnded { op, block: no, sm } => block(7, op, no, sm),
            Change::SpinEnded { op } => queue(32, op, 0),
            Change::KernelCompleted { op } => queue(8, op, 0),
            Change::CopyAssigned { op, engine } => queue(9, op, engine),
            Change::CeLeft { op, engine } => queue(10, op, engine),
            Change::CopyCompleted { op, engine } => queue(11, op, engine),
            Change::SwitchStarted { to, until } => space(12, to, until.ns()),
            Change::Entered { space: s } => space(13, s, 0),
            Change::DrainStarted { space: s, next } => space(14, s, next.map_or(0, |claimant| u64::from(claimant.0) + 1)),
            Change::Left { space: s } => space(15, s, 0),
            Change::BlockSuspended { op, block: no, sm } => block(16, op, no, sm),
            Change::BlockResumed { op, block: no, sm } => block(17, op, no, sm),
            Change::CopySuspended { op, engine } => queue(18, op, engine),
            Change::CopyResumed { op, engine } => queue(19, op, engine),
            Change::EntryVisited { space: s, entry } => space(20, s, entry),
            Change::Chosen { claimant, job: no } => part(21, claimant, no),
            Change::ServerRenewed { claimant, deadline } => Parts { tag: 22, a: claimant.0, long: deadline.ns(), ..Parts::default() },
            Change::DeadlinePostponed { claimant, deadline } => Parts { tag: 23, a: claimant.0, long: deadline.ns(), ..Parts::default() },
            Change::DeadlineMissed { task, job: no } => job(24, task, no),
            Change::HostWaits { row, job } => Parts { tag: 25, a: row.0, b: job.0, ..Parts::default() },
            Change::HostReturned { row, job } => Parts { tag: 26, a: row.0, b: job.0, ..Parts::default() },
            Change::SignalSent { signal, claimant, job: no } => Parts { small: signal as u8, ..part(27, claimant, no) },
            Change::SignalArrived { signal, claimant, job: no } => Parts { small: signal as u8, ..part(28, claimant, no) },
            Change::RunlistSubmitted { to, until } => space(29, to, until.ns()),
            Change::ChannelReset { space: s } => space(31, s, 0),
            Change::PolicyTold { decision } => {
                let told = self.made(decision).told;
                let (task, job) = told.job().unwrap_or((TaskId(0), JobNo(0)));
                let small = match told {
                    Told::Request(..) => 0,
                    Told::End(..) => 1,
                    Told::Tick => 2,
                    Told::Launch(..) => 3,
                    Told::Finish(..) => 4,
                };
                // No deadline is later than any.
                let deadline = self.made(decision).deadline.map_or(u64::MAX, Time::ns);
                // The job is that of the kernel.
                let a = told.kernel().map_or(task.0, |op| op.0);
                Parts { tag: 30, small, a, b: job.0, c: decision, long: deadline }
            }
        }
    }

    fn change(&mut self, parts: &Parts) -> Option<Change> {
        let &Parts { tag, small, a, b, c, long } = parts;
        let (scenario, layout) = (self.scenario(), self.layout());
        let known = |id: u32, count: usize| ((id as usize) < count).then_some(id);
        let op = || known(a, self.ops().len()).map(OpId);
        let task = || known(a, scenario.tasks().len()).map(TaskId);
        let claimant = || known(a, scenario.claimants().len()).map(ClaimantId);
        let space = || known(a, layout.spaces().len()).map(SpaceId);
        let sm = || known(c, scenario.device().sms as usize).map(|sm| SmId(sm as u16));
        let level = || [Level::High, Level::Low].get(usize::from(small)).copied();
        let kernel = || op().map(|op| (self.row_of(op).task, self.op(op).job, op));
        let signal = || [Signal::Submitted, Signal::Completed].get(usize::from(small)).copied();
        let (job, block, engine, at) = (JobNo(b), b, small, Time(long));
        Some(match tag {
            0 => Change::JobReleased { task: task()?, job },
            1 => Change::JobCompleted { task: task()?, job },
            2 => {
                let row = RowId(known(a, scenario.rows().len())?);
                let stream = StreamId(known(c, layout.streams().len())?);
                let kind = *[OpKind::CopyIn, OpKind::Kernel, OpKind::CopyOut].get(usize::from(small))?;
                Change::Issued { op: self.add_op(Op { row, job, stream, kind }) }
            }
            3 => Change::EeJoined { op: op()?, level: level()? },
            4 => Change::CeJoined { op: op()?, engine },
            5 => Change::BlockAssigned { op: op()?, block, sm: sm()? },
            6 => Change::EeLeft { op: op()?, level: level()? },
            7 => Change::BlockEnded { op: op()?, block, sm: sm()? },
            8 => Change::KernelCompleted { op: op()? },
            9 => Change::CopyAssigned { op: op()?, engine },
            10 => Change::CeLeft { op: op()?, engine },
            11 => Change::CopyCompleted { op: op()?, engine },
            12 => Change::SwitchStarted { to: space()?, until: at },
            13 => Change::Entered { space: space()? },
            14 => {
                let next = match long.checked_sub(1) {
                    None => None,
                    Some(next) => Some(ClaimantId(known(u32::try_from(next).ok()?, scenario.claimants().len())?)),
                };
                Change::DrainStarted { space: space()?, next }
            }
            32 => Change::SpinEnded { op: op()? },
            31 => Change::ChannelReset { space: space()? },
            15 => Change::Left { space: space()? },
            16 => Change::BlockSuspended { op: op()?, block, sm: sm()? },
            17 => Change::BlockResumed { op: op()?, block, sm: sm()? },
            18 => Change::CopySuspended { op: op()?, engine },
            19 => Change::CopyResumed { op: op()?, engine },
            20 => Change::EntryVisited { space: space()?, entry: long },
            21 => Change::Chosen { claimant: claimant()?, job },
            22 => Change::ServerRenewed { claimant: claimant()?, deadline: at },
            23 => Change::DeadlinePostponed { claimant: claimant()?, deadline: at },
            24 => Change::DeadlineMissed { task: task()?, job },
            25 => {
                let row = RowId(known(a, scenario.rows().len())?);
                self.call_waits(row, job);
                Change::HostWaits { row, job }
            }
            27 => Change::SignalSent { signal: signal()?, claimant: claimant()?, job },
            28 => Change::SignalArrived { signal: signal()?, claimant: claimant()?, job },
            29 => Change::RunlistSubmitted { to: space()?, until: at },
            30 => {
                let told = match small {
                    0 => Told::Request(task()?, job),
                    1 => Told::End(task()?, job),
                    2 => Told::Tick,
                    3 => kernel().map(|(task, job, op)| Told::Launch(task, job, op))?,
                    4 => kernel().map(|(task, job, op)| Told::Finish(task, job, op))?,
                    _ => return None,
                };
                let deadline = (long != u64::MAX).then_some(at);
                Change::PolicyTold { decision: self.tell(told, deadline).ok().filter(|&place| place == c)? }
            }
            26 => Change::HostReturned { row: RowId(known(a, scenario.rows().len())?), job },
            _ => return None,
        })
    }
}
