//! The oracle's dependencies between operations (docs/semantics.md, sections 3 and 8), and why each of them waits (section 10).

use blockstep_sim::trace::OpKind;

use super::{Run, extend};

/// An operation, by kernel row (its place in the table), job and kind.
pub type OpKey = (usize, u64, OpKind);

/// What an issued, incomplete operation is doing or waiting for, in the order of section 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Executing,
    Producer,
    Stream,
    N1,
    N2,
    Graph,
    Event,
    Connection,
    NotLaunched,
    NotResident,
    A2,
    X1,
    R2,
    R3,
    R1,
    R4,
    CopyEngine,
}

impl Run<'_> {
    /// Why an incomplete operation may not join its EE or CE queue.
    pub(super) fn held_back(&self, op: usize) -> Option<Reason> {
        if self.job_waits(op) {
            return Some(Reason::Producer);
        }
        // Earlier launched is earlier in `ops`: an incomplete one is, or stands behind, a stream's head.
        let mut reason = None;
        for earlier in (0..op).filter(|&o| self.ops[o].end.is_none()) {
            let Some(found) = self.must_follow(op, earlier) else { continue };
            reason = Some(reason.map_or(found, |r: Reason| r.min(found)));
        }
        reason
    }

    /// What the events that a row waits for have captured, looking back to their last records.
    pub(super) fn captured(&self, row: usize) -> Vec<usize> {
        let process = |row: usize| self.m.tasks[self.m.rows[row].task].process;
        let captured = |event: &String| {
            let last = (0..self.ops.len()).rev().find(|&op| {
                let o = &self.ops[op];
                let is_last = self.m.kinds(o.row).last() == Some(&o.kind) && self.ends_call(o.row);
                is_last && process(o.row) == process(row) && self.m.rows[self.call_row(o.row)].draft.records.as_ref() == Some(event)
            });
            // Behind a graph: all that had been launched into its stream.
            let is_before = |op: &usize| last.is_some_and(|last| *op <= last && self.launched(*op) == self.launched(last));
            (0..self.ops.len()).filter(is_before).filter(|&op| self.home(op) == self.m.rows[row].home).collect::<Vec<usize>>()
        };
        self.m.rows[row].draft.waits_for.iter().flat_map(captured).collect()
    }

    /// Why an operation may not move on while this incomplete one, which was launched earlier, is there.
    pub(super) fn must_follow(&self, op: usize, earlier: usize) -> Option<Reason> {
        if self.home(op) != self.home(earlier) {
            return None;
        }
        let by_connection = || self.is_behind_in_connection(op, earlier).then_some(Reason::Connection);
        let is_blocking = [op, earlier].iter().all(|&o| !self.m.rows[self.ops[o].row].is_non_blocking);
        match (self.stream(op), self.stream(earlier)) {
            (mine, other) if mine == other => Some(Reason::Stream),
            (None, Some(_)) if is_blocking => Some(Reason::N1),
            (Some(_), None) if is_blocking => Some(Reason::N2),
            _ if self.launched(op) == self.launched(earlier) => {
                self.is_behind_by_graph(op, earlier).then_some(Reason::Graph).or_else(by_connection)
            }
            _ if self.ops[op].captured.contains(&earlier) => Some(Reason::Event),
            _ => by_connection(),
        }
    }

    /// Whether a producer's job of the same number has not supplied.
    pub(super) fn job_waits(&self, op: usize) -> bool {
        let job = &self.jobs[self.ops[op].job];
        self.producers_missing(job.task, job.no)
    }

    pub(super) fn producers_missing(&self, task: usize, no: u64) -> bool {
        !self.m.tasks[task].producers.iter().all(|&p| self.has_supplied(p, no))
    }

    /// Whether a job is released and its operations are complete; of one without operations, whether its producers have supplied.
    pub(super) fn has_supplied(&self, task: usize, no: u64) -> bool {
        let Some(job) = (0..self.jobs.len()).find(|&j| self.jobs[j].task == task && self.jobs[j].no == no) else { return false };
        let with_operations: Vec<usize> = self.m.tasks[task].rows.iter().copied().filter(|&r| !self.m.kinds(r).is_empty()).collect();
        if with_operations.is_empty() {
            !self.producers_missing(task, no)
        } else {
            with_operations.iter().all(|&r| self.row_end(job, r).is_some())
        }
    }

    pub(super) fn home(&self, op: usize) -> usize {
        self.m.rows[self.ops[op].row].home
    }

    pub(super) fn space(&self, op: usize) -> usize {
        self.m.rows[self.ops[op].row].space
    }

    pub(super) fn stream(&self, op: usize) -> Option<&(usize, String)> {
        self.m.rows[self.ops[op].row].stream.as_ref()
    }

    /// The stream into which an operation was launched.
    pub(super) fn launched(&self, op: usize) -> Option<&(usize, String)> {
        self.m.rows[self.ops[op].row].launched.as_ref()
    }

    /// Moves the clock; what everything does from now until then is accounted for.
    pub(super) fn account_until(&mut self, then: u64) {
        for op in 0..self.ops.len() {
            if self.ops[op].end.is_none() && then > self.now {
                let key = (self.ops[op].row, self.jobs[self.ops[op].job].no, self.ops[op].kind);
                let reason = self.reason(op);
                *self.reasons.get_mut(&key).unwrap().entry(reason).or_default() += then - self.now;
            }
        }
        for i in 0..self.assigned.len() {
            if then > self.now && self.executes(&self.assigned[i]) {
                if !self.spins(&self.assigned[i]) {
                    self.assigned[i].left -= then - self.now;
                }
                extend(&mut self.assigned[i].runs, self.now, then);
            }
        }
        self.turns_until(then);
        self.now = then;
    }

    pub(super) fn reason(&self, op: usize) -> Reason {
        if self.assigned.iter().any(|a| a.op == op && self.executes(a)) {
            return Reason::Executing;
        }
        if let Some(reason) = self.held_back(op) {
            assert!(self.ops[op].joined.is_none());
            return reason;
        }
        if self.waits_for_launch(op) {
            return Reason::NotLaunched;
        }
        assert!(self.ops[op].joined.is_some());
        let space = self.space(op);
        // A kernel that is finished while its process drains does not wait for the process.
        let finishes = |op: usize| self.assigning() == Some((space, true)) && self.blocks_assigned(op) > 0;
        let is_last = self.ops[op].kind == OpKind::Kernel && finishes(op);
        if self.assigning() != Some((space, false)) && !is_last {
            return Reason::NotResident;
        }
        if self.ops[op].kind != OpKind::Kernel {
            return Reason::CopyEngine;
        }
        let is_high = self.m.rows[self.ops[op].row].is_high;
        if !is_high && self.kernel_queue(space, true).first().is_some_and(|&head| !is_last || finishes(head)) {
            return Reason::A2;
        }
        if self.kernel_queue(space, is_high)[0] != op {
            return Reason::X1;
        }
        let fits: Vec<_> = (0..usize::try_from(self.m.device.sms).unwrap()).map(|sm| self.fits(op, sm)).collect();
        if fits.contains(&[true; 3]) {
            assert!(!self.has_room_for_all(op), "a block that fits is assigned at once");
            Reason::R4
        } else if fits.iter().all(|f| !f[0]) {
            Reason::R2
        } else if fits.iter().all(|f| !(f[0] && f[1])) {
            Reason::R3
        } else {
            Reason::R1
        }
    }
}
