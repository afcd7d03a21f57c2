//! The words a scenario is written in: closed choices, each with its spelling in files.
//!
//! Depends on serde alone. Invariant: [`Choice::ALL`] lists every value once, in the order a user
//! should meet them.

use serde::{Deserialize, Serialize};

/// A closed choice that files and menus spell with words.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every value.
    const ALL: &'static [Self];
    /// The spelling in files.
    fn word(self) -> &'static str;
    /// The value with this spelling.
    #[must_use]
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|c| c.word() == word)
    }
}

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant),* }

        impl Choice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),*];
            fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }
    )*};
}

choices! {
    /// Which SM takes a block among those where it fits (docs/semantics.md, section 3).
    #[derive(Default)]
    Placement {
        /// Most free threads; ties to the lowest SM. Agrees with [TX2] Fig. 8.
        #[default]
        MostFree = "most_free",
        /// The lowest SM.
        FirstFit = "first_fit",
        /// The first after the SM assigned last.
        RoundRobin = "round_robin",
        /// Room for the most blocks of the kernel; ties to the lowest SM. As measured on an H200 (docs/measured.md). Version 2.
        MostRoom = "most_room",
    }
    /// What happens when several blocks end at one instant (docs/semantics.md, section 4).
    #[derive(Default)]
    BlockEnds {
        /// All give back their room, and kernels move on, before anything is assigned.
        #[default]
        Together = "together",
        /// What fits is assigned after each of them. As measured on an H200 (docs/measured.md).
        OneByOne = "one_by_one",
    }
    /// The scheduling policy.
    #[derive(Default)]
    PolicyKind {
        /// One address space, stream priorities ignored.
        Fifo = "fifo",
        /// One address space with stream priorities: what the TX2 does for tasks of one process.
        #[default]
        Priority = "priority",
        /// NVIDIA's runlist of processes [EDF III-B].
        Runlist = "runlist",
        /// Earliest deadline first [EDF IV].
        Edf = "edf",
        /// A policy of one's own, by its text (docs/semantics.md, section 14). Version 2.
        Own = "own",
    }
    /// How a process gives way.
    #[derive(Default)]
    Preemption {
        /// At once; running blocks are suspended.
        #[default]
        Thread = "thread",
        /// When the blocks that run have completed.
        Block = "block",
        /// When the kernels that have begun have completed ([LP] II-B).
        Kernel = "kernel",
        /// Not before its work is done.
        None = "none",
    }
    /// Which switches the runlist pays for (docs/semantics.md, section 6).
    #[derive(Default)]
    SwitchCharge {
        /// Every one to another process.
        #[default]
        Every = "every",
        /// Those from a process that had to leave because its timeslice expired ([EDF] VI-C).
        Expiries = "expiries",
    }
    /// Which processes are on a runlist with the one of the job chosen (docs/semantics.md, section 8).
    #[derive(Default)]
    Chain {
        /// None.
        #[default]
        One = "one",
        /// Those of all producers that it waits for ([EDF] IV-A).
        Resident = "resident",
    }
    /// Interleaving level of a process in the runlist.
    #[derive(Default)]
    Interleave {
        /// Before every other entry.
        High = "high",
        /// The default.
        #[default]
        Medium = "medium",
        /// Once per round of the medium list.
        Low = "low",
    }
    /// How a task releases its jobs.
    #[derive(Default)]
    Release {
        /// One job at the offset.
        #[default]
        Once = "once",
        /// A job every period.
        Periodic = "periodic",
        /// The next job when the last one completes.
        Continuous = "continuous",
    }
    /// Class of a task under `edf`.
    Class {
        /// Scheduled by deadline.
        RealTime = "real_time",
        /// Scheduled when no real-time job is pending.
        BestEffort = "best_effort",
    }
    /// What the CPU calls with a row of the kernel table (docs/semantics.md, section 2).
    #[derive(Default)]
    Call {
        /// It launches a kernel, and copies around it if the row has some.
        #[default]
        Kernel = "kernel",
        /// It copies to the device: `cudaMemcpyAsync`.
        CopyToDevice = "copy_to_device",
        /// It copies to the host.
        CopyToHost = "copy_to_host",
        /// It copies within the device.
        CopyOnDevice = "copy_on_device",
        /// It sets memory of the device: `cudaMemsetAsync`.
        Memset = "memset",
        /// It waits for a stream: `cudaStreamSynchronize`.
        SynchronizeStream = "synchronize_stream",
        /// It waits for events: `cudaEventSynchronize`.
        SynchronizeEvent = "synchronize_event",
        /// It waits for the whole device: `cudaDeviceSynchronize`.
        SynchronizeDevice = "synchronize_device",
        /// It allocates memory, and waits for the device: `cudaMalloc`, `cudaMallocHost`.
        Allocate = "allocate",
        /// It frees memory, and waits for the device: `cudaFree`.
        Free = "free",
        /// It launches a graph, the rows below it that name it: `cudaGraphLaunch`.
        LaunchGraph = "launch_graph",
    }
    /// What `NULL` means for the threads of a process (docs/semantics.md, section 3).
    #[derive(Default)]
    DefaultStream {
        /// The NULL stream of the process.
        #[default]
        Legacy = "legacy",
        /// A blocking stream of the task's own.
        PerThread = "per_thread",
    }
    /// Priority of a stream. `None` behaves as `Low` [TX2 4.2].
    #[derive(Default)]
    StreamPriority {
        /// The high-priority EE queue.
        High = "high",
        /// The low-priority EE queue.
        Low = "low",
        /// Not given: the low-priority EE queue.
        #[default]
        None = "none",
    }
}

/// Whether processes take turns, and what says whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// No turns: all processes share one address space, which may always execute.
    None,
    /// A runlist, with a timeslice and a preemption mode for each process (docs/semantics.md, section 6).
    Runlist,
    /// The deadlines of jobs, with one preemption mode for the device (section 7).
    Deadlines,
    /// Whom a text admits, with a timeslice and a preemption mode for each process (section 14).
    Text,
}

/// What has to be known of a policy to check a scenario and to hold the state of a run. All the rest stands in the
/// policy's own file in `src/policy/`, a layer that comes after both.
impl PolicyKind {
    /// Those that need nothing of their own, so that any scenario can be run under them.
    pub const BUILT_IN: &'static [Self] = &[Self::Fifo, Self::Priority, Self::Runlist, Self::Edf];

    /// Whether processes take turns, and what says whose turn it is.
    #[must_use]
    pub const fn turns(self) -> Turns {
        match self {
            Self::Fifo | Self::Priority => Turns::None,
            Self::Runlist => Turns::Runlist,
            Self::Edf => Turns::Deadlines,
            Self::Own => Turns::Text,
        }
    }

    /// Whether processes take turns, each with an address space of its own.
    #[must_use]
    pub const fn takes_turns(self) -> bool {
        !matches!(self.turns(), Turns::None)
    }
}

impl Call {
    /// Whether it is a copy or a memset, an operation on its own.
    #[must_use]
    pub const fn is_copy(self) -> bool {
        matches!(self, Self::CopyToDevice | Self::CopyToHost | Self::CopyOnDevice | Self::Memset)
    }

    /// Whether it puts an operation on its stream.
    #[must_use]
    pub const fn has_operation(self) -> bool {
        matches!(self, Self::Kernel) || self.is_copy()
    }

    /// Whether it has a place in its stream: with an operation of its own, or with those of a graph.
    #[must_use]
    pub const fn is_in_stream(self) -> bool {
        self.has_operation() || matches!(self, Self::LaunchGraph)
    }

    /// Whether it waits for every stream of the address space.
    #[must_use]
    pub const fn waits_for_device(self) -> bool {
        matches!(self, Self::SynchronizeDevice | Self::Allocate | Self::Free)
    }

    /// Whether it does something else, and waits beside.
    #[must_use]
    pub const fn waits_beside(self) -> bool {
        matches!(self, Self::Allocate | Self::Free)
    }

    /// The function of CUDA that is called; of a copy or a memset by whether it is synchronous.
    #[must_use]
    pub const fn function(self, synchronous: bool) -> &'static str {
        match (self, synchronous) {
            (Self::Kernel, _) => "cudaLaunchKernel",
            (Self::CopyToDevice | Self::CopyToHost | Self::CopyOnDevice, false) => "cudaMemcpyAsync",
            (Self::CopyToDevice | Self::CopyToHost | Self::CopyOnDevice, true) => "cudaMemcpy",
            (Self::Memset, false) => "cudaMemsetAsync",
            (Self::Memset, true) => "cudaMemset",
            (Self::SynchronizeStream, _) => "cudaStreamSynchronize",
            (Self::SynchronizeEvent, _) => "cudaEventSynchronize",
            (Self::SynchronizeDevice, _) => "cudaDeviceSynchronize",
            (Self::Allocate, _) => "cudaMalloc",
            (Self::Free, _) => "cudaFree",
            (Self::LaunchGraph, _) => "cudaGraphLaunch",
        }
    }
}
