//! Whose turn it is: entries of the runlist, and whom a policy of one's own admits.
//!
//! Depends on its parent. Invariant: of such a policy only what the trace says of its decisions is known here.

use super::Book;
use crate::check::Invariant;
use crate::scenario::Preemption;
use crate::trace::{OpKind, Rule};
use crate::units::{OpId, SpaceId, StreamId};

impl Book<'_> {
    /// Nobody with work stands between the runlist's pointer and the entry that the Host serves.
    pub(super) fn visited(&mut self, space: SpaceId, entry: u64) {
        let list = self.trace.scenario().runlist();
        let joined = |stream: &StreamId| self.streams[stream.index()].front().is_some_and(|op| self.ops[op.index()].has_joined);
        let has_work = |space: &usize| self.trace.layout().spaces()[*space].streams.iter().any(joined);
        let next = (0..self.spaces.len())
            .filter(has_work)
            .filter(|&s| self.lets_in(s))
            .map(|s| (list.distance(self.runlist.0, SpaceId::at(s)), SpaceId::at(s)))
            .min();
        let is_next = next.is_some_and(|(away, s)| s == space && (self.runlist.0 + away) % list.len() == entry);
        let idles = self.resident == Some(None) && self.runlist.1.is_none();
        self.expect(is_next && idles, Invariant::Runlist, |t| format!("entry {entry}, {}, was served out of turn", t.space_name(space)));
        self.runlist = ((entry + 1) % list.len(), Some(space));
    }

    /// Under a policy of one's own: whether a task that it admits has something issued and incomplete there.
    fn lets_in(&self, space: usize) -> bool {
        let is_admitted = |op: &OpId| self.decision.is_some_and(|decision| self.trace.made(decision).admits(self.trace.row_of(*op).task));
        let mut streams = self.trace.layout().spaces()[space].streams.iter();
        self.trace.scenario().own().is_none() || streams.any(|stream| self.streams[stream.index()].iter().any(is_admitted))
    }

    pub(super) fn serves(&mut self, space: SpaceId) {
        // Other turns than the runlist's are none of its business.
        let visits = self.runlist != (0, None);
        let is_served = !visits || self.runlist.1 == Some(space);
        let is_chosen = self.chosen.is_none_or(|chosen| chosen == space);
        self.expect(is_chosen, Invariant::Chosen, |t| format!("{} is entered, but not chosen", t.space_name(space)));
        self.expect(is_served, Invariant::Runlist, |t| format!("{} is entered, but not served by the runlist", t.space_name(space)));
    }

    pub(super) fn left(&mut self, space: SpaceId) {
        self.runlist.1 = None;
        let was = self.resident.replace(None);
        self.expect(matches!(was, Some(Some((s, _))) if s == space), Invariant::Residency, |_| "who left was not resident".to_owned());
        let runs: Vec<_> = self.blocks.iter().filter(|(_, (_, runs))| *runs).map(|(&(op, block), _)| (op, block)).collect();
        for (op, block) in runs {
            self.expect(false, Invariant::Residency, |t| format!("{}:{block} runs on after its process left", t.op_label(op)));
        }
    }

    fn has_work(&self, space: usize) -> bool {
        let joined = |stream: &StreamId| self.streams[stream.index()].front().is_some_and(|op| self.ops[op.index()].has_joined);
        self.trace.layout().spaces()[space].streams.iter().any(joined)
    }

    /// P5: where the policy says whose kernels may be launched, one moves on by that alone.
    pub(super) fn launched(&mut self, op: OpId, rule: Rule) {
        let is_gated = self.gates_launches();
        let is_right = (rule == Rule::P5) == is_gated && (!is_gated || self.launches(op));
        self.expect(is_right, Invariant::Launched, |t| {
            format!("{} moved on by {}, and the policy does not let it", t.op_label(op), rule.id())
        });
    }

    fn gates_launches(&self) -> bool {
        self.trace.scenario().own().is_some_and(|own| own.program().gates_launches())
    }

    fn launches(&self, op: OpId) -> bool {
        self.decision.is_some_and(|decision| self.trace.made(decision).launches(self.trace.row_of(op).task))
    }

    /// Whether the policy keeps a kernel at the head of its stream back (P5).
    pub(super) fn is_held(&self, op: OpId) -> bool {
        self.gates_launches() && self.trace.op(op).kind == OpKind::Kernel && !self.launches(op)
    }

    /// P4, L1: at the end of an instant whoever is resident may go, but in the mode `none`, and if nobody is, nobody may.
    pub(super) fn admits_who_may_go(&mut self) {
        if self.trace.scenario().own().is_none() {
            return;
        }
        match self.resident {
            Some(Some((space, false))) => {
                let stays = self.trace.scenario().preemption(space) == Preemption::None && self.has_work(space.index());
                let may_go = self.has_work(space.index()) && self.lets_in(space.index());
                self.expect(stays || may_go, Invariant::Admitted, |t| {
                    format!("{} stays, and the policy does not admit it", t.space_name(space))
                });
            }
            Some(None) if !self.is_switching => {
                let waits = (0..self.spaces.len()).find(|&space| self.has_work(space) && self.lets_in(space));
                if let Some(space) = waits {
                    self.expect(false, Invariant::Admitted, |t| format!("{} may go, and nobody does", t.space_name(SpaceId::at(space))));
                }
            }
            _ => {}
        }
    }
}
