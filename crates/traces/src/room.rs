//! Whether a kernel's block had room on a device, as far as a profile without block times tells.
//!
//! Invariant: what is called too little holds if the running kernels fill what they can and their blocks go to the SM with the most free
//! threads; since the file has no times of blocks, it is never certain. Source: [TX2] rules R1 to R3 for what has to fit, X1 for the order;
//! placement and equal times of a kernel's blocks are our choice.

use std::cmp::Reverse;

use super::causes::Lack;
use super::{Operation, OperationKind, RecordedDevice, Recording};
use blockstep_sim::occupancy::{Limits, Resources};
use blockstep_sim::units::Time;

/// Operations of a device, to be asked what ran at a time.
pub(super) struct Running {
    /// By start.
    operations: Vec<u32>,
    /// The latest end of those up to this place.
    latest: Vec<Time>,
}

impl Running {
    /// Lists the operations of each device.
    pub(super) fn on_devices(recording: &Recording) -> Vec<Self> {
        let none = || Self { operations: Vec::new(), latest: Vec::new() };
        let mut all: Vec<Self> = recording.devices.iter().map(|_| none()).collect();
        for (operation, place) in recording.operations.iter().zip(0..) {
            let of = &mut all[recording.stream(operation).device as usize];
            let latest = of.latest.last().copied().unwrap_or(Time::ZERO);
            of.operations.push(place);
            of.latest.push(latest.max(operation.end));
        }
        all
    }

    /// Those that ran at some time from `from` to before `to`, the last started first; looks at no more than `most`.
    pub(super) fn within<'t>(&'t self, recording: &'t Recording, from: Time, to: Time, most: usize) -> impl Iterator<Item = u32> + 't {
        let end = self.operations.partition_point(|&place| recording.operations[place as usize].start < to);
        let places = (0..end).rev().take(most).take_while(move |&place| self.latest[place] > from);
        places.map(|place| self.operations[place]).filter(move |&place| recording.operations[place as usize].end > from)
    }
}

/// More SMs no device has; a file that says so is not believed.
const MOST_SMS: u32 = 1_024;

/// What a kernel needs, and how much of it a device holds at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Need {
    /// What a block takes.
    pub(super) block: Resources,
    /// Blocks of the grid.
    pub(super) blocks: u64,
    /// Blocks that an SM holds at most.
    of_sm: u64,
    /// Blocks that the empty device holds at once; at least 1.
    pub(super) at_once: u64,
}

impl Need {
    /// What a kernel needs; `None` if the file does not say how it was launched or what SMs hold.
    pub(super) fn for_kernel(recording: &Recording, operation: &Operation) -> Option<Self> {
        let launch = operation.launch.filter(|_| operation.kind == OperationKind::Kernel)?;
        let (limits, sms) = of_device(recording.device(operation))?;
        let of_sm = limits.resident(launch.threads(), launch.registers, launch.shared).0.max(1);
        let block = limits.block(launch.threads(), launch.registers, launch.shared);
        Some(Self { block, blocks: launch.blocks(), of_sm, at_once: of_sm.saturating_mul(u64::from(sms)) })
    }

    /// Threads of a block, as whole warps.
    pub(super) fn threads(&self) -> u64 {
        self.block[1]
    }

    /// Blocks that this much is enough for.
    pub(super) fn within(&self, free: &Resources) -> u64 {
        free.iter().zip(self.block).map(|(&free, need)| free.checked_div(need).unwrap_or(u64::MAX)).min().unwrap_or(0)
    }

    /// How often the empty device would be filled; at least 1.
    pub(super) fn waves(&self) -> u64 {
        self.blocks.div_ceil(self.at_once).max(1)
    }

    /// Blocks that are left for the last time that the device is filled.
    pub(super) fn last_wave(&self) -> u64 {
        self.blocks - (self.waves() - 1) * self.at_once
    }
}

/// What an SM of a device holds, and how many there are, if the file says it.
pub(super) fn of_device(device: &RecordedDevice) -> Option<(&Limits, u32)> {
    Some((device.limits.as_ref()?, device.sms.filter(|sms| (1..=MOST_SMS).contains(sms))?))
}

/// What is free on each SM.
#[derive(Clone, Debug)]
pub(super) struct Sms(Vec<Resources>);

impl Sms {
    /// The SMs of the device of an operation, with nothing on them.
    pub(super) fn empty_for(recording: &Recording, operation: &Operation) -> Option<Self> {
        let (limits, sms) = of_device(recording.device(operation))?;
        Some(Self(vec![limits.capacity(); sms as usize]))
    }

    /// How many more blocks fit, at most `most` of them are counted.
    pub(super) fn fit(&self, need: &Need, most: u64) -> u64 {
        let mut all = 0_u64;
        for sm in &self.0 {
            all = all.saturating_add(fit(sm, need));
            if all >= most {
                return most;
            }
        }
        all
    }

    /// What keeps a block off the SMs: of the resources that are too little where the fewest are, the first one; `None` if a block fits.
    pub(super) fn lack(&self, need: &Need) -> Option<Lack> {
        if self.0.iter().any(|sm| fits(sm, need)) {
            return None;
        }
        let missing = |sm: &Resources| (0..sm.len()).filter(|&place| sm[place] < need.block[place]).collect::<Vec<_>>();
        let nearest = self.0.iter().map(missing).min_by_key(Vec::len)?;
        let &resource = nearest.first()?;
        let free = self.0.iter().map(|sm| sm[resource]).filter(|&free| free < need.block[resource]).max()?;
        Some(Lack { resource: resource as u8, needed: need.block[resource], free })
    }

    /// Puts blocks on the SMs, as many as fit.
    pub(super) fn put(&mut self, need: &Need, blocks: u64) {
        let mut left = blocks;
        // Whole rounds first, then one block after another to the SM with the most free threads.
        let each = left / self.0.len().max(1) as u64;
        for sm in self.0.iter_mut().take(if each > 0 { usize::MAX } else { 0 }) {
            let blocks = each.min(fit(sm, need));
            take(sm, need, blocks);
            left -= blocks;
        }
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        while left > 0 {
            order.retain(|&sm| fits(&self.0[sm], need));
            if order.is_empty() {
                return;
            }
            let most_free = |&sm: &usize| (Reverse(self.0[sm][1]), sm);
            if left < order.len() as u64 {
                // One block each, whichever of them comes first.
                order.select_nth_unstable_by_key(left as usize, most_free);
                for &sm in &order[..left as usize] {
                    take(&mut self.0[sm], need, 1);
                }
                return;
            }
            order.sort_unstable_by_key(most_free);
            let each = (left / order.len() as u64).max(1);
            for &sm in &order {
                let blocks = each.min(fit(&self.0[sm], need)).min(left);
                take(&mut self.0[sm], need, blocks);
                left -= blocks;
            }
        }
    }
}

/// Whether a block fits on an SM with this much free.
fn fits(free: &Resources, need: &Need) -> bool {
    free.iter().zip(need.block).all(|(&free, need)| free >= need)
}

/// Blocks that fit on an SM with this much free.
fn fit(free: &Resources, need: &Need) -> u64 {
    need.within(free).min(need.of_sm)
}

fn take(free: &mut Resources, need: &Need, blocks: u64) {
    for (free, need) in free.iter_mut().zip(need.block) {
        *free = free.saturating_sub(need.saturating_mul(blocks));
    }
}
