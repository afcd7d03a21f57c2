//! Blocks that spin, and cooperative kernels: B2 and R4 read backwards.
//!
//! Depends on `trace` and `record`. Invariant: what has begun and what is complete is counted here anew. Source: docs/semantics.md, section 2.

use std::collections::{BTreeMap, BTreeSet};

use super::{Invariant, Violation};
use crate::record::Records;
use crate::scenario::Reached;
use crate::trace::{Change, OpKind, Step, Trace};
use crate::units::{JobNo, OpId, RowId, Time};

pub(super) fn check(trace: &Trace, records: &Records) -> Vec<Violation> {
    let scenario = trace.scenario();
    if !scenario.has_spins() && !scenario.has_cooperative() {
        return Vec::new();
    }
    let kernels = (0..trace.ops().len()).map(OpId::at).filter(|&op| trace.op(op).kind == OpKind::Kernel);
    let of_row = kernels.map(|op| ((trace.op(op).row, trace.op(op).job), op)).collect();
    let mut book = Book {
        trace,
        of_row,
        begun: vec![0; trace.ops().len()],
        complete: BTreeSet::new(),
        went_on: BTreeMap::new(),
        spun: BTreeSet::new(),
        found: Vec::new(),
    };
    for (i, step) in trace.steps().iter().enumerate() {
        book.step(step, trace.steps().get(i + 1));
    }
    book.spans(records);
    book.together(records);
    book.found
}

struct Book<'a> {
    trace: &'a Trace,
    /// The kernel of a row and a job, once issued.
    of_row: BTreeMap<(RowId, JobNo), OpId>,
    /// Blocks that have begun, by operation.
    begun: Vec<u64>,
    complete: BTreeSet<OpId>,
    /// When the blocks of a kernel that had spun went on.
    went_on: BTreeMap<OpId, Time>,
    /// Blocks that spun.
    spun: BTreeSet<(OpId, u32)>,
    found: Vec<Violation>,
}

impl Book<'_> {
    fn step(&mut self, step: &Step, next: Option<&Step>) {
        let mut due: Vec<OpId> = Vec::new();
        match step.change {
            Change::BlockAssigned { op, block, .. } => {
                if !self.may_go_on(op) {
                    self.spun.insert((op, block));
                }
                self.begun[op.index()] += 1;
                due = self.may_have_waited(op);
            }
            Change::KernelCompleted { op } => {
                self.complete.insert(op);
                due = self.may_have_waited(op);
            }
            Change::SpinEnded { op } => {
                let is_right = self.may_go_on(op) && self.spins(op) && self.went_on.insert(op, step.at).is_none();
                self.expect(is_right, step.at, |t| format!("{} goes on, but not as what it waits for has come to hold", t.op_label(op)));
                // Others may go on by the same block.
                due = self.spinning();
            }
            _ => {}
        }
        let first = due.into_iter().filter(|&op| self.spins(op) && !self.went_on.contains_key(&op) && self.may_go_on(op)).min();
        if let Some(first) = first {
            let follows = next.is_some_and(|next| next.at == step.at && next.change == Change::SpinEnded { op: first });
            let is_cut = next.is_none() && self.trace.cut().is_some();
            self.expect(follows || is_cut, step.at, |t| format!("{} does not go on at once", t.op_label(first)));
        }
    }

    fn may_have_waited(&self, op: OpId) -> Vec<OpId> {
        let info = self.trace.op(op);
        let rows = self.trace.scenario().rows().iter().enumerate();
        let waits = rows.filter(|(i, row)| RowId::at(*i) == info.row || row.spins.flags.iter().any(|&(of, _)| of == info.row));
        waits.filter_map(|(i, _)| self.of_row.get(&(RowId::at(i), info.job)).copied()).collect()
    }

    fn spinning(&self) -> Vec<OpId> {
        self.spun.iter().map(|&(op, _)| op).collect()
    }

    /// Whether blocks of a kernel have spun.
    fn spins(&self, op: OpId) -> bool {
        self.spun.range((op, 0)..=(op, u32::MAX)).next().is_some()
    }

    /// Whether all holds for a kernel that its row names.
    fn may_go_on(&self, op: OpId) -> bool {
        let (row, job) = (self.trace.row_of(op), self.trace.op(op).job);
        let all = |op: OpId| self.begun[op.index()] == self.trace.row_of(op).blocks;
        let holds = |&(of, reached): &(RowId, Reached)| {
            let Some(&other) = self.of_row.get(&(of, job)) else { return false };
            match reached {
                Reached::Begun => self.begun[other.index()] > 0,
                Reached::AllBegun => all(other),
                Reached::Completed => self.complete.contains(&other),
            }
        };
        (!row.spins.barrier || all(op)) && row.spins.flags.iter().all(holds)
    }

    /// The records say of each block how long it spun, if it did.
    fn spans(&mut self, records: &Records) {
        for (i, block) in records.blocks.iter().enumerate() {
            let spun = self.spun.contains(&(block.op, block.block));
            let until = self.went_on.get(&block.op).copied();
            let is_right =
                records.spun(i).map(|spin| (spin.start, spin.end)) == spun.then(|| (block.start, until.unwrap_or(records.end())));
            self.expect(is_right, block.start, |t| format!("{}:{} spun otherwise", t.op_label(block.op), block.block));
        }
    }

    /// R4: blocks of a cooperative kernel are assigned at one instant.
    fn together(&mut self, records: &Records) {
        let mut first: BTreeMap<OpId, (Time, u64)> = BTreeMap::new();
        for block in records.blocks.iter().filter(|block| self.trace.row_of(block.op).cooperative) {
            let entry = first.entry(block.op).or_insert((block.start, 0));
            entry.1 += 1;
            let is_right = entry.0 == block.start;
            self.expect(is_right, block.start, |t| format!("blocks of the cooperative {} are assigned apart", t.op_label(block.op)));
        }
        let is_cut = self.trace.cut().is_some();
        for (op, (at, count)) in first {
            let is_right = count == self.trace.row_of(op).blocks || is_cut;
            self.expect(is_right, at, |t| format!("only {count} blocks of the cooperative {} are assigned", t.op_label(op)));
        }
    }

    fn expect(&mut self, holds: bool, at: Time, what: impl FnOnce(&Trace) -> String) {
        if !holds {
            self.found.push(Violation { invariant: Invariant::Spin, at, what: what(self.trace) });
        }
    }
}
