//! What was measured on a real GPU, as the logs of cuda_scheduling_examiner have it.
//!
//! Depends on `scenario`, `trace` and `record`. Invariant: nothing is corrected here: what a log
//! says stands, even if it cannot be, so that it can be found and named. Source: the examiner's
//! logs; times there are in seconds on one clock of the host, here whole nanoseconds of the same
//! clock.

pub mod against;
mod apart;
mod device;
pub mod fit;
mod known;
mod load;
mod names;
pub mod rebuild;

pub use device::{InferredDevice, infer_device};
pub use known::{Known, known};
pub use load::{Occupant, walk};
pub use names::{Named, seconds};

/// A run, as its logs have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The logs, one for each benchmark, in the order in which they were read.
    pub logs: Vec<Log>,
    /// Files that said the same as another one and were left out, each with that one.
    pub copies: Vec<(String, String)>,
}

/// What one benchmark measured: one CPU thread with a stream of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The file it is from.
    pub file: String,
    /// `scenario_name`: the same in all logs of one run.
    pub scenario: String,
    /// `benchmark_name`: which program.
    pub benchmark: String,
    /// `label`: what the experiment calls it.
    pub label: String,
    /// `PID`, if it is there.
    pub pid: Option<u64>,
    /// `TID`, if it is there.
    pub tid: Option<u64>,
    /// `max_resident_threads` of the whole GPU, if it is there.
    pub max_resident_threads: Option<u64>,
    /// `gpu` of `blockstep`: what the driver calls the GPU, if it is there.
    pub gpu: Option<String>,
    /// `release_time` in ns from the begin of the experiment, if it is there.
    pub release_ns: Option<u64>,
    /// `data_size` in bytes, if it is there.
    pub data_bytes: Option<u64>,
    /// Kernel launches, in the order of the log, which is that of the stream.
    pub kernels: Vec<Launch>,
    /// Copies and whole iterations as the CPU timed them.
    pub host: Vec<HostTimes>,
}

/// A launch of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// `kernel_name`.
    pub name: String,
    /// Its place in the file's `times`, from 0.
    pub entry: usize,
    /// `block_count`.
    pub block_count: u64,
    /// `thread_count`: threads of a block.
    pub thread_count: u64,
    /// `shared_memory` of a block in bytes, if it is there.
    pub shared_memory: Option<u64>,
    /// `cuda_launch_times`, ns: before the call, after it, and after the CPU waited for the kernel;
    /// as many as there are. The examiner writes 0 for the last if it did not wait for this kernel
    /// alone; then it is not here.
    pub launch_ns: Vec<i64>,
    /// Its blocks, in the order of the log, which is that of their numbers.
    pub blocks: Vec<MeasuredBlock>,
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredBlock {
    /// When it began, ns.
    pub start_ns: i64,
    /// When it ended, ns.
    pub end_ns: i64,
    /// `block_smids`: where, if the log says so.
    pub sm: Option<u32>,
}

/// What the CPU timed around an iteration: begin and end, ns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostTimes {
    /// Its place in the file's `times`, from 0. The launches of the iteration follow it there.
    pub entry: usize,
    /// `copy_in_times`.
    pub copy_in: Option<(i64, i64)>,
    /// `execute_times`.
    pub execute: Option<(i64, i64)>,
    /// `copy_out_times`.
    pub copy_out: Option<(i64, i64)>,
    /// `cpu_times`.
    pub cpu: Option<(i64, i64)>,
}

impl Launch {
    /// Between which instants the launch was called, if it was measured: a benchmark that does not
    /// measure it leaves times before the begin of the experiment.
    #[must_use]
    pub fn issued(&self) -> Option<(i64, i64)> {
        match *self.launch_ns {
            [before, after, ..] if before >= 0 && after >= 0 => Some((before, after)),
            _ => None,
        }
    }

    /// When the CPU had waited for this kernel, if it did.
    #[must_use]
    pub fn waited(&self) -> Option<i64> {
        self.launch_ns.get(2).copied().filter(|&ns| ns > 0)
    }

    /// When its first block began.
    #[must_use]
    pub fn first_start(&self) -> Option<i64> {
        self.blocks.iter().map(|b| b.start_ns).min()
    }

    /// When its last block began.
    #[must_use]
    pub fn last_start(&self) -> Option<i64> {
        self.blocks.iter().map(|b| b.start_ns).max()
    }

    /// When its last block ended.
    #[must_use]
    pub fn last_end(&self) -> Option<i64> {
        self.blocks.iter().map(|b| b.end_ns).max()
    }
}
