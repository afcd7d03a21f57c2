//! The oracle's CPU threads (docs/semantics.md, section 2): which call comes next, when, and how long it waits.

use blockstep_sim::scenario::{Call, DefaultStream, Draft, KernelDraft, NULL_STREAM, TaskDraft};
use blockstep_sim::trace::OpKind;

use super::Run;

/// A call that was made.
#[derive(Clone)]
pub(super) struct Made {
    /// Place in `Run::jobs`.
    pub(super) job: usize,
    pub(super) row: usize,
    /// Places in `Run::ops` of what it waits for.
    pub(super) awaits: Vec<usize>,
    pub(super) returned: Option<u64>,
}

/// Whether a row makes its task one that makes its calls one after another.
pub(super) fn is_call_in_turn(k: &KernelDraft) -> bool {
    k.call_ns.is_some() || waits(k) || k.call == Call::LaunchGraph
}

fn has_operation(k: &KernelDraft) -> bool {
    matches!(k.call, Call::Kernel | Call::CopyToDevice | Call::CopyToHost | Call::CopyOnDevice | Call::Memset)
}

fn waits(k: &KernelDraft) -> bool {
    !has_operation(k) && k.call != Call::LaunchGraph || k.synchronous && matches!(k.call, Call::CopyToDevice | Call::CopyToHost)
}

/// The name of the stream that a row of a task uses.
pub(super) fn stream_of(draft: &Draft, task: &TaskDraft, process: usize, k: &KernelDraft) -> String {
    let is_per_thread = draft.processes.get(process).is_some_and(|p| p.default_stream == DefaultStream::PerThread);
    match k.stream == NULL_STREAM || k.synchronous && has_operation(k) {
        true if is_per_thread => format!("default of {}", task.name),
        true => NULL_STREAM.to_owned(),
        false => k.stream.clone(),
    }
}

/// Whether a row's stream is one that is used.
pub(super) fn uses_stream(k: &KernelDraft) -> bool {
    k.graph.is_none() && (has_operation(k) || matches!(k.call, Call::SynchronizeStream | Call::LaunchGraph))
}

impl Run<'_> {
    /// The next call of a task's thread, if it is known when it is made: what it issues, or that it only waits.
    pub(super) fn next_call(&self, task: usize) -> Vec<(u64, usize, Option<OpKind>, usize)> {
        let t = &self.m.tasks[task];
        let mut free = 0;
        for job in (0..self.jobs.len()).filter(|&job| t.calls_in_turn && self.jobs[job].task == task) {
            for &row in t.rows.iter().filter(|&&row| self.call_row(row) == row) {
                if let Some(call) = self.calls.iter().find(|call| call.job == job && call.row == row) {
                    let Some(returned) = call.returned else { return vec![] };
                    free = returned;
                    continue;
                }
                let r = &self.m.rows[row];
                let from = match r.after {
                    None => Some(self.jobs[job].release),
                    Some(earlier) => self.row_end(job, earlier),
                };
                let Some(from) = from else { return vec![] };
                let at = free.max(from + r.draft.start_ns) + r.draft.call_ns.or(t.draft.call_ns).unwrap_or(0);
                let issues: Vec<usize> = if r.draft.call == Call::LaunchGraph { self.nodes(row) } else { vec![row] };
                let issues = issues.into_iter().flat_map(|row| self.m.kinds(row).into_iter().map(move |kind| (row, kind)));
                let issues: Vec<(usize, OpKind)> = issues.collect();
                if issues.is_empty() {
                    return vec![(at, row, None, job)];
                }
                let is_issued = |row: usize, kind: OpKind| self.ops.iter().any(|o| o.job == job && o.row == row && o.kind == kind);
                let left = issues.into_iter().filter(|&(row, kind)| !is_issued(row, kind));
                return left.map(|(row, kind)| (at, row, Some(kind), job)).collect();
            }
        }
        vec![]
    }

    /// A call is made; what it waits for was issued before.
    pub(super) fn make_call(&mut self, row: usize, job: usize) {
        let r = &self.m.rows[row];
        let is_awaited = |op: usize| match r.draft.call {
            _ if !waits(&r.draft) => false,
            Call::SynchronizeStream => self.space(op) == r.space && self.launched(op) == r.launched.as_ref(),
            Call::SynchronizeEvent => self.captured(row).contains(&op),
            Call::SynchronizeDevice | Call::Allocate | Call::Free => self.home(op) == r.home,
            _ => self.ops[op].row == row && self.ops[op].job == job,
        };
        let awaits = (0..self.ops.len()).filter(|&op| self.ops[op].end.is_none() && is_awaited(op)).collect();
        self.calls.push(Made { job, row, awaits, returned: None });
        self.return_calls();
        self.complete_jobs();
        self.promote();
    }

    /// Whether a job's thread waits in a call of it.
    pub(super) fn waits_in_call(&self, job: usize) -> bool {
        self.calls.iter().any(|call| call.job == job && call.returned.is_none())
    }

    /// Calls return that wait for nothing more.
    pub(super) fn return_calls(&mut self) {
        for call in self.calls.iter_mut().filter(|call| call.returned.is_none()) {
            if call.awaits.iter().all(|&op| self.ops[op].end.is_some()) {
                call.returned = Some(self.now);
            }
        }
    }
}
