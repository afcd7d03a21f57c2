//! What of one run is what of another: rows, tasks and processes of the same name, operations of
//! the same row, job and kind, blocks of the same number.
//!
//! Depends on `trace` and `record`. Invariants: what is matched, is so in both directions; what has
//! no match is equal to nothing in the other run.

use super::{Side, steps_at};
use blockstep_sim::order::{self, Names};
use blockstep_sim::record::{BlockRecord, JobRecord};
use blockstep_sim::scenario::{PolicyKind, Scenario, Turns};
use blockstep_sim::trace::{Change, OpKind, Step, Told, Trace};
use blockstep_sim::units::{ClaimantId, JobNo, OpId, RowId, SpaceId, Span, StepId, TaskId, Time};

/// What happens, to what of run a (what only run b has, is counted on from there), and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    what: u8,
    subject: u64,
    block: u32,
    place: u64,
}

/// Which of two runs' things belong together.
#[derive(Clone, Debug)]
pub struct Matching {
    /// By row of run a and of run b, the row of the other.
    rows: [Vec<Option<RowId>>; 2],
    tasks: [Vec<Option<TaskId>>; 2],
    claimants: [Vec<Option<ClaimantId>>; 2],
    spaces: [Vec<Option<SpaceId>>; 2],
    ops: [Vec<Option<OpId>>; 2],
    /// By task: its jobs' places in the records, in order of their numbers.
    jobs: [Vec<Vec<u32>>; 2],
    /// Whether processes take turns in both.
    both_take_turns: bool,
    /// What says whose turn it is, if it is the same in both.
    both: Option<Turns>,
}

impl Matching {
    /// Matches two runs.
    #[must_use]
    pub(super) fn new(a: Side<'_>, b: Side<'_>) -> Self {
        let (of_a, of_b) = (a.trace.scenario(), b.trace.scenario());
        let names = |trace: &Trace| (0..trace.layout().spaces().len()).map(|i| trace.space_name(SpaceId::at(i))).collect::<Vec<_>>();
        let (spaces_a, spaces_b) = (names(a.trace), names(b.trace));
        let claimants = |scenario: &Scenario| -> Vec<String> {
            (0..scenario.claimants().len()).map(|claimant| scenario.claimant_name(ClaimantId::at(claimant))).collect()
        };
        let (claimants_a, claimants_b) = (claimants(of_a), claimants(of_b));
        let str = String::as_str;
        let rows = by_name(of_a.rows().iter().map(|r| r.name.as_str()), of_b.rows().iter().map(|r| r.name.as_str()), RowId::at);
        let tasks = by_name(of_a.tasks().iter().map(|t| t.name.as_str()), of_b.tasks().iter().map(|t| t.name.as_str()), TaskId::at);
        let spaces = by_name(spaces_a.iter().map(str), spaces_b.iter().map(str), SpaceId::at);
        let kinds = [of_a.policy().kind, of_b.policy().kind];
        let [turns_a, turns_b] = kinds.map(PolicyKind::turns);
        Self {
            ops: ops(a.trace, b.trace, &rows[0]),
            jobs: [a, b].map(jobs),
            rows,
            claimants: by_name(claimants_a.iter().map(str), claimants_b.iter().map(str), ClaimantId::at),
            tasks,
            spaces,
            both_take_turns: kinds.into_iter().all(PolicyKind::takes_turns),
            both: (turns_a == turns_b).then_some(turns_a),
        }
    }

    /// The row of run b for one of run a, or of run a for one of run b.
    #[must_use]
    pub fn row(&self, is_b: bool, row: RowId) -> Option<RowId> {
        self.rows[usize::from(is_b)].get(row.index()).copied().flatten()
    }

    /// The operation of the other run, likewise.
    #[must_use]
    pub fn op(&self, is_b: bool, op: OpId) -> Option<OpId> {
        self.ops[usize::from(is_b)].get(op.index()).copied().flatten()
    }

    /// Whether a step counts: see the head of `compare`.
    pub(super) fn is_compared(&self, of: Side<'_>, other: Side<'_>, is_b: bool, step: &Step) -> bool {
        match step.change {
            Change::EeLeft { .. } | Change::CeLeft { .. } => false,
            Change::RunlistSubmitted { .. }
            | Change::SwitchStarted { .. }
            | Change::Entered { .. }
            | Change::DrainStarted { .. }
            | Change::Left { .. } => self.both_take_turns,
            Change::ChannelReset { .. } => self.both == Some(Turns::Deadlines),
            Change::PolicyTold { .. } => self.both == Some(Turns::Text),
            Change::EntryVisited { .. } => matches!(self.both, Some(Turns::Runlist | Turns::Text)),
            Change::Chosen { .. } => self.both == Some(Turns::Deadlines),
            Change::SignalSent { .. } | Change::SignalArrived { .. } => {
                [of, other].iter().all(|side| side.trace.scenario().policy().signal_time() > Span::ZERO)
            }
            Change::ServerRenewed { .. } | Change::DeadlinePostponed { .. } => {
                self.both == Some(Turns::Deadlines) && [of, other].iter().all(|side| side.trace.scenario().policy().cbs)
            }
            Change::BlockEnded { op, block, .. } => {
                let theirs = self.op(is_b, op).and_then(|op| block_of(other, op, block));
                match (block_of(of, op, block), theirs) {
                    (Some(ours), Some(theirs)) => (ours.start, ours.sm) == (theirs.start, theirs.sm),
                    _ => false,
                }
            }
            _ => true,
        }
    }

    /// What a step does, in ids of run a.
    pub(super) fn key(&self, of: Side<'_>, is_b: bool, step: StepId) -> Key {
        let op = |what, id: OpId, block, place| Key { what, subject: unified(&self.ops, is_b, id.index(), OpId::index), block, place };
        let task =
            |what, id: TaskId, block, place| Key { what, subject: unified(&self.tasks, is_b, id.index(), TaskId::index), block, place };
        let claimant = |what, id: ClaimantId, block, place| {
            let subject = unified(&self.claimants, is_b, id.index(), ClaimantId::index);
            Key { what, subject, block, place }
        };
        let space =
            |what, id: SpaceId, place| Key { what, subject: unified(&self.spaces, is_b, id.index(), SpaceId::index), block: 0, place };
        let row = |what, id: RowId, job: JobNo| Key {
            what,
            subject: unified(&self.rows, is_b, id.index(), RowId::index),
            block: job.0,
            place: 0,
        };
        match of.trace.step(step).change {
            Change::JobReleased { task: id, job } => task(0, id, job.0, 0),
            Change::JobCompleted { task: id, job } => task(1, id, job.0, 0),
            Change::DeadlineMissed { task: id, job } => task(2, id, job.0, 0),
            Change::Issued { op: id } => op(3, id, 0, 0),
            Change::EeJoined { op: id, level } => op(4, id, 0, level as u64),
            Change::CeJoined { op: id, engine } => op(5, id, 0, engine.into()),
            Change::BlockAssigned { op: id, block, sm } => op(6, id, block, sm.0.into()),
            Change::EeLeft { op: id, level } => op(7, id, 0, level as u64),
            Change::BlockEnded { op: id, block, sm } => op(8, id, block, sm.0.into()),
            Change::KernelCompleted { op: id } => op(9, id, 0, 0),
            Change::SpinEnded { op: id } => op(36, id, 0, 0),
            Change::CopyAssigned { op: id, engine } => op(10, id, 0, engine.into()),
            Change::CeLeft { op: id, engine } => op(11, id, 0, engine.into()),
            Change::CopyCompleted { op: id, .. } => op(12, id, 0, 0),
            Change::SwitchStarted { to, until } => space(13, to, until.ns()),
            Change::Entered { space: id } => space(14, id, 0),
            Change::DrainStarted { space: id, .. } => space(15, id, 0),
            Change::Left { space: id } => space(16, id, 0),
            Change::BlockSuspended { op: id, block, sm } => op(17, id, block, sm.0.into()),
            Change::BlockResumed { op: id, block, sm } => op(18, id, block, sm.0.into()),
            Change::CopySuspended { op: id, engine } => op(19, id, 0, engine.into()),
            Change::CopyResumed { op: id, engine } => op(20, id, 0, engine.into()),
            Change::EntryVisited { space: id, entry } => space(21, id, entry),
            Change::Chosen { claimant: id, job } => claimant(22, id, job.0, 0),
            Change::ServerRenewed { claimant: id, deadline } => claimant(23, id, 0, deadline.ns()),
            Change::DeadlinePostponed { claimant: id, deadline } => claimant(24, id, 0, deadline.ns()),
            Change::HostWaits { row: id, job } => row(25, id, job),
            Change::HostReturned { row: id, job } => row(26, id, job),
            Change::SignalSent { signal, claimant: id, job } => claimant(27, id, job.0, signal as u64),
            Change::SignalArrived { signal, claimant: id, job } => claimant(28, id, job.0, signal as u64),
            Change::RunlistSubmitted { to, until } => space(29, to, until.ns()),
            Change::ChannelReset { space: id } => space(33, id, 0),
            Change::PolicyTold { decision } => match of.trace.made(decision).told {
                Told::Request(id, job) => task(30, id, job.0, 0),
                Told::End(id, job) => task(31, id, job.0, 0),
                Told::Tick => Key { what: 32, subject: 0, block: 0, place: 0 },
                Told::Launch(.., id) => op(34, id, 0, 0),
                Told::Finish(.., id) => op(35, id, 0, 0),
            },
        }
    }

    /// The step of the other run at which the same happens, at whatever time and place; for what
    /// may happen more than once to one thing, at the same time, and there as often before. `None` also for what is not compared.
    #[must_use]
    pub fn counterpart(&self, of: Side<'_>, other: Side<'_>, is_b: bool, id: StepId) -> Option<StepId> {
        let step = of.trace.step(id);
        let job = |task: TaskId, job: JobNo| self.tasks[usize::from(is_b)][task.index()].and_then(|task| self.job(other, !is_b, task, job));
        let find = |at: Option<Time>, is_it: &dyn Fn(Change) -> bool| {
            steps_at(other.trace, at?).find(|(_, change)| is_it(*change)).map(|(id, _)| id)
        };
        match step.change {
            Change::EeLeft { .. } | Change::CeLeft { .. } => None,
            Change::JobReleased { task, job: no } => job(task, no).map(|job| job.release_step),
            Change::JobCompleted { task, job: no } => {
                let theirs = job(task, no)?;
                find(theirs.end, &|change| change == Change::JobCompleted { task: theirs.task, job: no })
            }
            Change::DeadlineMissed { task, job: no } => {
                let theirs = job(task, no)?;
                find(theirs.deadline, &|change| change == Change::DeadlineMissed { task: theirs.task, job: no })
            }
            change => match (change, change.op()) {
                (
                    Change::BlockSuspended { .. } | Change::BlockResumed { .. } | Change::CopySuspended { .. } | Change::CopyResumed { .. },
                    Some(_),
                )
                | (_, None) => self.same_at_once(of, other, is_b, id),
                (change, Some(op)) => {
                    let theirs = self.op(is_b, op)?;
                    let life = &other.records.ops[theirs.index()];
                    match change {
                        Change::Issued { .. } => Some(life.issued_step),
                        Change::CopyAssigned { .. } => life.start_step,
                        Change::BlockAssigned { block, .. } => block_of(other, theirs, block).map(|b| b.start_step),
                        Change::BlockEnded { block, .. } => {
                            let end = block_of(other, theirs, block)?.end;
                            find(end, &|c| matches!(c, Change::BlockEnded { op, block: no, .. } if (op, no) == (theirs, block)))
                        }
                        Change::SpinEnded { .. } => {
                            let first = *other.records.blocks_of(theirs).first()?;
                            find(other.records.went_on(first as usize)?, &|c| c == Change::SpinEnded { op: theirs })
                        }
                        Change::EeJoined { .. } | Change::CeJoined { .. } => {
                            find(life.queued, &|c| matches!(c, Change::EeJoined { op, .. } | Change::CeJoined { op, .. } if op == theirs))
                        }
                        _ => find(
                            life.end,
                            &|c| matches!(c, Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } if op == theirs),
                        ),
                    }
                }
            },
        }
    }

    fn same_at_once(&self, of: Side<'_>, other: Side<'_>, is_b: bool, ours: StepId) -> Option<StepId> {
        let step = of.trace.step(ours);
        if !self.is_compared(of, other, is_b, step) {
            return None;
        }
        // A policy may be told twice at once that a task's job ends.
        let key = self.key(of, is_b, ours);
        let before = steps_at(of.trace, step.at).take_while(|(id, _)| *id != ours).filter(|(id, _)| self.key(of, is_b, *id) == key).count();
        steps_at(other.trace, step.at).filter(|(id, _)| self.key(other, !is_b, *id) == key).nth(before).map(|(id, _)| id)
    }

    /// A job of one run.
    fn job<'r>(&self, of: Side<'r>, is_b: bool, task: TaskId, job: JobNo) -> Option<&'r JobRecord> {
        let list = &self.jobs[usize::from(is_b)][task.index()];
        let place = list.binary_search_by(|&i| of.records.jobs[i as usize].job.cmp(&job)).ok()?;
        of.records.jobs.get(list[place] as usize)
    }
}

/// The record of a block, if it was assigned: blocks are assigned in order of their numbers.
fn block_of<'r>(of: Side<'r>, op: OpId, block: u32) -> Option<&'r BlockRecord> {
    let place = *of.records.blocks_of(op).get(block as usize)?;
    of.records.blocks.get(place as usize).filter(|record| record.block == block)
}

/// The number of a thing of run a; that of a thing which only run b has comes after all of those.
fn unified<T: Copy>(all: &[Vec<Option<T>>; 2], is_b: bool, place: usize, index: impl Fn(T) -> usize) -> u64 {
    let found = if is_b { all[1][place].map_or(all[0].len() + place, index) } else { place };
    found as u64
}

/// By place in either list, the id of the same name in the other. Names are unique.
fn by_name<'n, T>(
    a: impl Iterator<Item = &'n str> + Clone,
    b: impl Iterator<Item = &'n str> + Clone,
    id: fn(usize) -> T,
) -> [Vec<Option<T>>; 2] {
    let (in_a, in_b) = (Names::from_names(a.clone()), Names::from_names(b.clone()));
    [a.map(|name| in_b.get(0, name).map(id)).collect(), b.map(|name| in_a.get(0, name).map(id)).collect()]
}

/// Operations of the same row, job and kind.
fn ops(a: &Trace, b: &Trace, rows: &[Option<RowId>]) -> [Vec<Option<OpId>>; 2] {
    const KINDS: [OpKind; 3] = [OpKind::CopyIn, OpKind::Kernel, OpKind::CopyOut];
    let slots = b.scenario().rows().len() * KINDS.len();
    // By row and kind: the operations of run b, by job.
    let mut of_b: Vec<Vec<OpId>> = vec![Vec::new(); slots];
    for (i, op) in b.ops().iter().enumerate() {
        of_b[op.row.index() * KINDS.len() + op.kind as usize].push(OpId::at(i));
    }
    for list in &mut of_b {
        order::by_number(list, |&op| b.op(op).job.0.into());
    }
    let mut to_a = vec![None; b.ops().len()];
    let mut match_of = |(i, op): (usize, &blockstep_sim::trace::Op)| {
        let list = &of_b[rows[op.row.index()]?.index() * KINDS.len() + op.kind as usize];
        let found = list[list.binary_search_by(|&other| b.op(other).job.cmp(&op.job)).ok()?];
        to_a[found.index()] = Some(OpId::at(i));
        Some(found)
    };
    let to_b = a.ops().iter().enumerate().map(&mut match_of).collect();
    [to_b, to_a]
}

fn jobs(side: Side<'_>) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); side.trace.scenario().tasks().len()];
    for (i, job) in side.records.jobs.iter().enumerate() {
        lists[job.task.index()].push(i as u32);
    }
    for list in &mut lists {
        order::by_number(list, |&i: &u32| side.records.jobs[i as usize].job.0.into());
    }
    lists
}
