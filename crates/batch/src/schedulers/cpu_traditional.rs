//! `CPUTraditional`: one task at a time.
//!
//! Depends on `build`. Source: [MT] section 4.

use super::build::{Build, Kernels};
use super::{Batch, Scheduler};
use crate::command::Program;

pub(super) struct CpuTraditional;

impl Scheduler for CpuTraditional {
    fn name(&self) -> &'static str {
        "CPUTraditional"
    }

    fn says(&self) -> &'static str {
        "One task at a time: input copy, kernel, output copy. The host waits before it issues the next task."
    }

    fn program(&self, batch: &Batch<'_>) -> Program {
        let mut build = Build::new(batch, Kernels::Concurrent, false);
        for task in build.tasks() {
            build.dummy_event();
            build.copy_in(task);
            build.kernel(task, false);
            build.kernel_stop(task);
            build.copy_out(task);
            build.sync();
        }
        build.finish()
    }
}
