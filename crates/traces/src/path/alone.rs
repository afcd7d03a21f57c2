//! The path of a recording without an operation of a GPU: what a thread of the host ran.
//!
//! Of several threads it is the one that ran something for longest: nothing in such a file says which one the end waited for, so that this
//! is consistent and never certain. Invariants: as of any path, its pieces follow one another from the first event to the end.

use super::host::ThreadKey;
use super::walk::Walk;
use super::{DevicePath, PathPiece, PathStep};
use crate::Recording;
use crate::causes::Certainty;

/// The path of the busiest thread; `None` if the file has nothing of the host.
pub(super) fn path(walk: &Walk<'_>) -> Option<DevicePath> {
    let busiest = walk.threads().into_iter().map(|thread| (busy_ns(&walk.of_thread(thread)), thread));
    let (_, thread) = busiest.max_by_key(|&(ns, thread)| (ns, std::cmp::Reverse(thread)))?;
    let pieces = walk.of_thread(thread).into_iter().map(of_host).collect();
    Some(DevicePath { device: 0, pieces, host_behind_ns: 0, behind: Vec::new() })
}

/// For how long a thread ran something, ns.
fn busy_ns(pieces: &[PathPiece]) -> u64 {
    let busy = pieces.iter().filter(|piece| piece.step != PathStep::Host(None));
    busy.fold(0, |sum, piece| sum.saturating_add(piece.span().ns()))
}

/// What is not recorded may have been anything.
fn of_host(piece: PathPiece) -> PathPiece {
    match piece.step {
        PathStep::Host(None) => PathPiece { step: PathStep::Unknown, certainty: Certainty::Unknown, ..piece },
        _ => PathPiece { certainty: Certainty::Consistent, ..piece },
    }
}

/// The thread that such a path is of.
#[must_use]
pub fn thread(recording: &Recording, path: &DevicePath) -> Option<u64> {
    path.pieces.iter().find_map(|piece| match piece.step {
        PathStep::Host(Some(span)) => recording.spans.get(span as usize).map(|span| span.thread),
        PathStep::Call(call) => recording.calls.get(call as usize).map(|call| call.thread),
        _ => None,
    })
}

/// How many threads of the host the file has.
#[must_use]
pub fn threads(recording: &Recording) -> usize {
    let of_calls = recording.calls.iter().map(|call| (call.process, call.thread));
    let all: std::collections::BTreeSet<ThreadKey> =
        of_calls.chain(recording.spans.iter().map(|span| (span.process, span.thread))).collect();
    all.len()
}
