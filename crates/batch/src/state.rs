//! Everything that can be seen of a batch at one step, and the steps that lead there.
//!
//! Depends on `batch::command` and `batch::queues`. Invariant: the only mutator of [`BatchState`] is
//! [`BatchState::apply`], also for the simulation, so what is replayed is what happened.

use super::command::{CommandKind, CommandNo, Program};
use super::queues::Queue;
use blockstep_sim::units::Time;

blockstep_sim::listed! {
    /// Why a step happens.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BatchRule(id, from_id) {
        /// Copies, kernels and messages have queues of their kind.
        QueueOfKind = "B1",
        /// An event, or a wait for one, goes where its stream's previous command went.
        EventFollows = "B2",
        /// A stream that begins with an event: where its first operation will go.
        EventFirst = "B3",
        /// TX1: an event that is not issued back to back with its stream.
        EventApart = "B4",
        /// TX1: an event after the host was blocked.
        EventAfterGap = "B5",
        /// The host carries it out by itself.
        HostAlone = "B6",
        /// At the head of its queue, everything before it in its stream done, its engine free.
        EngineFree = "B7",
        /// Blocks are placed or end.
        BlocksChange = "B8",
        /// The last block of a kernel is placed: the next command of the queue gets its turn.
        AllPlaced = "B9",
        /// An event, a wait or a dummy takes no time.
        TakesNoTime = "B10",
        /// It has run for as long as it takes.
        RanItsTime = "B11",
        /// Its blocks are done, but its signal waits for a kernel beside it that did not fit in whole.
        SignalDelayed = "B12",
        /// Its blocks are done, but its signal waits, as a stream query met concurrent kernels.
        SignalQueried = "B13",
        /// The kernels that its signal waited for are done.
        SignalGiven = "B14",
        /// The host waits for the device.
        HostWaits = "B15",
        /// What the host waited for is there.
        HostGoesOn = "B16",
        /// The host sees that a kernel has ended.
        HostSees = "B17",
    }
}

impl BatchRule {
    /// The rule in a sentence.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::QueueOfKind => {
                "Copies go to a copy queue and kernels to an execution queue; with Hyper-Q each stream has its own queues, and without \
                 Hyper-Q all streams share one of each kind."
            }
            Self::EventFollows => "An event, or a wait for one, goes to the queue of the previous command in its stream.",
            Self::EventFirst => "A stream that begins with an event places it in the queue that its first operation will go to.",
            Self::EventApart => {
                "On TX1 an event that is not issued right after the previous command of its stream goes to a queue that all streams share."
            }
            Self::EventAfterGap => {
                "On TX1 events after the host was blocked go to a queue that all streams share, until a dummy event has been recorded on \
                 the default stream."
            }
            Self::HostAlone => "A query goes to no queue: the host carries it out.",
            Self::EngineFree => {
                "A command starts when it is at the head of its queue, everything before it in its stream is done and its engine is free."
            }
            Self::BlocksChange => "Blocks of kernels run where there is room. Blocks of the kernel that came first go before the others.",
            Self::AllPlaced => "When all blocks of a kernel are placed it leaves its queue, and the next command gets its turn.",
            Self::TakesNoTime => {
                "Events, waits and dummy commands take no time once they are at the head of their queue and the commands before them in their stream are done."
            }
            Self::RanItsTime => "A copy, a kernel or a message is done when it has run for as long as it takes.",
            Self::SignalDelayed => {
                "With a single execution queue, a kernel's finish signal is delayed until the concurrent kernels are done, if one of them did not fit as a whole."
            }
            Self::SignalQueried => {
                "After a stream query on one of several concurrent kernels, their finish signals are delayed until the longest is done."
            }
            Self::SignalGiven => "The kernels that the signal waited for are done, so it is given.",
            Self::HostWaits => "The host waits and issues nothing.",
            Self::HostGoesOn => "The event that the host waited for has happened, so the host continues.",
            Self::HostSees => "The host learns that a kernel has ended and issues what follows it.",
        }
    }

    /// Paper and section, or "ours".
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Self::QueueOfKind | Self::EventFollows | Self::EngineFree | Self::TakesNoTime => "[MT] section 5.1",
            Self::EventFirst => "[MT] Fig. 2; in general ours",
            Self::EventApart | Self::EventAfterGap => "[MT] section 7; where exactly they go is ours",
            Self::HostAlone | Self::SignalQueried | Self::HostSees => "[MT] section 5.3",
            Self::BlocksChange | Self::AllPlaced => "[MT] section 3, large kernels",
            Self::RanItsTime | Self::HostWaits | Self::HostGoesOn => "[MT] section 4",
            Self::SignalDelayed | Self::SignalGiven => "[MT] sections 5.3 and 6",
        }
    }
}

/// What a step changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchChange {
    /// The host issues a command, which lands at the end of a queue; without one it is done.
    Issue(CommandNo, Option<Queue>),
    /// A command begins; it stays at the head of its queue.
    Start(CommandNo),
    /// A kernel has so many resident blocks now, and so many left to place.
    Blocks(CommandNo, u32, u32),
    /// A kernel leaves its queue and runs on.
    Leave(CommandNo),
    /// The blocks of a kernel are done; it does not signal yet.
    End(CommandNo),
    /// A command is done for all that follow it; it leaves its queue if it is there.
    Done(CommandNo),
    /// The host stops issuing, or goes on.
    Host(Host),
}

impl BatchChange {
    /// In words that stay the same: for traces as text.
    #[must_use]
    pub fn text(&self, program: &Program) -> String {
        let label = |no| program.label(no);
        match *self {
            Self::Issue(no, Some(queue)) => format!("issue {} to {}", label(no), queue.name()),
            Self::Issue(no, None) => format!("issue {}", label(no)),
            Self::Start(no) => format!("start {}", label(no)),
            Self::Blocks(no, resident, left) => format!("blocks of {}: {resident} resident, {left} left", label(no)),
            Self::Leave(no) => format!("leave {}", label(no)),
            Self::End(no) => format!("end {}, no signal yet", label(no)),
            Self::Done(no) => format!("done {}", label(no)),
            Self::Host(Host::Issues) => "host issues".to_owned(),
            Self::Host(Host::Waits) => "host waits for the device".to_owned(),
            Self::Host(Host::WaitsFor(no)) => format!("host waits for {}", label(no)),
            Self::Host(Host::Polls) => "host polls".to_owned(),
            Self::Host(Host::Sees(no)) => format!("host sees the end of {}", label(no)),
            Self::Host(Host::Through) => "host is through".to_owned(),
        }
    }
}

/// What the host does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Host {
    /// Issues commands.
    #[default]
    Issues,
    /// Waits for the whole device.
    Waits,
    /// Waits for a command.
    WaitsFor(CommandNo),
    /// Polls kernels.
    Polls,
    /// Has seen the end of a kernel.
    Sees(CommandNo),
    /// Is through with the batch.
    Through,
}

/// A step: one change at one instant by one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchStep {
    /// When, from the start of the batch.
    pub at: Time,
    /// The rule that leads to the step.
    pub rule: BatchRule,
    /// What the step changes.
    pub change: BatchChange,
}

/// How far a command is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommandStatus {
    /// The host has not issued it.
    #[default]
    NotIssued,
    /// In a queue.
    Waits,
    /// Running since.
    Runs(Time),
    /// Its blocks ended then, its signal is delayed.
    Ended(Time),
    /// Done since.
    Done(Time),
}

/// The whole state at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchState {
    /// Time of the step.
    pub at: Time,
    /// Queues in order of first use, each with its commands, the head first.
    pub queues: Vec<(Queue, Vec<CommandNo>)>,
    /// By command.
    pub status: Vec<CommandStatus>,
    /// By command: resident blocks, and blocks left to place.
    pub blocks: Vec<(u32, u32)>,
    /// Commands in the order in which they were issued.
    pub issued: Vec<CommandNo>,
    /// What the host does.
    pub host: Host,
}

impl BatchState {
    /// Before the first step.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let count = program.commands.len();
        let left = |kind| if let CommandKind::Kernel(launch) = kind { launch.blocks } else { 0 };
        Self {
            at: Time::ZERO,
            queues: Vec::new(),
            status: vec![CommandStatus::NotIssued; count],
            blocks: program.commands.iter().map(|c| (0, left(c.kind))).collect(),
            issued: Vec::new(),
            host: Host::Issues,
        }
    }

    /// A command's status.
    #[must_use]
    pub fn status(&self, no: CommandNo) -> CommandStatus {
        self.status[no.index()]
    }

    /// Whether a command is done for all that follow it.
    #[must_use]
    pub fn is_done(&self, no: CommandNo) -> bool {
        matches!(self.status(no), CommandStatus::Done(_))
    }

    /// Whether a command runs.
    #[must_use]
    pub fn is_running(&self, no: CommandNo) -> bool {
        matches!(self.status(no), CommandStatus::Runs(_))
    }

    /// The queue where a command waits or runs as head, and its place there.
    #[must_use]
    pub fn place(&self, no: CommandNo) -> Option<(Queue, usize)> {
        self.queues.iter().find_map(|(queue, waiting)| Some((*queue, waiting.iter().position(|c| *c == no)?)))
    }

    /// The commands of a queue, the head first.
    #[must_use]
    pub fn queue(&self, queue: Queue) -> &[CommandNo] {
        self.queues.iter().find(|(q, _)| *q == queue).map_or(&[], |(_, waiting)| waiting)
    }

    /// The state after a step.
    pub fn apply(&mut self, step: &BatchStep) {
        self.at = step.at;
        match step.change {
            BatchChange::Issue(no, queue) => {
                self.issued.push(no);
                let Some(queue) = queue else {
                    self.status[no.index()] = CommandStatus::Done(step.at);
                    return;
                };
                self.status[no.index()] = CommandStatus::Waits;
                match self.queues.iter_mut().find(|(q, _)| *q == queue) {
                    Some((_, waiting)) => waiting.push(no),
                    None => self.queues.push((queue, vec![no])),
                }
            }
            BatchChange::Start(no) => self.status[no.index()] = CommandStatus::Runs(step.at),
            BatchChange::Blocks(no, resident, left) => self.blocks[no.index()] = (resident, left),
            BatchChange::Leave(no) => self.leave(no),
            BatchChange::End(no) => self.status[no.index()] = CommandStatus::Ended(step.at),
            BatchChange::Done(no) => {
                self.status[no.index()] = CommandStatus::Done(step.at);
                self.leave(no);
            }
            BatchChange::Host(host) => self.host = host,
        }
    }

    fn leave(&mut self, no: CommandNo) {
        for (_, waiting) in &mut self.queues {
            waiting.retain(|c| *c != no);
        }
    }
}

/// A place among the steps of a batch, to go forward and back.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    program: &'a Program,
    steps: &'a [BatchStep],
    state: BatchState,
    /// Steps that are applied.
    done: usize,
}

impl<'a> Replay<'a> {
    /// Before the first step.
    #[must_use]
    pub fn new(program: &'a Program, steps: &'a [BatchStep]) -> Self {
        Self { program, steps, state: BatchState::new(program), done: 0 }
    }

    /// Goes to the state after `count` steps, at most all. Back costs as much as from the start.
    pub fn go(&mut self, count: usize) -> &BatchState {
        let count = count.min(self.steps.len());
        if count < self.done {
            self.state = BatchState::new(self.program);
            self.done = 0;
        }
        for step in &self.steps[self.done..count] {
            self.state.apply(step);
        }
        self.done = count;
        &self.state
    }

    /// The state where it stands.
    #[must_use]
    pub const fn state(&self) -> &BatchState {
        &self.state
    }

    /// How many steps are applied.
    #[must_use]
    pub const fn place(&self) -> usize {
        self.done
    }
}
