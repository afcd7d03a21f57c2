//! Events: what a wait for one has captured.
//!
//! Depends on the rest of `trace`. Invariants: it follows from the order in which operations are issued; what was captured was
//! launched before. Source: docs/semantics.md, section 3.

use std::collections::BTreeMap;

use super::{Op, OpKind};
use crate::scenario::Scenario;
use crate::units::OpId;

/// What events have captured so far, and what waits for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// By event: the operation behind which it was recorded last.
    last: Vec<Option<OpId>>,
    /// In issue order: an operation, and those that its row's waits have captured.
    waits: Vec<(OpId, Vec<OpId>)>,
    /// The same from the other side: what waits for an operation, in issue order.
    waiters: BTreeMap<OpId, Vec<OpId>>,
}

impl Events {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self { last: vec![None; scenario.event_count()], waits: Vec::new(), waiters: BTreeMap::new() }
    }

    /// An operation is issued: its row waits before its first, and records behind its last one.
    pub(super) fn issue(&mut self, scenario: &Scenario, id: OpId, op: Op) {
        if self.last.is_empty() {
            return;
        }
        let row = scenario.row(op.row);
        let is_first = op.kind == OpKind::CopyIn || op.kind == OpKind::Kernel && row.copy_in.is_none();
        let is_last = op.kind == OpKind::CopyOut || op.kind == OpKind::Kernel && row.copy_out.is_none();
        if is_first {
            let mut captured: Vec<OpId> = row.waits_for.iter().filter_map(|event| self.last[event.index()]).collect();
            captured.sort_unstable();
            captured.dedup();
            captured.iter().for_each(|captured| self.waiters.entry(*captured).or_default().push(id));
            if !captured.is_empty() {
                self.waits.push((id, captured));
            }
        }
        if let (true, Some(event)) = (is_last, row.records) {
            self.last[event.index()] = Some(id);
        }
    }

    /// What waits for an operation.
    pub(super) fn waiters(&self, captured: OpId) -> &[OpId] {
        self.waiters.get(&captured).map_or(&[], Vec::as_slice)
    }

    /// What an operation waits for.
    pub(super) fn of(&self, op: OpId) -> &[OpId] {
        self.waits.binary_search_by_key(&op, |(op, _)| *op).map_or(&[], |place| &self.waits[place].1)
    }
}
