//! What the events of a batch report beside what happened: the difference is what set-event-queue
//! and the methods for TX1 are about.
//!
//! Depends on `batch::simulate`. Invariant: what is reported contains what happened. With Hyper-Q a
//! start event is recorded when its stream gets that far, so waiting for an engine is reported too.
//! Source: [MT] sections 5.1 and 7.

use super::command::{CommandKind, CommandNo, Edge, Op};
use super::simulate::BatchRun;
use super::state::BatchChange;
use blockstep_sim::units::{Time, TimeRange};

/// An operation of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Its command.
    pub command: CommandNo,
    /// Its task, by place in the batch.
    pub task: usize,
    /// Which of the task's.
    pub op: Op,
    /// From start to end.
    pub actual: TimeRange,
    /// From its start event to its stop event; none if it lacks one of them.
    pub reported: Option<TimeRange>,
}

impl BatchRun {
    /// Copies and kernels in the order of the program, with what events report of them.
    #[must_use]
    pub fn timings(&self) -> Vec<Timing> {
        let mut recorded: Vec<(usize, Op, Edge, Time)> = Vec::new();
        for step in &self.steps {
            if let BatchChange::Done(no) = step.change
                && let CommandKind::Record(op, edge) = self.program.command(no).kind
                && let Some(task) = self.program.command(no).task
            {
                recorded.push((task, op, edge, step.at));
            }
        }
        let mut timings = Vec::new();
        for (i, (command, span)) in self.program.commands.iter().zip(&self.spans).enumerate() {
            if let (Some(op), Some(task), Some(actual)) = (command.op(), command.task, *span) {
                let at = |edge| recorded.iter().find(|r| (r.0, r.1, r.2) == (task, op, edge)).map(|r| r.3);
                let reported = at(Edge::Start).zip(at(Edge::Stop)).map(|(start, stop)| TimeRange::new(start, stop));
                timings.push(Timing { command: CommandNo(i as u32), task, op, actual, reported });
            }
        }
        timings
    }
}
