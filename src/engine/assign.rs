//! Phase 5: assignment of copies (C2, C3) and of blocks (G3; X1, A2 and R1 to R3 are in `ahead`).
//!
//! Depends on the rest of `engine`. Invariant: when it returns, nothing more can be assigned.
//! Contract: sections 3 and 4.

use super::Engine;
use super::agenda::{Assigned, Completion};
use super::ahead::next_in;
use super::vary::Variation;
use crate::snapshot::{MAX_ENGINES, Residency};
use crate::trace::{Change, Cut, EngineNo, Level, Rule, Variant};
use crate::units::{OpId, SpaceId};

impl<V: Variation> Engine<'_, V> {
    /// Assigns until nothing more can be: copies first, then blocks.
    pub(super) fn assignment(&mut self) -> Result<(), Cut> {
        let space = match self.state.residency() {
            Residency::Shared => SpaceId(0),
            Residency::Resident { space, draining: false, .. } => space,
            _ => return Ok(()),
        };
        for engine in 0..MAX_ENGINES as EngineNo {
            self.assign_copy(space, engine)?;
        }
        while self.assign_block(space)? {}
        Ok(())
    }

    /// C2, C3: the head of a CE queue goes to its idle engine.
    fn assign_copy(&mut self, space: SpaceId, engine: EngineNo) -> Result<(), Cut> {
        let state = self.state.space(space);
        let Some(&op) = state.ce(engine).front() else { return Ok(()) };
        if state.engines[engine as usize].is_some() || self.variation.has(Variant::NoOverlap) && state.any_kernel().is_some() {
            return Ok(());
        }
        let at = self.later(self.trace.run_time(op, 0), |trace| format!("the end of copy {}", trace.op_label(op)))?;
        let order = self.state.assignments();
        self.emit(Rule::C2, Change::CopyAssigned { op, engine })?;
        self.agenda.complete(Completion { at, order, what: Assigned::Copy { op, engine } });
        self.emit(Rule::C3, Change::CeLeft { op, engine })
    }

    /// X1, A2, R1 to R3: one block of the kernel at the head of the highest non-empty EE queue.
    /// False if there is none or it does not fit.
    fn assign_block(&mut self, space: SpaceId) -> Result<bool, Cut> {
        let Some((level, op, sm)) = next_in(&self.trace, &self.state, self.variation, space) else { return Ok(false) };
        let row = self.trace.row_of(op);
        let state = self.state.space(space);
        let block = self.state.stream(self.trace.op(op).stream).assigned;
        let overtakes = level == Level::High && !state.ee(Level::Low).is_empty();
        let last = u64::from(block) + 1 == row.blocks;
        let at = self.later(self.trace.run_time(op, block), |trace| format!("the end of block {}:{block}", trace.op_label(op)))?;
        let order = self.state.assignments();
        let rule = match (overtakes, block) {
            (true, _) => Rule::A2,
            (false, 0) => Rule::X1,
            (false, _) => Rule::R1,
        };
        self.emit(rule, Change::BlockAssigned { op, block, sm })?;
        self.agenda.complete(Completion { at, order, what: Assigned::Block { op, block, sm } });
        if last && !self.variation.has(Variant::OneKernel) {
            self.fully_dispatched(op, level)?;
        }
        Ok(true)
    }

    /// G3: all blocks of the head have been assigned.
    fn fully_dispatched(&mut self, op: OpId, level: Level) -> Result<(), Cut> {
        self.emit(Rule::G3, Change::EeLeft { op, level })
    }
}
