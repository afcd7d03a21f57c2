//! How full the SMs of a device were, as an estimate.
//!
//! Our choice: while a kernel runs, it has as many blocks on the SMs as it has, or as fit on the empty device; kernels together fill no
//! more than the device. Which blocks were there when is in no trace. Invariants: levels follow one another by time, do not overlap, and
//! none is empty.

use super::room::Need;
use super::{OperationKind, RecordedDevice, Recording};
use blockstep_sim::units::Time;

/// A time in which as much of a device was filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// From when on.
    pub from: Time,
    /// Until when.
    pub to: Time,
    /// Threads on the SMs, in thousandths of what they hold; 1 to 1,000.
    pub permille: u32,
}

/// The levels of each device; none if the file does not say what its SMs hold, or how kernels were launched.
pub(super) fn levels(recording: &Recording) -> Vec<Vec<Level>> {
    let mut changes: Vec<Vec<(Time, bool, u64)>> = vec![Vec::new(); recording.devices.len()];
    for operation in recording.operations.iter().filter(|operation| operation.kind == OperationKind::Kernel) {
        if operation.start < operation.end
            && let Some(need) = Need::for_kernel(recording, operation)
        {
            let threads = need.blocks.min(need.at_once).saturating_mul(need.threads());
            let of_device = &mut changes[recording.stream(operation).device as usize];
            of_device.extend([(operation.start, true, threads), (operation.end, false, threads)]);
        }
    }
    let capacity = |device: &RecordedDevice| {
        let (limits, sms) = device.limits.as_ref().zip(device.sms)?;
        Some(u64::from(limits.threads).saturating_mul(sms.into()).max(1))
    };
    let of = |(device, changes)| capacity(device).map_or_else(Vec::new, |capacity| of_device(capacity, changes));
    recording.devices.iter().zip(changes).map(of).collect()
}

/// The levels of a device that holds so many threads, from when threads come and go.
fn of_device(capacity: u64, mut changes: Vec<(Time, bool, u64)>) -> Vec<Level> {
    // At an instant, ends come before starts.
    changes.sort_unstable();
    let mut levels: Vec<Level> = Vec::new();
    let (mut on, mut since) = (0_u64, Time::ZERO);
    for (at, begins, threads) in changes {
        // Few threads are more than none.
        let permille = (u128::from(on.min(capacity)) * 1_000).div_ceil(u128::from(capacity)) as u32;
        if since < at && permille > 0 {
            match levels.last_mut().filter(|last| last.to == since && last.permille == permille) {
                Some(last) => last.to = at,
                None => levels.push(Level { from: since, to: at, permille }),
            }
        }
        since = at;
        on = if begins { on.saturating_add(threads) } else { on.saturating_sub(threads) };
    }
    levels
}
