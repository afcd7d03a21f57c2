//! `CPUOrder`: stop events and output copies are issued in the order in which the kernels end.
//!
//! Depends on `build`. Source: [MT] sections 4, 5.2, 5.3 and 7. A batch of one task has no order to
//! find out, so its kernel counts nothing and nothing is polled: ours.

use super::build::{Build, Kernels};
use super::{Batch, Scheduler};
use crate::command::{Command, CommandKind, HostStep, Op, Poll, Polled, Program, Sight};
use crate::methods::Method;

pub(super) struct CpuOrder;

impl Scheduler for CpuOrder {
    fn name(&self) -> &'static str {
        "CPUOrder"
    }

    fn says(&self) -> &'static str {
        "Like CPUConcurrent, but the host finds out which kernel ends first and issues that task's output copy first."
    }

    fn program(&self, batch: &Batch<'_>) -> Program {
        let is_tx1 = |method| batch.methods.has(method) && batch.arch.misplaces_events;
        let is_dynamic = batch.tasks.len() > 1 && !is_tx1(Method::NoPolling);
        let copies_follow = !is_dynamic && is_tx1(Method::NoStopEvents);
        let mut build = Build::new(batch, Kernels::Concurrent, copies_follow);
        let counts = is_dynamic && build.has(Method::AtmCntKernel);
        build.dummy_event();
        for task in build.tasks() {
            build.copy_in(task);
            build.kernel(task, counts);
        }
        if is_dynamic {
            poll(&mut build, counts);
        } else {
            if !copies_follow {
                build.tasks().for_each(|task| build.kernel_stop(task));
            }
            build.tasks().for_each(|task| build.copy_out(task));
        }
        build.sync();
        build.finish()
    }
}

/// The host finds out which kernel ends first.
fn poll(build: &mut Build<'_>, counts: bool) {
    let flushes = build.has(Method::FlushZero);
    let sight = match (counts, flushes) {
        (false, _) => Sight::Query,
        (true, true) => Sight::Counter,
        (true, false) => Sight::CounterAfterAll,
    };
    // Both a flush and asking for the end are a query of the stream launched first.
    if let Some(no) = build.launched[0].filter(|_| sight != Sight::CounterAfterAll) {
        let stream = build.stream_of(no);
        build.issue(Command { stream, task: None, kind: CommandKind::Query });
    }
    let shorter = if build.has(Method::AtmCntCpuSched) { Op::CopyOut } else { Op::Kernel };
    let mut kernels = Vec::new();
    for task in build.tasks() {
        let if_first = build.stop_and_copy_out(task, shorter);
        let if_last = build.stop_and_copy_out(task, Op::Kernel);
        kernels.extend(build.launched[task].map(|kernel| Polled { kernel, if_first, if_last }));
    }
    build.host(HostStep::Poll(Poll { sight, kernels }));
}
