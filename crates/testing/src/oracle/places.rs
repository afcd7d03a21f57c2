//! The oracle's queues of the resident address space, and where a block goes (docs/semantics.md, section 3).

use blockstep_sim::scenario::Placement;
use blockstep_sim::trace::OpKind;

use super::{Assigned, Run};

impl Run<'_> {
    pub(super) fn assign(&mut self, op: usize, block: usize, place: usize, time: u64) {
        self.assigned.push(Assigned { op, block, place, start: self.now, left: time, end: None, runs: vec![] });
    }

    pub(super) fn blocks_assigned(&self, op: usize) -> usize {
        self.assigned.iter().filter(|a| a.op == op).count()
    }

    /// An EE queue: kernels that joined it and have unassigned blocks, by order of joining (G3, A1).
    pub(super) fn kernel_queue(&self, space: usize, is_high: bool) -> Vec<usize> {
        self.queue(space, |op| {
            let row = &self.m.rows[self.ops[op].row];
            self.ops[op].kind == OpKind::Kernel && row.is_high == is_high && self.blocks_assigned(op) < row.times.len()
        })
    }

    /// The CE queue of an engine: copies that joined it and are not assigned (C1, C3).
    pub(super) fn copy_queue(&self, space: usize, engine: usize) -> Vec<usize> {
        self.queue(space, |op| self.ops[op].kind != OpKind::Kernel && self.engine(op) == engine && self.blocks_assigned(op) == 0)
    }

    pub(super) fn queue(&self, space: usize, is_in: impl Fn(usize) -> bool) -> Vec<usize> {
        let stands = |op: &usize| self.space(*op) == space && self.ops[*op].joined.is_some() && self.ops[*op].end.is_none();
        let mut list: Vec<usize> = (0..self.ops.len()).filter(stands).filter(|&op| is_in(op)).collect();
        list.sort_by_key(|&op| self.ops[op].joined.unwrap().1);
        list
    }

    pub(super) fn engines(&self) -> usize {
        if self.m.device.copy_engines == 1 { 1 } else { 2 }
    }

    pub(super) fn engine(&self, op: usize) -> usize {
        if self.engines() == 1 || self.ops[op].kind == OpKind::CopyIn { 0 } else { 1 }
    }

    /// Whether a block of `op` finds enough of everything on an SM: threads, shared memory, the rest.
    pub(super) fn fits(&self, op: usize, sm: usize) -> [bool; 3] {
        let [threads, shared_memory, registers, slots] = self.free(self.space(op), sm);
        let [threads_needed, shared_memory_needed, registers_needed, slots_needed] = self.needs(op);
        [threads_needed <= threads, shared_memory_needed <= shared_memory, registers_needed <= registers && slots_needed <= slots]
    }

    /// What one block takes: threads, shared memory, registers, block slots.
    pub(super) fn needs(&self, op: usize) -> [u64; 4] {
        let k = &self.m.rows[self.ops[op].row].draft;
        [k.threads_per_block, k.shared_memory_bytes, k.threads_per_block * k.registers_per_thread, 1]
    }

    /// Free threads, shared memory, registers and block slots of an SM, as an address space sees it.
    pub(super) fn free(&self, space: usize, sm: usize) -> [u64; 4] {
        let d = &self.m.device;
        let mut free = [d.threads_per_sm, d.shared_memory_per_sm, d.registers_per_sm, d.blocks_per_sm];
        let holds = |a: &&Assigned| a.end.is_none() && a.place == sm && self.ops[a.op].kind == OpKind::Kernel && self.space(a.op) == space;
        for a in self.assigned.iter().filter(holds) {
            for (free, used) in free.iter_mut().zip(self.needs(a.op)) {
                *free -= used;
            }
        }
        free
    }

    /// Which SM takes the next block of `op` (R1 to R4, placement).
    pub(super) fn place(&self, op: usize) -> Option<usize> {
        if !self.has_room_for_all(op) {
            return None;
        }
        let sms = usize::try_from(self.m.device.sms).unwrap();
        let first = match (self.m.placement, self.last_sm.get(&self.space(op))) {
            (Placement::RoundRobin, Some(&last)) => last + 1,
            _ => 0,
        };
        let mut fitting = (0..sms).map(|i| (first + i) % sms).filter(|&sm| self.fits(op, sm) == [true; 3]);
        match self.m.placement {
            Placement::FirstFit | Placement::RoundRobin => fitting.next(),
            Placement::MostFree => fitting.max_by_key(|&sm| (self.free(self.space(op), sm)[0], sms - sm)),
            Placement::MostRoom => fitting.max_by_key(|&sm| {
                let (free, needs) = (self.free(self.space(op), sm), self.needs(op));
                // Blocks of this kind, one after another, until one does not fit.
                let room = (1..).find(|blocks| free.iter().zip(needs).any(|(&free, need)| free < blocks * need));
                (room, sms - sm)
            }),
        }
    }
}
