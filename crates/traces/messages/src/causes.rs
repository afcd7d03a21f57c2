//! Why an operation waits, and what a path's time went to, as they are called everywhere.

use serde::{Deserialize, Serialize};

blockstep_sim::listed! {
    /// Why an operation waits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Cause(word, from_word) {
        /// Nothing but the time that a launch takes: if it started late, the host called late.
        Launch = "launch",
        /// The host was still within the call.
        Call = "call",
        /// The operation before it in its stream had not completed.
        StreamOrder = "stream-order",
        /// Its stream waited for an event.
        Event = "event",
        /// The NULL stream and the other blocking streams wait for each other.
        NullBarrier = "null-stream",
        /// A call that allocates or frees memory came between it and older work.
        ImplicitSync = "implicit-sync",
        /// It shares a hardware queue with another stream.
        Connection = "connection",
        /// No SM had room for one of its blocks.
        NoRoom = "no-room",
        /// A kernel launched earlier waited for room, and those behind it waited with it.
        BehindHead = "behind-head",
        /// A copy in the same direction used the copy engine.
        CopyEngine = "copy-engine",
        /// Its code was loaded for its first use.
        FirstUse = "first-use",
        /// The queue of launches was full.
        QueueFull = "launch-queue",
        /// Another process had the device.
        OtherProcess = "other-process",
        /// It ran together with the operation before it in its stream, which stream order does not allow.
        Overlap = "overlap",
        /// It is a node of a graph, and another node of the same launch had not completed.
        GraphOrder = "graph-order",
        /// Nothing in the file explains it.
        CannotTell = "cannot-tell",
    }
}

/// How sure a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Certainty {
    /// The file records what proves it.
    Certain,
    /// Everything in the file agrees with it, and nothing proves it.
    Consistent,
    /// Nothing is known.
    Unknown,
}

/// What the reader knows and the file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownSettings {
    /// `CUDA_DEVICE_MAX_CONNECTIONS`, 1 to 32.
    pub connections: Option<u32>,
}

/// Connections if nothing else is said (CUDA Programming Guide 5.2.3).
pub const DEFAULT_CONNECTIONS: u32 = 8;

/// How sure a cause is, in a word.
#[must_use]
pub const fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Consistent => "consistent",
        Certainty::Unknown => "unknown",
    }
}

blockstep_sim::listed! {
    /// What the time of a path went to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum PathShare(word, from_word) {
        /// An operation ran on the device.
        Working = "working",
        /// An operation ran on another device.
        OtherDevice = "other-gpu",
        /// The host was between calls, or within one.
        Host = "host",
        /// A launch was on its way to the idle device.
        Launching = "launching",
        /// An operation waited for something else that no operation of the path is.
        Waiting = "waiting",
        /// The device had ended its last operation.
        After = "after",
        /// The file does not say.
        Unknown = "unknown",
    }
}
