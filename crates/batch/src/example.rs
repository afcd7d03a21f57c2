//! The example of [MT] Tables I and II: the same two tasks with one stream for each and with the
//! set-event-queue method.
//!
//! Depends on `batch::command`. The commands and their order are the paper's; how long they take
//! (a copy 4 ms, the first task's copy 1 ms, its kernel 2 ms) is ours: the second copy has to outlast
//! the first for the dependency to matter. Table I ends with `s1_stop_TKexe_t1`, a slip for
//! `s1_stop_Kexe_t1`.

use super::command::{Command, CommandKind, CommandNo, Edge, HostStep, KernelLaunch, Op, Program};
use blockstep_sim::units::Span;

/// Table II with the method, Table I without.
#[must_use]
pub fn tables(set_event_queue: bool) -> Program {
    let mut program = Program::default();
    let mut issue = |stream, task, kind| {
        let no = CommandNo(program.commands.len() as u32);
        program.commands.push(Command { stream, task, kind });
        program.host.push(HostStep::Issue(no));
        no
    };
    let kernel = KernelLaunch { blocks: 8, threads_per_block: 256, alone: Span(2_000_000), counts: false };
    let execute = if set_event_queue { 3 } else { 1 };
    if set_event_queue {
        issue(1, None, CommandKind::Dummy(Op::CopyIn));
        issue(3, None, CommandKind::Dummy(Op::Kernel));
    }
    issue(1, Some(0), CommandKind::Record(Op::CopyIn, Edge::Start));
    issue(1, Some(0), CommandKind::Copy(Op::CopyIn, Span(1_000_000)));
    let stop = issue(1, Some(0), CommandKind::Record(Op::CopyIn, Edge::Stop));
    issue(2, Some(1), CommandKind::Copy(Op::CopyIn, Span(4_000_000)));
    if set_event_queue {
        issue(3, Some(0), CommandKind::Wait(stop));
    }
    issue(execute, Some(0), CommandKind::Record(Op::Kernel, Edge::Start));
    issue(execute, Some(0), CommandKind::Kernel(kernel));
    issue(execute, Some(0), CommandKind::Record(Op::Kernel, Edge::Stop));
    program.host.push(HostStep::Sync);
    program
}
