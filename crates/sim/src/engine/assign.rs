//! Phase 5: assignment of copies (C2, C3) and of blocks (G3; X1, A2 and R1 to R3 are in `ahead`).
//!
//! Depends on the rest of `engine`. Invariant: when it returns, nothing more can be assigned.
//! Source: docs/semantics.md, sections 3 and 4.

use super::Engine;
use super::agenda::Assigned;
use super::ahead::{changes_order, next_in};
use super::vary::Variation;
use crate::snapshot::{MAX_ENGINES, Residency};
use crate::trace::{Change, Cut, EngineNo, Level, Rule, Variant};
use crate::units::{OpId, SpaceId};

/// What kept the kernels of an address space waiting when an instant was over.
#[derive(Clone, Copy)]
pub(super) struct HeldBack {
    /// The kernel next to have a block assigned, and what no SM had for it.
    head: Option<(OpId, Rule)>,
    /// Whether kernels of high priority kept those of low priority waiting.
    behind_high: bool,
}

impl<V: Variation> Engine<'_, V> {
    /// Assigns until nothing more can be: copies first, then blocks. False if there may be more, as the work for now is done.
    pub(super) fn assign_all(&mut self) -> Result<bool, Cut> {
        let space = match self.state.residency() {
            Residency::Shared => SpaceId(0),
            Residency::Resident { space, draining: false, .. } => space,
            Residency::Resident { space, draining: true, .. } => {
                return self.assign_blocks(space);
            }
            Residency::Idle { .. } | Residency::Submitting { .. } | Residency::Switching { .. } => return Ok(true),
        };
        for engine in 0..MAX_ENGINES as EngineNo {
            self.assign_copy(space, engine)?;
        }
        self.assign_blocks(space)
    }

    fn assign_blocks(&mut self, space: SpaceId) -> Result<bool, Cut> {
        while self.assign_block(space)? {
            if self.is_due_to_pause() {
                return Ok(false);
            }
        }
        self.hold_back(space);
        Ok(true)
    }

    /// Records what keeps the kernels of an address space waiting, once nothing more can be assigned in this instant.
    fn hold_back(&mut self, space: SpaceId) {
        let state = self.state.space(space);
        self.work.add(state.sms.work_of_search());
        let short = |op: OpId| Some((op, self.state.shortage_of(&self.trace, op)?.rule()));
        let drains = matches!(self.state.residency(), Residency::Resident { draining: true, .. });
        let head = if drains { self.state.begun_kernels(&self.trace, space).next() } else { state.ee_head() };
        let head = head.filter(|&(_, op)| self.state.has_blocks_left(&self.trace, op));
        self.held = Some(HeldBack { head: head.and_then(|(_, op)| short(op)), behind_high: !state.ee(Level::High).is_empty() });
    }

    /// The rule that decides that a block is assigned here and now: A2 if it goes before kernels of low
    /// priority; else what its kernel waited for until this instant: resources (R1 to R3), the high EE
    /// queue (A2) or the kernel ahead of it (X1); R1 if nothing held it back but that its needs had to be met.
    fn decisive(&self, space: SpaceId, level: Level, op: OpId) -> Rule {
        if level == Level::High && !self.state.space(space).ee(Level::Low).is_empty() {
            return Rule::A2;
        }
        let Some(held) = self.held else { return Rule::R1 };
        match held.head {
            Some((head, rule)) if head == op => rule,
            _ if changes_order(self.variation) || self.joined[self.trace.op(op).stream.index()] == self.now => Rule::R1,
            _ if level == Level::Low && held.behind_high => Rule::A2,
            _ => Rule::X1,
        }
    }

    /// C2, C3: the head of a CE queue goes to its idle engine.
    fn assign_copy(&mut self, space: SpaceId, engine: EngineNo) -> Result<(), Cut> {
        let state = self.state.space(space);
        let Some(&op) = state.ce(engine).front() else { return Ok(()) };
        if state.engines[engine as usize].is_some() || self.variation.has(Variant::NoOverlap) && state.any_kernel().is_some() {
            return Ok(());
        }
        let at = self.completion(self.trace.run_time(op, 0), |trace| format!("the end of copy {}", trace.op_label(op)))?;
        let order = self.state.assignments();
        self.emit(Rule::C2, Change::CopyAssigned { op, engine })?;
        self.agenda.complete(at, order, Assigned::Copy { op, engine });
        self.emit(Rule::C3, Change::CeLeft { op, engine })
    }

    /// X1, A2, R1 to R3: one block of the kernel at the head of the highest non-empty EE queue.
    /// False if there is none or it does not fit.
    fn assign_block(&mut self, space: SpaceId) -> Result<bool, Cut> {
        let state = self.state.space(space);
        let queues = if changes_order(self.variation) { state.ee(Level::High).len() + state.ee(Level::Low).len() } else { 1 };
        self.work.add((1 + queues as u64) * state.sms.work_of_search() / 8);
        let Some((level, op, sm)) = next_in(&self.trace, &self.state, self.variation, space) else { return Ok(false) };
        let row = self.trace.row_of(op);
        let block = self.state.stream(self.trace.op(op).stream).assigned;
        let last = u64::from(block) + 1 == row.blocks;
        let order = self.state.assignments();
        let rule = self.decisive(space, level, op);
        if self.state.spins(&self.trace, op) {
            self.emit(rule, Change::BlockAssigned { op, block, sm })?;
            self.spinning.insert(op);
        } else {
            let at = self.end_of_block(op, block)?;
            self.emit(rule, Change::BlockAssigned { op, block, sm })?;
            self.agenda.complete(at, order, Assigned::Block { op, block, sm });
        }
        self.end_spins(op)?;
        if last && !self.variation.has(Variant::OneKernel) {
            self.dequeue_dispatched(op, level)?;
        }
        Ok(true)
    }

    /// Takes the head from its EE queue, as all its blocks have been assigned (G3).
    fn dequeue_dispatched(&mut self, op: OpId, level: Level) -> Result<(), Cut> {
        self.emit(Rule::G3, Change::EeLeft { op, level })
    }
}
