//! Events: what a wait for one has captured.
//!
//! Depends on the rest of `trace`. Invariants: it follows from the order in which operations are issued; what was captured was
//! launched before. Source: docs/semantics.md, section 3.

use std::collections::BTreeMap;

use super::{Op, kinds_of};
use crate::scenario::{Call, KernelRow, Scenario};
use crate::units::{JobNo, OpId, RowId};

/// What events have captured so far, and what waits for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// By event: the operation behind which it was recorded last.
    last: Vec<Option<OpId>>,
    /// In issue order: an operation, and those that its row's waits have captured.
    waits: Vec<(OpId, Vec<OpId>)>,
    /// The same from the other side: what waits for an operation, in issue order.
    waiters: BTreeMap<OpId, Vec<OpId>>,
    /// What the calls of CPU threads that wait for events have captured.
    calls: BTreeMap<(RowId, JobNo), Vec<OpId>>,
}

impl Events {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self { last: vec![None; scenario.event_count()], waits: Vec::new(), waiters: BTreeMap::new(), calls: BTreeMap::new() }
    }

    /// An operation is issued: its row waits before its first, and records behind its last one.
    pub(super) fn issue(&mut self, scenario: &Scenario, id: OpId, op: Op) {
        if self.last.is_empty() {
            return;
        }
        let row = scenario.row(op.row);
        let is_first = kinds_of(row).next() == Some(op.kind);
        let is_last = kinds_of(row).last() == Some(op.kind);
        if is_first && !row.waits_for.is_empty() {
            let captured = self.captured(row);
            captured.iter().for_each(|captured| self.waiters.entry(*captured).or_default().push(id));
            if !captured.is_empty() {
                self.waits.push((id, captured));
            }
        }
        if let (true, Some(event)) = (is_last, row.records) {
            self.last[event.index()] = Some(id);
        }
    }

    /// What the events that a row names have captured last.
    fn captured(&self, row: &KernelRow) -> Vec<OpId> {
        let mut captured: Vec<OpId> = row.waits_for.iter().filter_map(|event| self.last[event.index()]).collect();
        captured.sort_unstable();
        captured.dedup();
        captured
    }

    /// A call of a CPU thread is made that waits.
    pub(super) fn call(&mut self, scenario: &Scenario, id: RowId, job: JobNo) {
        let row = scenario.row(id);
        if row.call == Call::SynchronizeEvent {
            let captured = self.captured(row);
            self.calls.insert((id, job), captured);
        }
    }

    /// What it waits for.
    pub(super) fn of_call(&self, row: RowId, job: JobNo) -> &[OpId] {
        self.calls.get(&(row, job)).map_or(&[], Vec::as_slice)
    }

    /// What waits for an operation.
    pub(super) fn waiters(&self, captured: OpId) -> &[OpId] {
        self.waiters.get(&captured).map_or(&[], Vec::as_slice)
    }

    /// What an operation waits for.
    pub(super) fn awaited_by(&self, op: OpId) -> &[OpId] {
        self.waits.binary_search_by_key(&op, |(op, _)| *op).map_or(&[], |place| &self.waits[place].1)
    }
}
