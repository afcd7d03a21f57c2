//! Room for blocks on the multiprocessors.
//!
//! Depends on `batch::arch`. Invariant: never more threads or blocks on a multiprocessor than it
//! holds. A block goes where most threads are free, to the lowest number among equals: ours, as
//! [MT] does not say.

use super::arch::Arch;

/// What is free.
#[derive(Clone, Debug)]
pub(super) struct Room {
    /// Threads and blocks, by multiprocessor.
    free: Vec<(u32, u32)>,
}

impl Room {
    /// An idle GPU; with a scheduler on it, its block is there already.
    pub(super) fn idle(arch: &Arch, scheduler: bool) -> Self {
        let mut free = vec![(arch.threads_per_sm, arch.blocks_per_sm); arch.sms as usize];
        if scheduler && let Some((threads, blocks)) = free.first_mut() {
            *threads = threads.saturating_sub(arch.costs.scheduler_threads);
            *blocks = blocks.saturating_sub(1);
        }
        Self { free }
    }

    /// The multiprocessor for a block, if there is one.
    pub(super) fn place_one(&mut self, threads: u32) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (sm, &(free, blocks)) in self.free.iter().enumerate() {
            if blocks > 0 && free >= threads && best.is_none_or(|b| self.free[b].0 < free) {
                best = Some(sm);
            }
        }
        let slot = &mut self.free[best?];
        *slot = (slot.0 - threads, slot.1 - 1);
        best
    }

    /// Places up to so many blocks; how many had room.
    pub(super) fn place(&mut self, threads: u32, blocks: u32) -> u32 {
        (0..blocks).take_while(|_| self.place_one(threads).is_some()).count() as u32
    }

    /// Whether a block would have room.
    pub(super) fn has_room(&self, threads: u32) -> bool {
        self.free.iter().any(|&(free, blocks)| blocks > 0 && free >= threads)
    }

    /// Blocks leave a multiprocessor.
    pub(super) fn leave(&mut self, sm: usize, threads: u32, blocks: u32) {
        let slot = &mut self.free[sm];
        *slot = (slot.0 + threads * blocks, slot.1 + blocks);
    }
}
