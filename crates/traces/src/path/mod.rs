//! Where the time of a recording went: for each device one path from the end of the recording back to its first event.
//!
//! While an operation ran on the device, the device worked. At each other instant the path names the one thing that the end of the device's
//! work waited for: the host, a launch on its way, another device, a wait with its cause, or that nothing is known. So the host is blamed
//! for no time in which the device worked. Invariants: the pieces of a path follow one another without a gap from the first event to the
//! end, so that their lengths add up to the wall clock to the nanosecond; the device works for as long as it is busy; no piece is empty.
//! Source of each rule: `docs/traces.md`; the rules are our choice.

pub mod alone;
pub mod compare;
pub mod exposed;
pub mod groups;
pub(crate) mod host;
pub mod overlap;
pub mod repeated;
pub mod steps;
pub(crate) mod walk;
pub mod words;
mod work;

use super::causes::{Analysis, Cause, Certainty};
use super::{Operation, Recording};
use blockstep_sim::units::{Span, Time};
use walk::Walk;

/// What the end of a device's work waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
    /// This operation ran, an index.
    Running(u32),
    /// An operation, an index, had not begun, and nothing that ran is why: a launch on its way, code being loaded, or what nothing explains.
    Waiting(u32, Cause),
    /// The host was within this call, an index.
    Call(u32),
    /// The host was between two calls; the span that it ran, an index of [`Recording::spans`], if recorded.
    Host(Option<u32>),
    /// The device had ended its last operation.
    After,
    /// The file does not say.
    Unknown,
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathPiece {
    /// What was waited for.
    pub step: PathStep,
    /// How sure that is.
    pub certainty: Certainty,
    /// From when on.
    pub from: Time,
    /// Until when.
    pub to: Time,
}

impl PathPiece {
    /// How long.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.to.since(self.from)
    }
}

/// The path of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DevicePath {
    /// The device, an index of [`Recording::devices`].
    pub device: u32,
    /// Its pieces, by time.
    pub pieces: Vec<PathPiece>,
    /// How long the device worked while its next work depended on the host: a faster device alone would not end sooner by that, ns.
    pub host_behind_ns: u64,
    /// What the host did then, by time: it is on no path, and yet the run waits for it.
    pub behind: Vec<PathPiece>,
}

/// Of so many devices there is a path, however long the recording is: our choice, what a machine has and the page shows.
pub const SURE_PATHS: usize = 8;
/// Of more devices there is no path: our choice, as each path is as long as the recording.
pub const MOST_PATHS: usize = 32;
/// After [`SURE_PATHS`] another path is made only while those made have fewer pieces than this: our choice.
const MOST_PIECES: usize = 1_000_000;

/// The paths of the devices that ran something, the one that ended last first; of [`SURE_PATHS`], and in a recording that is not too
/// long of up to [`MOST_PATHS`]. Of a recording of the host alone it is that of its busiest thread.
#[must_use]
pub fn paths(recording: &Recording, analysis: &Analysis) -> Vec<DevicePath> {
    let mut last: Vec<Option<u32>> = vec![None; recording.devices.len()];
    for (place, operation) in recording.operations.iter().enumerate() {
        let last = &mut last[recording.stream(operation).device as usize];
        if last.is_none_or(|last| recording.operations[last as usize].end <= operation.end) {
            *last = Some(place as u32);
        }
    }
    let mut ends: Vec<(Time, u32, u32)> = last
        .into_iter()
        .enumerate()
        .filter_map(|(device, place)| place.map(|place| (recording.operations[place as usize].end, device as u32, place)))
        .collect();
    ends.sort_by_key(|&(end, device, _)| (std::cmp::Reverse(end), device));
    ends.truncate(MOST_PATHS);
    let walk = Walk::new(recording, analysis);
    if recording.is_host_alone() {
        return alone::path(&walk).into_iter().collect();
    }
    let mut pieces = 0;
    let mut paths: Vec<DevicePath> = Vec::new();
    // Walks of devices that one host feeds meet: they are compared with the first.
    let (has_others, mut first) = (ends.len() > 1, None);
    for (_, device, place) in ends {
        if paths.len() >= SURE_PATHS && pieces >= MOST_PIECES {
            break;
        }
        let is_kept = has_others && first.is_none();
        let walked = walk.back_from(place, first.as_ref(), is_kept);
        let mut by_time = if is_kept { first.insert(walked).pieces.clone() } else { walked.pieces };
        by_time.reverse();
        let path = work::put_first(recording, device, by_time);
        pieces += path.pieces.len();
        paths.push(path);
    }
    paths
}

/// The wall clock: from the first operation or call to the end of the last.
#[must_use]
pub fn wall_clock(recording: &Recording) -> (Time, Time) {
    let starts = recording.operations.iter().map(|operation: &Operation| operation.start);
    let first = starts.chain(recording.calls.iter().map(|call| call.start)).min().unwrap_or(Time::ZERO);
    let spans = recording.spans.iter().filter(|_| recording.is_host_alone()).map(|span| span.start).min();
    let first = spans.map_or(first, |start| if recording.calls.is_empty() { start } else { start.min(first) });
    (first, recording.end().max(first))
}
