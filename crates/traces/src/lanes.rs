//! The lanes of a recording's timeline, and what of a lane is worth drawing at a given zoom.
//!
//! Invariants: what is narrower than a pixel is drawn together, so that a lane gives at most twice as many pieces as pixels, whatever it
//! holds; each piece is found in logarithmic time. Times are whole nanoseconds; pixels are the caller's.

use std::collections::BTreeMap;

use super::levels::{Level, levels};
use super::path::DevicePath;
use super::{OperationKind, Recording};
use blockstep_sim::units::Time;
pub use blockstep_traces_messages::{LanePiece, Of, Sight};

/// A lane: indices of calls, of operations, or of levels or pieces of a path of its own, by start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// What it shows.
    pub of: Of,
    items: Vec<u32>,
    /// The levels of a lane of occupancy; the pieces of a path, each as a full level.
    levels: Vec<Level>,
    /// Until when the items up to each reach.
    reach: Vec<Time>,
    /// How long the items before each ran in all, ns, and levels for their part of it; one more than items.
    busy: Vec<u64>,
}

/// The least time of a sight that is worth a piece of its own: a pixel.
const fn grain(sight: &Sight) -> u64 {
    let grain = sight.to.since(sight.from).ns() / if sight.px == 0 { 1 } else { sight.px as u64 };
    if grain == 0 { 1 } else { grain }
}

/// Before what begins in sight, so many items are looked at for what reaches into it.
const REACH_BACK: usize = 64;

/// The lanes from top to bottom, `most` of them, and how many more there would be: the host's threads, then for each device its path,
/// how full it was, its streams by number and its copies by direction.
#[must_use]
pub fn lanes(recording: &Recording, paths: &[DevicePath], most: usize) -> (Vec<Lane>, usize) {
    let mut threads: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (place, call) in recording.calls.iter().enumerate() {
        threads.entry(call.thread).or_default().push(place as u32);
    }
    let mut copies: BTreeMap<(u32, OperationKind), Vec<u32>> = BTreeMap::new();
    for (place, operation) in recording.operations.iter().enumerate().filter(|(_, operation)| operation.kind.is_transfer()) {
        copies.entry((recording.stream(operation).device, operation.kind)).or_default().push(place as u32);
    }
    let mut levels = levels(recording);
    let id = |device: u32| recording.devices[device as usize].id;
    let mut all: Vec<(Key, Of)> = threads.keys().map(|&thread| ((0, 0, 0, [thread, 0, 0]), Of::Calls { thread })).collect();
    all.extend(paths.iter().map(|path| ((1, id(path.device), 0, [0; 3]), Of::Path { device: path.device })));
    let full = (0..).zip(&levels).filter(|(_, levels)| !levels.is_empty());
    all.extend(full.map(|(device, _)| ((1, id(device), 1, [0; 3]), Of::Occupancy { device })));
    let streams = recording.streams.iter().zip(0..);
    all.extend(streams.map(|(stream, place)| ((1, id(stream.device), 2, [stream.process, stream.context, stream.id]), Of::Stream(place))));
    all.extend(copies.keys().map(|&(device, kind)| ((1, id(device), 3, [kind as u64, 0, 0]), Of::Copies { device, kind })));
    all.sort_unstable();
    let more = all.len().saturating_sub(most);
    // A lane is as long as the recording, so only those that are drawn are made.
    let made = all.into_iter().take(most).map(|(_, of)| match of {
        Of::Calls { thread } => Lane::new(recording, of, threads.remove(&thread).unwrap_or_default(), Vec::new()),
        Of::Stream(place) => Lane::new(recording, of, recording.streams[place as usize].operations.clone(), Vec::new()),
        Of::Copies { device, kind } => Lane::new(recording, of, copies.remove(&(device, kind)).unwrap_or_default(), Vec::new()),
        Of::Occupancy { device } => Lane::of_levels(recording, of, std::mem::take(&mut levels[device as usize])),
        Of::Path { device } => {
            let pieces = paths.iter().find(|path| path.device == device).map_or(&[][..], |path| &path.pieces);
            let full = pieces.iter().map(|piece| Level { from: piece.from, to: piece.to, permille: 1_000 });
            Lane::of_levels(recording, of, full.collect())
        }
    });
    (made.collect(), more)
}

/// Where a lane stands: host or device, which device, what it shows, and of streams process, context and number.
type Key = (u8, u64, u8, [u64; 3]);

impl Lane {
    fn of_levels(recording: &Recording, of: Of, levels: Vec<Level>) -> Self {
        Self::new(recording, of, (0..levels.len() as u32).collect(), levels)
    }

    fn new(recording: &Recording, of: Of, items: Vec<u32>, levels: Vec<Level>) -> Self {
        let mut lane = Self { of, items, levels, reach: Vec::new(), busy: vec![0] };
        let (mut reach, mut busy) = (Time::ZERO, 0_u64);
        for &item in &lane.items {
            let (start, end) = lane.span(recording, item);
            reach = reach.max(end);
            let filled = lane.levels.get(item as usize).map_or(1_000, |level| level.permille);
            let filled = u128::from(end.since(start).ns()) * u128::from(filled) / 1_000;
            busy = busy.saturating_add(filled as u64);
            lane.reach.push(reach);
            lane.busy.push(busy);
        }
        lane
    }

    /// Its items, by start: indices of calls, of operations, of levels, or of pieces of a path.
    #[must_use]
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// When an item begins and ends.
    #[must_use]
    pub fn span(&self, recording: &Recording, item: u32) -> (Time, Time) {
        match self.of {
            Of::Calls { .. } => {
                let call = &recording.calls[item as usize];
                (call.start, call.end)
            }
            Of::Stream(_) | Of::Copies { .. } => {
                let operation = &recording.operations[item as usize];
                (operation.start, operation.end)
            }
            Of::Occupancy { .. } | Of::Path { .. } => {
                let level = &self.levels[item as usize];
                (level.from, level.to)
            }
        }
    }

    /// What is drawn of it, from left to right.
    #[must_use]
    pub fn pieces(&self, recording: &Recording, sight: Sight) -> Vec<LanePiece> {
        let (grain, count) = (grain(&sight), self.items.len());
        let start = |place: usize| self.span(recording, self.items[place]).0;
        let first = self.items.partition_point(|&item| self.span(recording, item).0 < sight.from);
        let mut place = (first.saturating_sub(REACH_BACK)..first).find(|&place| self.end(recording, place) > sight.from).unwrap_or(first);
        let mut pieces = Vec::new();
        let most = 2 * sight.px as usize + REACH_BACK;
        while place < count && start(place) < sight.to && pieces.len() < most {
            let from = start(place);
            let is_wide = |place: usize| self.end(recording, place).since(start(place)).ns() >= grain;
            let mut next = place + 1;
            if !is_wide(place) {
                let until = from.ns().saturating_add(grain);
                next += self.items[next..].partition_point(|&item| self.span(recording, item).0.ns() < until);
                // The last of them may be wide: it is a piece of its own.
                if next > place + 1 && is_wide(next - 1) {
                    next -= 1;
                }
            }
            let to = if next == place + 1 { self.end(recording, place) } else { self.reach[next - 1].max(from) };
            let busy_ns = self.busy[next] - self.busy[place];
            pieces.push(LanePiece {
                first: self.items[place],
                last: self.items[next - 1],
                count: (next - place) as u32,
                from,
                to,
                busy_ns,
            });
            place = next;
        }
        pieces
    }

    fn end(&self, recording: &Recording, place: usize) -> Time {
        self.span(recording, self.items[place]).1
    }
}
