//! Why an operation does not execute: docs/semantics.md, section 10, with the numbers behind it.
//!
//! Depends on `snapshot`, `record`, `quantity` and `sentence`. Invariant: at any step every
//! issued, incomplete operation that is not executing has exactly one reason, the first that
//! holds; reasons are read off the state and decide nothing.

mod text;
mod varied;

use blockstep_sim::order;
use blockstep_sim::record::Records;
use blockstep_sim::snapshot::{Progress, Residency, Shortage, Snapshot, SpaceState, StreamState};
use blockstep_sim::trace::{Change, EngineNo, Level, OpKind, Rule, Trace, Variant};
use blockstep_sim::units::{JobNo, OpId, SpaceId, StepId, TaskId};

/// Why an operation waits, in the order in which the first that holds is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its job waits for this job of a producer.
    Producer {
        /// The producer.
        task: TaskId,
        /// Its job.
        job: JobNo,
    },
    /// It is not at the head of its stream queue.
    BehindInStream {
        /// What is.
        op: OpId,
    },
    /// It heads the NULL stream, and another stream has something launched earlier.
    N1 {
        /// The earliest such operation.
        op: OpId,
    },
    /// The NULL stream has something launched earlier.
    N2 {
        /// The operation in the NULL stream.
        op: OpId,
    },
    /// Its stream waits for an event.
    Event {
        /// The operation behind which that was recorded, the first one.
        op: OpId,
    },
    /// It waits by a graph, of which it is a node or behind which it stands.
    Graph {
        /// For this operation, the first one.
        op: OpId,
    },
    /// It is not at the head of its hardware connection.
    BehindInConnection {
        /// What is.
        op: OpId,
    },
    /// The policy of one's own does not launch it: it decides which kernels move on.
    NotLaunched,
    /// Its process may not execute, or gets nothing new.
    NotResident,
    /// An EE queue of higher priority is not empty.
    A2 {
        /// The kernel at its head.
        op: OpId,
    },
    /// It is not at the head of its EE queue.
    X1 {
        /// What is.
        op: OpId,
    },
    /// R2: no SM has the threads.
    Threads,
    /// R3: no SM with the threads has the shared memory.
    SharedMemory,
    /// R1: no SM with both has the registers.
    Registers,
    /// R1: no SM with all of these has a block slot.
    Slots,
    /// R4: there is no room for all blocks of a cooperative kernel at once.
    AllAtOnce,
    /// The copy engine is busy.
    CopyEngine {
        /// With this copy, or about to take it.
        op: OpId,
    },
    /// It joins its EE or CE queue at this very instant.
    ToBeQueued,
    /// It is assigned or resumed at this very instant.
    ToBeAssigned,
    /// Its last block has completed, and it leaves its stream queue at this very instant.
    Completing,
}

/// A [`Reason`] without its particulars.
#[expect(missing_docs, reason = "the variants are those of Reason")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReasonKind {
    Producer,
    BehindInStream,
    N1,
    N2,
    Graph,
    Event,
    BehindInConnection,
    NotLaunched,
    NotResident,
    A2,
    X1,
    Threads,
    SharedMemory,
    Registers,
    Slots,
    AllAtOnce,
    CopyEngine,
    ToBeQueued,
    ToBeAssigned,
    Completing,
}

/// One operation that waits, as the page lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The operation that waits.
    pub op: OpId,
    /// Its name: `K5`, or `K5#2` where there are several jobs.
    pub label: String,
    /// Why it waits; of a kernel that executes, why its next block does.
    pub reason: Reason,
    /// The same in words, with numbers, without the operation's name.
    pub text: String,
    /// The rule that makes it wait, if one of the papers' or the model's does.
    pub rule: Option<Rule>,
    /// What it waits for, as far as that is known operations.
    pub blockers: Vec<OpId>,
    /// The step that next assigns it, or its next block, or at which it completes if all of its blocks have; `None` if the run
    /// ends before.
    pub until: Option<StepId>,
    /// Whether some of its blocks execute: only the rest of them waits.
    pub executing: bool,
}

/// What waits at a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingList {
    /// Waiting operations in issue order, then executing kernels with unassigned blocks.
    pub items: Vec<Waiting>,
    /// How many waiting operations there are, listed or not; executing kernels do not count.
    pub total: usize,
}

impl Reason {
    /// What sort of reason it is.
    #[must_use]
    pub const fn kind(self) -> ReasonKind {
        match self {
            Self::Producer { .. } => ReasonKind::Producer,
            Self::BehindInStream { .. } => ReasonKind::BehindInStream,
            Self::N1 { .. } => ReasonKind::N1,
            Self::N2 { .. } => ReasonKind::N2,
            Self::Graph { .. } => ReasonKind::Graph,
            Self::Event { .. } => ReasonKind::Event,
            Self::BehindInConnection { .. } => ReasonKind::BehindInConnection,
            Self::NotLaunched => ReasonKind::NotLaunched,
            Self::NotResident => ReasonKind::NotResident,
            Self::A2 { .. } => ReasonKind::A2,
            Self::X1 { .. } => ReasonKind::X1,
            Self::Threads => ReasonKind::Threads,
            Self::SharedMemory => ReasonKind::SharedMemory,
            Self::Registers => ReasonKind::Registers,
            Self::Slots => ReasonKind::Slots,
            Self::AllAtOnce => ReasonKind::AllAtOnce,
            Self::CopyEngine { .. } => ReasonKind::CopyEngine,
            Self::ToBeQueued => ReasonKind::ToBeQueued,
            Self::ToBeAssigned => ReasonKind::ToBeAssigned,
            Self::Completing => ReasonKind::Completing,
        }
    }

    /// The operation that it names, if it names one.
    #[must_use]
    pub const fn blocker(self) -> Option<OpId> {
        match self {
            Self::BehindInStream { op }
            | Self::N1 { op }
            | Self::N2 { op }
            | Self::Graph { op }
            | Self::Event { op }
            | Self::BehindInConnection { op }
            | Self::A2 { op }
            | Self::X1 { op }
            | Self::CopyEngine { op } => Some(op),
            _ => None,
        }
    }

    /// The rule that makes an operation of this kind wait.
    #[must_use]
    pub const fn rule(self, kind: OpKind) -> Option<Rule> {
        self.kind().rule(kind)
    }
}

impl ReasonKind {
    /// The rule that makes an operation of this kind wait.
    #[must_use]
    pub const fn rule(self, kind: OpKind) -> Option<Rule> {
        match self {
            Self::BehindInStream | Self::ToBeQueued if matches!(kind, OpKind::Kernel) => Some(Rule::G2),
            Self::BehindInStream | Self::ToBeQueued => Some(Rule::C1),
            Self::N1 => Some(Rule::N1),
            Self::N2 => Some(Rule::N2),
            Self::Graph => Some(Rule::W2),
            Self::Event => Some(Rule::W1),
            Self::BehindInConnection => Some(Rule::H1),
            Self::NotLaunched => Some(Rule::P5),
            Self::NotResident => Some(Rule::S2),
            Self::A2 => Some(Rule::A2),
            Self::X1 => Some(Rule::X1),
            Self::Threads => Some(Rule::R2),
            Self::SharedMemory => Some(Rule::R3),
            Self::Registers | Self::Slots => Some(Rule::R1),
            Self::AllAtOnce => Some(Rule::R4),
            Self::CopyEngine => Some(Rule::C2),
            Self::Completing => Some(Rule::G4),
            Self::Producer | Self::ToBeAssigned => None,
        }
    }

    /// A few words for a legend.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Producer => "waits for a producer",
            Self::BehindInStream => "behind in its stream",
            Self::N1 => "NULL stream waits for others (N1)",
            Self::N2 => "waits for the NULL stream (N2)",
            Self::Graph => "waits for a graph (W2)",
            Self::Event => "waits for an event (W1)",
            Self::BehindInConnection => "behind in its connection (H1)",
            Self::NotLaunched => "not launched by the policy (P5)",
            Self::NotResident => "process not resident",
            Self::A2 => "higher priority first (A2)",
            Self::X1 => "behind in the EE queue (X1)",
            Self::Threads => "too few free threads (R2)",
            Self::SharedMemory => "too little free shared memory (R3)",
            Self::Registers => "too few free registers (R1)",
            Self::Slots => "no free block slot (R1)",
            Self::AllAtOnce => "no room for all blocks at once (R4)",
            Self::CopyEngine => "copy engine busy",
            Self::ToBeQueued => "to be queued now",
            Self::ToBeAssigned => "to be assigned now",
            Self::Completing => "completing now",
        }
    }
}

impl From<Shortage> for Reason {
    fn from(shortage: Shortage) -> Self {
        match shortage {
            Shortage::Threads => Self::Threads,
            Shortage::SharedMemory => Self::SharedMemory,
            Shortage::Registers => Self::Registers,
            Shortage::Slots => Self::Slots,
            Shortage::AllAtOnce => Self::AllAtOnce,
        }
    }
}

/// A reason that holds at a step in words, with the numbers behind it, as one clause without the
/// operation's name.
#[must_use]
pub fn words(trace: &Trace, state: &Snapshot, op: OpId, reason: Reason) -> String {
    text::describe(trace, state, op, reason).0.text()
}

/// What an operation waited for, of a reason that held at a step: `It waited behind K1 in stream S1`, without a full stop.
#[must_use]
pub fn waited(trace: &Trace, state: &Snapshot, op: OpId, reason: Reason) -> String {
    text::describe(trace, state, op, reason).0.waited()
}

/// Why an operation does not execute; `None` if it does, is complete or is not issued.
#[must_use]
pub fn reason(trace: &Trace, state: &Snapshot, op: OpId) -> Option<Reason> {
    let stream = trace.op(op).stream;
    let queue = state.stream(stream);
    let place = queue.queue.binary_search(&op).ok()?;
    if place > 0 || !queue.promoted {
        return Some(before_queue(trace, state, op, place));
    }
    if executes(trace, state, op) {
        return None;
    }
    Some(match trace.op(op).kind {
        OpKind::Kernel => kernel_reason(trace, state, op, queue),
        OpKind::CopyIn | OpKind::CopyOut => copy_reason(trace, state, op),
    })
}

/// Why the next block of a kernel that executes is not assigned; `None` if all are, or if it does
/// not execute.
#[must_use]
pub fn undispatched(trace: &Trace, state: &Snapshot, op: OpId) -> Option<Reason> {
    let queue = state.stream(trace.op(op).stream);
    let has_more = queue.queue.front() == Some(&op) && queue.promoted && is_partly_assigned(trace, op, queue);
    (has_more && executes(trace, state, op)).then(|| kernel_reason(trace, state, op, queue))
}

/// Whether a block of a kernel, or a copy, runs at this step.
#[must_use]
pub fn executes(trace: &Trace, state: &Snapshot, op: OpId) -> bool {
    let info = trace.op(op);
    let queue = state.stream(info.stream);
    if queue.queue.front() != Some(&op) || !queue.promoted {
        return false;
    }
    match info.kind {
        OpKind::Kernel if queue.assigned == queue.completed => false,
        // Nothing is ever suspended where there is nothing to switch.
        OpKind::Kernel if state.residency() == Residency::Shared => true,
        _ => has_part(trace, state, op, |progress| !matches!(progress, Progress::Suspended(_))),
    }
}

/// Whether a block of a kernel, or a copy, is suspended at this step.
fn has_suspended(trace: &Trace, state: &Snapshot, op: OpId) -> bool {
    let is_suspended = |progress| matches!(progress, Progress::Suspended(_));
    state.residency() != Residency::Shared && has_part(trace, state, op, is_suspended)
}

/// Whether a block that is on an SM, or a copy that is on its engine, is so far.
fn has_part(trace: &Trace, state: &Snapshot, op: OpId, is_so: impl Fn(Progress) -> bool) -> bool {
    let space = state.space(space_of(trace, op));
    match trace.op(op).kind {
        OpKind::Kernel => space.sms.iter().flat_map(|sm| &sm.blocks).any(|b| b.op == op && is_so(b.progress)),
        OpKind::CopyIn | OpKind::CopyOut => space.engines.iter().flatten().any(|c| c.op == op && is_so(c.progress)),
    }
}

/// What waits after a step and why: at most `limit` operations, then at most `limit` executing
/// kernels whose remaining blocks wait. Cost: the stream queues up to `limit`, and the blocks
/// on the SMs once for each EE queue.
#[must_use]
pub fn waiting(trace: &Trace, records: &Records, state: &Snapshot, limit: usize) -> WaitingList {
    let mut total = 0;
    let mut candidates = Vec::new();
    let mut executing = Vec::new();
    for id in (0..trace.layout().streams().len()).map(blockstep_sim::units::StreamId::at) {
        let queue = &state.stream(id).queue;
        let Some(&head) = queue.front() else { continue };
        let head_executes = executes(trace, state, head);
        let skipped = usize::from(head_executes);
        total += queue.len() - skipped;
        candidates.extend(queue.iter().skip(skipped).take(limit));
        if head_executes {
            executing.push(head);
        }
    }
    order::by_number(&mut candidates, |op: &OpId| op.0.into());
    candidates.truncate(limit);
    order::by_number(&mut executing, |op: &OpId| op.0.into());
    let waits = candidates.into_iter().filter_map(|op| Some((op, reason(trace, state, op)?, false)));
    let rest = executing.into_iter().filter_map(|op| Some((op, undispatched(trace, state, op)?, true))).take(limit);
    let items = waits.chain(rest).map(|(op, reason, executing)| describe(trace, records, state, op, reason, executing)).collect();
    WaitingList { items, total }
}

/// Why an operation waits after a step, or the rest of its blocks; `None` if nothing of it waits.
#[must_use]
pub fn waiting_of(trace: &Trace, records: &Records, state: &Snapshot, op: OpId) -> Option<Waiting> {
    let of_whole = reason(trace, state, op).map(|why| (why, false));
    let (why, executing) = of_whole.or_else(|| undispatched(trace, state, op).map(|why| (why, true)))?;
    Some(describe(trace, records, state, op, why, executing))
}

fn describe(trace: &Trace, records: &Records, state: &Snapshot, op: OpId, reason: Reason, executing: bool) -> Waiting {
    let (clause, blockers) = text::describe(trace, state, op, reason);
    Waiting {
        op,
        label: trace.op_label(op),
        reason,
        text: clause.text(),
        rule: reason.rule(trace.op(op).kind),
        blockers,
        until: state.last_step().and_then(|step| {
            let assigned = records.next_assignment(op, step);
            let other = match reason {
                // What is suspended may go on before anything more of it is assigned.
                Reason::NotResident | Reason::ToBeAssigned if has_suspended(trace, state, op) => {
                    next_where(trace, step, |change| is_resumption(change, op))
                }
                Reason::Completing => next_where(trace, step, |change| change == Change::KernelCompleted { op }),
                _ => None,
            };
            [assigned, other].into_iter().flatten().min()
        }),
        executing,
    }
}

/// Whether a suspended block or copy of an operation goes on.
fn is_resumption(change: Change, op: OpId) -> bool {
    matches!(change, Change::BlockResumed { op: of, .. } | Change::CopyResumed { op: of, .. } if of == op)
}

/// The first step after `step` of such a change.
fn next_where(trace: &Trace, step: StepId, is_it: impl Fn(Change) -> bool) -> Option<StepId> {
    let first = step.index() + 1;
    trace.steps()[first..].iter().position(|s| is_it(s.change)).map(|i| StepId::at(first + i))
}

/// Of an operation that has not joined its EE or CE queue, at this place of its stream queue.
fn before_queue(trace: &Trace, state: &Snapshot, op: OpId, place: usize) -> Reason {
    let info = trace.op(op);
    if let Some(task) = state.missing_producer(trace, op) {
        return Reason::Producer { task, job: info.job };
    }
    if let (1.., Some(head)) = (place, state.head(info.stream)) {
        return Reason::BehindInStream { op: head };
    }
    match state.null_barrier(trace, info.stream).filter(|_| !trace.variants().has(Variant::NoNullBarrier)) {
        Some(op) if trace.layout().stream(info.stream).is_null => Reason::N1 { op },
        Some(op) => Reason::N2 { op },
        None => {
            let by_graph = state.graph_barrier(trace, op).map(|op| Reason::Graph { op });
            let by_event = || state.event_barrier(trace, op).map(|op| Reason::Event { op });
            let by_connection = || state.ahead_in_connection(trace, op).map(|op| Reason::BehindInConnection { op });
            let by_policy = || state.waits_for_launch(trace, op).then_some(Reason::NotLaunched);
            by_graph.or_else(by_event).or_else(by_connection).or_else(by_policy).unwrap_or(Reason::ToBeQueued)
        }
    }
}

/// Of a kernel that has joined its EE queue: why no (further) block is assigned.
fn kernel_reason(trace: &Trace, state: &Snapshot, op: OpId, queue: &StreamState) -> Reason {
    let row = trace.row_of(op);
    if u64::from(queue.completed) == row.blocks {
        return Reason::Completing;
    }
    let id = space_of(trace, op);
    if u64::from(queue.assigned) < row.blocks && state.finishes(trace, op) {
        let mut left = state.begun_kernels(trace, id).filter(|&(_, op)| state.has_blocks_left(trace, op));
        let first = left.next().filter(|_| !trace.variants().has(Variant::WorkConserving));
        return match first {
            Some((level, head)) if head != op && level == level_of(state.space(id), op) => Reason::X1 { op: head },
            Some((_, head)) if head != op => Reason::A2 { op: head },
            _ => state.space(id).shortage(&row.needs).map_or(Reason::ToBeAssigned, Reason::from),
        };
    }
    if !state.assigns(id) {
        return Reason::NotResident;
    }
    if !trace.variants().is_none() && u64::from(queue.assigned) < row.blocks {
        return varied::kernel_reason(trace, state, op);
    }
    let space = state.space(id);
    match space.ee_head() {
        // Fully dispatched, with all that is left suspended.
        _ if u64::from(queue.assigned) == row.blocks => Reason::ToBeAssigned,
        Some((_, head)) if head == op => state.shortage_of(trace, op).map_or(Reason::ToBeAssigned, Reason::from),
        Some((level, head)) if level == level_of(space, op) => Reason::X1 { op: head },
        Some((_, head)) => Reason::A2 { op: head },
        None => Reason::ToBeAssigned,
    }
}

/// Whether what an address space executes is being suspended, at the instant at which it leaves.
fn is_leaving(trace: &Trace, state: &Snapshot, id: SpaceId) -> bool {
    let last = state.last_step().and_then(|step| trace.steps().get(step.index()));
    let change = last.map(|step| step.change);
    matches!(change, Some(Change::BlockSuspended { op, .. } | Change::CopySuspended { op, .. }) if space_of(trace, op) == id)
}

/// Of a copy that has joined its CE queue.
fn copy_reason(trace: &Trace, state: &Snapshot, op: OpId) -> Reason {
    let id = space_of(trace, op);
    if !state.assigns(id) {
        return Reason::NotResident;
    }
    let space = state.space(id);
    let Some(engine) = ce_queue_of(space, op) else { return Reason::ToBeAssigned };
    if let Some(kernel) = varied::kernel_before_copy(trace, state, op) {
        return Reason::CopyEngine { op: kernel };
    }
    match (space.engines[engine as usize], space.ce(engine).front()) {
        (Some(running), _) => Reason::CopyEngine { op: running.op },
        (None, Some(&head)) if head != op => Reason::CopyEngine { op: head },
        (None, _) => Reason::ToBeAssigned,
    }
}

fn is_partly_assigned(trace: &Trace, op: OpId, queue: &StreamState) -> bool {
    trace.op(op).kind == OpKind::Kernel && u64::from(queue.assigned) < trace.row_of(op).blocks
}

/// The EE queue that a kernel stands in.
fn level_of(space: &SpaceState, op: OpId) -> Level {
    if space.ee(Level::High).contains(&op) { Level::High } else { Level::Low }
}

/// The CE queue that a copy stands in; `None` once it is on its engine.
fn ce_queue_of(space: &SpaceState, op: OpId) -> Option<EngineNo> {
    (0..space.engines.len() as EngineNo).find(|&engine| space.ce(engine).contains(&op))
}

fn space_of(trace: &Trace, op: OpId) -> SpaceId {
    trace.layout().stream(trace.op(op).stream).space
}
