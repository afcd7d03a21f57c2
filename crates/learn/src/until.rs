//! Run until: the steps of a run at which a condition becomes true.
//!
//! Depends on `engine::Run`, `snapshot` and `view::reason`. Two sorts of condition. An *event* is
//! read off single changes; it happens at every step that is one. A *standing* is read off states,
//! and judged where time passes: it becomes true in an instant at whose end it holds, if it did not
//! at the end of the instant before; its step is the first one after which it holds to the end of
//! that instant. So what comes and goes within an instant, as everything that waits for the next
//! step does, is not found. Invariants: a step found is false before and true after; the run is
//! walked once, forward, whatever is asked.

mod holds;
mod phrase;
mod text;

use std::collections::VecDeque;

pub use holds::Inversion;
pub use phrase::{PhraseError, example, parse_phrase, phrases};
pub use text::{ConditionError, ConditionKind, Parameter, REASONS, reason_id};

use blockstep_sim::engine::Run;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Change, OpKind, Rule, Trace};
use blockstep_sim::units::{OpId, RowId, SmId, SpaceId, StepId, TaskId};
use blockstep_view::reason::ReasonKind;

/// A part of what a kernel's row launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The copy before the kernel.
    CopyIn,
    /// The copy after it.
    CopyOut,
    /// One of its blocks, by number.
    Block(u32),
}

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Event: the row's kernel or copy is issued.
    Issued(RowId),
    /// Event: the row's kernel becomes the head of its EE queue.
    HeadsQueue(RowId),
    /// Event: the first block of the row's kernel is assigned, or the row is a copy and starts.
    FirstBlock(RowId),
    /// Event: the last block of the row's kernel is assigned.
    LastBlock(RowId),
    /// Event: the row's kernel completes, or the row is a copy and does.
    Completes(RowId),
    /// Standing: fewer threads are free on an SM, in the view of the address space that has the GPU;
    /// all are free while none has.
    FreeThreads {
        /// The SM that is watched.
        sm: SmId,
        /// Fewer than that many.
        below: u64,
    },
    /// Standing: an operation, or the rest of a kernel that executes, waits for this reason.
    Waits {
        /// The reason.
        kind: ReasonKind,
        /// Whose operation; any if `None`.
        row: Option<RowId>,
    },
    /// Event: a deadline comes with its job incomplete.
    DeadlineMissed(Option<TaskId>),
    /// Event: a job is released.
    JobReleased(Option<TaskId>),
    /// Event: a job completes.
    JobCompleted(Option<TaskId>),
    /// Standing: an [`Inversion`].
    PriorityInversion,
    /// Event: the end of the switch to a process.
    Resident(SpaceId),
    /// Event: a step by this rule.
    RuleUsed(Rule),
    /// Event: a copy of the row's kernel, or one of its blocks, is assigned.
    PartStarts(RowId, Part),
    /// Event: it completes.
    PartEnds(RowId, Part),
}

/// Where a condition becomes true, seen from a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// The last step before the one that leads to the position.
    pub previous: Option<StepId>,
    /// The first step after the position.
    pub next: Option<StepId>,
    /// The step that leads to the position.
    pub here: Option<StepId>,
    /// How often in the whole run.
    pub count: u32,
    /// How often up to the position.
    pub before: u32,
}

/// Looks through a run. `position`: steps applied. Linear in the steps, with the states replayed
/// only if the condition is a standing.
#[must_use]
pub fn find(run: &Run, position: u32, condition: Condition) -> Occurrences {
    if condition.is_standing() { standings(run, position, condition) } else { events(&run.trace, position, condition) }
}

/// The nearest step after a position at which a condition becomes true.
#[must_use]
pub fn next(run: &Run, position: u32, condition: Condition) -> Option<StepId> {
    find(run, position, condition).next
}

/// The nearest step before the one that leads to a position.
#[must_use]
pub fn previous(run: &Run, position: u32, condition: Condition) -> Option<StepId> {
    find(run, position, condition).previous
}

impl Condition {
    /// Whether it is read off states, not off single changes.
    #[must_use]
    pub const fn is_standing(self) -> bool {
        matches!(self, Self::FreeThreads { .. } | Self::Waits { .. } | Self::PriorityInversion)
    }

    /// Whether a standing holds in a state.
    #[must_use]
    pub fn holds(self, trace: &Trace, state: &Snapshot) -> bool {
        match self {
            Self::FreeThreads { sm, below } => holds::free_threads(trace, state, sm) < below,
            Self::Waits { kind, row } => holds::waiting(trace, state, kind, row).is_some(),
            Self::PriorityInversion => holds::inversion(trace, state).is_some(),
            _ => false,
        }
    }
}

impl Occurrences {
    fn add(&mut self, step: StepId, position: u32) {
        self.count += 1;
        if step.0 >= position {
            self.next.get_or_insert(step);
        } else {
            self.before += 1;
            let place = if step.0 + 1 < position { &mut self.previous } else { &mut self.here };
            *place = Some(step);
        }
    }
}

fn events(trace: &Trace, position: u32, condition: Condition) -> Occurrences {
    let mut found = Occurrences::default();
    let mut heads = Heads::new(trace);
    for (i, step) in trace.steps().iter().enumerate() {
        let is_one = match condition {
            Condition::HeadsQueue(row) => heads.apply_change(trace, step.change).is_some_and(|op| trace.op(op).row == row),
            Condition::RuleUsed(rule) => step.rule == rule,
            condition => is_event(trace, condition, step.change),
        };
        if is_one {
            found.add(StepId::at(i), position);
        }
    }
    found
}

fn is_event(trace: &Trace, condition: Condition, change: Change) -> bool {
    let of_row = |op: OpId, row: RowId| trace.op(op).row == row;
    let is_copy = |op: OpId, row: RowId| of_row(op, row) && trace.row_of(op).call.is_copy();
    let of_task = |task: TaskId, wanted: Option<TaskId>| wanted.is_none_or(|wanted| wanted == task);
    match (condition, change) {
        (Condition::Issued(row), Change::Issued { op }) => is_copy(op, row) || of_row(op, row) && trace.op(op).kind == OpKind::Kernel,
        (Condition::FirstBlock(row), Change::CopyAssigned { op, .. }) | (Condition::Completes(row), Change::CopyCompleted { op, .. }) => {
            is_copy(op, row)
        }
        (Condition::FirstBlock(row), Change::BlockAssigned { op, block: 0, .. }) => of_row(op, row),
        (Condition::LastBlock(row), Change::BlockAssigned { op, block, .. }) => {
            of_row(op, row) && u64::from(block) + 1 == trace.row_of(op).blocks
        }
        (Condition::Completes(row), Change::KernelCompleted { op }) => of_row(op, row),
        (Condition::DeadlineMissed(wanted), Change::DeadlineMissed { task, .. })
        | (Condition::JobReleased(wanted), Change::JobReleased { task, .. })
        | (Condition::JobCompleted(wanted), Change::JobCompleted { task, .. }) => of_task(task, wanted),
        (Condition::Resident(wanted), Change::Entered { space }) => space == wanted,
        (Condition::PartStarts(row, Part::Block(number)), Change::BlockAssigned { op, block, .. })
        | (Condition::PartEnds(row, Part::Block(number)), Change::BlockEnded { op, block, .. }) => of_row(op, row) && block == number,
        (Condition::PartStarts(row, part), Change::CopyAssigned { op, .. })
        | (Condition::PartEnds(row, part), Change::CopyCompleted { op, .. }) => {
            let kind = if part == Part::CopyIn { OpKind::CopyIn } else { OpKind::CopyOut };
            !matches!(part, Part::Block(_)) && of_row(op, row) && trace.op(op).kind == kind
        }
        _ => false,
    }
}

/// The EE queues alone.
struct Heads {
    /// By address space and level.
    queues: Vec<[VecDeque<OpId>; 2]>,
}

impl Heads {
    fn new(trace: &Trace) -> Self {
        Self { queues: vec![Default::default(); trace.layout().spaces().len()] }
    }

    /// The kernel that a change puts at the head of an EE queue.
    fn apply_change(&mut self, trace: &Trace, change: Change) -> Option<OpId> {
        let (Change::EeJoined { op, level } | Change::EeLeft { op, level }) = change else { return None };
        let queue = &mut self.queues[trace.layout().stream(trace.op(op).stream).space.index()][level as usize];
        if matches!(change, Change::EeJoined { .. }) {
            queue.push_back(op);
            return (queue.len() == 1).then_some(op);
        }
        let place = queue.iter().position(|&o| o == op)?;
        queue.remove(place);
        if place == 0 { queue.front().copied() } else { None }
    }
}

fn standings(run: &Run, position: u32, condition: Condition) -> Occurrences {
    let trace = &*run.trace;
    let steps = trace.steps();
    let is_varied = !trace.variants().is_none();
    let mut found = Occurrences::default();
    let mut replay = run.replay();
    let (mut begin, mut held) = (0, condition.holds(trace, replay.state()));
    while begin < steps.len() {
        let at = steps[begin].at;
        let end = begin + steps[begin..].iter().take_while(|s| s.at == at).count();
        let is_touched = steps[begin..end].iter().any(|s| holds::touches(condition, s.change, is_varied));
        let state = replay.seek(end as u32);
        let holds = if is_touched { condition.holds(trace, state) } else { held };
        if holds && !held {
            // Only near the position does it matter which step of the instant it is.
            let is_far = end < position as usize || (begin >= position as usize && found.next.is_some());
            let step = if is_far { end - 1 } else { first_of_instant(run, condition, begin, end) };
            found.add(StepId::at(step), position);
        }
        (begin, held) = (end, holds);
    }
    if let Some(previous) = found.previous {
        let at = steps[previous.index()].at;
        let begin = steps.partition_point(|s| s.at < at);
        let end = begin + steps[begin..].iter().take_while(|s| s.at == at).count();
        found.previous = Some(StepId::at(first_of_instant(run, condition, begin, end)));
    }
    found
}

/// The first step of an instant after which a standing holds to the end of the instant.
fn first_of_instant(run: &Run, condition: Condition, begin: usize, end: usize) -> usize {
    let mut replay = run.replay();
    let mut first = begin;
    for step in begin..end {
        if !condition.holds(&run.trace, replay.after(StepId::at(step))) {
            first = step + 1;
        }
    }
    first.min(end - 1)
}
