//! What was measured, as logs.
//!
//! Depends on `format`, which writes them. Invariant: what a log says of how it was measured is enough to judge it by, and to measure it
//! again.

use serde::Serialize;

use crate::protocol::{BlockRecord, Measurement};
use blockstep_format::MeasuredLaunch;
use blockstep_format::program::Plan;
use blockstep_sim::measured::MeasuredBlock;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::units::RowId;

/// What a log says under `blockstep`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Header {
    version: &'static str,
    gpu: String,
    compute_capability: String,
    sms: u64,
    threads_per_sm: u64,
    blocks_per_sm: u64,
    shared_memory_per_sm: u64,
    max_shared_memory_per_block: u64,
    registers_per_sm: u64,
    copy_engines: u64,
    /// Lowest and highest.
    stream_priorities: [i32; 2],
    sm_clock_khz: u64,
    cuda: String,
    driver: String,
    /// What `CUDA_DEVICE_MAX_CONNECTIONS` was.
    connections: u64,
    /// Whether processes shared the GPU by MPS.
    mps: bool,
    /// Of the process that is furthest off: how far an instant may be, and how far the clocks went apart during the run, ns.
    clock_residual_ns: u64,
    clock_drift_ns: i64,
    copy_bandwidth_to_device_bytes_per_s: u64,
    copy_bandwidth_to_host_bytes_per_s: u64,
    /// Registers of a thread that each row's kernel takes.
    registers: Vec<TakenRegisters>,
    /// Which of how many runs, from 1.
    run: [u32; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct TakenRegisters {
    kernel: String,
    registers_per_thread: u32,
}

impl Header {
    /// `run`: which of how many, from 1.
    #[must_use]
    pub fn new(scenario: &Scenario, plan: &Plan, measurement: &Measurement, run: (u32, u32)) -> Self {
        let gpu = measurement.gpu.clone();
        let clocks = measurement.processes.iter().map(|(_, _, clock)| *clock);
        let worst = clocks.max_by_key(|clock| clock.residual_ns).unwrap_or_default();
        let taken = |&(row, registers): &(usize, u32)| TakenRegisters {
            kernel: scenario.row(RowId::at(row)).name.clone(),
            registers_per_thread: registers,
        };
        Self {
            version: env!("CARGO_PKG_VERSION"),
            gpu: gpu.name,
            compute_capability: gpu.compute_capability,
            sms: gpu.sms,
            threads_per_sm: gpu.threads_per_sm,
            blocks_per_sm: gpu.blocks_per_sm,
            shared_memory_per_sm: gpu.shared_memory_per_sm,
            max_shared_memory_per_block: gpu.max_shared_memory_per_block,
            registers_per_sm: gpu.registers_per_sm,
            copy_engines: gpu.copy_engines,
            stream_priorities: [gpu.priorities.0, gpu.priorities.1],
            sm_clock_khz: gpu.sm_clock_khz,
            cuda: gpu.cuda,
            driver: gpu.driver,
            connections: plan.connections,
            mps: std::env::var_os("CUDA_MPS_PIPE_DIRECTORY").is_some(),
            clock_residual_ns: worst.residual_ns,
            clock_drift_ns: worst.drift_ns,
            copy_bandwidth_to_device_bytes_per_s: gpu.copy_bytes_per_s.0,
            copy_bandwidth_to_host_bytes_per_s: gpu.copy_bytes_per_s.1,
            registers: gpu.registers_taken.iter().map(taken).collect(),
            run: [run.0, run.1],
        }
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> String {
        // Its fields are texts and numbers, which cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The kernels of a run on the host's clock, in the order in which they began.
#[must_use]
pub fn launches(measurement: &Measurement) -> Vec<MeasuredLaunch> {
    let start = i64::try_from(measurement.start_ns).unwrap_or(i64::MAX);
    let mut all = Vec::new();
    for (pid, launches, clock) in &measurement.processes {
        let since_start = |gpu_ns: u64| clock.host_ns(gpu_ns).saturating_sub(start);
        for launch in launches.iter().filter(|launch| !launch.blocks.is_empty()) {
            let block = |block: &BlockRecord| MeasuredBlock {
                start_ns: since_start(block.start_ns),
                end_ns: since_start(block.end_ns),
                sm: Some(block.sm),
            };
            all.push(MeasuredLaunch {
                row: RowId::at(launch.row),
                pid: *pid,
                called_ns: launch.called_ns,
                cpu: launch.cpu,
                blocks: launch.blocks.iter().map(block).collect(),
                suspended: launch.blocks.iter().map(|block| (block.suspended_ns, block.suspensions)).collect(),
            });
        }
    }
    // Two threads may call at once; what their stream did first was first in it.
    all.sort_by_key(|launch| launch.blocks.iter().map(|block| block.start_ns).min());
    all
}
