//! The changes that a recording gives reason to try.
//!
//! Invariant: each change is of something that the recording shows, and few are tried, as each is a run of the whole.

use std::collections::{BTreeMap, BTreeSet};

use super::order::mixed_streams;
use super::{ProgramChange, is_staged, is_value};
use crate::causes::{Analysis, Cause};
use crate::summary::largest;
use crate::{CallKind, OperationKind, Recording, StreamKind};

/// Of changes of one kind at most so many are tried.
const MOST_OF_A_KIND: usize = 2;

/// The changes to try.
pub(super) fn changes(recording: &Recording, analysis: &Analysis) -> Vec<ProgramChange> {
    let mut changes = Vec::new();
    let launches = recording.calls.iter().filter(|call| matches!(call.kind, CallKind::Launch | CallKind::LaunchWithAttributes)).count();
    changes.extend((launches > 1).then_some(ProgramChange::Graphs));
    changes.extend(recording.calls.iter().any(|call| call.kind == CallKind::HostWait).then_some(ProgramChange::FewerWaits));
    changes.extend(recording.operations.iter().any(|operation| is_value(recording, operation)).then_some(ProgramChange::FewerReads));
    changes.extend(recording.operations.iter().any(|operation| is_staged(recording, operation)).then_some(ProgramChange::Pinned));
    let first = recording.operations.iter().filter_map(|operation| recording.call(operation)).map(|call| call.start).min();
    let allocates = recording.calls.iter().any(|call| call.kind == CallKind::Allocation && first.is_some_and(|first| call.start > first));
    changes.extend(allocates.then_some(ProgramChange::NoAllocations));

    let (mut has_null, mut has_connection, mut has_first_use) = (false, false, false);
    // How long, by stream, operations waited for room; by name, kernels kept others from room; by name and stream, others waited behind.
    let mut for_room: BTreeMap<u32, u64> = BTreeMap::new();
    let mut took_room: BTreeMap<u32, u64> = BTreeMap::new();
    let mut in_order: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for (place, operation) in recording.operations.iter().enumerate() {
        for part in analysis.parts(place as u32) {
            has_null |= part.cause == Cause::NullBarrier;
            has_connection |= part.cause == Cause::Connection;
            has_first_use |= part.cause == Cause::FirstUse;
            let is_for_room = matches!(part.cause, Cause::NoRoom | Cause::BehindHead);
            if is_for_room {
                add(&mut for_room, operation.stream, part.span().ns());
            }
            if let Some(by) = part.by.map(|by| &recording.operations[by as usize]).filter(|_| is_for_room)
                && by.launch.is_some_and(|launch| launch.blocks() > 1)
            {
                add(&mut took_room, by.name, part.span().ns());
            }
        }
        let by = largest(analysis.parts(place as u32)).filter(|part| part.cause == Cause::StreamOrder).and_then(|part| part.by);
        if let Some(by) = by.map(|by| &recording.operations[by as usize])
            && !recording.is_node(by)
            && !recording.is_node(operation)
            && by.name != operation.name
        {
            add(&mut in_order, (operation.name, operation.stream), operation.duration().ns());
        }
    }
    changes.extend((!mixed_streams(recording).is_empty()).then_some(ProgramChange::CommunicationBeside));
    changes.extend(has_null.then_some(ProgramChange::NonBlocking));
    changes.extend(has_connection.then_some(ProgramChange::MoreConnections));
    changes.extend(has_first_use.then_some(ProgramChange::WarmUp));
    let can_rise = |stream: &u32| {
        let of = &recording.streams[*stream as usize];
        of.kind != StreamKind::Null && !of.is_high()
    };
    changes.extend(most(for_room).into_iter().filter(can_rise).take(MOST_OF_A_KIND).map(ProgramChange::HighPriority));
    changes.extend(most(took_room).into_iter().take(MOST_OF_A_KIND).map(ProgramChange::HalfGrid));
    // Where all kernels are in one stream, nothing says that any of them could do without the one before it; a copy to the host needs what
    // was computed before it.
    let mut kernels: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let (mut copies, mut is_kernel): (BTreeSet<u32>, BTreeSet<u32>) = Default::default();
    for operation in &recording.operations {
        if operation.kind == OperationKind::Kernel {
            let device = recording.stream(operation).device;
            kernels.entry(device).or_default().insert(operation.stream);
            is_kernel.insert(operation.name);
        } else if operation.kind == OperationKind::HostToDevice {
            copies.insert(operation.name);
        }
    }
    let may_move = |&(name, stream): &(u32, u32)| {
        let device = recording.streams[stream as usize].device;
        copies.contains(&name) || is_kernel.contains(&name) && kernels.get(&device).is_some_and(|streams| streams.len() > 1)
    };
    let moved = most(in_order).into_iter().filter(may_move).take(2 * MOST_OF_A_KIND);
    changes.extend(moved.map(|(name, stream)| ProgramChange::OwnStream { name, stream }));
    changes
}

fn add<K: Ord>(sums: &mut BTreeMap<K, u64>, key: K, ns: u64) {
    let sum = sums.entry(key).or_default();
    *sum = sum.saturating_add(ns);
}

/// The keys, the one with the most first.
fn most<K: Ord + Copy>(sums: BTreeMap<K, u64>) -> Vec<K> {
    let mut all: Vec<(K, u64)> = sums.into_iter().collect();
    all.sort_by_key(|&(key, ns)| (std::cmp::Reverse(ns), key));
    all.into_iter().map(|(key, _)| key).collect()
}
