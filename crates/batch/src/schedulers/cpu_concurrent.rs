//! `CPUConcurrent`: kernels run beside each other too, so both are launched before the stop event
//! of either.
//!
//! Depends on `build`. Source: [MT] sections 4 and 7.

use super::build::{Build, Kernels};
use super::{Batch, Scheduler};
use crate::command::Program;

pub(super) struct CpuConcurrent;

impl Scheduler for CpuConcurrent {
    fn name(&self) -> &'static str {
        "CPUConcurrent"
    }

    fn says(&self) -> &'static str {
        "Like CPUInterleave, but both kernels are launched before the stop event of either, so they can run at the same time."
    }

    fn program(&self, batch: &Batch<'_>) -> Program {
        let mut build = Build::new(batch, Kernels::Concurrent, false);
        build.dummy_event();
        for task in build.tasks() {
            build.copy_in(task);
            build.kernel(task, false);
        }
        for task in build.tasks() {
            build.kernel_stop(task);
        }
        for task in build.tasks() {
            build.copy_out(task);
        }
        build.sync();
        build.finish()
    }
}
