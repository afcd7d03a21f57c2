//! Work of a run that can never complete, in a sentence.
//!
//! Depends on the simulator. Invariant: nothing is said of work that only has to wait longer than the run.

use blockstep_sim::engine::Run;
use blockstep_sim::language::all_of;
use blockstep_sim::record::{OpRecord, Records};
use blockstep_sim::snapshot::{Snapshot, Stuck};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{JobNo, OpId, TaskId};

/// Waits that a sentence follows at most.
const MOST_WAITS: usize = 8;

/// What never completes, and why; nothing of a run that was cut, or in which everything can.
#[must_use]
pub fn dead_end(run: &Run, records: &Records) -> Option<String> {
    let trace = &run.trace;
    let is_open = records.ops.iter().any(|op| op.end.is_none()) || records.calls.iter().any(|call| call.returned.is_none());
    if trace.cut().is_some() || !is_open {
        return None;
    }
    let mut replay = run.replay();
    let state = replay.seek(trace.steps().len() as u32);
    let Some(chain) = state.dead_end(trace) else { return held_back(trace, state, records) };
    // Who waits for a job that is never released says so itself.
    let is_named_next = |i: usize| matches!(chain.get(i + 1), Some(Stuck::Never(..)));
    let chain: Vec<Stuck> = chain.iter().enumerate().filter(|&(i, _)| !is_named_next(i) || i == 0).map(|(_, &what)| what).collect();
    let mut text = String::from("some work can never complete: ");
    for (i, &what) in chain.iter().take(MOST_WAITS).enumerate() {
        text += ["", " waits for ", ", which waits for "][i.min(2)];
        text += &label(trace, what);
    }
    if chain.len() > MOST_WAITS {
        text += ", and so on";
    }
    Some(text)
}

/// What a policy of one's own never lets run, where nothing more can come: `the policy admits nobody: K3 and K4 never complete`.
fn held_back(trace: &Trace, state: &Snapshot, records: &Records) -> Option<String> {
    // A run with a horizon may end before something comes.
    if trace.scenario().own().is_none() || trace.scenario().horizon().is_some() {
        return None;
    }
    let open = records.ops.iter().enumerate().filter(|(_, op)| op.end.is_none()).map(|(i, _)| trace.op_label(OpId::at(i)));
    let open: Vec<String> = open.collect();
    let mut names: Vec<String> = open.iter().take(MOST_WAITS).cloned().collect();
    if open.len() > MOST_WAITS {
        names.push(format!("{} more", open.len() - MOST_WAITS));
    }
    let is_kept_back = |(i, op): (usize, &OpRecord)| {
        let id = OpId::at(i);
        op.end.is_none() && state.waits_for_launch(trace, id) && !state.own().launches(trace.row_of(id).task)
    };
    let (verb, passes): (&str, &dyn Fn(TaskId) -> bool) = if records.ops.iter().enumerate().any(is_kept_back) {
        ("launches kernels of", &|task| state.own().launches(task))
    } else {
        ("admits", &|task| state.own().admits(task))
    };
    let tasks = (0..trace.scenario().tasks().len()).map(TaskId::at);
    let admitted: Vec<&str> = tasks.filter(|&task| passes(task)).map(|task| trace.scenario().task(task).name.as_str()).collect();
    let who = if admitted.is_empty() { "nobody".to_owned() } else { format!("only {}", all_of(&admitted)) };
    let never = if open.len() == 1 { "never completes" } else { "never complete" };
    Some(format!("the policy {verb} {who}: {} {never}", all_of(&names.iter().map(String::as_str).collect::<Vec<_>>())))
}

fn label(trace: &Trace, what: Stuck) -> String {
    let job = |task: TaskId, job: JobNo| format!("job {} of task \"{}\"", job.0, trace.scenario().task(task).name);
    match what {
        Stuck::Op(op) => trace.op_label(op),
        Stuck::Work(task, no) | Stuck::Job(task, no) => job(task, no),
        Stuck::Call(_, row, no) => trace.call_label(row, no),
        Stuck::Reset(space) => format!("process {}, which the watchdog has reset", trace.space_name(space)),
        Stuck::Never(task, no) => format!("{}, which is never released", job(task, no)),
    }
}
