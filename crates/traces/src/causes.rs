//! Why an operation did not start when it was called: its wait, split into causes.
//!
//! Invariants: the parts of a wait follow one another from the call to the start without a gap; a cause is called certain only if the file
//! records what proves it; what nothing explains is called that. Source of each rule: `docs/traces.md`.

use serde::{Deserialize, Serialize};

use super::Recording;
use super::index::Index;
use super::thresholds::Thresholds;
use blockstep_sim::units::{Span, Time};
pub use blockstep_traces_messages::{Cause, Certainty, DEFAULT_CONNECTIONS, KnownSettings};

/// What an SM lacked for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lack {
    /// The resource, a place in [`occupancy::NAMES`](blockstep_sim::occupancy::NAMES).
    pub resource: u8,
    /// How much of it a block takes.
    pub needed: u64,
    /// The most that was free on an SM, as far as a file without times of blocks tells; less than needed.
    pub free: u64,
}

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitPart {
    /// Why it waited then.
    pub cause: Cause,
    /// How sure that is.
    pub certainty: Certainty,
    /// From when on.
    pub from: Time,
    /// Until when.
    pub to: Time,
    /// The operation that it waited for, an index.
    pub by: Option<u32>,
    /// What was missing at its end, if it waited for room.
    pub lack: Option<Lack>,
}

impl WaitPart {
    /// How long.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.to.since(self.from)
    }
}

/// The waits of a recording, explained.
#[derive(Debug)]
pub struct Analysis {
    /// What counts as no wait.
    pub thresholds: Thresholds,
    /// What the reader knew.
    pub known: KnownSettings,
    /// By stream: whether it and its NULL stream wait for each other, as far as the recording shows.
    heeds_null: Vec<Option<bool>>,
    /// By device: whether copies of the two directions have engines of their own.
    has_two_engines: Vec<bool>,
    parts: Vec<WaitPart>,
    /// Where the parts of each operation begin, and the end of all.
    firsts: Vec<u32>,
}

impl Analysis {
    /// Explains every wait. `watch` is told how many operations are done and stops it by returning `false`: then the result is `None`.
    #[must_use]
    pub fn new(recording: &Recording, known: KnownSettings, watch: &mut dyn FnMut(usize) -> bool) -> Option<Self> {
        let thresholds = Thresholds::from_recording(recording);
        let mut index = Index::new(recording, &thresholds, known);
        let mut parts = Vec::with_capacity(recording.operations.len() * 2);
        let mut firsts = Vec::with_capacity(recording.operations.len() + 1);
        for place in 0..recording.operations.len() {
            if place % 4_096 == 0 && !watch(place) {
                return None;
            }
            firsts.push(parts.len() as u32);
            index.explain(place as u32, &mut parts);
        }
        firsts.push(parts.len() as u32);
        let mut heeds_null: Vec<Option<bool>> = index.towards_null.iter().map(|towards| towards.ignores.then_some(false)).collect();
        for (place, operation) in recording.operations.iter().enumerate() {
            for part in parts[firsts[place] as usize..firsts[place + 1] as usize].iter().filter(|part| part.cause == Cause::NullBarrier) {
                let by = part.by.map(|by| recording.operations[by as usize].stream);
                for stream in by.into_iter().chain([operation.stream]) {
                    heeds_null[stream as usize].get_or_insert(true);
                }
            }
        }
        let has_two_engines = std::mem::take(&mut index.has_two_engines);
        Some(Self { thresholds, known, heeds_null, has_two_engines, parts, firsts })
    }

    /// Whether a stream, an index, and its NULL stream wait for each other: `Some(true)` if one waited for the other, `Some(false)` if they
    /// ran together, `None` if the recording shows neither.
    #[must_use]
    pub fn heeds_null(&self, stream: u32) -> Option<bool> {
        self.heeds_null.get(stream as usize).copied().flatten()
    }

    /// Whether copies of the two directions have engines of their own on a device, an index: the file says so, or they ever ran together.
    #[must_use]
    pub fn has_two_engines(&self, device: u32) -> bool {
        self.has_two_engines.get(device as usize).copied().unwrap_or(false)
    }

    /// The parts of an operation's wait, by time; none if the file does not say when it was called.
    #[must_use]
    pub fn parts(&self, operation: u32) -> &[WaitPart] {
        let place = operation as usize;
        match (self.firsts.get(place), self.firsts.get(place + 1)) {
            (Some(&from), Some(&to)) => &self.parts[from as usize..to as usize],
            _ => &[],
        }
    }
}
