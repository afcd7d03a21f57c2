//! Why a device had nothing to run: the time between its operations, split into causes.
//!
//! Depends on the recording and its analysis. Invariants: of each device, the times of all causes and the time that it was busy add up to
//! the time from its first operation to the end of its last one; time before the next operation was called is the host's.

use serde::{Deserialize, Serialize};

use super::Recording;
use super::causes::{Analysis, Cause};
use blockstep_sim::units::Time;

/// What a device did from its first operation to the end of its last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// At least one operation ran, ns.
    pub busy_ns: u64,
    /// Nothing ran, and what ran next had not been called yet, ns.
    pub host_ns: u64,
    /// Nothing ran, and the file does not say when the next operation was called, ns.
    pub unknown_ns: u64,
    /// Nothing ran, and what ran next had been called: by cause of its wait, in the order of [`Cause::ALL`], ns.
    pub by_cause_ns: [u64; Cause::ALL.len()],
}

impl Use {
    /// Nothing ran, ns.
    #[must_use]
    pub fn idle_ns(&self) -> u64 {
        self.by_cause_ns.iter().fold(self.host_ns.saturating_add(self.unknown_ns), |sum, ns| sum.saturating_add(*ns))
    }
}

/// What each device did, in the order of [`Recording::devices`].
#[must_use]
pub fn uses(recording: &Recording, analysis: &Analysis) -> Vec<Use> {
    let mut uses = vec![Use::default(); recording.devices.len()];
    // Until when each device is busy with what began before.
    let mut busy: Vec<Option<Time>> = vec![None; recording.devices.len()];
    for (place, operation) in recording.operations.iter().enumerate() {
        let device = recording.stream(operation).device as usize;
        let of = &mut uses[device];
        let until = busy[device].unwrap_or(operation.start);
        if operation.start > until {
            idle(of, recording, analysis, place as u32, until);
        }
        let from = operation.start.max(until);
        of.busy_ns = of.busy_ns.saturating_add(operation.end.since(from).ns());
        busy[device] = Some(until.max(operation.end));
    }
    uses
}

/// Adds the time from `from` to the start of the operation that ends it.
fn idle(of: &mut Use, recording: &Recording, analysis: &Analysis, place: u32, from: Time) {
    let operation = &recording.operations[place as usize];
    let Some(called) = recording.called(operation) else {
        of.unknown_ns = of.unknown_ns.saturating_add(operation.start.since(from).ns());
        return;
    };
    let called = called.max(from).min(operation.start);
    of.host_ns = of.host_ns.saturating_add(called.since(from).ns());
    for part in analysis.parts(place) {
        let ns = part.to.since(part.from.max(called)).ns();
        let sum = &mut of.by_cause_ns[part.cause as usize];
        *sum = sum.saturating_add(ns);
    }
}
