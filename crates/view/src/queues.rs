//! The queue diagram, as a model: who stands where after a step, and what that step changed.
//!
//! Depends on `trace`, `snapshot` and `sentence`. Invariants: it is read off the state; whatever
//! the last step moved is marked both where it came from and where it went; its size is bounded
//! however large the state is. Source: [TX2] Fig. 4.

mod changes;
mod device;
mod flow;
mod path;
mod scheduler;
mod words;

pub(crate) use device::label_of_blocks;
pub use device::{BlockGroup, EngineView, Gauge, SmView};
pub use flow::{FlowLine, FlowSm, FlowView};
pub use path::{BatchView, GuestView, PathView, PushBuffer, SignalKind, SignalView, SubmittedView, TimerView, path};
pub use scheduler::{DeadlinesView, EntryView, JobList, JobView, OrderView, RunlistView, SchedulerView};

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use blockstep_sim::order;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::StreamPriority;
use blockstep_sim::snapshot::{Residency, Snapshot};
use blockstep_sim::trace::{Change, EngineNo, Level, OpKind, Step, Trace};
use blockstep_sim::units::{OpId, ProcessId, RowId, SpaceId, StreamId, TaskId, Time};
use changes::Changes;

/// Streams of an address space, or tasks, that are shown at most.
const MAX_BOXES: usize = 64;
/// Address spaces that are shown at most.
const MAX_SPACES: usize = 16;
/// Of more than that, those in which nothing is are shown by name only.
const MANY_SPACES: usize = 4;

/// The whole diagram.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueView {
    /// CPU tasks, in table order.
    pub tasks: Vec<TaskBox>,
    /// Tasks not shown.
    pub hidden_tasks: usize,
    /// Who may execute, where processes take turns.
    pub scheduler: Option<SchedulerView>,
    /// Address spaces: one for all processes, or one each.
    pub spaces: Vec<SpaceView>,
    /// Address spaces not shown, all of them empty unless there are very many.
    pub hidden_spaces: usize,
}

/// A CPU task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskBox {
    /// The task that the box is of.
    pub task: TaskId,
    /// Its name.
    pub name: String,
    /// Its process's name.
    pub process: String,
    /// The process, whose address space it is in.
    pub process_id: ProcessId,
    /// Jobs released so far.
    pub released: u32,
    /// Jobs released and not complete.
    pub open: usize,
    /// Whether the last step released or completed a job, or issued one of its operations.
    pub changed: bool,
}

/// An address space with its queues and its view of the GPU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceView {
    /// The address space that the view is of.
    pub space: SpaceId,
    /// Its processes' names.
    pub name: String,
    /// Whether it may execute, where address spaces take turns; `None` where there is one for all.
    pub residency: Option<Presence>,
    /// Whether it is the one to look at: resident, being switched to, or the last that was.
    pub is_front: bool,
    /// Whether the last step changed its residency.
    pub changed: bool,
    /// Whether nothing is in it and there are many, so that none of the rest is spelt out.
    pub is_folded: bool,
    /// Stream queues.
    pub streams: Vec<StreamView>,
    /// Stream queues not shown, all of them empty unless there are very many.
    pub hidden_streams: usize,
    /// EE queues, the higher priority first; one under `fifo`.
    pub ee: Vec<QueueBox>,
    /// CE queues: one, or one for input and one for output.
    pub ce: Vec<QueueBox>,
    /// SMs.
    pub sms: Vec<SmView>,
    /// SMs not shown.
    pub hidden_sms: usize,
    /// On how many of all SMs all threads are in use, some, and none.
    pub sms_in_words: String,
    /// Copy engines, as many as CE queues.
    pub engines: Vec<EngineView>,
}

/// Whether an address space may execute, where they take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// It may.
    Resident,
    /// It may finish what it has begun.
    Draining,
    /// It is being switched to.
    SwitchingIn,
    /// It may not.
    NotResident,
    /// The watchdog has reset it: it never may again.
    Reset,
}

impl Presence {
    /// Whether it executes, or may.
    #[must_use]
    pub const fn is_resident(self) -> bool {
        matches!(self, Self::Resident | Self::Draining)
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Resident => "resident",
            Self::Draining => "draining",
            Self::SwitchingIn => "switching in",
            Self::NotResident => "not resident",
            Self::Reset => "reset: never resident again",
        }
    }
}

/// A stream queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamView {
    /// The stream that the queue is of.
    pub stream: StreamId,
    /// Its name, with the process's where that is needed.
    pub label: String,
    /// Its priority.
    pub priority: StreamPriority,
    /// Names of the tasks whose rows use it.
    pub tasks: Vec<String>,
    /// What else there is to know of it, in words: its hardware connection, and that it is non-blocking.
    pub traits: Vec<String>,
    /// Operations, head first.
    pub items: Vec<QueuedOp>,
    /// Operations behind those.
    pub hidden: usize,
    /// Whether an operation joined, left or moved on by the last step.
    pub changed: bool,
    /// The operation that the last step took out of it.
    pub left: Option<String>,
}

/// An EE or CE queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueBox {
    /// `EE queue`, `EE queue, high priority`, `CE queue, input`.
    pub label: String,
    /// Operations, head first.
    pub items: Vec<QueuedOp>,
    /// Operations behind those.
    pub hidden: usize,
    /// Whether the last step moved something into it, out of it, or a block from its head.
    pub changed: bool,
    /// The operation that the last step took out of it.
    pub left: Option<String>,
}

/// An operation in one of the queues, or on a copy engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedOp {
    /// The operation that is shown.
    pub op: OpId,
    /// Its row of the kernel table.
    pub row: RowId,
    /// `K1`, `C5o`; with `#2` where there are several jobs.
    pub label: String,
    /// A kernel with at least one block assigned, or a copy that is: drawn shaded.
    pub dispatched: bool,
    /// All its blocks have been assigned, or the copy is.
    pub fully_dispatched: bool,
    /// Something of it runs right now.
    pub executing: bool,
    /// Blocks assigned so far; of a copy 1 once it is assigned.
    pub assigned: u64,
    /// Blocks completed so far.
    pub completed: u64,
    /// Its blocks; 1 of a copy.
    pub blocks: u64,
    /// Whether the last step was about it.
    pub changed: bool,
    /// Whether it came into this very queue by the last step.
    pub entered: bool,
}

/// Whether the diagram changes from one step to the next: timeslices and budgets run.
#[must_use]
pub fn runs_between_steps(trace: &Trace) -> bool {
    trace.scenario().policy().kind.takes_turns()
}

/// The diagram after a step, at `now` or at the step if that is later. `last` is that step, `None`
/// before the first or where nothing is to be marked: what it changed is marked only at its own instant.
/// Queues show `max_items` operations at most.
/// Cost: what is shown, and the blocks on the SMs.
#[must_use]
pub fn queues(trace: &Trace, state: &Snapshot, last: Option<&Step>, now: Time, max_items: usize) -> QueueView {
    let builder = Builder::new(trace, state, last, now, max_items);
    let tasks = trace.scenario().tasks().len();
    let shown = choose(tasks, MAX_BOXES, |i| !state.task(TaskId::at(i)).open.is_empty() || builder.changed_task() == Some(TaskId::at(i)));
    let count = state.spaces().len();
    let spaces = choose(count, MAX_SPACES, |i| builder.is_busy(SpaceId::at(i)));
    QueueView {
        hidden_tasks: tasks - shown.len(),
        tasks: shown.into_iter().map(|i| builder.task(TaskId::at(i))).collect(),
        scheduler: builder.scheduler(),
        hidden_spaces: count - spaces.len(),
        spaces: spaces.into_iter().map(|i| builder.space(SpaceId::at(i), count > MANY_SPACES)).collect(),
    }
}

/// At most `max` of `count`, in order: all, or first of all the busy ones.
fn choose(count: usize, max: usize, is_busy: impl Fn(usize) -> bool) -> Vec<usize> {
    if count <= max {
        return (0..count).collect();
    }
    let busy: Vec<usize> = (0..count).filter(|&i| is_busy(i)).take(max).collect();
    let quiet = (0..count).filter(|&i| !is_busy(i)).take(max - busy.len());
    let mut shown: Vec<usize> = quiet.chain(busy.iter().copied()).collect();
    order::by_number(&mut shown, |&i| i as u64);
    shown
}

struct Builder<'a> {
    trace: &'a Trace,
    state: &'a Snapshot,
    changes: Changes,
    last: Option<Change>,
    /// Where the reader stands, the last step's time or later.
    now: Time,
    max_items: usize,
    /// By stream queue, the tasks whose rows use it.
    users: Vec<Vec<TaskId>>,
}

/// The tasks whose rows use each stream queue, in table order, a bounded number of each.
fn users(trace: &Trace) -> Vec<Vec<TaskId>> {
    let mut users = vec![Vec::new(); trace.layout().streams().len()];
    for (i, task) in trace.scenario().tasks().iter().enumerate() {
        let id = TaskId::at(i);
        for &row in &task.rows {
            let of_stream = &mut users[trace.layout().stream_of(row).index()];
            if of_stream.len() < MAX_BOXES && of_stream.last() != Some(&id) {
                of_stream.push(id);
            }
        }
    }
    users
}

impl<'a> Builder<'a> {
    fn new(trace: &'a Trace, state: &'a Snapshot, last: Option<&Step>, now: Time, max_items: usize) -> Self {
        let now = now.max(state.now());
        let last = last.filter(|step| step.at == now);
        let changes = Changes::from_step(trace, state, last);
        Self { trace, state, changes, last: last.map(|step| step.change), now, max_items, users: users(trace) }
    }

    /// The task that the last step was about.
    fn changed_task(&self) -> Option<TaskId> {
        self.changes.claimant.map(|claimant| self.trace.scenario().claimant(claimant).task)
    }

    fn task(&self, id: TaskId) -> TaskBox {
        let scenario = self.trace.scenario();
        let (task, state) = (scenario.task(id), self.state.task(id));
        TaskBox {
            task: id,
            name: task.name.clone(),
            process: scenario.processes()[task.process.index()].name.clone(),
            process_id: task.process,
            released: state.released,
            open: state.open.len(),
            changed: self.changed_task() == Some(id),
        }
    }

    /// Whether an address space may not execute.
    fn is_absent(&self, id: SpaceId) -> bool {
        match self.state.residency() {
            Residency::Shared => false,
            Residency::Idle { .. } => true,
            Residency::Submitting { to: space, .. } | Residency::Switching { to: space, .. } | Residency::Resident { space, .. } => {
                space != id
            }
        }
    }

    /// The address space to look at; before any was resident, the first.
    fn front(&self) -> SpaceId {
        match self.state.residency() {
            Residency::Shared | Residency::Idle { last: None, .. } => SpaceId::at(0),
            Residency::Submitting { to: space, .. }
            | Residency::Switching { to: space, .. }
            | Residency::Resident { space, .. }
            | Residency::Idle { last: Some(space), .. } => space,
        }
    }

    /// Whether anything is queued or assigned in an address space, or the last step was about it.
    fn is_busy(&self, id: SpaceId) -> bool {
        let streams = &self.trace.layout().space(id).streams;
        !self.is_absent(id) || self.changes.in_space(self.trace, id) || streams.iter().any(|&s| self.state.head(s).is_some())
    }

    fn space(&self, id: SpaceId, may_fold: bool) -> SpaceView {
        let streams = &self.trace.layout().space(id).streams;
        if may_fold && !self.is_busy(id) {
            let (name, residency) = (self.trace.space_name(id), self.residency(id));
            return SpaceView { space: id, name, residency, is_folded: true, ..SpaceView::default() };
        }
        let shown = choose(streams.len(), MAX_BOXES, |i| self.state.head(streams[i]).is_some() || self.changes.stream == Some(streams[i]));
        let (sms, hidden_sms) = self.sms(id);
        SpaceView {
            space: id,
            name: self.trace.space_name(id),
            residency: self.residency(id),
            is_front: self.front() == id,
            changed: self.changes.space == Some(id),
            is_folded: false,
            hidden_streams: streams.len() - shown.len(),
            streams: shown.into_iter().map(|i| self.stream(streams[i])).collect(),
            ee: self.ee_queues(id),
            ce: self.engine_numbers().map(|engine| self.ce_queue(id, engine)).collect(),
            sms,
            hidden_sms,
            sms_in_words: self.sms_in_words(id),
            engines: self.engine_numbers().map(|engine| self.engine(id, engine)).collect(),
        }
    }

    fn residency(&self, id: SpaceId) -> Option<Presence> {
        match self.state.residency() {
            Residency::Shared => None,
            Residency::Resident { space, draining: true, .. } if space == id => Some(Presence::Draining),
            Residency::Resident { space, .. } if space == id => Some(Presence::Resident),
            Residency::Submitting { to, .. } | Residency::Switching { to, .. } if to == id => Some(Presence::SwitchingIn),
            _ if self.state.is_space_reset(id) => Some(Presence::Reset),
            _ => Some(Presence::NotResident),
        }
    }

    fn stream(&self, id: StreamId) -> StreamView {
        let (scenario, layout) = (self.trace.scenario(), self.trace.layout());
        let queue = &self.state.stream(id).queue;
        let (items, hidden) = self.items(queue, self.changes.into_stream);
        StreamView {
            stream: id,
            label: layout.label(scenario, id),
            priority: layout.stream(id).priority,
            traits: self.traits(id),
            tasks: self.users[id.index()].iter().map(|&task| scenario.task(task).name.clone()).collect(),
            items,
            hidden,
            changed: self.changes.stream == Some(id),
            left: self.left(self.changes.out_of_stream && self.changes.stream == Some(id)),
        }
    }

    fn traits(&self, id: StreamId) -> Vec<String> {
        let stream = self.trace.layout().stream(id);
        let connection = stream.connection.map(|_| super::sentence::connection(self.trace, id));
        connection.into_iter().chain(stream.non_blocking.then(|| "non-blocking".to_owned())).collect()
    }

    /// One where priorities of streams mean nothing, else both, so that boxes do not come and go.
    fn ee_queues(&self, id: SpaceId) -> Vec<QueueBox> {
        let has_levels = policy::uses(self.trace.scenario(), Setting::StreamPriority);
        let levels: &[(Level, &str)] = if has_levels {
            &[(Level::High, "EE queue, high priority"), (Level::Low, "EE queue, low priority")]
        } else {
            &[(Level::Low, "EE queue")]
        };
        let queue = |&(level, label): &(Level, &str)| {
            let changed = self.changes.ee == Some((id, level));
            self.queue_box(label.to_owned(), self.state.space(id).ee(level), changed)
        };
        levels.iter().map(queue).collect()
    }

    fn ce_queue(&self, id: SpaceId, engine: EngineNo) -> QueueBox {
        let label = format!("CE queue{}", self.which_engine(engine));
        self.queue_box(label, self.state.space(id).ce(engine), self.changes.ce == Some((id, engine)))
    }

    fn queue_box(&self, label: String, queue: &VecDeque<OpId>, changed: bool) -> QueueBox {
        let (items, hidden) = self.items(queue, changed && self.changes.into_queue);
        QueueBox { label, items, hidden, changed, left: self.left(changed && self.changes.out_of_queue) }
    }

    fn left(&self, has_left: bool) -> Option<String> {
        self.changes.op.filter(|_| has_left).map(|op| self.trace.op_label(op))
    }

    fn engine_numbers(&self) -> std::ops::Range<EngineNo> {
        0..self.trace.scenario().device().copy_engines.min(2) as EngineNo
    }

    /// Added to the name of a CE queue or copy engine where there are two.
    fn which_engine(&self, engine: EngineNo) -> &'static str {
        match (self.engine_numbers().len(), engine) {
            (1, _) => "",
            (_, 0) => ", input",
            (_, _) => ", output",
        }
    }

    /// The first operations of a queue, and how many more there are.
    fn items(&self, queue: &VecDeque<OpId>, may_have_entered: bool) -> (Vec<QueuedOp>, usize) {
        let items: Vec<QueuedOp> = queue.iter().take(self.max_items).map(|&op| self.item(op, may_have_entered)).collect();
        let hidden = queue.len() - items.len();
        (items, hidden)
    }

    fn item(&self, op: OpId, may_have_entered: bool) -> QueuedOp {
        let info = self.trace.op(op);
        let stream = self.state.stream(info.stream);
        let is_head = stream.queue.front() == Some(&op);
        let (assigned, completed, blocks) = match info.kind {
            OpKind::Kernel if is_head => (stream.assigned.into(), stream.completed.into(), self.trace.row_of(op).blocks),
            OpKind::Kernel => (0, 0, self.trace.row_of(op).blocks),
            OpKind::CopyIn | OpKind::CopyOut => {
                let space = self.state.space(self.trace.layout().stream(info.stream).space);
                let on_engine = is_head && space.engines.iter().flatten().any(|copy| copy.op == op);
                (on_engine.into(), 0, 1)
            }
        };
        let changed = self.changes.op == Some(op);
        QueuedOp {
            op,
            row: info.row,
            label: self.trace.op_label(op),
            dispatched: assigned > 0,
            fully_dispatched: assigned == blocks,
            executing: is_head && super::reason::executes(self.trace, self.state, op),
            assigned,
            completed,
            blocks,
            changed,
            entered: changed && may_have_entered,
        }
    }
}
