//! `GPUSynchronize` and `GPUAtomics`: the scheduler is a persistent kernel on the GPU.
//!
//! Depends on `build`. The scheduler chooses the batch and tells the host, which copies the inputs
//! in and says so; the scheduler launches the kernels, one after the other, learns of their end and
//! tells the host, which copies the outputs out. Operations are timed with `clock()` and not with
//! events. Source: [MT] sections 4, 5 and 8 (5); which messages there are is ours.

use super::build::launch;
use super::{Batch, Scheduler};
use crate::arch::Arch;
use crate::command::{Command, CommandKind, CommandNo, HostStep, Op, Program};

pub(super) struct Gpu {
    counts: bool,
}

pub(super) const GPU_SYNCHRONIZE: Gpu = Gpu { counts: false };
pub(super) const GPU_ATOMICS: Gpu = Gpu { counts: true };

impl Scheduler for Gpu {
    fn name(&self) -> &'static str {
        if self.counts { "GPUAtomics" } else { "GPUSynchronize" }
    }

    fn says(&self) -> &'static str {
        if self.counts {
            "The scheduler is a kernel on the GPU; counters tell it which kernel has ended."
        } else {
            "The scheduler is a kernel on the GPU; it learns that a kernel has ended by synchronizing with its device. That waits for all \
             kernels launched so far."
        }
    }

    fn refuses(&self, arch: &Arch) -> Option<&'static str> {
        match arch.dynamic_parallelism {
            true => None,
            false if arch.misplaces_events => Some("the timings of schedulers on the GPU are wrong on TX1 ([MT] section 7)"),
            false => Some("kernels cannot launch kernels on this GPU ([MT] section 6)"),
        }
    }

    fn program(&self, batch: &Batch<'_>) -> Program {
        let mut program = Program { on_gpu: true, ..Program::default() };
        let add = |program: &mut Program, stream: usize, task, kind| {
            let no = CommandNo(program.commands.len() as u32);
            program.commands.push(Command { stream: stream as u32, task, kind });
            program.host.push(HostStep::Issue(no));
            no
        };
        // The input is there; which tasks are next?
        add(&mut program, 0, None, CommandKind::MessageIn);
        add(&mut program, 0, None, CommandKind::Choose);
        let chosen = add(&mut program, 0, None, CommandKind::MessageOut);
        program.host.push(HostStep::Await(chosen));
        for (task, of) in batch.tasks.iter().enumerate() {
            let stream = task + 1;
            let mut next = |kind| add(&mut program, stream, Some(task), kind);
            next(CommandKind::Copy(Op::CopyIn, of.copy_in.on(batch.arch)));
            next(CommandKind::MessageIn);
            next(CommandKind::Launch);
            let kernel = next(CommandKind::Kernel(launch(batch, of, self.counts)));
            next(if self.counts { CommandKind::SeeCounter(kernel) } else { CommandKind::SyncDevice(kernel) });
            next(CommandKind::MessageOut);
            next(CommandKind::Copy(Op::CopyOut, of.copy_out.on(batch.arch)));
        }
        program.host.push(HostStep::Sync);
        program
    }
}
