//! What could run but is held up: false dependencies, delayed signals, blocking queries.
//!
//! Depends on the other files of `batch`. Invariant: only true holds are reported: a copy or a kernel whose
//! true predecessors are done and whose engine is free. True predecessors are those of its stream
//! and those that it waits for by events; not what stands before it in a queue. Source: [MT]
//! sections 5.1, 5.3 and 6.

use super::command::{CommandKind, CommandNo, Edge, Op, Program};
use super::methods::{Method, Methods};
use super::queues::{Queue, QueueKind};
use super::schedulers::SchedulerId;
use super::simulate::Sim;
use super::state::CommandStatus;
use blockstep_sim::units::TimeRange;

/// Why something is held up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldKind {
    /// It stands in a queue behind something that it does not depend on.
    FalseDependency,
    /// The kernel before it is done, but does not signal before those beside it.
    DelayedSignal,
    /// The same after a stream query.
    BlockingQuery,
}

/// What would remove a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// This method, on.
    Use(Method),
    /// Both methods, on.
    UseBoth(Method, Method),
    /// Stop events and output copies in the order in which kernels end: `CPUOrder`.
    DynamicOrder,
    /// Kernels one after the other: `CPUInterleave`.
    OneKernelAtATime,
    /// None of the methods.
    Nothing,
}

/// Something that is held up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The cause of the delay.
    pub kind: HoldKind,
    /// The copy or kernel that could run.
    pub held: CommandNo,
    /// The command that waits where it need not: `held` itself or an event or wait before it.
    pub waits: CommandNo,
    /// What it waits behind: the head of its queue, or the kernel that delays the signal.
    pub behind: CommandNo,
    /// The queue where it waits.
    pub queue: Queue,
    /// From when to when.
    pub time: TimeRange,
    /// What would remove it.
    pub remedy: Remedy,
}

/// Holds so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Collector {
    holds: Vec<Hold>,
}

impl Collector {
    /// Looks for what is held up as things stand from begin to end of `time`.
    pub(super) fn between(&mut self, sim: &Sim<'_>, time: TimeRange) {
        for &held in &sim.state.issued {
            let is_op = sim.program.command(held).op().is_some();
            if !is_op || sim.state.status(held) != CommandStatus::Waits || !sim.could_run(held) || !is_ready(sim, held) {
                continue;
            }
            let Some((kind, waits, behind)) = culprit(sim, held) else { continue };
            let Some((queue, _)) = sim.state.place(waits) else { continue };
            let is_same = |h: &&mut Hold| (h.held, h.waits, h.behind, h.kind) == (held, waits, behind, kind) && h.time.end == time.start;
            match self.holds.iter_mut().find(is_same) {
                Some(hold) => hold.time.end = time.end,
                None => {
                    let remedy = remedy(sim, kind, held, waits, queue);
                    self.holds.push(Hold { kind, held, waits, behind, queue, time, remedy });
                }
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Hold> {
        self.holds.into_iter().filter(|h| h.time.start < h.time.end).collect()
    }
}

/// What a command truly follows: the one before it in its stream, and the event that it waits for.
fn follows(sim: &Sim<'_>, no: CommandNo) -> impl Iterator<Item = CommandNo> + use<> {
    let event = if let CommandKind::Wait(event) = sim.program.command(no).kind { Some(event) } else { None };
    sim.previous[no.index()].into_iter().chain(event)
}

/// Whether everything that takes time and comes truly before a command is over.
fn is_ready(sim: &Sim<'_>, no: CommandNo) -> bool {
    follows(sim, no).all(|before| match sim.program.command(before).kind {
        _ if sim.state.is_done(before) => true,
        CommandKind::Record(..) | CommandKind::DummyRecord | CommandKind::Dummy(_) | CommandKind::Wait(_) => {
            sim.state.status(before) == CommandStatus::Waits && is_ready(sim, before)
        }
        _ => matches!(sim.state.status(before), CommandStatus::Ended(_)),
    })
}

/// Which command waits where it need not, and behind what.
fn culprit(sim: &Sim<'_>, no: CommandNo) -> Option<(HoldKind, CommandNo, CommandNo)> {
    for before in follows(sim, no) {
        match sim.state.status(before) {
            CommandStatus::Done(_) => {}
            CommandStatus::Ended(_) => {
                let (kind, behind) = sim.delay_of(before)?;
                return Some((kind, no, behind));
            }
            _ => return culprit(sim, before),
        }
    }
    let (queue, place) = sim.state.place(no)?;
    (place > 0).then(|| (HoldKind::FalseDependency, no, sim.state.queue(queue)[0]))
}

fn remedy(sim: &Sim<'_>, kind: HoldKind, held: CommandNo, waits: CommandNo, queue: Queue) -> Remedy {
    let command = sim.program.command(waits);
    match kind {
        HoldKind::DelayedSignal => return Remedy::OneKernelAtATime,
        // The output copy needs a stream that is not the kernel's.
        HoldKind::BlockingQuery if sim.program.command(held).stream == command.stream && waits != held => {
            return Remedy::UseBoth(Method::SetEventQueue, Method::AtmCntCpuSched);
        }
        HoldKind::BlockingQuery => return Remedy::Use(Method::AtmCntCpuSched),
        HoldKind::FalseDependency => {}
    }
    let belongs = command.belongs_to().map(|op| if op == Op::Kernel { QueueKind::Execution } else { QueueKind::Copy });
    match (queue.kind, command.kind) {
        (QueueKind::Events, CommandKind::Record(op, edge)) => {
            let (back_to_back, gap) = sim.issued_after[waits.index()];
            match (op, edge) {
                (Op::Kernel, Edge::Stop) if !back_to_back => Remedy::Use(Method::NoStopEvents),
                // In a stream of its own it comes right after a wait.
                (Op::CopyOut, Edge::Start) if !back_to_back && gap => Remedy::UseBoth(Method::SetEventQueue, Method::DummyEvents),
                _ if gap => Remedy::Use(Method::DummyEvents),
                _ => Remedy::Use(Method::SetEventQueue),
            }
        }
        (kind, _) if belongs.is_some_and(|b| b != kind) => Remedy::Use(Method::SetEventQueue),
        _ if !sim.arch.hyper_q => Remedy::DynamicOrder,
        _ => Remedy::Nothing,
    }
}

impl Hold {
    /// In words that stay the same: for traces as text.
    #[must_use]
    pub fn text(&self, program: &Program) -> String {
        let kind = match self.kind {
            HoldKind::FalseDependency => "false dependency",
            HoldKind::DelayedSignal => "delayed signal",
            HoldKind::BlockingQuery => "blocking query",
        };
        let [held, waits, behind] = [self.held, self.waits, self.behind].map(|no| program.label(no));
        let (from, to) = (self.time.start, self.time.end);
        format!(
            "{kind} {from}-{to}: {held} is held up, {waits} waits behind {behind} in {}; remedy: {}",
            self.queue.name(),
            self.remedy.text()
        )
    }

    /// Why it exists, a sentence.
    #[must_use]
    pub fn says(&self, program: &Program) -> String {
        let [held, waits, behind] = [self.held, self.waits, self.behind].map(|no| program.label(no));
        let queue = self.queue.name();
        match self.kind {
            HoldKind::FalseDependency if self.held == self.waits => {
                format!("{held} could run, but it is in the {queue} behind {behind}, which it does not depend on.")
            }
            HoldKind::FalseDependency => {
                format!("{held} could run, but it follows {waits}, which is in the {queue} behind {behind} and does not depend on it.")
            }
            HoldKind::DelayedSignal => {
                format!("{held} could run, but the finish signal that {waits} waits for is delayed until {behind} is done.")
            }
            HoldKind::BlockingQuery => {
                format!(
                    "{held} could run, but after the stream query the finish signal that {waits} waits for comes only when {behind} is done."
                )
            }
        }
    }
}

impl Remedy {
    /// The methods and the scheduler that remove the hold: all that is relied on, switched on.
    #[must_use]
    pub fn apply(self, methods: Methods, by: SchedulerId) -> (Methods, SchedulerId) {
        match self {
            Self::Use(method @ Method::NoStopEvents) => (methods.and(&[Method::NoPolling, method]), SchedulerId::CpuOrder),
            Self::Use(method) => (methods.with(method, true), by),
            Self::UseBoth(one, other) => (methods.and(&[one, other]), by),
            Self::DynamicOrder => (methods.and(&Method::ORDER), SchedulerId::CpuOrder),
            // Without its method it has false dependencies of its own.
            Self::OneKernelAtATime => (methods.and(&[Method::SetEventQueue]), SchedulerId::CpuInterleave),
            Self::Nothing => (methods, by),
        }
    }

    /// What would help, in a few words.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Use(method @ Method::NoStopEvents) => format!("CPUOrder with the method {}", method.word()),
            Self::Use(method) => format!("the method {}", method.word()),
            Self::UseBoth(one, other) => format!("the methods {} and {}", one.word(), other.word()),
            Self::DynamicOrder => "output copies in the order in which kernels end (CPUOrder with its methods)".to_owned(),
            Self::OneKernelAtATime => "one kernel at a time (CPUInterleave with set-event-queue)".to_owned(),
            Self::Nothing => "none of these methods".to_owned(),
        }
    }
}
