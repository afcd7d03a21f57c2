//! Which hardware queue a command lands in.
//!
//! Depends on `batch::arch` and `batch::command`. Invariant: where a command lands depends on what
//! was issued before it and on nothing that happens later; the one look ahead is for a stream that
//! begins with an event. Source: [MT] sections 5.1 and 7.

use super::arch::Arch;
use super::command::{CommandKind, CommandNo, Op, Program, StreamNo};
use super::state::BatchRule;

/// What a queue holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QueueKind {
    /// Copies, and events that follow them.
    Copy,
    /// Kernels, and events that follow them.
    Execution,
    /// Work of a scheduler on the GPU, and what it and the host tell each other.
    Message,
    /// Misplaced events (TX1).
    Events,
}

/// A hardware queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Queue {
    /// What it holds.
    pub kind: QueueKind,
    /// The stream it belongs to; none if all streams share it.
    pub stream: Option<StreamNo>,
}

impl Queue {
    /// For readers: "copy queue", "execution queue of s3".
    #[must_use]
    pub fn name(self) -> String {
        let kind = match self.kind {
            QueueKind::Copy => "copy queue",
            QueueKind::Execution => "execution queue",
            QueueKind::Message => "message queue",
            QueueKind::Events => "shared event queue",
        };
        match self.stream {
            Some(stream) => format!("{kind} of s{stream}"),
            None => kind.to_owned(),
        }
    }
}

/// The queue of a stream for commands of some kind.
fn queue_for(arch: &Arch, kind: QueueKind, stream: StreamNo) -> Queue {
    let own = arch.hyper_q || kind == QueueKind::Message;
    Queue { kind, stream: own.then_some(stream) }
}

/// The queue kind of an operation.
const fn kind_of(op: Op) -> QueueKind {
    match op {
        Op::CopyIn | Op::CopyOut => QueueKind::Copy,
        Op::Kernel => QueueKind::Execution,
    }
}

/// The queue kind of a command that is not placed by what came before it.
const fn own_kind(kind: CommandKind) -> Option<QueueKind> {
    match kind {
        CommandKind::Copy(op, _) | CommandKind::Dummy(op) => Some(kind_of(op)),
        CommandKind::Kernel(_) => Some(QueueKind::Execution),
        CommandKind::MessageIn
        | CommandKind::MessageOut
        | CommandKind::Choose
        | CommandKind::Launch
        | CommandKind::SeeCounter(_)
        | CommandKind::SyncDevice(_) => Some(QueueKind::Message),
        CommandKind::Record(..) | CommandKind::DummyRecord | CommandKind::Wait(_) | CommandKind::Query => None,
    }
}

/// What placing depends on besides the command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// The queue of the stream's latest command that was not misplaced.
    pub(super) stream_queue: Option<Queue>,
    /// Whether the latest command issued is the latest of this stream, or the stream is new.
    pub(super) back_to_back: bool,
    /// Whether the host was blocked since the latest dummy event.
    pub(super) gap: bool,
}

/// Where a command lands and by which rule; nowhere if the host alone carries it out.
pub(super) fn place(arch: &Arch, program: &Program, no: CommandNo, before: Before) -> (Option<Queue>, BatchRule) {
    let command = program.command(no);
    if let Some(kind) = own_kind(command.kind) {
        return (Some(queue_for(arch, kind, command.stream)), BatchRule::QueueOfKind);
    }
    let is_event = matches!(command.kind, CommandKind::Record(..) | CommandKind::DummyRecord);
    if command.kind == CommandKind::Query {
        return (None, BatchRule::HostAlone);
    }
    let shared = Queue { kind: QueueKind::Events, stream: None };
    if is_event && arch.misplaces_events && (before.gap || !before.back_to_back || command.kind == CommandKind::DummyRecord) {
        return (Some(shared), if before.back_to_back { BatchRule::EventAfterGap } else { BatchRule::EventApart });
    }
    match before.stream_queue {
        Some(queue) => (Some(queue), BatchRule::EventFollows),
        None => {
            let later = program.commands.iter().filter(|c| c.stream == command.stream).find_map(|c| own_kind(c.kind));
            (Some(queue_for(arch, later.unwrap_or(QueueKind::Execution), command.stream)), BatchRule::EventFirst)
        }
    }
}
