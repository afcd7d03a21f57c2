//! The oracle's blocks that spin and cooperative launches (docs/semantics.md, section 2), and what hangs (section 9).
//!
//! Invariant: whether a block spins is found anew each time. What holds once holds for good, so nothing need be kept.

use blockstep_sim::scenario::KernelDraft;
use blockstep_sim::trace::OpKind;

use super::{Assigned, Run};

/// What the rows of one task spin for where there are no others.
pub(super) fn alone(mut kernels: Vec<KernelDraft>) -> Vec<KernelDraft> {
    let names: Vec<String> = kernels.iter().map(|k| k.name.clone()).collect();
    for k in &mut kernels {
        for flags in [&mut k.until_begun, &mut k.until_all_begun, &mut k.until_completed] {
            flags.retain(|name| names.contains(name));
        }
    }
    kernels
}

impl Run<'_> {
    /// Whether a block that is assigned does not go on yet; a copy always does.
    pub(super) fn spins(&self, a: &Assigned) -> bool {
        let op = &self.ops[a.op];
        let k = &self.m.rows[op.row].draft;
        let has_begun = |op: usize| self.blocks_assigned(op) > 0;
        let have_all_begun = |op: usize| self.blocks_assigned(op) == self.m.rows[self.ops[op].row].times.len();
        // Those of the jobs of the same number, if they are issued.
        let holds = |names: &[String], is_so: &dyn Fn(usize) -> bool| {
            names.iter().all(|name| {
                let is_named = |other: usize| {
                    let o = &self.ops[other];
                    let same_number = self.jobs[o.job].no == self.jobs[op.job].no;
                    o.kind == OpKind::Kernel && self.m.rows[o.row].draft.name == *name && same_number
                };
                (0..self.ops.len()).any(|other| is_named(other) && is_so(other))
            })
        };
        let goes_on = (!k.barrier || have_all_begun(a.op))
            && holds(&k.until_begun, &has_begun)
            && holds(&k.until_all_begun, &have_all_begun)
            && holds(&k.until_completed, &|op| self.ops[op].end.is_some());
        op.kind == OpKind::Kernel && !goes_on
    }

    /// R4: whether all blocks of a cooperative kernel fit at once, if none has begun. Of other kernels nothing is asked.
    pub(super) fn has_room_for_all(&self, op: usize) -> bool {
        let row = &self.m.rows[self.ops[op].row];
        if !row.draft.cooperative || self.blocks_assigned(op) > 0 {
            return true;
        }
        self.room(op) >= row.times.len()
    }

    /// How many blocks of a kernel fit beside what its space holds, at most all of them.
    pub(super) fn room(&self, op: usize) -> usize {
        let needs = self.needs(op);
        let count = self.m.rows[self.ops[op].row].times.len();
        // Blocks of this kind on one SM after another, until one does not fit.
        let on_sm = |sm: usize| {
            let free = self.free(self.space(op), sm);
            (0..count as u64).take_while(|blocks| free.iter().zip(needs).all(|(&free, need)| (blocks + 1) * need <= free)).count()
        };
        (0..usize::try_from(self.m.device.sms).unwrap()).map(on_sm).sum::<usize>().min(count)
    }
}
