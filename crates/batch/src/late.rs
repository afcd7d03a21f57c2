//! What the host learns too late: kernels that have ended while it still takes them to be running.
//!
//! Depends on the other files of `batch`. Invariant: only ends that are seen later than a counter
//! would have shown them. Source: [MT] sections 5.2 and 5.3.

use super::arch::Arch;
use super::command::{CommandNo, HostStep, Sight};
use super::methods::{Method, Methods};
use super::simulate::BatchRun;
use super::state::{BatchChange, Host};
use blockstep_sim::units::{Time, TimeRange};

/// The end of a kernel that the host learns too late, so that its output copy is issued late too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late {
    /// The kernel.
    pub kernel: CommandNo,
    /// Its task, by place in the batch.
    pub task: usize,
    /// From its end until the host knows.
    pub time: TimeRange,
    /// How the host learns of it; never [`Sight::Counter`].
    pub sight: Sight,
}

impl Late {
    /// The methods with which the host learns of it at once.
    #[must_use]
    pub fn remedy(methods: Methods) -> Methods {
        methods.and(&Method::ORDER)
    }
}

/// What the host learns too late in a batch, in the order of its tasks.
#[must_use]
pub fn late(run: &BatchRun, arch: &Arch) -> Vec<Late> {
    let mut found = Vec::new();
    for step in &run.program.host {
        let HostStep::Poll(poll) = step else { continue };
        for polled in poll.kernels.iter().filter(|_| poll.sight != Sight::Counter) {
            let kernel = polled.kernel;
            let seen = run.steps.iter().find(|step| step.change == BatchChange::Host(Host::Sees(kernel))).map(|step| step.at);
            let (Some(span), Some(seen), Some(task)) = (run.spans[kernel.index()], seen, run.program.command(kernel).task) else {
                continue;
            };
            if seen > Time(span.end.0.saturating_add(arch.costs.poll.0)) {
                found.push(Late { kernel, task, time: TimeRange::new(span.end, seen), sight: poll.sight });
            }
        }
    }
    found
}
