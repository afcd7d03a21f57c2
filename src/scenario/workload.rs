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
    Placement {
        /// Most free threads; ties to the lowest SM. Agrees with [TX2] Fig. 8.
        MostFree = "most_free",
        /// The lowest SM.
        FirstFit = "first_fit",
        /// The first after the SM assigned last.
        RoundRobin = "round_robin",
    }
    /// The scheduling policy.
    PolicyKind {
        /// One address space, stream priorities ignored.
        Fifo = "fifo",
        /// One address space with stream priorities: what the TX2 does for tasks of one process.
        Priority = "priority",
        /// NVIDIA's runlist of processes [EDF III-B].
        Runlist = "runlist",
        /// Earliest deadline first [EDF IV].
        Edf = "edf",
    }
    /// How a process gives way.
    Preemption {
        /// At once; running blocks are suspended.
        Thread = "thread",
        /// When the blocks that run have completed.
        Block = "block",
        /// When the kernels that have begun have completed ([LP] II-B).
        Kernel = "kernel",
        /// Not before its work is done.
        None = "none",
    }
    /// Which switches the runlist pays for (docs/semantics.md, section 6).
    SwitchCharge {
        /// Every one to another process.
        Every = "every",
        /// Those from a process that had to leave because its timeslice expired ([EDF] VI-C).
        Expiries = "expiries",
    }
    /// Interleaving level of a process in the runlist.
    Interleave {
        /// Before every other entry.
        High = "high",
        /// The default.
        Medium = "medium",
        /// Once per round of the medium list.
        Low = "low",
    }
    /// How a task releases its jobs.
    Release {
        /// One job at the offset.
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
    /// Priority of a stream. `None` behaves as `Low` [TX2 4.2].
    StreamPriority {
        /// The high-priority EE queue.
        High = "high",
        /// The low-priority EE queue.
        Low = "low",
        /// Not given: the low-priority EE queue.
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
}

/// What has to be known of a policy to check a scenario and to hold the state of a run. All the rest stands in the
/// policy's own file in `src/policy/`, a layer that comes after both.
impl PolicyKind {
    /// Whether processes take turns, and what says whose turn it is.
    #[must_use]
    pub const fn turns(self) -> Turns {
        match self {
            Self::Fifo | Self::Priority => Turns::None,
            Self::Runlist => Turns::Runlist,
            Self::Edf => Turns::Deadlines,
        }
    }

    /// Whether processes take turns, each with an address space of its own.
    #[must_use]
    pub const fn takes_turns(self) -> bool {
        !matches!(self.turns(), Turns::None)
    }
}
