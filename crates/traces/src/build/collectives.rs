//! What a file says of collectives, by the operations and the spans of the recording.
//!
//! Invariant: what is said of an operation that is left out is left out, too.

use std::collections::BTreeMap;

use super::StreamKey;
use super::streams::Streams;
use crate::communication::{CollectiveFacts, SaidCollectives};
use crate::{Operation, Recording};
use blockstep_sim::units::Time;

/// Where a file says something of a collective; times in nanoseconds of its clock.
#[derive(Clone, Copy, Debug)]
pub enum CollectivePlace {
    /// On a kernel of this stream that began then, with what joins it with its call.
    Kernel(StreamKey, i64, Option<u64>),
    /// On a span of the host that began then, with its process and thread.
    Span(u64, u64, i64),
}

/// How many ranks the smallest group has that leaves a collective together; a rank alone waits for nobody.
pub(super) fn smallest_group(recording: &Recording) -> Option<u64> {
    let together = recording.communications.iter().filter(|of| of.kind.is_left_together());
    together.filter_map(|of| of.group_size.filter(|&size| size > 1)).min()
}

/// What the file says of collectives, by the operations and spans of the recording.
pub(super) fn said_collectives(
    found: Vec<(CollectivePlace, CollectiveFacts)>,
    operations: &[Operation],
    streams: &Streams,
    at: impl Fn(i64) -> Time,
) -> SaidCollectives {
    let mut said = SaidCollectives::default();
    // By beginning, stream and correlation: the first operation of these.
    let mut places: BTreeMap<(Time, u32, Option<u64>), u32> = BTreeMap::new();
    if found.iter().any(|(place, _)| matches!(place, CollectivePlace::Kernel(..))) {
        for (place, of) in (0_u32..).zip(operations) {
            places.entry((of.start, of.stream, of.correlation)).or_insert(place);
        }
    }
    for (place, facts) in found {
        match place {
            CollectivePlace::Span(process, thread, start) => {
                said.of_spans.insert((process, thread, at(start)), facts);
            }
            CollectivePlace::Kernel(key, start, correlation) => {
                let Some(&stream) = streams.places.get(&key) else { continue };
                if let Some(&place) = places.get(&(at(start), stream, correlation)) {
                    said.of_kernels.insert(place, facts);
                }
            }
        }
    }
    said
}
