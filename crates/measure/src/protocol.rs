//! What the program and the processes that it starts say to each other: a line of JSON each.
//!
//! Depends on serde. Invariant: each question has one answer, or the process has ended.

use serde::{Deserialize, Serialize};

use crate::MeasureError;
use crate::gpu::RECORD_NUMBERS;
use blockstep_format::program::ProcessPlan;

/// What a process is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// To get ready for one run after another; the first order.
    Prepare {
        /// What to do in each.
        plan: ProcessPlan,
        /// Which GPU, from 0.
        device: u32,
    },
    /// To read the clocks. Processes do so one after another, as nothing else may run meanwhile.
    ReadClocks,
    /// To run.
    Run {
        /// Instant 0 of the run, ns of the host's clock.
        start_ns: u64,
    },
    /// To read the clocks again.
    RelateClocks,
}

/// What a process answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// It is ready for a first run.
    Prepared(Box<Gpu>),
    /// It has read the clocks.
    Read,
    /// It has run.
    Ran(Vec<Launch>),
    /// It has read the clocks again.
    Related(ClockFit),
    /// It cannot.
    Failed(MeasureError),
}

/// The GPU, and how it was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gpu {
    /// Its name.
    pub name: String,
    /// As "9.0".
    pub compute_capability: String,
    /// How many SMs it has.
    pub sms: u64,
    /// Threads that an SM holds.
    pub threads_per_sm: u64,
    /// Blocks that an SM holds.
    pub blocks_per_sm: u64,
    /// Bytes of shared memory of an SM.
    pub shared_memory_per_sm: u64,
    /// Bytes of shared memory that a block may opt in to.
    pub max_shared_memory_per_block: u64,
    /// Registers of an SM.
    pub registers_per_sm: u64,
    /// Copy engines.
    pub copy_engines: u64,
    /// Lowest and highest priority of streams; the highest is the smallest number.
    pub priorities: (i32, i32),
    /// Highest clock of the SMs, kHz.
    pub sm_clock_khz: u64,
    /// The version of CUDA that the driver knows, as "13.0".
    pub cuda: String,
    /// The driver's own version, as the kernel of the system tells it; empty if it does not.
    pub driver: String,
    /// Bytes that a copy of 64 MiB moved in a second, to the device and to the host.
    pub copy_bytes_per_s: (u64, u64),
    /// Registers that each row's kernel takes of each thread, by number in the scenario.
    pub registers_taken: Vec<(usize, u32)>,
}

/// A launch that was measured; or a copy, memset or another call, which has no blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Its row of the kernel table.
    pub row: usize,
    /// Its job of the task, from 0.
    pub job: u32,
    /// When it was called, and when the call returned, ns from the start of the run.
    pub called_ns: (i64, i64),
    /// The CPU that called it.
    pub cpu: u32,
    /// Its blocks, by number.
    pub blocks: Vec<BlockRecord>,
}

/// What a block wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRecord {
    /// When it began, ns of the GPU's clock.
    pub start_ns: u64,
    /// When it ended.
    pub end_ns: u64,
    /// Where it ran.
    pub sm: u32,
    /// How long it was suspended, ns.
    pub suspended_ns: u64,
    /// How often.
    pub suspensions: u64,
}

impl BlockRecord {
    pub(crate) fn new([start_ns, end_ns, sm, suspended_ns, suspensions]: [u64; RECORD_NUMBERS]) -> Self {
        Self { start_ns, end_ns, sm: u32::try_from(sm).unwrap_or(u32::MAX), suspended_ns, suspensions }
    }
}

/// How the GPU's clock and the host's go together during a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockFit {
    /// The GPU's clock at the first reading, ns.
    pub gpu_ns: u64,
    /// The host's clock then, ns.
    pub host_ns: u64,
    /// From the first reading to the second, ns of the GPU's clock.
    pub gpu_span_ns: u64,
    /// How much further the host's clock went meanwhile, ns.
    pub drift_ns: i64,
    /// How far off an instant may be, ns: half of the longer handshake.
    pub residual_ns: u64,
}

/// What one run of a scenario came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// The GPU.
    pub gpu: Gpu,
    /// What each process measured: its process id, its launches in the order of their calls, and its clocks.
    pub processes: Vec<(u32, Vec<Launch>, ClockFit)>,
    /// Instant 0 of the run, ns of the host's clock.
    pub start_ns: u64,
}
