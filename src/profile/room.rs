//! Whether a kernel's block had room on a device, as far as a profile without block times tells.
//!
//! Depends on the recording. Invariant: what is called too little holds if the running kernels fill what they can and spread their
//! blocks evenly; since the file has no times of blocks, it is never certain. Source: [TX2] rule G1 and X1 for what has to fit.

use super::occupancy::{Limits, Resources};
use super::{Kind, Operation, Recording};
use crate::units::Time;

/// Operations of a device, to be asked what ran at a time.
pub(super) struct Running {
    /// By start.
    operations: Vec<u32>,
    /// The latest end of those up to this place.
    latest: Vec<Time>,
}

impl Running {
    /// Of a device.
    pub(super) fn of(recording: &Recording, device: u32) -> Self {
        let is_here = |operation: &Operation| recording.stream(operation).device == device;
        let operations: Vec<u32> =
            recording.operations.iter().enumerate().filter(|(_, operation)| is_here(operation)).map(|(place, _)| place as u32).collect();
        let mut end = Time::ZERO;
        let latest = operations
            .iter()
            .map(|&place| {
                end = end.max(recording.operations[place as usize].end);
                end
            })
            .collect();
        Self { operations, latest }
    }

    /// Those that ran at some time from `from` to before `to`, the last started first; looks at no more than `most`.
    pub(super) fn within<'t>(&'t self, recording: &'t Recording, from: Time, to: Time, most: usize) -> impl Iterator<Item = u32> + 't {
        let end = self.operations.partition_point(|&place| recording.operations[place as usize].start < to);
        let places = (0..end).rev().take(most).take_while(move |&place| self.latest[place] > from);
        places.map(|place| self.operations[place]).filter(move |&place| recording.operations[place as usize].end > from)
    }
}

/// What an SM has free while these run, and what a block of `kernel` needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// What a block needs, in the order of [`super::occupancy::NAMES`].
    pub(super) needed: Resources,
    /// What is free on an SM, on average.
    pub(super) free: Resources,
}

impl Room {
    /// The places of what is too little.
    #[must_use]
    pub(super) fn short(&self) -> Option<usize> {
        (0..self.needed.len()).find(|&place| self.free[place] < self.needed[place])
    }
}

/// What a kernel holds of a device with so many SMs: as many blocks as fit.
fn held(limits: &Limits, sms: u64, operation: &Operation) -> Option<Resources> {
    let launch = operation.launch.filter(|_| operation.kind == Kind::Kernel)?;
    let (of_sm, _) = limits.resident(launch.threads(), launch.registers, launch.shared);
    let blocks = launch.blocks().min(of_sm.saturating_mul(sms));
    Some(limits.block(launch.threads(), launch.registers, launch.shared).map(|amount| amount.saturating_mul(blocks)))
}

/// Whether a kernel has more blocks than the device holds at once, so that it frees room long before its end.
pub(super) fn has_waves(limits: &Limits, sms: u64, operation: &Operation) -> bool {
    operation.launch.is_some_and(|launch| {
        let (of_sm, _) = limits.resident(launch.threads(), launch.registers, launch.shared);
        launch.blocks() > of_sm.saturating_mul(sms)
    })
}

/// The room for a block of `kernel` while `running` run; `None` if the file does not say how it was launched or what SMs hold.
pub(super) fn room(recording: &Recording, kernel: &Operation, running: &[u32]) -> Option<Room> {
    let device = recording.device(kernel);
    let (limits, sms) = (device.limits.as_ref()?, u64::from(device.sms?.max(1)));
    let launch = kernel.launch?;
    let needed = limits.block(launch.threads(), launch.registers, launch.shared);
    let mut free = limits.capacity().map(|amount| amount.saturating_mul(sms));
    for &place in running {
        let Some(held) = held(limits, sms, &recording.operations[place as usize]) else { continue };
        for (free, held) in free.iter_mut().zip(held) {
            *free = free.saturating_sub(held);
        }
    }
    Some(Room { needed, free: free.map(|amount| amount / sms) })
}
