//! The six schedulers of [MT]: they get the same batch and differ only in the commands they issue
//! and in their order.
//!
//! Depends on the other files of `batch`. Invariant: a scheduler is a function from batch, GPU and
//! methods to a program; it never looks at time. Source: [MT] sections 4 and 5, Fig. 1.

mod build;
mod cpu_concurrent;
mod cpu_interleave;
mod cpu_order;
mod cpu_traditional;
mod gpu;
mod taxonomy;

pub use taxonomy::{Answer, TAXONOMY, Taxon};

use serde::{Deserialize, Serialize};

use super::arch::Arch;
use super::command::Program;
use super::methods::Methods;
use super::task::Task;

/// What a scheduler gets.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// On which GPU.
    pub arch: &'a Arch,
    /// With which methods.
    pub methods: Methods,
    /// One task or two, that of higher priority first.
    pub tasks: &'a [&'a Task],
}

/// A scheduler.
pub trait Scheduler: Sync {
    /// As [MT] spells it.
    fn name(&self) -> &'static str;
    /// What it does, a sentence.
    fn says(&self) -> &'static str;
    /// The commands for a batch, with the host waiting for the device at the end.
    fn program(&self, batch: &Batch<'_>) -> Program;
    /// Why it cannot run on a GPU, if it cannot.
    fn refuses(&self, _arch: &Arch) -> Option<&'static str> {
        None
    }
}

/// Which scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SchedulerId {
    /// One task at a time.
    CpuTraditional,
    /// Copies beside kernels.
    CpuInterleave,
    /// Kernels beside kernels too.
    CpuConcurrent,
    /// Output copies in the order in which kernels end, too.
    CpuOrder,
    /// On the GPU; learns of the end of kernels by synchronising with its device.
    GpuSynchronize,
    /// On the GPU; learns of it by counters.
    GpuAtomics,
}

impl SchedulerId {
    /// All of them, in the order of [MT].
    pub const ALL: [Self; 6] =
        [Self::CpuTraditional, Self::CpuInterleave, Self::CpuConcurrent, Self::CpuOrder, Self::GpuSynchronize, Self::GpuAtomics];

    /// The scheduler.
    #[must_use]
    pub fn scheduler(self) -> &'static dyn Scheduler {
        match self {
            Self::CpuTraditional => &cpu_traditional::CpuTraditional,
            Self::CpuInterleave => &cpu_interleave::CpuInterleave,
            Self::CpuConcurrent => &cpu_concurrent::CpuConcurrent,
            Self::CpuOrder => &cpu_order::CpuOrder,
            Self::GpuSynchronize => &gpu::GPU_SYNCHRONIZE,
            Self::GpuAtomics => &gpu::GPU_ATOMICS,
        }
    }

    /// As [MT] spells it; also the spelling in files and links.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.scheduler().name()
    }

    /// The one with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }
}
