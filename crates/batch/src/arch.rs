//! The three GPUs of [MT] as data: engines, queues, room for blocks, and what things cost.
//!
//! Depends on `units`, `batch::command` and serde. Invariant: every number has its source beside it; where [MT] gives none it
//! says "ours". Source: [MT] sections 3, 5, 6 and 7, and the manufacturer's programming guide for
//! limits of a multiprocessor.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::command::{CommandKind, Op};
use blockstep_sim::units::Span;

blockstep_sim::listed! {
    /// Which GPU.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ArchId(word, from_word) {
        /// `GeForce` GT 555M.
        #[default]
        Fermi = "fermi",
        /// Tesla K20c.
        Kepler = "kepler",
        /// Jetson TX1.
        Tx1 = "tx1",
    }
}

impl ArchId {
    /// The GPU with other costs.
    #[must_use]
    pub const fn with(self, costs: Costs) -> Arch {
        let mut arch = self.arch();
        arch.costs = costs;
        arch
    }

    /// The GPU with its stated defaults.
    #[must_use]
    pub const fn arch(self) -> Arch {
        match self {
            Self::Fermi => FERMI,
            Self::Kepler => KEPLER,
            Self::Tx1 => TX1,
        }
    }
}

/// A GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arch {
    /// Which one.
    pub id: ArchId,
    /// For readers.
    pub name: &'static str,
    /// Number of multiprocessors.
    pub sms: u32,
    /// Resident threads of one multiprocessor.
    pub threads_per_sm: u32,
    /// Resident blocks of one multiprocessor.
    pub blocks_per_sm: u32,
    /// Copy engines: with one, copies in both directions share it; with two, each direction has one.
    pub copy_engines: u32,
    /// How much a copy moves in a microsecond, in bytes; more than 0.
    pub bytes_per_us: u64,
    /// A queue for each stream and kind of command instead of one for each kind.
    pub hyper_q: bool,
    /// Schedulers can run on it: kernels can launch kernels, and what is timed then is right.
    pub dynamic_parallelism: bool,
    /// A kernel's finish signal waits for kernels that run beside it and did not fit in whole.
    pub delays_signals: bool,
    /// Events that are not issued back to back with their stream land in a queue that all share.
    pub misplaces_events: bool,
    /// What counting finished threads adds to a kernel, in tenths of a nanosecond for each thread.
    pub atomic_tenths: u32,
    /// What the host and schedulers on the GPU take.
    pub costs: Costs,
}

/// Time and room that schedulers take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Costs {
    /// The host, for each command that it issues.
    #[serde(rename = "issue_ns")]
    pub issue: Span,
    /// From a change of a counter in zero-copy memory until the host has seen it.
    #[serde(rename = "poll_ns")]
    pub poll: Span,
    /// A message between host and device through zero-copy memory, in either direction.
    #[serde(rename = "message_ns")]
    pub message: Span,
    /// A decision of the scheduler on the GPU, which is serial.
    #[serde(rename = "decision_ns")]
    pub decision: Span,
    /// A launch of a kernel by the scheduler on the GPU; launches are serial too.
    #[serde(rename = "launch_ns")]
    pub launch: Span,
    /// Threads of the persistent kernel that is the scheduler on the GPU: one block.
    pub scheduler_threads: u32,
}

/// Ours: [MT] section 8 names what GPU-side scheduling costs but gives no numbers. The host issues
/// in no time, which favors nobody: all schedulers on the CPU issue about as many commands.
const COSTS: Costs = Costs {
    issue: Span(0),
    poll: Span(5_000),
    message: Span(20_000),
    decision: Span(20_000),
    launch: Span(20_000),
    scheduler_threads: 256,
};

impl Default for Costs {
    fn default() -> Self {
        COSTS
    }
}

/// What differs from the default.
impl Serialize for Costs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for ((value, usual), (field, ..)) in self.values().iter().zip(COSTS.values()).zip(Self::FIELDS) {
            if *value != usual {
                map.serialize_entry(field, value)?;
            }
        }
        map.end()
    }
}

impl Costs {
    /// The fields that can be changed: name, least and greatest value.
    pub const FIELDS: [(&'static str, u64, u64); 6] = [
        ("issue_ns", 0, 1_000_000_000),
        ("poll_ns", 0, 1_000_000_000),
        ("message_ns", 0, 1_000_000_000),
        ("decision_ns", 0, 1_000_000_000),
        ("launch_ns", 0, 1_000_000_000),
        ("scheduler_threads", 1, 1024),
    ];

    /// The values, in the order of [`Costs::FIELDS`].
    #[must_use]
    pub const fn values(&self) -> [u64; 6] {
        [self.issue.0, self.poll.0, self.message.0, self.decision.0, self.launch.0, self.scheduler_threads as u64]
    }

    /// The costs of values in the order of [`Costs::FIELDS`].
    ///
    /// # Errors
    /// The name of the first field that is out of its limits, with a message.
    pub fn from_values(values: [u64; 6]) -> Result<Self, (&'static str, String)> {
        for (value, (field, least, most)) in values.into_iter().zip(Self::FIELDS) {
            if value < least || value > most {
                return Err((field, format!("is {value}; it must lie between {least} and {most}")));
            }
        }
        let [issue, poll, message, decision, launch, threads] = values;
        let scheduler_threads = u32::try_from(threads).unwrap_or(1024);
        Ok(Self {
            issue: Span(issue),
            poll: Span(poll),
            message: Span(message),
            decision: Span(decision),
            launch: Span(launch),
            scheduler_threads,
        })
    }
}

const FERMI: Arch = Arch {
    id: ArchId::Fermi,
    name: "Fermi (GeForce GT 555M)",
    sms: 3,
    threads_per_sm: 1536,
    blocks_per_sm: 8,
    copy_engines: 1,
    bytes_per_us: 6_000,
    hyper_q: false,
    dynamic_parallelism: false,
    delays_signals: true,
    misplaces_events: false,
    atomic_tenths: 76,
    costs: COSTS,
};

const KEPLER: Arch = Arch {
    id: ArchId::Kepler,
    name: "Kepler (Tesla K20c)",
    sms: 13,
    threads_per_sm: 2048,
    blocks_per_sm: 16,
    copy_engines: 2,
    bytes_per_us: 6_000,
    hyper_q: true,
    dynamic_parallelism: true,
    delays_signals: false,
    misplaces_events: false,
    atomic_tenths: 9,
    costs: COSTS,
};

const TX1: Arch = Arch {
    id: ArchId::Tx1,
    name: "Maxwell (Jetson TX1)",
    sms: 2,
    threads_per_sm: 2048,
    blocks_per_sm: 32,
    copy_engines: 1,
    bytes_per_us: 10_000,
    hyper_q: true,
    // The GPU could, but the timings of schedulers on it are wrong there ([MT] section 7).
    dynamic_parallelism: false,
    delays_signals: false,
    misplaces_events: true,
    atomic_tenths: 9,
    costs: COSTS,
};

impl Arch {
    /// Threads that can be resident at once.
    #[must_use]
    pub const fn threads(&self) -> u64 {
        self.sms as u64 * self.threads_per_sm as u64
    }

    /// Blocks of so many threads that one multiprocessor holds.
    #[must_use]
    pub const fn blocks_in_sm(&self, threads_per_block: u32) -> u32 {
        let by_threads = self.threads_per_sm / if threads_per_block == 0 { 1 } else { threads_per_block };
        if by_threads < self.blocks_per_sm { by_threads } else { self.blocks_per_sm }
    }

    /// Which copy engine carries out a copy, from 0.
    #[must_use]
    pub const fn copy_engine(&self, op: Op) -> u32 {
        if self.copy_engines > 1 && matches!(op, Op::CopyOut) { 1 } else { 0 }
    }

    /// The engine, other than execution, that a command of this kind keeps busy: a copy engine, or
    /// after those the scheduler on the GPU, whose decisions are serial.
    #[must_use]
    pub const fn engine(&self, kind: CommandKind) -> Option<u32> {
        match kind {
            CommandKind::Copy(op, _) => Some(self.copy_engine(op)),
            CommandKind::Choose | CommandKind::Launch => Some(2),
            _ => None,
        }
    }

    /// Blocks of so many threads that run at once: a wave.
    #[must_use]
    pub const fn wave(&self, threads_per_block: u32) -> u64 {
        self.blocks_in_sm(threads_per_block) as u64 * self.sms as u64
    }

    /// What counting its finished threads adds to a kernel of so many threads; rounded up.
    #[must_use]
    pub const fn counting(&self, threads: u64) -> Span {
        Span(threads.saturating_mul(self.atomic_tenths as u64).div_ceil(10))
    }

    /// Each number that a reader may ask about, and where it is from.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        let guide = match self.id {
            ArchId::Fermi => "compute capability 2.1, CUDA programming guide",
            ArchId::Kepler => "compute capability 3.5, CUDA programming guide",
            ArchId::Tx1 => "compute capability 5.3, CUDA programming guide",
        };
        let engines = match self.id {
            ArchId::Fermi => "[MT] Fig. 2: one copy queue",
            ArchId::Kepler => "Tesla K20 specification: one for each direction",
            ArchId::Tx1 => "ours: host and device share one memory",
        };
        let bus = match self.id {
            ArchId::Fermi | ArchId::Kepler => "ours: PCI Express 2.0 with 16 lanes moves 8 GB/s at most",
            ArchId::Tx1 => "ours: half of the memory's 25.6 GB/s at most, as a copy reads and writes it",
        };
        let atomic = match self.id {
            ArchId::Fermi | ArchId::Kepler => "[MT] section 5.3",
            ArchId::Tx1 => "ours: that of Kepler",
        };
        let launches = match self.id {
            ArchId::Fermi | ArchId::Kepler => "[MT] sections 4 and 6",
            ArchId::Tx1 => "the GPU could; not offered here, as schedulers on it poll, which makes their timings wrong: [MT] section 7",
        };
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let us = |span: Span| format!("{} µs", span.ns() / 1000);
        let fact = |what, value, source| Fact { what, value, source };
        vec![
            fact("SMs", self.sms.to_string(), "the manufacturer's specification"),
            fact("threads of an SM", self.threads_per_sm.to_string(), guide),
            fact("blocks of an SM", self.blocks_per_sm.to_string(), guide),
            fact("copy engines", self.copy_engines.to_string(), engines),
            fact("bytes copied in a microsecond", self.bytes_per_us.to_string(), bus),
            fact("a queue for each stream (Hyper-Q)", yes(self.hyper_q), "[MT] sections 6 and 7"),
            fact("schedulers on the GPU (kernels that launch kernels)", yes(self.dynamic_parallelism), launches),
            fact("delayed signals", yes(self.delays_signals), "[MT] section 6"),
            fact("misplaced events", yes(self.misplaces_events), "[MT] section 7"),
            fact("counting finished threads", format!("{}.{} ns per thread", self.atomic_tenths / 10, self.atomic_tenths % 10), atomic),
            fact("issuing a command", us(self.costs.issue), "ours"),
            fact("seeing a counter", us(self.costs.poll), "ours"),
            fact("a message", us(self.costs.message), "ours"),
            fact("a decision on the GPU", us(self.costs.decision), "ours"),
            fact("a launch on the GPU", us(self.costs.launch), "ours"),
            fact("threads of a scheduler on the GPU", self.costs.scheduler_threads.to_string(), "ours"),
        ]
    }
}

/// A number of a GPU and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it counts.
    pub what: &'static str,
    /// How much, in words.
    pub value: String,
    /// Paper and section, another source, or "ours".
    pub source: &'static str,
}
