//! How much ran together on a device.
//!
//! Invariant: each number is a time in which something ran, so none is longer than the time that the device was busy. The first numbers of
//! HolisticTraceAnalysis 0.5.0 are computation beside communication; there a kernel communicates if its name begins with `nccl`, here also
//! if the file says so otherwise.

use serde::Serialize;

use crate::{OperationKind, Recording, StreamKind};
use blockstep_sim::units::Time;

/// Times in which something ran on a device, ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Overlap {
    /// Something ran.
    pub busy_ns: u64,
    /// Operations of two streams or more ran.
    pub streams_ns: u64,
    /// A copy ran over the bus.
    pub copy_ns: u64,
    /// A copy ran over the bus beside a kernel.
    pub copy_and_kernel_ns: u64,
    /// Pages of unified memory were moved.
    pub migration_ns: u64,
    /// Pages of unified memory were moved while a kernel ran.
    pub migration_and_kernel_ns: u64,
    /// A kernel ran that communicates.
    pub communication_ns: u64,
    /// Such a kernel ran beside one that computes.
    pub communication_and_computation_ns: u64,
}

/// How many run at an instant.
#[derive(Clone, Copy, Default)]
struct Now {
    streams: u32,
    copies: u32,
    kernels: u32,
    communication: u32,
    migrations: u32,
}

/// How much ran together, by device in the order of [`Recording::devices`].
#[must_use]
pub fn overlaps(recording: &Recording) -> Vec<Overlap> {
    overlaps_between(recording, Time::ZERO, Time::MAX)
}

/// The same from one instant to another.
#[must_use]
pub fn overlaps_between(recording: &Recording, from: Time, to: Time) -> Vec<Overlap> {
    let begun = &recording.operations[..recording.operations.partition_point(|operation| operation.start < to)];
    let mut changes: Vec<(u64, bool, u32)> = Vec::new();
    for (place, operation) in begun.iter().enumerate() {
        let (start, end) = (operation.start.max(from), operation.end.min(to));
        if start < end {
            changes.push((start.ns(), true, place as u32));
            changes.push((end.ns(), false, place as u32));
        }
    }
    changes.sort_unstable();
    let communicates = recording.communicating();
    let mut found = vec![Overlap::default(); recording.devices.len()];
    let mut now: Vec<(u64, Now)> = recording.devices.iter().map(|_| (0, Now::default())).collect();
    let mut of_stream = vec![0_u32; recording.streams.len()];
    for (at, begins, place) in changes {
        let operation = &recording.operations[place as usize];
        let device = recording.stream(operation).device as usize;
        let (since, now) = &mut now[device];
        add(&mut found[device], now, at - *since);
        *since = at;
        let change = |count: &mut u32| if begins { *count += 1 } else { *count -= 1 };
        let stream = &mut of_stream[operation.stream as usize];
        let had = *stream > 0;
        change(stream);
        if had != (*stream > 0) && recording.stream(operation).kind != StreamKind::Migrations {
            change(&mut now.streams);
        }
        match operation.kind {
            OperationKind::Kernel if communicates[place as usize] => change(&mut now.communication),
            OperationKind::Kernel => change(&mut now.kernels),
            OperationKind::Migration => change(&mut now.migrations),
            kind if kind.is_transfer() => change(&mut now.copies),
            _ => {}
        }
    }
    found
}

/// Adds a time in which nothing changed.
fn add(found: &mut Overlap, now: &Now, ns: u64) {
    let count = |is: bool, sum: &mut u64| *sum += if is { ns } else { 0 };
    count(now.streams + now.migrations > 0, &mut found.busy_ns);
    count(now.streams > 1, &mut found.streams_ns);
    count(now.copies > 0, &mut found.copy_ns);
    count(now.copies > 0 && now.kernels + now.communication > 0, &mut found.copy_and_kernel_ns);
    count(now.migrations > 0, &mut found.migration_ns);
    count(now.migrations > 0 && now.kernels + now.communication > 0, &mut found.migration_and_kernel_ns);
    count(now.communication > 0, &mut found.communication_ns);
    count(now.communication > 0 && now.kernels > 0, &mut found.communication_and_computation_ns);
}
