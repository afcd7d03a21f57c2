//! CPU threads that wait in a call: in which, for what, and until when.
//!
//! Depends on `trace`, `record`, `snapshot` and `sentence`. Invariant: what is listed waits at this very step. Source:
//! docs/semantics.md, section 2.

use super::quantity::format_count;
use super::sentence;
use blockstep_sim::record::Records;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Change, Rule, Trace};
use blockstep_sim::units::{OpId, StepId, TaskId};

/// Operations that are named; more are counted.
const NAMED: usize = 3;

/// A CPU thread that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadWait {
    /// Its task.
    pub task: String,
    /// By which rule.
    pub rule: Rule,
    /// In which call and for what, in words.
    pub text: String,
    /// The first operation that it waits for.
    pub awaits: Option<OpId>,
    /// The step at which the call returns; `None` if it does not in this run.
    pub until: Option<StepId>,
}

/// The CPU threads that wait, in table order, at most so many.
#[must_use]
pub fn waiting(trace: &Trace, records: &Records, state: &Snapshot, most: usize) -> Vec<ThreadWait> {
    let tasks = trace.scenario().tasks().iter().enumerate().filter(|(_, task)| task.calls_in_turn);
    let waits = tasks.filter_map(|(i, task)| Some((TaskId::at(i), task, state.task(TaskId::at(i)).host.as_ref()?)));
    let one = |(id, task, wait): (TaskId, &blockstep_sim::scenario::Task, &blockstep_sim::snapshot::HostWait)| {
        let awaited = state.host_awaits(trace, id);
        let call = sentence::call(trace, wait.row, wait.job);
        ThreadWait {
            task: task.name.clone(),
            rule: if trace.scenario().row(wait.row).call.waits_beside() { Rule::T3 } else { Rule::T1 },
            text: format!("its CPU thread waits in {call} for {}", named(trace, &awaited)),
            awaits: awaited.first().copied(),
            until: returns(trace, records, wait),
        }
    };
    waits.take(most).map(one).collect()
}

/// The step at which the call returns.
fn returns(trace: &Trace, records: &Records, wait: &blockstep_sim::snapshot::HostWait) -> Option<StepId> {
    let place = records.calls.partition_point(|call| call.made < wait.since);
    let is_it = |call: &&blockstep_sim::record::CallRecord| (call.row, call.job) == (wait.row, wait.job);
    let at = records.calls[place..].iter().take_while(|call| call.made == wait.since).find(is_it)?.returned?;
    let first = trace.steps().partition_point(|step| step.at < at);
    let returned = Change::HostReturned { row: wait.row, job: wait.job };
    let steps = trace.steps()[first..].iter().take_while(|step| step.at == at);
    steps.zip(first..).find(|(step, _)| step.change == returned).map(|(_, i)| StepId::at(i))
}

fn named(trace: &Trace, ops: &[OpId]) -> String {
    let names: Vec<String> = ops.iter().take(NAMED).map(|&op| trace.op_label(op)).collect();
    match (names.as_slice(), ops.len().saturating_sub(NAMED)) {
        ([], _) => "nothing more".to_owned(),
        ([one], _) => one.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (names, more) => format!("{} and {} more", names.join(", "), format_count(more as u64)),
    }
}
