//! What a file says of collectives, by the operations and the spans of the recording.
//!
//! Invariant: what is said of an operation that is left out is left out, too.

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
    for (place, facts) in found {
        match place {
            CollectivePlace::Span(process, thread, start) => {
                said.of_spans.insert((process, thread, at(start)), facts);
            }
            CollectivePlace::Kernel(key, start, correlation) => {
                let (Some(&stream), start) = (streams.places.get(&key), at(start)) else { continue };
                let first = operations.partition_point(|operation| operation.start < start);
                let mut together = operations[first..].iter().take_while(|operation| operation.start == start);
                if let Some(place) = together.position(|of| of.stream == stream && of.correlation == correlation) {
                    said.of_kernels.insert((first + place) as u32, facts);
                }
            }
        }
    }
    said
}
