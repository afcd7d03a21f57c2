//! What ran on the copy engines of a device, one copy after another.
//!
//! Invariant: an engine is busy without a gap from what is found for a copy to the end of that copy, but for gaps that are no longer than one
//! between two operations is anyway. Source: `docs/traces.md`.

use std::collections::BTreeMap;

use super::index::Index;
use super::{Operation, OperationKind};
use blockstep_sim::units::Time;

/// A copy engine: its device, and the direction if each has one.
type Engine = (u32, Option<OperationKind>);

/// What ran on copy engines.
#[derive(Debug, Default)]
pub(super) struct Engines {
    /// By operation: the first of the copies after which its engine ran one copy after another up to it; itself if it needs no engine.
    first: Vec<u32>,
    /// By engine: its copies by their ends.
    ended: BTreeMap<Engine, Vec<(Time, u32)>>,
}

impl Engines {
    pub(super) fn new(index: &Index<'_>) -> Self {
        let mut engines = Self::default();
        // By engine: until when it was busy with what began before, and with which copy that began.
        let mut busy: BTreeMap<Engine, (Time, u32)> = BTreeMap::new();
        for (operation, place) in index.recording.operations.iter().zip(0..) {
            let Some(engine) = engine(index, operation) else {
                engines.first.push(place);
                continue;
            };
            let (end, first) = busy.entry(engine).or_insert((operation.end, place));
            if end.ns().saturating_add(index.most_after(operation).ns()) < operation.start.ns() {
                *first = place;
            }
            *end = (*end).max(operation.end);
            engines.first.push(*first);
            engines.ended.entry(engine).or_default().push((operation.end, place));
        }
        engines.ended.values_mut().for_each(|ended| ended.sort_unstable());
        engines
    }

    /// The first of the copies after which the engine ran one copy after another up to this one.
    pub(super) fn first_before(&self, copy: u32) -> u32 {
        self.first[copy as usize]
    }

    /// The last copy that had ended on the engine of an operation by an instant, of another stream.
    pub(super) fn ended_by(&self, index: &Index<'_>, operation: &Operation, by: Time) -> Option<u32> {
        let ended = self.ended.get(&engine(index, operation)?)?;
        let last = ended.partition_point(|&(end, _)| end <= by).checked_sub(1)?;
        Some(ended[last].1).filter(|&last| index.operation(last).stream != operation.stream)
    }
}

/// The engine that an operation needs.
fn engine(index: &Index<'_>, operation: &Operation) -> Option<Engine> {
    let device = index.recording.stream(operation).device;
    let has_two = index.has_two_engines[device as usize];
    operation.kind.is_transfer().then_some((device, has_two.then_some(operation.kind)))
}
