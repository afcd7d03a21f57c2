//! A second simulator, as naive as possible, written from docs/semantics.md, sections 1 to 10 and 14, alone.
//! The engine is compared with it (`differential`).
//!
//! Depends on the input types, and where a policy is a text on the interpreter of it. Nothing is kept that can be found by scanning: a
//! stream queue is "the incomplete operations of the stream", an EE queue is "the kernels that joined it and have unassigned blocks".
//! Whose turn it is stands in `turns`, why something waits in `waits`. Invariant: of every operation, execution time and waiting times add
//! up to the response time.

mod chain;
mod channels;
mod connections;
mod edf;
mod graphs;
mod hangs;
mod host;
mod model;
mod own;
mod places;
mod signals;
mod spins;
mod trace;
mod turns;
mod vary;
mod waits;

use std::collections::BTreeMap;

use blockstep_sim::scenario::{BlockEnds, Draft, Release};
use blockstep_sim::trace::OpKind;

use model::Model;
use turns::Turns;

pub use trace::{OracleBlock, OracleCopy, OracleJob, OracleKernel, OracleStay, OracleTrace};
pub use waits::{OpKey, Reason};

/// Simulates a valid draft.
pub fn simulate(draft: &Draft) -> OracleTrace {
    let model = Model::new(draft);
    let mut run = run(&model);
    run.finish();
    run.trace(draft)
}

fn run(model: &Model) -> Run<'_> {
    Run {
        m: model,
        now: 0,
        jobs: vec![],
        ops: vec![],
        calls: vec![],
        signals: vec![],
        assigned: vec![],
        joins: 0,
        last_sm: BTreeMap::new(),
        turns: Turns::new(model),
        reasons: BTreeMap::new(),
    }
}

// ---- State ----

#[derive(Clone)]
struct Run<'m> {
    m: &'m Model,
    now: u64,
    /// In order of release.
    jobs: Vec<Job>,
    /// In issue order.
    ops: Vec<Op>,
    /// Calls that were made one after another.
    calls: Vec<host::Made>,
    /// Every signal to the RunList Manager, in order of sending.
    signals: Vec<signals::Sent>,
    /// Blocks and copies in order of assignment.
    assigned: Vec<Assigned>,
    /// How many operations have joined an EE or CE queue.
    joins: usize,
    /// By address space.
    last_sm: BTreeMap<usize, usize>,
    turns: Turns,
    reasons: BTreeMap<OpKey, BTreeMap<Reason, u64>>,
}

#[derive(Clone)]
struct Job {
    task: usize,
    no: u64,
    release: u64,
    end: Option<u64>,
}

#[derive(Clone)]
struct Op {
    row: usize,
    /// Place in `Run::jobs`.
    job: usize,
    kind: OpKind,
    /// Places in `Run::ops` of what the events had captured that its row waits for.
    captured: Vec<usize>,
    issued: u64,
    /// When it joined its EE or CE queue, and as which of all that ever did.
    joined: Option<(u64, usize)>,
    end: Option<u64>,
}

#[derive(Clone)]
struct Assigned {
    op: usize,
    /// Block number; 0 for copies.
    block: usize,
    /// SM or copy engine.
    place: usize,
    start: u64,
    /// How long it has yet to execute, once it does not spin any more.
    left: u64,
    end: Option<u64>,
    /// When it executed.
    runs: Vec<(u64, u64)>,
}

// ---- Section 4: what happens at one instant ----

impl Run<'_> {
    fn finish(&mut self) {
        while let Some(next) = self.next_instant().filter(|&t| self.m.horizon.is_none_or(|end| t <= end)) {
            assert!(next > self.now || self.jobs.is_empty(), "an instant is applied once");
            self.account_until(next);
            self.instant();
            if self.turns.own.failed.is_some() {
                return;
            }
        }
        let end = self.m.horizon.unwrap_or(self.now);
        self.account_until(end);
    }

    /// The next instant at which something completes, is released or is issued.
    fn next_instant(&self) -> Option<u64> {
        self.next_of_work().into_iter().chain(self.timers()).min()
    }

    /// The same without timers.
    fn next_of_work(&self) -> Option<u64> {
        let completions = self.assigned.iter().filter(|a| self.executes(a) && !self.spins(a)).map(|a| self.now + a.left);
        let releases = (0..self.m.tasks.len()).filter_map(|task| self.next_release(task));
        let issues = self.to_issue().into_iter().map(|(at, ..)| at);
        completions.chain(releases).chain(issues).min()
    }

    fn instant(&mut self) {
        let was_busy: Vec<bool> = (0..self.m.claimants.len()).map(|of| self.is_claiming(of)).collect();
        // Step 1.
        for i in 0..self.assigned.len() {
            if self.assigned[i].end.is_none() && self.assigned[i].left == 0 {
                self.complete(i);
                if self.m.block_ends == BlockEnds::OneByOne && self.ops[self.assigned[i].op].kind == OpKind::Kernel {
                    self.assign_what_fits();
                }
                self.promote();
            }
        }
        // Step 2.
        self.end_switch();
        // Step 3.
        loop {
            for task in 0..self.m.tasks.len() {
                if self.next_release(task) == Some(self.now) {
                    let no = self.jobs.iter().filter(|j| j.task == task).count() as u64;
                    self.jobs.push(Job { task, no, release: self.now, end: None });
                    self.promote();
                }
            }
            let mut issues = self.to_issue();
            issues.retain(|&(at, ..)| at == self.now);
            let first = issues.into_iter().min_by_key(|&(_, row, kind, job)| (row, kind, self.jobs[job].no));
            let Some((_, row, kind, job)) = first else { break };
            let Some(kind) = kind else {
                self.make_call(row, job);
                continue;
            };
            let task = self.jobs[job].task;
            let of = self.m.rows[row].claimant;
            let is_first = !(0..self.ops.len()).any(|op| self.is_of(op, of, job));
            if !self.is_claiming(of) && (is_first || !was_busy[of]) {
                self.arrival(of);
            }
            let is_first = self.m.kinds(row)[0] == kind && (self.call_row(row) == row || self.m.rows[row].draft.waits_for.is_empty());
            let captured = if is_first { self.captured(self.call_row(row)) } else { vec![] };
            self.ops.push(Op { row, job, kind, captured, issued: self.now, joined: None, end: None });
            self.reasons.insert((row, self.jobs[job].no, kind), BTreeMap::new());
            self.promote();
            if self.m.tasks[task].calls_in_turn && self.m.kinds(row).last() == Some(&kind) && self.ends_call(row) {
                self.make_call(self.call_row(row), job);
            }
        }
        // Step 4.
        self.context();
        // Step 5.
        self.assign_what_fits();
    }

    fn assign_what_fits(&mut self) {
        let Some((space, is_last)) = self.assigning() else { return };
        for engine in 0..self.engines() {
            if is_last {
                break;
            }
            let holds = |a: &&Assigned| a.end.is_none() && a.place == engine && self.ops[a.op].kind != OpKind::Kernel;
            let idle = !self.assigned.iter().filter(holds).any(|a| self.space(a.op) == space);
            if let (true, Some(&op)) = (idle, self.copy_queue(space, engine).first()) {
                let row = &self.m.rows[self.ops[op].row];
                let time = if self.ops[op].kind == OpKind::CopyIn { row.copy_in } else { row.copy_out };
                self.assign(op, 0, engine, time.unwrap());
            }
        }
        loop {
            // The head of the highest queue; of a process that finishes what it has begun, such a kernel.
            let heads = [true, false].into_iter().filter_map(|is_high| self.kernel_queue(space, is_high).first().copied());
            let Some(op) = heads.into_iter().find(|&op| !is_last || self.blocks_assigned(op) > 0) else { break };
            let Some(sm) = self.place(op) else { break };
            let block = self.blocks_assigned(op);
            let row = self.ops[op].row;
            let longer = vary::draw(self.m.seed, row as u64, self.jobs[self.ops[op].job].no, self.m.rows[row].most);
            self.assign(op, block, sm, self.m.rows[row].times[block] + longer);
            self.last_sm.insert(space, sm);
        }
    }

    /// When a task releases its next job, if that is known.
    fn next_release(&self, task: usize) -> Option<u64> {
        let t = &self.m.tasks[task].draft;
        let released: Vec<&Job> = self.jobs.iter().filter(|j| j.task == task).collect();
        let count = released.len() as u64;
        let limit = if t.release == Release::Once { Some(1) } else { t.jobs };
        if limit.is_some_and(|limit| count >= limit) {
            return None;
        }
        match (t.release, released.last()) {
            (_, None) => Some(t.offset_ns),
            (Release::Once, Some(_)) => None,
            (Release::Periodic, Some(_)) => Some(t.offset_ns + count * t.period_ns.unwrap()),
            (Release::Continuous, Some(previous)) => previous.end,
        }
    }

    /// Operations that will be issued at an instant already known: when, row, kind, job. A call without one has no kind.
    fn to_issue(&self) -> Vec<(u64, usize, Option<OpKind>, usize)> {
        let mut list = vec![];
        for task in 0..self.m.tasks.len() {
            list.extend(self.next_call(task));
        }
        for (job, j) in self.jobs.iter().enumerate().filter(|(_, j)| !self.m.tasks[j.task].calls_in_turn) {
            for &row in &self.m.tasks[j.task].rows {
                let from = match self.m.rows[row].after {
                    None => Some(j.release),
                    Some(earlier) => self.row_end(job, earlier),
                };
                if let Some(from) = from {
                    let at = from + self.m.rows[row].draft.start_ns;
                    let is_issued = |kind: &OpKind| self.ops.iter().any(|o| o.job == job && o.row == row && o.kind == *kind);
                    list.extend(self.m.kinds(row).into_iter().filter(|kind| !is_issued(kind)).map(|kind| (at, row, Some(kind), job)));
                }
            }
        }
        list
    }

    /// When every operation of a row had completed in a job; of a call without one, when it returned; of a graph, when its nodes had.
    fn row_end(&self, job: usize, row: usize) -> Option<u64> {
        let nodes = self.nodes(row);
        if !nodes.is_empty() {
            let ends: Option<Vec<u64>> = nodes.into_iter().map(|node| self.row_end(job, node)).collect();
            return ends?.into_iter().max();
        }
        if self.m.kinds(row).is_empty() {
            return self.calls.iter().find(|call| call.job == job && call.row == row)?.returned;
        }
        let ends: Vec<u64> = self.ops.iter().filter(|o| o.job == job && o.row == row).filter_map(|o| o.end).collect();
        if ends.len() == self.m.kinds(row).len() { ends.into_iter().max() } else { None }
    }

    /// Ends a block or copy, and with it perhaps its kernel and its job (G4, C4).
    fn complete(&mut self, i: usize) {
        self.assigned[i].end = Some(self.now);
        let op = self.assigned[i].op;
        let row = self.ops[op].row;
        let done = self.assigned.iter().filter(|a| a.op == op && a.end.is_some()).count();
        if self.ops[op].kind == OpKind::Kernel && done < self.m.rows[row].times.len() {
            return;
        }
        self.ops[op].end = Some(self.now);
        self.note_kernel(op);
        self.return_calls();
        self.complete_jobs();
    }

    /// Jobs with operations, all of which are complete, are.
    fn complete_jobs(&mut self) {
        for job in 0..self.jobs.len() {
            let rows = &self.m.tasks[self.jobs[job].task].rows;
            let has_operations = rows.iter().any(|&r| !self.m.kinds(r).is_empty());
            if self.jobs[job].end.is_none() && has_operations && rows.iter().all(|&r| self.row_end(job, r).is_some()) {
                self.jobs[job].end = Some(self.now);
            }
        }
    }

    /// Whether a task has an issued, incomplete operation.
    fn is_busy(&self, task: usize) -> bool {
        self.ops.iter().any(|o| self.jobs[o.job].task == task && o.end.is_none())
    }

    /// Whether a claimant has an issued, incomplete operation.
    fn is_claiming(&self, of: usize) -> bool {
        self.ops.iter().any(|o| self.m.rows[o.row].claimant == of && o.end.is_none())
    }

    /// A job without operations completes when it is released, its calls have returned and its producer jobs have supplied.
    fn complete_empty_jobs(&mut self) {
        let is_due = |run: &Self, j: &usize| {
            let job = &run.jobs[*j];
            let rows = &run.m.tasks[job.task].rows;
            let is_called = rows.iter().all(|&r| run.m.kinds(r).is_empty() && run.row_end(*j, r).is_some());
            job.end.is_none() && is_called && !run.producers_missing(job.task, job.no)
        };
        while let Some(job) = (0..self.jobs.len()).find(|j| is_due(self, j)) {
            self.jobs[job].end = Some(self.now);
        }
    }

    /// G2, C1, A1 under N1, N2 and section 8.
    fn promote(&mut self) {
        self.complete_empty_jobs();
        for op in 0..self.ops.len() {
            let o = &self.ops[op];
            if o.end.is_none() && o.joined.is_none() && !self.is_gated(op) && self.held_back(op).is_none() {
                self.join(op);
            }
        }
    }

    fn join(&mut self, op: usize) {
        self.ops[op].joined = Some((self.now, self.joins));
        self.joins += 1;
        self.note_kernel(op);
    }
}

/// Adds an interval of positive length, joined to the last one if that ends there.
fn extend(list: &mut Vec<(u64, u64)>, from: u64, until: u64) {
    match list.last_mut() {
        Some(last) if last.1 == from => last.1 = until,
        _ => list.push((from, until)),
    }
}
