//! What hangs (docs/semantics.md, section 9): what is left when all that may still go on is left out.
//!
//! Everything that may come to be is put into one set, which grows until nothing more comes. Of what is not issued yet that is more than can
//! come to be: once it may be issued it counts as done.

use std::collections::BTreeSet;

use blockstep_sim::scenario::{Call, KernelDraft, Release};
use blockstep_sim::trace::OpKind;

use super::Run;
use super::waits::Reason;

/// What may come to be. Operations, blocks and jobs by their places in the lists of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum May {
    Join(usize),
    GetABlock(usize),
    GetAllBlocks(usize),
    Complete(usize),
    /// An assigned block or copy goes on.
    GoOn(usize),
    /// A row of a job is issued, or its call made.
    BeIssued(usize, usize),
    /// A row of a job is complete.
    EndRow(usize, usize),
    /// A task releases the job of this number.
    Release(usize, u64),
    /// The work of a task's job of this number is complete.
    Supply(usize, u64),
}

impl Run<'_> {
    /// Whether something that is issued is left.
    pub(super) fn hangs(&self) -> bool {
        let mut set = BTreeSet::new();
        loop {
            let before = set.len();
            for what in self.everything() {
                if self.may(what, &set) {
                    set.insert(what);
                }
            }
            if set.len() == before {
                break;
            }
        }
        let never = |op: usize| self.ops[op].end.is_none() && !set.contains(&May::Complete(op));
        (0..self.ops.len()).any(never)
    }

    fn everything(&self) -> Vec<May> {
        let mut list = vec![];
        for op in 0..self.ops.len() {
            list.extend([May::Join(op), May::GetABlock(op), May::GetAllBlocks(op), May::Complete(op)]);
        }
        list.extend((0..self.assigned.len()).map(May::GoOn));
        for (job, j) in self.jobs.iter().enumerate() {
            list.extend(self.m.tasks[j.task].rows.iter().flat_map(|&row| [May::BeIssued(job, row), May::EndRow(job, row)]));
        }
        let most = self.jobs.iter().map(|job| job.no + 1).max().unwrap_or(1);
        let numbers = (0..self.m.tasks.len()).flat_map(|task| (0..=most).map(move |no| (task, no)));
        list.extend(numbers.flat_map(|(task, no)| [May::Release(task, no), May::Supply(task, no)]));
        list
    }

    fn may(&self, what: May, set: &BTreeSet<May>) -> bool {
        let may = |what: May| set.contains(&what);
        match what {
            May::Join(op) => {
                let o = &self.ops[op];
                let job = &self.jobs[o.job];
                let lets = |earlier: usize| match self.must_follow(op, earlier).filter(|_| self.ops[earlier].end.is_none()) {
                    None => true,
                    Some(Reason::Connection) => may(May::Join(earlier)),
                    Some(_) => may(May::Complete(earlier)),
                };
                let has_work = self.m.tasks[job.task].producers.iter().all(|&p| may(May::Supply(p, job.no)));
                o.joined.is_some() || o.end.is_some() || has_work && (0..op).all(lets)
            }
            May::GetABlock(op) => self.blocks_assigned(op) > 0 || self.may_get_another(op, set),
            May::GetAllBlocks(op) => {
                let count = self.m.rows[self.ops[op].row].times.len();
                let left = count.saturating_sub(self.blocks_assigned(op));
                left == 0 || self.may_get_another(op, set) && (self.may_stop_spinning(op, set) || self.fit_beside(op, set) >= left)
            }
            May::Complete(op) => {
                let mut blocks = (0..self.assigned.len()).filter(|&i| self.assigned[i].op == op);
                let is_copy = self.ops[op].kind != OpKind::Kernel;
                let gets_all =
                    if is_copy { may(May::GetABlock(op)) } else { may(May::GetAllBlocks(op)) && self.may_stop_spinning(op, set) };
                self.ops[op].end.is_some() || gets_all && blocks.all(|i| may(May::GoOn(i)))
            }
            May::GoOn(i) => {
                let a = &self.assigned[i];
                a.end.is_some() || !self.is_reset(a.op) && self.may_stop_spinning(a.op, set)
            }
            May::BeIssued(job, row) => self.may_be_issued(job, row, set),
            May::EndRow(job, row) => {
                let nodes = self.nodes(row);
                let issued = (0..self.ops.len()).filter(|&op| self.ops[op].job == job && self.ops[op].row == row);
                let call = self.calls.iter().find(|call| call.job == job && call.row == row);
                let returns = call.is_none_or(|call| call.awaits.iter().all(|&op| may(May::Complete(op))));
                may(May::BeIssued(job, row))
                    && nodes.into_iter().all(|node| may(May::EndRow(job, node)))
                    && issued.into_iter().all(|op| may(May::Complete(op)))
                    && (returns || !self.m.kinds(row).is_empty())
            }
            May::Release(task, no) => {
                let t = &self.m.tasks[task].draft;
                let released = |no: u64| self.jobs.iter().position(|job| job.task == task && job.no == no);
                let previous_ends = |no: u64| match released(no) {
                    Some(job) => self.jobs[job].end.is_some() || self.m.tasks[task].rows.iter().all(|&row| may(May::EndRow(job, row))),
                    None => may(May::Release(task, no)),
                };
                let is_one = match t.release {
                    Release::Once => no == 0,
                    _ => t.jobs.is_none_or(|jobs| no < jobs),
                };
                let comes = t.release != Release::Continuous || no == 0 || previous_ends(no - 1);
                released(no).is_some() || is_one && comes
            }
            May::Supply(task, no) => {
                let rows: Vec<usize> = self.m.tasks[task].rows.iter().copied().filter(|&row| !self.m.kinds(row).is_empty()).collect();
                let has_work = || self.m.tasks[task].producers.iter().all(|&p| may(May::Supply(p, no)));
                let job = self.jobs.iter().position(|job| job.task == task && job.no == no);
                may(May::Release(task, no))
                    && (!rows.is_empty() || has_work())
                    && rows.iter().all(|&row| job.is_none_or(|job| may(May::EndRow(job, row))))
            }
        }
    }

    fn is_reset(&self, op: usize) -> bool {
        self.turns.reset.contains(&self.m.channels.all[self.space(op)].0)
    }

    /// Whether all may come to hold that the blocks of an operation spin for.
    fn may_stop_spinning(&self, op: usize, set: &BTreeSet<May>) -> bool {
        let k = &self.m.rows[self.ops[op].row].draft;
        let no = self.jobs[self.ops[op].job].no;
        let may_be = |names: &[String], what: fn(usize) -> May| {
            names.iter().all(|name| {
                let row = self.m.rows.iter().position(|row| row.draft.name == *name).unwrap();
                let of =
                    |op: &usize| self.ops[*op].row == row && self.ops[*op].kind == OpKind::Kernel && self.jobs[self.ops[*op].job].no == no;
                let job = self.jobs.iter().position(|job| job.task == self.m.rows[row].task && job.no == no);
                match ((0..self.ops.len()).find(of), job) {
                    (Some(other), _) => set.contains(&what(other)),
                    (None, Some(job)) => set.contains(&May::BeIssued(job, row)),
                    (None, None) => set.contains(&May::Release(self.m.rows[row].task, no)),
                }
            })
        };
        let KernelDraft { until_begun, until_all_begun, until_completed, .. } = k;
        self.ops[op].kind != OpKind::Kernel
            || (!k.barrier || set.contains(&May::GetAllBlocks(op)))
                && may_be(until_begun, May::GetABlock)
                && may_be(until_all_begun, May::GetAllBlocks)
                && may_be(until_completed, May::Complete)
    }

    /// Whether a block more may be assigned, or the copy.
    fn may_get_another(&self, op: usize, set: &BTreeSet<May>) -> bool {
        if self.is_reset(op) || !set.contains(&May::Join(op)) {
            return false;
        }
        let space = self.space(op);
        if self.ops[op].kind != OpKind::Kernel {
            let engine = self.engine(op);
            let is_on = |a: &&super::Assigned| self.ops[a.op].kind != OpKind::Kernel && self.engine(a.op) == engine && a.end.is_none();
            let on_engine = self.assigned.iter().filter(is_on).map(|a| a.op).filter(|&other| self.space(other) == space);
            let ahead = self.copy_queue(space, engine).into_iter().take_while(|&other| other != op);
            return ahead.chain(on_engine).all(|other| set.contains(&May::Complete(other)));
        }
        let is_high = self.m.rows[self.ops[op].row].is_high;
        let high = if is_high { vec![] } else { self.kernel_queue(space, true) };
        let ahead = self.kernel_queue(space, is_high).into_iter().take_while(|&other| other != op);
        let has_turn = high.into_iter().chain(ahead).all(|other| set.contains(&May::GetAllBlocks(other)));
        let row = &self.m.rows[self.ops[op].row];
        let together = if row.draft.cooperative && self.blocks_assigned(op) == 0 { row.times.len() } else { 1 };
        has_turn && self.fit_beside(op, set) >= together
    }

    /// How many blocks of a kernel fit beside those of its space that may not go on.
    fn fit_beside(&self, op: usize, set: &BTreeSet<May>) -> usize {
        let mut run = self.clone();
        for i in (0..run.assigned.len()).filter(|&i| set.contains(&May::GoOn(i))) {
            run.assigned[i].end.get_or_insert(self.now);
        }
        run.room(op)
    }

    /// Whether a row of a released job may be issued, or its call made.
    fn may_be_issued(&self, job: usize, row: usize, set: &BTreeSet<May>) -> bool {
        let is_issued = |row: usize| {
            let issued = |kind: &OpKind| self.ops.iter().any(|o| o.job == job && o.row == row && o.kind == *kind);
            let kinds = self.m.kinds(row);
            if kinds.is_empty() { self.calls.iter().any(|call| call.job == job && call.row == row) } else { kinds.iter().all(issued) }
        };
        let call = self.call_row(row);
        let r = &self.m.rows[call];
        let task = &self.m.tasks[self.jobs[job].task];
        // The thread gets there only if the calls before it return; one that is not made yet may.
        let waits = |other: usize| self.m.rows[other].draft.call != Call::LaunchGraph;
        let before = |other: usize, earlier: usize| self.call_row(earlier) == earlier && (other < job || other == job && earlier < call);
        let thread_comes = || {
            (0..=job).filter(|&other| self.jobs[other].task == self.jobs[job].task).all(|other| {
                let mut rows = task.rows.iter().copied().filter(|&earlier| before(other, earlier));
                rows.all(|earlier| match self.calls.iter().find(|made| made.job == other && made.row == earlier) {
                    Some(made) => made.awaits.iter().all(|&op| set.contains(&May::Complete(op))),
                    None => set.contains(&May::BeIssued(other, earlier)) && (waits(earlier) || !self.nodes(earlier).is_empty()),
                })
            })
        };
        let after = r.after.is_none_or(|after| set.contains(&May::EndRow(job, after)));
        is_issued(row) || after && (!task.calls_in_turn || thread_comes())
    }
}
