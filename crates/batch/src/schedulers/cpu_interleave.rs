//! `CPUInterleave`: copies of one task beside the kernel of the other, kernels one after the other.
//!
//! Depends on `build`. Source: [MT] section 4. That the kernels are kept apart by a stream that
//! they share is ours.

use super::build::{Build, Kernels};
use super::{Batch, Scheduler};
use crate::command::Program;

pub(super) struct CpuInterleave;

impl Scheduler for CpuInterleave {
    fn name(&self) -> &'static str {
        "CPUInterleave"
    }

    fn says(&self) -> &'static str {
        "Copies of one task run during the kernel of the other; kernels run one after the other."
    }

    fn program(&self, batch: &Batch<'_>) -> Program {
        let mut build = Build::new(batch, Kernels::Apart, false);
        build.dummy_event();
        for task in build.tasks() {
            build.copy_in(task);
            build.kernel(task, false);
            build.kernel_stop(task);
        }
        for task in build.tasks() {
            build.copy_out(task);
        }
        build.sync();
        build.finish()
    }
}
