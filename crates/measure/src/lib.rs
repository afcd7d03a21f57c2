//! A scenario run on a real GPU: the same table as kernels that spin, launched by CPU threads on streams, in processes of their own.
//! What comes back is when and where every block ran.
//!
//! Depends on `sim`, for the scenario and its simulated run, which says what jobs there are, and on `format`, for the logs. The driver is
//! loaded when it is needed, so nothing of CUDA has to be there to build this. Invariants: only processes started for it touch the
//! GPU, and all have ended when [`measure`] returns; the memory of a run has limits that [`blockstep_format::program::Plan`] checks, and its time one that is
//! kept by ending the processes.

mod clock;
mod gpu;
mod kernel;
mod log;
mod process;
mod protocol;
mod run;
mod thread;

pub use log::{Header, launches};
pub use process::serve;
pub use protocol::{BlockRecord, ClockFit, Gpu, Launch, Measurement};
pub use run::{Options, measure};

use blockstep_format::PlanError;

/// Why a scenario could not be measured.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, thiserror::Error)]
pub enum MeasureError {
    /// No libcuda.
    #[error("no NVIDIA driver: its library, libcuda.so.1, cannot be loaded; measuring needs a computer with an NVIDIA GPU and its driver")]
    NoDriver,
    /// The driver finds no GPU, or not that one.
    #[error("GPU {wanted} is not there: {}", match found { 0 => "the driver finds none".to_owned(), 1 => "there is one, GPU 0".to_owned(), n => format!("there are {n}, GPU 0 to GPU {}", n - 1) })]
    NoGpu {
        /// The number asked for, from 0.
        wanted: u32,
        /// How many there are.
        found: u32,
    },
    /// No GPU can run the scenario, or not this one.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The driver refused a call.
    #[error("{call}: the driver says {status}")]
    Driver {
        /// The function of the driver.
        call: String,
        /// Its name for what went wrong.
        status: String,
    },
    /// Too slow.
    #[error("the run did not end within {seconds} s and was stopped; its simulated length is {simulated}")]
    TimedOut {
        /// What was waited.
        seconds: u64,
        /// How long it should have been.
        simulated: String,
    },
    /// A process that was started for the run could not be started, ended before its time, or said what makes no sense.
    #[error("process {process}: {what}")]
    Process {
        /// Its name in the scenario.
        process: String,
        /// What happened.
        what: String,
    },
}
