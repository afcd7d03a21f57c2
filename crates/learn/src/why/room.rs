//! What a block needs and what each SM has, who holds the rest, and which block's end makes room.
//!
//! Depends on the rest of `why`. Invariant: amounts are those of the snapshot; what one SM has free
//! and what is held there are all that the device has.

use super::{Moment, ends, space_of};
use blockstep_sim::order;
use blockstep_sim::record::{BlockRecord, Records};
use blockstep_sim::scenario::Needs;
use blockstep_sim::snapshot::{Progress, SmState};
use blockstep_sim::units::{OpId, SmId, Time};
use blockstep_view::reason::Reason;

/// Amounts of threads, bytes of shared memory, registers and block slots, in this order.
pub type Amounts = [u64; 4];

/// What a block needs, and what it finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// What one block needs.
    pub need: Amounts,
    /// What each SM has, in the view of the kernel's address space.
    pub sms: Vec<SmRoom>,
    /// Who holds what, by SM, then in issue order.
    pub holds: Vec<Hold>,
    /// The block whose end makes room for one, if those on the SMs end in the order in which they
    /// would if nothing suspended them: kernel, index, where, when. Ties in order of assignment.
    pub opens: Option<(OpId, u32, SmId, Time)>,
}

/// What an SM has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmRoom {
    /// What is free, by resource.
    pub free: Amounts,
    /// In all.
    pub whole: Amounts,
}

/// What the blocks of one kernel hold on one SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The SM that the blocks are on.
    pub sm: SmId,
    /// The kernel.
    pub op: OpId,
    /// Its blocks there.
    pub blocks: u32,
    /// What they hold.
    pub held: Amounts,
    /// When the first of them completes, if nothing suspends it.
    pub first_end: Time,
    /// Likewise the last.
    pub last_end: Time,
    /// How many of them are suspended.
    pub suspended: u32,
    /// Whether one of them completes later in this run, as it is suspended for a while, or not at all.
    pub is_later: bool,
}

impl Room {
    /// Which of the four amounts an SM has too little of.
    #[must_use]
    pub fn lacks(&self, sm: SmId) -> [bool; 4] {
        std::array::from_fn(|i| self.sms[sm.index()].free[i] < self.need[i])
    }

    /// The amounts that some SM has too little of.
    #[must_use]
    pub fn scarce(&self) -> [bool; 4] {
        std::array::from_fn(|i| self.sms.iter().any(|sm| sm.free[i] < self.need[i]))
    }
}

fn amounts(needs: &Needs) -> Amounts {
    [needs.threads.into(), needs.shared_memory, needs.registers, 1]
}

fn free(sm: &SmState) -> Amounts {
    [sm.threads.into(), sm.shared_memory, sm.registers, sm.slots.into()]
}

/// The amounts behind a reason, if it is about them.
pub(super) fn room(moment: Moment<'_>, op: OpId, reason: Reason) -> Option<Room> {
    matches!(reason, Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots | Reason::AllAtOnce)
        .then(|| room_for(moment, op))
}

/// What a block of a kernel needs, and what it finds.
pub(super) fn room_for(moment: Moment<'_>, op: OpId) -> Room {
    let Moment { trace, state, .. } = moment;
    let device = trace.scenario().device();
    let whole = [device.threads_per_sm, device.shared_memory_per_sm, device.registers_per_sm, device.blocks_per_sm];
    let space = state.space(space_of(trace, op));
    let mut holds: Vec<Hold> = Vec::new();
    for (sm, on_sm) in space.sms.iter().enumerate() {
        let mut here: Vec<Hold> = Vec::new();
        for block in &on_sm.blocks {
            let end = ends(block.progress, state.now());
            let held = amounts(&trace.row_of(block.op).needs);
            let is_later = moment.end_of_block(block.op, block.block) != Some(end);
            let suspended = u32::from(matches!(block.progress, Progress::Suspended(_)));
            match here.iter_mut().find(|h| h.op == block.op) {
                Some(hold) => {
                    hold.blocks += 1;
                    hold.held = std::array::from_fn(|i| hold.held[i] + held[i]);
                    (hold.first_end, hold.last_end) = (hold.first_end.min(end), hold.last_end.max(end));
                    hold.suspended += suspended;
                    hold.is_later |= is_later;
                }
                None => {
                    here.push(Hold { sm: SmId::at(sm), op: block.op, blocks: 1, held, first_end: end, last_end: end, suspended, is_later })
                }
            }
        }
        order::by_number(&mut here, |h| h.op.0.into());
        holds.append(&mut here);
    }
    Room {
        need: amounts(&trace.row_of(op).needs),
        sms: space.sms.iter().map(|sm| SmRoom { free: free(sm), whole }).collect(),
        holds,
        opens: opens(moment, op),
    }
}

/// Frees the blocks on the SMs one after the other until one fits, or all of a cooperative kernel.
fn opens(moment: Moment<'_>, op: OpId) -> Option<(OpId, u32, SmId, Time)> {
    let Moment { trace, state, .. } = moment;
    let space = state.space(space_of(trace, op));
    let need = amounts(&trace.row_of(op).needs);
    let mut rooms: Vec<Amounts> = space.sms.iter().map(free).collect();
    let on_sms = space.sms.iter().enumerate().flat_map(|(sm, s)| s.blocks.iter().map(move |b| (sm, *b)));
    // One that spins may never end.
    let on_sms = on_sms.filter(|(_, b)| !state.spins(trace, b.op));
    let mut blocks: Vec<_> = on_sms.map(|(sm, b)| (ends(b.progress, state.now()), sm, b)).collect();
    let row = trace.row_of(op);
    let needed = if row.cooperative && !state.has_begun(trace, op) { row.blocks } else { 1 };
    let of_sm = |room: &Amounts| (0..4).map(|i| room[i].checked_div(need[i]).unwrap_or(u64::MAX)).min().unwrap_or(0);
    let mut left = rooms.iter().map(of_sm).fold(needed, u64::saturating_sub);
    order::by_number(&mut blocks, |(_, _, b)| b.order);
    order::by_number(&mut blocks, |(end, _, _)| end.ns());
    blocks.into_iter().find_map(|(end, sm, b)| {
        let held = amounts(&trace.row_of(b.op).needs);
        let before = of_sm(&rooms[sm]);
        rooms[sm] = std::array::from_fn(|i| rooms[sm][i] + held[i]);
        left = left.saturating_sub(of_sm(&rooms[sm]) - before);
        (left == 0).then_some((b.op, b.block, SmId::at(sm), end))
    })
}

/// The record of a block. Blocks are assigned in the order of their indices.
pub(super) fn record_of(records: &Records, op: OpId, block: u32) -> Option<&BlockRecord> {
    records.blocks_of(op).get(block as usize).map(|&i| &records.blocks[i as usize])
}
