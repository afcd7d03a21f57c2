//! Phase 5: assignment of copies (C2, C3) and of blocks (X1, R1 to R3, A2, G3).
//!
//! Depends on the rest of `engine`. Invariant: when it returns, nothing more can be assigned.
//! Contract: sections 3 and 4.

use super::Engine;
use super::agenda::{Assigned, Completion};
use super::vary::Variation;
use crate::scenario::{Needs, Placement};
use crate::snapshot::{MAX_ENGINES, Residency, SmState, SpaceState};
use crate::trace::{Change, Cut, EngineNo, Level, Rule, Variant};
use crate::units::{OpId, SmId, SpaceId};

/// Variants under which it is not simply the head of the highest EE queue whose block is next.
const ORDER_CHANGING: [Variant; 5] =
    [Variant::WorkConserving, Variant::PriorityByKernel, Variant::FairShare, Variant::OneKernel, Variant::NoOverlap];

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
        let Some((level, op, sm)) = self.next_block(space) else { return Ok(false) };
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

    /// The kernel whose next block is assigned now, its EE queue, and the SM that takes the block.
    fn next_block(&self, space: SpaceId) -> Option<(Level, OpId, SmId)> {
        let state = self.state.space(space);
        if ORDER_CHANGING.into_iter().any(|variant| self.variation.has(variant)) {
            let order = self.state.order_of_kernels(&self.trace, space);
            let mut left = order.into_iter().filter(|&(_, op)| self.state.has_blocks_left(&self.trace, op));
            return left.find_map(|(level, op)| Some((level, op, self.place(state, op)?)));
        }
        let (level, op) = state.ee_head()?;
        Some((level, op, self.place(state, op)?))
    }

    /// The SM that takes a block of a kernel; `None` if it fits nowhere (R1 to R3).
    fn place(&self, state: &SpaceState, op: OpId) -> Option<SmId> {
        let needs = &self.trace.row_of(op).needs;
        if self.variation.has(Variant::LastFit) {
            return state.sms.iter().rposition(|sm| sm.fits(needs)).map(SmId::at);
        }
        place(self.scenario.placement(), state, needs)
    }

    /// G3: all blocks of the head have been assigned.
    fn fully_dispatched(&mut self, op: OpId, level: Level) -> Result<(), Cut> {
        self.emit(Rule::G3, Change::EeLeft { op, level })
    }
}

/// The SM that takes a block with these needs; `None` if it fits nowhere (R1 to R3).
pub(super) fn place(placement: Placement, state: &SpaceState, needs: &Needs) -> Option<SmId> {
    let fits = |sm: &SmState| sm.fits(needs);
    let found = match placement {
        Placement::FirstFit => state.sms.iter().position(fits),
        Placement::MostFree => most_free(&state.sms, needs),
        Placement::RoundRobin => {
            let first = state.last_sm.map_or(0, |last| last.index() + 1);
            (first..state.sms.len()).chain(0..first.min(state.sms.len())).find(|&i| fits(&state.sms[i]))
        }
    };
    found.map(SmId::at)
}

/// The SM with the most free threads among those where the block fits; ties to the lowest number.
fn most_free(sms: &[SmState], needs: &Needs) -> Option<usize> {
    let mut best: Option<(u32, usize)> = None;
    for (i, sm) in sms.iter().enumerate() {
        if best.is_none_or(|(threads, _)| sm.threads > threads) && sm.fits(needs) {
            best = Some((sm.threads, i));
        }
    }
    best.map(|(_, i)| i)
}
