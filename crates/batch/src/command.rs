//! Commands that a scheduler issues for a batch, and what the host does in between.
//!
//! Depends on `units`. Invariant: a command's stream, task and kind never change; a [`Program`]
//! names commands by their place in its table. Names of commands are those of [MT] Tables I and II.

use blockstep_sim::units::Span;

/// A command, by its place in the program's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandNo(pub u32);

impl CommandNo {
    /// As an index into the program's table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A stream of CUDA; 0 is the default stream.
pub type StreamNo = u32;

/// The three operations of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Host to device.
    CopyIn,
    /// The kernel.
    Kernel,
    /// Device to host.
    CopyOut,
}

impl Op {
    /// As [MT] names it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::CopyIn => "HDcpy",
            Self::Kernel => "Kexe",
            Self::CopyOut => "DHcpy",
        }
    }
}

/// Before or after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Before the operation starts.
    Start,
    /// After the operation has ended.
    Stop,
}

/// A kernel as it is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelLaunch {
    /// Number of thread blocks.
    pub blocks: u32,
    /// Threads of each.
    pub threads_per_block: u32,
    /// How long it runs alone on the GPU.
    pub alone: Span,
    /// Whether its threads count themselves when they are done; what that costs is in `alone`.
    pub counts: bool,
}

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// A copy in either direction; how long it takes.
    Copy(Op, Span),
    /// A kernel.
    Kernel(KernelLaunch),
    /// A command that does nothing but gives its stream a queue.
    Dummy(Op),
    /// Records an event.
    Record(Op, Edge),
    /// Records an event that says nothing (TX1).
    DummyRecord,
    /// The stream waits for an event: for what the command that records it comes after.
    Wait(CommandNo),
    /// The host asks whether the stream is done; changes when kernels signal.
    Query,
    /// The host tells the scheduler on the GPU something.
    MessageIn,
    /// The scheduler on the GPU tells the host something.
    MessageOut,
    /// The scheduler on the GPU chooses the tasks of a batch.
    Choose,
    /// The scheduler on the GPU launches the kernel that follows in the stream.
    Launch,
    /// The scheduler on the GPU learns by the counter that this kernel is done.
    SeeCounter(CommandNo),
    /// The scheduler on the GPU synchronises with its device, which waits for all kernels launched
    /// so far, this one among them.
    SyncDevice(CommandNo),
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its stream; commands of one stream run in order.
    pub stream: StreamNo,
    /// For which task of the batch, by its place there; none for dummies.
    pub task: Option<usize>,
    /// What it does.
    pub kind: CommandKind,
}

impl Command {
    /// The operation of a task that it is, for copies and kernels.
    #[must_use]
    pub const fn op(&self) -> Option<Op> {
        match self.kind {
            CommandKind::Copy(op, _) => Some(op),
            CommandKind::Kernel(_) => Some(Op::Kernel),
            _ => None,
        }
    }

    /// The operation that it is, measures or stands for; none for waits, queries and messages.
    #[must_use]
    pub const fn belongs_to(&self) -> Option<Op> {
        match self.kind {
            CommandKind::Copy(op, _) | CommandKind::Dummy(op) | CommandKind::Record(op, _) => Some(op),
            CommandKind::Kernel(_) => Some(Op::Kernel),
            _ => None,
        }
    }
}

/// What the host does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostStep {
    /// Issues a command.
    Issue(CommandNo),
    /// Waits until everything issued is done: the device synchronisation command.
    Sync,
    /// Waits until one command is done.
    Await(CommandNo),
    /// Learns which kernel ends first, and issues commands when it does.
    Poll(Poll),
}

/// How the host learns that a kernel has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// By its counter in zero-copy memory, as soon as it ends.
    Counter,
    /// By its counter, but the host sees it only when all kernels are done: nothing flushes the memory.
    CounterAfterAll,
    /// By a stream query, which blocks until all kernels that run beside it are done.
    Query,
}

/// Polling until each of some kernels has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// How the host learns of an end.
    pub sight: Sight,
    /// The kernels; of those that end together the first here counts as first.
    pub kernels: Vec<Polled>,
}

/// A kernel that is polled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    /// The kernel.
    pub kernel: CommandNo,
    /// What is issued if others still run when its end is seen.
    pub if_first: Vec<CommandNo>,
    /// What is issued if it is the last.
    pub if_last: Vec<CommandNo>,
}

/// What a scheduler makes of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// All commands that may be issued; the host's steps say which and when.
    pub commands: Vec<Command>,
    /// What the host does, in order.
    pub host: Vec<HostStep>,
    /// Whether the scheduler is a kernel on the GPU and takes room there.
    pub on_gpu: bool,
}

impl Program {
    /// A command.
    #[must_use]
    pub fn command(&self, no: CommandNo) -> &Command {
        &self.commands[no.index()]
    }

    /// A command's name, in the manner of [MT] Tables I and II: `s1_start_HDcpy_t1`.
    #[must_use]
    pub fn label(&self, no: CommandNo) -> String {
        let command = self.command(no);
        let task = command.task.map(|t| format!("_t{}", t + 1)).unwrap_or_default();
        let what = match command.kind {
            CommandKind::Copy(op, _) => op.word().to_owned(),
            CommandKind::Kernel(launch) if launch.counts => "atmKexe".to_owned(),
            CommandKind::Kernel(_) => Op::Kernel.word().to_owned(),
            CommandKind::Dummy(op) => format!("dummy_{}", op.word()),
            CommandKind::Record(op, Edge::Start) => format!("start_{}", op.word()),
            CommandKind::Record(op, Edge::Stop) => format!("stop_{}", op.word()),
            CommandKind::DummyRecord => "dummy_event".to_owned(),
            CommandKind::Wait(event) => return format!("s{}_W_{}", command.stream, self.label(event)),
            CommandKind::Query => "query".to_owned(),
            CommandKind::MessageIn => "message_in".to_owned(),
            CommandKind::MessageOut => "message_out".to_owned(),
            CommandKind::Choose => "choose".to_owned(),
            CommandKind::Launch => "launch".to_owned(),
            CommandKind::SeeCounter(_) => "see_counter".to_owned(),
            CommandKind::SyncDevice(_) => "device_sync".to_owned(),
        };
        format!("s{}_{what}{task}", command.stream)
    }

    /// The whole program in words, a line each; what is issued only in one case is indented.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut line = |indent: &str, text: &str| {
            out.push_str(indent);
            out.push_str(text);
            out.push('\n');
        };
        for step in &self.host {
            match step {
                HostStep::Issue(no) => line("", &self.label(*no)),
                HostStep::Sync => line("", "(host waits for the device)"),
                HostStep::Await(no) => line("", &format!("(host waits for {})", self.label(*no))),
                HostStep::Poll(poll) => {
                    let how = match poll.sight {
                        Sight::Counter => "host polls counters",
                        Sight::CounterAfterAll => "host sees counters when all kernels are done",
                        Sight::Query => "host queries streams",
                    };
                    line("", &format!("({how})"));
                    for polled in &poll.kernels {
                        for (when, commands) in [("first", &polled.if_first), ("last", &polled.if_last)] {
                            line("  ", &format!("(if {} ends {when})", self.label(polled.kernel)));
                            commands.iter().for_each(|no| line("    ", &self.label(*no)));
                        }
                    }
                }
            }
        }
        out
    }
}
