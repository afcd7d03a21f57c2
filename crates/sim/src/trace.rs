//! The output language of the engine: steps, each with its time, its rule and what it changed.
//!
//! Depends on `units` and `scenario`. Invariants: steps are in order of time; every change is a
//! fact about one operation, job or process, from which [`crate::snapshot::Snapshot`] follows;
//! a step and its change take 32 bytes together.

mod events;
mod flags;
mod own;
mod rule;
mod text;
mod variant;
mod words;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use flags::Flags;
pub use own::{Made, Told, number};
pub use rule::Rule;
pub use variant::{Variant, Variants};
pub use words::STEP_WORDS;

use crate::scenario::{Call, Copy, KernelRow, Layout, Scenario};
use crate::units::written::{format_count, format_time};
use crate::units::{ClaimantId, JobNo, OpId, RowId, SmId, SpaceId, Span, StepId, StreamId, TaskId, Time};

/// The three operations a kernel row can issue, in issue order. Of a row that is a copy of its own, `CopyOut` is one to the
/// host, and `CopyIn` every other one, memsets included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpKind {
    /// Host to device, before the kernel.
    CopyIn,
    /// The kernel itself.
    Kernel,
    /// Device to host, after the kernel.
    CopyOut,
}

/// One issued operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The row of the kernel table.
    pub row: RowId,
    /// The job of the row's task.
    pub job: JobNo,
    /// The stream queue it joined.
    pub stream: StreamId,
    /// Which of the row's operations.
    pub kind: OpKind,
}

/// An EE queue (A1). Order: the higher priority first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For high-priority streams.
    High,
    /// For all others; the only one under `fifo`.
    Low,
}

/// A message from a guest to the RunList Manager ([EDF] III-D, Fig. 2b). The third signal, C, comes from the manager's own timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// A: new work submitted.
    Submitted,
    /// B: batch completed.
    Completed,
}

impl Signal {
    /// `A` or `B`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Submitted => "A",
            Self::Completed => "B",
        }
    }

    /// What it tells: `new work submitted`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Submitted => "new work submitted",
            Self::Completed => "batch completed",
        }
    }
}

/// A copy engine and its CE queue: 0 takes input copies (and output ones where it is the only
/// engine), 1 output copies.
pub type EngineNo = u8;

/// What a step changed.
#[expect(missing_docs, reason = "the fields are the ids that the sentence above them speaks of")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A job exists from here on.
    JobReleased { task: TaskId, job: JobNo },
    /// All operations of a job have completed.
    JobCompleted { task: TaskId, job: JobNo },
    /// The deadline of a job has come, and it is not complete: the last word of the instant.
    DeadlineMissed { task: TaskId, job: JobNo },
    /// The operation joined the tail of its stream queue.
    Issued { op: OpId },
    /// The kernel at the head of its stream queue joined the tail of an EE queue.
    EeJoined { op: OpId, level: Level },
    /// The copy at the head of its stream queue joined the tail of a CE queue.
    CeJoined { op: OpId, engine: EngineNo },
    /// A block began on an SM.
    BlockAssigned { op: OpId, block: u32, sm: SmId },
    /// The kernel, fully dispatched, left the head of its EE queue.
    EeLeft { op: OpId, level: Level },
    /// The blocks of the kernel that spin go on: all that they waited for holds.
    SpinEnded { op: OpId },
    /// A block completed and freed what it held.
    BlockEnded { op: OpId, block: u32, sm: SmId },
    /// The kernel left its stream queue.
    KernelCompleted { op: OpId },
    /// A copy began on a copy engine.
    CopyAssigned { op: OpId, engine: EngineNo },
    /// The copy left the head of its CE queue.
    CeLeft { op: OpId, engine: EngineNo },
    /// The copy left its engine and its stream queue.
    CopyCompleted { op: OpId, engine: EngineNo },
    /// A guest sent this signal about a job to the RunList Manager.
    SignalSent { signal: Signal, claimant: ClaimantId, job: JobNo },
    /// That signal, sent first of all that were under way, has arrived.
    SignalArrived { signal: Signal, claimant: ClaimantId, job: JobNo },
    /// The RunList Manager submits a runlist with only the channels of an address space; that ends at `until`.
    RunlistSubmitted { to: SpaceId, until: Time },
    /// A switch to an address space began; it ends at `until`.
    SwitchStarted { to: SpaceId, until: Time },
    /// The address space is resident from here on.
    Entered { space: SpaceId },
    /// The resident address space begins nothing new until it leaves; under `edf`, for the claimant whose
    /// job is to be served then.
    DrainStarted { space: SpaceId, next: Option<ClaimantId> },
    /// The address space, which drains, is never resident again.
    ChannelReset { space: SpaceId },
    /// The address space is no longer resident.
    Left { space: SpaceId },
    /// A running block stopped and kept its place and its remaining time.
    BlockSuspended { op: OpId, block: u32, sm: SmId },
    /// A suspended block runs again.
    BlockResumed { op: OpId, block: u32, sm: SmId },
    /// A running copy stopped and kept its engine and its remaining time.
    CopySuspended { op: OpId, engine: EngineNo },
    /// A suspended copy runs again.
    CopyResumed { op: OpId, engine: EngineNo },
    /// The Host serves this entry of the runlist, the address space's; the pointer stands after it.
    EntryVisited { space: SpaceId, entry: u64 },
    /// The job is the one to be served; its process is, or is to become, resident.
    Chosen { claimant: ClaimantId, job: JobNo },
    /// A job arrived at its claimant's server, which has its whole budget and a new deadline.
    ServerRenewed { claimant: ClaimantId, deadline: Time },
    /// A server's budget was used up: it has it anew, with a later deadline.
    DeadlinePostponed { claimant: ClaimantId, deadline: Time },
    /// The CPU thread of the row's task waits, in the call of this row, for what it names.
    HostWaits { row: RowId, job: JobNo },
    /// That is complete, and the call returns.
    HostReturned { row: RowId, job: JobNo },
    /// A policy of one's own was told of something, and made this decision ([`Trace::made`]).
    PolicyTold { decision: u32 },
}

impl Change {
    /// The operation it is about, if it is about one.
    #[must_use]
    pub const fn op(&self) -> Option<OpId> {
        match *self {
            Self::Issued { op }
            | Self::EeJoined { op, .. }
            | Self::CeJoined { op, .. }
            | Self::BlockAssigned { op, .. }
            | Self::EeLeft { op, .. }
            | Self::SpinEnded { op }
            | Self::BlockEnded { op, .. }
            | Self::KernelCompleted { op }
            | Self::CopyAssigned { op, .. }
            | Self::CeLeft { op, .. }
            | Self::CopyCompleted { op, .. }
            | Self::BlockSuspended { op, .. }
            | Self::BlockResumed { op, .. }
            | Self::CopySuspended { op, .. }
            | Self::CopyResumed { op, .. } => Some(op),
            Self::JobReleased { .. }
            | Self::JobCompleted { .. }
            | Self::DeadlineMissed { .. }
            | Self::SignalSent { .. }
            | Self::SignalArrived { .. }
            | Self::RunlistSubmitted { .. }
            | Self::SwitchStarted { .. }
            | Self::Entered { .. }
            | Self::DrainStarted { .. }
            | Self::ChannelReset { .. }
            | Self::Left { .. }
            | Self::EntryVisited { .. }
            | Self::Chosen { .. }
            | Self::ServerRenewed { .. }
            | Self::DeadlinePostponed { .. }
            | Self::HostWaits { .. }
            | Self::HostReturned { .. }
            | Self::PolicyTold { .. } => None,
        }
    }
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Time of the decision.
    pub at: Time,
    /// By which rule.
    pub rule: Rule,
    /// What it changed.
    pub change: Change,
}

// Runs have millions of them.
const _: () = assert!(size_of::<Step>() == 32);

/// Why a run stopped before its end; what was simulated until then is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Cut {
    /// More steps than allowed.
    #[error("{}", over_limit(*limit, alone.as_deref()))]
    StepLimit {
        /// The limit.
        limit: u32,
        /// What has more of them by itself, where a job is simulated alone; `None` if it is the run.
        alone: Option<String>,
    },
    /// An instant beyond 64 bits of nanoseconds.
    #[error("{what} would be after {}, the last representable instant", format_time(u64::MAX))]
    TimeOverflow {
        /// What would have happened then.
        what: String,
    },
    /// A broken invariant of ours: please report.
    #[error("internal error, please report it with the scenario: {what}")]
    Internal {
        /// The invariant that is broken, in words.
        what: String,
    },
    /// The scenario's own policy could not decide.
    #[error("the policy fails at {}: {why}", format_time(*at))]
    PolicyFailed {
        /// When, in ns.
        at: u64,
        /// Its line, and what was wrong there.
        why: String,
    },
    /// More work than allowed.
    #[error("the run takes more than {} units of work, the limit; use a shorter horizon, or fewer tasks that wait for each other", format_count(*limit))]
    WorkLimit {
        /// The limit, in units of [`crate::work`].
        limit: u64,
    },
}

fn over_limit(limit: u32, alone: Option<&str>) -> String {
    let limit = format_count(limit.into());
    match alone {
        None => format!("the run has more than {limit} steps, the limit; use a shorter horizon, or fewer jobs or blocks"),
        Some(what) => format!("{what} has more than {limit} steps by itself, the limit for finding how long it takes; use fewer blocks"),
    }
}

/// A whole run.
#[derive(Clone, Debug)]
pub struct Trace {
    scenario: Arc<Scenario>,
    layout: Arc<Layout>,
    variants: Variants,
    budgets: Vec<Span>,
    decisions: own::Decisions,
    ops: Vec<Op>,
    events: events::Events,
    steps: Vec<Step>,
    end: Time,
    cut: Option<Cut>,
}

impl Trace {
    /// A run of `scenario` without steps yet.
    #[must_use]
    pub fn new(scenario: Arc<Scenario>, layout: Arc<Layout>) -> Self {
        Self {
            events: events::Events::new(&scenario, &layout),
            scenario,
            layout,
            variants: Variants::NONE,
            budgets: Vec::new(),
            decisions: own::Decisions::default(),
            ops: Vec::new(),
            steps: Vec::new(),
            end: Time::ZERO,
            cut: None,
        }
    }

    /// Says with which variants of the rules the run is made.
    pub fn set_variants(&mut self, variants: Variants) {
        self.variants = variants;
    }

    /// The variants of the rules that the run was made with; none of them in a run of the rules themselves.
    #[must_use]
    pub fn variants(&self) -> Variants {
        self.variants
    }

    /// Says what servers get at a time, claimant by claimant, where there are servers.
    pub fn set_budgets(&mut self, budgets: Vec<Span>) {
        self.budgets = budgets;
    }

    /// What a claimant's server gets at a time: Q of docs/semantics.md, section 7. Zero without a server. Where a policy of one's own looks
    /// at durations, how long a job of a task takes alone.
    #[must_use]
    pub fn budget(&self, claimant: impl Into<ClaimantId>) -> Span {
        self.budgets.get(claimant.into().index()).copied().unwrap_or(Span::ZERO)
    }

    /// Adds an operation and returns its id. Operations are added in issue order.
    pub fn add_op(&mut self, op: Op) -> OpId {
        let id = OpId::at(self.ops.len());
        self.ops.push(op);
        self.events.issue(&self.scenario, &self.layout, id, op);
        id
    }

    /// Operations that an operation waits for by its place in a graph or behind one (W2), and those that the events had captured for which
    /// its row waits (W1), when it was issued; in issue order.
    #[must_use]
    pub fn waits_of(&self, op: OpId) -> &[OpId] {
        self.events.awaited_by(op)
    }

    /// The call of a row, which waits for events, is made: what these had captured. Before the step that says so.
    pub fn call_waits(&mut self, row: RowId, job: JobNo) {
        self.events.call(&self.scenario, row, job);
    }

    /// Operations that the events had captured for which a call waits, when it was made; in issue order.
    #[must_use]
    pub fn awaited_by_call(&self, row: RowId, job: JobNo) -> &[OpId] {
        self.events.of_call(row, job)
    }

    /// Whether what makes one of two operations wait for the other is a graph: both were launched into one stream.
    #[must_use]
    pub fn is_by_graph(&self, op: OpId, awaited: OpId) -> bool {
        self.layout.launched_into(self.op(op).stream) == self.layout.launched_into(self.op(awaited).stream)
    }

    /// Whether two operations are of nodes of one launch of a graph.
    #[must_use]
    pub fn are_of_one_graph(&self, one: OpId, other: OpId) -> bool {
        let launch = |op: OpId| self.row_of(op).node.as_ref().map(|node| (node.graph, self.op(op).job));
        launch(one).is_some() && launch(one) == launch(other)
    }

    /// Operations that wait for this one by a graph or by an event, in issue order.
    #[must_use]
    pub fn waiters_of(&self, captured: OpId) -> &[OpId] {
        self.events.waiters(captured)
    }

    /// Adds a step. Steps of a run are in order of time; [`crate::check`] says so if those of another are not.
    pub fn add_step(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Forgets the steps so far, for whoever only asks for states.
    pub(crate) fn forget_steps(&mut self) {
        self.steps.clear();
    }

    /// Makes room for so many steps in all, and no more.
    pub fn reserve(&mut self, steps: usize) {
        self.steps.reserve_exact(steps.saturating_sub(self.steps.len()));
    }

    /// Says when and why the run ended.
    pub fn finish(&mut self, end: Time, cut: Option<Cut>) {
        self.end = end;
        self.cut = cut;
        // Where little is left over, to give that back makes the allocator ask the system for all of it at the next run.
        if self.steps.capacity() - self.steps.len() > self.steps.len() / 4 {
            self.steps.shrink_to_fit();
        }
        self.ops.shrink_to_fit();
    }

    /// What was simulated.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Its address spaces and stream queues.
    #[must_use]
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// All steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A step.
    #[must_use]
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }

    /// Every operation issued, in issue order.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// An operation.
    #[must_use]
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// The row an operation came from.
    #[must_use]
    pub fn row_of(&self, id: OpId) -> &KernelRow {
        self.scenario.row(self.op(id).row)
    }

    /// The copy an operation is; `None` for kernels.
    #[must_use]
    pub fn copy_of(&self, id: OpId) -> Option<Copy> {
        match self.op(id).kind {
            OpKind::CopyIn => self.row_of(id).copy_in,
            OpKind::CopyOut => self.row_of(id).copy_out,
            OpKind::Kernel => None,
        }
    }

    /// How long one block of a kernel, or a copy, runs.
    #[must_use]
    pub fn run_time(&self, id: OpId, block: u32) -> Span {
        self.copy_of(id).map_or_else(|| self.row_of(id).block_time(block, self.op(id).job), |copy| copy.time)
    }

    /// End of the run: the horizon if there is one, else the last event.
    #[must_use]
    pub fn end(&self) -> Time {
        self.end
    }

    /// Why it was cut short, if it was.
    #[must_use]
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// Name of an operation, as the papers write it: `K5`, `C5i`, `C5o`.
    #[must_use]
    pub fn op_name(&self, id: OpId) -> String {
        name_in(self.row_of(id), self.op(id).kind)
    }

    /// The same with its job where the task has several: `K5#2`.
    #[must_use]
    pub fn op_label(&self, id: OpId) -> String {
        let op = self.op(id);
        let row = self.scenario.row(op.row);
        let name = name_in(row, op.kind);
        if self.scenario.task(row.task).jobs == Some(1) { name } else { format!("{name}#{}", op.job.0) }
    }
}

/// What an operation of a row is called: as [`op_name`] has it, but a row that is one copy has its own name.
#[must_use]
pub fn name_in(row: &KernelRow, kind: OpKind) -> String {
    if row.call == Call::Kernel { op_name(&row.name, kind) } else { row.name.clone() }
}

/// The operations that a row issues in each job, in issue order; none of a call that only waits.
pub fn kinds_of(row: &KernelRow) -> impl Iterator<Item = OpKind> {
    let has_kernel = row.call == Call::Kernel;
    let kinds = [(OpKind::CopyIn, row.copy_in.is_some()), (OpKind::Kernel, has_kernel), (OpKind::CopyOut, row.copy_out.is_some())];
    kinds.into_iter().filter(|&(_, is_there)| is_there).map(|(kind, _)| kind)
}

/// `K5` for kernels, `C5i` and `C5o` for its copies, as the papers write them. Other names stay as they are: `lane`, `lane in`
/// and `lane out`.
///
/// ```
/// use blockstep_sim::trace::{OpKind, op_name};
///
/// assert_eq!(op_name("K5", OpKind::CopyOut), "C5o");
/// assert_eq!(op_name("lane", OpKind::CopyIn), "lane in");
/// ```
#[must_use]
pub fn op_name(kernel: &str, kind: OpKind) -> String {
    let (letter, word) = match kind {
        OpKind::Kernel => return kernel.to_owned(),
        OpKind::CopyIn => ('i', "in"),
        OpKind::CopyOut => ('o', "out"),
    };
    match kernel.strip_prefix('K') {
        Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => format!("C{number}{letter}"),
        _ => format!("{kernel} {word}"),
    }
}
